import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/currencies';
import { MinorColumn } from '../../core/money/minor-column';
import type { CardTransactionStatus, CardTransactionType } from './transactions/card-transaction-step';

/** Who was paid with a card. */
export interface Merchant {
  readonly name: string;
  /** ISO 18245. */
  readonly mcc: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Why an authorization was refused, in the words of the API. */
export const DECLINE_REASONS = [
  'insufficient_funds',
  'card_frozen',
  'card_blocked',
  'card_expired',
  'card_terminated',
  'card_not_active',
  'spending_limit',
  'mcc_blocked',
  'country_blocked',
  'merchant_declined',
  'issuer_declined',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/**
 * What a merchant did with a card, or what the issuer charged. Amounts in minor units; an authorization's hold has the
 * same id.
 */
@Entity('card_transactions')
export class CardTransaction {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'card_id' })
  cardId: string;

  @Column('text')
  type: CardTransactionType;

  @Column('text')
  status: CardTransactionStatus;

  @MinorColumn()
  amount: bigint;

  /** Of it, what was taken so far. */
  @MinorColumn()
  cleared: bigint;

  /** Of it, what went back to the card without having been taken. */
  @MinorColumn()
  released: bigint;

  /** Of what was taken, what came back so far. */
  @MinorColumn()
  refunded: bigint;

  @Column('text')
  currency: Currency;

  /** Null: the issuer charged it. */
  @Column('jsonb', { nullable: true })
  merchant: Merchant | null;

  @Column('text', { name: 'decline_reason', nullable: true })
  declineReason: string | null;

  /** The authorization that a refund takes back. */
  @Column('uuid', { name: 'original_id', nullable: true })
  originalId: string | null;

  /** The issuer's own id. */
  @Column('text', { name: 'issuer_reference', nullable: true })
  issuerReference: string | null;

  /** By the account's clock: what limits of a day or month go by. */
  @Column('timestamptz', { name: 'made_at' })
  madeAt: Date;

  /** By the account's clock: when an authorization that nobody cleared lapses. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** By the account's clock: when money was last taken. */
  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt: Date | null;

  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  @Column('uuid', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;

  /** Grows by one with each change. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
