import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type QueryResultRow } from 'pg';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { registry } from '../metrics/metrics';
import { clientConfig } from './options';

const CONNECTIONS = 2;
const IDLE_MS = 30_000;
/** Of one statement: metrics must not be what a busy database is busy with. */
const TIMEOUT_MS = 1_500;

let general: Pool | null = null;

new Gauge({
  name: 'database_pool_connections',
  help: 'The general pool of this process: `total`, `idle`, and `waiting`: who waits for one.',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    if (general === null) return;
    this.set({ state: 'total' }, general.totalCount);
    this.set({ state: 'idle' }, general.idleCount);
    this.set({ state: 'waiting' }, general.waitingCount);
  },
});

/**
 * What metrics ask the database, on connections of their own: they are there, too, when the pool is used up. Opened
 * when first used, and closed when nobody asks.
 */
@Injectable()
export class MetricReads implements OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(env: Env, dataSource: DataSource) {
    const config = clientConfig(env);
    this.pool = new Pool({
      ...config,
      options: `${config.options} -c statement_timeout=${TIMEOUT_MS} -c default_transaction_read_only=on`,
      query_timeout: TIMEOUT_MS,
      connectionTimeoutMillis: TIMEOUT_MS,
      max: CONNECTIONS,
      idleTimeoutMillis: IDLE_MS,
    });
    this.pool.on('error', () => undefined);
    general = (dataSource.driver as unknown as { readonly master: Pool }).master;
  }

  async rows<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** Of statements that always answer one. */
  async row<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row> {
    return (await this.rows<Row>(text, values))[0]!;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
