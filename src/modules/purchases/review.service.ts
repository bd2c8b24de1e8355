import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../core/adapters/reviews';
import type { Currency } from '../../core/money/currencies';
import { LoadingService, type PurchaseKey } from './loading.service';
import type { Running } from './purchase-step.batch';
import { InvalidPurchaseTransition } from './purchases.errors';
import { RunnerService } from './runner.service';

export const PURCHASE_DECISIONS = ['delivered', 'not_delivered', 'reversed'] as const;
export type Decision = (typeof PURCHASE_DECISIONS)[number];

/** A purchase that only a person can settle. Minor units. */
export interface InReview extends PurchaseKey {
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

/** A purchase is reviewed while nobody knows whether it was delivered, and once more when it was delivered and taken back. */
const ROUND = `CASE t.status WHEN 'successful' THEN 2 ELSE 1 END`;

/** Purchases whose outcome no requery finds out: people settle them, with evidence. */
@Injectable()
export class ReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly loading: LoadingService,
    private readonly runner: RunnerService,
    private readonly reviews: Reviews,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<InReview[]> {
    return this.dataSource.query(
      `SELECT p.account_id AS "accountId", p.livemode, p.id, p.review AS reason, t.status, t.amount, t.currency, t.recipient, t.provider_name AS provider,
              ${decisionsOf('p.account_id', 'p.id', ROUND)} AS decisions
         FROM purchases p JOIN transactions t USING (account_id, livemode, id)
        WHERE p.review IS NOT NULL ORDER BY p.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same. Throws
   * `NotFound`, `InvalidPurchaseTransition`, `SamePerson`, `SettledElsewhere`.
   */
  async resolve(key: PurchaseKey, verdict: Verdict): Promise<Resolution> {
    const running = await this.loading.load(key);
    const { transaction: t } = running;
    const isPossible = verdict.outcome === 'reversed' ? t.status === 'successful' : t.status === 'processing';
    if (!isPossible) throw new InvalidPurchaseTransition(t.id, t.status, verdict.outcome);
    const round = t.status === 'successful' ? 2 : 1;
    const needed = this.reviews.peopleNeeded(t);
    const settled = await this.reviews.decide({ ...key, resource: 'txn', round }, verdict, needed, async (rows) => {
      await this.settle({ ...running, verdict: rows }, verdict);
      return this.loading.load(key);
    });
    return { isSettled: settled !== null, running: settled ?? running };
  }

  private settle(running: Running, { outcome }: Verdict): Promise<void> {
    const code = 'resolved_by_review';
    if (outcome === 'reversed') return this.runner.takeBack(running, { code, message: 'Taken back after a review.' });
    if (outcome === 'delivered') return this.runner.goOn(running, { outcome, providerReference: running.attempt?.providerReference ?? 'review' });
    return this.runner.goOn(running, { outcome, code, message: 'Not delivered, as a review found out.', recovery: 'retry_later', retryElsewhere: false });
  }
}
