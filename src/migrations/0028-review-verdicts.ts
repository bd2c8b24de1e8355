import type { MigrationInterface, QueryRunner } from 'typeorm';

const VERDICTS = `
  CREATE TABLE review_verdicts (
    account_id  uuid    NOT NULL,
    livemode    boolean NOT NULL,
    resource    text    NOT NULL,
    resource_id uuid    NOT NULL,
    id          uuid    NOT NULL,
    round       integer NOT NULL,
    user_id     uuid    NOT NULL,
    person      text    NOT NULL,
    outcome     text    NOT NULL,
    note        text    NOT NULL,
    CONSTRAINT review_verdicts_pkey PRIMARY KEY (account_id, livemode, resource_id, id),
    CONSTRAINT review_verdicts_resource CHECK (resource IN ('txn', 'pay'))
  )`;

/**
 * What people decide, by their log-ins and in one table. Earlier decisions knew names only: they are kept, and count
 * for no review to come.
 */
export class ReviewVerdicts1763000000028 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(VERDICTS);
    await db.query(`
      INSERT INTO review_verdicts (account_id, livemode, resource, resource_id, id, round, user_id, person, outcome,
        note)
      SELECT account_id, livemode, 'txn', purchase_id, gen_random_uuid(), -1, md5(person)::uuid, person, outcome, note
        FROM purchase_resolutions
      UNION ALL
      SELECT account_id, livemode, 'pay', payment_id, gen_random_uuid(), -1, md5(person)::uuid, person, outcome, note
        FROM payment_resolutions`);
    await db.query(`DROP TABLE purchase_resolutions, payment_resolutions`);
    await db.query(`ALTER TABLE payments ADD COLUMN reviews integer NOT NULL DEFAULT 0`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE payments DROP COLUMN reviews`);
    await db.query(`
      CREATE TABLE purchase_resolutions (
        account_id uuid NOT NULL, livemode boolean NOT NULL, purchase_id uuid NOT NULL, person text NOT NULL, outcome
          text NOT NULL, note text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT purchase_resolutions_pkey PRIMARY KEY (account_id, livemode, purchase_id, person),
        CONSTRAINT purchase_resolutions_outcome CHECK (outcome IN ('delivered', 'not_delivered', 'reversed')))`);
    await db.query(`
      CREATE TABLE payment_resolutions (
        account_id uuid NOT NULL, livemode boolean NOT NULL, payment_id uuid NOT NULL, version integer NOT NULL, person
          text NOT NULL, outcome text NOT NULL, note text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT payment_resolutions_pkey PRIMARY KEY (account_id, livemode, payment_id, version, person),
        CONSTRAINT payment_resolutions_outcome CHECK (outcome IN ('accept_received', 'accept_requested',
          'refund_payer', 'successful', 'failed', 'reversed', 'unchanged')))`);
    await db.query(`DROP TABLE review_verdicts`);
  }
}
