import { Module } from '@nestjs/common';
import { ExampleAirtime } from './example-airtime';
import { ExampleFee } from './example-fee';
import { ExampleGate } from './example-gate';
import { ExampleIssuer } from './example-issuer';
import { ExampleLog } from './example-log';
import { PaylinkGateway } from './paylink-gateway';

/** What an extension looks like. Does nothing unless the metadata of a bill payment in test mode asks for it. */
@Module({ providers: [ExampleFee, ExampleGate, ExampleLog, ExampleAirtime, ExampleIssuer, PaylinkGateway] })
export class ExampleModule {}
