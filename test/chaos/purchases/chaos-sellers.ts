import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { ExampleAirtime } from '../../../src/extensions/example/example-airtime';
import { type AirtimeItem, type AirtimeProvider, SellsAirtime } from '../../../src/modules/airtime/airtime.provider';
import {
  type NameResult,
  PaysOut,
  type PayoutItem,
  type PayoutProvider,
} from '../../../src/modules/payouts/payouts.provider';
import type { FindResult, Order, ProviderResult } from '../../../src/modules/purchases/purchases.provider';
import { ProviderHttp } from '../../../src/providers/http';
import { FIRST_SELLER, SECOND_SELLER } from './deeds';
import { Moments } from './moments';
import { phoneOfAccount } from './orders';

/** Where this process finds the operator. */
class OperatorAddress {
  constructor(readonly url: string) {}
}

/** Sells what the fake operator sells, as the example provider does. */
abstract class ChaosAirtime implements AirtimeProvider {
  private readonly example: ExampleAirtime;

  constructor(
    seller: string,
    { url }: OperatorAddress,
    private readonly moments: Moments,
    http: ProviderHttp,
  ) {
    this.example = new ExampleAirtime({ url: `${url}${seller}/`, key: 'chaos', countries: ['NG'] }, http);
  }

  async purchase(order: Order<AirtimeItem>, signal: AbortSignal): Promise<ProviderResult> {
    await this.moments.reach('held');
    const result = await this.example.purchase(order, signal);
    if (result.outcome !== 'unknown') await this.moments.reach('answered');
    this.moments.pass('settling');
    return result;
  }

  async find(order: Order<AirtimeItem>, signal: AbortSignal): Promise<FindResult> {
    const found = await this.example.find(order, signal);
    if (found.outcome === 'delivered' || found.outcome === 'not_delivered') await this.moments.reach('found');
    return found;
  }
}

@Injectable()
@SellsAirtime({ name: FIRST_SELLER, mode: 'test' })
class FirstSeller extends ChaosAirtime {
  constructor(address: OperatorAddress, moments: Moments, http: ProviderHttp) {
    super(FIRST_SELLER, address, moments, http);
  }
}

@Injectable()
@SellsAirtime({ name: SECOND_SELLER, mode: 'test' })
class SecondSeller extends ChaosAirtime {
  constructor(address: OperatorAddress, moments: Moments, http: ProviderHttp) {
    super(SECOND_SELLER, address, moments, http);
  }
}

/** The same operator as a bank: an account is the phone of the same digits. */
abstract class ChaosPayouts implements PayoutProvider {
  constructor(private readonly seller: AirtimeProvider) {}

  async resolve(): Promise<NameResult> {
    return { outcome: 'found', accountName: 'ADAEZE OKAFOR' };
  }

  purchase(order: Order<PayoutItem>, signal: AbortSignal): Promise<ProviderResult> {
    return this.seller.purchase(toppedUp(order), signal);
  }

  find(order: Order<PayoutItem>, signal: AbortSignal): Promise<FindResult> {
    return this.seller.find(toppedUp(order), signal);
  }
}

const toppedUp = (order: Order<PayoutItem>): Order<AirtimeItem> => ({
  ...order,
  item: { phone: phoneOfAccount(order.item.accountNumber), network: 'mtn', country: 'NG' },
});

@Injectable()
@PaysOut({ name: FIRST_SELLER, mode: 'test' })
class FirstBank extends ChaosPayouts {
  constructor(seller: FirstSeller) {
    super(seller);
  }
}

@Injectable()
@PaysOut({ name: SECOND_SELLER, mode: 'test' })
class SecondBank extends ChaosPayouts {
  constructor(seller: SecondSeller) {
    super(seller);
  }
}

@Module({})
export class ChaosProviderModule {
  static register(operatorUrl: string): DynamicModule {
    const address = { provide: OperatorAddress, useValue: new OperatorAddress(operatorUrl) };
    const providers = [address, Moments, FirstSeller, SecondSeller, FirstBank, SecondBank];
    return { module: ChaosProviderModule, providers };
  }
}
