import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import { type Address, type Brand, BRANDS } from './card-issuer';
import {
  CARD_ACTORS,
  CARD_STATUSES,
  type CardActor,
  type CardRecord,
  type CardStatus,
  type CardTransition,
  type Controls,
} from './card.entity';

/** Minor units. */
export class CardBalanceDto {
  /** Can be spent. @example 5000 */
  available: number;
  /** Promised to merchants. @example 0 */
  held: number;
  /** available + held. @example 5000 */
  ledger: number;
}

/** What happens to a card without money. Null: nothing. */
export class DeclinePolicyDto {
  /** Declines for want of money, in a row. @example 0 */
  declines: number;
  /** At so many `card.decline_warning` is sent. @example 5 */
  warn_at: number | null;
  /** At so many the card is terminated. @example 8 */
  terminate_at: number | null;
}

/** A virtual card. Its number and CVV are shown by `POST /v4/cards/{id}/reveal` only. */
export class CardDto {
  @ApiProperty({ enum: ['card'] })
  object: 'card';
  /** Null in a dry run. @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  @ApiProperty({ enum: ['virtual'] })
  type: 'virtual';
  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';
  /** Null in a dry run that would make the cardholder, too. @example "cus_01kabcdefghjkmnpqrstvwxyz0" */
  customer_id: string | null;
  @ApiProperty({ enum: BRANDS })
  brand: Brand;
  /** Null until it is issued. @example "4242" */
  last4: string | null;
  /** Null until it is issued. @example "**** **** **** 4242" */
  masked_number: string | null;
  /** Null until it is issued, and where the issuer does not tell us. @example 11 */
  exp_month: number | null;
  /** Null where the month is. @example 2029 */
  exp_year: number | null;
  /** @example "ADA OBI" */
  name_on_card: string;
  @ApiProperty({ allOf: [{ $ref: getSchemaPath('AddressDto') }] })
  billing_address: Address;
  balance: CardBalanceDto;
  /** The available balance for people, never to be parsed. @example "USD 50.00" */
  balance_display: string;
  /** What the card owes, in minor units: the next load pays it first. @example 0 */
  debt: number;
  @ApiProperty({ enum: CARD_STATUSES })
  status: CardStatus;
  /** Why it is in this state, in a word. */
  status_reason: string | null;
  /** Its issuer does not say what became of it: a person decides. */
  needs_review: boolean;
  @ApiProperty({ allOf: [{ $ref: getSchemaPath('SpendingControlsDto') }] })
  spending_controls: Controls;
  decline_policy: DeclinePolicyDto;
  /** The wallet that paid the card, and gets back what is left. */
  funding_wallet_id: string;
  label: string | null;
  reference: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  livemode: boolean;
  /** Grows with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath('LedgerLineDto') },
    required: false,
    description: 'Only in a dry run: what the ledger would write.',
  })
  ledger?: object[];

  static of(this: void, c: CardRecord): CardDto {
    const { available, held } = c;
    return {
      object: 'card',
      id: encodeId('crd', c.id),
      type: 'virtual',
      currency: 'USD',
      customer_id: encodeId('cus', c.customerId),
      brand: c.brand,
      last4: c.last4,
      masked_number: c.last4 && `**** **** **** ${c.last4}`,
      exp_month: c.expMonth,
      exp_year: c.expYear,
      name_on_card: c.nameOnCard,
      billing_address: c.billingAddress,
      balance: { available: toJsonNumber(available), held: toJsonNumber(held), ledger: toJsonNumber(available + held) },
      balance_display: displayMoney({ amount: available, currency: c.currency }),
      debt: toJsonNumber(c.debt),
      status: c.status,
      status_reason: c.statusReason,
      needs_review: c.review !== null,
      spending_controls: c.spendingControls,
      decline_policy: { declines: c.declines, warn_at: c.warnAt, terminate_at: c.terminateAt },
      funding_wallet_id: encodeId('wal', c.walletId),
      label: c.label,
      reference: c.reference,
      metadata: c.metadata,
      livemode: c.livemode,
      version: c.version + toJsonNumber(c.seq),
      created_at: timeOf(c.id),
      updated_at: c.updatedAt,
    };
  }

  /** A card that a dry run would ask for. */
  static ofPreview(card: CardRecord, isNewCustomer: boolean, ledger: object[]): CardDto {
    const shown = CardDto.of(card);
    return { ...shown, id: null, customer_id: isNewCustomer ? null : shown.customer_id, ledger };
  }
}

export class CardListDto extends ListOf(CardDto) {}

/** A change of a card's state. */
export class CardTransitionDto {
  @ApiProperty({ enum: ['card_transition'] })
  object: 'card_transition';
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id: string;
  /** Null: the card was asked for. */
  @ApiProperty({ enum: CARD_STATUSES, nullable: true })
  from: CardStatus | null;
  @ApiProperty({ enum: CARD_STATUSES })
  to: CardStatus;
  @ApiProperty({ enum: CARD_ACTORS })
  actor: CardActor;
  /** Public id of the API key, name of the person or of the issuer. */
  actor_id: string | null;
  reason: string | null;
  livemode: boolean;
  created_at: Date;

  static of(this: void, t: Readonly<CardTransition>): CardTransitionDto {
    return {
      object: 'card_transition',
      card_id: encodeId('crd', t.cardId),
      from: t.fromStatus,
      to: t.toStatus,
      actor: t.actor,
      actor_id: t.actorId,
      reason: t.reason,
      livemode: t.livemode,
      created_at: timeOf(t.id),
    };
  }
}

export class CardTransitionListDto extends ListOf(CardTransitionDto) {}

/** A link that shows a card once, as it was made. */
export interface CardReveal {
  readonly id: string;
  readonly card: CardRecord;
  readonly token: string;
  readonly expiresAt: Date;
}

/** A link for a person: it shows number, expiry and CVV once, within a minute. */
export class CardRevealDto {
  @ApiProperty({ enum: ['card_reveal'] })
  object: 'card_reveal';
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id: string;
  /** Open it where the cardholder looks, not on a server. @example "https://api.example.com/cards/reveal/Jx3…" */
  url: string;
  expires_at: Date;
  livemode: boolean;
  created_at: Date;

  static of({ id, card, token, expiresAt }: CardReveal, baseUrl: string): CardRevealDto {
    return {
      object: 'card_reveal',
      card_id: encodeId('crd', card.id),
      url: `${baseUrl}/cards/reveal/${token}`,
      expires_at: expiresAt,
      livemode: card.livemode,
      created_at: timeOf(id),
    };
  }
}
