import type { Currency } from '../../core/money/money';
import type { QueryResult, RefundOrder, RefundResult, Reversal } from '../../modules/payments/gateway';
import { fieldsOf, type Given, isText } from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';
import { envelopeOf, idOf, minorOf, UNREADABLE } from './flutterwave';
import type { Came } from './transactions';

/** What Flutterwave gave back of a transaction, or is about to. */
export interface FlutterwaveRefund {
  readonly id: string;
  /** Of the transaction. */
  readonly transaction: string;
  readonly status: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Ours stands here: Flutterwave has no reference of refunds for those who ask. Null: it tells none. */
  readonly comment: string | null;
}

/** The transaction whose refunds are meant. */
interface Whose {
  readonly transaction: string;
  readonly currency: Currency;
}

/** Those of the transaction. Throws where a row is not understood: what went back must not be overlooked. */
export function refundsOf(rows: readonly Given[], { transaction, currency }: Whose): readonly FlutterwaveRefund[] {
  return rows
    .filter((row) => isOrMayBe(transactionOf(row), transaction))
    .map((row) => {
      const refund = refundIn(row, currency);
      if (refund === null) throw new Error('a refund is not understood');
      return refund;
    });
}

const isOrMayBe = (of: string | null, transaction: string): boolean => of === null || of === transaction;

/** As lists, the answer to a request, and callbacks name it. */
export const transactionOf = ({ transaction_id: listed, tx_id: made, TransactionId: told }: Given): string | null =>
  idOf(listed ?? made ?? told);

function refundIn(row: Given, currency: Currency): FlutterwaveRefund | null {
  const [id, transaction, amount] = [idOf(row.id), transactionOf(row), minorOf(row.amount_refunded, currency)];
  const comment = row.comment ?? row.comments;
  if (id === null || transaction === null || amount === null || !isText(row.status)) return null;
  return { id, transaction, status: statusOf(row), amount, comment: isText(comment) ? comment : null };
}

/** `completed` means that the refund is made and not yet paid out, unless it says that it is. */
const statusOf = ({ status, meta }: Given): string =>
  status === 'completed' && metaOf(meta).disburse_status === 'successful' ? 'successful' : String(status);

/** An object, or its JSON as text. */
function metaOf(meta: unknown): Given {
  if (typeof meta !== 'string') return fieldsOf(meta);
  try {
    return fieldsOf(JSON.parse(meta));
  } catch {
    return {};
  }
}

/** Ends of a refund that is with the payer. */
const DONE = [
  'complete',
  'completed-bank-transfer',
  'completed-momo',
  'completed-mpgs',
  'completed-offline',
  'completed-preauth',
  'successful',
];

/** Where it goes on. */
const GOES_ON = ['completed', 'pending-momo', 'processing'];

export const isDone = (status: unknown): boolean => DONE.includes(String(status));

/** How a refund stands. Only that it is done, or failed, ends it. */
export function refundResultOf({ id, status, amount }: FlutterwaveRefund): RefundResult {
  if (isDone(status)) return { outcome: 'refunded', gatewayReference: id, amount };
  if (GOES_ON.includes(status)) return { outcome: 'accepted', gatewayReference: id };
  if (status !== 'failed') return UNREADABLE;
  return {
    outcome: 'not_refunded',
    about: 'order',
    code: 'refund_failed',
    message: 'The refund could not be made.',
    recovery: 'retry_later',
  };
}

export const isAsked = ({ id, comment }: FlutterwaveRefund, order: RefundOrder): boolean =>
  comment === order.reference || id === order.gatewayReference;

/** It may be the one that was asked for: of as much, under way or done, and without a word of whose it is. */
export const mayBeAsked = ({ comment, status, amount }: FlutterwaveRefund, order: RefundOrder): boolean =>
  comment === null && status !== 'failed' && amount === order.amount;

/**
 * What a request for a refund was answered with. No refusal ends it: errors have no codes, and their words are not
 * documented.
 */
export function refundOf(answer: CompanyAnswer, { transaction, currency }: Whose, amount: bigint): RefundResult {
  const envelope = envelopeOf(answer);
  const refund = envelope?.isDone ? refundIn(fieldsOf(envelope.data), currency) : null;
  const isOurs = refund !== null && refund.transaction === transaction && refund.amount === amount;
  return isOurs ? refundResultOf(refund) : UNREADABLE;
}

/** A chargeback that ended for the payer. */
export interface FlutterwaveChargeback {
  readonly id: string;
  /** Minor units that went back. */
  readonly amount: bigint;
}

const KEPT = ['declined', 'initiated', 'won'];
const LOST = ['accepted', 'lost'];

/** Those of the transaction that ended for the payer. Throws where a row is not understood. */
export function chargebacksOf(rows: readonly Given[], { transaction, currency }: Whose): FlutterwaveChargeback[] {
  return rows.flatMap((row) => {
    const [id, of, amount] = [idOf(row.id), transactionOf(row), minorOf(row.amount, currency)];
    const status = String(row.status);
    if (of !== null && of !== transaction) return [];
    if (id === null || of === null || amount === null || !(KEPT.includes(status) || LOST.includes(status)))
      throw new Error('a chargeback is not understood');
    return LOST.includes(status) ? [{ id, amount }] : [];
  });
}

interface WentBack {
  readonly refunds: readonly FlutterwaveRefund[];
  readonly chargebacks: readonly FlutterwaveChargeback[];
}

/** What is left of what arrived. */
export function settledOf({ fee, ...received }: Came, { refunds, chargebacks }: WentBack): QueryResult {
  const reversals = [
    ...refunds.filter(({ status }) => isDone(status)).map(reversalOf),
    ...chargebacks.map(({ id, amount }): Reversal => ({ gatewayReference: `chargeback-${id}`, amount })),
  ];
  if (reversals.length === 0) return { outcome: 'successful', ...received, ...(fee !== undefined && { fee }) };
  return { outcome: 'reversed', code: 'reversed', message: 'Money of the payment went back.', ...received, reversals };
}

const reversalOf = ({ id, amount, comment }: FlutterwaveRefund): Reversal => ({
  gatewayReference: id,
  amount,
  ...(comment !== null && OURS.test(comment) && { reference: comment }),
});

/** Whoever refunds at the dashboard writes sentences there. */
const OURS = /^[a-z0-9_]{1,64}$/;
