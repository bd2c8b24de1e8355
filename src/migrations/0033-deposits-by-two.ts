import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People also decide about what is to be put into a wallet. */
export class DepositsByTwo1763000000033 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE review_verdicts DROP CONSTRAINT review_verdicts_resource, ADD CONSTRAINT review_verdicts_resource
        CHECK (resource IN ('txn', 'pay', 'wal'))`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM review_verdicts WHERE resource = 'wal'`);
    await db.query(
      `ALTER TABLE review_verdicts DROP CONSTRAINT review_verdicts_resource, ADD CONSTRAINT review_verdicts_resource
        CHECK (resource IN ('txn', 'pay'))`,
    );
  }
}
