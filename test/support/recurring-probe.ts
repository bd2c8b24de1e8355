import { setTimeout as sleep } from 'node:timers/promises';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import {
  type DynamicModule,
  type INestApplicationContext,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { ConfigModule } from '../../src/core/config/config.module';
import { Env } from '../../src/core/config/env';
import { DATABASE_POOL, QUEUES } from '../../src/core/core.module';
import { Partitions } from '../../src/core/database/partitions';
import { ReadPipeline } from '../../src/core/database/pipeline';
import { Readiness } from '../../src/core/health/readiness';
import { QueueCanaries, QueueWorkers } from '../../src/core/queue/queue-workers';
import {
  Recurring,
  RECURRING_QUEUE,
  RecurringJobs,
  RecurringProcessor,
  RecurringSchedules,
} from '../../src/core/queue/recurring-jobs';

/** What the jobs below did. */
export const seen = { ticks: 0, failures: 0, slowRuns: [] as ('started' | 'ended')[] };

@Injectable()
export class Jobs {
  @Recurring({ name: 'test.tick', everyMs: 100 })
  async tick(): Promise<void> {
    seen.ticks++;
  }

  @Recurring({ name: 'test.fail', everyMs: 100 })
  async fail(): Promise<void> {
    seen.failures++;
    throw new Error('on purpose');
  }

  @Recurring({ name: 'test.slow', everyMs: 60_000 })
  async slow(): Promise<void> {
    seen.slowRuns.push('started');
    await sleep(700);
    seen.slowRuns.push('ended');
  }
}

@Injectable()
export class Namesake {
  @Recurring({ name: 'test.tick', everyMs: 1_000 })
  async other(): Promise<void> {}
}

/** What the code of a later release has instead. */
@Injectable()
export class Successor {
  @Recurring({ name: 'test.new', everyMs: 60_000 })
  async run(): Promise<void> {}
}

const QUEUE_WORK = [QueueCanaries, QueueWorkers, RecurringJobs, RecurringProcessor, RecurringSchedules, Partitions];

@Module({ imports: [DATABASE_POOL, DiscoveryModule, QUEUES, BullModule.registerQueue({ name: RECURRING_QUEUE })] })
class ProbeModule implements OnApplicationShutdown {
  constructor(private readonly reads: ReadPipeline) {}

  static with(env: Env, jobs: Type[]): DynamicModule {
    return {
      module: ProbeModule,
      imports: [ConfigModule.register(env)],
      providers: [ReadPipeline, Readiness, ...QUEUE_WORK, ...jobs],
    };
  }

  onApplicationShutdown(): Promise<void> {
    return this.reads.end();
  }
}

/** A process with queues and nothing else; with workers when `WORKER_IN_API` is set. */
export function startProcess(settings: Partial<Env>, jobs: Type[] = [Jobs]): Promise<INestApplicationContext> {
  const env = Object.assign(new Env(), { SECRETS_KEY: Buffer.alloc(32).toString('base64'), ...settings });
  return NestFactory.createApplicationContext(ProbeModule.with(env, jobs), { logger: false, abortOnError: false });
}

export const queueOf = (app: INestApplicationContext): Queue => app.get(getQueueToken('recurring'));

export async function until(isTrue: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  for (let tries = 0; tries < 50 * seconds; tries++) {
    if (await isTrue()) return;
    await sleep(20);
  }
  throw new Error(`it did not happen within ${seconds} s`);
}
