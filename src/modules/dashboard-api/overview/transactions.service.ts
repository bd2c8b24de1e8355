import { Injectable } from '@nestjs/common';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { type AccountTime, Clock } from '../../../core/clock/clock';
import { InsufficientScope, NotFound } from '../../../core/errors/domain-error';
import type { Caller } from '../../../core/http/caller';
import { decodeId, encodeId, HIGHEST_ID, timeOf } from '../../../core/http/ids';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import {
  AMOUNT_MAX,
  CURRENCIES,
  type Currency,
  decimalText,
  displayMoney,
  fromMajor,
  toJsonNumber,
} from '../../../core/money/money';
import { Resources, type Viewer } from '../../../core/resources/resources';
import { CsvNumber } from '../../../core/text/csv';
import { localTime } from '../../../core/text/local-time';
import type { XlsxColumn } from '../../../core/text/xlsx';
import { AccountsService } from '../../accounts/accounts.service';
import { LedgerEntriesService } from '../../ledger/entries.service';
import { TransactionDto, type TransactionFilters } from '../../transactions/transaction.dto';
import { TransactionsService } from '../../transactions/transactions.service';
import {
  type FoundDto,
  type TransactionEntryDto,
  TransactionTotalDto,
  type TransactionTotalsDto,
} from './overview.dto';

type Seeker = Pick<Caller, 'accountId' | 'livemode' | 'scopes'>;

const HITS_MAX = 20;
const ID = /^([a-z]{3,4})_[0-9a-z]{26}$/;
/** Where a number without a country is looked for. */
const COUNTRY = 'NG';

/** A shorter part is in half of everything. */
const PART_MIN = 4;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Clocks of two processes may differ a little: looked for a second either side. */
const SLACK_MS = 1_000;

/** Of very many only the newest are counted: that takes a fraction of a second. */
const COUNTED_MAX = 100_000;

/** Columns of the file of a view. */
export const VIEW_COLUMNS = [
  'id',
  'created_at',
  'type',
  'direction',
  'status',
  'needs_review',
  'amount',
  'fee',
  'commission',
  'total',
  'currency',
  'balance_before',
  'balance_after',
  'reference',
  'recipient',
  'wallet_id',
  'counterparty',
  'failure',
  'completed_at',
] as const;

const MONEY = ['amount', 'fee', 'commission', 'total', 'balance_before', 'balance_after'] as const;

const WIDTHS: Readonly<Record<string, number>> = {
  id: 32,
  wallet_id: 32,
  counterparty: 32,
  failure: 40,
  reference: 24,
};

/** The same columns in a workbook: amounts are numbers there, and times are dates. */
export const VIEW_CELLS: readonly XlsxColumn[] = VIEW_COLUMNS.map((key) => {
  if (key.endsWith('_at')) return { key, numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 };
  if ((MONEY as readonly string[]).includes(key)) return { key, numFmt: '#,##0.00', width: 20 };
  return { key, width: WIDTHS[key] ?? 16 };
});

/** What the public API does not show of transactions, and of what else people look for. */
@Injectable()
export class DashboardTransactions {
  constructor(
    private readonly resources: Resources,
    private readonly transactions: TransactionsService,
    private readonly entries: LedgerEntriesService,
    private readonly clock: Clock,
    private readonly accounts: AccountsService,
  ) {}

  /** What the transactions that match add up to, by currency. */
  async totals(viewer: Viewer, filters: TransactionFilters): Promise<TransactionTotalsDto> {
    const real = boundsOf(filters, await this.clock.times(viewer));
    const totals = await this.transactions.totals(viewer, real, COUNTED_MAX);
    const count = totals.reduce((sum, total) => sum + total.count, 0);
    return { data: totals.map(TransactionTotalDto.of), count, capped: count >= COUNTED_MAX };
  }

  /**
   * All that match as rows of a file, as text or as cells of a workbook: money with its decimals, times by the clocks
   * of the account's time zone.
   */
  async rows(viewer: Viewer, filters: TransactionFilters, as: 'text' | 'cells'): Promise<AsyncIterable<object>> {
    const [times, { timeZone }] = await Promise.all([
      this.clock.times(viewer),
      this.accounts.require(viewer.accountId),
    ]);
    const matching = this.transactions.stream(viewer, boundsOf(filters, times));
    return (async function* () {
      for await (const transaction of matching) {
        const row = TransactionDto.of(transaction);
        yield viewRow(times?.present(row) ?? row, timeZone, FILES[as]);
      }
    })();
  }

  /** Finds things by what people have in hand: an id, their own reference, a number, an amount, or a part of one. */
  async search(seeker: Seeker, text: string): Promise<FoundDto[]> {
    const named = await this.findById(seeker, text);
    if (named !== null || text.includes('\0')) return named === null ? [] : [named];
    if (!this.resources.isReadable(seeker, 'txn')) return [];
    const phone = parsePhoneNumberFromString(text, COUNTRY)?.number;
    const recipients = [...new Set([text, ...(phone === undefined ? [] : [phone as string])])];
    const found = await Promise.all([
      this.transactions.list(seeker, { reference: text }, null, HITS_MAX),
      ...recipients.map((recipient) => this.transactions.list(seeker, { recipient }, null, HITS_MAX)),
    ]);
    const exact = found.flat().map(({ id }) => id);
    const ids = [...new Set(exact.length > 0 ? exact : await this.alike(seeker, text))].sort().reverse();
    return ids.slice(0, HITS_MAX).map((id) => ({ id: encodeId('txn', id), type: 'transaction' }));
  }

