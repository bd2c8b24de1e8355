import { bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import type { Transaction } from './transaction.entity';
import type { TransactionStatus } from './transactions.types';

const insertTransaction = bulkInsert('transactions', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  wallet_id: 'uuid',
  type: 'text',
  direction: 'text',
  status: 'text',
  amount: 'bigint',
  fee: 'bigint',
  currency: 'text',
  source_id: 'uuid?',
  counterparty_id: 'uuid?',
  balance_before: 'bigint?',
  balance_after: 'bigint?',
  reference: 'text?',
  details: 'jsonb?',
  metadata: 'jsonb',
  updated_at: 'timestamptz',
  completed_at: 'timestamptz?',
});

/** Fields that a movement which is final from the start can have; the rest is for purchases. */
type Given =
  | 'accountId'
  | 'livemode'
  | 'id'
  | 'walletId'
  | 'type'
  | 'direction'
  | 'amount'
  | 'currency'
  | 'balanceBefore'
  | 'balanceAfter';
type Optional = 'fee' | 'sourceId' | 'counterpartyId' | 'reference' | 'metadata' | 'details';
export type FinalTransaction = Pick<Transaction, Given> & Partial<Pick<Transaction, Optional>> & { readonly at: Date };

/** A movement that is final when it is recorded. */
export const finalTransaction = ({ at, ...given }: FinalTransaction): Transaction => ({
  fee: 0n,
  commission: 0n,
  sourceId: null,
  counterpartyId: null,
  reference: null,
  recipient: null,
  details: null,
  secrets: null,
  providerName: null,
  providerReference: null,
  providerAttempts: 0,
  failure: null,
  nextCheckAt: null,
  reverses: null,
  reversedBy: null,
  needsReview: false,
  metadata: {},
  version: 1,
  ...given,
  status: 'successful',
  updatedAt: at,
  completedAt: at,
});

export const transactionWrite = (t: Readonly<Transaction>): Write =>
  insertTransaction.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: t.id,
    wallet_id: t.walletId,
    type: t.type,
    direction: t.direction,
    status: t.status,
    amount: t.amount,
    fee: t.fee,
    currency: t.currency,
    source_id: t.sourceId,
    counterparty_id: t.counterpartyId,
    balance_before: t.balanceBefore,
    balance_after: t.balanceAfter,
    reference: t.reference,
    details: t.details,
    metadata: t.metadata,
    updated_at: t.updatedAt,
    completed_at: t.completedAt,
  });

/** Movements that are not final when they are recorded. Apart, so that transfers do not carry their columns. */
const insertOpenTransaction = bulkInsert(
  'transactions',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    wallet_id: 'uuid',
    type: 'text',
    direction: 'text',
    status: 'text',
    amount: 'bigint',
    fee: 'bigint',
    commission: 'bigint',
    currency: 'text',
    source_id: 'uuid?',
    balance_before: 'bigint?',
    balance_after: 'bigint?',
    reference: 'text?',
    recipient: 'text?',
    details: 'jsonb?',
    provider_name: 'text?',
    provider_attempts: 'integer',
    next_check_at: 'timestamptz?',
    reverses: 'uuid?',
    metadata: 'jsonb',
    updated_at: 'timestamptz',
    completed_at: 'timestamptz?',
  },
  'insert_open_transactions',
);

export const openTransactionWrite = (t: Readonly<Transaction>): Write =>
  insertOpenTransaction.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: t.id,
    wallet_id: t.walletId,
    type: t.type,
    direction: t.direction,
    status: t.status,
    amount: t.amount,
    fee: t.fee,
    commission: t.commission,
    currency: t.currency,
    source_id: t.sourceId,
    balance_before: t.balanceBefore,
    balance_after: t.balanceAfter,
    reference: t.reference,
    recipient: t.recipient,
    details: t.details,
    provider_name: t.providerName,
    provider_attempts: t.providerAttempts,
    next_check_at: t.nextCheckAt,
    reverses: t.reverses,
    metadata: t.metadata,
    updated_at: t.updatedAt,
    completed_at: t.completedAt,
  });

const CHANGEABLE = [
  'status',
  'balance_before',
  'balance_after',
  'details',
  'secrets',
  'provider_name',
  'provider_reference',
  'provider_attempts',
  'failure',
  'next_check_at',
  'reversed_by',
  'needs_review',
  'version',
  'updated_at',
  'completed_at',
];

const CHANGE = {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  status_before: 'text',
  status: 'text',
  balance_before: 'bigint?',
  balance_after: 'bigint?',
  details: 'jsonb?',
  secrets: 'bytea?',
  provider_name: 'text?',
  provider_reference: 'text?',
  provider_attempts: 'integer',
  failure: 'jsonb?',
  next_check_at: 'timestamptz?',
  reversed_by: 'uuid?',
  needs_review: 'boolean',
  version: 'integer',
  updated_at: 'timestamptz',
  completed_at: 'timestamptz?',
} as const;

/** What a record costs, which few change: apart, so that the others do not carry it. */
const PRICE = { amount: 'bigint', fee: 'bigint', commission: 'bigint' } as const;

// Whoever changes a record says which state it was in, and which version: of two who both think so, the second fails in the database.
const update = (name: string, columns: readonly string[]) => ({
  name,
  key: ['account_id' as const, 'livemode' as const, 'id' as const],
  set: Object.fromEntries(columns.map((column) => [column, `v.${column}`])),
  where: 't.status = v.status_before AND t.version = v.version - 1',
});
const updateTransaction = bulkUpdate('transactions', CHANGE, update('update_transactions', CHANGEABLE));
const repriceTransaction = bulkUpdate(
  'transactions',
  { ...CHANGE, ...PRICE },
  update('reprice_transactions', [...CHANGEABLE, ...Object.keys(PRICE)]),
);

const changeOf = (t: Readonly<Transaction>, statusBefore: TransactionStatus) => ({
  account_id: t.accountId,
  livemode: t.livemode,
  id: t.id,
  status_before: statusBefore,
  status: t.status,
  balance_before: t.balanceBefore,
  balance_after: t.balanceAfter,
  details: t.details,
  secrets: t.secrets,
  provider_name: t.providerName,
  provider_reference: t.providerReference,
  provider_attempts: t.providerAttempts,
  failure: t.failure,
  next_check_at: t.nextCheckAt,
  reversed_by: t.reversedBy,
  needs_review: t.needsReview,
  version: t.version,
  updated_at: t.updatedAt,
  completed_at: t.completedAt,
});

export const transactionChange = (t: Readonly<Transaction>, statusBefore: TransactionStatus): Write =>
  updateTransaction.row(changeOf(t, statusBefore));

/** A change of what the record costs, too. */
export const transactionReprice = (t: Readonly<Transaction>, statusBefore: TransactionStatus): Write =>
  repriceTransaction.row({ ...changeOf(t, statusBefore), amount: t.amount, fee: t.fee, commission: t.commission });
