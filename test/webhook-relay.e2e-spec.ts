import { Client } from 'pg';
import type { Env } from '../src/core/config/env';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { decodeId, newId } from '../src/core/http/ids';
import { eventWrite } from '../src/core/outbox/outbox';
import { Relay } from '../src/modules/webhooks/relay.service';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';
import { WebhookBench } from './support/webhook-bench';

describe('the relay with queues on PostgreSQL', () => behaves({}));
describeWithRedis('the relay with queues on Redis', (url) => behaves({ REDIS_URL: url }));

function behaves(settings: Partial<Env>): void {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.start(settings);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());

  const event = () =>
    eventWrite({
      accountId: decodeId('acct', bench.account.id)!, livemode: false, type: 'wallet.credited', objectType: 'wal', objectId: decodeId('wal', bench.wallet)!,
      origin: { requestId: null, idempotencyKey: null },
    });

  it('sends nothing of a transaction that was rolled back', async () => {
    const uow = bench.duka.get<UnitOfWork>(UnitOfWork);
    const failing = uow.run(async (tx) => {
      await uow.write(tx, [event()]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await bench.credit();
    await bench.ended();
    expect(await bench.receiver.deliveries()).toHaveLength(1);
  });

  it('passes over no transaction that commits late', async () => {
    const patient = await bench.listen({ events: ['wallet.*'] });
    const late = new Client({ connectionString: bench.duka.env.DATABASE_URL });
    await late.connect();
    await late.query('BEGIN');
    const id = newId();
    await late.query(
      `INSERT INTO events (account_id, livemode, id, type, object_type, object_id) VALUES ($1, false, $2, 'wallet.updated', 'wal', $3)`,
      [decodeId('acct', bench.account.id), id, decodeId('wal', bench.wallet)],
    );
    await bench.credit();
    await bench.duka.get<Relay>(Relay).relayNow();
    await late.query('COMMIT');
    await late.end();
    await until(() => patient.received.length === 2);
    expect((await patient.deliveries()).map(({ event_id }) => event_id)).toContain(id);
  });

  it('is not told of what happened before it was made', async () => {
    await bench.credit();
    await bench.ended();
    const newer = await bench.listen({ events: ['*'] });
    await bench.credit();
    await until(async () => (await bench.receiver.deliveries()).length === 2);
    expect(await newer.deliveries()).toHaveLength(1);
  });
}
