export const PAYMENT_STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'expired',
  'cancelled',
  'reversed',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Which states a payment may go to from each. Total: a state without a row does not compile. */
const TRANSITIONS: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['processing', 'expired', 'cancelled'],
  processing: ['successful', 'failed'],
  successful: ['reversed'],
  failed: [],
  expired: [],
  cancelled: [],
  reversed: [],
};

/** Money that arrived after all: only a person may say so, with evidence. */
const BY_REVIEW: Readonly<Partial<Record<PaymentStatus, readonly PaymentStatus[]>>> = {
  failed: ['successful'],
  expired: ['successful'],
  cancelled: ['successful'],
};

/** Nothing is left to happen by itself, but for a reversal. */
export const isFinal = (status: PaymentStatus): boolean => status !== 'pending' && status !== 'processing';

/** A step that the table does not have is a fault of ours. What is pending passes through `processing` on its way to an outcome. */
export function assertTransition(from: PaymentStatus, to: PaymentStatus, isReview = false): void {
  const direct = [...TRANSITIONS[from], ...((isReview && BY_REVIEW[from]) || [])];
  const isAllowed = direct.includes(to) || (from === 'pending' && TRANSITIONS.processing.includes(to));
  if (!isAllowed) throw new Error(`a payment cannot go from ${from} to ${to}`);
}
