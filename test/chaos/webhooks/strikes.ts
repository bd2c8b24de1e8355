import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { restartPostgres } from '../faults';
import type { Load } from '../load';
import type { Program } from '../program';
import type { Service } from '../service';
import type { Receiver } from './receiver';
import type { RedisServer } from './redis-server';
import type { Size } from './sizes';

export interface Target {
  readonly service: Service;
  readonly worker: Program;
  readonly receiver: Receiver;
  readonly load: Load;
  /** Null where PostgreSQL carries the queues. */
  readonly redis: RedisServer | null;
}

/** Requests of clients in some time. */
export interface Served {
  readonly requests: number;
  readonly failed: number;
}

const PAUSE_MS = 1_500;

/** Kills workers, empties and stops Redis and restarts PostgreSQL while clients pay. */
export class Strikes {
  workerKills = 0;
  /** While Redis was away. */
  served: Served | null = null;
  readonly wrong: string[] = [];
  private killing: Promise<void> = Promise.resolve();

  constructor(
    private readonly target: Target,
    private readonly size: Size,
  ) {}

  async run(): Promise<void> {
    const { redis, receiver, load, service } = this.target;
    const { workerKills, killsOfOneJob, killsBefore, redisAwayMs } = this.size;
    const oneJob = receiver.killNext(killsOfOneJob, () => this.killWorker(`with one job, ${killsOfOneJob} times`));
    await this.killWorkers(killsBefore);
    if (redis !== null) {
      await redis.flushAll();
      this.tell('FLUSHALL');
      await receiver.nextArrival();
      this.served = await this.withoutRedis(redis, redisAwayMs);
    }
    const { said, wrong } = await restartPostgres({ service, load });
    this.tell(`PostgreSQL restarted: ${said}`);
    this.wrong.push(...wrong);
    await oneJob;
    await this.killWorkers(workerKills - this.workerKills);
  }

  private async killWorkers(count: number): Promise<void> {
    for (let kill = 0; kill < count; kill++) {
      await this.target.receiver.nextArrival();
      await sleep(randomInt(PAUSE_MS));
      await this.killWorker('at work');
    }
  }

  /** One after the other: two strikes at a time would be one. */
  private killWorker(how: string): Promise<void> {
    const { worker, service } = this.target;
    this.killing = this.killing.then(async () => {
      await worker.end('SIGKILL');
      worker.launch(service.env);
      this.tell(`kill -9 worker ${++this.workerKills}, ${how}`);
    });
    return this.killing;
  }

  private async withoutRedis(redis: RedisServer, ms: number): Promise<Served> {
    const { load } = this.target;
    const count = () => ({ requests: load.requests, failed: load.unavailable + load.unanswered.length });
    const before = count();
    await redis.stop();
    await sleep(ms);
    const after = count();
    await redis.start();
    this.tell(`Redis away for ${ms / 1_000} s`);
    return { requests: after.requests - before.requests, failed: after.failed - before.failed };
  }

  private tell(what: string): void {
    console.log(`[${this.target.redis === null ? 'PostgreSQL' : 'Redis'}] ${what}`);
  }
}
