import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { timeOf } from '../../core/http/ids';
import { registry } from '../../core/metrics/metrics';
import { LAG } from './deliveries.queries';
import { OLDEST_OWED } from './relay.queries';
import type { AttemptCode, DeliveryStatus } from './webhooks.types';

const attempts = new Counter({
  name: 'webhook_attempts_total',
  help: 'Attempts to deliver an event by what came of them (`code`) and what that made of the delivery (`status`).',
  labelNames: ['livemode', 'code', 'status'],
  registers: [registry],
});

const firstSeconds = new Histogram({
  name: 'webhook_first_attempt_seconds',
  help: 'Time from an event to the start of its first attempt.',
  labelNames: ['livemode'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
  registers: [registry],
});

export const countAttempt = (livemode: boolean, code: AttemptCode, status: DeliveryStatus): void =>
  attempts.inc({ livemode: String(livemode), code, status });

export const measureFirst = (livemode: boolean, ms: number): void =>
  firstSeconds.observe({ livemode: String(livemode) }, Math.max(0, ms) / 1_000);

let readLagMs: () => Promise<number> = async () => 0;
let readRelayLagMs: () => Promise<number> = async () => 0;

new Gauge({
  name: 'webhook_queue_lag_seconds',
  help: 'How long the delivery that is due for the longest time has waited; also those that an endpoint has no place for.',
  registers: [registry],
  async collect() {
    // A database that is away must not take the other metrics with it.
    const lagMs = await readLagMs().catch(() => null);
    if (lagMs !== null) this.set(lagMs / 1_000);
  },
});

new Gauge({
  name: 'webhook_relay_lag_seconds',
  help: 'Age of the oldest event that an endpoint is to be told of and that has no delivery yet.',
  registers: [registry],
  async collect() {
    const lagMs = await readRelayLagMs().catch(() => null);
    if (lagMs !== null) this.set(lagMs / 1_000);
  },
});

/** Says to the metrics of this process how late deliveries are. */
@Injectable()
export class DeliveryMetrics implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    readLagMs = () => this.lagMs();
    readRelayLagMs = () => this.relayLagMs();
  }

  private async lagMs(): Promise<number> {
    const [{ first }]: [{ first: Date | null }] = await this.dataSource.query(LAG);
    return first === null ? 0 : Math.max(0, Date.now() - first.getTime());
  }

  private async relayLagMs(): Promise<number> {
    const [{ id }]: [{ id: string | null }] = await this.dataSource.query(OLDEST_OWED);
    return id === null ? 0 : Math.max(0, Date.now() - timeOf(id).getTime());
  }
}
