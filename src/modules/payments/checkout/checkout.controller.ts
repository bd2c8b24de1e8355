import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Res,
  UseFilters,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Key } from '../../../core/http/caller';
import { NotFound } from '../../../core/errors/domain-error';
import { TakesForm } from '../../../core/http/body-parsers';
import { Text } from '../../../core/http/fields';
import { seeOther, sendPage } from '../../../core/http/pages';
import { Public } from '../../../core/http/route-markers';
import { PROJECT } from '../../../core/process/project';
import { CheckoutService, type Onward } from './checkout.service';
import { checkoutPage, unknownPage } from './checkout-page';

/** People see a page where programs see a problem document. */
@Catch(NotFound)
export class CheckoutFilter implements ExceptionFilter {
  catch(_: NotFound, host: ArgumentsHost): void {
    sendPage(host.getArgByIndex<FastifyReply>(1).code(404), unknownPage());
  }
}

/** Form of the page on which a way of paying is chosen. */
export class StartCheckoutForm {
  @Text(64)
  gateway: string;
}

/** The hosted page on which people pay. The token in its address is the only key to it. */
@Public()
@ApiExcludeController()
@UseFilters(CheckoutFilter)
@Controller('checkout/:token')
export class CheckoutController {
  constructor(private readonly checkout: CheckoutService) {}

  @Get()
  show(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    return this.send(reply, this.checkout.keyOf(token));
  }

  @Post('start')
  @HttpCode(200)
  @TakesForm()
  async start(
    @Param('token') token: string,
    @Body() { gateway }: StartCheckoutForm,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = this.checkout.keyOf(token);
    await this.leadOn(reply, key, await this.checkout.start(key, gateway));
  }

  @Post('check')
  @HttpCode(200)
  @TakesForm()
  check(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    return this.comeBack(token, reply);
  }

  @Post('cancel')
  @HttpCode(200)
  @TakesForm()
  async cancel(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const key = this.checkout.keyOf(token);
    await this.leadOn(reply, key, await this.checkout.cancel(key));
  }

  /** Where gateways send the payer when they are done. */
  @Get('return')
  comeBack(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const key = this.checkout.keyOf(token);
    return this.checkout.back(key).then((onward) => this.leadOn(reply, key, onward));
  }

  private async leadOn(reply: FastifyReply, key: Key, { url, notice }: Onward): Promise<void> {
    if (url !== null) return seeOther(reply, url);
    return notice === null ? seeOther(reply, this.checkout.pathOf(key)) : this.send(reply, key, notice);
  }

  private async send(reply: FastifyReply, key: Key, notice: string | null = null): Promise<void> {
    const checkout = await this.checkout.view(key, notice);
    sendPage(reply, checkoutPage(checkout), this.checkout.originsOf(checkout));
  }
}

const FILE = join(PROJECT, 'public', 'checkout.css');

/** What checkout pages look like. The same for all of them. */
@Public()
@ApiExcludeController()
@Controller('checkout/style.css')
export class CheckoutStyleController {
  private readonly css = readFileSync(FILE, 'utf8');

  @Get()
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  show(): string {
    return this.css;
  }
}
