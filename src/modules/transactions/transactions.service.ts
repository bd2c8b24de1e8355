import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { rowsWith } from '../../core/database/metadata';
import { ReadPipeline, RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { found } from '../../core/errors/domain-error';
import { type Caller, requireScope } from '../../core/http/caller';
import { decodeId, lowestIdAt } from '../../core/http/ids';
import { everyRow } from '../../core/http/pages';
import type { Currency } from '../../core/money/money';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import type { EventType } from '../../vocabulary/event-types';
import { SCOPE_OF } from '../../vocabulary/products';
import { TransactionDto, type TransactionFilters } from './transaction.dto';
import { Transaction, type TransactionStatus } from './transaction.entity';

/** What others may know of a transaction. */
export type TransactionRecord = Readonly<Transaction>;

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
type FinalTransaction = Pick<Transaction, Given> & Partial<Pick<Transaction, Optional>> & { readonly at: Date };

const written = rows(Transaction);

/** A record as a write of the posting that moves the money. */
export const transactionWrite = written.insert({
  except: [
    'commission',
    'recipient',
    'secrets',
    'providerName',
    'providerReference',
    'providerAttempts',
    'failure',
    'nextCheckAt',
    'reverses',
    'reversedBy',
    'needsReview',
    'version',
  ],
});

/**
 * A record that is not final yet, or carries what a transfer has not. Apart, so that transfers do not carry their
 * columns.
 */
export const openTransactionWrite = written.insert({
  except: ['counterpartyId', 'secrets', 'providerReference', 'failure', 'reversedBy', 'needsReview', 'version'],
  name: 'insert_open_transactions',
});

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
  readonly what?: TransactionStatus | 'needs_review' | 'awaiting_approval';
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

/** Account, mode, transaction, version. */
const SELECT_SAID = `
  SELECT said FROM transaction_versions
   WHERE account_id = $1 AND livemode = $2 AND transaction_id = $3 AND version = $4`;

const EXACT = ['direction', 'reference', 'recipient', 'currency'] as const;

/** Sums as text: many amounts that each are a JSON number may sum to more than one. */
const SELECT_TOTALS = `
  SELECT currency, count(*)::integer AS count,
         coalesce(sum(amount) FILTER (WHERE direction = 'credit'), 0)::text AS amount_in,
         coalesce(sum(amount) FILTER (WHERE direction = 'debit'), 0)::text AS amount_out,
         sum(fee)::text AS fees`;

/** Of one currency, in minor units. */
export interface TransactionTotal {
  readonly currency: Currency;
  readonly count: number;
  readonly amount_in: string;
  readonly amount_out: string;
  readonly fees: string;
}

/** The record of a movement that is final at once. One by one: with a spread it is slow to make, and to be read. */
export const finalTransaction = (given: FinalTransaction): Transaction => ({
  accountId: given.accountId,
  livemode: given.livemode,
  id: given.id,
  walletId: given.walletId,
  type: given.type,
  direction: given.direction,
  status: 'successful',
  amount: given.amount,
  fee: given.fee ?? 0n,
  commission: 0n,
  currency: given.currency,
  sourceId: given.sourceId ?? null,
  counterpartyId: given.counterpartyId ?? null,
  balanceBefore: given.balanceBefore,
  balanceAfter: given.balanceAfter,
  reference: given.reference ?? null,
  recipient: null,
  details: given.details ?? null,
  secrets: null,
  providerName: null,
  providerReference: null,
  providerAttempts: 0,
  failure: null,
  nextCheckAt: null,
  reverses: null,
  reversedBy: null,
  needsReview: false,
  metadata: given.metadata ?? {},
  version: 1,
  updatedAt: given.at,
  completedAt: given.at,
});

/** Finds the records that an account sees of its money movements. */
@Injectable()
export class TransactionsService {
  private readonly lookUp: RowLookUp<Transaction>;

  constructor(
    @InjectRepository(Transaction) private readonly transactions: Repository<Transaction>,
    reads: ReadPipeline,
  ) {
    this.lookUp = new RowLookUp(reads, written.lookUp());
  }

  /** By public id, else by the caller's own reference. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, idOrReference: string): Promise<Transaction> {
    const id = decodeId('txn', idOrReference);
    if (id !== null) return found(await this.lookUp.find({ accountId, livemode, id }), 'transaction');
    // PostgreSQL refuses to look for text that it cannot hold.
    const isStorable = !idOrReference.includes('\0');
    const where = { accountId, livemode, reference: idOrReference };
    return found(isStorable ? await this.transactions.findOne({ where, order: { id: 'DESC' } }) : null, 'transaction');
  }

  /** To be cancelled, or asked about: nothing of it is told to who may not. Throws `NotFound`, `InsufficientScope`. */
  async requireChangeable(caller: Caller, idOrReference: string): Promise<Transaction> {
    const transaction = await this.require(caller, idOrReference);
    requireScope(caller, SCOPE_OF[transaction.type]);
    return transaction;
  }

  /** Newest first, below the uuid `before`. */
  async list(caller: Viewer, filters: TransactionFilters, before: string | null, take: number): Promise<Transaction[]> {
    const query = this.transactions
      .createQueryBuilder('t')
      .where('t.account_id = :accountId AND t.livemode = :livemode', {
        accountId: caller.accountId,
        livemode: caller.livemode,
      })
      .orderBy('t.id', 'DESC')
      .take(take);
    if (before) query.andWhere('t.id < :before', { before });
    return narrow(query, filters) ? rowsWith(query, filters.metadata, caller, before) : [];
  }

  /** How many of the newest `most` that match there are of each currency, and what they add up to. */
  async totals(caller: Viewer, filters: TransactionFilters, most: number): Promise<TransactionTotal[]> {
    const query = this.transactions
      .createQueryBuilder('t')
      .select(['t.currency AS currency', 't.direction AS direction', 't.amount AS amount', 't.fee AS fee'])
      .where('t.account_id = :accountId AND t.livemode = :livemode', {
        accountId: caller.accountId,
        livemode: caller.livemode,
      })
      .orderBy('t.id', 'DESC')
      .limit(most);
    if (!narrow(query, filters)) return [];
    if (filters.metadata !== undefined)
      query.andWhere('t.metadata @> :pairs', { pairs: JSON.stringify(filters.metadata) });
    const [matching, values] = query.getQueryAndParameters();
    return this.transactions.query(`${SELECT_TOTALS} FROM (${matching}) matching GROUP BY currency ORDER BY 1`, values);
  }

  /** What events told of a version of a final transaction that was changed after all. Throws `NotFound`. */
  async saidOf({ accountId, livemode, id }: Transaction, version: number): Promise<object> {
    const [row]: { said: object }[] = await this.transactions.query(SELECT_SAID, [accountId, livemode, id, version]);
    return found(row, 'transaction').said;
  }

  /** All that match, newest first. */
  stream(caller: Viewer, filters: TransactionFilters): AsyncGenerator<Transaction> {
    return everyRow(
      (before: string | null, take) => this.list(caller, filters, before, take),
      ({ id }) => id,
    );
  }
}

/** False: nothing can match. */
function narrow(query: SelectQueryBuilder<Transaction>, filters: TransactionFilters): boolean {
  for (const field of EXACT) {
    if (filters[field] !== undefined) query.andWhere(`t.${field} = :${field}`, { [field]: filters[field] });
  }
  for (const field of ['type', 'status'] as const) {
    if (filters[field] !== undefined) query.andWhere(`t.${field} IN (:...${field})`, { [field]: filters[field] });
  }
  // The recipient of a payout is `<bank>/<account>`.
  if (filters.bank !== undefined) query.andWhere(`starts_with(t.recipient, :bank || '/')`, { bank: filters.bank });
  if (filters.needs_review !== undefined)
    query.andWhere(filters.needs_review ? 't.needs_review' : 'NOT t.needs_review');
  if (filters.amount_gte !== undefined) query.andWhere('t.amount >= :amount_gte', { amount_gte: filters.amount_gte });
  if (filters.amount_lte !== undefined) query.andWhere('t.amount <= :amount_lte', { amount_lte: filters.amount_lte });
  // Ids carry the time of creation: a bound on time is a bound on the primary key.
  if (filters.created_gte) query.andWhere('t.id >= :from', { from: lowestIdAt(filters.created_gte) });
  if (filters.created_lt) query.andWhere('t.id < :to', { to: lowestIdAt(filters.created_lt) });
  if (filters.wallet_id === undefined) return true;
  const walletId = decodeId('wal', filters.wallet_id);
  query.andWhere('t.wallet_id = :walletId', { walletId });
  return walletId !== null;
}
