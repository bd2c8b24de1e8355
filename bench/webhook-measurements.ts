import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startRedis } from '../test/support/redis-server';
import type { Timing } from './measured';
import type { Service } from './service';
import { cpuSecondsOf, cpuSecondsOfFamily, peakMemoryMb } from './usage';
import { CONCURRENCY, Stage } from './webhook-stage';

export const WEBHOOK_MEASUREMENTS = ['bare', 'delivered', 'halfLoad', 'hundred', 'oneDead', 'backlog'] as const;
export type WebhookMeasurement = (typeof WEBHOOK_MEASUREMENTS)[number];

/** What one delivery costs, in µs of CPU time. */
export interface DeliveryCosts {
  readonly workerCpuUs: number;
  readonly postgresCpuUs: number;
  readonly bareCpuUs: number;
}

/** Of messages per second; only for how long a measurement takes. */
const GUESS = 1_000;
const QUEUED = 100_000;
/** As long as a message is; of what the service sends. */
const BODY = JSON.stringify({ data: 'x'.repeat(700) });

/** One number for each measurement of webhooks, taken as often as it is asked for. */
export class WebhookMeasurements implements Record<WebhookMeasurement, () => Promise<number>> {
  readonly costs: DeliveryCosts[] = [];
  private perSecond = GUESS;
  private bareCpuUs = NaN;
  private worker?: Promise<ChildProcess>;
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

  /** The same for ninety-nine, while the hundredth gives no answer. */
  async oneDead(): Promise<number> {
    await this.running();
    return (await this.stage.pace(this.perSecond / 2, this.timing.seconds, { dead: 1 })).p95Ms;
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

  private get wanted(): number {
    return this.timing.seconds * GUESS;
  }

  private cpu(pid: number) {
    return { worker: cpuSecondsOf(pid), postgres: cpuSecondsOfFamily(this.service.database.pid) };
  }
}
