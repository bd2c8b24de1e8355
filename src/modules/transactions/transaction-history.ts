import { bulkInsert, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { EventType } from '../../vocabulary/event-types';
import { TransactionDto } from './transaction.dto';
import { Transaction, type TransactionStatus } from './transaction.entity';
import type { TransactionRecord } from './transactions.service';

// How a transaction changes, and what is told of it then. An event says the same for ever: what is told of one that is
// under way is kept with the event; of one that is final only the version is, and whatever changes it after all keeps
// what it was.

const CHANGEABLE = [
  'status',
  'balanceBefore',
  'balanceAfter',
  'details',
  'secrets',
  'providerName',
  'providerReference',
  'providerAttempts',
  'failure',
  'nextCheckAt',
  'reversedBy',
  'needsReview',
  'version',
  'updatedAt',
  'completedAt',
] as const;

// Whoever changes a record says which state it was in, and which version: of two who both think so, the second fails
// in the database.
const CONDITIONS = { was: ['status'], where: 't.version = v.version - 1' } as const;
const written = rows(Transaction);
const updateTransaction = written.update({ name: 'update_transactions', change: CHANGEABLE, ...CONDITIONS });
/** With what a record costs, which few change: apart, so that the others do not carry it. */
const repriceTransaction = written.update({
  name: 'reprice_transactions',
  change: [...CHANGEABLE, 'amount', 'fee', 'commission'],
  ...CONDITIONS,
});

const insertVersion = bulkInsert('transaction_versions', {
  account_id: 'uuid',
  livemode: 'boolean',
  transaction_id: 'uuid',
  version: 'integer',
  said: 'json',
});

/** What of a transaction may be another at its next event. */
const CHANGING = [
  'status',
  'amount',
  'fee',
  'commission',
  'total',
  'amount_display',
  'balance_before',
  'balance_after',
  'details',
  'provider',
  'failure',
  'next_check_at',
  'reversed_by',
  'needs_review',
  'version',
  'updated_at',
  'completed_at',
] as const satisfies readonly (keyof TransactionDto)[];

const NOTHING_YET = Object.fromEntries(CHANGING.map((field) => [field, null]));

/** Nothing is left to happen by itself, but for a reversal. */
const isFinal = ({ status }: TransactionRecord): boolean => status !== 'pending' && status !== 'processing';

/** What may be another later, but for what is null. */
function saidOf(transaction: TransactionRecord): object {
  const shown = TransactionDto.of(transaction);
  const said: Record<string, unknown> = {};
  for (const field of CHANGING) {
    const value = shown[field];
    // Of a time that it must turn into text itself, JSON.stringify makes a detour for the whole object.
    if (value !== null) said[field] = value instanceof Date ? value.toISOString() : value;
  }
  return said;
}

/** What events told of `before`, should it have been final. */
function versionKept(before: TransactionRecord): Write[] {
  if (!isFinal(before)) return [];
  const { accountId, livemode, id, version } = before;
  return [insertVersion.row({ account_id: accountId, livemode, transaction_id: id, version, said: saidOf(before) })];
}

/**
 * A changed record, of the next version. The write fails when the stored one is not in the state of `before`, or of
 * another version.
 */
export const transactionChange = (after: TransactionRecord, before: TransactionRecord): Write[] => [
  updateTransaction(after, before),
  ...versionKept(before),
];

/** A changed record that also costs something else than before. */
export const transactionRepricing = (after: TransactionRecord, before: TransactionRecord): Write[] => [
  repriceTransaction(after, before),
  ...versionKept(before),
];

/** What an event kept of a transaction: all that may change, or the version; of a sample perhaps only a status. */
interface Kept {
  readonly version?: number;
  readonly needs_review?: boolean;
}

/** The version to be looked up, to tell what was said at an event; null: there is nothing to look up. */
export function versionAt(now: TransactionDto, snapshot: object | null): number | null {
  const { version, needs_review } = (snapshot ?? {}) as Kept;
  return version === undefined || needs_review !== undefined || version === now.version ? null : version;
}

/** As it stood at an event. `said`: what was kept of `versionAt`. */
export const transactionAt = (now: TransactionDto, snapshot: object | null, said: object | null): TransactionDto => ({
  ...now,
  ...((said ?? (snapshot && 'needs_review' in snapshot)) && NOTHING_YET),
  ...said,
  ...snapshot,
});

export interface TransactionMoment {
  /** Its status before; null: it has none. */
  readonly previous: TransactionStatus | null;
  readonly origin: EventOrigin;
  /** What is told, when that is not the status. */
  readonly what?: TransactionStatus | 'needs_review';
}

/** `transaction.successful` about one that is final from the start and never changes. */
export const settledEvent = ({ accountId, livemode, id }: TransactionRecord, origin: EventOrigin): Write =>
  eventWrite({ accountId, livemode, type: 'transaction.successful', objectType: 'txn', objectId: id, origin });

/** `transaction.<what>` about a transaction as it stands then. */
export function transactionEvent(
  transaction: TransactionRecord,
  { previous, origin, what = transaction.status }: TransactionMoment,
): Write {
  const { accountId, livemode, id, version } = transaction;
  const kept = isFinal(transaction) ? { version } : saidOf(transaction);
  return eventWrite({
    accountId,
    livemode,
    type: `transaction.${what}` as EventType,
    objectType: 'txn',
    objectId: id,
    snapshot: { previous_status: previous, ...kept },
    origin,
  });
}
