import type { QueryResult, Received, Reversal } from '../../modules/payments/gateway';
import { type Given, isText } from '../../providers/answers';
import { idOf, subunits, UNREADABLE } from './paystack';
import { isProcessed, type PaystackDispute, type PaystackRefund } from './refunds';

type Came = Omit<Received, 'outcome'>;

/** What arrived by a transaction that was paid; null: it is not told. */
export function receivedOf({ id, amount, currency, fees, requested_amount: requested }: Given): Came | null {
  const [reference, paid] = [idOf(id), subunits(amount)];
  if (reference === null || paid === null || !isText(currency) || !/^[A-Z]{3}$/.test(currency)) return null;
  const [asked, kept] = [subunits(requested), subunits(fees)];
  const isOnTop = asked !== null && kept !== null && kept > 0n && paid - kept === asked;
  // Where payers bear the fee they pay it on top of what was asked, and only what was asked comes to us.
  if (isOnTop) return { gatewayReference: reference, amount: asked, currency };
  return { gatewayReference: reference, amount: paid, currency, ...(kept !== null && kept < paid && { fee: kept }) };
}

interface WentBack {
  /** Paystack's word for the transaction: all of it went back, or is about to. */
  readonly isReversed: boolean;
  readonly refunds: readonly PaystackRefund[];
  readonly disputes: readonly PaystackDispute[];
}

/** What is left of what arrived. */
export function settledOf({ fee, ...received }: Came, { isReversed, refunds, disputes }: WentBack): QueryResult {
  const reversals = [
    ...refunds.filter(isProcessed).map(reversalOf),
    ...disputes
      .filter(({ id }) => !refunds.some(({ dispute }) => dispute === id))
      .map(({ id, amount }): Reversal => ({ gatewayReference: nameOf(id), amount })),
  ];
  if (reversals.length > 0)
    return {
      outcome: 'reversed',
      code: 'reversed',
      message: 'Money of the payment went back.',
      ...received,
      reversals,
    };
  return isReversed ? UNTRACED : { outcome: 'successful', ...received, ...(fee !== undefined && { fee }) };
}

/** It says that the money went back, and lists nothing that did so far. */
const UNTRACED = { ...UNREADABLE, code: 'reversed_without_trace' };

/** A dispute is told before its refund, and under one name before and after. */
const reversalOf = ({ id, amount, dispute, note }: PaystackRefund): Reversal => ({
  gatewayReference: dispute === null ? id : nameOf(dispute),
  amount,
  ...(note !== null && OURS.test(note) && { reference: note }),
});

/** Whoever refunds at the dashboard writes sentences there. */
const OURS = /^[a-z0-9_]{1,64}$/;

const nameOf = (dispute: string): string => `dispute-${dispute}`;
