import type { DataSource } from 'typeorm';
import { constraintOf } from '../database/unit-of-work';
import type { PaymentObject } from './points';

/** A payment, as every context names it. */
type Payment = Pick<PaymentObject, 'accountId' | 'livemode' | 'objectId'>;

/** What a payment would use up. */
interface Share {
  /** What is limited, and for which time: `<wallet>/2026-11-23`. Of the payment's account and mode. */
  readonly key: string;
  readonly amount: bigint;
  /** As much as all payments of the key may use. */
  readonly limit: bigint;
}

type State = 'reserved' | 'confirmed' | 'released';

/**
 * Counts what payments use up, for gates with a limit: reserved by a gate, given back when the payment was refused,
 * confirmed when it took place. Each is one statement, so it holds whatever other processes do at the same time, and
 * may be repeated: a payment counts once, and is given back once. Two tables of the team keep it, `<table>` for the
 * sums and `<table>_reservations` for the payments; docs/guides/count-a-daily-limit.md has their migration.
 */
export class Reservations {
  private readonly reserving: string;
  private readonly releasing: string;
  private readonly confirming: string;
  private readonly sum: string;
  private readonly known: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly table: string,
  ) {
    const payment = 'account_id = $1 AND livemode = $2 AND payment_id = $3';
    this.known = `SELECT state FROM ${table}_reservations WHERE ${payment}`;
    // The payment is written last: where that fails, because a release was faster, nothing was counted either.
    this.reserving = `
      WITH known AS (${this.known}),
      counted AS (
        INSERT INTO ${table} AS t (account_id, livemode, key, used)
        SELECT $1::uuid, $2::boolean, $4::text, $5::bigint
         WHERE $5::bigint <= $6::bigint AND NOT EXISTS (SELECT 1 FROM known)
        ON CONFLICT (account_id, livemode, key)
        DO UPDATE SET used = t.used + excluded.used, updated_at = excluded.updated_at
          WHERE t.used + excluded.used <= $6::bigint
        RETURNING key),
      made AS (
        INSERT INTO ${table}_reservations (account_id, livemode, payment_id, key, amount, state)
        SELECT $1::uuid, $2::boolean, $3::uuid, key, $5::bigint, 'reserved' FROM counted
        RETURNING state)
      SELECT state FROM made UNION ALL SELECT state FROM known`;
    // A payment that is not known is remembered as released: its gate may have been given up and still be counting.
    this.releasing = `
      WITH released AS (
        INSERT INTO ${table}_reservations AS r (account_id, livemode, payment_id, key, amount, state)
        VALUES ($1, $2, $3, '', 0, 'released')
        ON CONFLICT (account_id, livemode, payment_id)
        DO UPDATE SET state = 'released', updated_at = excluded.updated_at
          WHERE r.state <> 'released'
        RETURNING r.key, r.amount)
      UPDATE ${table} t SET used = t.used - released.amount, updated_at = now() FROM released
       WHERE t.account_id = $1 AND t.livemode = $2 AND t.key = released.key`;
    this.confirming = `
      UPDATE ${table}_reservations SET state = 'confirmed', updated_at = now() WHERE ${payment} AND state = 'reserved'`;
    this.sum = `SELECT used FROM ${table} WHERE account_id = $1 AND livemode = $2 AND key = $3`;
  }

  /**
   * False: it would pass the limit, or the payment was released before. True again for a payment that has its share.
   */
  async reserve(payment: Payment, share: Share): Promise<boolean> {
    try {
      return await this.tryToReserve(payment, share);
    } catch (error) {
      if (constraintOf(error) !== `${this.table}_reservations_pkey`) throw error;
      return this.tryToReserve(payment, share);
    }
  }

  /** Gives back what the payment has, also when it was confirmed: what took place may be reversed. */
  async release({ accountId, livemode, objectId }: Payment): Promise<void> {
    await this.dataSource.query(this.releasing, [accountId, livemode, objectId]);
  }

  /** The payment took place. What stays `reserved` for long is still under way, and must not be cleared away. */
  async confirm({ accountId, livemode, objectId }: Payment): Promise<void> {
    await this.dataSource.query(this.confirming, [accountId, livemode, objectId]);
  }

  /** What the payments of a key have. */
  async used({ accountId, livemode }: Omit<Payment, 'objectId'>, key: string): Promise<bigint> {
    const rows: { used: string }[] = await this.dataSource.query(this.sum, [accountId, livemode, key]);
    return BigInt(rows[0]?.used ?? 0);
  }

  private async tryToReserve(
    { accountId, livemode, objectId }: Payment,
    { key, amount, limit }: Share,
  ): Promise<boolean> {
    const values = [accountId, livemode, objectId, key, String(amount), String(limit)];
    const rows: { state: State }[] = await this.dataSource.query(this.reserving, values);
    // Twins of one payment wait for each other at the sum's row: the later one's snapshot lacks the first one's share.
    const [found] =
      rows.length > 0 ? rows : await this.dataSource.query<{ state: State }[]>(this.known, values.slice(0, 3));
    return found !== undefined && found.state !== 'released';
  }
}
