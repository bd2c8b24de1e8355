import { CARD_TRANSACTION_TRANSITIONS, type CardTransactionStatus } from './cards.states';

/** What becomes of an authorization after it was given. Expiry is time's, the others are the merchant's. */
export const STEP_KINDS = ['clearing', 'void', 'expiry', 'refund'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** From which states each step may be made. It needs money beside that: held to clear or release, cleared to refund. */
export const STEP_FROM: Readonly<Record<StepKind, readonly CardTransactionStatus[]>> = {
  clearing: ['authorized', 'settled'],
  void: ['authorized', 'settled'],
  expiry: ['authorized', 'settled'],
  refund: ['settled'],
};

/** A step that the table does not have is a fault of ours. */
export function assertTransition(from: CardTransactionStatus, to: CardTransactionStatus): void {
  if (!CARD_TRANSACTION_TRANSITIONS[from].includes(to))
    throw new Error(`a card transaction cannot go from ${from} to ${to}`);
}
