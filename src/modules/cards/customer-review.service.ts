import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { retryChanged } from '../../core/database/unit-of-work';
import { DomainError, FieldRefused } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../providers/reviews';
import type { Customer } from './customers/customer.entity';
import { CustomerVerificationRun } from './customers/customer-verification';
import { CustomersService } from './customers/customers.service';
import type { KycTier } from './kyc-tier';

export const CUSTOMER_DECISIONS = ['verified', 'rejected'] as const;
export type CustomerDecision = (typeof CUSTOMER_DECISIONS)[number];

/** Nothing here is personal: the provider's own page says whom it was asked about. */
interface CustomerInReview extends Key {
  readonly reason: string;
  readonly provider: string;
  /** What the provider knows the verification by. */
  readonly reference: string;
  /** Who decided so far, and what. */
  readonly decisions: readonly Decided[];
}

interface CustomerVerdict {
  readonly outcome: CustomerDecision;
  /** How far a verified one is proven; absent: as far as the kind of the document says. */
  readonly tier?: KycTier | undefined;
  /** Who decides. */
  readonly person: Reviewer;
  /** The evidence: what the provider said, and where. */
  readonly note: string;
  /** Written with the decision. */
  readonly writes?: Ballot['writes'];
}

/** Nobody is asked about the cardholder, or the provider may still answer. */
class NotInReview extends DomainError {
  constructor({ id, kycStatus }: Readonly<Customer>) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('cus', id)} is ${kycStatus} and not in review.`,
      resourceId: encodeId('cus', id),
    });
  }
}

const REJECTED = {
  code: 'rejected_in_review',
  message: 'The provider gave no answer; a person looked, and could not verify the cardholder.',
  recovery: 'caller_must_fix',
} as const;

/** Cardholders of whom no question finds out who they are: people decide, with evidence. */
@Injectable()
export class CustomerReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly customers: CustomersService,
    private readonly run: CustomerVerificationRun,
    private readonly reviews: Reviews,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<CustomerInReview[]> {
    return this.dataSource.query(
      `SELECT c.account_id AS "accountId", c.livemode, c.id, c.kyc_review AS reason, c.kyc_provider AS provider,
              c.kyc_reference AS reference, ${decisionsOf('c.account_id', 'c.id', 'c.kyc_reviews')} AS decisions
         FROM customers c WHERE c.kyc_review IS NOT NULL ORDER BY c.id LIMIT $1`,
      [limit],
    );
  }

  /** Settles by a person's evidence. Throws `NotFound`, `NotInReview`, `FieldRefused`. */
  async resolve(key: Key, verdict: CustomerVerdict): Promise<Customer> {
    if (verdict.outcome === 'rejected' && verdict.tier !== undefined)
      throw new FieldRefused('/tier', 'Only who is verified has a tier.');
    // Where somebody was faster nothing of the decision was written: what it is about may be settled, or another.
    return retryChanged(async () => {
      const customer = await this.customers.require(key, key.id);
      if (customer.kycReview === null) throw new NotInReview(customer);
      const { outcome: kycStatus, tier } = verdict;
      const { kycProviderReference, kycReviews: round } = customer;
      const kycFailure = kycStatus === 'verified' ? null : REJECTED;
      const settled = await this.reviews.decide({ ...key, resource: 'cus', round }, verdict, 1, (rows) =>
        this.run.end(customer, { kycStatus, kycProviderReference, kycFailure, tier }, rows),
      );
      return settled!;
    });
  }
}
