import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of each test clock all moves, so that what happened before one is shown by the clock as it stood then. */
export class ClockMoves1763000000031 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // By turns: when it was moved, in milliseconds of the real time, and how far it was ahead from then on.
    await db.query(`ALTER TABLE test_clocks ADD COLUMN moves bigint[] NOT NULL DEFAULT '{}'`);
    await db.query(
      `UPDATE test_clocks SET moves = ARRAY[floor(extract(epoch FROM now()) * 1000)::bigint, offset_ms]
        WHERE offset_ms > 0`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE test_clocks DROP COLUMN moves`);
  }
}
