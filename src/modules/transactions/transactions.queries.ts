import { bulkInsert, type Write } from '../../core/database/bulk';
import type { Transaction } from './transaction.entity';

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
  metadata: 'jsonb',
  updated_at: 'timestamptz',
  completed_at: 'timestamptz?',
});

/** Fields that a movement which is final from the start can have; the rest is for purchases. */
type Given = 'accountId' | 'livemode' | 'id' | 'walletId' | 'type' | 'direction' | 'amount' | 'currency' | 'balanceBefore' | 'balanceAfter';
type Optional = 'fee' | 'sourceId' | 'counterpartyId' | 'reference' | 'metadata';
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
  providerName: null,
  providerReference: null,
  providerAttempts: 0,
  failure: null,
  nextCheckAt: null,
  reverses: null,
  reversedBy: null,
  metadata: {},
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
    metadata: t.metadata,
    updated_at: t.updatedAt,
    completed_at: t.completedAt,
  });
