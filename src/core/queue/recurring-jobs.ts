import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Counter } from 'prom-client';
import { registry } from '../metrics/metrics';
import { RECURRING, type Schedule } from './recurring';

interface RecurringJob extends Schedule {
  /** `Class.method`, for messages. */
  readonly place: string;
  run(): Promise<void>;
}

const runs = new Counter({
  name: 'recurring_job_runs_total',
  help: 'Runs of recurring jobs by outcome: `done` or `failed`.',
  labelNames: ['job', 'outcome'],
  registers: [registry],
});

/** Every `@Recurring` method of the process. Two with one name stop the boot. */
@Injectable()
export class RecurringJobs implements OnModuleInit {
  private readonly log = new Logger('recurring');
  private readonly jobs = new Map<string, RecurringJob>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance === null || typeof instance !== 'object') continue;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) this.add(instance as object, name);
    }
  }

  get schedules(): readonly Schedule[] {
    return [...this.jobs.values()];
  }

  /** Runs a job now. A failure is logged and counted, then thrown for the queue to keep; the schedule goes on. */
  async run(name: string): Promise<void> {
    const job = this.jobs.get(name);
    try {
      if (job === undefined) throw new Error(`no method of this process is the recurring job "${name}"`);
      await job.run();
      runs.inc({ job: name, outcome: 'done' });
    } catch (error) {
      runs.inc({ job: name, outcome: 'failed' });
      this.log.error({ job: name, err: error });
      throw error;
    }
  }

  private add(instance: object, methodName: string): void {
    const method = (instance as Record<string, () => Promise<void>>)[methodName]!;
    const schedule = Reflect.getMetadata(RECURRING, method) as Schedule | undefined;
    if (schedule === undefined) return;
    const place = `${instance.constructor.name}.${methodName}`;
    const twin = this.jobs.get(schedule.name);
    if (twin !== undefined) throw new Error(`two recurring jobs are called "${schedule.name}": ${twin.place} and ${place}`);
    this.jobs.set(schedule.name, { ...schedule, place, run: method.bind(instance) });
  }
}
