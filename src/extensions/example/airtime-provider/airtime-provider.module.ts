import { type DynamicModule, Module } from '@nestjs/common';
import { ExampleAirtime } from './example-airtime';
import { TopupClient, type TopupSettings } from './topup-client';

@Module({})
export class AirtimeProviderModule {
  /** Null: nobody has signed a contract yet, and no provider is registered. */
  static register(settings: TopupSettings | null): DynamicModule {
    const providers =
      settings === null ? [] : [{ provide: TopupClient, useValue: new TopupClient(settings) }, ExampleAirtime];
    return { module: AirtimeProviderModule, providers };
  }
}
