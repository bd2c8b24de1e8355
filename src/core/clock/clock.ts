import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { Tenant } from '../http/caller';
import { type Tx, UnitOfWork } from '../database/unit-of-work';
import { DomainError } from '../errors/domain-error';
import type { RequestClaim } from '../idempotency/claim';
import { claimOfAccount } from '../idempotency/claims';
import { Idempotency } from '../idempotency/idempotency';

/** From `at` on, in milliseconds of the real time, a test clock was `offsetMs` ahead. */
export interface Move {
  readonly at: number;
  readonly offsetMs: number;
}

/** A time is asked for from the first on, and before the second. */
export interface Period {
  readonly from?: Date;
  readonly before?: Date;
}

/**
 * The fields of answers that are stored as times of the account's clock: what is to come, and what was stamped by that
 * clock. Every other time is stored as the real one, like the time in an id.
 */
const BY_ACCOUNT_CLOCK = new Set([
  'arrived_at',
  'authorized_at',
  'expires_at',
  'failing_since',
  'last_failure_at',
  'last_success_at',
  'next_attempt_at',
  'next_check_at',
  'now',
  'paid_at',
  'previous_secret_expires_at',
  'settled_at',
  'start_at',
]);

/**
 * The times of an account whose test clock was moved. A real time is shown as the clock said it then: what happened
 * before a move never changes. Moves are only added, so a time is shown alike for ever. After a reset the shown times
 * go back.
 */
export class AccountTime {
  /** Oldest first. */
  constructor(private readonly moves: readonly Move[]) {}

  /** What the account's clock said at a real time. */
  shown(real: Date): Date {
    const ms = real.getTime();
    return new Date(ms + (this.moves.findLast(({ at }) => at <= ms)?.offsetMs ?? 0));
  }

  /** The first real time at which the clock said `time`, or more. */
  from(time: Date): Date {
    return new Date(
      Math.max(
        0,
        Math.min(
          ...this.eras().map(([since, until, offsetMs]) => {
            const first = Math.max(since, time.getTime() - offsetMs);
            return first < until ? first : Infinity;
          }),
        ),
      ),
    );
  }

  /** The last real time before which the clock said less than `time`. */
  before(time: Date): Date {
    return new Date(
      Math.max(
        0,
        ...this.eras().map(([since, until, offsetMs]) => {
          const last = Math.min(until, time.getTime() - offsetMs);
          return last > since ? last : 0;
        }),
      ),
    );
  }

  /**
   * An answer with the times that the account's clock said. Does not change `body`: it may be another answer's, too.
   */
  present<T>(body: T): T {
    return this.presentField(body, '') as T;
  }

  private presentField(value: unknown, name: string): unknown {
    if (value instanceof Date) return BY_ACCOUNT_CLOCK.has(name) ? value : this.shown(value);
    if (Array.isArray(value)) return value.map((item) => this.presentField(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([field, of]) => [field, this.presentField(of, field)]));
  }

  /** Since when, until when, and how far ahead. */
  private eras(): [number, number, number][] {
    const all = [{ at: 0, offsetMs: 0 }, ...this.moves];
    return all.map(({ at, offsetMs }, i) => [at, all[i + 1]?.at ?? Infinity, offsetMs]);
  }
}

/** Whether a row that was made at `at`, as it is shown, is asked for. */
export const isWithin = ({ from, before }: Period, { created_at: at }: { readonly created_at?: unknown }): boolean =>
  !(at instanceof Date) || ((from === undefined || at >= from) && (before === undefined || at < before));

/** A test clock cannot go where an advance would take it, or was moved too often. */
export class ClockTooFar extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail:
        'The test clock can be a hundred years ahead of the time and be moved 50,000 times, ' +
        'and this would take it further. Use a new account.',
      param: '/seconds',
    });
  }
}

/** What waits for times of the account's clock. */
interface Waiting {
  readonly table: string;
  readonly columns: readonly string[];
  /** Which rows; all by default. `$2` is how far the clock was ahead, as text of an interval. */
  readonly where?: string;
}

