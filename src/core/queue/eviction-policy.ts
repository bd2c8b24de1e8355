import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Cluster, type Redis } from 'ioredis';
import { Env } from '../config/env';
import { sample, sampledGauge } from '../metrics/metrics';
import { within } from '../process/work-under-way';
import { openRedis } from '../redis/open-redis';
import { Recurring } from './recurring-jobs';

const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 1_000;

const provideKept = sampledGauge(
  'redis_keeps_everything',
  '1 while Redis evicts nothing when its memory is full; 0 when it does, or does not say. Missing: there is no Redis.',
);

/** Jobs that Redis evicts come back late, when a sweep finds out: its policy must be `noeviction`. */
@Injectable()
export class EvictionPolicy implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('queue');
  private readonly redis: Redis | Cluster | null;

  constructor({ REDIS_URL }: Env) {
    this.redis =
      REDIS_URL === undefined
        ? null
        : openRedis(REDIS_URL, { lazyConnect: true, maxRetriesPerRequest: 1, commandTimeout: TIMEOUT_MS });
    provideKept(async () => (this.redis === null ? [] : sample(Number((await this.read()) === 'noeviction'))));
  }

  onApplicationBootstrap(): void {
    void this.look();
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** What Redis does when its memory is full, the worst of a cluster's masters; null: one does not say, or none is. */
  async read(): Promise<string | null> {
    const policies = await Promise.all((await this.masters()).map(policyOf));
    if (policies.includes(null)) return null;
    return policies.find((policy) => policy !== 'noeviction') ?? policies[0] ?? null;
  }

  @Recurring({ name: 'queue.eviction_policy', everyMs: HOUR_MS })
  async look(): Promise<void> {
    if (this.redis === null) return;
    const policy = await this.read();
    if (policy === 'noeviction' || this.redis.status === 'end') return;
    this.log.error({ message: 'Redis may evict jobs: its maxmemory-policy must be noeviction', policy });
  }

  private async masters(): Promise<readonly Redis[]> {
    const { redis } = this;
    if (!(redis instanceof Cluster)) return redis === null ? [] : [redis];
    // A cluster has no nodes before it was asked something, which may take for ever.
    await within(TIMEOUT_MS, () => redis.info()).catch(() => undefined);
    return redis.nodes('master');
  }
}

async function policyOf(redis: Redis): Promise<string | null> {
  // Servers that forbid CONFIG still answer INFO.
  const says = await redis.info('memory').catch(() => '');
  return /^maxmemory_policy:(\S+)/m.exec(says)?.[1] ?? null;
}
