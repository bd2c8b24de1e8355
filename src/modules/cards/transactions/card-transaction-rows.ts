import { bulkInsert, bulkUpdate, type Write } from '../../../core/database/bulk';
import { newId } from '../../../core/http/ids';
import type { Currency } from '../../../core/money/currencies';
import type { EventType } from '../../../core/outbox/event-types';
import { type EventOrigin, eventWrite } from '../../../core/outbox/outbox';
import { CardTransactionDto } from '../card-transaction.dto';
import type { CardTransaction, Merchant } from '../card-transaction.entity';
import type { Cause } from '../card-transactions.service';
import type { CardKey } from '../card.entity';
import type { StepKind } from './card-transaction-step';

/** A merchant asks a card for money. */
export interface AuthorizationOrder {
  /** Minor units of the card's currency. */
  readonly amount: bigint;
  readonly merchant: Merchant;
  /** The issuer's own id of the authorization, by which its later messages name it. */
  readonly issuerReference: string | null;
}

/** The card that a transaction happens on, at its account's present. */
export interface UsedCard extends CardKey {
  readonly currency: Currency;
  readonly now: Date;
}

/** A card transaction of now, by what it has beside that of every new one. */
export const newCardTransaction = (
  { accountId, livemode, id: cardId, currency, now }: UsedCard,
  { requestId, key: idempotencyKey }: Cause,
  given: Pick<CardTransaction, 'type' | 'status' | 'amount'> & Partial<CardTransaction>,
): CardTransaction => ({
  accountId,
  livemode,
  id: newId(),
  cardId,
  cleared: 0n,
  released: 0n,
  refunded: 0n,
  currency,
  merchant: null,
  declineReason: null,
  originalId: null,
  issuerReference: null,
  madeAt: now,
  expiresAt: null,
  settledAt: null,
  nextCheckAt: null,
  requestId,
  idempotencyKey,
  version: 1,
  updatedAt: new Date(),
  ...given,
});

const insertCardTransaction = bulkInsert('card_transactions', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  type: 'text',
  status: 'text',
  amount: 'bigint',
  cleared: 'bigint',
  released: 'bigint',
  refunded: 'bigint',
  currency: 'text',
  merchant: 'jsonb?',
  decline_reason: 'text?',
  original_id: 'uuid?',
  issuer_reference: 'text?',
  made_at: 'timestamptz',
  expires_at: 'timestamptz?',
  settled_at: 'timestamptz?',
  next_check_at: 'timestamptz?',
  request_id: 'uuid?',
  idempotency_key: 'text?',
  updated_at: 'timestamptz',
});

export const cardTransactionWrite = (t: Readonly<CardTransaction>): Write =>
  insertCardTransaction.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: t.id,
    card_id: t.cardId,
    type: t.type,
    status: t.status,
    amount: t.amount,
    cleared: t.cleared,
    released: t.released,
    refunded: t.refunded,
    currency: t.currency,
    merchant: t.merchant,
    decline_reason: t.declineReason,
    original_id: t.originalId,
    issuer_reference: t.issuerReference,
    made_at: t.madeAt,
    expires_at: t.expiresAt,
    settled_at: t.settledAt,
    next_check_at: t.nextCheckAt,
    request_id: t.requestId,
    idempotency_key: t.idempotencyKey,
    updated_at: t.updatedAt,
  });

// A step is about the sums that it read: of two at once, the second fails here even if the ledger's hold let it pass.
const updateCardTransaction = bulkUpdate(
  'card_transactions',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    cleared_before: 'bigint',
    released_before: 'bigint',
    refunded_before: 'bigint',
    status: 'text',
    cleared: 'bigint',
    released: 'bigint',
    refunded: 'bigint',
    settled_at: 'timestamptz?',
    next_check_at: 'timestamptz?',
    updated_at: 'timestamptz',
  },
  {
    name: 'update_card_transactions',
    key: ['account_id', 'livemode', 'id'],
    set: {
      ...Object.fromEntries(
        ['status', 'cleared', 'released', 'refunded', 'settled_at', 'next_check_at', 'updated_at'].map((column) => [
          column,
          `v.${column}`,
        ]),
      ),
      version: 't.version + 1',
    },
    where: '(t.cleared, t.released, t.refunded) = (v.cleared_before, v.released_before, v.refunded_before)',
  },
);

/** A changed card transaction. The write fails when its sums are not those of `before`. */
export const cardTransactionChange = (t: Readonly<CardTransaction>, before: Readonly<CardTransaction>): Write =>
  updateCardTransaction.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: t.id,
    cleared_before: before.cleared,
    released_before: before.released,
    refunded_before: before.refunded,
    status: t.status,
    cleared: t.cleared,
    released: t.released,
    refunded: t.refunded,
    settled_at: t.settledAt,
    next_check_at: t.nextCheckAt,
    updated_at: t.updatedAt,
  });

const insertClearing = bulkInsert('card_clearings', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  card_transaction_id: 'uuid',
  kind: 'text',
  amount: 'bigint',
  issuer_reference: 'text?',
});

/** A step of a card transaction, kept for good. */
export const stepWrite = (
  t: Readonly<CardTransaction>,
  kind: StepKind,
  { amount, message }: { amount: bigint; message: string | null },
): Write =>
  insertClearing.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: newId(),
    card_id: t.cardId,
    card_transaction_id: t.id,
    kind,
    amount,
    issuer_reference: message,
  });

export type CardTransactionChange = 'authorized' | 'settled' | 'declined' | 'voided' | 'expired' | 'refunded';

/** `card.transaction.<what>`: the snapshot keeps the transaction as it stood then, and what moved. */
export function cardTransactionEvent(
  t: Readonly<CardTransaction>,
  what: CardTransactionChange,
  origin: EventOrigin,
  moved: object = {},
): Write {
  const { id: _id, object: _object, livemode: _livemode, ...shown } = CardTransactionDto.of(t);
  const snapshot = { ...shown, ...moved };
  const { accountId, livemode, id } = t;
  return eventWrite({
    accountId,
    livemode,
    type: `card.transaction.${what}` as EventType,
    objectType: 'ctx',
    objectId: id,
    snapshot,
    origin,
  });
}