/** What goes back with a test clock that is reset, without the clock knowing the modules. */
@Injectable()
export class Rewinds {
  private readonly statements: string[] = [];

  /**
   * Called once by each module for each table in which something waits. The rows are the same to their account: no new
   * version.
   */
  include({ table, columns, where = 'true' }: Waiting): void {
    const back = columns.map((column) => `${column} = ${column} - $2::interval`).join(', ');
    this.statements.push(`UPDATE ${table} SET ${back} WHERE account_id = $1 AND NOT livemode AND (${where})`);
  }

  /** Everything has as long to wait as before. */
  async rewind(tx: Tx, accountId: string, ms: number): Promise<void> {
    for (const statement of this.statements) await tx.query(statement, [accountId, `${ms} milliseconds`]);
  }
}

/** Does what became due by an account's clock, and answers when that is done. */
type Waker = (accountId: string) => Promise<void>;

/** Whoever keeps something that waits for time, without the clock knowing the modules. */
@Injectable()
export class Wakers {
  private readonly wakers: Waker[] = [];

  /** Called once by each module that has something to wake. */
  include(waker: Waker): void {
    this.wakers.push(waker);
  }

  /** One after the other, in the order in which they were included. */
  async wake(accountId: string): Promise<void> {
    for (const waker of this.wakers) await waker(accountId);
  }
}

const STALE_MS = 1_000;
const ACCOUNTS_MAX = 10_000;
/**
 * As far as a test clock may be ahead: a hundred years. Every time that the service makes then still has four digits
 * for its year.
 */
export const AHEAD_MAX_MS = 100 * 365 * 24 * 3_600 * 1_000;
/** Moves are kept for ever, and read whole. */
const MOVES_MAX = 50_000;

const ADVANCE = `
  INSERT INTO test_clocks (account_id, offset_ms) VALUES ($1, $2)
  ON CONFLICT ON CONSTRAINT test_clocks_pkey DO UPDATE SET offset_ms = test_clocks.offset_ms + excluded.offset_ms
    WHERE test_clocks.offset_ms + excluded.offset_ms <= ${AHEAD_MAX_MS}
      AND cardinality(test_clocks.moves) < ${2 * MOVES_MAX}
  RETURNING 1`;

/** After the row was locked, so that no event of a later time is told before the move is known: account, the time. */
const NOTE_MOVE = 'UPDATE test_clocks SET moves = moves || ARRAY[$2::bigint, offset_ms] WHERE account_id = $1';

/** What a process knows of a test clock. */
interface Known {
  readonly readAt: number;
  readonly offsetMs: number;
  /** Null: it was never moved. */
  readonly times: AccountTime | null;
}

interface Reading {
  readonly read: Promise<Known>;
  /** Null: not read yet. */
  known: Known | null;
  isReadAgain: boolean;
}

/**
 * The source of "now" for what an account waits for: requeries, expiries, `deliver_by`. Live it is the real time; each
 * account's test mode has a clock of its own that can be moved forward, and that a reset sets back.
 */
