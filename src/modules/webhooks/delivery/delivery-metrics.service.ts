import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { timeOf } from '../../../core/http/ids';
import { registry } from '../../../core/metrics/metrics';
import { HAS_NO_DELIVERY, IS_FOR } from './relay.service';
import type { AttemptCode, DeliveryStatus } from './webhook-delivery.entity';

/**
 * The oldest event that an endpoint is to be told of and has no delivery yet. By time, not by number, so that a wrong
 * position is seen, too; what the relay has passed for good is looked for among the last minutes only.
 */
const OLDEST_OWED = `
  SELECT min(e.id::text) AS id
    FROM relay_position r
    JOIN events e ON e.id >= uuid_v7_floor(least(r.at, now() - interval '2 minutes'))
    JOIN webhook_endpoints w ON ${IS_FOR}
   WHERE r.name = 'webhooks' AND ${HAS_NO_DELIVERY}`;

/** How many wait, and how long the first of them does. */
const LAG = `SELECT min(next_attempt_at) AS first FROM webhook_deliveries WHERE next_attempt_at <= now()`;

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
  help:
    'How long the delivery that is due for the longest time has waited; also those that an endpoint has no place ' +
    'for.',
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
