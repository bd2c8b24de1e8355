import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

/**
 * Signing up proves nothing about an address, so it must not keep the address from whoever is invited with it: one
 * person who came by an invitation and one who did not may have the same. Their passwords tell them apart.
 */
export class ProvenPeople1763000000032 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE users ADD COLUMN IF NOT EXISTS proven boolean NOT NULL DEFAULT false`);
    await db.query(
      `UPDATE users SET proven = true WHERE operator OR id IN (SELECT user_id FROM audit_log
        WHERE action = 'team.joined')`,
    );
    await addIndex(db, 'users_by_email', 'users', '(email, proven)', 'UNIQUE INDEX');
    await db.query(
      `ALTER TABLE users DROP CONSTRAINT users_email, ADD CONSTRAINT users_email UNIQUE USING INDEX users_by_email`,
    );
    await db.query(`GRANT INSERT (proven), UPDATE (proven) ON users TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE users DROP CONSTRAINT users_email, ADD CONSTRAINT users_email UNIQUE (email)`);
    await db.query(`ALTER TABLE users DROP COLUMN proven`);
  }
}
