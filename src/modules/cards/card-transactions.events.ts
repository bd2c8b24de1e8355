import type { Write } from '../../core/database/bulk';
import { toJsonNumber } from '../../core/money/money';
import type { EventType } from '../../core/outbox/event-types';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import { heldOf } from './card-transaction-step.batch';
import type { CardTransaction } from './card-transaction.entity';
import type { CardKey } from './authorizations.types';
import type { DeclinePolicy } from './decline-policy.batch';

export type CardTransactionChange = 'authorized' | 'settled' | 'declined' | 'voided' | 'expired' | 'refunded';

/** `card.transaction.<what>`: the snapshot keeps the sums as they stood then, and what moved. */
export function cardTransactionEvent(t: Readonly<CardTransaction>, what: CardTransactionChange, origin: EventOrigin, moved: object = {}): Write {
  const snapshot = {
    status: t.status,
    held_amount: toJsonNumber(heldOf(t)),
    settled_amount: toJsonNumber(t.cleared),
    refunded_amount: toJsonNumber(t.refunded),
    settled_at: t.settledAt,
    ...moved,
  };
  const { accountId, livemode, id } = t;
  return eventWrite({ accountId, livemode, type: `card.transaction.${what}` as EventType, objectType: 'ctx', objectId: id, snapshot, origin });
}

/** `card.decline_warning`: one more decline like the last ones, or some, and the card is terminated. */
export const declineWarning = ({ accountId, livemode, id }: CardKey, policy: DeclinePolicy & { declines: number }, origin: EventOrigin): Write =>
  eventWrite({
    accountId, livemode, type: 'card.decline_warning', objectType: 'crd', objectId: id, origin,
    snapshot: { decline_policy: { declines: policy.declines, warn_at: policy.warnAt, terminate_at: policy.terminateAt } },
  });
