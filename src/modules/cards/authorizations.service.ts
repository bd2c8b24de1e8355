import { Injectable } from '@nestjs/common';
import { AuthorizationDecisions } from './authorization-decisions.service';
import { AuthorizationLimits } from './authorization-limits.service';
import type { AuthorizationOrder, CardKey, CardTransactionKey, Cause } from './authorizations.types';
import { CardTransactionFees } from './card-transaction-fees.service';
import type { CardTransactionResult } from './card-transactions.service';
import type { StepKind } from './card-transactions.states';
import { ClearingsService } from './clearings.service';
import type { DeclineReason } from './declines.types';

/** What happens on a card. Each call works once per cause: repeated, it answers with what it did. */
@Injectable()
export class AuthorizationsService {
  constructor(
    private readonly decisions: AuthorizationDecisions,
    private readonly clearings: ClearingsService,
    private readonly fees: CardTransactionFees,
    private readonly limits: AuthorizationLimits,
  ) {}

  /**
   * Holds the money, or declines: the transaction's status tells. Throws `NotFound`, `AuthorizationKnown`,
   * `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`, as all of these do.
   */
  authorize(card: CardKey, order: AuthorizationOrder, cause: Cause): Promise<CardTransactionResult> {
    return this.decisions.decide(card, order, cause);
  }

  /** Records that somebody else refused. */
  decline(
    card: CardKey,
    order: AuthorizationOrder & { readonly reason: DeclineReason },
    cause: Cause,
  ): Promise<CardTransactionResult> {
    return this.decisions.decline(card, order, cause);
  }

  /**
   * Clears, voids or refunds `amount` (minor units) of an authorization; null: all that is left for it. Throws also
   * `InvalidCardTransactionTransition`, `CardAmountExceeded`, `PostingRefused`.
   */
  step(
    authorization: CardTransactionKey,
    step: { kind: StepKind; amount: bigint | null },
    cause: Cause,
  ): Promise<CardTransactionResult> {
    return this.clearings.step(authorization, step, cause);
  }

  /** Takes a fee of the issuer from the card. Throws also `PostingRefused`. */
  async charge(card: CardKey, amount: bigint, cause: Cause): Promise<CardTransactionResult> {
    const { currency, now } = await this.limits.read(card);
    return this.fees.charge({ ...card, currency }, { amount, now }, cause);
  }
}
