import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ENTRY_ARRIVED } from '../../core/cells/slot-moves';
import { type AccountTime, Clock } from '../../core/clock/clock';
import { FieldRefused } from '../../core/errors/domain-error';
import { timeOf } from '../../core/http/ids';
import type { Currency } from '../../core/money/money';
import { Presents, type Viewer } from '../../core/resources/resources';
import type { TransactionType } from '../../vocabulary/products';
import { AccountsService } from '../accounts/accounts.service';
import { PLATFORM_ACCOUNT_ID } from '../ledger/posting';
import type { WalletRecord } from '../wallets/wallets.service';
import { WalletDayDto } from './day.dto';
import { DaysService } from './days.service';
import type { DayOrMoment } from './statement.dto';

/** Entries that are read at once. */
const PIECE_ROWS = 500;

/**
 * First day or null, last day or null, zone; account, mode, wallet, whether days are those that were closed, when the
 * wallet was made. A day that was closed ended when it says so, also after its account moved to another zone. The first
 * one has all from the beginning on, and days before it are counted back from its end.
 */
const SELECT_PERIOD = `
  WITH days AS NOT MATERIALIZED (
    SELECT date, ends_at FROM wallet_days WHERE account_id = $4 AND livemode = $5 AND wallet_id = $6 AND $7
  ), first AS (
    SELECT date, ends_at FROM days ORDER BY date LIMIT 1
  )
  SELECT coalesce((SELECT ends_at FROM days WHERE date = $1::date - 1),
                  (SELECT least($8::timestamptz, ends_at - (date - $1::date + 1) * interval '24 hours')
                     FROM first WHERE date >= $1::date),
                  $1::date::timestamp AT TIME ZONE $3) AS "from",
         coalesce((SELECT ends_at FROM days WHERE date = $2::date),
                  (SELECT least($8::timestamptz, ends_at - (date - $2::date) * interval '24 hours')
                     FROM first WHERE date > $2::date),
                  ($2::date + 1)::timestamp AT TIME ZONE $3) AS "to"`;

/** The first day that ended at a moment or later, if it is closed: account, mode, wallet, the moment. */
const DAY_AT = `
  FROM wallet_days WHERE account_id = $1 AND livemode = $2 AND wallet_id = $3 AND ends_at >= $4
   AND date >= ($4::timestamptz AT TIME ZONE 'UTC')::date - 2 ORDER BY date LIMIT 1`;

const SELECT_CLOSED = `SELECT 1 ${DAY_AT}`;

/**
 * How a wallet stood before a moment; the same parameters. What came after a day was closed is not in that day,
 * whatever time it bears.
 */
const SELECT_STAND = `
  SELECT seq, created_at AS at, available_after + held_after AS balance FROM ledger_entries
   WHERE account_id = $1 AND ledger_account_id = $3 AND created_at < $4
     AND seq <= coalesce((SELECT through_seq ${DAY_AT}), 9223372036854775807)
   ORDER BY created_at DESC, seq DESC LIMIT 1`;

/**
 * How far apart the entries of one posting may be, looked through in turn. Each account's times go by itself, never
 * backwards: two hosts whose clocks differ by milliseconds are enough. Without a bound every month would be searched.
 */
const APART = `'{0,1 second,1 minute,31 days}'::interval[]`;

/**
 * The next entries with their transactions, and of those that take another one back with what the books say that was
 * given back of its fee and commission: account, mode, wallet, time and number of the entry before, number of the
 * last one, end of the period, number of rows.
 */
const SELECT_PIECE = `
  SELECT e.*, t.type, t.counterparty_id, t.recipient, t.reference, t.details, o.id AS reverses,
         o.type AS reversed_type, o.details AS reversed_details,
         CASE WHEN o.id IS NULL THEN t.fee ELSE coalesce(back.fee, 0) END AS fee,
         CASE WHEN o.id IS NULL THEN t.commission ELSE coalesce(back.commission, 0) END AS commission FROM (
    SELECT account_id, ledger_account_id, seq, created_at, batch_id, posting_id, transaction_id, amount
      FROM ledger_entries
     WHERE account_id = $1 AND ledger_account_id = $3 AND created_at >= $4 AND created_at < $7
       AND (created_at, seq) > ($4, $5) AND seq <= $6
     ORDER BY created_at, seq LIMIT $8) e
   LEFT JOIN transactions t ON t.account_id = $1 AND t.livemode = $2 AND t.id = e.transaction_id
  LEFT JOIN transactions o ON o.account_id = $1 AND o.livemode = $2 AND o.id = t.reverses
  LEFT JOIN LATERAL (
    SELECT sum(f.amount) FILTER (WHERE a.name = 'fees') AS fee,
           -sum(f.amount) FILTER (WHERE a.name = 'commissions') AS commission
      FROM ledger_accounts a
     CROSS JOIN LATERAL (
       SELECT found.amount FROM (SELECT apart FROM unnest(${APART}) AS apart ORDER BY apart) s
        CROSS JOIN LATERAL (
          SELECT sum(amount) AS amount FROM ledger_entries p
           WHERE p.account_id = a.account_id AND p.ledger_account_id = a.id
             AND p.created_at BETWEEN e.created_at - s.apart AND e.created_at + s.apart
             AND p.posting_id = e.posting_id AND p.batch_id = e.batch_id) found
        WHERE found.amount IS NOT NULL ORDER BY s.apart LIMIT 1) f
     WHERE a.account_id = '${PLATFORM_ACCOUNT_ID}' AND a.livemode = $2 AND a.currency = t.currency
       AND (a.name = 'fees' AND o.fee <> 0 OR a.name = 'commissions' AND o.commission <> 0)
       AND NOT ${ENTRY_ARRIVED}) back ON true
   ORDER BY e.created_at, e.seq`;

