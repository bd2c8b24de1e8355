import type { TransactionRecord } from './transactions.service';
import { TransactionDto } from './transaction.dto';
import type { TransactionStatus } from './transactions.types';

/** The fields that never change, or that an event says by itself. */
const CONSTANT = ['id', 'object', 'type', 'direction', 'wallet_id', 'counterparty', 'currency', 'reference', 'recipient', 'metadata', 'livemode', 'created_at', 'ledger'];

/** What an event about a transaction keeps of it; `previous`: its status before. One that is final from the start needs none. */
export const transactionSnapshot = (transaction: TransactionRecord, previous: TransactionStatus | null): object => ({
  ...Object.fromEntries(Object.entries(TransactionDto.of(transaction)).filter(([field]) => !CONSTANT.includes(field))),
  previous_status: previous,
});
