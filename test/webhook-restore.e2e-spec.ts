import { Client } from 'pg';
import { brokenChecks } from './support/books';
import type { Duka } from './support/duka';
import type { Receiver } from './support/receiver';
import { SecondServer } from './support/second-server';
import { until } from './support/recurring-probe';
import { WebhookBench } from './support/webhook-bench';
import { decodeId, encodeId } from '../src/core/http/ids';
import { showService } from '../src/core/metrics/metrics';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { EventLog } from '../src/core/outbox/event-log';
import { Relay } from '../src/modules/webhooks/relay.service';

let bench: WebhookBench;
let second: SecondServer | null = null;
let restored: Duka | null = null;
const clients: Client[] = [];

const DELIVERING = { WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, REDIS_URL: undefined };

/** The old server is far ahead of the new one, as a server in use is. */
beforeAll(async () => {
  bench = await WebhookBench.start({ WORKER_IN_API: false });
  await ahead(bench.duka, 20_000);
});
afterAll(() => bench.stop());

beforeEach(() => bench.begin());
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await restored?.stop();
  restored = null;
  await bench.end();
  await second?.stop();
  second = null;
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  clients.push(client);
  await client.connect();
  return client;
}

const pass = (transactions: number): string =>
  `DO $$ BEGIN FOR i IN 1 .. ${transactions} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`;

async function ahead(duka: Duka, transactions: number): Promise<void> {
  const client = await connect(duka.env.DATABASE_URL!);
  await client.query(pass(transactions));
  await client.end();
}

/** Before a fail-over, as it looks to who comes after it. */
const TIMELINE_BEFORE = `split_part(server, ':', 1) || ':00000000'`;
const EVENT = `INSERT INTO events (account_id, livemode, id, type, object_type, object_id)`;
/** One of nobody, at this moment. */
const WRITE_EVENT = `
  ${EVENT} SELECT id, false, id, 'wallet.credited', 'wal', id FROM uuid_v7_floor(clock_timestamp()) id`;

const relay = (): Promise<void> => bench.duka.get<Relay>(Relay).relayNow();
const idsOf = ({ received }: Receiver): string[] => received.map(({ body }) => body.id);
const eventsOf = async (duka: Duka): Promise<string[]> => {
  const { body } = await duka.api(bench.account.key).get('/v4/events?type=wallet.credited&limit=100');
  return body.data.map(({ id }: { id: string }) => id);
};
const credit = (duka: Duka): Promise<unknown> =>
  duka.api(bench.account.key).post(`/v4/sandbox/wallets/${bench.wallet}/credit`, { amount: 100 });
const credits = async (duka: Duka, count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await credit(duka);
};

it('is seen by verify:ledger and the lag when an event that is to be sent has no delivery', async () => {
  await credits(bench.duka, 1);
  const client = await connect(bench.duka.env.DATABASE_URL!);
  const {
    rows: [before],
  } = await client.query('SELECT xact FROM relay_position');
  // The relay stands where no event is.
  await client.query(`UPDATE relay_position SET xact = event_number() + 1000000000, at = now()`);
  await relay();
  expect(await bench.receiver.deliveries()).toEqual([]);
  // As a process with workers does.
  showService(true);
  await until(async () =>
    /^webhook_relay_lag_seconds (?!0\n)/m.test(await (await fetch(`${bench.duka.url}/metrics`)).text()),
  );
  await client.query(`UPDATE webhook_endpoints SET updated_at = now() - interval '1 day'`);
  await client.query(
    `UPDATE events SET id = overlay(uuid_v7_floor(now() - interval '20 minutes')::text PLACING right(id::text, 3) FROM 34)::uuid WHERE type = 'wallet.credited' AND xact = (SELECT max(xact) FROM events)`,
  );
  expect((await brokenChecks(bench.duka.env.DATABASE_URL!)).map(({ check }) => check)).toEqual([
    'events_have_deliveries',
  ]);
  await client.query(`UPDATE relay_position SET xact = $1, at = now() - interval '1 hour'`, [before.xact]);
  await client.end();
  await until(async () => (await relay(), (await bench.receiver.deliveries()).length === 1));
  expect(await brokenChecks(bench.duka.env.DATABASE_URL!)).toEqual([]);
});

