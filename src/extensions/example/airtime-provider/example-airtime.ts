import { Injectable } from '@nestjs/common';
import type { Currency } from '../../../core/money/currencies';
import { type AirtimeItem, type AirtimeProvider, SellsAirtime } from '../../../modules/airtime/airtime.provider';
import type { FindResult, Order, ProviderResult } from '../../../modules/purchases/purchases.provider';
import { findingOf, minorUnits, resultOf } from './topup-answers';
import { TOPUP, TopupClient } from './topup-client';

/** Sells airtime through an imaginary top-up service. */
@Injectable()
@SellsAirtime({ name: 'example', mode: 'live', when: TOPUP })
export class ExampleAirtime implements AirtimeProvider {
  constructor(private readonly client: TopupClient) {}

  canSell({ item }: Omit<Order<AirtimeItem>, 'reference'>): boolean {
    return this.client.settings.countries.includes(item.country);
  }

  async purchase(order: Order<AirtimeItem>, signal: AbortSignal): Promise<ProviderResult> {
    return resultOf(await this.client.sell(order, signal), order.reference);
  }

  async find(order: Order<AirtimeItem>, signal: AbortSignal): Promise<FindResult> {
    return findingOf(await this.client.find(order, signal), order.reference);
  }

  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const { status, body } = await this.client.float(currency, signal);
    const balance = minorUnits((body as { balance?: unknown } | null)?.balance);
    if (status !== 200 || balance === null) throw new Error('the float could not be read');
    return balance;
  }
}
