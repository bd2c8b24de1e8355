import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Runs of `verify:ledger`. `checks`: how many there are; `results`: those that are done; `lease`: of the worker that is
 * at it, good until `leased_until`; `failure`: why a run ended without a result.
 */
const VERIFICATIONS = `
  CREATE TABLE ledger_verifications (
    id           uuid        NOT NULL,
    source       text        NOT NULL,
    person       text,
    started_at   timestamptz,
    ended_at     timestamptz,
    attempts     integer     NOT NULL DEFAULT 0,
    lease        uuid,
    leased_until timestamptz,
    checks       integer     NOT NULL,
    doing        text,
    results      jsonb       NOT NULL DEFAULT '[]',
    failure      text,
    CONSTRAINT ledger_verifications_pkey PRIMARY KEY (id),
    CONSTRAINT ledger_verifications_source CHECK (source IN ('dashboard', 'command')),
    CONSTRAINT ledger_verifications_failure CHECK (failure IS NULL OR ended_at IS NOT NULL)
  )`;

/**
 * Lists of plans that operators had a provider asked for. `dry_run`: only looked at; `max_move`: in basis points,
 * nothing is imported when a price would move by more; `outcome`: what was changed, or would be; `leased_until`: until
 * then a worker is at it.
 */
const SYNCS = `
  CREATE TABLE catalogue_syncs (
    id           uuid        NOT NULL,
    provider     text        NOT NULL,
    person       text        NOT NULL,
    dry_run      boolean     NOT NULL,
    max_move     integer,
    started_at   timestamptz,
    ended_at     timestamptz,
    leased_until timestamptz,
    outcome      jsonb,
    failure      text,
    CONSTRAINT catalogue_syncs_pkey PRIMARY KEY (id),
    CONSTRAINT catalogue_syncs_ended CHECK (num_nonnulls(outcome, failure) = num_nonnulls(ended_at))
  )`;

/** What operators have workers do: the books proven, and lists of providers brought into the catalogue. */
export class OperatorsRuns1763000000096 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(VERIFICATIONS);
    // One at a time, whoever orders it at the same moment.
    await db.query(`
      CREATE UNIQUE INDEX ledger_verifications_open ON ledger_verifications ((ended_at IS NULL))
       WHERE ended_at IS NULL`);
    await db.query(`GRANT UPDATE (started_at, ended_at, attempts, lease, leased_until, checks, doing, results, failure)
      ON ledger_verifications TO duka_app`);
    await db.query(SYNCS);
    await db.query(`CREATE UNIQUE INDEX catalogue_syncs_open ON catalogue_syncs (provider) WHERE ended_at IS NULL`);
    await db.query(
      `GRANT UPDATE (started_at, ended_at, leased_until, outcome, failure) ON catalogue_syncs TO duka_app`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE ledger_verifications, catalogue_syncs`);
  }
}
