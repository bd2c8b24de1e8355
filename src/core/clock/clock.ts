import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { RequestClaim } from '../idempotency/claim';
import { IdempotencyKeyReused } from '../idempotency/errors';
import { ClockTooFar } from './clock-too-far';

/** Whose clock is read. */
export interface ClockOwner {
  readonly accountId: string;
  readonly livemode: boolean;
}

const STALE_MS = 1_000;
const ACCOUNTS_MAX = 10_000;
/** As far as a test clock may be ahead: a hundred years. Every time that the service makes then still has four digits for its year. */
export const AHEAD_MAX_MS = 100 * 365 * 24 * 3_600 * 1_000;

const ADVANCE = `
  INSERT INTO test_clocks (account_id, offset_ms, last_key, last_fingerprint) VALUES ($1, $2, $3, $4)
  ON CONFLICT ON CONSTRAINT test_clocks_pkey DO UPDATE SET
    offset_ms = test_clocks.offset_ms + excluded.offset_ms, last_key = excluded.last_key, last_fingerprint = excluded.last_fingerprint
    WHERE (excluded.last_key IS NULL OR test_clocks.last_key IS DISTINCT FROM excluded.last_key)
      AND test_clocks.offset_ms + excluded.offset_ms <= ${AHEAD_MAX_MS}
  RETURNING 1`;

/**
 * The source of "now" for what an account waits for: requeries, expiries, `deliver_by`. Live it is the real time; each
 * account's test mode has a clock of its own that can be moved forward, and that a reset sets back.
 */
@Injectable()
export class Clock {
  /** Promises, so that many requests at once read one row once. */
  private readonly offsets = new LRUCache<string, Promise<number>>({ max: ACCOUNTS_MAX, ttl: STALE_MS });

  constructor(private readonly dataSource: DataSource) {}

  /** The account's present. May lag one second behind an advance that another process made. */
  async now(owner: ClockOwner): Promise<Date> {
    return new Date(Date.now() + (await this.offsetMs(owner)));
  }

  offsetMs({ accountId, livemode }: ClockOwner): Promise<number> {
    if (livemode) return Promise.resolve(0);
    const known = this.offsets.get(accountId);
    if (known) return known;
    const read = this.read(accountId);
    this.offsets.set(accountId, read);
    read.catch(() => this.offsets.delete(accountId));
    return read;
  }

  /**
   * Moves the account's test clock forward. False: the request before this one had the same key and was the same, and
   * moved it. Throws `ClockTooFar`, `IdempotencyKeyReused`.
   */
  async advance(accountId: string, ms: number, { key, fingerprint }: RequestClaim): Promise<boolean> {
    const moved: unknown[] = await this.dataSource.query(ADVANCE, [accountId, ms, key, fingerprint]);
    // Not set to the new offset: of two advances at once, the answer of the first may come last.
    this.offsets.delete(accountId);
    if (moved.length > 0) return true;
    const [last]: { key: string | null; fingerprint: Buffer }[] = await this.dataSource.query(
      'SELECT last_key AS key, last_fingerprint AS fingerprint FROM test_clocks WHERE account_id = $1',
      [accountId],
    );
    if (key === null || last?.key !== key) throw new ClockTooFar();
    const stored = {
      accountId,
      livemode: false,
      kind: 'key',
      value: key,
      fingerprint: last.fingerprint,
      resource: 'acct',
      resourceId: accountId,
      expiresAt: null,
    } as const;
    if (!last.fingerprint.equals(fingerprint)) throw new IdempotencyKeyReused(stored);
    return false;
  }

  /** Sets the account's test clock back to the time. */
  async reset(accountId: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE test_clocks SET offset_ms = 0, last_key = NULL, last_fingerprint = NULL WHERE account_id = $1',
      [accountId],
    );
    this.offsets.delete(accountId);
  }

  private async read(accountId: string): Promise<number> {
    const [row]: { ms: string }[] = await this.dataSource.query(
      'SELECT offset_ms AS ms FROM test_clocks WHERE account_id = $1',
      [accountId],
    );
    return Number(row?.ms ?? 0);
  }
}
