import { randomUUID } from 'node:crypto';
import { decodeId } from '../src/core/http/ids';
import type { Api } from './support/api';
import { carriedOut, ended, itemsOf, timesOf, topUps } from './support/batches';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

let duka: Duka;
let api: Api;
let wallet: string;

beforeAll(async () => (duka = await Duka.start({ WORKER_IN_API: true })));
afterAll(() => duka.stop());

beforeEach(async () => {
  ({ api } = await duka.account());
  wallet = (await api.get('/v4/wallets')).body.data[0].id;
  await api.credit(wallet, 100_000_000);
});

const place = async (body: object) => {
  const { status, body: batch } = await api.post('/v4/batches', body, { key: randomUUID() });
  expect(status).toBe(202);
  return batch.id as string;
};
const steer = (id: string, how: string, key?: string) => api.post(`/v4/batches/${id}/${how}`, undefined, { key });

describe('a batch that is to start later', () => {
  it('is validated at once, waits for its time, and can be paused and resumed meanwhile', async () => {
    const start_at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await place({ kind: 'airtime', start_at, items: topUps('later', 3) });
    const waiting = await ended(api, id, ['scheduled']);
    expect(waiting).toMatchObject({ start_at, counts: { valid: 3 }, totals: { amount: 30_000 } });
    expect((await steer(id, 'pause', 'p1')).body.status).toBe('paused');
    expect((await steer(id, 'pause', 'p1')).headers.get('idempotent-replayed')).toBe('true');
    await api.post('/v4/sandbox/clock/advance', { seconds: 3_600 });
    expect((await api.get(`/v4/batches/${id}`)).body.status).toBe('paused');
    expect(await timesOf(api, 'airtime_purchase')).toEqual({});
    expect((await steer(id, 'resume')).body.status).toBe('running');
    expect(await ended(api, id)).toMatchObject({ status: 'completed', counts: { successful: 3 } });
    expect((await steer(id, 'pause')).body).toMatchObject({ status: 409, code: 'invalid_state_transition' });
  });

  it('starts when the time of the account has come', async () => {
    const start_at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await place({ kind: 'airtime', start_at, items: topUps('clock', 2) });
    await ended(api, id, ['scheduled']);
    await api.post('/v4/sandbox/clock/advance', { seconds: 3_601 });
    expect(await ended(api, id)).toMatchObject({ status: 'completed', counts: { successful: 2 } });
  });

  it('begins no row once it is cancelled', async () => {
    const start_at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await place({ kind: 'airtime', start_at, items: topUps('never', 3) });
    await ended(api, id, ['scheduled']);
    expect((await steer(id, 'cancel')).body).toMatchObject({ status: 'cancelled', counts: { cancelled: 3, valid: 0 } });
    await api.post('/v4/sandbox/clock/advance', { seconds: 4_000 });
    expect(await timesOf(api, 'airtime_purchase')).toEqual({});
    expect((await steer(id, 'resume')).body.code).toBe('invalid_state_transition');
  });
});

it('of live mode waits, paused, while its account has no live mode any more', async () => {
  const account = await duka.account();
  const live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
  const [from_wallet, to_wallet] = [await live.wallet(), await live.wallet()];
  await duka.fund(from_wallet, 10_000n);
  const items = [0, 1, 2].map((n) => ({ from_wallet, to_wallet, amount: 100, reference: `closed-${n}` }));
  const start_at = new Date(Date.now() + 3_600_000).toISOString();
  const { body: placed } = await live.post('/v4/batches', { kind: 'transfer', start_at, items }, { key: randomUUID() });
  await ended(live, placed.id, ['scheduled']);
  const uuid = decodeId('bat', placed.id);
  await duka.asOwner('UPDATE accounts SET live_enabled = false WHERE id = $1', [decodeId('acct', account.id)]);
  // One was begun by a worker that died; the time of the others comes.
  await duka.asOwner(`UPDATE batch_items SET status = 'processing', tries = 1 WHERE batch_id = $1 AND number = 0`, [
    uuid,
  ]);
  const due = `date_trunc('milliseconds', now()) - interval '1 second'`;
  await duka.asOwner(`UPDATE batches SET start_at = ${due}, next_check_at = ${due} WHERE id = $1`, [uuid]);
  const status = async () => (await live.get(`/v4/batches/${placed.id}`)).body.status;
  await until(async () => (await status()) === 'paused', 30);
  expect((await live.balance(to_wallet)).available).toBe(0);
  await duka.enableLive(account.id);
  expect((await live.post(`/v4/batches/${placed.id}/resume`)).body.status).toBe('running');
  expect(await ended(live, placed.id)).toMatchObject({ status: 'completed', counts: { successful: 3 } });
  expect((await live.balance(to_wallet)).available).toBe(300);
});

