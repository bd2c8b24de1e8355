import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What events told of a final transaction, from the moment on in which something changes it after all. */
export class TransactionVersions1763000000052 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE transaction_versions (
        account_id     uuid    NOT NULL,
        livemode       boolean NOT NULL,
        transaction_id uuid    NOT NULL,
        version        integer NOT NULL,
        said           json    NOT NULL,
        CONSTRAINT transaction_versions_pkey PRIMARY KEY (account_id, livemode, transaction_id, version)
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE transaction_versions`);
  }
}
