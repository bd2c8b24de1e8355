export const TRANSACTION_TYPES = [
  'transfer_out',
  'transfer_in',
  'airtime_purchase',
  'data_purchase',
  'bill_payment',
  'card_issue',
  'card_funding',
  'card_withdrawal',
  'card_fee',
  'payment',
  'deposit',
  'reversal',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const DIRECTIONS = ['debit', 'credit'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const TRANSACTION_STATUSES = ['pending', 'processing', 'successful', 'failed', 'cancelled', 'reversed'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
