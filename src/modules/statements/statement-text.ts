import { createHash } from 'node:crypto';
import { encodeId } from '../../core/http/ids';
import { sumToJsonNumber, toJsonNumber } from '../../core/money/money';
import type { TransactionType } from '../../vocabulary/products';
import type { StatementLineDto } from './statement.dto';
import type { Statement, StatementLine } from './statements.service';

type Facts = Readonly<Record<string, unknown>>;

/** What a transaction was, in words that never change: no name that may be another tomorrow. */
const WORDS: Readonly<Record<TransactionType, (details: Facts) => string>> = {
  transfer_out: ({ narration }) => withMore('Transfer sent', narration),
  transfer_in: ({ narration }) => withMore('Transfer received', narration),
  airtime_purchase: ({ network }) => withMore('Airtime', upper(network)),
  data_purchase: ({ network, plan_name }) => withMore('Data', upper(network), plan_name),
  bill_payment: ({ biller_name, item_name }) => withMore('Bill', biller_name, item_name),
  payout: ({ bank, account_name }) => withMore('Payout', (bank as Facts | undefined)?.name, account_name),
  card_issue: () => 'Card issued',
  card_funding: () => 'Card funded',
  card_withdrawal: () => 'Withdrawn from card',
  card_fee: () => 'Card fee',
  payment: ({ payment_reference }) => withMore('Payment received', payment_reference),
  payment_refund: ({ payment_reference }) => withMore('Payment refunded', payment_reference),
  conversion_out: ({ rate }) => withMore('Converted', rate && `rate ${text(rate)}`),
  conversion_in: ({ sold, rate }) => withMore('From conversion', sold, rate && `rate ${text(rate)}`),
  deposit: ({ payer }) => withMore('Deposit', (payer as Facts | undefined)?.name),
  reversal: ({ payment_reference }) => withMore('Reversal', payment_reference),
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const upper = (value: unknown): string => text(value).toUpperCase();

const withMore = (what: string, ...more: unknown[]): string => [what, ...more.map(text)].filter(Boolean).join(', ');

export const describeLine = ({ type, details }: Pick<StatementLine, 'type' | 'details'>): string =>
  WORDS[type](details ?? {});

/** Minor units. */
export interface StatementTotals {
  in: bigint;
  out: bigint;
}

/** Adds up lines as they pass, and their control hash: the same whatever the lines are made into. */
export class StatementControl {
  readonly totals: StatementTotals = { in: 0n, out: 0n };
  private readonly hash = createHash('sha256');

  constructor(private readonly statement: Statement) {
    const { walletId, currency, from, to, opening } = statement;
    this.add(encodeId('wal', walletId), currency, from.toISOString(), to.toISOString(), opening);
  }

  /** Every line, with what came and what went. */
  async *lines(): AsyncGenerator<StatementLine & StatementTotals> {
    for await (const line of this.statement.lines) {
      const sums = { in: line.amount > 0n ? line.amount : 0n, out: line.amount < 0n ? -line.amount : 0n };
      this.totals.in += sums.in;
      this.totals.out += sums.out;
      this.add(encodeId('txn', line.transactionId), line.at.toISOString(), sums.in, sums.out, line.balance);
      yield { ...line, ...sums };
    }
  }

  /** Once, behind the last line: in hexadecimal. */
  digest(): string {
    this.add(this.statement.closing);
    return this.hash.digest('hex');
  }

  private add(...values: readonly (string | bigint)[]): void {
    this.hash.update(`${values.join('|')}\n`);
  }
}

export const toLineDto = (line: StatementLine & StatementTotals): StatementLineDto => ({
  at: line.at,
  transaction_id: encodeId('txn', line.transactionId),
  type: line.type,
  description: describeLine(line),
  counterparty: line.counterpartyId && encodeId('wal', line.counterpartyId),
  recipient: line.recipient,
  reference: line.reference,
  in: toJsonNumber(line.in),
  out: toJsonNumber(line.out),
  balance: toJsonNumber(line.balance),
});

/** As much is sent at once. */
const CHUNK_CHARACTERS = 32_768;

/** A `StatementDto`, in pieces: it may be longer than memory. */
export async function* statementJson(statement: Statement): AsyncGenerator<string> {
  const control = new StatementControl(statement);
  const { walletId, currency, timeZone, from, to, livemode, isClosed, opening, closing } = statement;
  const head = {
    object: 'statement',
    wallet_id: encodeId('wal', walletId),
    currency,
    time_zone: timeZone,
    from,
    to,
    livemode,
    closed: isClosed,
    opening: toJsonNumber(opening),
    closing: toJsonNumber(closing),
  };
  let chunk = `${JSON.stringify(head).slice(0, -1)},"data":[`;
  let separator = '';
  for await (const line of control.lines()) {
    chunk += separator + JSON.stringify(toLineDto(line));
    separator = ',';
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  const { totals } = control;
  const sums = { total_in: sumToJsonNumber(totals.in), total_out: sumToJsonNumber(totals.out) };
  const end = { ...sums, hash: control.digest() };
  yield `${chunk}],${JSON.stringify(end).slice(1)}`;
}
