import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { sampledGauge } from '../metrics/metrics';
import { Recurring } from '../queue/recurring-jobs';
import { clientConfig } from './options';
import { connected } from './primary-client';
import { isLockTimeout } from './unit-of-work';

const MONTHS_AHEAD = 2;
/** What a process needs to write its first rows, and those after midnight on the last of the month. */
const MONTHS_NEEDED = 1;
const DAY_MS = 24 * 3_600 * 1_000;
const DROP_ATTEMPTS = 20;
const DROP_PAUSE_MS = 500;
/** A sample of every month of a large table takes minutes, at the disk's leisure. */
const ANALYZE_TIMEOUT_MS = 1_800_000;

const AGES = `
  SELECT relname AS name, extract(epoch FROM now() - last_analyze)::float8 AS seconds FROM pg_stat_user_tables
    JOIN partitioned_tables ON name = relname AND schemaname = current_schema() WHERE last_analyze IS NOT NULL`;

const provideStatisticsAges = sampledGauge(
  'database_statistics_age_seconds',
  'Time since a partitioned table was analyzed. Missing: never.',
  ['table'],
);
const provideOldestSnapshot = sampledGauge(
  'database_oldest_snapshot_seconds',
  'Age of the oldest open transaction: what it may still look at cannot be cleaned up.',
);

/**
 * Keeps the monthly partitions of the append-only tables ahead of time, and their statistics. Drops those that are kept
 * no longer.
 */
@Injectable()
export class Partitions implements OnApplicationBootstrap {
  private readonly log = new Logger('partitions');

  constructor(
    private readonly dataSource: DataSource,
    private readonly env: Env,
  ) {
    provideStatisticsAges(async () =>
      (await dataSource.query<{ name: string; seconds: number }[]>(AGES)).map(({ name, seconds }) => ({
        labels: { table: name },
        value: seconds,
      })),
    );
    provideOldestSnapshot(async () => [
      { labels: {}, value: (await dataSource.query('SELECT oldest_snapshot_seconds() AS seconds'))[0].seconds },
    ]);
  }

  /**
   * A service that was off for months must not wait a day for its first row; one that was not has nothing to wait for.
   */
  async onApplicationBootstrap(): Promise<void> {
    const [{ exist }] = await this.dataSource.query('SELECT monthly_partitions_exist($1) AS exist', [MONTHS_NEEDED]);
    if (!exist) await this.ensure();
  }

  @Recurring({ name: 'database.partitions', everyMs: DAY_MS })
  async keep(): Promise<void> {
    if ((await this.ensure()) > 0) await this.analyze();
    await this.drop();
  }

  /** How many it made. */
  async ensure(): Promise<number> {
    const [{ made }] = await this.dataSource.query('SELECT ensure_monthly_partitions($1) AS made', [MONTHS_AHEAD]);
    return made as number;
  }

  /** Each table by itself: what another holds is left for tomorrow. On a connection of its own, which may take long. */
  @Recurring({ name: 'database.statistics', everyMs: DAY_MS })
  async analyze(): Promise<void> {
    await connected({ ...clientConfig(this.env), query_timeout: ANALYZE_TIMEOUT_MS }, async (client) => {
      await client.query(`SET statement_timeout = ${ANALYZE_TIMEOUT_MS}`);
      const { rows } = await client.query<{ name: string }>('SELECT name FROM partitioned_tables ORDER BY name');
      for (const { name } of rows) {
        await client.query('SELECT analyze_partitioned($1)', [name]).catch((error: unknown) => {
          if (!isLockTimeout(error)) throw error;
          this.log.warn({ msg: 'a table is analyzed tomorrow: somebody holds it', table: name });
        });
      }
    });
  }

  /**
   * Whoever reads the table now is not waited for, since all others would wait behind: it is tried again, and tomorrow.
   */
  private async drop(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.dataSource.query('SELECT drop_expired_partitions()');
        return;
      } catch (error) {
        if (!isLockTimeout(error) || attempt === DROP_ATTEMPTS) throw error;
        await sleep(DROP_PAUSE_MS);
      }
    }
  }
}
