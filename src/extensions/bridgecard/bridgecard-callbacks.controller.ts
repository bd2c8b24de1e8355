import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Of } from '../../core/config/settings';
import { found } from '../../core/errors/domain-error';
import { TakesRaw } from '../../core/http/body-parsers';
import { Public } from '../../core/http/route-markers';
import { callbackOf } from '../../providers/answers';
import { IssuerMessages } from '../../modules/cards/issuer-messages';
import { BRIDGECARD, Bridgecard } from './bridgecard';
import { receive } from './bridgecard-callbacks';

/** Where Bridgecard sends webhooks. A secret in a header stands for a key. */
@Public()
@ApiExcludeController()
@Controller('callbacks/cards/bridgecard')
export class BridgecardCallbacksController {
  constructor(
    @Inject(BRIDGECARD) private readonly settings: Of<typeof BRIDGECARD> | null,
    @Inject(Bridgecard) private readonly bridgecard: Bridgecard | null,
    private readonly messages: IssuerMessages,
  ) {}

  @Post()
  @HttpCode(200)
  @TakesRaw()
  receive(@Body() body: Buffer | undefined, @Req() request: FastifyRequest): Promise<object> {
    const [settings, bridgecard] = [found(this.settings, 'route'), found(this.bridgecard, 'route')];
    return receive({ settings, bridgecard, messages: this.messages }, callbackOf(body, request));
  }
}
