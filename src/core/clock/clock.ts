import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Whose clock is read. */
export interface ClockOwner {
  readonly accountId: string;
  readonly livemode: boolean;
}

const STALE_MS = 1_000;

/**
 * The source of "now" for what an account waits for: requeries, expiries, `deliver_by`. Live it is the real time; each
 * account's test mode has a clock of its own that can be moved forward.
 */
@Injectable()
export class Clock {
  private readonly offsets = new Map<string, { ms: number; readAt: number }>();

  constructor(private readonly dataSource: DataSource) {}

  /** The account's present. May lag one second behind an advance that another process made. */
  async now(owner: ClockOwner): Promise<Date> {
    return new Date(Date.now() + (await this.offsetMs(owner)));
  }

  async offsetMs({ accountId, livemode }: ClockOwner): Promise<number> {
    if (livemode) return 0;
    const known = this.offsets.get(accountId);
    if (known && performance.now() - known.readAt < STALE_MS) return known.ms;
    const [row]: { ms: string }[] = await this.dataSource.query('SELECT offset_ms AS ms FROM test_clocks WHERE account_id = $1', [accountId]);
    return this.remember(accountId, Number(row?.ms ?? 0));
  }

  /** Moves the account's test clock forward; answers its new present. */
  async advance(accountId: string, ms: number): Promise<Date> {
    const [row]: { ms: string }[] = await this.dataSource.query(
      `INSERT INTO test_clocks (account_id, offset_ms) VALUES ($1, $2)
        ON CONFLICT ON CONSTRAINT test_clocks_pkey DO UPDATE SET offset_ms = test_clocks.offset_ms + excluded.offset_ms
        RETURNING offset_ms AS ms`,
      [accountId, ms],
    );
    return new Date(Date.now() + this.remember(accountId, Number(row!.ms)));
  }

  private remember(accountId: string, ms: number): number {
    // A process that serves very many test accounts starts over rather than grow.
    if (this.offsets.size > 10_000) this.offsets.clear();
    this.offsets.set(accountId, { ms, readAt: performance.now() });
    return ms;
  }
}
