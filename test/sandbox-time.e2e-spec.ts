import { Buyer } from './support/buyer';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const TIMED_OUT = '+2348000001108';
const PHONE = '+2348031234567';
const HOUR_MS = 3_600_000;

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

const advance = ({ api }: Buyer, seconds: unknown, key?: string): Promise<Answer> =>
  api.post('/v4/sandbox/clock/advance', { seconds }, { key });
const clock = async ({ api }: Buyer): Promise<any> => (await api.get('/v4/sandbox/clock')).body;

describe('the clock', () => {
  it('moves forward, for its account only', async () => {
    const [mine, other] = [await Buyer.of(duka), await Buyer.of(duka)];
    expect(await clock(mine)).toMatchObject({ object: 'sandbox_clock', offset_seconds: 0, livemode: false });
    const before = Date.now();
    const { status, body } = await advance(mine, 3_600);
    expect([status, body.offset_seconds]).toEqual([200, 3_600]);
    expect(Date.parse(body.now)).toBeGreaterThanOrEqual(before + HOUR_MS);
    expect(Date.parse(body.now)).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    expect((await advance(mine, 1)).body.offset_seconds).toBe(3_601);
    expect([(await clock(mine)).offset_seconds, (await clock(other)).offset_seconds]).toEqual([3_601, 0]);
  });

  it('does what became due before it answers', async () => {
    const buyer = await Buyer.of(duka);
    const bought = await Promise.all(
      [1, 2, 3].map((i) => buyer.airtime(TIMED_OUT, undefined, { reference: `r-${i}` })),
    );
    expect(bought.map(({ status }) => status)).toEqual([202, 202, 202]);
    await advance(buyer, 6);
    for (const { body } of bought)
      expect(await buyer.transaction(body.id)).toMatchObject({ status: 'successful', next_check_at: null });
  });

  it('moves once for a repeated request', async () => {
    const buyer = await Buyer.of(duka);
    const [first, again] = [await advance(buyer, 60, 'k-1'), await advance(buyer, 60, 'k-1')];
    expect(
      [first, again].map(({ status, headers, body }) => [
        status,
        headers.get('idempotent-replayed'),
        body.offset_seconds,
      ]),
    ).toEqual([
      [200, null, 60],
      [200, 'true', 60],
    ]);
    expect((await advance(buyer, 61, 'k-1')).body.code).toBe('idempotency_key_reused');
    expect((await advance(buyer, 60, 'k-2')).body.offset_seconds).toBe(120);
  });

  it('moves once for a key, whatever came in between, and under none that something else was asked with', async () => {
    const buyer = await Buyer.of(duka);
    const check = async (key: string) => (await buyer.api.get(`/v4/idempotency/${key}`)).body;
    for (const key of ['k-1', 'k-2', 'k-1', 'k-2']) await advance(buyer, 60, key);
    expect((await clock(buyer)).offset_seconds).toBe(120);
    expect(await check('k-1')).toMatchObject({ status: 'completed', resource: null });
    expect(await check('k-3')).toMatchObject({ status: 'not_seen' });
    await buyer.api.post('/v4/wallets', { currency: 'NGN' }, { key: 'k-4' });
    expect((await advance(buyer, 60, 'k-4')).body.code).toBe('idempotency_key_reused');
    expect((await buyer.api.post('/v4/wallets', { currency: 'NGN' }, { key: 'k-1' })).body.code).toBe(
      'idempotency_key_reused',
    );
    expect((await clock(buyer)).offset_seconds).toBe(120);
  });

  it.each([[0], [-1], [1.5], ['60'], [31_536_001], [null]])('does not move by %p', async (seconds) => {
    const buyer = await Buyer.of(duka);
    const { status, body } = await advance(buyer, seconds);
    expect([status, body.code, body.param]).toEqual([400, 'validation_failed', '/seconds']);
  });

  it('stays within a century', async () => {
    const buyer = await Buyer.of(duka);
    for (let year = 0; year < 100; year++) expect((await advance(buyer, 31_536_000)).status).toBe(200);
    const { status, body } = await advance(buyer, 1);
    expect([status, body.code, body.param]).toEqual([400, 'validation_failed', '/seconds']);
    expect((await buyer.airtime(PHONE)).body.status).toBe('successful');
  });
});

describe('a purchase that waits for money', () => {
  const queue = async (buyer: Buyer, more: object = {}): Promise<any> => {
    await buyer.api.post('/v4/sandbox/reset');
    const now = Date.parse((await clock(buyer)).now);
    const { status, body } = await buyer.airtime(PHONE, undefined, {
      on_insufficient_funds: 'queue',
      deliver_by: new Date(now + HOUR_MS).toISOString(),
      ...more,
    });
    expect([status, body.status, body.details.queued]).toEqual([202, 'pending', true]);
    return body;
  };

  it('is bought when its wallet is credited', async () => {
    const buyer = await Buyer.of(duka);
    const { id, total } = await queue(buyer);
    await buyer.api.credit(buyer.wallet, total - 1);
    expect((await buyer.transaction(id)).status).toBe('pending');
    await buyer.api.credit(buyer.wallet, 1);
    // The credit holds the money before it answers; the provider is asked behind it.
    expect(await buyer.api.balance(buyer.wallet)).toMatchObject({ available: 0 });
    await ended(buyer, id);
    expect(await buyer.transaction(id)).toMatchObject({ status: 'successful', details: { queued: false } });
    expect(await buyer.api.balance(buyer.wallet)).toMatchObject({ available: 0, held: 0, ledger: 0 });
  });

  it('is cancelled when its time is over by the clock', async () => {
    const buyer = await Buyer.of(duka);
    const { id, total } = await queue(buyer);
    await advance(buyer, 3_599);
    expect((await buyer.transaction(id)).status).toBe('pending');
    await advance(buyer, 2);
    expect((await buyer.transaction(id)).status).toBe('cancelled');
    await buyer.api.credit(buyer.wallet, total);
    expect(await buyer.api.balance(buyer.wallet)).toMatchObject({ available: total, held: 0, ledger: total });
  });

  async function ended(buyer: Buyer, id: string): Promise<void> {
    while ((await buyer.transaction(id)).completed_at === null);
  }
});
