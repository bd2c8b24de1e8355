import type { MigrationInterface, QueryRunner } from 'typeorm';
import { reword } from './online';

/** People also decide about what is to be put into a wallet. */
export class DepositsByTwo1763000000033 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await reword(db, ['review_verdicts', 'resource'], ['wal'], true);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM review_verdicts WHERE resource = 'wal'`);
    await reword(db, ['review_verdicts', 'resource'], ['wal'], false);
  }
}
