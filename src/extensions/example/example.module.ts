import { Module } from '@nestjs/common';
import { ExampleAirtime } from './airtime-provider/example-airtime';
import { TopupClient } from './airtime-provider/topup-client';
import { ExampleIssuer } from './card-issuer/example-issuer';
import { IssuerClient } from './card-issuer/issuer-client';
import { ExampleFee } from './example-fee';
import { ExampleGate } from './example-gate';
import { ExampleLog } from './example-log';
import { PaylinkClient } from './payment-gateway/paylink-client';
import { PaylinkGateway } from './payment-gateway/paylink-gateway';

/** What an extension looks like. Does nothing unless the metadata of a bill payment in test mode asks for it. */
@Module({
  providers: [
    ExampleFee,
    ExampleGate,
    ExampleLog,
    TopupClient,
    ExampleAirtime,
    IssuerClient,
    ExampleIssuer,
    PaylinkClient,
    PaylinkGateway,
  ],
})
export class ExampleModule {}