  /** What a transaction wrote into the account's own books, oldest first. By id or reference. Throws `NotFound`. */
  async ledgerLines(viewer: Viewer, idOrReference: string): Promise<TransactionEntryDto[]> {
    const { id, walletId, sourceId, currency, updatedAt } = await this.transactions.require(viewer, idOrReference);
    const between: [Date, Date] = [new Date(timeOf(id).getTime() - SLACK_MS), new Date(updatedAt.getTime() + SLACK_MS)];
    const entries = await this.entries.ofTransaction(
      { accountId: viewer.accountId, ledgerAccountId: walletId },
      id,
      between,
    );
    const isCard = walletId === sourceId;
    const times = await this.clock.times(viewer);
    return entries.map(({ seq, bucket, amount, availableAfter, heldAfter, createdAt }) => ({
      id: seq.toString(),
      wallet_id: isCard ? null : encodeId('wal', walletId),
      account: isCard ? 'card' : 'wallet',
      bucket,
      amount: toJsonNumber(amount),
      currency,
      amount_display: displayMoney({ amount, currency }),
      balance_after: toJsonNumber(bucket === 'held' ? heldAfter : availableAfter),
      created_at: times?.shown(createdAt) ?? createdAt,
    }));
  }

  /** Ids of what has the amount, or a part of it in an id, a reference or a number. */
  private async alike(seeker: Seeker, text: string): Promise<string[]> {
    const digits = text.replaceAll(/^0|[\s()+-]/g, '');
    const part = /^\d+$/.test(digits) ? digits : text;
    const isLong = part.length >= PART_MIN;
    const [begun, others] = await Promise.all([
      this.transactions.between(seeker, idsThatBegin(text), HITS_MAX),
      this.transactions.like(
        seeker,
        { part: isLong ? part : null, amounts: amountsOf(text), idEnd: isLong ? idEndOf(text) : null },
        HITS_MAX,
      ),
    ]);
    return [...begun, ...others];
  }

  private async findById(seeker: Seeker, text: string): Promise<FoundDto | null> {
    const prefix = ID.exec(text)?.[1] as IdPrefix | undefined;
    const id = prefix === undefined ? null : decodeId(prefix, text);
    if (id === null || !this.resources.isReadable(seeker, prefix!) || !this.resources.isPresented(prefix!)) return null;
    try {
      const { object } = (await this.resources.present(seeker, prefix!, id)) as { object: string };
      return { id: text, type: object };
    } catch (error) {
      if (error instanceof NotFound || error instanceof InsufficientScope) return null;
      throw error;
    }
  }
}

/** The amount that a text may mean, by currency: `1,250.50`, `NGN 500`. */
export function amountsOf(text: string): { currency: Currency; amount: bigint }[] {
  const [, word, digits] = /^(?:([A-Za-z]{3})\s*)?(\d[\d,\s]*(?:\.\d*)?)$/.exec(text) ?? [];
  if (digits === undefined) return [];
  const major = digits.replaceAll(/[,\s]|\.$/g, '');
  return CURRENCIES.filter((currency) => word === undefined || currency === word.toUpperCase()).flatMap((currency) => {
    const amount = fromMajor(major, currency);
    return amount === null || amount > AMOUNT_MAX ? [] : [{ currency, amount }];
  });
}

const ID_LENGTH = 'txn_'.length + 26;

/** The first and the last id that begin so; of what begins no id, two that nothing lies between. */
function idsThatBegin(text: string): [string, string] {
  const isBegin = text.startsWith('txn_') && text.length >= 'txn_'.length + PART_MIN && text.length < ID_LENGTH;
  const first = isBegin ? decodeId('txn', text.padEnd(ID_LENGTH, '0')) : null;
  const last = isBegin ? decodeId('txn', text.padEnd(ID_LENGTH, 'z')) : null;
  return first === null || last === null ? [HIGHEST_ID, LOWEST_ID] : [first, last];
}

/** As many hexadecimal digits as the last letters of an id tell for sure, up to the last hyphen of the uuid. */
function idEndOf(text: string): string | null {
  const letters = text.slice(-9);
  const uuid = /^[0-9a-z]{4,25}$/.test(text) ? decodeId('txn', `txn_${letters.padStart(26, '0')}`) : null;
  return uuid && uuid.slice(-Math.floor((letters.length * 5) / 4));
}

/** Filters by real times, of such by the account's clock. */
function boundsOf(filters: TransactionFilters, times: AccountTime | null): TransactionFilters {
  if (times === null) return filters;
  const { created_gte: from, created_lt: before } = filters;
  return {
    ...filters,
    ...(from && { created_gte: times.from(from) }),
    ...(before && { created_lt: times.before(before) }),
  };
}

/** How money and times are written. */
interface FileKind {
  readonly money: (major: string) => unknown;
  readonly time: (local: string) => unknown;
}

const FILES: Readonly<Record<'text' | 'cells', FileKind>> = {
  text: { money: (major) => new CsvNumber(major), time: (local) => local },
  // A workbook knows no zone: its moments are what a clock on the wall said.
  cells: { money: Number, time: (local) => new Date(`${local.replace(' ', 'T')}Z`) },
};

function viewRow(row: TransactionDto, timeZone: string, file: FileKind): object {
  const money = MONEY.map((name) => {
    const minor = row[name];
    return [
      name,
      minor === null ? null : file.money(decimalText({ amount: BigInt(minor), currency: row.currency })),
    ] as const;
  });
  const time = (at: Date): unknown => file.time(localTime(at, timeZone));
  return {
    ...row,
    ...Object.fromEntries(money),
    failure: row.failure?.message ?? null,
    created_at: time(row.created_at),
    completed_at: row.completed_at && time(row.completed_at),
  };
}
