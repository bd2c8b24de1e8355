import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error';
import { describeFailure, describeUnknownRoute } from './failures';
import { Problems } from './problems';
import { publicRequestId } from './request-context';
import { RouteTable } from './route-table';

/** Global filter: Nest hands it what any guard, pipe, controller or Fastify itself threw, unknown addresses included. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger('http');

  constructor(private readonly problems: Problems, private readonly routes: RouteTable) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    const isUnknownRoute = request.is404 && !(error instanceof DomainError);
    const details = isUnknownRoute ? describeUnknownRoute(request.method, this.routes.methodsOf(request.raw.url!)) : describeFailure(error);
    if (details.kind === 'internal' || details.kind === 'unavailable') {
      this.log.error({ msg: 'request failed', request_id: publicRequestId(reply), code: details.code, err: error });
    }
    // Half a body is out already: only a cut connection tells the client that it is not whole.
    if (reply.raw.headersSent) reply.raw.destroy();
    else this.problems.send(reply, details);
  }
}
