import {
  AllowDuplicate,
  Amount,
  DryRun,
  field,
  Label,
  Metadata,
  Nested,
  OneOf,
  PublicId,
  Reference,
} from '../../core/http/fields';
import { DateTime, ManyOf, PageQuery } from '../../core/http/query-fields';
import { type Brand, BRANDS } from './card-issuer';
import { CARD_STATUSES, type CardStatus } from './card.entity';
import type { CardChanges } from './cards.service';
import { SpendingControlsDto, toControls } from './controls/spending-controls.dto';
import { CreateCustomerDto, toNewCustomer } from './customers/customer.dto';
import type { NewCard } from './issuing/card-opening';
import type { CardMove } from './money/card-money.service';

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
    description: 'A USD wallet of yours: it pays the load and the fee, and gets back what is left in the end.',
  })
  funding_wallet_id: string;

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

export class CardsQuery extends PageQuery {
  @ManyOf(CARD_STATUSES)
  status?: CardStatus[];

  @PublicId('cus', { optional: true })
  customer_id?: string;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;
}

export const toNewCard = (dto: IssueCardDto): NewCard => ({
  customerId: dto.customer_id ?? null,
  customer: dto.customer ? toNewCustomer(dto.customer) : null,
  brand: dto.brand ?? 'visa',
  amount: BigInt(dto.amount),
  fundingWalletId: dto.funding_wallet_id,
  spendingControls: toControls(dto.spending_controls),
  label: dto.label ?? null,
  reference: dto.reference ?? null,
  metadata: dto.metadata ?? {},
  allowDuplicate: dto.allow_duplicate ?? false,
});

export const toCardChanges = (dto: UpdateCardDto): CardChanges => ({
  label: dto.label,
  metadata: dto.metadata === null ? {} : dto.metadata,
  spendingControls: dto.spending_controls === undefined ? undefined : toControls(dto.spending_controls),
});

export const toCardMove = (type: CardMove['type'], dto: MoveCardMoneyDto): CardMove => ({
  type,
  amount: BigInt(dto.amount),
  walletId: dto.wallet_id ?? null,
  reference: dto.reference ?? null,
  metadata: dto.metadata ?? {},
  allowDuplicate: dto.allow_duplicate ?? false,
});
