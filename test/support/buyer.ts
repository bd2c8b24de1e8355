import type { Api } from './api';
import type { Answer } from './contract';
import type { Duka } from './duka';

/** How a scenario ends, as `GET /v4/sandbox/scenarios` says. */
export interface End {
  readonly status: 'successful' | 'failed' | 'processing' | 'reversed' | null;
  readonly failure_code: string | null;
  readonly error_code: string | null;
  readonly attempts: number;
  readonly needs_review: boolean;
}

/** Of `[bucket, amount]`, the movements that a purchase of `total` has made when it is in a state. `released`: what was held above that. */
const LINES: Record<NonNullable<End['status']>, (total: number, released?: number) => [string, number][]> = {
  processing: (total) => [
    ['available', -total],
    ['held', total],
  ],
  successful: (total, released = 0) => [
    ...LINES.processing(total + released),
    ['held', -total],
    ...(released > 0
      ? ([
          ['held', -released],
          ['available', released],
        ] as [string, number][])
      : []),
  ],
  failed: (total) => [...LINES.processing(total), ['held', -total], ['available', total]],
  reversed: (total) => [...LINES.successful(total), ['available', total]],
};

const EVENTS: Record<NonNullable<End['status']>, string[]> = {
  processing: ['transaction.processing'],
  successful: ['transaction.processing', 'transaction.successful'],
  failed: ['transaction.processing', 'transaction.failed'],
  reversed: ['transaction.processing', 'transaction.successful', 'transaction.reversed'],
};

/** Growing, so that two weeks pass in a few requests. */
const STEPS_SECONDS = [
  1, 5, 10, 20, 60, 180, 360, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 90_000, 90_000, 90_000, 90_000,
];

/** An account of its own with money in one wallet, which buys and then looks at everything that a partner could see. */
export class Buyer {
  static readonly MONEY = 10_000_000;

  private constructor(
    readonly api: Api,
    readonly wallet: string,
  ) {}

  static async of(duka: Duka): Promise<Buyer> {
    const { api } = await duka.account();
    const wallet = (await api.get('/v4/wallets')).body.data[0].id as string;
    await api.credit(wallet, Buyer.MONEY);
    return new Buyer(api, wallet);
  }

  /** `scenario`: the header of the sandbox. */
  buy(path: string, body: object, scenario?: string): Promise<Answer> {
    return this.api.post(path, body, { headers: scenario === undefined ? {} : { 'x-sandbox-scenario': scenario } });
  }

  airtime(phone: string, scenario?: string, more: object = {}): Promise<Answer> {
    return this.buy('/v4/airtime/purchase', { phone, amount: 10_000, ...more }, scenario);
  }

  async advance(seconds: number): Promise<void> {
    const { status, body } = await this.api.post('/v4/sandbox/clock/advance', { seconds });
    if (status !== 200) throw new Error(`the clock stands still: ${JSON.stringify(body)}`);
  }

  async transaction(id: string): Promise<any> {
    return (await this.api.get(`/v4/transactions/${id}`)).body;
  }

  settle(id: string, status: string, key?: string): Promise<Answer> {
    return this.api.post(`/v4/sandbox/transactions/${id}/settle`, { status }, { key });
  }

  /** Event types about a transaction, oldest first. */
  async events(id: string): Promise<string[]> {
    const all = await this.api.all('/v4/events?limit=100');
    return all
      .filter(({ data }) => data.object.id === id)
      .map(({ type }) => type as string)
      .reverse();
  }

  /** Moves the clock step by step until the purchase is as it ends; gives up after some days. */
  async reach(id: string, { status, needs_review: needsReview }: End): Promise<void> {
    for (const seconds of STEPS_SECONDS) {
      const isThere = (await this.transaction(id)).status === status;
      if (isThere && (!needsReview || (await this.events(id)).includes('transaction.needs_review'))) return;
      await this.advance(seconds);
    }
  }

  /** Nothing was recorded, and no money moved. */
  async expectNothing(): Promise<void> {
    expect((await this.api.get('/v4/transactions')).body.data.map(({ type }: { type: string }) => type)).toEqual([
      'deposit',
    ]);
    expect(await this.api.balance(this.wallet)).toMatchObject({ available: Buyer.MONEY, held: 0, ledger: Buyer.MONEY });
    const told = (await this.api.all('/v4/events?limit=100')).filter(({ type }) => type.startsWith('transaction.'));
    expect(told.map(({ data }) => data.object.type)).toEqual(['deposit']);
  }

  /** One purchase, and it ended so: in its record, in the balance, line by line in the books, in the events and in its story. */
  async expectEnd(id: string, end: End): Promise<void> {
    const status = end.status!;
    const t = await this.transaction(id);
    expect({ ...t, total: t.amount + t.fee - t.commission }).toEqual(t);
    expect([t.status, t.failure?.code ?? null, t.provider.attempts, t.completed_at === null]).toEqual([
      status,
      failureOf(end),
      end.attempts,
      status === 'processing',
    ]);
    await this.expectMoney(t, status);
    expect(await this.events(id)).toEqual([
      ...EVENTS[status],
      ...(end.needs_review ? ['transaction.needs_review'] : []),
    ]);
    await this.expectStory(id, end);
  }

  private async expectMoney(
    {
      total,
      id,
      reversed_by,
      details,
    }: { total: number; id: string; reversed_by: string | null; details: { released_amount?: number } },
    status: NonNullable<End['status']>,
  ): Promise<void> {
    const isOut = status === 'successful' || status === 'processing';
    const held = status === 'processing' ? total : 0;
    const available = Buyer.MONEY - (isOut ? total : 0);
    expect(await this.api.balance(this.wallet)).toMatchObject({ available, held, ledger: available + held });
    const entries = (await this.api.all(`/v4/wallets/${this.wallet}/entries?limit=100`)).reverse().slice(1);
    expect(entries.map(({ bucket, amount }) => [bucket, amount])).toEqual(
      LINES[status](total, details.released_amount),
    );
    const ids = entries.map(({ transaction_id }) => transaction_id as string);
    expect(ids).toEqual(ids.map((_, line) => (status === 'reversed' && line === 3 ? reversed_by : id)));
  }

  private async expectStory(id: string, { status, attempts }: End): Promise<void> {
    const { data } = (await this.api.get(`/v4/transactions/${id}/timeline`)).body as {
      data: { kind: string; data: { type?: string; provider?: string } }[];
    };
    const of = (kind: string) => data.filter((item) => item.kind === kind);
    expect(data[0]!.kind).toBe('transaction.created');
    const providersOf = (kind: string) => of(kind).map((item) => item.data.provider);
    expect(of('provider.attempt')).toHaveLength(attempts);
    // What was not answered at once is told by the requeries.
    const heard = [...providersOf('provider.answer'), ...providersOf('provider.requery')];
    expect(new Set(heard)).toEqual(new Set(providersOf('provider.attempt')));
    expect(of('transaction.completed')).toHaveLength(status === 'processing' ? 0 : 1);
    expect(of('ledger.entry').length).toBeGreaterThan(1);
    expect(of('event').map(({ data: { type } }) => type)).toEqual(expect.arrayContaining(EVENTS[status!]));
  }
}

const failureOf = ({ status, failure_code: code }: End): string | null =>
  status === 'reversed' ? 'reversed_by_operator' : code;
