import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Up to which number the relay had read events when writes were refused: what it reads then has no deliveries. */
export class RelayedBeforeMoves1763000000116 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE slot_moves ADD COLUMN relayed bigint');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE slot_moves DROP COLUMN relayed');
  }
}
