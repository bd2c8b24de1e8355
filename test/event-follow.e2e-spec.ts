import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { decodeId, encodeId, lowestIdAt, newIdOf } from '../src/core/http/ids';
import { EventFeed, EventLog, FEED_MS } from '../src/core/outbox/event-log';
import { Relay } from '../src/modules/webhooks/relay.service';
import type { Duka, TestAccount } from './support/duka';
import { until } from './support/recurring-probe';
import { SecondServer } from './support/second-server';
import { WebhookBench } from './support/webhook-bench';

const WRITERS = 50;
const EVENTS_EACH = 6;
const DAY_MS = 24 * 3_600_000;

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start({ WORKER_IN_API: false });
});
afterAll(() => bench.stop());
beforeEach(() => bench.begin());
afterEach(() => bench.end());

const page = async (duka: Duka, account: TestAccount, after: string | null, prefer?: string): Promise<any> => {
  const query = after === null ? '' : `&after=${encodeURIComponent(after)}`;
  const { status, body } = await duka
    .api(account.key)
    .get(`/v4/events?order=asc&limit=7${query}`, { headers: prefer ? { prefer } : {} });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};

/** Reads on to the end of what there is. */
async function follow(duka: Duka, account: TestAccount, after: string | null, seen: string[]): Promise<string> {
  for (let cursor = after; ;) {
    const { data, has_more: hasMore, next_cursor: next } = await page(duka, account, cursor);
    seen.push(...data.map(({ id }: { id: string }) => id));
    cursor = next as string;
    if (!hasMore) return cursor;
  }
}

/**
 * As `follow`, until all that the account has committed was read: what is decided is one for the whole server, and a
 * transaction of another file that runs beside this one holds it up. `seen` is from the beginning.
 */
async function followAll(after: string | null = null, seen: string[] = []): Promise<string> {
  const { account, duka, receiver } = bench;
  let cursor = after;
  await until(async () => {
    cursor = await follow(duka, account, cursor, seen);
    const [{ count }] = await receiver.sql(
      'SELECT count(*)::int AS count FROM events WHERE account_id = $1 AND NOT livemode AND xact > 0',
      [decodeId('acct', account.id)],
    );
    return seen.length === count;
  }, 60);
  return cursor!;
}

