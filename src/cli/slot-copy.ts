import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { isTransient } from '../core/database/unit-of-work';
import { CannotStart } from '../core/errors/cannot-start';
import { PLATFORM_ACCOUNT_ID } from '../modules/ledger/posting';

/** Slots, the last one included. */
export interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** A table of what accounts have. The last one is that of accounts: by it the others are found. */
interface Table {
  readonly name: string;
  /** Whose row it is. */
  readonly owner: 'id' | 'account_id';
}

/** Sealed where it was made: it stays, beside its copy. */
const KEPT: ReadonlySet<string> = new Set(['ledger_accounts', 'ledger_entries', 'credit_lines']);

/** The other cell writes these by itself, of what it gets. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'webhook_deliveries',
  'webhook_attempts',
  'request_log',
  'request_exchanges',
  'provider_exchanges',
]);

const NAME = 'duka_move';
const COPIED_WITHIN_MS = 24 * 3_600_000;
const CAUGHT_UP_WITHIN_MS = 10_000;
const POLL_MS = 10;
/** Of each lock of a table; who cannot have it makes room, and tries again. */
const LOCK_TIMEOUT = '500ms';
const LOCK_TRIES = 200;

const TABLES = `
  SELECT c.relname AS name, a.attname AS owner FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     AND a.attname = CASE c.relname WHEN 'accounts' THEN 'id' ELSE 'account_id' END
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relname <> 'ledger_arrivals' ORDER BY c.relname = 'accounts', c.relname`;

/** Months of tables, and how each is made as `ensure_monthly_partitions` makes those to come. `$1`: names of tables. */
const MONTHS = `
  SELECT format(
           'DO $do$ BEGIN
              PERFORM pg_advisory_xact_lock(hashtext(''ensure_monthly_partitions''));
              IF to_regclass(%1$L) IS NULL THEN
                CREATE TABLE %1$I (LIKE %2$I INCLUDING ALL) WITH (fillfactor = %3$s);
                ALTER TABLE %2$I ATTACH PARTITION %1$I %4$s;
              END IF;
            END $do$', c.relname, t.name, t.fillfactor, pg_get_expr(c.relpartbound, c.oid)) AS made
    FROM partitioned_tables t JOIN pg_inherits i ON i.inhparent = to_regclass(t.name)
    JOIN pg_class c ON c.oid = i.inhrelid
   WHERE t.name = ANY ($1) ORDER BY c.relname`;

/** Of a publication: only what PostgreSQL brings with it. As `slot_of`. */
const isOf = (column: string, { from, to }: SlotRange): string => `
  (get_byte(uuid_send(${column}), 14) & 15) * 256 + get_byte(uuid_send(${column}), 15) BETWEEN ${from} AND ${to}
  AND ${column} <> '${PLATFORM_ACCOUNT_ID}'`;

/** Copies what the accounts of some slots have to another database, and follows what changes until it is cut off. */
export class SlotCopy {
  private tables: readonly Table[] = [];

  constructor(
    private readonly source: Client,
    private readonly target: Client,
    private readonly slots: SlotRange,
  ) {}

  async open(): Promise<this> {
    this.tables = (await this.source.query<Table>(TABLES)).rows;
    return this;
  }

  /** From now on whoever writes asks whether the slots are fenced, and rows that are on their way are not seen. */
  async guard(): Promise<void> {
    for (const table of this.tables) {
      await patiently(this.target, hide(table));
      await patiently(this.source, `${hide(table)}; ${this.fence(table)}`);
    }
  }

  /** Until all rows are there. `followed`: the source, as the target reaches it. */
  async begin(followed: string, progress: (copied: number, of: number) => unknown): Promise<void> {
    await this.guard();
    await this.makeMonths();
    const published = this.tables.map(({ name, owner }) => `${name} WHERE (${isOf(owner, this.slots)})`);
    await this.source.query(
      `CREATE PUBLICATION ${NAME} FOR TABLE ${published.join(', ')} WITH (publish_via_partition_root = true)`,
    );
    const { rows } = await this.target.query<{ text: string }>(
      `SELECT format('CREATE SUBSCRIPTION ${NAME} CONNECTION %L PUBLICATION ${NAME} WITH (synchronous_commit = on)',
                     $1::text) AS text`,
      [followed],
    );
    await this.target.query(rows[0]!.text);
    await this.untilCopied(progress);
  }

  /** Until the target has everything that the source has written by now. */
  async catchUp(): Promise<void> {
    // A commit that is waited for brings those before it to disk, which may not have been: only then it is sent.
    await this.source.query(`SET synchronous_commit = on; UPDATE slot_moves SET phase = phase WHERE ended_at IS NULL`);
    const { rows } = await this.source.query<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
    const reached = `SELECT confirmed_flush_lsn >= $1 AS there FROM pg_replication_slots WHERE slot_name = '${NAME}'`;
    for (const deadline = Date.now() + CAUGHT_UP_WITHIN_MS; ; await sleep(POLL_MS)) {
      const slot = await this.source.query<{ there: boolean }>(reached, [rows[0]!.lsn]);
      if (slot.rows[0]?.there) return;
      if (Date.now() > deadline) throw new CannotStart('The other cell does not follow: see the log of its server.');
    }
  }