@Injectable()
export class Clock {
  /** With promises, so that many requests at once read one row once. */
  private readonly readings = new LRUCache<string, Reading>({ max: ACCOUNTS_MAX, ttl: STALE_MS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly rewinds: Rewinds,
    private readonly idempotency: Idempotency,
  ) {}

  /** The account's present. May lag one second behind an advance that another process made. */
  async now(owner: Tenant): Promise<Date> {
    return new Date(Date.now() + (await this.offsetMs(owner)));
  }

  /**
   * As `now`, but never behind an advance that was answered, whoever made it: what an operator, gateway or issuer of
   * the sandbox has said to one process it says to the next, too.
   */
  agreedNow(owner: Tenant): Promise<Date> {
    if (!owner.livemode) this.readings.delete(owner.accountId);
    return this.now(owner);
  }

  async offsetMs({ accountId, livemode }: Tenant): Promise<number> {
    return livemode ? 0 : (await this.of(accountId)).offsetMs;
  }

  /**
   * How times of the account are shown; null: as they are. `since`: with every move before this time, whoever made it.
   */
  async times({ accountId, livemode }: Tenant, since?: Date): Promise<AccountTime | null> {
    if (livemode) return null;
    const known = await this.of(accountId);
    if (since === undefined || since.getTime() < known.readAt) return known.times;
    this.readings.delete(accountId);
    return (await this.of(accountId)).times;
  }

  /** As `times`, at once; undefined: it must be asked. For what is done at every request. */
  timesAtHand({ accountId, livemode }: Tenant): AccountTime | null | undefined {
    if (livemode) return null;
    const reading = this.readings.get(accountId);
    if (!reading?.known) return undefined;
    // Before it is too old, so that while requests come none of them waits for it.
    if (!reading.isReadAgain && Date.now() - reading.known.readAt > STALE_MS / 2) {
      reading.isReadAgain = true;
      const next = this.begin(accountId);
      const replace = () => this.readings.peek(accountId) === reading && this.readings.set(accountId, next);
      next.read.then(replace, () => undefined);
    }
    return reading.known.times;
  }

  /**
   * Moves the account's test clock forward. False: an earlier request with this key did. Throws `ClockTooFar`,
   * `IdempotencyKeyReused`.
   */
  async advance(accountId: string, ms: number, request: RequestClaim): Promise<boolean> {
    const claim = claimOfAccount({ accountId, livemode: false }, request);
    const replay = await this.idempotency.once(claim, async (tx) => {
      const moved: unknown[] = await tx.query(ADVANCE, [accountId, ms]);
      if (moved.length === 0) throw new ClockTooFar();
      await tx.query(NOTE_MOVE, [accountId, Date.now()]);
    });
    // Not set to the new offset: of two advances at once, the answer of the first may come last.
    this.readings.delete(accountId);
    return replay === null;
  }

  /** Sets the account's test clock back to the time, and with it all that waits. */
  async reset(accountId: string): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      const [clock]: { ms: string }[] = await tx.query(
        'SELECT offset_ms AS ms FROM test_clocks WHERE account_id = $1 FOR UPDATE',
        [accountId],
      );
      const ms = Number(clock?.ms ?? 0);
      await tx.query('UPDATE test_clocks SET offset_ms = 0 WHERE account_id = $1', [accountId]);
      if (ms === 0) return;
      await tx.query(NOTE_MOVE, [accountId, Date.now()]);
      await this.rewinds.rewind(tx, accountId, ms);
    });
    this.readings.delete(accountId);
  }

  private of(accountId: string): Promise<Known> {
    const reading = this.readings.get(accountId);
    if (reading) return reading.read;
    const begun = this.begin(accountId);
    this.readings.set(accountId, begun);
    begun.read.catch(() => this.readings.delete(accountId));
    return begun.read;
  }

  private begin(accountId: string): Reading {
    const reading: Reading = {
      read: this.read(accountId).then((known) => (reading.known = known)),
      known: null,
      isReadAgain: false,
    };
    return reading;
  }

  private async read(accountId: string): Promise<Known> {
    const readAt = Date.now();
    const [row]: { ms: string; moves: string[] }[] = await this.dataSource.query(
      'SELECT offset_ms AS ms, moves FROM test_clocks WHERE account_id = $1',
      [accountId],
    );
    const numbers = (row?.moves ?? []).map(Number);
    const moves = numbers.flatMap((at, i) => (i % 2 === 0 ? { at, offsetMs: numbers[i + 1]! } : []));
    return { readAt, offsetMs: Number(row?.ms ?? 0), times: moves.length === 0 ? null : new AccountTime(moves) };
  }
}

const DURATION = /^(\d{1,9})(s|m|h)$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `20s`, `5m` or `2h` in milliseconds; null for anything else. */
export function durationMs(text: string): number | null {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
