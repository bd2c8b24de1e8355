import { decodeId } from '../../src/core/http/ids';
import { gatewayReferenceOf } from '../../src/modules/payments/gateway-client';
import { SandboxBank } from '../../src/modules/payments/sandbox/sandbox.provider';
import type { CallbackRequest, GatewayOrder } from '../../src/modules/payments/gateway';
import type { Answer } from './contract';
import type { Duka, TestAccount } from './duka';

/** An account that asks for payments, and whoever pays them. */
export class Payer {
  private constructor(
    readonly duka: Duka,
    readonly account: TestAccount,
    readonly wallet: string,
  ) {}

  static async of(duka: Duka, name?: string): Promise<Payer> {
    const account = await duka.account(name);
    return new Payer(duka, account, (await account.api.get('/v4/wallets')).body.data[0].id);
  }

  get api() {
    return this.account.api;
  }

  create(more: object = {}, key?: string): Promise<Answer> {
    return this.api.post('/api/v1/payments', { amount: 100_000, currency: 'NGN', ...more }, { key });
  }

  /** A payment that was asked for. */
  async asked(more: object = {}): Promise<any> {
    const { status, body } = await this.create(more);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** A refund of 40,000 that the gateway contradicts at once: a person must settle it. */
  async contradicted(): Promise<string> {
    const { id } = await this.asked();
    await this.complete(id, 'successful');
    const wrong = jest
      .spyOn(this.bank, 'refund')
      .mockResolvedValue({ outcome: 'refunded', gatewayReference: 'g', amount: 1n });
    const { body } = await this.api.post(`/api/v1/payments/${id}/refunds`, { amount: 40_000 });
    wrong.mockRestore();
    if (!body.needs_review) throw new Error(JSON.stringify(body));
    return body.id;
  }

  get(id: string): Promise<any> {
    return this.api.get(`/api/v1/payments/${id}`).then(({ body }) => body);
  }

  complete(id: string, status: string): Promise<Answer> {
    return this.api.post(`/v4/sandbox/payments/${id}/complete`, { status });
  }

  advance(seconds: number): Promise<Answer> {
    return this.api.post('/v4/sandbox/clock/advance', { seconds });
  }

  balance(): Promise<number> {
    return this.api.balance(this.wallet).then(({ available }) => available);
  }

  /** Types of the events about one payment, oldest first. */
  async events(id: string): Promise<string[]> {
    const all = await this.api.all('/v4/events?limit=100');
    return all
      .filter(({ data }) => data.object.id === id)
      .map(({ type }) => type)
      .reverse();
  }

  /** What a visitor of the page sees. */
  visit(payment: { checkout_url: string }, path = '', form?: Record<string, string>): Promise<Response> {
    const url = this.duka.url + new URL(payment.checkout_url).pathname + path;
    return fetch(url, { redirect: 'manual', ...(form && { method: 'POST', body: new URLSearchParams(form) }) });
  }

  /** Has the payer choose a gateway, so that an order is open there. */
  async start(payment: { checkout_url: string }, gateway = 'sandbox_card'): Promise<void> {
    const { status } = await this.visit(payment, '/start', { gateway });
    if (status !== 303) throw new Error(`the page answered ${status}`);
  }

  /** What the gateway says from now on, without telling anybody. */
  async decide(id: string, outcome: string): Promise<void> {
    if (!(await this.bank.decide(this.keyOf(id), outcome))) throw new Error('there is no such order');
  }

  /** A callback as the gateway signs it. */
  signed(id: string, says = 'successful', gateway = 'sandbox_card'): CallbackRequest {
    return this.bank.callback(gateway, gatewayReferenceOf(this.keyOf(id)), says);
  }

  call({ body, headers }: CallbackRequest, gateway = 'sandbox_card'): Promise<Response> {
    return fetch(`${this.duka.url}/callbacks/${gateway}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
  }

  keyOf(id: string): { accountId: string; livemode: boolean; id: string } {
    return { accountId: decodeId('acct', this.account.id)!, livemode: false, id: decodeId('pay', id)! };
  }

  get bank(): SandboxBank {
    return this.duka.get<SandboxBank>(SandboxBank);
  }

  /** Makes the gateway answer something else. */
  answering(answer: (order: GatewayOrder) => unknown): jest.SpyInstance {
    return jest.spyOn(this.bank, 'query').mockImplementation((order) => Promise.resolve(answer(order)) as never);
  }
}
