import { setTimeout as sleep } from 'node:timers/promises';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Client } from 'pg';
import { AppModule } from '../app.module';
import { LOCK_SLOTS } from '../core/cells/cells';
import { changeDatabaseUrl } from '../core/config/database-url';
import { Env } from '../core/config/env';
import { asOwner, clientConfig } from '../core/database/options';
import { connected } from '../core/database/primary-client';
import { isTransient, retryTransient } from '../core/database/unit-of-work';
import { CannotStart } from '../core/errors/cannot-start';
import { newId } from '../core/http/ids';
import { closeApp } from '../core/process/lifetime';
import { entriesThrough } from '../modules/ledger/ledger-checks';
import { PLATFORM_ACCOUNT_ID } from '../modules/ledger/posting';
import { Relay } from '../modules/webhooks/relay.service';
import { type Side, SlotBooks } from './slot-books';
import { SlotCopy, type SlotRange } from './slot-copy';

/** Which slots go where. Addresses are those of databases, for the owner of each. */
export interface SlotMove {
  readonly slots: SlotRange;
  readonly source: string;
  readonly target: string;
  readonly control: string;
  /** The source as the server of the target reaches it, for a login that may replicate. */
  readonly followed: string;
}

/** What came of a move. */
export interface MoveReport {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly accounts: number;
  readonly rows: number;
  /** From the first write that was refused until the other cell takes them. */
  readonly pauseMs: number;
}

/** How far a move is; from `handing` on it only goes on. */
type Phase = 'copying' | 'fenced' | 'handing' | 'moved' | 'ended';

/** Longer than a transaction of a request takes: nobody waits for whoever is at it for longer. */
const FENCE_TIMEOUT = '1s';
const FENCE_TRIES = 20;
const TOLD_WITHIN_MS = 10_000;
/** Until every process has read the table of slots, and has answered what it began before. */
const SETTLED_AFTER_MS = 3_000;
const POLL_MS = 10;

/**
 * Moves the accounts of some slots to another cell, with all that they have, while both cells work. Writes are refused
 * for a moment, with 503; what is asked again is answered by the other cell. Nothing is deleted before that. A move
 * that was interrupted is undone by the next call or, if the other cell had been about to take over, ended.
 */
export class CellMove {
  private readonly apps = new Map<Side, INestApplicationContext>();
  private readonly names = { source: '', target: '' };
  private id = '';
  private startedAt = new Date();

  private constructor(
    private readonly env: Env,
    private readonly move: SlotMove,
    private readonly clients: Readonly<Record<Side | 'control', Client>>,
    private readonly copy: SlotCopy,
    private readonly say: (line: string) => unknown,
  ) {}

  /** Throws `CannotStart`: then the slots are where they were. */
  static run(env: Env, move: SlotMove, say: (line: string) => unknown = () => undefined): Promise<MoveReport> {
    const to = <T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> =>
      connected(clientConfig(Object.assign(new Env(), env, { DATABASE_URL: databaseUrl }), 'owner'), async (client) => {
        // Past its own fence, and the same text of a row on both sides.
        await client.query(`SET duka.mover = on; SET timezone = UTC`);
        return work(client);
      });
    return to(move.source, (source) =>
      to(move.target, (target) =>
        to(move.control, async (control) => {
          const copy = await new SlotCopy(source, target, move.slots).open();
          const mover = new CellMove(env, move, { source, target, control }, copy, say);
          try {
            return await mover.run();
          } finally {
            for (const app of mover.apps.values()) await closeApp(app);
          }
        }),
      ),
    );
  }

  private async run(): Promise<MoveReport> {
    await this.inspect();
    for (const side of ['source', 'target'] as const) this.apps.set(side, await this.app(side));
    const begun = await this.unfinished();
    if (begun === 'handing' || begun === 'moved') {
      this.say('A move of these slots was interrupted; it goes on.');
      const accounts = await this.accounts();
      return this.finish(accounts, { rows: 0, pauseMs: await this.hand(accounts, Date.now()) });
    }
    if (begun !== null) await this.undo();
    try {
      await this.begin();
      await this.copy.begin(this.move.followed, (copied, of) => this.say(`${copied} of ${of} tables are copied`));
      return await this.cut();
    } catch (error) {
      const phase = await this.unfinished();
      if (phase === 'copying' || phase === 'fenced') await this.undo();
      throw error;
    }
  }

