import type { Write } from '../../core/database/bulk';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { AccountState } from '../ledger/ledger.types';
import type { Card } from './card.entity';

export type CardEventType =
  | 'card.issued' | 'card.issue_failed' | 'card.funded' | 'card.withdrawn' | 'card.frozen' | 'card.unfrozen' | 'card.blocked' | 'card.terminated' | 'card.expired';

/** What stands in the event as it was then; the rest of the card is read when the event is shown. */
export interface CardMoment {
  /** The card's ledger account, where the event is about money. */
  readonly account?: Readonly<AccountState>;
  /** Public id of the transaction that moved it. */
  readonly transactionId?: string;
}

export function cardEvent(card: Readonly<Card>, type: CardEventType, origin: EventOrigin, { account, transactionId }: CardMoment = {}): Write {
  const { accountId, livemode, id, status, statusReason } = card;
  const snapshot = {
    status,
    status_reason: statusReason,
    ...(account && {
      balance: { available: toJsonNumber(account.available), held: toJsonNumber(account.held), ledger: toJsonNumber(account.available + account.held) },
      balance_display: displayMoney({ amount: account.available, currency: account.currency }),
    }),
    ...(transactionId && { transaction_id: transactionId }),
  };
  return eventWrite({ accountId, livemode, type, objectType: 'crd', objectId: id, snapshot, origin });
}
