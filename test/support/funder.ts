import { decodeId } from '../../src/core/http/ids';
import { accountReferenceOf } from '../../src/modules/virtual-accounts/bank-client';
import { SandboxTransferBank } from '../../src/modules/virtual-accounts/sandbox/sandbox.provider';
import type { Arrival, TransferQuestion } from '../../src/modules/virtual-accounts/virtual-accounts.provider';
import type { CallbackRequest } from '../../src/providers/answers';
import type { Answer } from './contract';
import type { Duka, TestAccount } from './duka';

/** An account with numbers to pay into, and whoever pays. */
export class Funder {
  private constructor(
    readonly duka: Duka,
    readonly account: TestAccount,
    readonly wallet: string,
  ) {}

  static async of(duka: Duka): Promise<Funder> {
    const account = await duka.account();
    return new Funder(duka, account, await account.api.wallet());
  }

  get api() {
    return this.account.api;
  }

  get bank(): SandboxTransferBank {
    return this.duka.get<SandboxTransferBank>(SandboxTransferBank);
  }

  create(more: object = {}, key?: string): Promise<Answer> {
    return this.api.post('/v4/virtual-accounts', { wallet_id: this.wallet, kind: 'permanent', ...more }, { key });
  }

  /** A virtual account that was made. */
  async opened(more: object = {}): Promise<any> {
    const { status, body } = await this.create(more);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** One that takes `amount` once. */
  once(amount: number, more: object = {}): Promise<any> {
    return this.opened({ kind: 'one_time', amount, ...more });
  }

  /** A transfer; the deposit that came of it, null when nobody told of one. */
  async pay(id: string, amount: number, payer = 'Ada Obi'): Promise<any> {
    const { status, body } = await this.api.post(`/v4/sandbox/virtual-accounts/${id}/deposit`, {
      amount,
      payer_name: payer,
    });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.deposit_id && this.deposit(body.deposit_id);
  }

  deposit(id: string): Promise<any> {
    return this.api.get(`/v4/deposits/${id}`).then(({ body }) => body);
  }

  deposits(query = ''): Promise<any[]> {
    return this.api.all(`/v4/deposits?limit=100${query}`);
  }

  get(id: string): Promise<any> {
    return this.api.get(`/v4/virtual-accounts/${id}`).then(({ body }) => body);
  }

  advance(seconds: number): Promise<Answer> {
    return this.api.post('/v4/sandbox/clock/advance', { seconds });
  }

  balance(): Promise<number> {
    return this.api.balance(this.wallet).then(({ available }) => available);
  }

  /** Types of the events about one thing, oldest first. */
  async events(id: string): Promise<string[]> {
    const all = await this.api.all('/v4/events?limit=100');
    return all
      .filter(({ data }) => data.object.id === id)
      .map(({ type }) => type)
      .reverse();
  }

  /** What a bank tells of a transfer to a virtual account. */
  arrival(id: string, more: Partial<Arrival> = {}): Arrival {
    const key = { accountId: decodeId('acct', this.account.id)!, id: decodeId('vac', id)! };
    return { providerReference: 'ref-1', account: accountReferenceOf(key), amount: 50_000n, currency: 'NGN', ...more };
  }

  call({ body, headers }: CallbackRequest, provider = 'sandbox', at = this.duka.url): Promise<Response> {
    return fetch(`${at}/callbacks/virtual-accounts/${provider}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
  }

  /** The bank tells of a transfer, signed. */
  tell(arrival: Arrival): Promise<Response> {
    return this.call(this.bank.callback(arrival));
  }

  /** Makes the bank answer something else when it is asked about a transfer. */
  answering(answer: (question: TransferQuestion) => unknown): jest.SpyInstance {
    return jest.spyOn(this.bank, 'confirm').mockImplementation(async (question) => answer(question) as never);
  }

  keyOf(id: string): { accountId: string; livemode: boolean; id: string } {
    return { accountId: decodeId('acct', this.account.id)!, livemode: false, id: decodeId('dep', id)! };
  }
}
