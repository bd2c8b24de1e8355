import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ServiceUnavailable } from '../errors/domain-error';
import { combineWrites, type Write } from './bulk';

declare const inTransaction: unique symbol;

/** An open transaction. Only `UnitOfWork.run` makes one, so a method that asks for a `Tx` cannot run outside of it. */
export type Tx = EntityManager & { readonly [inTransaction]: true };

/**
 * Short database transactions for everything but postings (those go through the ledger).
 * Nothing may leave the process inside `work`, and it may run more than once.
 */
@Injectable()
export class UnitOfWork {
  constructor(private readonly dataSource: DataSource) {}

  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return retryTransient(() => this.dataSource.transaction((manager) => work(manager as Tx)));
  }

  /** Carries out writes that a module described as data. */
  async write(tx: Tx, writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    const { query, params } = combineWrites(writes);
    await tx.query(query.text, params);
  }
}

/** The SQLSTATE of an error of `pg` or TypeORM, else the code of a socket error, else null. */
export function sqlState(error: unknown): string | null {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : null;
}

/** The name of the constraint that refused a row, else null. */
export function constraintOf(error: unknown): string | null {
  const { constraint, driverError } = (error ?? {}) as { constraint?: string; driverError?: { constraint?: string } };
  return driverError?.constraint ?? constraint ?? null;
}

/** The server takes no changes: it was made a standby, or is one by now. Elsewhere there is one that does. */
export const READ_ONLY = '25006';
const TRANSIENT = new Set(['40001', '40P01', '55P03']);
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** A bulk update found a row in another state than the one in which it was read (see `assert_row_count`). */
export const isRowChanged = (error: unknown): boolean => sqlState(error) === '27000';

/** Somebody else changed what was read meanwhile: what is stored counts. */
export class ChangedElsewhere extends Error {}

/** What a step that is about a version says when the row has another by now. Other errors stay what they are. */
export const asChangedElsewhere = (error: unknown): unknown => (isRowChanged(error) ? new ChangedElsewhere() : error);

/** Somebody else held the lock for longer than we wait. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03';

/** Serialization failure, deadlock or lock time-out: the transaction is gone and may be run again. */
export const isTransient = (error: unknown): boolean => TRANSIENT.has(sqlState(error) ?? '');

/**
 * What `pg` raises as plain errors without a code: the last but one when no connection of its pool came free in time.
 * TypeORM raises the last one when a connection was lost between two statements.
 */
const LOST = new RegExp(
  [
    'connection terminated',
    'connection ended',
    'timeout expired',
    'read timeout',
    'not queryable',
    'timeout exceeded when trying to connect',
    'already released',
  ].join('|'),
  'i',
);

/** The server or the connection went away, or there was none; whether a COMMIT under way took effect is not known. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null)
    return state.startsWith('08') || state.startsWith('57P') || state === READ_ONLY || SOCKET.has(state);
  return error instanceof Error && LOST.test(error.message);
}

/** The account is just moving to another cell, which does it. */
export const isMoving = (error: unknown): boolean => sqlState(error) === 'DK001';

/** Out of connections, memory or disk. */
const CANNOT_NOW = /^53\d{3}$/;

/** The statement took longer than it may, or was stopped. */
export const isStatementTimeout = (error: unknown): boolean => sqlState(error) === '57014';

/** The database cannot do now what it may well do in a moment: it says nothing about what it was asked. */
export const isDatabaseAway = (error: unknown): boolean =>
  isConnectionLoss(error) || isTransient(error) || isMoving(error) || CANNOT_NOW.test(sqlState(error) ?? '');

/** How long a request of this process waits for a database that went away; `PATIENCE_MS` sets it. */
export const patience = { ms: 8_000 };

/**
 * Runs `read`, which must change nothing, again until the database is back; at most as long as a request is patient.
 */
export async function retryAway<T>(read: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patience.ms;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isConnectionLoss(error) || performance.now() > deadline) throw error;
      await pauseWhileAway();
    }
  }
}

/** Before the next try to reach a database that is away: many processes wait for it. */
export const pauseWhileAway = (): Promise<void> => sleep(50 + Math.random() * 50);

/** Runs `work` again after a transient failure, at most five times, with jitter. */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || attempt > 5) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** So often others were faster. Each time nothing was done. */
export class TooManyAtOnce extends ServiceUnavailable {
  constructor(cause: unknown) {
    super('Too many changed the same thing at once: nothing was done. Send it again, with the same key.', { cause });
  }
}

/** Those who change the same thing at the same time are few. */
const LOOKS_MAX = 40;

/**
 * Runs `work`, which reads what it changes, again while others are faster, with jitter. `wasChanged` tells whether an
 * error says that, and may throw what is to be said instead. Throws `TooManyAtOnce`.
 */
export async function retryChanged<T>(
  work: () => Promise<T>,
  wasChanged: (error: unknown) => boolean | Promise<boolean> = (error) =>
    error instanceof ChangedElsewhere || isRowChanged(error),
): Promise<T> {
  for (let looks = 1; ; looks++) {
    try {
      return await work();
    } catch (error) {
      if (!(await wasChanged(error))) throw error;
      if (looks === LOOKS_MAX) throw new TooManyAtOnce(error);
      await sleep(Math.random() * 10 * looks);
    }
  }
}
