import type { NotDelivered, Refusal } from './purchases.provider';

// What aggregators of top-ups refuse alike, whatever they call it.

const SELLS_NOTHING = {
  message: 'The provider cannot sell at the moment.',
  recovery: 'retry_later',
  retryElsewhere: true,
} as const;

/** Of our account: they end an order which is being sent, and say nothing of one that was sent before. */
export const FLOAT_EMPTY: Refusal = { code: 'provider_float_empty', ...SELLS_NOTHING };
export const ACCOUNT_LOCKED: Refusal = { code: 'provider_account_locked', ...SELLS_NOTHING };
export const LIMIT_REACHED: Refusal = { code: 'provider_limit_reached', ...SELLS_NOTHING };

export const INVALID_RECIPIENT: Refusal = {
  code: 'invalid_recipient',
  message: 'The operator does not know the number.',
  recovery: 'caller_must_fix',
  retryElsewhere: false,
};

export const OPERATOR_UNKNOWN: Refusal = {
  code: 'operator_not_found',
  message: 'The provider does not know the operator of this number.',
  recovery: 'caller_must_fix',
  retryElsewhere: true,
};

export const AMOUNT_NOT_SOLD: Refusal = {
  code: 'invalid_amount',
  message: 'The operator does not sell this amount.',
  recovery: 'caller_must_fix',
  retryElsewhere: true,
};

export const refused = (refusal: Refusal): NotDelivered => ({ outcome: 'not_delivered', ...refusal });