it('owes an endpoint nothing of what it listens to since', async () => {
  await credits(bench.duka, 1);
  await until(async () => (await relay(), (await bench.receiver.deliveries()).length === 1));
  const { status } = await bench.account.api.patch(`/v4/webhooks/${bench.receiver.publicId}`, { events: ['*'] });
  expect(status).toBe(200);
  showService(true);
  expect(await (await fetch(`${bench.duka.url}/metrics`)).text()).toMatch(/^webhook_relay_waiting_events 0$/m);
});

it('delivers every event after the dump of a busy server was restored on a fresh one, and goes on', async () => {
  second = await SecondServer.start();
  await credits(bench.duka, 3);
  await until(async () => (await relay(), (await bench.receiver.deliveries()).length === 3));
  // Where a stream of the dashboard was.
  const place = await bench.duka.get<EventLog>(EventLog).lastPlace();
  await credits(bench.duka, 3);
  // Busy: some of what follows is part of the dump, some is not, and some of it is relayed meanwhile.
  const busy = (async () => {
    for (let i = 0; i < 10; i++) await Promise.all([credit(bench.duka), relay()]);
  })();
  await second.restore(bench.duka.env.DATABASE_URL!);
  await busy;
  restored = await second.serve(DELIVERING);
  await credits(restored, 3);
  const all = await eventsOf(restored);
  expect(all.length).toBeGreaterThanOrEqual(9);
  await until(() => all.every((id) => idsOf(bench.receiver).includes(id)));
  const wanted = { accounts: [decodeId('acct', bench.account.id)!], types: ['wallet.credited'], take: 1_000 };
  const { events } = await restored.get<EventLog>(EventLog).since(place, wanted);
  expect(events.map(({ id }) => encodeId('evt', id)).toSorted()).toEqual(all.slice(0, -3).toSorted());
  expect(idsOf(bench.receiver).toSorted()).toEqual(all.toSorted());
});

it('delivers what a copy of table after table tells of two moments, and what was sent before only once', async () => {
  second = await SecondServer.start();
  await credits(bench.duka, 2);
  await until(async () => (await relay(), (await bench.receiver.deliveries()).length === 2));
  await second.restore(bench.duka.env.DATABASE_URL!, {
    early: ['webhook_deliveries', 'webhook_attempts'],
    between: async () => {
      await credits(bench.duka, 2);
      await until(async () => (await relay(), (await bench.receiver.deliveries()).length === 4));
    },
  });
  restored = await second.serve(DELIVERING);
  const all = await eventsOf(restored);
  await until(() => all.every((id) => idsOf(bench.receiver).includes(id)));
  expect(idsOf(bench.receiver).toSorted()).toEqual(all.toSorted());
});

it('gives no number twice, should the same moment be restored twice', async () => {
  second = await SecondServer.start();
  await second.keep();
  let last = 0n;
  for (const transactions of [1_000, 0]) {
    await second.goBack();
    const client = await connect(second.url);
    // A process that knows nothing of it writes before the epoch begins.
    await client.query(WRITE_EVENT);
    expect((await client.query('SELECT begin_event_epoch() AS began')).rows).toEqual([{ began: true }]);
    await client.query(pass(transactions));
    const { rows } = await client.query('SELECT xact AS early, event_number() AS number FROM events');
    expect(rows).toHaveLength(1);
    expect(BigInt(rows[0].early)).toBeGreaterThan(last);
    last = BigInt(rows[0].number);
    expect(last).toBeGreaterThan(BigInt(rows[0].early));
    await client.end();
    // Who restores takes longer than numbers are ahead of the clock.
    await until(() => (BigInt(Date.now()) << 31n) / 1000n > last);
  }
});

