import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { registry, sampledGauge } from '../metrics/metrics';
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

const provideAges = sampledGauge(
  'recurring_job_age_seconds',
  'Time since a recurring job was last done, by whichever process. Missing: never yet.',
  ['job'],
);

const DONE = `
  INSERT INTO recurring_runs (job, finished_at) VALUES ($1, now())
  ON CONFLICT ON CONSTRAINT recurring_runs_pkey DO UPDATE SET finished_at = excluded.finished_at`;
const AGES =
  'SELECT job, extract(epoch FROM now() - finished_at)::float8 AS seconds FROM recurring_runs WHERE job = ANY ($1)';

/** Every `@Recurring` method of the process. Two with one name stop the boot. */
@Injectable()
export class RecurringJobs implements OnModuleInit {
  private readonly log = new Logger('recurring');
  private readonly jobs = new Map<string, RecurringJob>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly dataSource: DataSource,
  ) {
    provideAges(() => this.ages());
  }

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance === null || typeof instance !== 'object') continue;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object))
        this.add(instance as object, name);
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
      await this.dataSource.query(DONE, [name]);
      runs.inc({ job: name, outcome: 'done' });
    } catch (error) {
      runs.inc({ job: name, outcome: 'failed' });
      this.log.error({ job: name, err: error });
      throw error;
    }
  }

  private async ages() {
    const rows: { job: string; seconds: number }[] = await this.dataSource.query(AGES, [[...this.jobs.keys()]]);
    return rows.map(({ job, seconds }) => ({ labels: { job }, value: seconds }));
  }

  private add(instance: object, methodName: string): void {
    const method = (instance as Record<string, () => Promise<void>>)[methodName]!;
    const schedule = Reflect.getMetadata(RECURRING, method) as Schedule | undefined;
    if (schedule === undefined) return;
    const place = `${instance.constructor.name}.${methodName}`;
    const twin = this.jobs.get(schedule.name);
    if (twin !== undefined)
      throw new Error(`two recurring jobs are called "${schedule.name}": ${twin.place} and ${place}`);
    this.jobs.set(schedule.name, { ...schedule, place, run: method.bind(instance) });
  }
}
