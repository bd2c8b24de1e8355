import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Client } from 'pg';
import { Env } from '../src/core/config/env';
import { queueOptions } from '../src/core/queue/queue-options';
import { TEST_QUEUE } from '../src/modules/webhooks/delivery/delivery-queue.service';
import { startRedis } from '../test/support/redis-server';
import type { Timing } from './measured';
import type { Service } from './service';
import { cpuSecondsOf, cpuSecondsOfFamily, peakMemoryMb } from './usage';
import { CONCURRENCY, Stage } from './webhook-stage';

export const WEBHOOK_MEASUREMENTS = [
  'bare',
  'delivered',
  'halfLoad',
  'hundred',
  'oneDead',
  'jobs',
  'start',
  'backlog',
] as const;
export type WebhookMeasurement = (typeof WEBHOOK_MEASUREMENTS)[number];

/** What one delivery costs, in µs of CPU time. */
export interface DeliveryCosts {
  readonly workerCpuUs: number;
  readonly postgresCpuUs: number;
  readonly bareCpuUs: number;
}

/** Of messages per second; only for how long a measurement takes. */
const GUESS = 5_000;
const QUEUED = 100_000;
const OWED = 500_000;
const COUNT_EVERY_MS = 500;
/** As long as a message is; of what the service sends. */
const BODY = JSON.stringify({ data: 'x'.repeat(700) });

/** One number for each measurement of webhooks, taken as often as it is asked for. */
export class WebhookMeasurements implements Record<WebhookMeasurement, () => Promise<number>> {
  readonly costs: DeliveryCosts[] = [];
  private perSecond = GUESS;
  private bareCpuUs = NaN;
  private worker?: Promise<ChildProcess>;
  private jobsMost = NaN;
  private startSeconds = NaN;
  private peakMb?: Promise<number>;

  private constructor(
    private readonly service: Service,
    private readonly stage: Stage,
    private readonly timing: Timing,
  ) {}

  static async prepare(service: Service, timing: Timing): Promise<WebhookMeasurements> {
    const redisUrl = await startRedis();
    if (redisUrl === null) console.log('There is no redis-server: PostgreSQL carries the queues.');
    service.settings = { REDIS_URL: redisUrl ?? '', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
    const client = new Client({ connectionString: service.database.url });
    client.on('error', () => undefined);
    await client.connect();
    return new WebhookMeasurements(service, await Stage.prepare(service, client), timing);
  }

  get queues(): string {
    return `queues on ${this.service.settings.REDIS_URL === '' ? 'PostgreSQL' : 'Redis'}`;
  }

  /** Messages per second of a worker whose jobs only post. */
  async bare(): Promise<number> {
    const jobs = this.wanted;
    await this.stage.begin();
    const child = this.service.processes.fork('webhook-bare.ts');
    const { REDIS_URL: redisUrl } = this.service.settings;
    const job = {
      databaseUrl: this.service.database.url,
      redisUrl: redisUrl || undefined,
      url: this.stage.url,
      body: BODY,
      jobs,
      concurrency: CONCURRENCY,
    };
    const { cpuSeconds } = await this.service.processes.ask<{ cpuSeconds: number }>(child, job);
    this.bareCpuUs = (cpuSeconds / jobs) * 1e6;
    return (await this.stage.report()).perSecond;
  }

  /** Messages per second of the service's worker, from committed events on. */
  async delivered(): Promise<number> {
    const { pid } = await this.running();
    const before = this.cpu(pid!);
    const { perSecond, count } = await this.stage.burst(this.wanted);
    const after = this.cpu(pid!);
    const each = (counter: 'worker' | 'postgres') => ((after[counter] - before[counter]) / count) * 1e6;
    this.costs.push({ workerCpuUs: each('worker'), postgresCpuUs: each('postgres'), bareCpuUs: this.bareCpuUs });
    this.perSecond = perSecond;
    return perSecond;
  }

  /** p95 in milliseconds from an event to the first byte of its message, at half of the rate that the same round reached. */
  async halfLoad(): Promise<number> {
    await this.running();
    return (await this.stage.pace(this.perSecond / 2, this.timing.seconds)).p95Ms;
  }

  /** The same for a hundred endpoints. */
  async hundred(): Promise<number> {
    await this.running();
    return (await this.stage.pace(this.perSecond / 2, this.timing.seconds, { dead: 0 })).p95Ms;
  }

  /** The same for ninety-nine, while the hundredth gives no answer and is owed half a million deliveries. */
  async oneDead(): Promise<number> {
    await this.running();
    await this.stage.letDie(OWED);
    const counting = new AbortController();
    const counted = this.countJobs(counting.signal);
    const { p95Ms } = await this.stage.pace(this.perSecond / 2, this.timing.seconds, { dead: 1 });
    counting.abort();
    this.jobsMost = await counted;
    this.startSeconds = await this.startAnew();
    await this.stage.revive();
    return p95Ms;
  }

  /** The most jobs that the queue had meanwhile. */
  jobs(): Promise<number> {
    return Promise.resolve(this.jobsMost);
  }

  /** Seconds in which a worker that was started then delivered its first messages. */
  start(): Promise<number> {
    return Promise.resolve(this.startSeconds);
  }

  /** The most memory that a worker ever has which finds so many events and delivers them. Once is enough. */
  backlog(): Promise<number> {
    this.peakMb ??= this.workOff();
    return this.peakMb;
  }

  private async workOff(): Promise<number> {
    if (this.worker) await this.service.processes.stop(await this.worker);
    await this.stage.begin();
    await this.stage.pile(QUEUED);
    this.worker = this.service.startWorker();
    const { pid } = await this.worker;
    await this.stage.arrived(QUEUED);
    return peakMemoryMb(pid!);
  }

  /** The service's worker, warm. */
  private running(): Promise<ChildProcess> {
    this.worker ??= this.service.startWorker().then(async (worker) => {
      await this.stage.burst(this.timing.warmUpSeconds * GUESS);
      await sleep(1_000);
      return worker;
    });
    return this.worker;
  }

  private async startAnew(): Promise<number> {
    await this.service.processes.stop(await this.running());
    await this.stage.begin();
    const began = performance.now();
    this.worker = this.service.startWorker();
    await this.stage.once();
    return (performance.now() - began) / 1_000;
  }

  private async countJobs(signal: AbortSignal): Promise<number> {
    const { REDIS_URL: redisUrl } = this.service.settings;
    const env = Object.assign(new Env(), { DATABASE_URL: this.service.database.url, REDIS_URL: redisUrl || undefined });
    const queue = new Queue(TEST_QUEUE, queueOptions(env));
    let most = 0;
    for (; !signal.aborted; await sleep(COUNT_EVERY_MS))
      most = Math.max(most, await queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized'));
    await queue.close();
    return most;
  }

  private get wanted(): number {
    return this.timing.seconds * GUESS;
  }

  private cpu(pid: number) {
    return { worker: cpuSecondsOf(pid), postgres: cpuSecondsOfFamily(this.service.database.pid) };
  }
}
