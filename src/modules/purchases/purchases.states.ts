import type { TransactionStatus } from '../transactions/transactions.types';

/** Which states a purchase may go to from each. Total: a state without a row does not compile. */
export const TRANSITIONS: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['processing', 'cancelled'],
  processing: ['processing', 'successful', 'failed'],
  successful: ['reversed'],
  failed: [],
  cancelled: [],
  reversed: [],
};

/** Not final: the answer to the caller is 202. */
export const isRunning = (status: TransactionStatus): boolean => status === 'pending' || status === 'processing';

/** A step that the table does not have is a fault of ours. */
export function assertTransition(from: TransactionStatus, to: TransactionStatus): void {
  if (!TRANSITIONS[from].includes(to)) throw new Error(`a purchase cannot go from ${from} to ${to}`);
}
