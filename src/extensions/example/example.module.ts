import { Module } from '@nestjs/common';
import { AirtimeProviderModule } from './airtime-provider/airtime-provider.module';
import { CardIssuerModule } from './card-issuer/card-issuer.module';
import { ExampleFee } from './example-fee';
import { ExampleGate } from './example-gate';
import { ExampleLog } from './example-log';
import { PaymentGatewayModule } from './payment-gateway/payment-gateway.module';

/** What an extension looks like. Does nothing unless the metadata of a bill payment in test mode asks for it. */
@Module({
  imports: [AirtimeProviderModule.register(null), CardIssuerModule.register(null), PaymentGatewayModule.register(null)],
  providers: [ExampleFee, ExampleGate, ExampleLog],
})
export class ExampleModule {}