describe('a batch that is cancelled half-way', () => {
  it('finishes what was begun, and says of every row what became of it', async () => {
    const id = await place({ kind: 'airtime', items: topUps('half', 600) });
    await ended(api, id, ['running', 'completed']);
    await steer(id, 'cancel');
    const batch = await ended(api, id);
    const times = await timesOf(api, 'airtime_purchase');
    const items = await itemsOf(api, id);
    expect(batch.status).toBe('cancelled');
    expect(batch.counts.successful + batch.counts.cancelled).toBe(600);
    expect(batch.counts.cancelled).toBeGreaterThan(0);
    const done = items.filter(({ status }) => status === 'successful').map(({ reference }) => reference);
    expect(times).toEqual(Object.fromEntries(done.map((reference) => [reference, 1])));
  });
});

describe('a row that fails', () => {
  /** `02` at the end: the number is refused. */
  const refused = (name: string) => ({ ...topUps(name, 1)[0], phone: '+2348000007102', reference: `${name}-bad` });

  it('stops no other by default', async () => {
    const items = [topUps('go', 1)[0], refused('go'), { ...topUps('go', 2)[1] }];
    const batch = await carriedOut(api, { kind: 'airtime', items });
    expect(batch).toMatchObject({ status: 'completed', counts: { successful: 2, failed: 1 } });
    const [bad] = await itemsOf(api, batch.id, '&status=failed');
    expect(bad).toMatchObject({ number: 1, resource_id: expect.stringMatching(/^txn_/) });
    expect(batch.totals.amount).toBe(20_000);
  });

  it('stops all behind it where that is asked for', async () => {
    const rows = topUps('stop', 6);
    const items = [rows[0], rows[1], refused('stop'), ...rows.slice(2)];
    const batch = await carriedOut(api, { kind: 'airtime', on_error: 'stop', items });
    const items_ = await itemsOf(api, batch.id);
    expect(items_.map(({ status }) => status)).toEqual([
      ...Array(2).fill('successful'),
      'failed',
      ...Array(4).fill('cancelled'),
    ]);
    expect(batch).toMatchObject({ status: 'failed', failure: { param: '/items/2', code: items_[2].failure.code } });
    expect(Object.keys(await timesOf(api, 'airtime_purchase')).sort()).toEqual(['stop-0', 'stop-1', 'stop-bad']);
  });

  it('for want of money says so, and the others go on', async () => {
    const { api: poor } = await duka.account();
    const own = (await poor.get('/v4/wallets')).body.data[0].id;
    await poor.credit(own, 15_000);
    const batch = await carriedOut(poor, { kind: 'airtime', items: topUps('poor', 3) });
    expect(batch.shortfalls).toHaveLength(1);
    expect(batch.counts).toMatchObject({ successful: 1, failed: 2 });
    const [bad] = await itemsOf(poor, batch.id, '&status=failed');
    expect(bad).toMatchObject({ resource_id: null, failure: { code: 'insufficient_funds' } });
  });
});

describe('a row whose outcome is not known', () => {
  it('is processing until it is, and the batch runs until then', async () => {
    const running = { ...topUps('slow', 1)[0], phone: '+2348000001111', reference: 'slow-1' };
    const id = await place({ kind: 'airtime', items: [topUps('slow', 1)[0], running] });
    let item: any;
    do [item] = await itemsOf(api, id, '&status=processing');
    while (!item?.resource_id);
    expect((await api.get(`/v4/batches/${id}`)).body.status).toBe('running');
    await api.post(`/v4/sandbox/transactions/${item.resource_id}/settle`, { status: 'failed' });
    const batch = await ended(api, id);
    expect(batch).toMatchObject({ status: 'completed', counts: { successful: 1, failed: 1 } });
    expect((await itemsOf(api, id, '&status=failed'))[0].reference).toBe('slow-1');
  });
});

it('rows that were left by a worker that died are found when its lease is over', async () => {
  const start_at = new Date(Date.now() + 3_600_000).toISOString();
  const id = await place({ kind: 'airtime', start_at, items: topUps('left', 3) });
  await ended(api, id, ['scheduled']);
  await duka.asOwner(`UPDATE batch_items SET status = 'processing', tries = 1 WHERE batch_id = $1 AND number < 2`, [
    decodeId('bat', id),
  ]);
  await duka.asOwner(
    `UPDATE batches SET status = 'running', next_check_at = date_trunc('milliseconds', now()) - interval '1 second',
            counts = counts || '{"valid": 1, "processing": 2}' WHERE id = $1`,
    [decodeId('bat', id)],
  );
  expect(await ended(api, id)).toMatchObject({ status: 'completed', counts: { successful: 3 } });
  expect(await timesOf(api, 'airtime_purchase')).toEqual({ 'left-0': 1, 'left-1': 1, 'left-2': 1 });
});

it('an account has so many open batches, and no more', async () => {
  const body = (i: number) => ({ kind: 'airtime', start_at: '2090-01-01', items: topUps(`open${i}`, 1) });
  for (let i = 0; i < 100; i += 20) await Promise.all(Array.from({ length: 20 }, (_, n) => place(body(i + n))));
  const { status, body: refused } = await api.post('/v4/batches', body(100), { key: randomUUID() });
  expect([status, refused.code]).toEqual([402, 'limit_exceeded']);
});
