import type { MigrationInterface, QueryRunner } from 'typeorm';

const CUSTOMERS = `
  CREATE TABLE customers (
    account_id      uuid        NOT NULL,
    livemode        boolean     NOT NULL,
    id              uuid        NOT NULL,
    first_name      text        NOT NULL,
    last_name       text        NOT NULL,
    email           text        NOT NULL,
    phone           text        NOT NULL,
    date_of_birth   text        NOT NULL,
    address         jsonb       NOT NULL,
    identity_type   text        NOT NULL,
    identity_number bytea       NOT NULL,
    identity_masked text        NOT NULL,
    metadata        jsonb       NOT NULL DEFAULT '{}',
    updated_at      timestamptz NOT NULL,
    CONSTRAINT customers_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT customers_date_of_birth CHECK (date_of_birth ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')
  )`;

// No number and no CVV: sandbox numbers follow from the id, live ones stay with the issuer.
const CARDS = `
  CREATE TABLE cards (
    account_id       uuid        NOT NULL,
    livemode         boolean     NOT NULL,
    id               uuid        NOT NULL,
    customer_id      uuid        NOT NULL,
    wallet_id        uuid        NOT NULL,
    transaction_id   uuid        NOT NULL,
    brand            text        NOT NULL,
    currency         text        NOT NULL,
    status           text        NOT NULL,
    status_reason    text,
    issuer           text        NOT NULL,
    issuer_options   jsonb       NOT NULL,
    issuer_reference text,
    issuer_behind    boolean     NOT NULL DEFAULT false,
    last4            text,
    exp_month        integer,
    exp_year         integer,
    expires_at       timestamptz,
    name_on_card     text        NOT NULL,
    billing_address  jsonb       NOT NULL,
    spending_controls jsonb      NOT NULL,
    authorizations   bigint      NOT NULL DEFAULT 0,
    declines         integer     NOT NULL DEFAULT 0,
    warn_at          integer,
    terminate_at     integer,
    label            text,
    metadata         jsonb       NOT NULL DEFAULT '{}',
    reference        text,
    checks           integer     NOT NULL DEFAULT 0,
    next_check_at    timestamptz,
    request_id       uuid,
    idempotency_key  text,
    updated_at       timestamptz NOT NULL,
    CONSTRAINT cards_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT cards_brand CHECK (brand IN ('visa', 'mastercard')),
    CONSTRAINT cards_status CHECK (status IN ('pending', 'active', 'failed', 'frozen', 'blocked', 'terminated',
      'expired')),
    CONSTRAINT cards_declines_not_negative CHECK (declines >= 0),
    CONSTRAINT cards_last4_only CHECK (last4 ~ '^[0-9]{4}$'),
    CONSTRAINT cards_issued CHECK (status IN ('pending', 'failed')
      OR num_nulls(last4, exp_month, exp_year, expires_at, issuer_reference) = 0)
  ) WITH (fillfactor = 80)`;

const TRANSITIONS = `
  CREATE TABLE card_transitions (
    account_id  uuid        NOT NULL,
    livemode    boolean     NOT NULL,
    id          uuid        NOT NULL,
    card_id     uuid        NOT NULL,
    from_status text,
    to_status   text        NOT NULL,
    actor       text        NOT NULL,
    actor_id    text,
    reason      text,
    CONSTRAINT card_transitions_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT card_transitions_actor CHECK (actor IN ('account', 'operator', 'issuer', 'policy', 'clock'))
  ) PARTITION BY RANGE (id)`;

