import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { found } from '../../core/errors/domain-error';
import { TakesRaw } from '../../core/http/body-parsers';
import { Public } from '../../core/http/route-markers';
import { callbackOf } from '../../providers/answers';
import { BridgecardCallbacks } from './bridgecard-callbacks';

/** Where Bridgecard sends webhooks. A secret in a header stands for a key. */
@Public()
@ApiExcludeController()
@Controller('callbacks/cards/bridgecard')
export class BridgecardCallbacksController {
  constructor(@Inject(BridgecardCallbacks) private readonly callbacks: BridgecardCallbacks | null) {}

  @Post()
  @HttpCode(200)
  @TakesRaw()
  receive(@Body() body: Buffer | undefined, @Req() request: FastifyRequest): Promise<object> {
    return found(this.callbacks, 'route').receive(callbackOf(body, request));
  }
}
