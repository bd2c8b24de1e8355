import { decodeId } from '../../src/core/http/ids';
import type { Answer } from './contract';
import type { Duka, TestAccount } from './duka';

/** Minor units that a shopper starts with. */
export const FUNDS = 100_000;
export const PRICE = 10_000;
/** Of a purchase of `PRICE`: MTN's commission is 2.5 %, and airtime has no fee. */
export const TOTAL = 9_750;

/** An account with some test money that buys airtime. */
export class Shopper {
  private constructor(
    readonly account: TestAccount,
    readonly wallet: string,
  ) {}

  static async in(duka: Duka): Promise<Shopper> {
    const account = await duka.account();
    const { body } = await account.api.get('/v4/wallets');
    const shopper = new Shopper(account, body.data[0].id);
    await shopper.fund(FUNDS);
    return shopper;
  }

  /** Uuid and mode, as services take them. */
  get owner(): { accountId: string; livemode: false } {
    return { accountId: decodeId('acct', this.account.id)!, livemode: false };
  }

  fund(amount: number): Promise<Answer> {
    return this.account.api.post(`/v4/sandbox/wallets/${this.wallet}/credit`, { amount });
  }

  buy(body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.account.api.post(
      '/v4/airtime/purchase',
      { phone: '+2348031234567', amount: PRICE, ...body },
      { headers },
    );
  }

  /** Buys under a scenario of the sandbox. */
  steer(scenario: string, body: object = {}): Promise<Answer> {
    return this.buy({ allow_duplicate: true, ...body }, { 'x-sandbox-scenario': scenario });
  }

  async get(id: string): Promise<any> {
    return (await this.account.api.get(`/v4/transactions/${id}`)).body;
  }

  balance(): Promise<{ available: number; held: number; ledger: number }> {
    return this.account.api.balance(this.wallet);
  }

  /** Types of the events about a transaction, oldest first. */
  async eventsOf(id: string): Promise<string[]> {
    const { body } = await this.account.api.get('/v4/events?limit=100');
    return body.data
      .filter((event: any) => event.data.object.id === id)
      .map((event: any) => event.type)
      .reverse();
  }

  async kindsOf(id: string): Promise<string[]> {
    return (await this.account.api.get(`/v4/transactions/${id}/timeline`)).body.data.map((item: any) => item.kind);
  }

  /** Moves the account's clock; what becomes due is done when this returns. */
  async pass(ms: number): Promise<void> {
    const { status, body } = await this.account.api.post('/v4/sandbox/clock/advance', { seconds: ms / 1_000 });
    if (status !== 200) throw new Error(`the clock did not move: ${JSON.stringify(body)}`);
  }
}
