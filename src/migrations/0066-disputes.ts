import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain, once, reword } from './online';

const DISPUTES = `
  CREATE TABLE disputes (
    account_id          uuid        NOT NULL,
    livemode            boolean     NOT NULL,
    id                  uuid        NOT NULL,
    card_id             uuid        NOT NULL,
    card_transaction_id uuid        NOT NULL,
    status              text        NOT NULL,
    amount              bigint      NOT NULL,
    currency            text        NOT NULL,
    reason              text        NOT NULL,
    evidence            jsonb       NOT NULL,
    issuer              text        NOT NULL,
    issuer_reference    text,
    provisional_credit  bigint,
    withdrawal          text,
    failure             jsonb,
    reference           text,
    metadata            jsonb       NOT NULL,
    attempts            integer     NOT NULL,
    checks              integer     NOT NULL,
    next_check_at       timestamptz,
    review              text,
    reviews             integer     NOT NULL,
    version             integer     NOT NULL,
    request_id          uuid,
    idempotency_key     text,
    updated_at          timestamptz NOT NULL,
    resolved_at         timestamptz,
    CONSTRAINT disputes_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT disputes_status CHECK (status IN ('open', 'under_review', 'won', 'lost', 'withdrawn')),
    CONSTRAINT disputes_amounts CHECK (amount > 0 AND provisional_credit > 0 AND provisional_credit <= amount),
    CONSTRAINT disputes_reason CHECK (reason IN ('fraudulent', 'not_received', 'duplicate',
      'incorrect_amount', 'cancelled', 'defective', 'other')),
    CONSTRAINT disputes_withdrawal CHECK (withdrawal IN ('requested', 'refused')),
    CONSTRAINT disputes_ended CHECK ((status IN ('won', 'lost', 'withdrawn')) = (resolved_at IS NOT NULL))
  ) WITH (fillfactor = 80)`;

/** What the sandbox's issuer was told is in dispute. */
const SANDBOX = `
  CREATE TABLE sandbox_disputes (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL DEFAULT false,
    reference  uuid        NOT NULL,
    scenario   text        NOT NULL,
    amount     bigint      NOT NULL,
    asked      integer     NOT NULL,
    withdrawn  integer     NOT NULL DEFAULT 0,
    ready_at   timestamptz NOT NULL,
    CONSTRAINT sandbox_disputes_pkey PRIMARY KEY (account_id, reference),
    CONSTRAINT sandbox_disputes_test_only CHECK (NOT livemode)
  )`;

const WORDS: readonly (readonly [readonly [string, string], readonly string[]])[] = [
  [
    ['card_transactions', 'type'],
    ['dispute_credit', 'dispute_reversal'],
  ],
  [
    ['issuer_calls', 'call'],
    ['dispute', 'find_dispute', 'withdraw_dispute'],
  ],
  [
    ['issuer_calls', 'outcome'],
    ['under_review', 'won', 'lost', 'withdrawn'],
  ],
  [['review_verdicts', 'resource'], ['dsp']],
];

/** What was paid by card and is not accepted: disputes, what they moved on cards, and who decided about them. */
export class Disputes1763000000066 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'disputes', () => this.makeTables(db));
    await db.query(`
      ALTER TABLE card_transactions
        ADD COLUMN IF NOT EXISTS disputed bigint NOT NULL DEFAULT 0, ADD COLUMN IF NOT EXISTS dispute_id uuid`);
    await constrain(db, 'card_transactions', { card_transactions_disputed: 'disputed >= 0 AND disputed <= cleared' });
    for (const [column, words] of WORDS) await reword(db, column, words, true);
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    for (const table of [DISPUTES, SANDBOX]) await db.query(table);
    await db.query(`CREATE INDEX disputes_due ON disputes (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(
      `CREATE INDEX disputes_by_card_transaction ON disputes (account_id, livemode, card_transaction_id, id)`,
    );
    await db.query(`CREATE INDEX disputes_by_card ON disputes (account_id, livemode, card_id, id)`);
    await db.query(`CREATE INDEX disputes_in_review ON disputes (account_id, id) WHERE review IS NOT NULL`);
    await db.query(`GRANT UPDATE ON disputes, sandbox_disputes TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [column, words] of WORDS) await reword(db, column, words, false);
    await db.query(`ALTER TABLE card_transactions DROP COLUMN disputed, DROP COLUMN dispute_id`);
    await db.query(`DROP TABLE sandbox_disputes, disputes`);
  }
}
