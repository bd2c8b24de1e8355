import type { RefundOrder, RefundResult } from '../../modules/payments/gateway';
import { fieldsOf, type Given, isObject, isText } from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';
import { envelopeOf, idOf, subunits, UNREADABLE, wordsOf } from './paystack';

/** What Paystack gave back of a transaction, or is about to. */
export interface PaystackRefund {
  readonly id: string;
  /** `pending`, `processing`, `processed`, `failed`, `needs-attention`. */
  readonly status: string;
  /** Subunits. */
  readonly amount: bigint;
  /** Id of the dispute that it settled; null: it was asked for. */
  readonly dispute: string | null;
  /** Ours stands here: Paystack has no reference of refunds for those who ask. */
  readonly note: string | null;
}

/** A chargeback that ended for the payer. */
export interface PaystackDispute {
  readonly id: string;
  /** Subunits that went back. */
  readonly amount: bigint;
}

/** Those of the transaction. Throws where a row is not understood: what went back must not be overlooked. */
export function refundsOf(rows: readonly Given[], transaction: string): readonly PaystackRefund[] {
  return rows.flatMap((row) => {
    const refund = rowOf(row);
    const of = transactionOf(row);
    if (refund === null || of === null) throw new Error('a refund is not understood');
    return of === transaction ? [refund] : [];
  });
}

const ACCEPTED = ['merchant-accepted', 'auto-accepted'];

/** Those of the transaction that ended for the payer. Throws where a row is not understood. */
export function disputesOf(rows: readonly Given[], transaction: string): readonly PaystackDispute[] {
  return rows.flatMap((row) => {
    const { id, resolution, refund_amount: amount, status } = row;
    const of = transactionOf(row);
    if (idOf(id) === null || of === null) throw new Error('a dispute is not understood');
    if (of !== transaction || status !== 'resolved' || !ACCEPTED.includes(String(resolution))) return [];
    const back = subunits(amount);
    if (back === null) throw new Error('a dispute does not tell its amount');
    return [{ id: idOf(id)!, amount: back }];
  });
}

export const isProcessed = ({ status }: PaystackRefund): boolean => status === 'processed';

export const isAllBack = (refunds: readonly PaystackRefund[], received: bigint): boolean =>
  refunds.filter(isProcessed).reduce((sum, { amount }) => sum + amount, 0n) === received;

export const isAsked = ({ note }: PaystackRefund, reference: string): boolean => note === reference;

/** Refusals that prove that nothing is given back. What is not listed is none. */
export const REFUND_REFUSALS: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  transaction_reversed: { code: 'already_reversed', message: 'All of the payment has gone back already.' },
};

/** Older errors have no code. */
const WORDS: Readonly<Record<string, string>> = { 'transaction has been fully reversed': 'transaction_reversed' };

/** What a request for a refund was answered with. */
export function refundOf(answer: CompanyAnswer, { reference, payment }: RefundOrder): RefundResult {
  const envelope = envelopeOf(answer);
  if (envelope === null) return UNREADABLE;
  if (!envelope.isDone) {
    const code = envelope.code || WORDS[wordsOf(envelope)] || '';
    return answer.status === 400 && Object.hasOwn(REFUND_REFUSALS, code)
      ? { outcome: 'not_refunded', about: 'order', ...REFUND_REFUSALS[code]!, recovery: 'none' }
      : UNREADABLE;
  }
  const refund = rowOf(fieldsOf(envelope.data));
  const of = fieldsOf(fieldsOf(envelope.data).transaction).reference;
  const isOurs = refund !== null && isAsked(refund, reference) && of === payment.reference.replaceAll('_', '-');
  return isOurs ? refundResultOf(refund) : UNREADABLE;
}

/** Where it goes on: `needs-attention` waits for the payer's account number, which an operator enters. */
const GOES_ON = ['pending', 'processing', 'needs-attention'];

/** How a refund stands. Only that it is done, or failed for good, ends it. */
export function refundResultOf({ id, status, amount }: PaystackRefund): RefundResult {
  if (status === 'processed') return { outcome: 'refunded', gatewayReference: id, amount };
  if (GOES_ON.includes(status)) return { outcome: 'accepted', gatewayReference: id };
  if (status !== 'failed') return UNREADABLE;
  return {
    outcome: 'not_refunded',
    about: 'order',
    code: 'refund_failed',
    message: 'The refund could not be made; Paystack has credited the money to us again.',
    recovery: 'retry_later',
  };
}

function rowOf({ id, status, amount, dispute, merchant_note: note }: Given): PaystackRefund | null {
  const [own, money] = [idOf(id), subunits(amount)];
  if (own === null || money === null || money === 0n || !isText(status)) return null;
  const of = isObject(dispute) ? idOf(dispute.id) : idOf(dispute);
  return { id: own, status, amount: money, dispute: of, note: isText(note) ? note : null };
}

/** Lists have the id of the transaction, or all of it. */
const transactionOf = ({ transaction }: Given): string | null =>
  isObject(transaction) ? idOf(transaction.id) : idOf(transaction);
