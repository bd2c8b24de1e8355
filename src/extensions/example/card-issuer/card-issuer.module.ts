import { type DynamicModule, Module } from '@nestjs/common';
import { ExampleIssuer } from './example-issuer';
import { IssuerClient, type IssuerSettings } from './issuer-client';

@Module({})
export class CardIssuerModule {
  /** Null: nobody has signed a contract yet, and no issuer is registered. */
  static register(settings: IssuerSettings | null): DynamicModule {
    const providers =
      settings === null ? [] : [{ provide: IssuerClient, useValue: new IssuerClient(settings) }, ExampleIssuer];
    return { module: CardIssuerModule, providers };
  }
}
