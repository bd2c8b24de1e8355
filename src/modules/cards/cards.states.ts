export const CARD_STATUSES = ['pending', 'active', 'failed', 'frozen', 'blocked', 'terminated', 'expired'] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

/** Who changes the state of a card: its owner, a person of the platform, the issuer, the decline policy, or time. */
export const CARD_ACTORS = ['account', 'operator', 'issuer', 'policy', 'clock'] as const;
export type CardActor = (typeof CARD_ACTORS)[number];

/**
 * Which states a card may go to from each. Total: a state without a row does not compile. An expired card may still hold
 * money, which terminating it returns; unblocking restores what the card was.
 */
export const CARD_TRANSITIONS: Readonly<Record<CardStatus, readonly CardStatus[]>> = {
  pending: ['active', 'failed'],
  active: ['frozen', 'blocked', 'terminated', 'expired'],
  failed: [],
  frozen: ['active', 'blocked', 'terminated'],
  blocked: ['active', 'frozen', 'terminated'],
  terminated: [],
  expired: ['terminated'],
};

/** A step that the table does not have is a fault of ours: what callers ask for is checked before. */
export function assertCardTransition(from: CardStatus, to: CardStatus): void {
  if (!CARD_TRANSITIONS[from].includes(to)) throw new Error(`a card cannot go from ${from} to ${to}`);
}

export const CARD_TRANSACTION_TYPES = ['authorization', 'refund', 'fee'] as const;
export type CardTransactionType = (typeof CARD_TRANSACTION_TYPES)[number];

export const CARD_TRANSACTION_STATUSES = [
  'authorized',
  'settled',
  'voided',
  'expired',
  'declined',
  'refunded',
] as const;
export type CardTransactionStatus = (typeof CARD_TRANSACTION_STATUSES)[number];

/**
 * A card transaction stays where it is when a part of it is cleared, released or refunded; it is refunded when all that was
 * cleared came back.
 */
export const CARD_TRANSACTION_TRANSITIONS: Readonly<Record<CardTransactionStatus, readonly CardTransactionStatus[]>> = {
  authorized: ['authorized', 'settled', 'voided', 'expired'],
  settled: ['settled', 'refunded'],
  voided: [],
  expired: [],
  declined: [],
  refunded: [],
};
