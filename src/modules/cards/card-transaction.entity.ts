import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';

export const CARD_TRANSACTION_TYPES = [
  'authorization',
  'clearing',
  'refund',
  'fee',
  'dispute_credit',
  'dispute_reversal',
] as const;
export type CardTransactionType = (typeof CARD_TRANSACTION_TYPES)[number];

export const CARD_TRANSACTION_STATUSES = [
  'authorized',
  'settled',
  'voided',
  'expired',
  'declined',
  'refunded',
] as const;
export type CardTransactionStatus = (typeof CARD_TRANSACTION_STATUSES)[number];

/**
 * A card transaction stays where it is when a part of it is cleared, released or refunded; it is refunded when all that
 * was cleared came back. The network clears whatever it likes: also more than was authorized, later than that, or what
 * was declined.
 */
export const CARD_TRANSACTION_TRANSITIONS: Readonly<Record<CardTransactionStatus, readonly CardTransactionStatus[]>> = {
  authorized: ['authorized', 'settled', 'voided', 'expired'],
  settled: ['settled', 'refunded'],
  voided: ['settled'],
  expired: ['settled'],
  declined: ['settled'],
  refunded: ['settled'],
};

/** What becomes of an authorization after it was given. Expiry is time's, the others are the merchant's. */
export const STEP_KINDS = ['clearing', 'void', 'expiry', 'refund'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** From which states each step may be made. It needs money beside that: held to release, cleared to refund. */
const STEP_FROM: Readonly<Record<StepKind, readonly CardTransactionStatus[]>> = {
  clearing: CARD_TRANSACTION_STATUSES,
  void: ['authorized', 'settled'],
  expiry: ['authorized', 'settled'],
  refund: ['settled'],
};

/** Who was paid with a card. */
export interface Merchant {
  readonly name: string;
  /** ISO 18245. */
  readonly mcc: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** What an issuer takes for a card transaction, by its own word for it: already part of the amount. */
export interface IssuerFee {
  readonly type: string;
  /** Minor units of the card's currency. */
  readonly amount: number;
}

/** What an issuer tells of a card transaction beside its amount. Null: it did not. */
export interface Told {
  /** Minor units of the merchant's currency. */
  readonly merchantAmount: bigint | null;
  /** ISO 4217; it need not be one that wallets have. */
  readonly merchantCurrency: string | null;
  /** Units of the card's currency for one of the merchant's: a decimal number. */
  readonly fxRate: string | null;
  readonly fees: readonly IssuerFee[] | null;
}

export const NOTHING_TOLD: Told = { merchantAmount: null, merchantCurrency: null, fxRate: null, fees: null };

/** What is told now; what is not told stays as it was told before. */
export const toldOf = (before: Told, now: Partial<Told> = {}): Told => ({
  merchantAmount: now.merchantAmount ?? before.merchantAmount,
  merchantCurrency: now.merchantCurrency ?? before.merchantCurrency,
  fxRate: now.fxRate ?? before.fxRate,
  fees: now.fees ?? before.fees,
});

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
  'endpoint_declined',
  'endpoint_unavailable',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** What the account's own endpoint said of an authorization, or why it said nothing. */
export const DECISION_OUTCOMES = ['approved', 'declined', 'timeout', 'failed', 'malformed', 'not_asked'] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/** Who decided about an authorization that the rules would give. As it is shown. */
export interface Decision {
  readonly by: 'endpoint' | 'fallback';
  readonly outcome: DecisionOutcome;
  /** In the words of the endpoint. */
  readonly reason: string | null;
  /** Null: it was not asked. */
  readonly latency_ms: number | null;
}

/**
 * What a merchant did with a card, or what the issuer charged. Amounts in minor units; an authorization's hold has the
 * same id.
 */
@Entity('card_transactions')
export class CardTransaction implements Told {
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

  /** What was taken so far. */
  @MinorColumn()
  cleared: bigint;

  /** Of that, what nothing was held for any more. */
  @MinorColumn()
  over: bigint;

  /** Of that, what the card lacked and the wallet that funds it paid. */
  @MinorColumn({ name: 'from_wallet' })
  fromWallet: bigint;

  /** Of that, what nobody had: the account owes it. */
  @MinorColumn({ name: 'from_debt' })
  fromDebt: bigint;

  /** Of what came back to the card, what paid its debt at once. */
  @MinorColumn({ name: 'debt_paid' })
  debtPaid: bigint;

  /** Of it, what went back to the card without having been taken. */
  @MinorColumn()
  released: bigint;

  /** Of what was taken, what came back so far. */
  @MinorColumn()
  refunded: bigint;

  /** Of what was taken, what is in dispute, or was won back. */
  @MinorColumn()
  disputed: bigint;

  @Column('text')
  currency: Currency;

  /** Null: the issuer charged it. */
  @Column('jsonb', { nullable: true })
  merchant: Merchant | null;

  /** In minor units of the merchant's currency, as the issuer told last; null: it never did. */
  @MinorColumn({ name: 'merchant_amount', nullable: true })
  merchantAmount: bigint | null;

  @Column('text', { name: 'merchant_currency', nullable: true })
  merchantCurrency: string | null;

  /** Units of the card's currency for one of the merchant's. */
  @Column('text', { name: 'fx_rate', nullable: true })
  fxRate: string | null;

  @Column('jsonb', { nullable: true })
  fees: readonly IssuerFee[] | null;

  @Column('text', { name: 'decline_reason', nullable: true })
  declineReason: string | null;

  /** Null: nobody was asked. */
  @Column('jsonb', { nullable: true })
  decision: Decision | null;

  /** Of what a dispute moves. */
  @Column('uuid', { name: 'dispute_id', nullable: true })
  disputeId: string | null;

  /** What a refund takes back, or a dispute is about. Null of a refund: nothing that is known. */
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

/** A step that the table does not have is a fault of ours. */
function assertTransition(from: CardTransactionStatus, to: CardTransactionStatus): void {
  if (!CARD_TRANSACTION_TRANSITIONS[from].includes(to))
    throw new Error(`a card transaction cannot go from ${from} to ${to}`);
}

/** How the money of a card transaction stands. Minor units. */
export interface Sums {
  readonly status: CardTransactionStatus;
  /** Not null: nothing was ever held. */
  readonly declineReason: string | null;
  /** What was asked for. */
  readonly amount: bigint;
  /** Cleared: gone to the issuer. */
  readonly cleared: bigint;
  /** Of that, what nothing was held for any more. */
  readonly over: bigint;
  /** Given back to the card without ever leaving it. */
  readonly released: bigint;
  /** Come back from the issuer. */
  readonly refunded: bigint;
}

/** `wrong_state`: the step is not for this state. `too_much`: there is less left than it takes. */
export type StepRefusal = { readonly refused: 'wrong_state' } | { readonly refused: 'too_much'; readonly left: bigint };

/** What a step makes of a card transaction, and how much it moves: `over` of it is not held. */
export interface Step {
  readonly after: Sums;
  readonly amount: bigint;
  readonly over: bigint;
}

/** Held for the merchant now. */
export const heldOf = ({ declineReason, amount, cleared, over, released }: Sums): bigint =>
  declineReason === null ? amount - (cleared - over) - released : 0n;

/** What there is for a step of a kind. Only a clearing may move more. */
const leftFor = (sums: Sums, kind: StepKind): bigint =>
  kind === 'refund' ? sums.cleared - sums.refunded : heldOf(sums);

/** Makes a step of `amount`; null: of all that is left for it. Pure. */
export function stepOf(sums: Sums, kind: StepKind, amount: bigint | null): Step | StepRefusal {
  const left = leftFor(sums, kind);
  const isAnyAmount = kind === 'clearing' && amount !== null;
  if (!STEP_FROM[kind].includes(sums.status) || (left === 0n && !isAnyAmount)) return { refused: 'wrong_state' };
  const moved = amount ?? left;
  if (moved > left && !isAnyAmount) return { refused: 'too_much', left };
  const over = moved > left ? moved - left : 0n;
  const after = withStatus({ ...sums, ...changed(sums, kind, moved), over: sums.over + over }, kind);
  assertTransition(sums.status, after.status);
  return { after, amount: moved, over };
}

function changed(sums: Sums, kind: StepKind, amount: bigint): Partial<Sums> {
  if (kind === 'clearing') return { cleared: sums.cleared + amount };
  if (kind === 'refund') return { refunded: sums.refunded + amount };
  return { released: sums.released + amount };
}

/** What was cleared decides over what was not: only what nobody cleared a part of ends as voided or expired. */
function withStatus(sums: Sums, kind: StepKind): Sums {
  const held = heldOf(sums);
  if (sums.cleared > 0n) {
    return { ...sums, status: held === 0n && sums.refunded === sums.cleared ? 'refunded' : 'settled' };
  }
  if (held > 0n) return { ...sums, status: 'authorized' };
  return { ...sums, status: kind === 'expiry' ? 'expired' : 'voided' };
}
