import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode, OneOf, PublicId, Reference, Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import {
  AmountBound,
  DateTime,
  Flag,
  ManyOf,
  MayBeginWithPlus,
  MetadataFilter,
  PageQuery,
} from '../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney, toJsonNumber } from '../../core/money/money';
import { Varies } from '../../core/openapi/schemas';
import type { SecretBox } from '../../core/secrets/secret-box';
import { PLATFORM_ACCOUNT_ID, type Posted } from '../ledger/posting';
import { TRANSACTION_DETAILS } from './transaction-details.dto';
import {
  type Direction,
  DIRECTIONS,
  type Transaction,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from './transaction.entity';
import { TRANSACTION_TYPES, type TransactionType } from '../../vocabulary/products';

/** A line that the ledger would write for a dry run. Minor units. */
export class LedgerLineDto {
  /** Null for a card and for an account of the platform. */
  wallet_id: string | null;
  card_id: string | null;
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed. @example -5000 */
  amount: number;
  /** Null for an account that is not yours. */
  balance_after: number | null;

  /** The lines of a preview, as the account that asked may see them. */
  static listOf({ entries }: Posted, accountId: string, cardId: string | null = null): LedgerLineDto[] {
    const isWallet = (entry: Posted['entries'][number]) =>
      entry.accountId !== PLATFORM_ACCOUNT_ID && entry.ledgerAccountId !== cardId;
    return entries.map((entry) => ({
      wallet_id: isWallet(entry) ? encodeId('wal', entry.ledgerAccountId) : null,
      card_id: entry.ledgerAccountId === cardId ? encodeId('crd', cardId) : null,
      bucket: entry.bucket,
      amount: toJsonNumber(entry.amount),
      balance_after:
        entry.accountId === accountId
          ? toJsonNumber(entry.bucket === 'held' ? entry.heldAfter : entry.availableAfter)
          : null,
    }));
  }
}

/** What a list of transactions may be narrowed to. Amounts in minor units, bounds on time as in `gte`, `lt`. */
export interface TransactionFilters {
  readonly type?: readonly TransactionType[];
  readonly status?: readonly TransactionStatus[];
  /** Public id of a wallet. */
  readonly wallet_id?: string;
  readonly direction?: Direction;
  readonly reference?: string;
  readonly recipient?: string;
  /** Of payouts: code of the bank that the money goes to. */
  readonly bank?: string;
  readonly currency?: Currency;
  readonly needs_review?: boolean;
  readonly amount_gte?: number;
  readonly amount_lte?: number;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
  /** Each pair as it is. */
  readonly metadata?: Record<string, string>;
}

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

  @MayBeginWithPlus()
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

  @MetadataFilter()
  metadata?: Record<string, string>;

  /** `csv` streams every match instead of a page. */
  @OneOf(['json', 'csv'], { optional: true })
  format?: 'json' | 'csv';
}

/** Who carried a purchase out. */
export class TransactionProviderDto {
  /** @example "sandbox" */
  name: string;
  /** The provider's own id, once it gave one. */
  reference: string | null;
  /** How often a provider was asked. */
  attempts: number;
}

/** Why a transaction failed, or was reversed. */
export class TransactionFailureDto {
  /** @example "operator_unavailable" */
  code: string;
  @ApiProperty({ enum: ['platform', 'provider'], description: 'Who refused it.' })
  stage: string;
  @ApiProperty({
    enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'],
    description: 'Who can make it succeed.',
  })
  recovery: string;
  message: string;
}

