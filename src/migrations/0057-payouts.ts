import type { MigrationInterface, QueryRunner } from 'typeorm';
import { once, reword } from './online';
import banks from './seeds/banks.json';

/** Where money can be sent. Operators edit the rows. */
const BANKS = `
  CREATE TABLE banks (
    code            text    NOT NULL,
    name            text    NOT NULL,
    country         text    NOT NULL,
    currency        text    NOT NULL,
    kind            text    NOT NULL,
    account_pattern text    NOT NULL,
    enabled         boolean NOT NULL DEFAULT true,
    CONSTRAINT banks_pkey PRIMARY KEY (code),
    CONSTRAINT banks_kind CHECK (kind IN ('bank', 'microfinance', 'mobile_money'))
  )`;

/** Whose account it is, as the bank said. */
const RESOLUTIONS = `
  CREATE TABLE bank_resolutions (
    account_id     uuid        NOT NULL,
    livemode       boolean     NOT NULL,
    id             uuid        NOT NULL,
    bank_code      text        NOT NULL,
    account_number text        NOT NULL,
    account_name   text        NOT NULL,
    provider       text        NOT NULL,
    expires_at     timestamptz NOT NULL,
    CONSTRAINT bank_resolutions_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

/** Whom an account pays again and again. */
const BENEFICIARIES = `
  CREATE TABLE beneficiaries (
    account_id     uuid        NOT NULL,
    livemode       boolean     NOT NULL,
    id             uuid        NOT NULL,
    label          text        NOT NULL,
    bank_code      text        NOT NULL,
    account_number text        NOT NULL,
    verified_name  text        NOT NULL,
    metadata       jsonb       NOT NULL,
    last_used_at   timestamptz,
    deleted_at     timestamptz,
    version        integer     NOT NULL,
    CONSTRAINT beneficiaries_pkey PRIMARY KEY (account_id, livemode, id)
  )`;

/** What an account may pay out, in minor units. */
const RULES = `
  CREATE TABLE payout_rules (
    account_id     uuid    NOT NULL,
    livemode       boolean NOT NULL,
    currency       text    NOT NULL,
    single_limit   bigint,
    daily_limit    bigint,
    approval_above bigint,
    orders         bigint  NOT NULL DEFAULT 0,
    CONSTRAINT payout_rules_pkey PRIMARY KEY (account_id, livemode, currency),
    CONSTRAINT payout_rules_amounts CHECK (single_limit >= 0 AND daily_limit >= 0 AND approval_above >= 0)
  )`;

/** Payouts that needed a second person, and what that person decided. */
const APPROVALS = `
  CREATE TABLE payout_approvals (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    id         uuid        NOT NULL,
    made_by    uuid,
    decision   text,
    decided_by uuid,
    decided_at timestamptz,
    CONSTRAINT payout_approvals_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT payout_approvals_decision CHECK (decision IN ('approved', 'declined')),
    CONSTRAINT payout_approvals_two_people CHECK (decided_by IS DISTINCT FROM made_by OR decided_by IS NULL
      OR decision = 'declined'),
    CONSTRAINT payout_approvals_decided CHECK ((decision IS NULL) = (decided_by IS NULL)
      AND (decision IS NULL) = (decided_at IS NULL))
  )`;

/** Money to bank accounts: banks, whose an account is, what an account may pay out, and who approved it. */
export class Payouts1763000000057 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'banks', () => this.makeTables(db));
    await reword(db, ['transactions', 'type'], ['payout'], true);
    await reword(db, ['purchases', 'product'], ['payout'], true);
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    for (const table of [BANKS, RESOLUTIONS, BENEFICIARIES, RULES, APPROVALS]) await db.query(table);
    await db.query(
      `INSERT INTO banks (code, name, country, currency, kind, account_pattern)
       SELECT code, name, 'NG', 'NGN', kind, '^\\d{10}$'
         FROM jsonb_to_recordset($1) AS b(code text, name text, kind text)`,
      [JSON.stringify(banks)],
    );
    await db.query(`REVOKE INSERT ON banks, payout_rules FROM duka_app`);
    await db.query(`GRANT UPDATE (label, metadata, last_used_at, deleted_at, version) ON beneficiaries TO duka_app`);
    await db.query(`GRANT UPDATE (orders) ON payout_rules TO duka_app`);
    await db.query(`GRANT UPDATE (decision, decided_by, decided_at) ON payout_approvals TO duka_app`);
    await db.query(`CREATE INDEX bank_resolutions_by_account_number
      ON bank_resolutions (account_id, livemode, bank_code, account_number, id)`);
    await db.query(`INSERT INTO partitioned_tables (name, key_type, keep_months)
      VALUES ('bank_resolutions', 'uuid', 3)`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(`INSERT INTO fees (product, tier, currency, flat, basis_points, cap)
      VALUES ('payout', 'standard', 'NGN', 5000, 0, NULL)`);
    await db.query(`INSERT INTO provider_routes (product, network, livemode, provider, position)
      VALUES ('payout', '*', false, 'sandbox', 1), ('payout', '*', false, 'sandbox_backup', 2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM provider_routes WHERE product = 'payout'`);
    await db.query(`DELETE FROM fees WHERE product = 'payout'`);
    await reword(db, ['purchases', 'product'], ['payout'], false);
    await reword(db, ['transactions', 'type'], ['payout'], false);
    await db.query(`DROP TABLE payout_approvals, payout_rules, beneficiaries, bank_resolutions, banks`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'bank_resolutions'`);
  }
}
