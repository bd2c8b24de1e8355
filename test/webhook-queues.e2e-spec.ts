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
    expect(await redis.del(await redis.keys('duka:webhooks-test:*_1'))).toBe(3);
    redis.disconnect();
  }),
);

function recovers(settings: Partial<Env>, evict?: () => Promise<void>): void {
  let duka: Duka;
  let receiver: Receiver;

  /** Without workers until there is a twin. */
  beforeAll(async () => {
    duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, ...settings });
    const account = await duka.account();
    receiver = await Receiver.of(duka, account);
    await account.api.wallet(100);
    await relayNow(duka);
  });
  afterAll(async () => {
    await receiver.close();
    await duka.stop();
  });

  it('has them again after a sweep', async () => {
    const queue = duka.get<Queue>(getQueueToken('webhooks-test'));
    await queue.obliterate({ force: true });
    const sweeper = duka.get<DeliveryQueue>(DeliveryQueue);
    await sweeper.sweep();
    await sweeper.sweep();
    expect(await queue.getWaitingCount()).toBe(3);
  });

  it('gives a delivery to one of several workers that take it at the same time', async () => {
    const [{ account_id: accountId, id }] = await receiver.deliveries();
    const here = duka.get<DeliveryRecords>(DeliveryRecords);
    const elsewhere = new DeliveryRecords(
      duka.env,
      duka.get<UnitOfWork>(UnitOfWork),
      duka.get<EndpointHealth>(EndpointHealth),
      duka.get<DeliveryQueue>(DeliveryQueue),
    );
    const job = { accountId, livemode: false, id, endpointId: receiver.id, attempt: 1 };
    const taken = await Promise.all([here, here, elsewhere, elsewhere].map((records) => records.claim(job)));
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
    expect(await here.claim({ ...job, attempt: 2 })).toBeNull();
    await elsewhere.onApplicationShutdown();
    await receiver.sql('UPDATE webhook_deliveries SET leased_until = NULL WHERE id = $1', [id]);
  });

  it('is worked through by a worker that comes later', async () => {
    duka.env.WORKER_IN_API = true;
    await evict?.();
    const worker = await duka.twin();
    await until(async () => (await duka.get<Queue>(getQueueToken('webhooks-test')).getWaitingCount()) === 0);
    if (evict) await duka.get<DeliveryQueue>(DeliveryQueue).sweep();
    await until(async () => (await receiver.deliveries()).every(({ status }) => status === 'delivered'));
    await worker.app.close();
    expect(receiver.received).toHaveLength(3);
  });
}
