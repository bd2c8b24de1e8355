import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import Redis from 'ioredis';
import type { Env } from '../src/core/config/env';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { DeliveryQueue } from '../src/modules/webhooks/delivery/delivery-queue.service';
import { DeliveryRecords } from '../src/modules/webhooks/delivery/delivery-records.service';
import { EndpointHealth } from '../src/modules/webhooks/delivery/endpoint-health.service';
import { Duka } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';
import { relayNow } from './support/webhooks';

describe('a queue that lost its jobs on PostgreSQL', () => recovers({}));
describeWithRedis('a queue that lost its jobs on Redis', (url) =>
  // As Redis does when its memory is full: what the jobs are about goes, their places in the queue stay.
  recovers({ REDIS_URL: url }, async () => {
    const redis = new Redis(url);
    expect(await redis.del(await redis.keys('duka:webhooks-test:[0-9]*'))).toBe(1);
    redis.disconnect();
  }),
);

function recovers(settings: Partial<Env>, evict?: () => Promise<void>): void {
  let duka: Duka;
  let receiver: Receiver;

  const queue = () => duka.get<Queue>(getQueueToken('webhooks-test'));

  /** Without workers until there is a twin. */
  beforeAll(async () => {
    duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, ...settings });
    const account = await duka.account();
    receiver = await Receiver.of(duka, account);
    for (const amount of [100, 200, 300]) {
      await account.api.wallet(amount);
      await relayNow(duka);
    }
  });
  afterAll(async () => {
    await receiver.close();
    await duka.stop();
  });

  it('has one job of an endpoint, however much is due to it and however often that was relayed', async () => {
    expect(await receiver.deliveries()).toHaveLength(9);
    expect(await queue().getWaitingCount()).toBe(1);
  });

  it('has one again after a sweep, for all that is due to an endpoint', async () => {
    await queue().obliterate({ force: true });
    await duka.get<DeliveryQueue>(DeliveryQueue).sweep();
    expect(await queue().getWaitingCount()).toBe(1);
  });

  it('gives each delivery to one of several workers that take them at the same time', async () => {
    const [{ account_id: accountId }] = await receiver.deliveries();
    const here = duka.get<DeliveryRecords>(DeliveryRecords);
    const elsewhere = new DeliveryRecords(
      duka.env,
      duka.get<UnitOfWork>(UnitOfWork),
      duka.get<EndpointHealth>(EndpointHealth),
      duka.get<DeliveryQueue>(DeliveryQueue),
    );
    const wanted = { accountId, livemode: false, endpointId: receiver.id, places: 5, since: new Date(0) };
    const taken = (
      await Promise.all([here, here, elsewhere, elsewhere].map((records) => records.claim(wanted)))
    ).flat();
    expect(taken).toHaveLength(9);
    expect(new Set(taken.map(({ id }) => id))).toEqual(new Set((await receiver.deliveries()).map(({ id }) => id)));
    expect(await here.claim(wanted)).toEqual([]);
    await elsewhere.onApplicationShutdown();
    await receiver.sql('UPDATE webhook_deliveries SET leased_until = NULL WHERE endpoint_id = $1', [receiver.id]);
  });

  it('is worked through by a worker that comes later', async () => {
    duka.env.WORKER_IN_API = true;
    await evict?.();
    const worker = await duka.twin();
    await until(async () => (await queue().getWaitingCount()) === 0);
    if (evict) await duka.get<DeliveryQueue>(DeliveryQueue).sweep();
    await until(async () => (await receiver.deliveries()).every(({ status }) => status === 'delivered'));
    await worker.app.close();
    expect(receiver.received).toHaveLength(9);
  });
}
