import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Key } from '../../core/http/caller';
import type { Write } from '../../core/database/bulk';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../providers/reviews';
import { isRunning, type Refund } from './refunds/refund.entity';
import { RefundSettlement } from './refunds/refund-settlement';
import { InvalidRefundTransition, RefundStore } from './refunds/refund-store';

/** Whether the payer has the money. */
export const REFUND_DECISIONS = ['successful', 'failed'] as const;
export type RefundDecision = (typeof REFUND_DECISIONS)[number];

/** A refund that only a person can settle. Minor units. */
export interface RefundInReview extends Key {
  readonly paymentId: string;
  readonly reason: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly gateway: string;
  readonly gatewayReference: string | null;
  /** Who decided so far, and what. */
  readonly decisions: readonly Decided[];
}

export interface RefundVerdict {
  readonly outcome: RefundDecision;
  /** Who decides. */
  readonly person: Reviewer;
  /** The evidence: what the gateway said, and where. */
  readonly note: string;
  /** Written with the decision. */
  readonly writes?: Ballot['writes'];
}

export interface RefundResolution {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly refund: Refund;
}

/** Refunds whose outcome no question finds out: people settle them, with evidence. */
@Injectable()
export class RefundReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: RefundStore,
    private readonly settlement: RefundSettlement,
    private readonly reviews: Reviews,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<RefundInReview[]> {
    return this.dataSource.query(
      `SELECT r.account_id AS "accountId", r.livemode, r.id, r.payment_id AS "paymentId", r.review AS reason, r.status,
              r.amount, r.currency, r.gateway, r.gateway_reference AS "gatewayReference",
              ${decisionsOf('r.account_id', 'r.id', 'r.reviews')} AS decisions
         FROM refunds r WHERE r.review IS NOT NULL ORDER BY r.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same. Throws
   * `NotFound`, `InvalidRefundTransition`, `SamePerson`, `ChangedElsewhere`.
   */
  async resolve(key: Key, verdict: RefundVerdict): Promise<RefundResolution> {
    const refund = await this.store.load(key);
    const { outcome } = verdict;
    const { accountId, livemode, id, status, review, reviews: round } = refund;
    if (!isRunning(status) || review === null)
      throw new InvalidRefundTransition(id, isRunning(status) ? `${status}, not in review,` : status, outcome);
    const needed = this.reviews.peopleNeeded(refund);
    const settled = await this.reviews.decide(
      { accountId, livemode, resource: 'rfd', id, round },
      verdict,
      needed,
      (rows) => this.settle(refund, outcome, rows),
    );
    return { isSettled: settled !== null, refund: settled ?? refund };
  }

  private settle(refund: Refund, status: RefundDecision, rows: readonly Write[]): Promise<Refund> {
    const { gatewayReference } = refund;
    const failure = { code: 'resolved_by_review', message: 'Settled after a review.', recovery: 'none' } as const;
    return this.settlement.end(refund, {
      status,
      gatewayReference,
      failure: status === 'failed' ? failure : null,
      rows,
    });
  }
}
