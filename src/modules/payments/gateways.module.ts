import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Env } from '../../core/config/env';
import { publicUrl } from '../../core/http/public-url';
import { PricingModule } from '../pricing/pricing.module';
import { CheckoutLinks } from './checkout/checkout-links';
import { GatewayClient } from './gateways/gateway-client';
import { GatewaysService } from './gateways/gateways.service';

const links = {
  provide: CheckoutLinks,
  inject: [Env],
  useFactory: (env: Env) => new CheckoutLinks(publicUrl(env), env),
};

/** Who can take a payment, in which order, and how one speaks with them. */
@Module({
  imports: [DiscoveryModule, PricingModule],
  providers: [links, GatewayClient, GatewaysService],
  exports: [CheckoutLinks, GatewayClient, GatewaysService],
})
export class GatewaysModule {}
