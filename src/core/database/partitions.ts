import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Recurring } from '../queue/recurring';

const MONTHS_AHEAD = 2;
const DAY_MS = 24 * 3_600 * 1_000;

/** Keeps the monthly partitions of the append-only tables ahead of time: a row without one could not be written. Drops those that are kept no longer. */
@Injectable()
export class Partitions implements OnApplicationBootstrap {
  constructor(private readonly dataSource: DataSource) {}

  /** A service that was off for months must not wait a day for its first row. */
  onApplicationBootstrap(): Promise<void> {
    return this.ensure();
  }

  @Recurring({ name: 'database.partitions', everyMs: DAY_MS })
  async keep(): Promise<void> {
    await this.ensure();
    await this.dataSource.query('SELECT drop_expired_partitions()');
  }

  async ensure(): Promise<void> {
    await this.dataSource.query('SELECT ensure_monthly_partitions($1)', [MONTHS_AHEAD]);
  }
}
