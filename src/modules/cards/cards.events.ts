import type { Write } from '../../core/database/bulk';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import { CardDto } from './card.dto';
import type { Card, CardRecord, CardStatus } from './card.entity';

export type CardEventType =
  | 'card.issued'
  | 'card.issue_failed'
  | 'card.funded'
  | 'card.withdrawn'
  | 'card.frozen'
  | 'card.unfrozen'
  | 'card.blocked'
  | 'card.terminated'
  | 'card.expired'
  | 'card.decline_warning';

/** What the ledger says of a card. */
export type CardBalance = Pick<CardRecord, 'available' | 'held' | 'seq'>;

/** Of a card that never had money. */
export const EMPTY: CardBalance = { available: 0n, held: 0n, seq: 0n };

export interface CardMoment {
  readonly account: CardBalance;
  readonly previous: CardStatus;
  /** Public id of the transaction that moved its money. */
  readonly transactionId?: string;
}

/** `card.<what>`, with the card as it stands then. */
export function cardEvent(
  card: Readonly<Card>,
  type: CardEventType,
  origin: EventOrigin,
  { account, previous, transactionId }: CardMoment,
): Write {
  const { accountId, livemode, id } = card;
  const { available, held, seq } = account;
  const { id: _id, object: _object, livemode: _livemode, ...shown } = CardDto.of({ ...card, available, held, seq });
  const snapshot = { ...shown, previous_status: previous, ...(transactionId && { transaction_id: transactionId }) };
  return eventWrite({ accountId, livemode, type, objectType: 'crd', objectId: id, snapshot, origin });
}
