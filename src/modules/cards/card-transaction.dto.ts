import { ApiProperty } from '@nestjs/swagger';
import { Amount, field, OneOf } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney, toJsonNumber } from '../../core/money/money';
import {
  CARD_TRANSACTION_STATUSES,
  CARD_TRANSACTION_TYPES,
  type CardTransaction,
  type CardTransactionStatus,
  type CardTransactionType,
  type Decision,
  DECISION_OUTCOMES,
  type DecisionOutcome,
  DECLINE_REASONS,
  type DeclineReason,
  heldOf,
  type IssuerFee,
} from './card-transaction.entity';

/** Filters and page of a list of card transactions. */
export class CardTransactionsQuery extends PageQuery {
  @OneOf(CARD_TRANSACTION_STATUSES, { optional: true })
  status?: CardTransactionStatus;

  @OneOf(CARD_TRANSACTION_TYPES, { optional: true })
  type?: CardTransactionType;

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

/** Columns of the list as CSV; an object in a cell is its JSON. */
export const CARD_TRANSACTION_COLUMNS = [
  'id',
  'created_at',
  'card_id',
  'type',
  'status',
  'amount',
  'held_amount',
  'settled_amount',
  'wallet_amount',
  'debt_amount',
  'debt_paid_amount',
  'refunded_amount',
  'disputed_amount',
  'currency',
  'merchant',
  'merchant_amount',
  'merchant_currency',
  'fx_rate',
  'fees',
  'decline_reason',
  'original_id',
  'dispute_id',
  'transaction_id',
  'settled_at',
] as const satisfies readonly (keyof CardTransactionDto)[];

/** Who is paid with a card. */
export class MerchantDto {
  /** @example "Corner Shop" */
  name: string;
  /** Category, ISO 18245. @example "5411" */
  mcc: string;
  /** ISO 3166-1 alpha-2. @example "NG" */
  country: string;
}

const FEE_TYPE = '^[a-z][a-z0-9_]{0,39}$';

/** What the issuer takes for a card transaction: already part of its amount. */
export class IssuerFeeDto implements IssuerFee {
  @field(
    {
      type: 'string',
      pattern: FEE_TYPE,
      maxLength: 40,
      example: 'foreign_transaction',
      description: "The issuer's word.",
    },
    [
      {
        name: 'feeType',
        says: 'must be a word of up to 40 a-z 0-9 _, beginning with a letter',
        holds: (value) => typeof value === 'string' && new RegExp(FEE_TYPE).test(value),
      },
    ],
  )
  type: string;
  @Amount({ example: 25, description: "Minor units of the card's currency." })
  amount: number;
}

/** Who decided about an authorization beside the rules of the card. */
export class DecisionDto implements Decision {
  @ApiProperty({ enum: ['endpoint', 'fallback'], description: "`fallback`: the endpoint's `default`." })
  by: Decision['by'];
  @ApiProperty({ enum: DECISION_OUTCOMES })
  outcome: DecisionOutcome;
  /** In the words of the endpoint. @example "Over the travel budget" */
  reason: string | null;
  /** Null: it was not asked. */
  latency_ms: number | null;
}

/** What happened on a card. Amounts in minor units; times of the card's story are those of the account's clock. */
export class CardTransactionDto {
  @ApiProperty({ enum: ['card_transaction'] })
  object: 'card_transaction';
  /** @example "ctx_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id: string;
  @ApiProperty({
    enum: CARD_TRANSACTION_TYPES,
    description:
      'What a merchant asked for, took without asking, or gave back, what the issuer charged, or what a dispute ' +
      'brought and took back.',
  })
  type: CardTransactionType;
  @ApiProperty({ enum: CARD_TRANSACTION_STATUSES })
  status: CardTransactionStatus;
  /** What was asked for. */
  amount: number;
  /** What the card holds for the merchant now. */
  held_amount: number;
  /** What the merchant got, in one clearing or in several: it may be more than was asked for. */
  settled_amount: number;
  /** Of that, what the card lacked and its funding wallet paid. */
  wallet_amount: number;
  /** Of that, what nobody had: the card owes it. */
  debt_amount: number;
  /** Of what came back to the card, what paid its debt at once. */
  debt_paid_amount: number;
  /** What came back of it. */
  refunded_amount: number;
  /** Of what the merchant got, what is in dispute, or was won back. */
  disputed_amount: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** For people, never to be parsed. @example "USD 12.50" */
  amount_display: string;
  @ApiProperty({ type: MerchantDto, nullable: true, description: 'Null for a fee.' })
  merchant: MerchantDto | null;
  /** What the merchant asked for, in minor units of its currency, as the issuer told last. Null: it did not tell. */
  merchant_amount: number | null;
  /** ISO 4217; it need not be one that wallets have. @example "NGN" */
  merchant_currency: string | null;
  /** Units of the card's currency for one of the merchant's: a decimal number. @example "0.00064516" */
  fx_rate: string | null;
  @ApiProperty({
    type: () => [IssuerFeeDto],
    nullable: true,
    description: 'As the issuer told. Null: it did not tell.',
  })
  fees: readonly IssuerFee[] | null;
  @ApiProperty({
    enum: [...DECLINE_REASONS, null],
    type: String,
    nullable: true,
    description: 'Why it was declined; null unless it was. Of one that is not: it was cleared all the same.',
  })
  decline_reason: DeclineReason | null;
  @ApiProperty({
    type: () => DecisionDto,
    nullable: true,
    description: 'What your authorization endpoint made of it; null: it was not up to it.',
  })
  decision: DecisionDto | null;
  /** Of a refund: whose money came back; null: of nothing that is known. Of what a dispute moved: what it is about. */
  original_id: string | null;
  /** Of what a dispute moved. @example "dsp_01kabcdefghjkmnpqrstvwxyz0" */
  dispute_id: string | null;
  /** Of a fee: the account's record of it. */
  transaction_id: string | null;
  /** When the money was promised. */
  authorized_at: Date | null;
  /** When what is still held goes back to the card. */
  expires_at: Date | null;
  /** When money was last taken. */
  settled_at: Date | null;
  livemode: boolean;
  /** Grows by one with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;

  static of(this: void, t: Readonly<CardTransaction>): CardTransactionDto {
    const isGiven = t.type === 'authorization' && t.declineReason === null;
    return {
      id: encodeId('ctx', t.id),
      object: 'card_transaction',
      card_id: encodeId('crd', t.cardId),
      type: t.type,
      status: t.status,
      amount: toJsonNumber(t.amount),
      held_amount: toJsonNumber(heldOf(t)),
      settled_amount: toJsonNumber(t.cleared),
      wallet_amount: toJsonNumber(t.fromWallet),
      debt_amount: toJsonNumber(t.fromDebt),
      debt_paid_amount: toJsonNumber(t.debtPaid),
      refunded_amount: toJsonNumber(t.refunded),
      disputed_amount: toJsonNumber(t.disputed),
      currency: t.currency,
      amount_display: displayMoney(t),
      merchant: t.merchant,
      merchant_amount: t.merchantAmount === null ? null : toJsonNumber(t.merchantAmount),
      merchant_currency: t.merchantCurrency,
      fx_rate: t.fxRate,
      fees: t.fees,
      decline_reason: t.declineReason as DeclineReason | null,
      decision: t.decision,
      original_id: t.originalId && encodeId('ctx', t.originalId),
      dispute_id: t.disputeId && encodeId('dsp', t.disputeId),
      transaction_id: t.type === 'fee' ? encodeId('txn', t.id) : null,
      authorized_at: isGiven ? t.madeAt : null,
      expires_at: t.expiresAt,
      settled_at: t.settledAt,
      livemode: t.livemode,
      version: t.version,
      created_at: timeOf(t.id),
      updated_at: t.updatedAt,
    };
  }
}

export class CardTransactionListDto extends ListOf(CardTransactionDto) {}
