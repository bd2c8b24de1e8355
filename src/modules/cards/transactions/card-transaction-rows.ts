import { bulkInsert, type Write } from '../../../core/database/bulk';
import { rows } from '../../../core/database/rows';
import { newId } from '../../../core/http/ids';
import type { Currency } from '../../../core/money/currencies';
import type { EventType } from '../../../core/outbox/event-types';
import { type EventOrigin, eventWrite } from '../../../core/outbox/outbox';
import { CardTransactionDto } from '../card-transaction.dto';
import { CardTransaction, type Merchant } from '../card-transaction.entity';
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

const cardTransactions = rows(CardTransaction);

export const cardTransactionWrite = cardTransactions.insert({ except: ['version'] });

/**
 * A changed card transaction. A step is about the sums that it read: of two at once, the second fails here even if the
 * ledger's hold let it pass.
 */
export const cardTransactionChange = cardTransactions.update({
  name: 'update_card_transactions',
  change: ['status', 'cleared', 'released', 'refunded', 'settledAt', 'nextCheckAt', 'updatedAt'],
  was: ['cleared', 'released', 'refunded'],
  set: { version: 't.version + 1' },
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
