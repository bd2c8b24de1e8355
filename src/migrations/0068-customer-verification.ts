import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, constrain, once, reword } from './online';

/** How far it is known that a cardholder is who they say; those of before are not verified. */
const COLUMNS = `
  ALTER TABLE customers
    ADD COLUMN kyc_status             text        NOT NULL DEFAULT 'unverified',
    ADD COLUMN kyc_reference          uuid,
    ADD COLUMN kyc_provider           text,
    ADD COLUMN kyc_provider_reference text,
    ADD COLUMN kyc_failure            jsonb,
    ADD COLUMN kyc_verified_at        timestamptz,
    ADD COLUMN kyc_checks             integer     NOT NULL DEFAULT 0,
    ADD COLUMN kyc_review             text,
    ADD COLUMN kyc_reviews            integer     NOT NULL DEFAULT 0,
    ADD COLUMN kyc_request_id         uuid,
    ADD COLUMN kyc_idempotency_key    text,
    ADD COLUMN next_check_at          timestamptz`;

const CHECKS = {
  customers_kyc_status: `kyc_status IN ('unverified', 'pending', 'verified', 'rejected')`,
  customers_kyc_asked: `(kyc_status = 'unverified') = (kyc_reference IS NULL)
    AND (kyc_reference IS NULL) = (kyc_provider IS NULL)`,
  customers_kyc_due: `(kyc_status = 'pending') = (next_check_at IS NOT NULL)`,
  customers_kyc_review: `kyc_review IS NULL OR kyc_status = 'pending'`,
  customers_kyc_verified: `(kyc_status = 'verified') = (kyc_verified_at IS NOT NULL)`,
  customers_kyc_failure: `(kyc_status = 'rejected') = (kyc_failure IS NOT NULL)`,
};

/** What the sandbox's provider was asked about. Never a number: only what its end makes the provider do. */
const SANDBOX = `
  CREATE TABLE sandbox_identities (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL DEFAULT false,
    reference  uuid        NOT NULL,
    scenario   text        NOT NULL,
    asked      integer     NOT NULL,
    ready_at   timestamptz NOT NULL,
    CONSTRAINT sandbox_identities_pkey PRIMARY KEY (account_id, reference),
    CONSTRAINT sandbox_identities_test_only CHECK (NOT livemode)
  )`;

/** Cardholders that a provider of identities is asked about. */
export class CustomerVerification1763000000068 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'sandbox_identities', async () => {
      for (const statement of [SANDBOX, COLUMNS]) await db.query(statement);
      await db.query(`GRANT UPDATE (asked, ready_at) ON sandbox_identities TO duka_app`);
      await db.query(`INSERT INTO provider_routes (product, network, livemode, provider, position)
        VALUES ('identity', '*', false, 'sandbox', 1)`);
    });
    await constrain(db, 'customers', CHECKS);
    await addIndex(db, 'customers_due', 'customers', '(next_check_at) WHERE next_check_at IS NOT NULL');
    await addIndex(db, 'customers_in_review', 'customers', '(account_id, id) WHERE kyc_review IS NOT NULL');
    await reword(db, ['review_verdicts', 'resource'], ['cus'], true);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM provider_routes WHERE product = 'identity'`);
    await db.query(`DELETE FROM review_verdicts WHERE resource = 'cus'`);
    await reword(db, ['review_verdicts', 'resource'], ['cus'], false);
    await db.query(`DROP TABLE sandbox_identities`);
    await db.query(`
      ALTER TABLE customers
        DROP COLUMN kyc_status, DROP COLUMN kyc_reference, DROP COLUMN kyc_provider,
        DROP COLUMN kyc_provider_reference, DROP COLUMN kyc_failure, DROP COLUMN kyc_verified_at,
        DROP COLUMN kyc_checks, DROP COLUMN kyc_review, DROP COLUMN kyc_reviews,
        DROP COLUMN kyc_request_id, DROP COLUMN kyc_idempotency_key, DROP COLUMN next_check_at`);
  }
}
