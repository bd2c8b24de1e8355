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
  Query,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Key } from '../../../core/http/caller';
import { found, NotFound } from '../../../core/errors/domain-error';
import { TakesForm } from '../../../core/http/body-parsers';
import { Text } from '../../../core/http/fields';
import { decodeId } from '../../../core/http/ids';
import { seeOther, sendPage } from '../../../core/http/pages';
import { Public } from '../../../core/http/route-markers';
import { PROJECT } from '../../../core/process/project';
import { CheckoutService, type Onward } from './checkout.service';
import { BrandingService } from '../branding.service';
import { checkoutPage, type Notice, NOTICES, unknownPage } from './checkout-page';
import { accentCss } from './colours';
import { languageCookie, languageOf } from './language';

/** People see a page where programs see a problem document. */
@Catch(NotFound)
export class CheckoutFilter implements ExceptionFilter {
  catch(_: NotFound, host: ArgumentsHost): void {
    const request = host.getArgByIndex<FastifyRequest>(0);
    sendPage(host.getArgByIndex<FastifyReply>(1).code(404), unknownPage(languageOf(request)));
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
  show(
    @Param('token') token: string,
    @Query('notice') notice: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const cookie = languageCookie(request);
    if (cookie !== null) void reply.header('set-cookie', cookie);
    return this.send(reply, this.checkout.keyOf(token), NOTICES.find((one) => one === notice) ?? null);
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

  private async send(reply: FastifyReply, key: Key, notice: Notice | null): Promise<void> {
    const checkout = await this.checkout.view(key, notice);
    sendPage(reply, checkoutPage(checkout, languageOf(reply.request)), {
      formOrigins: this.checkout.originsOf(checkout),
      hasImages: checkout.branding.logoUrl !== null,
    });
  }
}

const FILE = join(PROJECT, 'public', 'checkout.css');

/** What has its content in its address. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** What checkout pages look like: the same for all of them, and what accounts chose for theirs. */
@Public()
@ApiExcludeController()
@Controller('checkout')
export class CheckoutLooksController {
  private readonly css = readFileSync(FILE, 'utf8');

  constructor(private readonly branding: BrandingService) {}

  @Get('style.css')
  @Header('content-type', 'text/css; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  show(): string {
    return this.css;
  }

  @Get('colours/:file')
  accent(@Param('file') file: string, @Res() reply: FastifyReply): void {
    const [, digits] = found(/^([0-9a-f]{6})\.css$/.exec(file), 'colour');
    void reply
      .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': FOR_EVER })
      .send(accentCss(`#${digits}`));
  }

  @Get('logos/:account/:hash')
  async logo(
    @Param('account') account: string,
    @Param('hash') hash: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { type, bytes } = found(await this.branding.findLogo(decodeId('acct', account), hash), 'logo');
    void reply
      .headers({
        'content-type': type,
        'cache-control': FOR_EVER,
        'content-security-policy': "default-src 'none'; sandbox",
      })
      .send(bytes);
  }
}
