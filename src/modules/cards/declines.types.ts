import type { CardStatus } from './cards.states';

/** Why an authorization was refused, in the words of the API. */
export const DECLINE_REASONS = [
  'insufficient_funds',
  'card_frozen',
  'card_blocked',
  'card_expired',
  'card_terminated',
  'card_not_active',
  'spending_limit',
  'mcc_blocked',
  'country_blocked',
  'merchant_declined',
  'issuer_declined',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** Why a card in a state declines; null: it does not. */
export const DECLINED_BY_STATUS: Readonly<Record<CardStatus, DeclineReason | null>> = {
  active: null,
  pending: 'card_not_active',
  failed: 'card_not_active',
  frozen: 'card_frozen',
  blocked: 'card_blocked',
  expired: 'card_expired',
  terminated: 'card_terminated',
};
