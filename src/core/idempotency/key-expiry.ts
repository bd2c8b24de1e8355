import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Recurring } from '../queue/recurring';

const DAY_MS = 24 * 3_600 * 1_000;
const KEPT_DAYS = 30;
const CHUNK_ROWS = 5_000;

/**
 * Forgets idempotency keys after 30 days, and likenesses, which count for two minutes, with them. References stay for
 * ever.
 */
@Injectable()
export class KeyExpiry {
  constructor(private readonly dataSource: DataSource) {}

  @Recurring({ name: 'idempotency.purge', everyMs: DAY_MS })
  async purge(): Promise<void> {
    // In chunks: one long delete would keep its locks and its dead rows until its end, and lose all of it to a
    // time-out.
    while ((await this.purgeChunk()) === CHUNK_ROWS);
  }

  private async purgeChunk(): Promise<number> {
    const [, deleted]: [unknown, number] = await this.dataSource.query(
      `DELETE FROM claims WHERE (account_id, livemode, kind, value) IN (
        SELECT account_id, livemode, kind, value FROM claims
         WHERE kind IN ('key', 'likeness') AND created_at < now() - make_interval(days => $1) LIMIT $2)`,
      [KEPT_DAYS, CHUNK_ROWS],
    );
    return deleted;
  }
}
