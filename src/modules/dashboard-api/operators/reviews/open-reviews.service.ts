import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MetricReads } from '../../../../core/database/metric-reads';
import { found } from '../../../../core/errors/domain-error';
import type { Key } from '../../../../core/http/caller';
import { decodeId, HIGHEST_ID, LOWEST_ID, lowestIdAt, timeOf } from '../../../../core/http/ids';
import { sampledGauges } from '../../../../core/metrics/metrics';
import { Reviews } from '../../../../providers/reviews';
import { CARD_DECISIONS } from '../../../cards/card-review.service';
import { CUSTOMER_DECISIONS } from '../../../cards/customer-review.service';
import { DISPUTE_DECISIONS } from '../../../cards/dispute-review.service';
import { paymentDecisionsAt } from '../../../payments/payment-review.service';
import { REFUND_DECISIONS } from '../../../payments/refund-review.service';
import { purchaseDecisionsAt } from '../../../purchases/review.service';
import { depositDecisionsAt } from '../../../virtual-accounts/deposit-review.service';
import { type OpenReview, REVIEW_KINDS, type ReviewFilters, type ReviewKind } from './reviews.dto';
import { COUNT_OPEN, COUNT_WAITING, SELECT_ONE, SELECT_OPEN } from './statements';

const HOUR_MS = 3_600_000;

type Row = Omit<OpenReview, 'outcomes' | 'peopleNeeded'>;

/** What may be decided about each kind, by its state. Total: a kind without a row does not compile. */
const OUTCOMES: Readonly<Record<ReviewKind, (row: Row) => readonly string[]>> = {
  purchase: ({ status }) => purchaseDecisionsAt(status as never),
  payment: ({ status, received }) =>
    paymentDecisionsAt(status as never).filter((decision) => decision !== 'refund_payer' || received !== null),
  refund: () => REFUND_DECISIONS,
  deposit: ({ status }) => depositDecisionsAt(status as never),
  card: () => CARD_DECISIONS,
  dispute: () => DISPUTE_DECISIONS,
  customer: () => CUSTOMER_DECISIONS,
};

const labelNames = ['kind', 'livemode'];
const provideWaiting = sampledGauges({
  reviews_waiting: { help: 'What waits for a person to decide, by kind.', labelNames },
  reviews_oldest_seconds: { help: 'Age of the oldest thing that waits for a person to decide, by kind.', labelNames },
});

/** All that waits for a person, over all accounts. */
@Injectable()
export class OpenReviews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reviews: Reviews,
    private readonly metrics: MetricReads,
  ) {
    provideWaiting(() => this.waiting());
  }

  /** Oldest first, above the uuid `after`. */
  async list(filters: ReviewFilters, after: string | null, take: number): Promise<OpenReview[]> {
    const rows: Row[] = await this.dataSource.query(SELECT_OPEN, [...valuesOf(filters), after ?? LOWEST_ID, take]);
    return rows.map((row) => this.judged(row));
  }

  /** By kind; one of which nothing waits counts 0. */
  async counts(filters: ReviewFilters): Promise<{ kind: ReviewKind; count: number }[]> {
    const rows: { kind: ReviewKind; count: number }[] = await this.dataSource.query(COUNT_OPEN, valuesOf(filters));
    return REVIEW_KINDS.map((kind) => ({ kind, count: rows.find((row) => row.kind === kind)?.count ?? 0 }));
  }

  /** Whether it waits or not. Throws `NotFound`. */
  async require({ accountId, livemode, id }: Key, resource: OpenReview['resource']): Promise<OpenReview> {
    const [row]: Row[] = await this.dataSource.query(SELECT_ONE, [accountId, livemode, id, resource]);
    return this.judged(found(row, 'review'));
  }

  private async waiting() {
    const rows = await this.metrics.rows<{ kind: ReviewKind; livemode: boolean; count: number; first: string }>(
      COUNT_WAITING,
    );
    const shown = (valueOf: (row: { count: number; first: string } | undefined) => number) =>
      REVIEW_KINDS.flatMap((kind) =>
        [true, false].map((livemode) => ({
          labels: { kind, livemode: String(livemode) },
          value: valueOf(rows.find((row) => row.kind === kind && row.livemode === livemode)),
        })),
      );
    return {
      reviews_waiting: shown((row) => row?.count ?? 0),
      reviews_oldest_seconds: shown((row) => (row ? (Date.now() - timeOf(row.first).getTime()) / 1_000 : 0)),
    };
  }

  private judged(row: Row): OpenReview {
    const amounts = [
      { amount: row.amount, currency: row.currency },
      { amount: row.received, currency: row.receivedCurrency },
    ].flatMap(({ amount, currency }) =>
      amount === null || currency === null ? [] : [{ amount: BigInt(amount), currency }],
    );
    return {
      ...row,
      outcomes: row.reason === null ? [] : OUTCOMES[row.kind](row),
      // Nobody is paid by knowing who somebody is.
      peopleNeeded: this.reviews.peopleNeeded(...amounts),
    };
  }
}

const valuesOf = ({ kind, account_id: account, livemode, older_than_hours: hours }: ReviewFilters): unknown[] => [
  kind ?? null,
  account === undefined ? null : found(decodeId('acct', account), 'account', '/account_id'),
  livemode ?? null,
  hours === undefined ? HIGHEST_ID : lowestIdAt(new Date(Date.now() - Number(hours) * HOUR_MS)),
];