  /** Throws `CannotStart` where the move makes no sense. */
  private async inspect(): Promise<void> {
    const { from, to } = this.move.slots;
    const named = { source: await this.nameOf('source'), target: await this.nameOf('target') };
    Object.assign(this.names, named);
    const { rows } = await this.clients.control.query<{ name: string; keeps: boolean; controls: boolean }>(
      `SELECT name, slots @> int4range($1, $2, '[]') AS keeps,
              is_control AND name = (SELECT name FROM this_cell) AS controls FROM cells`,
      [from, to],
    );
    const of = (name: string) => rows.find((row) => row.name === name);
    if (!rows.some(({ controls }) => controls))
      throw new CannotStart('--control is not the database of the control cell.');
    if (!of(named.target)) throw new CannotStart(`The control cell knows no cell ${named.target}: see cell:add.`);
    if (named.source === named.target) throw new CannotStart('These slots are to go where they are.');
    const isUnfinished = (await this.unfinished()) !== null;
    await this.requireAlone();
    if (!isUnfinished && !of(named.source)?.keeps)
      throw new CannotStart(`The cell ${named.source} does not keep all of these slots: see cell:list.`);
    const [here, there] = await Promise.all(
      (['source', 'target'] as const).map(async (side) => {
        const found = await this.clients[side].query<{ last: string; level: string }>(
          `SELECT max(timestamp)::text AS last, current_setting('wal_level') AS level FROM schema_migrations`,
        );
        return found.rows[0]!;
      }),
    );
    if (here!.last !== there!.last) throw new CannotStart('The two databases are of different releases: migrate both.');
    if (here!.level !== 'logical')
      throw new CannotStart(`The server of ${named.source} needs wal_level = logical to be followed.`);
    const came = await this.clients.target.query(
      `SELECT 1 FROM ledger_accounts WHERE status = 'moved' AND slot_of(account_id) BETWEEN $1 AND $2 LIMIT 1`,
      [from, to],
    );
    if (came.rowCount! > 0)
      throw new CannotStart(`${named.target} kept accounts of these slots before, and has sealed their entries.`);
  }

  /** What hides and copies rows bears one name in a database, and there is one of it: it is of one move at a time. */
  private async requireAlone(): Promise<void> {
    for (const side of ['source', 'target'] as const) {
      const { rows } = await this.clients[side].query<{ free: boolean; other: boolean }>(
        `SELECT pg_try_advisory_lock(hashtextextended('duka move', 0)) AS free,
                EXISTS (SELECT 1 FROM slot_moves WHERE ended_at IS NULL AND id::text <> $1) AS other`,
        [this.id],
      );
      if (!rows[0]!.free) throw new CannotStart(`A move of slots of ${this.names[side]} is under way.`);
      if (rows[0]!.other)
        throw new CannotStart(`Another move of slots of ${this.names[side]} has not ended: call that one again first.`);
    }
  }

  private async nameOf(side: Side): Promise<string> {
    const { rows } = await this.clients[side].query<{ name: string }>('SELECT name FROM this_cell');
    if (!rows[0]) throw new CannotStart(`The ${side} database is no cell: see cell:init and cell:join.`);
    return rows[0].name;
  }

  /** Throws `CannotStart` where another move is under way. Null: none is. */
  private async unfinished(): Promise<Phase | null> {
    const { from, to } = this.move.slots;
    const { rows } = await this.clients.source.query<{ id: string; phase: Phase; at: Date; same: boolean }>(
      `SELECT id, phase, coalesce(fenced_at, now()) AS at,
              slots = int4range($1, $2, '[]') AND other_cell = $3 AS same
         FROM slot_moves WHERE way = 'out' AND ended_at IS NULL`,
      [from, to, this.names.target],
    );
    if (!rows[0]) return null;
    if (!rows[0].same) throw new CannotStart('Another move from this cell has not ended: call it again first.');
    this.id = rows[0].id;
    this.startedAt = rows[0].at;
    return rows[0].phase;
  }