// `mcc`: only columns can be read from an index alone, and to add one that is stored rewrites the table.
const CARD_TRANSACTIONS = `
  CREATE TABLE card_transactions (
    account_id       uuid        NOT NULL,
    livemode         boolean     NOT NULL,
    id               uuid        NOT NULL,
    card_id          uuid        NOT NULL,
    type             text        NOT NULL,
    status           text        NOT NULL,
    amount           bigint      NOT NULL,
    cleared          bigint      NOT NULL DEFAULT 0,
    released         bigint      NOT NULL DEFAULT 0,
    refunded         bigint      NOT NULL DEFAULT 0,
    currency         text        NOT NULL,
    merchant         jsonb,
    decline_reason   text,
    original_id      uuid,
    issuer_reference text,
    made_at          timestamptz NOT NULL,
    expires_at       timestamptz,
    settled_at       timestamptz,
    next_check_at    timestamptz,
    request_id       uuid,
    idempotency_key  text,
    updated_at       timestamptz NOT NULL,
    mcc              text        GENERATED ALWAYS AS (left(merchant ->> 'mcc', 4)) STORED,
    CONSTRAINT card_transactions_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT card_transactions_type CHECK (type IN ('authorization', 'refund', 'fee')),
    CONSTRAINT card_transactions_status CHECK (status IN ('authorized', 'settled', 'voided', 'expired', 'declined',
      'refunded')),
    CONSTRAINT card_transactions_amounts 
      CHECK (amount > 0 AND cleared >= 0 AND released >= 0 AND cleared + released <= amount AND refunded >= 0
        AND refunded <= cleared),
    CONSTRAINT card_transactions_declined CHECK ((status = 'declined') = (decline_reason IS NOT NULL))
  ) WITH (fillfactor = 80)`;

const CLEARINGS = `
  CREATE TABLE card_clearings (
    account_id          uuid    NOT NULL,
    livemode            boolean NOT NULL,
    id                  uuid    NOT NULL,
    card_id             uuid    NOT NULL,
    card_transaction_id uuid    NOT NULL,
    kind                text    NOT NULL,
    amount              bigint  NOT NULL,
    issuer_reference    text,
    CONSTRAINT card_clearings_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT card_clearings_kind CHECK (kind IN ('clearing', 'void', 'expiry', 'refund')),
    CONSTRAINT card_clearings_amount_positive CHECK (amount > 0)
  ) PARTITION BY RANGE (id)`;

const REVEALS = `
  CREATE TABLE card_reveals (
    account_id uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    id         uuid        NOT NULL,
    card_id    uuid        NOT NULL,
    token_hash bytea       NOT NULL,
    key_id     uuid,
    request_id uuid,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    used_from  text,
    CONSTRAINT card_reveals_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT card_reveals_token_is_sha256 CHECK (octet_length(token_hash) = 32)
  )`;

const PARTITIONED = ['card_transitions', 'card_clearings'];
const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Cardholders, their virtual cards, and what happens to these. */
export class Cards1763000000014 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    for (const table of [CUSTOMERS, CARDS, TRANSITIONS, CARD_TRANSACTIONS, CLEARINGS, REVEALS]) await db.query(table);
    await db.query(`CREATE INDEX cards_by_customer ON cards (account_id, customer_id, id)`);
    await db.query(`CREATE INDEX cards_due ON cards (next_check_at) WHERE next_check_at IS NOT NULL`);
    await db.query(`CREATE INDEX card_transitions_by_card ON card_transitions (account_id, card_id, id)`);
    await db.query(`CREATE INDEX card_transactions_by_card ON card_transactions (account_id, card_id, id)`);
    await db.query(`
      CREATE UNIQUE INDEX card_transactions_by_issuer ON card_transactions (account_id, livemode, card_id,
        issuer_reference) WHERE issuer_reference IS NOT NULL`);
    await db.query(
      `CREATE INDEX card_transactions_due ON card_transactions (next_check_at) WHERE next_check_at IS NOT NULL`,
    );
    await db.query(
      `CREATE INDEX card_clearings_by_transaction ON card_clearings (account_id, card_transaction_id, id)`,
    );
    await db.query(`CREATE INDEX card_reveals_by_token ON card_reveals (token_hash)`);
    await db.query(`GRANT UPDATE ON customers, cards, card_transactions, card_reveals TO duka_app`);
    await db.query(
      `INSERT INTO partitioned_tables (name, key_type) SELECT unnest(ARRAY[${list(PARTITIONED)}]), 'uuid'`,
    );
    await db.query(`SELECT ensure_monthly_partitions(2)`);
    await db.query(
      `INSERT INTO fees (product, tier, currency, flat, basis_points, cap)
        VALUES ('card_issue', 'standard', 'USD', 100, 0, NULL)`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM fees WHERE product LIKE 'card\\_%'`);
    await db.query(`DROP TABLE card_reveals, card_clearings, card_transactions, card_transitions, cards, customers`);
    await db.query(`DELETE FROM partitioned_tables WHERE name IN (${list(PARTITIONED)})`);
  }
}
