import { ApiProperty } from '@nestjs/swagger';
import { Flag as QueryFlag, PageQuery } from '../../../../core/http/query-fields';
import { OneOf, PublicId } from '../../../../core/http/fields';
import { encodeId, timeOf } from '../../../../core/http/ids';
import { type Currency, displayMoney, toJsonNumber } from '../../../../core/money/money';
import type { KeptExchange } from '../../../../providers/journal';
import type { IdPrefix } from '../../../../vocabulary/id-prefixes';
import type { RefundDue } from '../../../payments/payment-review.service';
import type { ReturnDue } from '../../../virtual-accounts/deposit-review.service';

export const REVIEW_KINDS = ['purchase', 'payment', 'refund', 'deposit', 'card', 'dispute', 'customer'] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

const REVIEW_AGES = ['1', '24', '72', '168'] as const;

export interface ReviewFilters {
  readonly kind?: ReviewKind;
  readonly account_id?: string;
  readonly livemode?: boolean;
  readonly older_than_hours?: string;
}

export class ReviewsQuery extends PageQuery implements ReviewFilters {
  @OneOf(REVIEW_KINDS, { optional: true })
  kind?: ReviewKind;

  @PublicId('acct', { optional: true })
  account_id?: string;

  @QueryFlag({ optional: true })
  livemode?: boolean;

  /** Waits for at least so many hours. */
  @OneOf(REVIEW_AGES, { optional: true })
  older_than_hours?: string;
}

/** Whose the thing is that is reviewed. */
export class ReviewOwnerQuery {
  @PublicId('acct')
  account_id: string;

  @QueryFlag()
  livemode: boolean;
}

/** As a row is read. Minor units. */
export interface OpenReview {
  readonly kind: ReviewKind;
  readonly resource: Extract<IdPrefix, 'txn' | 'pay' | 'rfd' | 'dep' | 'crd' | 'dsp' | 'cus'>;
  readonly about: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly livemode: boolean;
  readonly id: string;
  /** Null: nobody waits for a decision any more. */
  readonly reason: string | null;
  readonly status: string;
  readonly amount: string | null;
  readonly currency: Currency | null;
  readonly received: string | null;
  readonly receivedCurrency: string | null;
  readonly party: string | null;
  readonly partyReference: string | null;
  readonly recipient: string | null;
  readonly related: string | null;
  readonly decisions: readonly {
    readonly id: string;
    readonly userId: string;
    readonly person: string;
    readonly outcome: string;
    readonly note: string;
  }[];
  /** What may be decided in its state. */
  readonly outcomes: readonly string[];
  readonly peopleNeeded: 1 | 2;
}

/** What somebody decided, with the evidence. */
export class ReviewVoteDto {
  person: string;
  /** Whoever asks. */
  mine: boolean;
  /** With the wallet, where it names one: `accept_received into wal_…`. */
  outcome: string;
  note: string;
  at: Date;
}

/** Something that waits for a person. Minor units. */
export class OpenReviewDto {
  @ApiProperty({ enum: REVIEW_KINDS })
  kind: ReviewKind;
  id: string;
  /** The type of a transaction, the reason of a dispute. */
  about: string;
  account_id: string;
  account_name: string;
  livemode: boolean;
  /** Null: nobody waits for a decision any more. */
  reason: string | null;
  status: string;
  amount: number | null;
  currency: string | null;
  /** What came, where that is known and another thing. */
  amount_received: number | null;
  currency_received: string | null;
  /** Provider, gateway or issuer. */
  party: string | null;
  party_reference: string | null;
  recipient: string | null;
  outcomes: string[];
  people_needed: number;
  decisions: ReviewVoteDto[];
  created_at: Date;

