import type { MigrationInterface, QueryRunner } from 'typeorm';

const PLATFORM = '00000000-0000-0000-0000-000000000000';

/** The slot of an account, and of what it made: the last twelve bits of its id. */
const SLOT_OF = `
  CREATE FUNCTION slot_of(id uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (get_byte(uuid_send(id), 14) & 15) * 256 + get_byte(uuid_send(id), 15) $$`;

/** Slots on their way to another cell, or from one: in each of both cells a row with the same id. */
const SLOT_MOVES = `
  CREATE TABLE slot_moves (
    id         uuid        NOT NULL,
    way        text        NOT NULL,
    slots      int4range   NOT NULL,
    other_cell text        NOT NULL,
    phase      text        NOT NULL DEFAULT 'copying',
    fenced_at  timestamptz,
    moved_at   timestamptz,
    ended_at   timestamptz,
    CONSTRAINT slot_moves_pkey PRIMARY KEY (id),
    CONSTRAINT slot_moves_way CHECK (way IN ('out', 'in')),
    CONSTRAINT slot_moves_phase CHECK (phase IN ('copying', 'fenced', 'handing', 'moved', 'ended'))
  )`;

/** By how much a move changed what `in_transit` is of the transfers to and from other cells. Minor units. */
const SLOT_MOVE_SUMS = `
  CREATE TABLE slot_move_sums (
    move_id  uuid    NOT NULL,
    currency text    NOT NULL,
    livemode boolean NOT NULL,
    amount   bigint  NOT NULL,
    CONSTRAINT slot_move_sums_pkey PRIMARY KEY (move_id, currency, livemode)
  )`;

/** Entries that came with a ledger account, up to a number: batches of another cell have sealed them. Minor units. */
const LEDGER_ARRIVALS = `
  CREATE TABLE ledger_arrivals (
    account_id        uuid   NOT NULL,
    ledger_account_id uuid   NOT NULL,
    through_seq       bigint NOT NULL,
    balance           bigint NOT NULL,
    move_id           uuid   NOT NULL,
    digest            bytea,
    CONSTRAINT ledger_arrivals_pkey PRIMARY KEY (account_id, ledger_account_id)
  )`;

/**
 * Stands before each table of accounts while a slot is copied. Arguments: the first slot, the last one, what becomes
 * of a row once the slot is fenced: `refuse`, `pass` over what the other cell writes by itself, or `account`, where the
 * row is one. The lock makes whoever fences wait for all who were let through.
 */
const FENCE = `
  CREATE FUNCTION fence_slot() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  DECLARE
    owner uuid;
    line record;
  BEGIN
    IF TG_OP = 'DELETE' THEN line := OLD; ELSE line := NEW; END IF;
    IF TG_ARGV[2] = 'account' THEN owner := line.id; ELSE owner := line.account_id; END IF;
    IF slot_of(owner) NOT BETWEEN TG_ARGV[0]::integer AND TG_ARGV[1]::integer OR owner = '${PLATFORM}'
       OR current_setting('duka.mover', true) = 'on' THEN
      RETURN line;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('duka fence', 0));
    IF NOT EXISTS (SELECT 1 FROM slot_moves m WHERE m.way = 'out' AND m.fenced_at IS NOT NULL AND m.ended_at IS NULL
                      AND slot_of(owner) <@ m.slots) THEN
      RETURN line;
    END IF;
    IF TG_ARGV[2] = 'pass' AND TG_OP = 'INSERT' THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the slot of the account is just moving to another cell' USING ERRCODE = 'DK001';
  END $$`;

/**
 * Slots whose rows running processes do not see: those that are still on their way here, and those that others keep by
 * now. For policies, which there are while a slot is copied.
 */
const HIDDEN_SLOTS = `
  CREATE FUNCTION hidden_slots() RETURNS int4multirange LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
    SELECT coalesce(range_agg(slots), '{}') FROM slot_moves
     WHERE ended_at IS NULL AND ((way = 'in' AND moved_at IS NULL) OR (way = 'out' AND phase = 'moved')) $$`;

export class SlotMoves1763000000107 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(SLOT_OF);
    await db.query(SLOT_MOVES);
    await db.query(SLOT_MOVE_SUMS);
    await db.query(LEDGER_ARRIVALS);
    await db.query(FENCE);
    await db.query(HIDDEN_SLOTS);
    await db.query(`REVOKE INSERT ON slot_moves, slot_move_sums, ledger_arrivals FROM duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION fence_slot, hidden_slots`);
    await db.query(`DROP TABLE ledger_arrivals, slot_move_sums, slot_moves`);
    await db.query(`DROP FUNCTION slot_of`);
  }
}
