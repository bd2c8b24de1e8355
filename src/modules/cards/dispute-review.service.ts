import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FieldRefused } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../providers/reviews';
import { type Dispute, isResolved } from './disputes/dispute.entity';
import { DisputeSettlement } from './disputes/dispute-settlement';
import { DisputeStore, InvalidDisputeTransition } from './disputes/dispute-store';

/** Whether the cardholder has the money for good. */
export const DISPUTE_DECISIONS = ['won', 'lost', 'withdrawn'] as const;
export type DisputeDecision = (typeof DISPUTE_DECISIONS)[number];

/** A dispute that only a person can settle. Minor units. */
export interface DisputeInReview extends Key {
  readonly cardTransactionId: string;
  readonly reason: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly issuer: string;
  readonly issuerReference: string | null;
  /** Who decided so far, and what. */
  readonly decisions: readonly Decided[];
}

export interface DisputeVerdict {
  readonly outcome: DisputeDecision;
  /** Of one that is won: what of it, in minor units; undefined: all. */
  readonly amount?: bigint | undefined;
  /** Who decides. */
  readonly person: Reviewer;
  /** The evidence: what the issuer said, and where. */
  readonly note: string;
  /** Written with the decision. */
  readonly writes?: Ballot['writes'];
}

export interface DisputeResolution {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly dispute: Dispute;
}

/** Disputes whose outcome no question finds out: people settle them, with evidence. */
@Injectable()
export class DisputeReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: DisputeStore,
    private readonly settlement: DisputeSettlement,
    private readonly reviews: Reviews,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<DisputeInReview[]> {
    return this.dataSource.query(
      `SELECT d.account_id AS "accountId", d.livemode, d.id, d.card_transaction_id AS "cardTransactionId",
              d.review AS reason, d.status, d.amount, d.currency, d.issuer, d.issuer_reference AS "issuerReference",
              ${decisionsOf('d.account_id', 'd.id', 'd.reviews')} AS decisions
         FROM disputes d WHERE d.review IS NOT NULL ORDER BY d.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same. Throws
   * `NotFound`, `FieldRefused`, `InvalidDisputeTransition`, `SamePerson`, `ChangedElsewhere`.
   */
  async resolve(key: Key, verdict: DisputeVerdict): Promise<DisputeResolution> {
    const dispute = await this.store.load(key);
    const { outcome } = verdict;
    const wonAmount = wonInPart(dispute, verdict);
    const { accountId, livemode, id, status, review, reviews: round } = dispute;
    if (isResolved(status)) throw new InvalidDisputeTransition(dispute, outcome);
    if (review === null) throw new InvalidDisputeTransition(dispute, outcome, ', not in review,');
    const settled = await this.reviews.decide(
      { accountId, livemode, resource: 'dsp', id, round },
      // Two who say the same say the same amount.
      { ...verdict, outcome: wonAmount === null ? outcome : `${outcome} in part: ${wonAmount}` },
      this.reviews.peopleNeeded(dispute),
      (rows) => this.settlement.end(dispute, outcome, { patch: { wonAmount }, rows }),
    );
    return { isSettled: settled !== null, dispute: settled ?? dispute };
  }
}

/** Null: not in part. Throws `FieldRefused`. */
function wonInPart({ amount: disputed }: Dispute, { outcome, amount }: DisputeVerdict): bigint | null {
  if (amount === undefined) return null;
  if (outcome !== 'won') throw new FieldRefused('/amount', `/amount is not said of a dispute that is ${outcome}.`);
  if (amount < 1n || amount > disputed)
    throw new FieldRefused('/amount', `/amount must be from 1 to ${disputed}: what is in dispute.`);
  return amount === disputed ? null : amount;
}
