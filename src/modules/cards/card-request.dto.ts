import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import {
  AllowDuplicate,
  Amount,
  DryRun,
  field,
  Label,
  Metadata,
  Nested,
  NestedList,
  OneOf,
  PublicId,
  Reference,
} from '../../core/http/fields';
import { DateTime, Flag, ManyOf, MetadataFilter, PageQuery } from '../../core/http/query-fields';
import { Convert, QuoteToPayBy } from '../conversions/conversion.dto';
import { toWantedExchange } from '../conversions/exchange.service';
import { type Brand, BRANDS } from './card-issuer';
import { CARD_STATUSES, type CardStatus, type Controls, LIMIT_INTERVALS, type LimitInterval } from './card.entity';
import type { CardMove } from './card-money.service';
import type { CardChanges } from './cards.service';
import { CreateCustomerDto, toNewCustomer } from './customers/customer.dto';
import type { NewCard } from './issuing/card-opening';

const LIMITS_MAX = 20;
const LIST_MAX = 300;
const MCC = '^[0-9]{4}$';
const COUNTRY = '^[A-Z]{2}$';

const rule = (name: string, says: string, holds: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: holds, defaultMessage: () => `$property ${says}` } });

/** A list of codes, each once. */
const Codes = (
  pattern: string,
  { says, example, description }: { says: string; example: string; description: string },
) =>
  applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', pattern, maxLength: 4 },
      maxItems: LIST_MAX,
      required: false,
      example: [example],
      description,
    }),
    IsOptional(),
    rule('codes', `must be a list of up to ${LIST_MAX} different ${says}`, (value) =>
      isListOf(value, new RegExp(pattern)),
    ),
  );

function isListOf(value: unknown, pattern: RegExp): boolean {
  if (!Array.isArray(value) || value.length > LIST_MAX || new Set(value).size < value.length) return false;
  return value.every((code) => typeof code === 'string' && pattern.test(code));
}

/** At most this much within the interval. */
export class SpendingLimitDto {
  @Amount({ description: 'Minor units (cents).', example: 50_000 })
  amount: number;

  @OneOf(LIMIT_INTERVALS)
  interval: LimitInterval;
}

/** What a card may be used for. An empty list of allowed things allows all that is not blocked; blocking wins. */
export class SpendingControlsDto {
  @NestedList(() => SpendingLimitDto, { max: LIMITS_MAX, optional: true })
  limits?: SpendingLimitDto[] | null;

  @Codes(MCC, {
    says: 'merchant category codes of four digits',
    example: '5734',
    description: 'ISO 18245. Empty: all.',
  })
  allowed_mccs?: string[] | null;

  @Codes(MCC, { says: 'merchant category codes of four digits', example: '7995', description: 'ISO 18245.' })
  blocked_mccs?: string[] | null;

  @Codes(COUNTRY, {
    says: 'countries (ISO 3166-1 alpha-2)',
    example: 'US',
    description: 'ISO 3166-1 alpha-2. Empty: all.',
  })
  allowed_countries?: string[] | null;

  @Codes(COUNTRY, { says: 'countries (ISO 3166-1 alpha-2)', example: 'KP', description: 'ISO 3166-1 alpha-2.' })
  blocked_countries?: string[] | null;
}

/** As they are kept: what was not said allows everything. */
const toControls = (dto: SpendingControlsDto | null | undefined): Controls => ({
  limits: (dto?.limits ?? []).map(({ amount, interval }) => ({ amount, interval })),
  allowed_mccs: dto?.allowed_mccs ?? [],
  blocked_mccs: dto?.blocked_mccs ?? [],
  allowed_countries: dto?.allowed_countries ?? [],
  blocked_countries: dto?.blocked_countries ?? [],
});

/** Cards are in one currency: another one is refused by name, not as a typing error. */
const Usd = () =>
  field({ type: 'string', enum: ['USD'], example: 'USD' }, [
    { name: 'usd', says: 'must be USD: cards are in no other currency', holds: (value) => value === 'USD' },
  ]);

