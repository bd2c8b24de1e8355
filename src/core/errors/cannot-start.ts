/**
 * A process cannot do its work, and the message tells its operator what to change. Entry points print it without a
 * stack.
 */
export class CannotStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** What an operator can mend although a library says it, in our words; null for anything else. */
  static of(error: unknown): CannotStart | null {
    if (error instanceof CannotStart) return error;
    const isPooler = error instanceof Error && error.message.startsWith('unsupported startup parameter');
    return isPooler ? new CannotStart(BEHIND_POOLER, { cause: error }) : null;
  }
}

/** Role and time limits of a connection are start-up options: without them a process would have other rights. */
export const BEHIND_POOLER =
  'The database is reached through a pooler that passes no start-up options on (PgBouncer does not), by which each ' +
  'connection gets its role and time limits: connect to PostgreSQL directly, or through one that passes them on and ' +
  'keeps sessions.';