/** Inserts events, in transactions that stay open for a while before they commit. */
async function write(url: string, account: TestAccount, wallet: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (let i = 0; i < EVENTS_EACH; i++) {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO events (account_id, livemode, id, type, object_type, object_id, snapshot) VALUES ($1, false, $2, 'webhook_endpoint.failing', 'wal', $3, '{}')`,
      [decodeId('acct', account.id), newIdOf(decodeId('acct', account.id)!), decodeId('wal', wallet)],
    );
    await sleep(Math.random() * 60);
    await client.query(Math.random() < 0.1 ? 'ROLLBACK' : 'COMMIT');
  }
  await client.end();
}

it('a poller gets each event once, in the order of the relay, however late its transaction commits, and across a restore', async () => {
  const { account, wallet, duka } = bench;
  const all = await bench.listen({ events: ['*'] });
  const seen: string[] = [];
  let cursor = await followAll(null, seen);
  const before = seen.length;
  const url = duka.env.DATABASE_URL!;
  const writers = Promise.all(Array.from({ length: WRITERS }, () => write(url, account, wallet)));
  let isWriting = true;
  void writers.then(() => (isWriting = false));
  const relay = duka.get<Relay>(Relay);
  while (isWriting) {
    cursor = await follow(duka, account, cursor, seen);
    await relay.relayNow();
  }
  await writers;
  cursor = await followAll(cursor, seen);
  await until(async () => (await relay.relayNow(), (await all.deliveries()).length === seen.length - before), 60);
  expect(new Set(seen).size).toBe(seen.length);
  const relayed = (await all.deliveries()).map(({ event_id: id }: { event_id: string }) => encodeId('evt', id));
  expect(seen.slice(before)).toEqual(relayed);

  const second = await SecondServer.start();
  try {
    await second.restore(url);
    const restored = await second.serve({ WORKER_IN_API: false });
    try {
      await restored.api(account.key).post(`/v4/sandbox/wallets/${wallet}/credit`, { amount: 100 });
      const after: string[] = [];
      await until(async () => {
        cursor = await follow(restored, account, cursor, after);
        return after.length >= 1;
      });
      const newest = (await restored.api(account.key).get('/v4/events?type=wallet.credited')).body.data[0].id as string;
      expect(after).toContain(newest);
      expect(after.filter((id) => seen.includes(id))).toEqual([]);
    } finally {
      await restored.app.close();
    }
  } finally {
    await second.stop();
  }
});

it('waits for an event as long as it is asked to', async () => {
  const { account, duka } = bench;
  const cursor = await followAll();
  expect(await page(duka, account, cursor)).toMatchObject({ data: [], has_more: false, next_cursor: cursor });
  const waiting = page(duka, account, cursor, 'wait=30');
  await bench.credit();
  const { data } = await waiting;
  expect(data.map(({ type }: { type: string }) => type)).toContain('wallet.credited');
  expect((await page(duka, account, cursor, 'wait=1')).data.length).toBeGreaterThan(0);
});

it('reads nothing for those who wait until there is something for them', async () => {
  const { account, wallet, duka } = bench;
  // One that still ends for those before would tell of what they have read.
  await until(() => duka.get<any>(EventFeed).loop === null);
  const cursor = await followAll();
  const type = 'type=wallet.frozen';
  const [{ next_cursor: typed }] = [(await account.api.get(`/v4/events?order=asc&${type}`)).body];
  const query = jest.spyOn(duka.get<DataSource>(DataSource), 'query');
  const reads = () => query.mock.calls.filter(([text]) => text.includes('e.xact >= $3::bigint')).length;
  const looks = jest.spyOn(duka.get<EventLog>(EventLog), 'since');
  try {
    const waiting = Array.from({ length: 20 }, () => page(duka, account, cursor, 'wait=30'));
    const others = Array.from({ length: 5 }, () =>
      account.api.get(`/v4/events?order=asc&${type}&after=${encodeURIComponent(typed)}`, {
        headers: { prefer: 'wait=30' },
      }),
    );
    await until(() => reads() >= 50);
    // Of what they have read already they may be told once more.
    const first = looks.mock.calls.length;
    await until(() => looks.mock.calls.length >= first + 5);
    const settled = reads();
    const [before, begun] = [looks.mock.calls.length, performance.now()];
    const stranger = await duka.account();
    await stranger.api.credit(await stranger.api.wallet(), 100);
    await until(() => looks.mock.calls.length >= before + 5);
    expect(reads()).toBe(settled);
    expect(looks.mock.calls.length - before).toBeLessThanOrEqual((performance.now() - begun) / FEED_MS + 1);
    await bench.credit();
    for (const { data } of await Promise.all(waiting)) expect(data.length).toBeGreaterThan(0);
    expect(reads()).toBeLessThanOrEqual(settled + 2 * 20);
    await account.api.post(`/v4/wallets/${wallet}/freeze`, { reason: 'lost' });
    for (const { body } of await Promise.all(others)) expect(body.data).toMatchObject([{ type: 'wallet.frozen' }]);
  } finally {
    query.mockRestore();
    looks.mockRestore();
  }
});

it.each([
  ['is gone', 'wal'],
  ['is of a team that is gone', 'zzz'],
])('passes an event whose object %s, and shows its id', async (_, prefix) => {
  const { account, duka } = bench;
  const accountId = decodeId('acct', account.id)!;
  const [id, objectId] = [newIdOf(accountId), newIdOf(accountId)];
  const cursor = await followAll();
  await bench.receiver.sql(
    `INSERT INTO events (account_id, livemode, id, type, object_type, object_id, snapshot) VALUES ($1, false, $2, 'webhook_endpoint.failing', $3, $4, '{"name": "Ada"}')`,
    [accountId, id, prefix, objectId],
  );
  await bench.credit();
  const event = { id: encodeId('evt', id), data: { object: { id: encodeId(prefix as 'wal', objectId) } } };
  let following: any;
  await until(async () => (following = await page(duka, account, cursor)).data.length === 3);
  expect(following.data[0]).toMatchObject(event);
  expect(following.data[0].data).toEqual(event.data);
  expect((await account.api.get('/v4/events?type=webhook_endpoint.failing')).body.data).toMatchObject([event]);
  expect((await account.api.get(`/v4/events/${event.id}`)).body.data).toEqual(event.data);
});

/** Of an event of the account by a clock that is so far ahead; within this month, of which there are rows. */
function idByClock(accountId: string, aheadMs: number): string {
  const now = new Date();
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const time = new Date(Math.max(month, now.getTime() + aheadMs));
  return lowestIdAt(time).slice(0, 13) + newIdOf(accountId).slice(13);
}

it('passes nothing over, whatever the clocks said by which events were written', async () => {
  const { account, wallet, duka } = bench;
  const all = await bench.listen({ events: ['webhook_endpoint.failing'] });
  const accountId = decodeId('acct', account.id)!;
  const written: string[] = [];
  const write = async (aheadMs: number) => {
    const id = idByClock(accountId, aheadMs);
    await all.sql(
      `INSERT INTO events (account_id, livemode, id, type, object_type, object_id, snapshot) VALUES ($1, false, $2, 'webhook_endpoint.failing', 'wal', $3, '{}')`,
      [accountId, id, decodeId('wal', wallet)],
    );
    written.push(encodeId('evt', id));
  };
  const relay = duka.get<Relay>(Relay);
  const seen: string[] = [];
  let cursor: string | null = null;
  const isRead = () =>
    until(async () => {
      cursor = await follow(duka, account, cursor, seen);
      return written.every((id) => seen.includes(id));
    });
  for (const aheadMs of [3 * DAY_MS, 0, -3 * DAY_MS, 20 * DAY_MS, -9 * DAY_MS, 0]) {
    await write(aheadMs);
    await isRead();
    await relay.relayNow();
  }
  // Pages whose last event is of a clock far ahead, and more behind it.
  for (let i = 0; i < 21; i++) await write(i % 3 === 0 ? 3 * DAY_MS : 0);
  await isRead();
  await until(async () => (await relay.relayNow(), (await all.deliveries()).length === written.length));
  expect(new Set(seen).size).toBe(seen.length);
});

it('takes no cursor of another list', async () => {
  const { body } = await bench.account.api.get('/v4/events?order=asc&limit=1');
  expect((await bench.account.api.get(`/v4/events?cursor=${body.next_cursor}`)).status).toBe(400);
});