export class IssueCardDto {
  @PublicId('cus', { optional: true, description: 'The cardholder. Or send `customer`.' })
  customer_id?: string | null;

  @Nested(() => CreateCustomerDto, {
    optional: true,
    description: 'A new cardholder, made with the card. Or send `customer_id`.',
  })
  customer?: CreateCustomerDto | null;

  @Usd()
  currency: 'USD';

  @OneOf(BRANDS, { optional: true, description: 'visa when absent.' })
  brand?: Brand | null;

  @Amount({ example: 5_000, description: 'First load, in cents.' })
  amount: number;

  @PublicId('wal', {
    description:
      'A wallet of yours: it pays the load and the fee, and gets back what is left in the end. In another currency ' +
      'than USD with `convert` or `quote_id`; then what is left goes to your oldest USD wallet.',
  })
  funding_wallet_id: string;

  @QuoteToPayBy()
  quote_id?: string | null;

  @Convert()
  convert?: boolean | null;

  @Label({ optional: true, example: 'Cloud hosting' })
  label?: string | null;

  @Nested(() => SpendingControlsDto, { optional: true })
  spending_controls?: SpendingControlsDto | null;

  @Reference({ optional: true })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @AllowDuplicate()
  allow_duplicate?: boolean | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** Fields that are absent stay as they are; null clears. Spending controls are replaced as a whole. */
export class UpdateCardDto {
  @Label({ optional: true, example: 'Cloud hosting' })
  label?: string | null;

  @Nested(() => SpendingControlsDto, { optional: true })
  spending_controls?: SpendingControlsDto | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

/** Money onto a card, or back. */
export class MoveCardMoneyDto {
  @Amount({ example: 5_000, description: 'Cents.' })
  amount: number;

  @PublicId('wal', { optional: true, description: 'A USD wallet of yours. Without it: the one that paid the card.' })
  wallet_id?: string | null;

  @Reference({ optional: true })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @AllowDuplicate()
  allow_duplicate?: boolean | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** Money onto a card. */
export class FundCardDto extends MoveCardMoneyDto {
  @QuoteToPayBy()
  quote_id?: string | null;

  @Convert()
  convert?: boolean | null;
}

export class CardsQuery extends PageQuery {
  @ManyOf(CARD_STATUSES)
  status?: CardStatus[];

  @Flag({ optional: true, description: 'Whether it owes money.' })
  overdrawn?: boolean;

  /** Those that people must look at, or the others. */
  @Flag()
  needs_review?: boolean;

  @PublicId('cus', { optional: true })
  customer_id?: string;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;

  @MetadataFilter()
  metadata?: Record<string, string>;
}

export const toNewCard = (dto: IssueCardDto): NewCard => ({
  customerId: dto.customer_id ?? null,
  customer: dto.customer ? toNewCustomer(dto.customer) : null,
  said: {
    brand: dto.brand ?? 'visa',
    spendingControls: toControls(dto.spending_controls),
    label: dto.label ?? null,
    reference: dto.reference ?? null,
    metadata: dto.metadata ?? {},
  },
  amount: BigInt(dto.amount),
  fundingWalletId: dto.funding_wallet_id,
  exchange: toWantedExchange(dto),
  allowDuplicate: dto.allow_duplicate ?? false,
});

export const toCardChanges = (dto: UpdateCardDto): CardChanges => ({
  label: dto.label,
  metadata: dto.metadata === null ? {} : dto.metadata,
  spendingControls: dto.spending_controls === undefined ? undefined : toControls(dto.spending_controls),
});

export const toCardMove = (type: CardMove['type'], dto: FundCardDto): CardMove => ({
  type,
  amount: BigInt(dto.amount),
  walletId: dto.wallet_id ?? null,
  exchange: toWantedExchange(dto),
  reference: dto.reference ?? null,
  metadata: dto.metadata ?? {},
  allowDuplicate: dto.allow_duplicate ?? false,
});
