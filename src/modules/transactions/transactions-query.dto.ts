import { CurrencyCode, OneOf, PublicId, Reference, Text } from '../../core/http/fields';
import { AmountBound, DateTime, Flag, ManyOf, PageQuery } from '../../core/http/query-fields';
import type { Currency } from '../../core/money/currencies';
import {
  type Direction,
  DIRECTIONS,
  type TransactionStatus,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionType,
} from './transactions.types';
import type { TransactionFilters } from './transactions.service';

/** Filters and page of a list of transactions. */
export class TransactionsQuery extends PageQuery implements TransactionFilters {
  @ManyOf(TRANSACTION_TYPES)
  type?: TransactionType[];

  @ManyOf(TRANSACTION_STATUSES)
  status?: TransactionStatus[];

  @PublicId('wal', { optional: true })
  wallet_id?: string;

  @OneOf(DIRECTIONS, { optional: true })
  direction?: Direction;

  @Reference({ optional: true })
  reference?: string;

  @Text(64, { optional: true })
  recipient?: string;

  @CurrencyCode({ optional: true })
  currency?: Currency;

  /** Those that people must look at, or the others. */
  @Flag()
  needs_review?: boolean;

  @AmountBound()
  amount_gte?: number;

  @AmountBound()
  amount_lte?: number;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;

  /** `csv` streams every match instead of a page. */
  @OneOf(['json', 'csv'], { optional: true })
  format?: 'json' | 'csv';
}
