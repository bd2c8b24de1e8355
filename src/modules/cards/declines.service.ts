import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { newId } from '../../core/http/ids';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Spending } from './authorization-limits.service';
import { type AuthorizationOrder, type Cause, claimOf, originOf } from './authorizations.types';
import { Card } from './card.entity';
import { balanceOf, type BalanceRow, SELECT_BALANCES } from './cards.queries';
import type { CardTransaction } from './card-transaction.entity';
import { cardTransactionEvent, declineWarning } from './card-transactions.events';
import { cardTransactionWrite, COUNT_DECLINE } from './card-transactions.queries';
import { type CardTransactionResult, CardTransactionsService } from './card-transactions.service';
import { type DeclinePolicy, type DeclineStep, isCounted, declineStepOf } from './decline-policy.batch';
import { DeclineTermination } from './decline-termination.service';
import type { DeclineReason } from './declines.types';

type Declined = AuthorizationOrder & { readonly reason: DeclineReason };

/** Records refused authorizations, and what follows from too many of them. */
@Injectable()
export class DeclinesService {
  constructor(
    readonly transactions: CardTransactionsService,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly termination: DeclineTermination,
  ) {}

  /** Throws `IdempotencyKeyReused`, `DuplicateReference`. */
  async record(card: Spending, order: Declined, cause: Cause): Promise<CardTransactionResult> {
    const transaction = declined(card, order, cause);
    let step: DeclineStep | null = null;
    const replay = await this.idempotency.once(claimOf(transaction, cause), async (tx) => {
      const counted = await this.count(tx, transaction, cause);
      ({ step } = counted);
      await this.unitOfWork.write(tx, [
        cardTransactionWrite(transaction),
        cardTransactionEvent(transaction, 'declined', originOf(cause)),
        ...counted.writes,
      ]);
    });
    if (replay) return this.transactions.replayed(card, replay);
    if (step === 'terminate') await this.termination.terminate(card, originOf(cause));
    return { transaction, replayedBy: null };
  }

  /** One more in the row: the count is taken under the card's lock, so each number comes up once. */
  private async count(
    tx: Tx,
    { accountId, livemode, cardId: id, declineReason }: CardTransaction,
    cause: Cause,
  ): Promise<{ step: DeclineStep | null; writes: Write[] }> {
    if (!isCounted(declineReason!)) return { step: null, writes: [] };
    const [rows]: [(DeclinePolicy & { declines: number })[]] = await tx.query(COUNT_DECLINE, [accountId, livemode, id]);
    const policy = rows[0];
    const step = policy ? declineStepOf(policy, policy.declines) : null;
    if (step !== 'warn') return { step, writes: [] };
    const [card, [row]]: [Card, [BalanceRow]] = [
      await tx.findOneByOrFail(Card, { accountId, livemode, id }),
      await tx.query(SELECT_BALANCES, [accountId, [id]]),
    ];
    return { step, writes: [declineWarning(card, balanceOf(row), originOf(cause))] };
  }
}

function declined(
  { accountId, livemode, id: cardId, currency, now }: Spending,
  order: Declined,
  cause: Cause,
): CardTransaction {
  const { amount, merchant, issuerReference, reason } = order;
  return {
    accountId,
    livemode,
    id: newId(),
    cardId,
    type: 'authorization',
    status: 'declined',
    amount,
    cleared: 0n,
    released: 0n,
    refunded: 0n,
    currency,
    merchant,
    declineReason: reason,
    originalId: null,
    issuerReference,
    madeAt: now,
    expiresAt: null,
    settledAt: null,
    nextCheckAt: null,
    requestId: cause.requestId,
    idempotencyKey: cause.key,
    version: 1,
    updatedAt: now,
  };
}
