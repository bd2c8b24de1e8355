import { Body, Controller, Header, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { found } from '../../core/errors/domain-error';
import { TakesRaw } from '../../core/http/body-parsers';
import { Public } from '../../core/http/route-markers';
import { callbackOf } from '../../providers/answers';
import { STRIPE_VERSION } from './stripe';
import { StripeCallbacks } from './stripe-callbacks';

/** Where Stripe sends events, and asks about authorizations. Its signature over the raw bytes stands for a key. */
@Public()
@ApiExcludeController()
@Controller('callbacks/cards/stripe')
export class StripeCallbacksController {
  constructor(@Inject(StripeCallbacks) private readonly callbacks: StripeCallbacks | null) {}

  @Post()
  @HttpCode(200)
  @Header('stripe-version', STRIPE_VERSION)
  @TakesRaw()
  receive(@Body() body: Buffer | undefined, @Req() request: FastifyRequest): Promise<object> {
    return found(this.callbacks, 'route').receive(callbackOf(body, request));
  }
}
