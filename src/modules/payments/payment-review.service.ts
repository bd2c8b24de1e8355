import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../../core/config/env';
import type { Currency } from '../../core/money/currencies';
import { EndingsService } from './endings.service';
import type { Payment } from './payment.entity';
import { InvalidPaymentTransition, ReversalRefused, SamePersonAgain } from './payments.errors';
import type { PaymentStatus } from './payments.states';
import type { PaymentKey } from './payments.types';
import { SettlementService } from './settlement.service';

/** `unchanged`: the payment stays as it is, and the mark goes. */
export const DECISIONS = ['successful', 'failed', 'reversed', 'unchanged'] as const;
export type PaymentDecision = (typeof DECISIONS)[number];

/** From which states a person may decide so. */
const FROM: Readonly<Record<PaymentDecision, readonly PaymentStatus[]>> = {
  successful: ['processing', 'failed', 'expired', 'cancelled'],
  failed: ['processing'],
  reversed: ['successful'],
  unchanged: ['successful', 'failed', 'expired', 'cancelled', 'reversed'],
};

/** A payment that only a person can settle. Minor units. */
export interface PaymentInReview extends PaymentKey {
  readonly reason: string;
  readonly status: PaymentStatus;
  readonly amount: string;
  readonly amountReceived: string | null;
  readonly currency: Currency;
  readonly gateway: string;
  /** Who decided so far, and what. */
  readonly decisions: readonly { readonly person: string; readonly outcome: PaymentDecision }[];
}

export interface PaymentVerdict {
  readonly outcome: PaymentDecision;
  /** Who decides. */
  readonly person: string;
  /** The evidence: what the gateway said, and where. */
  readonly note: string;
}

export interface PaymentResolution {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly payment: Payment;
}

/** Payments about which a gateway contradicts the order or itself: people settle them, with evidence. */
@Injectable()
export class PaymentReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settlement: SettlementService,
    private readonly endings: EndingsService,
    private readonly env: Env,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<PaymentInReview[]> {
    return this.dataSource.query(
      `SELECT p.account_id AS "accountId", p.livemode, p.id, p.review AS reason, p.status, p.amount, p.amount_received AS "amountReceived", p.currency, p.gateway,
              coalesce((SELECT json_agg(json_build_object('person', r.person, 'outcome', r.outcome) ORDER BY r.created_at)
                 FROM payment_resolutions r WHERE r.account_id = p.account_id AND r.payment_id = p.id AND r.version = p.version), '[]') AS decisions
         FROM payments p WHERE p.review IS NOT NULL ORDER BY p.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same. Throws `NotFound`,
   * `InvalidPaymentTransition`, `SamePersonAgain`, `ReversalRefused`, `ChangedElsewhere`.
   */
  async resolve(key: PaymentKey, verdict: PaymentVerdict): Promise<PaymentResolution> {
    const payment = await this.endings.store.load(key);
    const isPossible = payment.review !== null && FROM[verdict.outcome].includes(payment.status);
    if (!isPossible) throw new InvalidPaymentTransition(payment.id, payment.review === null ? `${payment.status}, not in review,` : payment.status, verdict.outcome);
    const agreed = await this.record(payment, verdict);
    const needed = payment.amount > BigInt(this.env.REVIEW_TWO_PEOPLE_ABOVE) ? 2 : 1;
    if (agreed < needed) return { isSettled: false, payment };
    return { isSettled: true, payment: await this.settle(payment, verdict) };
  }

  /** How many people decided so. */
  private async record({ accountId, livemode, id, version }: Payment, { person, outcome, note }: PaymentVerdict): Promise<number> {
    const [written]: unknown[] = await this.dataSource.query(
      `INSERT INTO payment_resolutions (account_id, livemode, payment_id, version, person, outcome, note) VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT ON CONSTRAINT payment_resolutions_pkey DO NOTHING RETURNING person`,
      [accountId, livemode, id, version, person, outcome, note],
    );
    if (written === undefined) throw new SamePersonAgain(person);
    const [row]: { people: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS people FROM payment_resolutions WHERE account_id = $1 AND livemode = $2 AND payment_id = $3 AND version = $4 AND outcome = $5`,
      [accountId, livemode, id, version, outcome],
    );
    return row!.people;
  }

  private async settle(payment: Payment, { outcome, person }: PaymentVerdict): Promise<Payment> {
    const reason = { code: 'resolved_by_review', message: 'Settled after a review.', recovery: 'none' } as const;
    if (outcome === 'successful') return this.settlement.credit(payment, payment.gatewayReference ?? `review:${person}`, true);
    if (outcome === 'failed') return this.endings.end(payment, 'failed', reason);
    if (outcome === 'unchanged') return this.endings.store.step(payment, { review: null });
    const reversed = await this.settlement.reverse(payment, reason, true);
    if ('id' in reversed) return reversed;
    throw new ReversalRefused(payment.id, reversed.reason);
  }
}
