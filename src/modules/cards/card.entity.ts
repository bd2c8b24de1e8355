import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';
import type { Address, Brand } from './card-issuer';

export const CARD_STATUSES = ['pending', 'active', 'failed', 'frozen', 'blocked', 'terminated', 'expired'] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

/** Who changes the state of a card: its owner, a person of the platform, the issuer, the decline policy, or time. */
export const CARD_ACTORS = ['account', 'operator', 'issuer', 'policy', 'clock'] as const;
export type CardActor = (typeof CARD_ACTORS)[number];

/**
 * Which states a card may go to from each. Total: a state without a row does not compile. An expired card may still
 * hold money, which terminating it returns; unblocking restores what the card was.
 */
export const CARD_TRANSITIONS: Readonly<Record<CardStatus, readonly CardStatus[]>> = {
  pending: ['active', 'failed'],
  active: ['frozen', 'blocked', 'terminated', 'expired'],
  failed: [],
  frozen: ['active', 'blocked', 'terminated'],
  blocked: ['active', 'frozen', 'terminated'],
  terminated: [],
  expired: ['terminated'],
};

/**
 * How long a limit counts: one authorization by itself, a calendar day, week (from Monday) or month in UTC, or for
 * ever.
 */
export const LIMIT_INTERVALS = ['per_authorization', 'daily', 'weekly', 'monthly', 'all_time'] as const;
export type LimitInterval = (typeof LIMIT_INTERVALS)[number];

/** What a card may be used for. An empty list of allowed things allows all that is not blocked; blocking wins. */
export interface Controls {
  readonly limits: readonly { readonly amount: number; readonly interval: LimitInterval }[];
  readonly allowed_mccs: readonly string[];
  readonly blocked_mccs: readonly string[];
  readonly allowed_countries: readonly string[];
  readonly blocked_countries: readonly string[];
}

/**
 * A virtual card. Its balances are those of the ledger account of the same id; its number and CVV are nowhere. Times
 * are those of the account's clock, but for `updatedAt`.
 */
@Entity('cards')
export class Card {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation; of the ledger account, too. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'customer_id' })
  customerId: string;

  /** The wallet that paid the first load, and gets back what is left. */
  @Column('uuid', { name: 'wallet_id' })
  walletId: string;

  /** The `card_issue` transaction; its hold has the same id. */
  @Column('uuid', { name: 'transaction_id' })
  transactionId: string;

  @Column('text')
  brand: Brand;

  @Column('text')
  currency: Currency;

  @Column('text')
  status: CardStatus;

  /** Why it is in this state, in a word: `issuer_refused`, `owner_request`, … */
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column('text')
  issuer: string;

  /** What filters set for the issuer. */
  @Column('jsonb', { name: 'issuer_options' })
  issuerOptions: Record<string, unknown>;

  /** The issuer's own id. */
  @Column('text', { name: 'issuer_reference', nullable: true })
  issuerReference: string | null;

  /** The issuer has not yet heard of the state that the card is in. */
  @Column('boolean', { name: 'issuer_behind' })
  issuerBehind: boolean;

  /** What it owes, in minor units: more was cleared than the card and its wallet had. */
  @MinorColumn()
  debt: bigint;

  @Column('text', { nullable: true })
  last4: string | null;

  @Column('integer', { name: 'exp_month', nullable: true })
  expMonth: number | null;

  @Column('integer', { name: 'exp_year', nullable: true })
  expYear: number | null;

  /** The first moment after the month of expiry. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('text', { name: 'name_on_card' })
  nameOnCard: string;

  @Column('jsonb', { name: 'billing_address' })
  billingAddress: Address;

  @Column('jsonb', { name: 'spending_controls' })
  spendingControls: Controls;

  /** Counted declines in a row. */
  @Column('integer')
  declines: number;

  @Column('integer', { name: 'warn_at', nullable: true })
  warnAt: number | null;

  @Column('integer', { name: 'terminate_at', nullable: true })
  terminateAt: number | null;

  @Column('text', { nullable: true })
  label: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  @Column('text', { nullable: true })
  reference: string | null;

  /** How often in a row the issuer could not say what became of it. */
  @Column('integer')
  checks: number;

  /** When the issuer was asked for it the last time; null: a version before did not note it. */
  @Column('timestamptz', { name: 'asked_at', nullable: true })
  askedAt: Date | null;

  /** How often in a row the issuer did not know of it since. */
  @Column('integer', { name: 'not_known' })
  notKnown: number;

  /** When somebody must look at it again: for the issuer's answer, or because it expires. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** Why a person is called; null: nobody is. */
  @Column('text', { nullable: true })
  review: string | null;

  /** How often a person was called: decisions of an earlier time do not count. */
  @Column('integer')
  reviews: number;

  @Column('uuid', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  /** Grows by one with each change that moves no money. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** What whoever asks for a card says of it: kept as it was said. */
export type SaidOfCard = Readonly<Pick<Card, 'brand' | 'spendingControls' | 'label' | 'reference' | 'metadata'>>;

/** A card with what the ledger says of it. Minor units; the ledger account has the id of the card. */
export interface CardRecord extends Readonly<Card> {
  readonly available: bigint;
  readonly held: bigint;
  /** Number of movements. */
  readonly seq: bigint;
}

/** A change of a card's state. Only added, with the change itself. */
@Entity('card_transitions')
export class CardTransition {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of the change. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'card_id' })
  cardId: string;

  /** Null: the card was made. */
  @Column('text', { name: 'from_status', nullable: true })
  fromStatus: CardStatus | null;

  @Column('text', { name: 'to_status' })
  toStatus: CardStatus;

  @Column('text')
  actor: CardActor;

  /** Public id of the API key, name of the person or of the issuer. */
  @Column('text', { name: 'actor_id', nullable: true })
  actorId: string | null;

  @Column('text', { nullable: true })
  reason: string | null;
}