  /** Number of rows. Throws `CannotStart` where the two differ. */
  async compare(accounts: readonly string[]): Promise<number> {
    const [here, there] = await Promise.all([this.digests(this.source, accounts), this.digests(this.target, accounts)]);
    const different = here.flatMap((one, i) =>
      one.digest === there[i]!.digest && one.rows === there[i]!.rows ? [] : one.name,
    );
    if (different.length > 0) throw new CannotStart(`The copy differs in ${different.join(', ')}: nothing was moved.`);
    return here.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Ends the copying; both keep what they have. */
  async cutOff(): Promise<void> {
    await this.target.query(`DROP SUBSCRIPTION IF EXISTS ${NAME}`);
    await this.source.query(`DROP PUBLICATION IF EXISTS ${NAME}`);
  }

  /** What went, but for what is sealed: that is nobody's any more. */
  async removeFromSource(accounts: readonly string[]): Promise<void> {
    await this.source.query(
      `UPDATE ledger_accounts SET status = 'moved', freeze_direction = NULL, freeze_reason = NULL, frozen_until = NULL
        WHERE account_id = ANY ($1)`,
      [accounts],
    );
    for (const { name, owner } of this.tables)
      if (!KEPT.has(name)) await this.source.query(`DELETE FROM ${name} WHERE ${owner} = ANY ($1)`, [accounts]);
  }

  /** What a move that came to nothing left. */
  async removeFromTarget(accounts: readonly string[]): Promise<void> {
    for (const { name, owner } of this.tables)
      await this.target.query(`DELETE FROM ${name} WHERE ${owner} = ANY ($1)`, [accounts]);
  }

  /** Nothing stands between the tables and their users any more. */
  async clear(): Promise<void> {
    for (const { name } of this.tables) {
      await patiently(this.source, `DROP TRIGGER IF EXISTS ${NAME} ON ${name}`);
      for (const client of [this.source, this.target])
        await patiently(
          client,
          `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY; DROP POLICY IF EXISTS ${NAME} ON ${name}`,
        );
    }
  }

  /** An account may have rows of months before the target began. */
  private async makeMonths(): Promise<void> {
    const { rows } = await this.source.query<{ made: string }>(MONTHS, [this.tables.map(({ name }) => name)]);
    for (const { made } of rows) await patiently(this.target, made);
  }

  private fence({ name, owner }: Table): string {
    const what = owner === 'id' ? 'account' : PASSED_OVER.has(name) ? 'pass' : 'refuse';
    return `
      CREATE OR REPLACE TRIGGER ${NAME} BEFORE INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW
        EXECUTE FUNCTION fence_slot(${this.slots.from}, ${this.slots.to}, '${what}')`;
  }

  private async untilCopied(progress: (copied: number, of: number) => unknown): Promise<void> {
    const count = `
      SELECT count(*) FILTER (WHERE srsubstate = 'r')::int AS copied, count(*)::int AS of FROM pg_subscription_rel
        JOIN pg_subscription s ON s.oid = srsubid WHERE subname = '${NAME}'`;
    let last = -1;
    for (const deadline = Date.now() + COPIED_WITHIN_MS; ; await sleep(10 * POLL_MS)) {
      const { copied, of } = (await this.target.query<{ copied: number; of: number }>(count)).rows[0]!;
      if (copied !== last) await progress(copied, of);
      last = copied;
      if (copied === of) return;
      if (Date.now() > deadline) throw new CannotStart('The copy did not end within a day.');
    }
  }

  private async digests(client: Client, accounts: readonly string[]) {
    const each = this.tables.map(
      ({ name, owner }) => `
      SELECT '${name}' AS name, count(*)::int AS rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS digest
        FROM ${name} t WHERE ${owner} = ANY ($1)`,
    );
    const { rows } = await client.query<{ name: string; rows: number; digest: string }>(each.join(' UNION ALL '), [
      accounts,
    ]);
    return rows;
  }
}

const hide = ({ name, owner }: Table): string => `
  DROP POLICY IF EXISTS ${NAME} ON ${name};
  CREATE POLICY ${NAME} ON ${name} USING (${owner} = '${PLATFORM_ACCOUNT_ID}'
    OR NOT slot_of(${owner}) <@ (SELECT hidden_slots()));
  ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`;

/** Locks a table for a moment, without others behind it for long. */
async function patiently(client: Client, statements: string): Promise<void> {
  for (let left = LOCK_TRIES; ; left--) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'; ${statements}; COMMIT`);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!isTransient(error) || left === 1) throw error;
      await sleep(Math.random() * 500);
    }
  }
}