  private async begin(): Promise<void> {
    this.id = newId();
    const { from, to } = this.move.slots;
    for (const [side, way, other] of [
      // The next call looks there.
      ['source', 'out', this.names.target],
      ['target', 'in', this.names.source],
    ] as const)
      await this.clients[side].query(
        `INSERT INTO slot_moves (id, way, slots, other_cell) VALUES ($1, $2, int4range($3, $4, '[]'), $5)`,
        [this.id, way, from, to, other],
      );
  }

  private async cut(): Promise<MoveReport> {
    await this.copy.catchUp();
    const began = await this.fence();
    const accounts = await this.accounts();
    await this.copy.catchUp();
    const rows = await this.copy.compare(accounts);
    await this.setPhase('handing');
    return this.finish(accounts, { rows, pauseMs: await this.hand(accounts, began) });
  }

  /** From now on nobody writes anything of these accounts; who was about to has ended. When that began. */
  private async fence(): Promise<number> {
    const { source } = this.clients;
    for (let left = FENCE_TRIES; ; left--) {
      const began = Date.now();
      try {
        await source.query(`BEGIN; SET LOCAL lock_timeout = '${FENCE_TIMEOUT}'`);
        await source.query(`SELECT pg_advisory_xact_lock(hashtextextended('duka fence', 0))`);
        const { rows } = await source.query<{ at: Date }>(
          `UPDATE slot_moves SET fenced_at = now(), phase = 'fenced', relayed = (
              SELECT xact FROM relay_position WHERE name = 'webhooks')
            WHERE id = $1 RETURNING fenced_at AS at`,
          [this.id],
        );
        await source.query('COMMIT');
        this.startedAt = rows[0]!.at;
        return began;
      } catch (error) {
        await source.query('ROLLBACK');
        if (!isTransient(error) || left === 1) throw error;
        await sleep(Math.random() * 500);
      }
    }
  }

  private async accounts(): Promise<string[]> {
    const { from, to } = this.move.slots;
    const { rows } = await this.clients.source.query<{ id: string }>(
      `SELECT id FROM accounts WHERE slot_of(id) BETWEEN $1 AND $2 AND id <> '${PLATFORM_ACCOUNT_ID}'`,
      [from, to],
    );
    return rows.map(({ id }) => id);
  }

  /** The other cell takes over: from here on it is the one that keeps them. How long nobody did. */
  private async hand(accounts: readonly string[], began: number): Promise<number> {
    const { source, target, control } = this.clients;
    await target.query(
      `INSERT INTO ledger_arrivals (account_id, ledger_account_id, through_seq, balance, move_id)
       SELECT account_id, id, seq, available + held, $2 FROM ledger_accounts WHERE account_id = ANY ($1)
       ON CONFLICT ON CONSTRAINT ledger_arrivals_pkey DO NOTHING`,
      [accounts, this.id],
    );
    await this.books().note(accounts);
    // Above that of every event here: nobody writes another one of theirs.
    const numbers = await source.query<{ reached: string }>('SELECT event_number() AS reached');
    const moved = 'UPDATE slot_moves SET moved_at = now() WHERE id = $1 AND moved_at IS NULL';
    // At once: with one of them only, the next call would take the other for done.
    const takeOver = `WITH m AS (${moved} RETURNING 1) SELECT renew_event_epoch($2, false) FROM m`;
    await retryTransient(() => target.query(takeOver, [this.id, numbers.rows[0]!.reached]));
    await source.query(moved, [this.id]);
    const { from, to } = this.move.slots;
    await control.query('BEGIN');
    await control.query(`SELECT pg_advisory_xact_lock(${LOCK_SLOTS})`);
    await control.query(
      `UPDATE cells SET epoch = (SELECT max(epoch) + 1 FROM cells),
              slots = CASE name WHEN $1 THEN slots - r.r ELSE slots + r.r END
         FROM (SELECT int4multirange(int4range($3, $4, '[]')) AS r) r
        WHERE name IN ($1, $2) AND EXISTS (SELECT 1 FROM cells s WHERE s.name = $1 AND s.slots @> r.r)`,
      [this.names.source, this.names.target, from, to],
    );
    await control.query('COMMIT');
    // An earlier call may have changed the table, and not have seen it arrive.
    const { rows } = await control.query<{ epoch: string }>('SELECT max(epoch) AS epoch FROM cells');
    for (const side of ['target', 'source'] as const) await this.untilTold(side, rows[0]!.epoch);
    return Date.now() - began;
  }