  static of(this: void, review: OpenReview, userId: string): OpenReviewDto {
    const { resource, id, accountId, decisions, amount, received } = review;
    return {
      kind: review.kind,
      id: encodeId(resource, id),
      about: review.about,
      account_id: encodeId('acct', accountId),
      account_name: review.accountName,
      livemode: review.livemode,
      reason: review.reason,
      status: review.status,
      amount: minor(amount),
      currency: review.currency,
      amount_received: minor(received),
      currency_received: review.receivedCurrency,
      party: review.party,
      party_reference: review.partyReference,
      recipient: review.recipient,
      outcomes: [...review.outcomes],
      people_needed: review.peopleNeeded,
      decisions: decisions.map(({ id: verdictId, userId: by, person, outcome, note }) => ({
        person,
        mine: by === userId,
        outcome,
        note,
        at: timeOf(verdictId),
      })),
      created_at: timeOf(id),
    };
  }
}

const minor = (amount: string | null): number | null => (amount === null ? null : toJsonNumber(BigInt(amount)));

export class ReviewCountDto {
  @ApiProperty({ enum: REVIEW_KINDS })
  kind: ReviewKind;
  count: number;
}

export class OpenReviewsDto {
  data: OpenReviewDto[];
  next_cursor: string | null;
  /** Of all pages. */
  total: number;
  counts: ReviewCountDto[];
}

/** A step of what happened. */
export class ReviewStepDto {
  at: Date;
  kind: string;
  data: Record<string, unknown>;
}

/** What was said to a company, and what it answered: without keys, tokens and PINs. */
export class ReviewExchangeDto {
  at: Date;
  company: string;
  call: string | null;
  method: string;
  path: string;
  status: number | null;
  fault: string | null;
  duration_ms: number;
  request: string | null;
  answer: string | null;

  static of(this: void, exchange: KeptExchange): ReviewExchangeDto {
    const { at, company, call, method, path, status, fault, durationMs, request, answer } = exchange;
    return { at, company, call, method, path, status, fault, duration_ms: durationMs, request, answer };
  }
}

/** A line of a statement that does not agree with the books. Minor units. */
export class ReviewStatementLineDto {
  provider: string;
  kind: string;
  reference: string;
  ours: number;
  theirs: number;
  currency: string;
  found_at: Date;
  /** Why they differ; null: nobody explained it. */
  explanation: string | null;
}

/** A review with all that is known of it. */
export class ReviewEvidenceDto {
  review: OpenReviewDto;
  timeline: ReviewStepDto[];
  exchanges: ReviewExchangeDto[];
  statement_lines: ReviewStatementLineDto[];
}

/** What is to go back to a payer. */
export class ReturnDueDto {
  account_id: string;
  livemode: boolean;
  @ApiProperty({ enum: ['payment', 'deposit'] })
  kind: 'payment' | 'deposit';
  id: string;
  amount: number;
  currency: string;
  amount_display: string;
  /** The gateway, or the provider of the account number. */
  provider: string;
  /** By what the provider knows it. */
  provider_reference: string | null;

  static ofPayment(this: void, { gateway, gatewayReference, ...due }: RefundDue): ReturnDueDto {
    return shown('payment', encodeId('pay', due.id), { ...due, provider: gateway, reference: gatewayReference });
  }

  static ofDeposit(this: void, { providerReference, ...due }: ReturnDue): ReturnDueDto {
    return shown('deposit', encodeId('dep', due.id), { ...due, reference: providerReference });
  }
}

interface Due {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly amount: string;
  readonly currency: string;
  readonly provider: string;
  readonly reference: string | null;
}

const shown = (kind: ReturnDueDto['kind'], id: string, due: Due): ReturnDueDto => ({
  account_id: encodeId('acct', due.accountId),
  livemode: due.livemode,
  kind,
  id,
  amount: toJsonNumber(BigInt(due.amount)),
  currency: due.currency,
  amount_display: displayMoney({ amount: BigInt(due.amount), currency: due.currency as Currency }),
  provider: due.provider,
  provider_reference: due.reference,
});

export class ReturnsDueDto {
  data: ReturnDueDto[];
}