interface EntryRow {
  readonly seq: string;
  readonly created_at: Date;
  readonly batch_id: string;
  readonly posting_id: string;
  readonly transaction_id: string;
  readonly amount: string;
  readonly type: TransactionType;
  readonly counterparty_id: string | null;
  readonly recipient: string | null;
  readonly reference: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly fee: string;
  readonly commission: string;
  readonly reverses: string | null;
  readonly reversed_type: TransactionType | null;
  readonly reversed_details: EntryRow['details'];
}

/** How a wallet stood behind an entry; the number is 0 before the first one. */
interface Stand {
  readonly seq: bigint;
  readonly at: Date;
  /** Available and held together, in minor units. */
  readonly balance: bigint;
}

/** What a transaction did to a wallet. Minor units. */
export interface StatementLine {
  readonly at: Date;
  readonly transactionId: string;
  readonly type: TransactionType;
  /** Wallet uuid. */
  readonly counterpartyId: string | null;
  readonly recipient: string | null;
  readonly reference: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** Part of what went, or kept of what came; negative: given back. */
  readonly fee: bigint;
  /** Off what went; negative: taken back. */
  readonly commission: bigint;
  /** What it takes back; its id is a uuid. */
  readonly reverses: (Pick<StatementLine, 'type' | 'details'> & { readonly id: string }) | null;
  /** Signed: negative left the wallet. */
  readonly amount: bigint;
  /** Available and held together, after it. */
  readonly balance: bigint;
}

interface Asked {
  readonly from?: DayOrMoment;
  readonly to?: DayOrMoment;
}

export interface Statement {
  readonly walletId: string;
  readonly currency: Currency;
  readonly livemode: boolean;
  readonly timeZone: string;
  readonly from: Date;
  readonly to: Date;
  /** Available and held together, in minor units. */
  readonly opening: bigint;
  readonly closing: bigint;
  /** Every day of it is closed: it will be the same for ever. */
  readonly isClosed: boolean;
  /** Oldest first, read while they are asked for. Their sum is `closing` − `opening`, or reading them throws. */
  readonly lines: AsyncIterable<StatementLine>;
}

/**
 * Tells what happened to a wallet's money in a period. Both ends are entries, chosen before the first line is read:
 * what is written later has higher numbers, so the lines lead from one to the other, whatever happens meanwhile.
 */