  private async finish(
    accounts: readonly string[],
    { rows, pauseMs }: Pick<MoveReport, 'rows' | 'pauseMs'>,
  ): Promise<MoveReport> {
    const { target } = this.clients;
    // The relay there reads on where it was: behind what it did not see, and behind what was not read here.
    await this.makeUp('target', accounts);
    this.say(`The cell ${this.names.target} keeps them now; what is left here is removed`);
    await sleep(SETTLED_AFTER_MS);
    await this.setPhase('moved');
    await this.copy.cutOff();
    await this.books().bookOver(accounts);
    await target.query(
      `UPDATE ledger_arrivals v SET digest = e.digest
         FROM ledger_arrivals w CROSS JOIN LATERAL (${entriesThrough('w')}) e
        WHERE v.move_id = $1 AND w.account_id = v.account_id AND w.ledger_account_id = v.ledger_account_id`,
      [this.id],
    );
    await this.copy.removeFromSource(accounts);
    await this.end();
    return { id: this.id, from: this.names.source, to: this.names.target, accounts: accounts.length, rows, pauseMs };
  }

  /** Nothing has moved: the copy goes. */
  private async undo(): Promise<void> {
    await this.clients.source.query('UPDATE slot_moves SET fenced_at = NULL WHERE id = $1', [this.id]);
    const accounts = await this.accounts();
    await this.makeUp('source', accounts);
    await this.copy.cutOff();
    await this.copy.removeFromTarget(accounts);
    await this.end();
  }

  /** The webhooks of what the relay had not read when writes were refused: the cell that keeps the slots sends them. */
  private async makeUp(side: Side, accounts: readonly string[]): Promise<void> {
    const { rows } = await this.clients.source.query<{ relayed: string | null }>(
      'SELECT relayed FROM slot_moves WHERE id = $1',
      [this.id],
    );
    const relayed = rows[0]!.relayed;
    if (relayed !== null) await this.apps.get(side)!.get(Relay).makeUp(accounts, relayed);
  }

  private async end(): Promise<void> {
    await this.copy.clear();
    for (const client of [this.clients.target, this.clients.source])
      await client.query(`UPDATE slot_moves SET phase = 'ended', ended_at = now() WHERE id = $1`, [this.id]);
  }

  private async setPhase(phase: Phase): Promise<void> {
    await this.clients.source.query('UPDATE slot_moves SET phase = $2 WHERE id = $1', [this.id, phase]);
  }

  private async untilTold(side: Side, epoch: string): Promise<void> {
    for (const deadline = Date.now() + TOLD_WITHIN_MS; ; await sleep(POLL_MS)) {
      const { rows } = await this.clients[side].query<{ told: boolean }>(
        'SELECT coalesce(max(epoch), 0) >= $1 AS told FROM cells',
        [epoch],
      );
      if (rows[0]!.told) return;
      if (Date.now() > deadline)
        throw new CannotStart(`The cell ${this.names[side]} does not follow the control cell.`);
    }
  }

  private books(): SlotBooks {
    return new SlotBooks(this.clients, this.apps, { id: this.id, since: this.startedAt });
  }

  private app(side: Side): Promise<INestApplicationContext> {
    const env = asOwner(Object.assign(new Env(), this.env, { DATABASE_URL: this.move[side], WORKER_IN_API: false }));
    env.DATABASE_APP_URL = changeDatabaseUrl(env.DATABASE_APP_URL!, ({ searchParams }) =>
      searchParams.set('options', `${searchParams.get('options')} -c duka.mover=on`),
    );
    return NestFactory.createApplicationContext(AppModule.register(env), { abortOnError: false, logger: false });
  }
}
