import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { constraintOf, isRowChanged } from '../../core/database/sqlstate';
import { LedgerService } from '../ledger/ledger.service';
import { AuthorizationLimits, type Spending } from './authorization-limits.service';
import { AuthorizationTurns } from './authorization-turns.service';
import { authorized, postingOf, reasonOf } from './authorization-draft.batch';
import type { AuthorizationOrder, CardKey, Cause } from './authorizations.types';
import { AuthorizationKnown } from './card-transactions.errors';
import type { CardTransactionResult } from './card-transactions.service';
import type { DeclineReason } from './declines.types';
import { DeclinesService } from './declines.service';

/** Other processes may authorize on the same card: each round one of them is through. */
const ROUNDS_MAX = 25;

/** An issuer's id of an authorization is that of one card transaction. */
const ISSUER_KEY = 'card_transactions_by_issuer';

/** Decides whether a merchant gets money promised. */
@Injectable()
export class AuthorizationDecisions {
  constructor(
    private readonly ledger: LedgerService,
    private readonly limits: AuthorizationLimits,
    private readonly turns: AuthorizationTurns,
    private readonly declines: DeclinesService,
  ) {}

  /** Declined is an answer too. Throws `NotFound`, `AuthorizationKnown`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`. */
  decide(card: CardKey, order: AuthorizationOrder, cause: Cause): Promise<CardTransactionResult> {
    return this.inTurn(card, cause, () => this.decideNew(card, order, cause));
  }

  /** Records a refusal that somebody else gave. */
  decline(
    card: CardKey,
    order: AuthorizationOrder & { readonly reason: DeclineReason },
    cause: Cause,
  ): Promise<CardTransactionResult> {
    return this.inTurn(card, cause, async () => this.declines.record(await this.limits.read(card), order, cause));
  }

  private inTurn(
    card: CardKey,
    cause: Cause,
    work: () => Promise<CardTransactionResult>,
  ): Promise<CardTransactionResult> {
    return this.turns.take(card.id, async () => {
      try {
        return await this.declines.transactions.answer(card, cause, work);
      } catch (error) {
        throw constraintOf(error) === ISSUER_KEY ? new AuthorizationKnown() : error;
      }
    });
  }

  private async decideNew(card: CardKey, order: AuthorizationOrder, cause: Cause): Promise<CardTransactionResult> {
    for (let round = 1; ; round++) {
      const spending = await this.limits.read(card);
      const reason = spending.refusal(order);
      if (reason !== null) return this.declines.record(spending, { ...order, reason }, cause);
      try {
        return await this.hold(spending, order, cause);
      } catch (error) {
        // The card was authorized, frozen or changed since it was read: what was decided on is gone.
        if (!isRowChanged(error) || round === ROUNDS_MAX) throw error;
        await sleep(Math.random() * 10 * round);
      }
    }
  }

  private async hold(spending: Spending, order: AuthorizationOrder, cause: Cause): Promise<CardTransactionResult> {
    const made = authorized(spending, order, cause);
    const outcome = await this.ledger.post(postingOf(made, spending, cause));
    if (outcome.status === 'posted') return { transaction: made, replayedBy: null };
    if (outcome.status === 'replayed') return this.declines.transactions.replayed(spending, outcome);
    return this.declines.record(spending, { ...order, reason: reasonOf(outcome) }, cause);
  }
}
