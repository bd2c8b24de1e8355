import { Module } from '@nestjs/common';
import { CardsModule } from '../../modules/cards/cards.module';
import { Stripe } from './stripe';
import { StripeCallbacks } from './stripe-callbacks';
import { StripeCallbacksController } from './stripe-callbacks.controller';
import { StripeIssuer } from './stripe-issuer';
import { StripePagesController } from './stripe-pages.controller';

/** Cards of Stripe Issuing. */
@Module({
  imports: [CardsModule],
  controllers: [StripeCallbacksController, StripePagesController],
  providers: [Stripe, StripeCallbacks, StripeIssuer],
})
export class StripeModule {}
