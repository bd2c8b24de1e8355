import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nobody searches in what an event keeps of its object: stored as it was said, it costs less than `jsonb`. */
export class SnapshotsAsSaid1763000000050 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE events ALTER COLUMN snapshot TYPE json USING snapshot::json`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE events ALTER COLUMN snapshot TYPE jsonb USING snapshot::jsonb`);
  }
}
