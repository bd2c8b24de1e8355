import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../../core/config/env';
import type { Currency } from '../../core/money/currencies';
import { LoadingService, type PurchaseKey } from './loading.service';
import type { Running } from './purchase-step.batch';
import { InvalidPurchaseTransition, SamePerson } from './purchases.errors';
import { RunnerService } from './runner.service';

export type Decision = 'delivered' | 'not_delivered' | 'reversed';

/** A purchase that only a person can settle. Minor units. */
export interface InReview extends PurchaseKey {
  readonly reason: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly recipient: string;
  readonly provider: string;
  /** Who decided so far, and what. */
  readonly decisions: readonly { readonly person: string; readonly outcome: Decision }[];
}

export interface Verdict {
  readonly outcome: Decision;
  /** Who decides. */
  readonly person: string;
  /** The evidence: what the provider said, and where. */
  readonly note: string;
}

export interface Resolution {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly running: Running;
}

/** Purchases whose outcome no requery finds out: people settle them, with evidence. */
@Injectable()
export class ReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly loading: LoadingService,
    private readonly runner: RunnerService,
    private readonly env: Env,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<InReview[]> {
    return this.dataSource.query(
      `SELECT p.account_id AS "accountId", p.livemode, p.id, p.review AS reason, t.status, t.amount, t.currency, t.recipient, t.provider_name AS provider,
              coalesce((SELECT json_agg(json_build_object('person', r.person, 'outcome', r.outcome) ORDER BY r.created_at)
                 FROM purchase_resolutions r WHERE r.account_id = p.account_id AND r.purchase_id = p.id), '[]') AS decisions
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
    const agreed = await this.record(key, verdict);
    const needed = t.amount > BigInt(this.env.REVIEW_TWO_PEOPLE_ABOVE) ? 2 : 1;
    if (agreed < needed) return { isSettled: false, running };
    await this.settle(running, verdict);
    return { isSettled: true, running: await this.loading.load(key) };
  }

  /** How many people decided so. */
  private async record({ accountId, livemode, id }: PurchaseKey, { person, outcome, note }: Verdict): Promise<number> {
    const [written]: [unknown[]] = await this.dataSource.query(
      `INSERT INTO purchase_resolutions (account_id, livemode, purchase_id, person, outcome, note) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT ON CONSTRAINT purchase_resolutions_pkey DO NOTHING RETURNING person`,
      [accountId, livemode, id, person, outcome, note],
    );
    if (written === undefined) throw new SamePerson(person);
    const [row]: { people: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS people FROM purchase_resolutions WHERE account_id = $1 AND livemode = $2 AND purchase_id = $3 AND outcome = $4`,
      [accountId, livemode, id, outcome],
    );
    return row!.people;
  }

  private settle(running: Running, { outcome, person }: Verdict): Promise<void> {
    const code = 'resolved_by_review';
    if (outcome === 'reversed') return this.runner.takeBack(running, { code, message: 'Taken back after a review.' });
    if (outcome === 'delivered') return this.runner.goOn(running, { outcome, providerReference: running.attempt?.providerReference ?? `review:${person}` });
    return this.runner.goOn(running, { outcome, code, message: 'Not delivered, as a review found out.', recovery: 'retry_later', retryElsewhere: false });
  }
}
