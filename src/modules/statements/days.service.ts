import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { newIdOf, timeOf } from '../../core/http/ids';
import { eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import { Recurring } from '../../core/queue/recurring-jobs';
import type { Viewer } from '../../core/resources/resources';
import type { WalletRecord } from '../wallets/wallets.service';
import { dayHash, type DayRow, NO_DAY_HASH, toWalletDay, type WalletDay } from './wallet-day';

const EVERY_MS = 60_000;
/** What was begun before midnight is given this long to be there when the day is closed. It may take longer. */
const GRACE_MS = 60_000;
/** Wallets that are looked for at once. */
const WALLETS = 200;

/** Moment, behind which wallet (time and id), number of rows. */
const SELECT_DUE = `
  SELECT account_id, livemode, id, closes_at::text FROM wallets
   WHERE closes_at <= $1 AND (closes_at, id) > ($2, $3) ORDER BY closes_at, id LIMIT $4`;

/** Account, mode, wallet, moment. Of two who want to close its day, one does. */
const LOCK_DUE = `
  SELECT 1 FROM wallets WHERE account_id = $1 AND livemode = $2 AND id = $3 AND closes_at <= $4
     FOR UPDATE SKIP LOCKED`;

/**
 * The next day of a wallet: account, mode, wallet, time of its creation. Behind a move of more than a day to the east
 * it has no time of its own.
 */
const SELECT_NEXT = `
  SELECT n.date::text, greatest(n.ended_at, (n.date + 1)::timestamp AT TIME ZONE n.time_zone) AS ends_at,
         n.status = 'closed' AND n.seq = n.through_seq AS is_over
    FROM (SELECT coalesce(d.date + 1, ($4::timestamptz AT TIME ZONE a.time_zone)::date) AS date, a.time_zone,
                 l.status, l.seq, d.through_seq, d.ends_at AS ended_at
            FROM ledger_accounts l JOIN accounts a ON a.id = l.account_id
            LEFT JOIN LATERAL (SELECT date, through_seq, ends_at FROM wallet_days
                                WHERE account_id = $1 AND livemode = $2 AND wallet_id = $3
                                ORDER BY date DESC LIMIT 1) d ON true
           WHERE l.account_id = $1 AND l.id = $3) n`;

/**
 * Account, mode, wallet, date, id of the day, its end. One statement, so one snapshot: entries are in it up to a
 * number, for a wallet's entries are committed in the order of their numbers. What is committed later has a higher
 * number, whatever time it bears, and falls into the next day.
 */
const INSERT_DAY = `
  WITH before AS (
    SELECT closing, hash, through_seq, through_at FROM wallet_days
     WHERE account_id = $1 AND livemode = $2 AND wallet_id = $3 AND date = $4::date - 1
  ), fresh AS (
    SELECT seq, created_at, batch_id, posting_id, transaction_id, amount, available_after + held_after AS balance
      FROM ledger_entries
     WHERE account_id = $1 AND ledger_account_id = $3 AND created_at < $6
       AND created_at >= coalesce((SELECT through_at FROM before), '-infinity')
       AND seq > coalesce((SELECT through_seq FROM before), 0)
  ), lines AS (
    SELECT transaction_id, sum(amount) AS amount FROM fresh
     GROUP BY batch_id, posting_id, transaction_id HAVING sum(amount) <> 0
  ), last AS (
    SELECT seq, created_at, balance FROM fresh ORDER BY seq DESC LIMIT 1
  ), counted AS (
    SELECT t.type, count(*) AS lines FROM lines l
      JOIN transactions t ON t.account_id = $1 AND t.livemode = $2 AND t.id = l.transaction_id GROUP BY t.type
  ), day AS (
    SELECT $1::uuid AS account_id, $2::boolean AS livemode, $3::uuid AS wallet_id, $4::date AS date, $5::uuid AS id,
           $6::timestamptz AS ends_at,
           coalesce((SELECT seq FROM last), (SELECT through_seq FROM before), 0) AS through_seq,
           coalesce((SELECT created_at FROM last), (SELECT through_at FROM before)) AS through_at,
           coalesce((SELECT closing FROM before), 0) AS opening,
           coalesce((SELECT sum(amount) FROM lines WHERE amount > 0), 0)::bigint AS total_in,
           coalesce((SELECT -sum(amount) FROM lines WHERE amount < 0), 0)::bigint AS total_out,
           coalesce((SELECT balance FROM last), (SELECT closing FROM before), 0) AS closing,
           coalesce((SELECT jsonb_object_agg(type, lines) FROM counted), '{}') AS counts,
           coalesce((SELECT hash FROM before), ${NO_DAY_HASH}) AS previous_hash
  )
  INSERT INTO wallet_days (account_id, livemode, wallet_id, date, id, ends_at, through_seq, through_at, opening,
    total_in, total_out, closing, counts, previous_hash, hash)
  SELECT day.*, ${dayHash('day')} FROM day`;

const SET_CLOSES_AT = 'UPDATE wallets SET closes_at = $4 WHERE account_id = $1 AND livemode = $2 AND id = $3';

const DAYS = `
  SELECT d.*, d.date::text AS date, w.currency FROM wallet_days d
    JOIN wallets w ON w.account_id = d.account_id AND w.livemode = d.livemode AND w.id = d.wallet_id
   WHERE d.account_id = $1 AND d.livemode = $2`;

interface DueRow {
  readonly account_id: string;
  readonly livemode: boolean;
  readonly id: string;
  /** As text: a `Date` would lose the microseconds, and the walk would meet the row again. */
  readonly closes_at: string;
}

/** Closes the days of wallets, and shows them. */
@Injectable()
export class DaysService {
  private readonly log = new Logger('days');

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Recurring({ name: 'days.close', everyMs: EVERY_MS })
  closeEnded(): Promise<void> {
    return this.close(new Date(Date.now() - GRACE_MS));
  }

  /**
   * Closes every day that had ended by `until` and is not closed yet, however many a wallet has missed, in a short
   * transaction each. A wallet that fails does not keep the others waiting; the first fault is thrown at the end.
   */
  async close(until: Date): Promise<void> {
    const faults: unknown[] = [];
    let after: Pick<DueRow, 'closes_at' | 'id'> = { closes_at: '-infinity', id: NO_ID };
    for (;;) {
      const due: DueRow[] = await this.dataSource.query(SELECT_DUE, [until, after.closes_at, after.id, WALLETS]);
      for (const wallet of due) {
        try {
          await this.closeAllOf(wallet, until);
        } catch (error) {
          faults.push(error);
          this.log.error({ wallet: wallet.id, err: error });
        }
      }
      const last = due.at(-1);
      if (last === undefined) break;
      after = last;
    }
    if (faults.length > 0) throw faults[0];
  }

  /** Newest first, below the day `before`. */
  async list(wallet: WalletRecord, before: string | null, take: number): Promise<WalletDay[]> {
    const { accountId, livemode, id } = wallet;
    const rows: DayRow[] = await this.dataSource.query(
      `${DAYS} AND d.wallet_id = $3 AND d.date < coalesce($4::date, 'infinity') ORDER BY d.date DESC LIMIT $5`,
      [accountId, livemode, id, before, take],
    );
    return rows.map(toWalletDay);
  }

  /** Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string): Promise<WalletDay> {
    const [row]: DayRow[] = await this.dataSource.query(`${DAYS} AND d.id = $3`, [accountId, livemode, id]);
    return toWalletDay(found(row, 'day'));
  }

  private async closeAllOf(wallet: DueRow, until: Date): Promise<void> {
    let isMore = true;
    while (isMore) isMore = await this.unitOfWork.run((tx) => this.closeNext(tx, wallet, until));
  }

  /** False: there is nothing more to close, or somebody else does it. */
  private async closeNext(tx: Tx, { account_id, livemode, id }: DueRow, until: Date): Promise<boolean> {
    const wallet = [account_id, livemode, id];
    const locked: unknown[] = await tx.query(LOCK_DUE, [...wallet, until]);
    if (locked.length === 0) return false;
    // A statement of its own: it sees what was closed before the lock was there.
    const [next]: { date: string; ends_at: Date; is_over: boolean }[] = await tx.query(SELECT_NEXT, [
      ...wallet,
      timeOf(id),
    ]);
    const { date, ends_at: endsAt, is_over: isOver } = next!;
    if (isOver || endsAt > until) {
      await tx.query(SET_CLOSES_AT, [...wallet, isOver ? 'infinity' : endsAt]);
      return false;
    }
    const dayId = newIdOf(account_id);
    await tx.query(INSERT_DAY, [...wallet, date, dayId, endsAt]);
    const about = { accountId: account_id, livemode, objectType: 'day', objectId: dayId } as const;
    await this.unitOfWork.write(tx, [eventWrite({ ...about, type: 'day.closed', origin: NO_ORIGIN })]);
    return true;
  }
}

/** Before every other. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
