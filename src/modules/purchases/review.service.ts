import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../providers/reviews';
import type { Write } from '../../core/database/bulk';
import type { Currency } from '../../core/money/money';
import type { TransactionStatus } from '../transactions/transaction.entity';
import { PurchaseRun } from './purchase-run';
import { PurchaseStore } from './purchase-store';
import { InvalidPurchaseTransition, type Running } from './running';

/** `unchanged`: the purchase stays as it is, and the mark goes. */
export const PURCHASE_DECISIONS = ['delivered', 'not_delivered', 'reversed', 'unchanged'] as const;
export type Decision = (typeof PURCHASE_DECISIONS)[number];

/** From which states a person may decide so. */
const FROM: Readonly<Record<Decision, readonly TransactionStatus[]>> = {
  delivered: ['processing'],
  not_delivered: ['processing'],
  reversed: ['successful'],
  unchanged: ['successful', 'failed', 'reversed'],
};

/** What a person may decide about a purchase in this state. */
export const purchaseDecisionsAt = (status: TransactionStatus): Decision[] =>
  PURCHASE_DECISIONS.filter((decision) => FROM[decision].includes(status));

/** A purchase that only a person can settle. Minor units. */
export interface InReview extends Key {
  readonly reason: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly recipient: string;
  readonly provider: string;
  /** Who decided so far, and what. */
  readonly decisions: readonly Decided[];
}

export interface Verdict {
  readonly outcome: Decision;
  /** Who decides. */
  readonly person: Reviewer;
  /** The evidence: what the provider said, and where. */
  readonly note: string;
  /** Written with the decision. */
  readonly writes?: Ballot['writes'];
}

export interface Resolution {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly running: Running;
}

/** Before anybody was called people may decide, too: that counts as part of the first review. */
const FIRST_ROUND = 1;

/** Purchases whose outcome no requery finds out: people settle them, with evidence. */
@Injectable()
export class ReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: PurchaseRun,
    private readonly store: PurchaseStore,
    private readonly reviews: Reviews,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<InReview[]> {
    return this.dataSource.query(
      `SELECT p.account_id AS "accountId", p.livemode, p.id, p.review AS reason,
              t.status, t.amount, t.currency, t.recipient, t.provider_name AS provider,
              ${decisionsOf('p.account_id', 'p.id', `greatest(p.reviews, ${FIRST_ROUND})`)} AS decisions
         FROM purchases p JOIN transactions t USING (account_id, livemode, id)
        WHERE p.review IS NOT NULL ORDER BY p.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same. Throws
   * `NotFound`, `InvalidPurchaseTransition`, `SamePerson`, `ChangedElsewhere`.
   */
  async resolve(key: Key, verdict: Verdict): Promise<Resolution> {
    const running = await this.store.load(key);
    const {
      transaction: t,
      purchase: { review, reviews },
    } = running;
    const { outcome } = verdict;
    if (!FROM[outcome].includes(t.status)) throw new InvalidPurchaseTransition(t.id, t.status, outcome);
    if (outcome === 'unchanged' && review === null)
      throw new InvalidPurchaseTransition(t.id, `${t.status}, not in review,`, outcome);
    const round = Math.max(reviews, FIRST_ROUND);
    const needed = this.reviews.peopleNeeded(t);
    const settled = await this.reviews.decide({ ...key, resource: 'txn', round }, verdict, needed, async (rows) => {
      await this.settle(running, outcome, rows);
      return this.store.load(key);
    });
    return { isSettled: settled !== null, running: settled ?? running };
  }

  private settle(before: Running, outcome: Decision, verdict: readonly Write[]): Promise<void> {
    if (outcome === 'unchanged') return this.clear(before, verdict);
    const code = 'resolved_by_review';
    const running = { ...before, verdict };
    if (outcome === 'reversed') return this.runs.reverse(running, { code, message: 'Taken back after a review.' });
    if (outcome === 'delivered')
      return this.runs.conclude(running, {
        outcome,
        providerReference: running.attempt?.providerReference ?? 'review',
      });
    return this.runs.conclude(running, {
      outcome,
      code,
      message: 'Not delivered, as a review found out.',
      recovery: 'retry_later',
      retryElsewhere: false,
    });
  }

  /** Nobody asks again about what a person has looked at. */
  private clear(before: Running, verdict: readonly Write[]): Promise<void> {
    const { transaction: t, purchase } = before;
    const transaction = { ...t, version: t.version + 1, needsReview: false, nextCheckAt: null, updatedAt: new Date() };
    return this.store.note(
      before,
      { ...before, transaction, purchase: { ...purchase, review: null, nextCheckAt: null } },
      verdict,
    );
  }
}
