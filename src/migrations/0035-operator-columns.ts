import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What decides who may do what: set by an operator's command as the owner of the database, never by a running process.
 */
const OF_OPERATORS = { accounts: ['live_enabled', 'tier'], users: ['operator'] };

/** A later migration that adds a column to these tables grants it to `duka_app` by name. */
export class OperatorColumns1763000000035 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    for (const [table, kept] of Object.entries(OF_OPERATORS)) {
      const [{ all, later }] = await db.query(
        `SELECT string_agg(quote_ident(attname), ', ') AS all, string_agg(quote_ident(attname), ', ')
          FILTER (WHERE attname NOT IN ('id', 'created_at')) AS later
           FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($2)`,
        [table, kept],
      );
      await db.query(`REVOKE INSERT, UPDATE ON ${table} FROM duka_app`);
      await db.query(`GRANT INSERT (${all}), UPDATE (${later}) ON ${table} TO duka_app`);
    }
    await db.query(`REVOKE UPDATE ON fees FROM duka_app`);
    await db.query(`GRANT UPDATE (flat, basis_points, cap) ON fees TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`GRANT INSERT, UPDATE ON accounts, users, fees TO duka_app`);
  }
}