it('reads nothing of what the relay has read while nobody can write', async () => {
  const client = await connect(bench.duka.env.DATABASE_URL!);
  await client.query('BEGIN');
  // Ahead of the clock: hours ago may have been another month, of which nothing is kept.
  await client.query(
    `${EVENT.replace(')', ', xact)')}
     SELECT id, false, id, 'wallet.credited', 'wal', id, 1 + n
       FROM generate_series(1, 20000) n, uuid_v7_floor(now() + (60000 + n) * interval '1 ms') id`,
  );
  await client.query(WRITE_EVENT);
  await client.query(`UPDATE relay_position SET server = ${TIMELINE_BEFORE}, xact = event_number()`);
  await client.query('ANALYZE events');
  const read = async (): Promise<{ rows: number; fetched: number }> => {
    const { rows } = await client.query(
      `SELECT sum(seq_tup_read)::integer AS rows, sum(idx_tup_fetch)::integer AS fetched
         FROM pg_stat_xact_user_tables WHERE relname LIKE 'events%'`,
    );
    return rows[0];
  };
  const before = await read();
  expect((await client.query('SELECT begin_event_epoch() AS began')).rows).toEqual([{ began: true }]);
  const { rows } = await client.query(
    'SELECT count(*)::integer AS renumbered FROM events e, relay_position WHERE e.xact = first',
  );
  // Nor where whoever copied events looks after them himself.
  const place = (await client.query('SELECT xact, at FROM relay_position')).rows;
  await client.query('SELECT renew_event_epoch(event_number(), false)');
  expect((await client.query('SELECT xact, at FROM relay_position')).rows).toEqual(place);
  const after = await read();
  expect(after.rows).toBe(before.rows);
  expect(after.fetched - before.fetched).toBeLessThan(20);
  expect(rows).toEqual([{ renumbered: 1 }]);
});

it('numbers anew what is written while it waits for those who write', async () => {
  const [writer, other] = [await connect(bench.duka.env.DATABASE_URL!), await connect(bench.duka.env.DATABASE_URL!)];
  await writer.query(`UPDATE relay_position SET server = ${TIMELINE_BEFORE}`);
  await writer.query('BEGIN; LOCK TABLE events IN ROW EXCLUSIVE MODE');
  const began = other.query('SELECT begin_event_epoch() AS began');
  const waits = `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass) AS waits`;
  await until(async () => (await writer.query(waits)).rows[0].waits);
  await writer.query(WRITE_EVENT);
  await writer.query('COMMIT');
  expect((await began).rows).toEqual([{ began: true }]);
  const place = await writer.query('SELECT first FROM relay_position');
  const { rows } = await writer.query('DELETE FROM events WHERE id = account_id RETURNING xact');
  expect(rows).toEqual([{ xact: place.rows[0].first }]);
});

it('a relay that looked at the server before a fail-over reads nothing after it', async () => {
  await credits(bench.duka, 1);
  const client = await connect(bench.duka.env.DATABASE_URL!);
  const place = async () => (await client.query('SELECT server, xact FROM relay_position')).rows[0];
  const uow = bench.duka.get<UnitOfWork>(UnitOfWork);
  const run = uow.run.bind(uow) as UnitOfWork['run'];
  const failOver = jest.spyOn(uow, 'run').mockImplementationOnce(async (work) => {
    await client.query(`UPDATE relay_position SET server = ${TIMELINE_BEFORE}`);
    return run(work);
  });
  const before = await place();
  await until(async () => (await relay(), failOver.mock.calls.length > 0));
  expect(await place()).toEqual({ ...before, server: before.server.replace(/:.*/, ':00000000') });
  await until(async () => (await relay(), (await bench.receiver.deliveries()).length === 1));
});
