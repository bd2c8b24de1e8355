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
