import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Env } from '../../core/config/env';
import { publicUrl } from '../../core/http/public-url';
import { TermsModule } from '../terms/terms.module';
import { CheckoutLinks } from './checkout-links.service';
import { GatewayCalls } from './gateway-calls.service';
import { GatewayOffers } from './gateway-offers.service';
import { GatewaysService } from './gateways.service';

const links = {
  provide: CheckoutLinks,
  inject: [Env],
  useFactory: (env: Env) => new CheckoutLinks(publicUrl(env), env),
};

/** Who can take a payment, in which order, and how one speaks with them. */
@Module({
  imports: [DiscoveryModule, TermsModule],
  providers: [links, GatewayCalls, GatewayOffers, GatewaysService],
  exports: [CheckoutLinks, GatewayCalls, GatewayOffers, GatewaysService],
})
export class GatewaysModule {}
