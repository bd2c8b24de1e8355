import { Module } from '@nestjs/common';
import { AirtimeProviderModule } from './airtime-provider/airtime-provider.module';
import { ExampleFee } from './example-fee';
import { ExampleGate } from './example-gate';
import { ExampleLog } from './example-log';

/** What an extension looks like. Does nothing unless the metadata of a bill payment in test mode asks for it. */
@Module({ imports: [AirtimeProviderModule.register(null)], providers: [ExampleFee, ExampleGate, ExampleLog] })
export class ExampleModule {}
