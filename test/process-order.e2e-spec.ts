import type { Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CoreModule } from '../src/core/core.module';
import { Partitions } from '../src/core/database/partitions';
import { ReadPipeline } from '../src/core/database/pipeline';
import { HookJobs, HookRuns } from '../src/core/extension/hook-jobs';
import { PointRunner } from '../src/core/extension/point-runner';
import { QueueWorkers } from '../src/core/queue/queue-workers';
import { RequestLog } from '../src/core/request-log/request-log';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import { Client } from '../src/providers/client';
import { Duka } from './support/duka';

// The key and the login are looked at, and this month has its partitions, before a worker takes a job.
const STARTS: [Type, string][] = [
  [CoreModule, 'onModuleInit'],
  [Partitions, 'onApplicationBootstrap'],
  [QueueWorkers, 'onApplicationBootstrap'],
];

// In the order in which they end: what jobs work with after the workers, what observers read by after the observers.
const ENDS: [Type, string][] = [
  [QueueWorkers, 'beforeApplicationShutdown'],
  [HookJobs, 'beforeApplicationShutdown'],
  [HookRuns, 'beforeApplicationShutdown'],
  [RequestLog, 'beforeApplicationShutdown'],
  [Client, 'beforeApplicationShutdown'],
  [LedgerService, 'onApplicationShutdown'],
  [PointRunner, 'onApplicationShutdown'],
  [ReadPipeline, 'end'],
  [DataSource, 'destroy'],
];

it('workers start when the database is as they need it', async () => {
  const seen: string[] = [];
  for (const [type, method] of STARTS) {
    const prototype = type.prototype as Record<string, () => Promise<void>>;
    const start = prototype[method]!;
    jest.spyOn(prototype, method).mockImplementation(async function (this: unknown) {
      seen.push(`${type.name} begins`);
      await start.call(this);
      seen.push(`${type.name} ended`);
    });
  }
  const duka = await Duka.start();
  jest.restoreAllMocks();
  await duka.stop();
  expect(seen).toEqual(STARTS.flatMap(([{ name }]) => [`${name} begins`, `${name} ended`]));
});

it('what others work with ends after them, and the pool of the database last', async () => {
  const duka = await Duka.start();
  const seen: string[] = [];
  for (const [type, method] of ENDS) {
    const thing = duka.get<Record<string, () => Promise<void>>>(type);
    const end = thing[method]!.bind(thing);
    thing[method] = async () => {
      seen.push(`${type.name} begins`);
      await end();
      seen.push(`${type.name} ended`);
    };
  }
  await duka.stop();
  expect(seen).toEqual(ENDS.flatMap(([{ name }]) => [`${name} begins`, `${name} ended`]));
});
