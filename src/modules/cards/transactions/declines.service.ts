import { Injectable, Logger } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { Idempotency } from '../../../core/idempotency/idempotency';
import type { EventOrigin } from '../../../core/outbox/outbox';
import { CardLifecycle } from '../card-lifecycle';
import { cardEvent } from '../card-rows';
import type { CardTransaction, DeclineReason } from '../card-transaction.entity';
import {
  type CardTransactionResult,
  CardTransactionsService,
  type Cause,
  claimOf,
  originOf,
} from '../card-transactions.service';
import { Card, type CardKey } from '../card.entity';
import { balanceOf, type BalanceRow, SELECT_BALANCES } from '../cards.service';
import {
  type AuthorizationOrder,
  cardTransactionEvent,
  cardTransactionWrite,
  newCardTransaction,
  type UsedCard,
} from './card-transaction-rows';
import { type DeclinePolicy, type DeclineStep, declineStepOf, isCounted } from './decline-policy';

const POLICY = { actor: 'policy', actorId: null, reason: 'too_many_declines' } as const;

/** Counts a decline: account, mode, card. */
const COUNT_DECLINE = `
  UPDATE cards SET declines = declines + 1, version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND status = 'active'
  RETURNING declines, warn_at AS "warnAt", terminate_at AS "terminateAt"`;

type Declined = AuthorizationOrder & { readonly reason: DeclineReason };

/** Records refused authorizations, and what follows from too many of them. */
@Injectable()
export class DeclinesService {
  private readonly log = new Logger('cards');

  constructor(
    private readonly transactions: CardTransactionsService,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly lifecycle: CardLifecycle,
  ) {}

  /** Throws `IdempotencyKeyReused`, `DuplicateReference`. */
  async record(card: UsedCard, order: Declined, cause: Cause): Promise<CardTransactionResult> {
    const { amount, merchant, issuerReference, reason: declineReason } = order;
    const transaction = newCardTransaction(card, cause, {
      type: 'authorization',
      status: 'declined',
      amount,
      merchant,
      declineReason,
      issuerReference,
    });
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
    if (step === 'terminate') await this.terminate(card, originOf(cause));
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
    const moment = { account: balanceOf(row), previous: card.status };
    return { step, writes: [cardEvent(card, 'card.decline_warning', originOf(cause), moment)] };
  }

  /** The decline stands whatever comes of this: a failure is logged, and the next decline tries again. */
  private async terminate({ accountId, livemode, id }: CardKey, origin: EventOrigin): Promise<void> {
    const key = { accountId, livemode, id };
    try {
      await this.lifecycle.terminate(key, { by: POLICY, origin, claim: null, evenWithHolds: true });
    } catch (error) {
      this.log.error({ message: 'a card could not be terminated by its decline policy', card: id, err: error });
    }
  }
}
