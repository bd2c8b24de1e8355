import type { Write } from '../../core/database/bulk';
import type { EventType } from '../../core/outbox/event-types';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { TransactionRecord } from './transactions.service';
import { TransactionDto } from './transaction.dto';
import type { TransactionStatus } from './transaction.entity';

/** The fields that never change, or that an event says by itself. */
const CONSTANT = [
  'id',
  'object',
  'type',
  'direction',
  'wallet_id',
  'counterparty',
  'currency',
  'reference',
  'recipient',
  'metadata',
  'livemode',
  'created_at',
  'ledger',
];

export interface TransactionMoment {
  /** Its status before; null: it has none. */
  readonly previous: TransactionStatus | null;
  readonly origin: EventOrigin;
  /** What is told, when that is not the status. */
  readonly what?: TransactionStatus | 'needs_review';
}

/**
 * `transaction.successful` about one that is final from the start and never changes: shown as it stands, it needs no
 * snapshot.
 */
export const settledEvent = ({ accountId, livemode, id }: TransactionRecord, origin: EventOrigin): Write =>
  eventWrite({ accountId, livemode, type: 'transaction.successful', objectType: 'txn', objectId: id, origin });

/** `transaction.<what>` about a transaction, which is kept as it stands then. */
export function transactionEvent(
  transaction: TransactionRecord,
  { previous, origin, what = transaction.status }: TransactionMoment,
): Write {
  const { accountId, livemode, id } = transaction;
  const shown = Object.fromEntries(
    Object.entries(TransactionDto.of(transaction)).filter(([field]) => !CONSTANT.includes(field)),
  );
  const snapshot = { ...shown, previous_status: previous };
  return eventWrite({
    accountId,
    livemode,
    type: `transaction.${what}` as EventType,
    objectType: 'txn',
    objectId: id,
    snapshot,
    origin,
  });
}
