import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { NotFound } from '../../core/errors/not-found';
import { sendPage } from '../../core/http/page';
import { unknownPage } from './checkout-page.batch';

/** People see a page where programs see a problem document. */
@Catch(NotFound)
export class CheckoutFilter implements ExceptionFilter {
  catch(_: NotFound, host: ArgumentsHost): void {
    sendPage(host.getArgByIndex<FastifyReply>(1).code(404), unknownPage());
  }
}
