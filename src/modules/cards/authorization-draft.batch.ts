import { newId } from '../../core/http/ids';
import type { Outcome, Posting, Refusal } from '../ledger/ledger.types';
import type { Spending } from './authorization-limits.service';
import { type AuthorizationOrder, type Cause, claimOf, originOf } from './authorizations.types';
import type { CardTransaction } from './card-transaction.entity';
import { cardTransactionEvent } from './card-transactions.events';
import { authorizedWrite, cardTransactionWrite } from './card-transactions.queries';
import type { DeclineReason } from './declines.types';

/** How long an authorization holds its money when nobody clears it, by the account's clock. */
const EXPIRES_AFTER_MS = 7 * 24 * 3_600_000;
/** Why the books refuse a hold on a card, in the words of a decline. */
const DECLINED_BY_LEDGER: Partial<Record<Refusal['reason'], DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  account_frozen: 'card_frozen',
  account_closed: 'card_terminated',
};

/** A refusal of the books, as a decline. */
export function reasonOf({ refusal }: Extract<Outcome, { status: 'refused' }>): DeclineReason {
  const reason = DECLINED_BY_LEDGER[refusal.reason];
  if (reason === undefined) throw new Error(`the books refuse an authorization: ${refusal.reason}`);
  return reason;
}

/** The card transaction of an authorization that is given. */
export function authorized(
  { accountId, livemode, id: cardId, currency, now }: Spending,
  order: AuthorizationOrder,
  cause: Cause,
): CardTransaction {
  const expiresAt = new Date(now.getTime() + EXPIRES_AFTER_MS);
  const { amount, merchant, issuerReference } = order;
  return {
    accountId,
    livemode,
    id: newId(),
    cardId,
    type: 'authorization',
    status: 'authorized',
    amount,
    cleared: 0n,
    released: 0n,
    refunded: 0n,
    currency,
    merchant,
    declineReason: null,
    originalId: null,
    issuerReference,
    madeAt: now,
    expiresAt,
    settledAt: null,
    nextCheckAt: expiresAt,
    requestId: cause.requestId,
    idempotencyKey: cause.key,
    version: 1,
    updatedAt: now,
  };
}

/** The hold, with all that is written beside it. */
export function postingOf(made: CardTransaction, spending: Spending, cause: Cause): Posting {
  const { accountId, livemode, id, cardId, amount, currency } = made;
  return {
    id,
    accountId,
    livemode,
    currency,
    lines: [],
    holds: [{ kind: 'open', holdId: id, ledgerAccountId: cardId, amount, transactionId: null }],
    claim: claimOf(made, cause),
    writes: () => [
      cardTransactionWrite(made),
      authorizedWrite(spending),
      cardTransactionEvent(made, 'authorized', originOf(cause)),
    ],
  };
}
