import { Injectable } from '@nestjs/common';
import {
  type CallbackRequest,
  type CallbackResult,
  type Gateway,
  type GatewayOrder,
  type QueryResult,
  type StartResult,
  TakesPayments,
} from '../../../modules/payments/gateway';
import { callbackOf, findingOf, startOf } from './paylink-answers';
import { PAYLINK, PaylinkClient } from './paylink-client';

/** Collects money through an imaginary gateway. */
@Injectable()
@TakesPayments({
  name: 'paylink',
  label: 'Card or bank',
  mode: 'live',
  when: PAYLINK,
  currencies: ['NGN', 'GHS'],
  origins: ['https://pay.paylink.example.com'],
})
export class PaylinkGateway implements Gateway {
  constructor(private readonly client: PaylinkClient) {}

  async start(order: GatewayOrder, signal: AbortSignal): Promise<StartResult> {
    return startOf(await this.client.open(order, signal), order.reference);
  }

  async query(order: GatewayOrder, signal: AbortSignal): Promise<QueryResult> {
    return findingOf(await this.client.find(order, signal), order.reference);
  }

  verify(callback: CallbackRequest): CallbackResult {
    return callbackOf(callback, this.client.settings.callbackSecret);
  }
}