@Injectable()
export class StatementsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly accounts: AccountsService,
    private readonly days: DaysService,
  ) {}

  /** Shows closed days to whoever holds only an id. */
  @Presents('day', 'wallets:read')
  async day(viewer: Viewer, id: string): Promise<WalletDayDto> {
    return WalletDayDto.of(await this.days.require(viewer, id));
  }

  /**
   * Days are those of the account, moments those of its clock. Throws `FieldRefused` where `to` is before `from`.
   */
  async of(wallet: WalletRecord, asked: Asked): Promise<Statement> {
    const { accountId, livemode, id: walletId, currency } = wallet;
    const { timeZone } = await this.accounts.require(accountId);
    const times = await this.clock.times({ accountId, livemode });
    const { from, to } = await this.period(wallet, asked, { timeZone, times });
    const opening = await this.standBefore(wallet, times?.from(from) ?? from);
    const end = times?.before(to) ?? to;
    // Two looks: entries that came between them are behind the first.
    const found = await this.standBefore(wallet, end);
    const closing = found.seq > opening.seq ? found : opening;
    const closed: unknown[] = await this.dataSource.query(SELECT_CLOSED, [accountId, livemode, walletId, end]);
    const lines = this.lines(wallet, opening, closing, end);
    return {
      walletId,
      currency,
      livemode,
      timeZone,
      from,
      to,
      opening: opening.balance,
      closing: closing.balance,
      // Nothing can come into what ended before the wallet was made.
      isClosed: closed.length > 0 || timeOf(walletId) >= end,
      lines: times === null ? lines : shown(lines, (at) => times.shown(at)),
    };
  }

  private async period(
    { accountId, livemode, id }: WalletRecord,
    asked: Asked,
    { timeZone, times }: { timeZone: string; times: AccountTime | null },
  ): Promise<{ from: Date; to: Date }> {
    const { from = times?.shown(timeOf(id)) ?? timeOf(id), to } = asked;
    const dayOf = (bound: DayOrMoment | undefined) => (typeof bound === 'string' ? bound : null);
    const values = [dayOf(from), dayOf(to), timeZone, accountId, livemode, id, times === null, timeOf(id)];
    const [days]: { from: Date; to: Date | null }[] = await this.dataSource.query(SELECT_PERIOD, values);
    const period = {
      from: from instanceof Date ? from : days!.from,
      to: to instanceof Date ? to : (days!.to ?? (await this.clock.now({ accountId, livemode }))),
    };
    const isBackwards = period.to < period.from || (typeof from === 'string' && typeof to === 'string' && to < from);
    if (isBackwards) throw new FieldRefused('/to', '/to must not be before /from.');
    return period;
  }

  private async standBefore({ accountId, livemode, id }: WalletRecord, moment: Date): Promise<Stand> {
    const values = [accountId, livemode, id, moment];
    const [row]: { seq: string; at: Date; balance: string }[] = await this.dataSource.query(SELECT_STAND, values);
    if (row === undefined) return { seq: 0n, at: new Date(0), balance: 0n };
    return { seq: BigInt(row.seq), at: row.at, balance: BigInt(row.balance) };
  }

  private async *lines(wallet: WalletRecord, opening: Stand, closing: Stand, end: Date): AsyncGenerator<StatementLine> {
    let balance = opening.balance;
    for await (const batch of batchesOf(this.entries(wallet, opening, closing, end))) {
      for (const line of linesOf(batch, balance)) {
        balance = line.balance;
        yield line;
      }
    }
    if (balance !== closing.balance)
      throw new Error(`the lines of wallet ${wallet.id} lead to ${balance} instead of ${closing.balance}`);
  }

  /** In their order, piece by piece: whoever reads slowly keeps no snapshot. */
  private async *entries(wallet: WalletRecord, from: Stand, through: Stand, end: Date): AsyncGenerator<EntryRow> {
    const { accountId, livemode, id } = wallet;
    let { at, seq } = { at: from.at, seq: from.seq.toString() };
    while (BigInt(seq) < through.seq) {
      const values = [accountId, livemode, id, at, seq, through.seq.toString(), end, PIECE_ROWS];
      const rows: EntryRow[] = await this.dataSource.query(SELECT_PIECE, values);
      const last = rows.at(-1);
      if (last === undefined) throw new Error(`wallet ${id} has no entry between ${seq} and ${through.seq}`);
      yield* rows;
      ({ created_at: at, seq } = last);
    }
  }
}

/** The entries of a batch stand together: the wallet is locked for it. */
async function* batchesOf(entries: AsyncIterable<EntryRow>): AsyncGenerator<EntryRow[]> {
  let batch: EntryRow[] = [];
  for await (const entry of entries) {
    if (batch.length > 0 && batch[0]!.batch_id !== entry.batch_id) {
      yield batch;
      batch = [];
    }
    batch.push(entry);
  }
  if (batch.length > 0) yield batch;
}

/** One for each transaction that a batch changed the wallet by, in order. What came to nothing was held, or let go. */
function linesOf(batch: readonly EntryRow[], before: bigint): StatementLine[] {
  const movements = new Map<string, { row: EntryRow; amount: bigint }>();
  for (const row of batch) {
    const key = `${row.posting_id} ${row.transaction_id}`;
    movements.set(key, { row, amount: (movements.get(key)?.amount ?? 0n) + BigInt(row.amount) });
  }
  let balance = before;
  return [...movements.values()].flatMap(({ row, amount }) => {
    if (amount === 0n) return [];
    balance += amount;
    const { type, recipient, reference, details, reverses, reversed_type, reversed_details } = row;
    return [
      {
        at: row.created_at,
        transactionId: row.transaction_id,
        type,
        counterpartyId: row.counterparty_id,
        recipient,
        reference,
        details,
        fee: BigInt(row.fee),
        commission: BigInt(row.commission),
        reverses: reverses === null ? null : { id: reverses, type: reversed_type!, details: reversed_details },
        amount,
        balance,
      },
    ];
  });
}

async function* shown(lines: AsyncIterable<StatementLine>, timeOf: (at: Date) => Date): AsyncGenerator<StatementLine> {
  for await (const line of lines) yield { ...line, at: timeOf(line.at) };
}
