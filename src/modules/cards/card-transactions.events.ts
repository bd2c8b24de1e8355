import type { Write } from '../../core/database/bulk';
import type { EventType } from '../../core/outbox/event-types';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { Card } from './card.entity';
import type { CardTransaction } from './card-transaction.entity';
import { CardTransactionDto } from './card-transaction.dto';
import { type CardBalance, cardEvent } from './cards.events';

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

/** `card.decline_warning`: one more decline like the last ones, or some, and the card is terminated. */
export const declineWarning = (card: Readonly<Card>, account: CardBalance, origin: EventOrigin): Write =>
  cardEvent(card, 'card.decline_warning', origin, { account, previous: card.status });
