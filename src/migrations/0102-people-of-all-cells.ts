import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where there are several cells, sessions lie in each and people in the control cell: sessions that began before this
 * moment are over, in whichever cell.
 */
export class PeopleOfAllCells1763000000102 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE users ADD COLUMN signed_out_at timestamptz`);
    await db.query(`GRANT INSERT (signed_out_at), UPDATE (signed_out_at) ON users TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE users DROP COLUMN signed_out_at`);
  }
}
