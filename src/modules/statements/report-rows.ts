import { csvText, CsvNumber } from '../../core/text/csv';
import { encodeId } from '../../core/http/ids';
import { type Currency, decimalText, toJsonNumber } from '../../core/money/money';
import type { TransactionType } from '../../vocabulary/products';
import { localTime } from '../../core/text/local-time';
import type { Report, ReportKind } from './report.entity';
import { describeLine } from './statement-text';
import type { StatementLine } from './statements.service';

/** A line of the statement of one of many wallets. */
export interface ReportLine extends StatementLine {
  /** Wallet uuid. */
  readonly walletId: string;
  readonly currency: Currency;
}

/** Minor units as `bigint`. */
type Cell = string | bigint | Date | null;
type Columns = Readonly<Record<string, (line: ReportLine) => Cell>>;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What a line is about: a reversal is about what it takes back. */
const subjectOf = ({ type, details, reverses }: ReportLine) => reverses ?? { type, details };

const fact = (line: ReportLine, name: string): string | null => text(subjectOf(line).details?.[name]);

const isAbout =
  (...types: readonly TransactionType[]) =>
  (line: ReportLine): boolean =>
    types.includes(subjectOf(line).type);

/** Before fee and commission, with the sign of the line: what was bought, sent or collected. */
const grossOf = ({ amount, fee, commission }: ReportLine): bigint => amount + fee - commission;

const FIRST: Columns = {
  time: ({ at }) => at,
  wallet_id: ({ walletId }) => encodeId('wal', walletId),
  transaction_id: ({ transactionId }) => encodeId('txn', transactionId),
  type: ({ type }) => type,
  reverses: ({ reverses }) => reverses && encodeId('txn', reverses.id),
};
const WHAT: Columns = { description: describeLine, reference: ({ reference }) => reference };
const LAST: Columns = { currency: ({ currency }) => currency };

/** What is in a report of a kind, and what it says of each line. Amounts are signed: negative left the wallet. */
const KINDS: Readonly<Record<ReportKind, { isIn: (line: ReportLine) => boolean; columns: Columns }>> = {
  transactions: {
    isIn: () => true,
    columns: {
      ...FIRST,
      ...WHAT,
      counterparty: ({ counterpartyId }) => counterpartyId && encodeId('wal', counterpartyId),
      recipient: ({ recipient }) => recipient,
      in: ({ amount }) => (amount > 0n ? amount : 0n),
      out: ({ amount }) => (amount < 0n ? -amount : 0n),
      balance: ({ balance }) => balance,
      ...LAST,
    },
  },
  settlements: {
    isIn: isAbout('payment', 'payment_refund', 'deposit'),
    columns: {
      ...FIRST,
      ...WHAT,
      payment_id: (line) => fact(line, 'payment_id'),
      gross: grossOf,
      fee: ({ fee }) => fee,
      net: ({ amount }) => amount,
      ...LAST,
    },
  },
  fees: {
    isIn: ({ fee }) => fee !== 0n,
    columns: { ...FIRST, ...WHAT, amount: grossOf, fee: ({ fee }) => fee, ...LAST },
  },
  commissions: {
    isIn: ({ commission }) => commission !== 0n,
    columns: { ...FIRST, ...WHAT, amount: grossOf, commission: ({ commission }) => commission, ...LAST },
  },
  payouts: {
    isIn: isAbout('payout'),
    columns: {
      ...FIRST,
      bank: (line) => text((subjectOf(line).details?.bank as Record<string, unknown> | undefined)?.name),
      account_number_masked: (line) => fact(line, 'account_number_masked'),
      account_name: (line) => fact(line, 'account_name'),
      narration: (line) => fact(line, 'narration'),
      reference: ({ reference }) => reference,
      amount: grossOf,
      fee: ({ fee }) => fee,
      total: ({ amount }) => amount,
      ...LAST,
    },
  },
};

/** Whether a line is in the report. */
export function isReported({ kind, filters }: Pick<Report, 'kind' | 'filters'>, line: ReportLine): boolean {
  return KINDS[kind].isIn(line) && (filters.type === undefined || filters.type === line.type);
}

/**
 * The file, piece by piece: CSV with decimals and times by the clocks of `timeZone`, or a JSON list with minor units
 * and times in UTC.
 */
export function reportText(
  { kind, format }: Pick<Report, 'kind' | 'format'>,
  lines: AsyncIterable<ReportLine>,
  timeZone: string,
): AsyncIterable<string | Buffer> {
  const { columns } = KINDS[kind];
  if (format === 'csv') return csvText(Object.keys(columns), csvRows(columns, lines, timeZone), { bom: true });
  return jsonText(columns, lines);
}

async function* csvRows(columns: Columns, lines: AsyncIterable<ReportLine>, timeZone: string): AsyncGenerator<object> {
  for await (const line of lines) {
    const { currency } = line;
    yield cellsOf(columns, line, (cell) => {
      if (cell instanceof Date) return localTime(cell, timeZone);
      return typeof cell === 'bigint' ? new CsvNumber(decimalText({ amount: cell, currency })) : cell;
    });
  }
}

async function* jsonText(columns: Columns, lines: AsyncIterable<ReportLine>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const line of lines) {
    const row = cellsOf(columns, line, (cell) => (typeof cell === 'bigint' ? toJsonNumber(cell) : cell));
    yield separator + JSON.stringify(row);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

const cellsOf = (columns: Columns, line: ReportLine, shown: (cell: Cell) => unknown): object =>
  Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, shown(cell(line))]));