/** One account's record of one money movement. Amounts in minor units. */
export class TransactionDto {
  @ApiProperty({ enum: ['transaction'] })
  object: 'transaction';
  /** Null in a dry run. @example "txn_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  @ApiProperty({ enum: TRANSACTION_TYPES })
  type: TransactionType;
  @ApiProperty({ enum: DIRECTIONS })
  direction: Direction;
  @ApiProperty({ enum: TRANSACTION_STATUSES })
  status: TransactionStatus;
  /** Null when the money was a card's: then `details` name it. */
  wallet_id: string | null;
  /** The wallet on the other side. */
  counterparty: string | null;
  /** Without fee and commission. */
  amount: number;
  fee: number;
  commission: number;
  @ApiProperty({
    description:
      'What the wallet paid or got. Of a debit amount + fee − commission; of a credit the amount: amount + fee is ' +
      'what was paid, and the fee was kept of it.',
  })
  total: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** For people, never to be parsed. @example "NGN 1,050.00" */
  amount_display: string;
  /** Available balance of the wallet before the movement. */
  balance_before: number | null;
  /** Available balance of the wallet after the movement. */
  balance_after: number | null;
  /** The caller's own id of the request. */
  reference: string | null;
  recipient: string | null;
  @Varies(
    'type',
    TRANSACTION_DETAILS,
    'Depends on `type`; what a card is about has `card_id`. Meter tokens and PINs are masked, but for ' +
      '`GET /v4/transactions/{id}` with a key that has the scope `tokens:reveal`.',
  )
  details: Record<string, unknown>;
  provider: TransactionProviderDto | null;
  @ApiProperty({ type: () => TransactionFailureDto, nullable: true })
  failure: TransactionFailureDto | null;
  /** When a running transaction is looked at again. */
  next_check_at: Date | null;
  /** The transaction that this one takes back. */
  reverses: string | null;
  /** The transaction that took this one back. */
  reversed_by: string | null;
  /** People must decide what became of it, or look at an answer that contradicts an earlier one. */
  needs_review: boolean;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  livemode: boolean;
  /** Grows by one with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
  /** Only in a dry run: what the ledger would write. */
  ledger?: LedgerLineDto[];

  static of(this: void, t: Readonly<Transaction>): TransactionDto {
    const total = t.direction === 'debit' ? t.amount + t.fee - t.commission : t.amount;
    return {
      id: encodeId('txn', t.id),
      object: 'transaction',
      type: t.type,
      direction: t.direction,
      status: t.status,
      wallet_id: t.walletId === t.sourceId ? null : encodeId('wal', t.walletId),
      counterparty: t.counterpartyId && encodeId('wal', t.counterpartyId),
      amount: toJsonNumber(t.amount),
      fee: toJsonNumber(t.fee),
      commission: toJsonNumber(t.commission),
      total: toJsonNumber(total),
      currency: t.currency,
      amount_display: displayMoney(t),
      balance_before: t.balanceBefore === null ? null : toJsonNumber(t.balanceBefore),
      balance_after: t.balanceAfter === null ? null : toJsonNumber(t.balanceAfter),
      reference: t.reference,
      recipient: t.recipient,
      details: { ...t.details, ...(t.sourceId && sourceOf(t.type, t.sourceId)) },
      provider:
        t.providerName === null
          ? null
          : { name: t.providerName, reference: t.providerReference, attempts: t.providerAttempts },
      failure: t.failure as TransactionFailureDto | null,
      next_check_at: t.nextCheckAt,
      reverses: t.reverses && encodeId('txn', t.reverses),
      reversed_by: t.reversedBy && encodeId('txn', t.reversedBy),
      needs_review: t.needsReview,
      metadata: t.metadata,
      livemode: t.livemode,
      version: t.version,
      created_at: timeOf(t.id),
      updated_at: t.updatedAt,
      completed_at: t.completedAt,
    };
  }

  /** A transaction that a dry run would record. */
  static ofPreview(
    this: void,
    { transaction, posted }: { readonly transaction: Readonly<Transaction>; readonly posted: Posted },
  ): TransactionDto {
    const cardId = transaction.type.startsWith('card_') ? transaction.sourceId : null;
    const ledger = LedgerLineDto.listOf(posted, transaction.accountId, cardId);
    return { ...TransactionDto.of(transaction), id: null, ledger };
  }

  /** With its meter tokens and PINs, which are masked otherwise. */
  static whole(t: Readonly<Transaction>, box: SecretBox): TransactionDto {
    const shown = TransactionDto.of(t);
    return { ...shown, details: { ...shown.details, ...secretsOf(t, box) } };
  }
}

/** Meter tokens and PINs; empty when there are none, or when they are not paid for: not yet, or the money went back. */
export const secretsOf = (t: Readonly<Transaction>, box: SecretBox): Record<string, unknown> =>
  t.secrets === null || t.status !== 'successful'
    ? {}
    : (JSON.parse(box.open(t.secrets, t.id)) as Record<string, unknown>);

const sourceOf = (type: TransactionType, id: string): object =>
  type.startsWith('card_') ? { card_id: encodeId('crd', id) } : { transfer_id: encodeId('trf', id) };

/** A page of transactions. */
export class TransactionListDto extends ListOf(TransactionDto) {}
