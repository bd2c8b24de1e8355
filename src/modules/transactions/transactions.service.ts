import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { found } from '../../core/errors/domain-error';
import { decodeId, lowestIdAt } from '../../core/http/ids';
import { everyRow } from '../../core/http/pages';
import type { Currency } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { type Direction, Transaction, type TransactionStatus } from './transaction.entity';
import type { TransactionType } from '../../vocabulary/products';

/** What a list of transactions may be narrowed to. Amounts in minor units, bounds on time as in `gte`, `lt`. */
export interface TransactionFilters {
  readonly type?: readonly TransactionType[];
  readonly status?: readonly TransactionStatus[];
  /** Public id of a wallet. */
  readonly wallet_id?: string;
  readonly direction?: Direction;
  readonly reference?: string;
  readonly recipient?: string;
  readonly currency?: Currency;
  readonly needs_review?: boolean;
  readonly amount_gte?: number;
  readonly amount_lte?: number;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

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

/** Account, mode, transaction, version. */
const SELECT_SAID = `
  SELECT said FROM transaction_versions
   WHERE account_id = $1 AND livemode = $2 AND transaction_id = $3 AND version = $4`;

const EXACT = ['direction', 'reference', 'recipient', 'currency'] as const;

/** The record of a movement that is final at once. */
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

/** Finds the records that an account sees of its money movements. */
@Injectable()
export class TransactionsService {
  private readonly lookUp: RowLookUp<Transaction>;

  constructor(@InjectRepository(Transaction) private readonly transactions: Repository<Transaction>) {
    this.lookUp = new RowLookUp(transactions);
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
    return narrow(query, filters) ? query.getMany() : [];
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
