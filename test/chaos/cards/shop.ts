import { randomInt, randomUUID } from 'node:crypto';
import type { ToldCard, ToldPayment, ToldTransfer } from './told';
import type { Wire } from './wire';

/** Minor units in each wallet; the last of a currency gets little, so that refusals belong to the load. */
const OPENING: Readonly<Record<'USD' | 'NGN', readonly number[]>> = {
  USD: [5_000_000, 5_000_000, 40_000],
  NGN: [500_000_000, 500_000_000],
};

/** An account, its wallets, and what its clients were told of its cards and payments. */
export class Shop {
  readonly cards: ToldCard[] = [];
  readonly payments: ToldPayment[] = [];
  readonly transfers: ToldTransfer[] = [];

  private constructor(
    readonly wire: Wire,
    /** Public id, and the secret of its key. */
    private readonly credentials: { readonly account: string; readonly key: string },
    /** Wallet to what was credited at first. */
    readonly opening: ReadonlyMap<string, number>,
    readonly wallets: Readonly<Record<'USD' | 'NGN', readonly string[]>>,
  ) {}

  static async open(wire: Wire, key: string): Promise<Shop> {
    const shop = new Shop(wire, { account: '', key }, new Map(), { USD: [], NGN: [] });
    const { id: account } = await shop.get('/v4/account');
    const opening = new Map<string, number>();
    const wallets: Record<'USD' | 'NGN', string[]> = { USD: [], NGN: [] };
    for (const currency of ['USD', 'NGN'] as const) {
      for (const amount of OPENING[currency]) {
        const { id } = await shop.post('/v4/wallets', { currency });
        await shop.post(`/v4/sandbox/wallets/${id}/credit`, { amount });
        opening.set(id, amount);
        wallets[currency].push(id);
      }
    }
    return new Shop(wire, { account, key }, opening, wallets);
  }

  get account(): string {
    return this.credentials.account;
  }

  anyWallet(currency: 'USD' | 'NGN'): string {
    const wallets = this.wallets[currency];
    return wallets[randomInt(wallets.length)]!;
  }

  /** Sends a request of its own key until it is answered; null when it was refused. */
  post(
    path: string,
    body?: object,
    refusals: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): Promise<any> {
    const headers = {
      authorization: `Bearer ${this.credentials.key}`,
      'idempotency-key': randomUUID(),
      prefer: 'wait=1',
      ...more,
    };
    return this.wire.ask({ method: 'POST', path, headers, body, refusals });
  }

  get(path: string): Promise<any> {
    return this.wire.ask({ method: 'GET', path, headers: { authorization: `Bearer ${this.credentials.key}` } });
  }

  /** Every row of a list, page by page. */
  async all(path: string): Promise<any[]> {
    const rows: any[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, next_cursor: next } = await this.get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`);
      rows.push(...data);
      cursor = next;
    }
    return rows;
  }
}
