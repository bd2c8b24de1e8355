import { Client } from 'pg';
import { brokenChecks } from './support/books';
import type { Duka } from './support/duka';
import type { Receiver } from './support/receiver';
import { SecondServer } from './support/second-server';
import { until } from './support/recurring-probe';
import { WebhookBench } from './support/webhook-bench';
import { decodeId, encodeId } from '../src/core/http/ids';
import { showService } from '../src/core/metrics/metrics';
import { EventLog } from '../src/core/outbox/event-log';
import { Relay } from '../src/modules/webhooks/relay.service';

let bench: WebhookBench;
let second: SecondServer | null = null;
let restored: Duka | null = null;

const DELIVERING = { WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, REDIS_URL: undefined };

/** The old server is far ahead of the new one, as a server in use is. */
beforeAll(async () => {
  bench = await WebhookBench.start({ WORKER_IN_API: false });
  await ahead(bench.duka, 20_000);
});
afterAll(() => bench.stop());

beforeEach(() => bench.begin());
afterEach(async () => {
  await restored?.stop();
  restored = null;
  await bench.end();
  await second?.stop();
  second = null;
});

async function ahead(duka: Duka, transactions: number): Promise<void> {
  const client = new Client({ connectionString: duka.env.DATABASE_URL });
  await client.connect();
  await client.query(
    `DO $$ BEGIN FOR i IN 1 .. ${transactions} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
  );
  await client.end();
}

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
  const client = new Client({ connectionString: bench.duka.env.DATABASE_URL });
  await client.connect();
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
