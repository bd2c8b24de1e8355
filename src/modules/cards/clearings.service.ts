import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { isRowChanged } from '../../core/database/sqlstate';
import { DomainError } from '../../core/errors/domain-error';
import { encodeId, newId } from '../../core/http/ids';
import { LedgerService } from '../ledger/ledger.service';
import { type CardTransactionKey, type Cause, claimOf } from './authorizations.types';
import { ClearingPostings, type Settling } from './clearing-postings.service';
import { heldOf, stepOf } from './card-transaction-step.batch';
import type { CardTransaction } from './card-transaction.entity';
import { CardAmountExceeded, InvalidCardTransactionTransition } from './card-transactions.errors';
import { type CardTransactionResult, CardTransactionsService } from './card-transactions.service';
import type { StepKind } from './card-transactions.states';

/** Others may take a step at the same time: each of them leaves less to do. */
const ROUNDS_MAX = 25;

interface Step {
  readonly kind: StepKind;
  readonly amount: bigint | null;
}

/** Takes, releases and returns the money of authorizations. */
@Injectable()
export class ClearingsService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly postings: ClearingPostings,
    private readonly transactions: CardTransactionsService,
    private readonly clock: Clock,
  ) {}

  /**
   * One step of `amount`; null: of all that is left for it. Throws `NotFound`, `InvalidCardTransactionTransition`,
   * `CardAmountExceeded`, `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  step(key: CardTransactionKey, step: Step, cause: Cause): Promise<CardTransactionResult> {
    return this.transactions.answer(key, cause, () => this.take(key, step, cause));
  }

  private async take(key: CardTransactionKey, step: Step, cause: Cause): Promise<CardTransactionResult> {
    for (let round = 1; ; round++) {
      const settling = await this.next(key, step);
      const posting = await this.postings.of(settling, claimOf(key, cause), cause);
      try {
        const outcome = await this.ledger.require(posting, (id) => ({ id: encodeId('crd', id), param: null }));
        return outcome.status === 'posted'
          ? { transaction: settling.after, replayedBy: null }
          : await this.transactions.replayed(key, outcome);
      } catch (error) {
        if (round === ROUNDS_MAX || !(isOvertaken(error) || isPutAway(error))) throw error;
        if (isPutAway(error)) await this.postings.reopen(settling.before);
      }
    }
  }

  /** The step on the sums as they are now. */
  private async next(key: CardTransactionKey, { kind, amount }: Step): Promise<Settling> {
    const before = await this.transactions.require(key, key.id);
    const step = before.type === 'authorization' ? stepOf(before, kind, amount) : ({ refused: 'wrong_state' } as const);
    if ('left' in step) throw new CardAmountExceeded(before, kind, { left: step.left, amount: amount! });
    if ('refused' in step) throw new InvalidCardTransactionTransition(before, kind);
    const now = await this.clock.now(before);
    const sums: CardTransaction = {
      ...before,
      ...step.after,
      updatedAt: now,
      ...(kind === 'clearing' && { settledAt: now }),
    };
    const after = { ...sums, nextCheckAt: heldOf(sums) > 0n ? before.nextCheckAt : null };
    return { before, after, kind, amount: step.amount, refundId: newId() };
  }
}

/** The card ended and its empty ledger account was closed: a refund still arrives there, on its way to the wallet. */
const isPutAway = (error: unknown): boolean => error instanceof DomainError && error.details.code === 'wallet_closed';

/** Somebody else made a step since the sums were read: its hold or its row is not what it was. */
const isOvertaken = (error: unknown): boolean =>
  isRowChanged(error) || (error instanceof DomainError && error.details.code === 'invalid_state_transition');
