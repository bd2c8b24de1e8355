import { Injectable } from '@nestjs/common';
import { type AccountTime, Clock } from '../../../core/clock/clock';
import { decimalText } from '../../../core/money/money';
import type { Viewer } from '../../../core/resources/resources';
import { CsvNumber } from '../../../core/text/csv';
import { localTime } from '../../../core/text/local-time';
import type { XlsxColumn } from '../../../core/text/xlsx';
import { AccountsService } from '../../accounts/accounts.service';
import { TransactionDto, type TransactionFilters } from '../../transactions/transaction.dto';
import { TransactionsService } from '../../transactions/transactions.service';
import { TransactionTotalDto, type TransactionTotalsDto } from './overview.dto';

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

/** What the public API does not show of transactions. */
@Injectable()
export class DashboardTransactions {
  constructor(
    private readonly transactions: TransactionsService,
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
