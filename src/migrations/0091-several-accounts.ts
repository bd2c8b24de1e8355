import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

/**
 * A person may be in the teams of several accounts, once in each. At the log-in they come to the one that they were in
 * last. Their sessions and links end in all of them at once.
 */
export class SeveralAccounts1763000000091 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE team_members ADD COLUMN IF NOT EXISTS last_used_at timestamptz`);
    await db.query(
      `UPDATE team_members m SET last_used_at = s.at
         FROM (SELECT account_id, user_id, max(created_at) AS at FROM sessions GROUP BY 1, 2) s
        WHERE m.account_id = s.account_id AND m.user_id = s.user_id`,
    );
    await addIndex(
      db,
      'team_members_once',
      'team_members',
      '(account_id, user_id) WHERE removed_at IS NULL',
      'UNIQUE INDEX',
    );
    await addIndex(db, 'sessions_open_by_person', 'sessions', '(user_id) WHERE ended_at IS NULL');
    await addIndex(db, 'password_resets_by_person', 'password_resets', '(user_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX team_members_once, sessions_open_by_person, password_resets_by_person`);
    await db.query(`ALTER TABLE team_members DROP COLUMN last_used_at`);
  }
}
