import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Our money at live providers, as they told it last, and below which they are not asked. Minor units. */
const FLOATS = `
  CREATE TABLE provider_floats (
    provider text NOT NULL,
    currency text NOT NULL,
    balance  bigint,
    at       timestamptz,
    floor    bigint,
    CONSTRAINT provider_floats_pkey PRIMARY KEY (provider, currency),
    CONSTRAINT provider_floats_told CHECK ((balance IS NULL) = (at IS NULL)),
    CONSTRAINT provider_floats_floor CHECK (floor >= 0)
  )`;

/** What went to a provider by other ways than sales: each once, by its reference. Minor units. */
const MOVEMENTS = `
  CREATE TABLE float_movements (
    id         uuid    NOT NULL,
    provider   text    NOT NULL,
    currency   text    NOT NULL,
    livemode   boolean NOT NULL,
    amount     bigint  NOT NULL,
    reference  text    NOT NULL,
    person     text    NOT NULL,
    reason     text    NOT NULL,
    CONSTRAINT float_movements_pkey PRIMARY KEY (id),
    CONSTRAINT float_movements_once UNIQUE (provider, livemode, reference),
    CONSTRAINT float_movements_amount CHECK (amount <> 0)
  )`;

/** What a statement and the books say differently of a reference, until somebody explains it. Minor units. */
const DIFFERENCES = `
  CREATE TABLE provider_differences (
    id          uuid        NOT NULL,
    provider    text        NOT NULL,
    currency    text        NOT NULL,
    kind        text        NOT NULL,
    reference   text        NOT NULL,
    transaction text,
    ours        bigint      NOT NULL,
    theirs      bigint      NOT NULL,
    found_at    timestamptz NOT NULL DEFAULT now(),
    resolved_at timestamptz,
    person      text,
    reason      text,
    CONSTRAINT provider_differences_pkey PRIMARY KEY (id),
    CONSTRAINT provider_differences_once UNIQUE (provider, currency, kind, reference),
    CONSTRAINT provider_differences_kind CHECK (kind IN ('not_in_books', 'not_in_statement', 'amount')),
    CONSTRAINT provider_differences_explained CHECK (num_nulls(resolved_at, person, reason) IN (0, 3))
  )`;

export class ProviderFloats1763000000075 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(FLOATS);
    await db.query(`GRANT UPDATE ON provider_floats TO duka_app`);
    await db.query(MOVEMENTS);
    await db.query(DIFFERENCES);
    await db.query(`GRANT UPDATE ON provider_differences TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE provider_differences, float_movements, provider_floats`);
  }
}
