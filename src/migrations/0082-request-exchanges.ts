import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What went to and fro in requests that failed: headers of both sides and the answer, scrubbed and sealed. Beside
 * `request_log`, which all requests are written to, so that its rows stay narrow and these can go sooner.
 */
const EXCHANGES = `
  CREATE TABLE request_exchanges (
    account_id uuid    NOT NULL,
    livemode   boolean NOT NULL,
    id         uuid    NOT NULL,
    box        bytea   NOT NULL,
    CONSTRAINT request_exchanges_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

export class RequestExchanges1763000000082 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(EXCHANGES);
    await db.query(
      `INSERT INTO partitioned_tables (name, key_type, keep_months) VALUES ('request_exchanges', 'uuid', 3)`,
    );
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    // Sealed anew when the key changes; deleted after REQUEST_LOG_ANSWER_DAYS.
    await db.query(`GRANT UPDATE, DELETE ON request_exchanges TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE request_exchanges`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'request_exchanges'`);
  }
}
