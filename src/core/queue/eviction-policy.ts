import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Env } from '../config/env';
import { sample, sampledGauge } from '../metrics/metrics';
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
  private readonly redis: Redis | null;

  constructor({ REDIS_URL }: Env) {
    this.redis =
      REDIS_URL === undefined
        ? null
        : new Redis(REDIS_URL, { lazyConnect: true, maxRetriesPerRequest: 1, commandTimeout: TIMEOUT_MS });
    this.redis?.on('error', () => undefined);
    provideKept(async () => (this.redis === null ? [] : sample(Number((await this.read()) === 'noeviction'))));
  }

  onApplicationBootstrap(): void {
    void this.look();
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** What Redis does when its memory is full; null: it does not say, or there is none. */
  async read(): Promise<string | null> {
    // Servers that forbid CONFIG still answer INFO.
    const says = await this.redis?.info('memory').catch(() => undefined);
    return /^maxmemory_policy:(\S+)/m.exec(says ?? '')?.[1] ?? null;
  }

  @Recurring({ name: 'queue.eviction_policy', everyMs: HOUR_MS })
  async look(): Promise<void> {
    if (this.redis === null) return;
    const policy = await this.read();
    if (policy === 'noeviction' || this.redis.status === 'end') return;
    this.log.error({ message: 'Redis may evict jobs: its maxmemory-policy must be noeviction', policy });
  }
}
