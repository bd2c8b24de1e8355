import { type DynamicModule, Module } from '@nestjs/common';
import { PaylinkClient, type PaylinkSettings } from './paylink-client';
import { PaylinkGateway } from './paylink-gateway';

@Module({})
export class PaymentGatewayModule {
  /** Null: nobody has signed a contract yet, and no gateway is registered. */
  static register(settings: PaylinkSettings | null): DynamicModule {
    const providers =
      settings === null ? [] : [{ provide: PaylinkClient, useValue: new PaylinkClient(settings) }, PaylinkGateway];
    return { module: PaymentGatewayModule, providers };
  }
}
