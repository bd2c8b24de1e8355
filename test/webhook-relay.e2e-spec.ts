import { Client } from 'pg';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { decodeId, newIdOf } from '../src/core/http/ids';
import { eventWrite } from '../src/core/outbox/outbox';
import { Relay } from '../src/modules/webhooks/relay.service';
import type { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { WebhookBench } from './support/webhook-bench';

let bench: WebhookBench;

/** Without workers: events are relayed when a test says so. */
beforeAll(async () => {
  bench = await WebhookBench.start({ WORKER_IN_API: false });
});
afterAll(() => bench.stop());
beforeEach(() => bench.begin());
afterEach(() => bench.end());

/** Numbers of transactions are those of the whole server: somebody else's may hold the relay up for a moment. */
const relayed = (receiver: Receiver, count: number): Promise<void> =>
  until(async () => {
    await bench.duka.get<Relay>(Relay).relayNow();
    return (await receiver.deliveries()).length >= count;
  });

it('makes nothing of a transaction that was rolled back', async () => {
  const uow = bench.duka.get<UnitOfWork>(UnitOfWork);
  const [accountId, objectId] = [decodeId('acct', bench.account.id)!, decodeId('wal', bench.wallet)!];
  const origin = { requestId: null, idempotencyKey: null };
  const failing = uow.run(async (tx) => {
    await uow.write(tx, [
      eventWrite({ accountId, livemode: false, type: 'wallet.credited', objectType: 'wal', objectId, origin }),
    ]);
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await bench.credit();
  await relayed(bench.receiver, 1);
  expect(await bench.receiver.deliveries()).toHaveLength(1);
});

it('passes over no transaction that commits late', async () => {
  const patient = await bench.listen({ events: ['wallet.*'] });
  const late = new Client({ connectionString: bench.duka.env.DATABASE_URL });
  await late.connect();
  await late.query('BEGIN');
  const id = newIdOf(decodeId('acct', bench.account.id)!);
  await late.query(
    `INSERT INTO events (account_id, livemode, id, type, object_type, object_id) VALUES ($1, false, $2, 'wallet.updated', 'wal', $3)`,
    [decodeId('acct', bench.account.id), id, decodeId('wal', bench.wallet)],
  );
  await bench.credit();
  await bench.duka.get<Relay>(Relay).relayNow();
  await bench.duka.get<Relay>(Relay).relayNow();
  await late.query('COMMIT');
  await late.end();
  await relayed(patient, 2);
  expect((await patient.deliveries()).map(({ event_id }) => event_id)).toContain(id);
});

it('tells an endpoint nothing of what was before it', async () => {
  await bench.credit();
  const newer = await bench.listen({ events: ['*'] });
  await bench.credit();
  await relayed(bench.receiver, 2);
  // Of the credit and of its transaction.
  expect(await newer.deliveries()).toHaveLength(2);
});

it('moves on only once when two relays work at the same time', async () => {
  for (let i = 0; i < 5; i++) await bench.credit();
  const relay = bench.duka.get<Relay>(Relay);
  await Promise.all(Array.from({ length: 6 }, () => relay.relayNow()));
  await relayed(bench.receiver, 5);
  await Promise.all(Array.from({ length: 6 }, () => relay.relayNow()));
  expect(await bench.receiver.deliveries()).toHaveLength(5);
});
