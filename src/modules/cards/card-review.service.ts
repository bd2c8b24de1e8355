import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { retryChanged } from '../../core/database/unit-of-work';
import { DomainError, FieldRefused } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import { isReference } from '../../providers/answers';
import { type Ballot, type Decided, decisionsOf, type Reviewer, Reviews } from '../../providers/reviews';
import { TransactionsService } from '../transactions/transactions.service';
import type { Issued, IssuerRefused } from './card-issuer';
import type { Card } from './card.entity';
import { CardsService } from './cards.service';
import { CardRun, expiryOf } from './issuing/card-issuing.service';

/** Whether the issuer has made the card. */
export const CARD_DECISIONS = ['active', 'failed'] as const;
export type CardDecision = (typeof CARD_DECISIONS)[number];

/** A card that only a person can settle. Minor units, of the wallet that pays it. */
interface CardInReview extends Key {
  readonly reason: string;
  readonly amount: string;
  readonly currency: string;
  readonly issuer: string;
  /** What the issuer was given as its reference. */
  readonly reference: string;
  /** Who decided so far, and what. */
  readonly decisions: readonly Decided[];
}

/** A card that was made, as the page of its issuer shows it. */
export interface CardMade {
  readonly issuerReference?: string | undefined;
  readonly last4?: string | undefined;
  /** `11/2029`. */
  readonly expiry?: string | undefined;
}

interface CardVerdict extends CardMade {
  readonly outcome: CardDecision;
  /** Who decides. */
  readonly person: Reviewer;
  /** The evidence: what the issuer said, and where. */
  readonly note: string;
  /** Written with the decision. */
  readonly writes?: Ballot['writes'];
}

export interface CardResolution {
  /** False: a second person must decide the same. */
  readonly isSettled: boolean;
  readonly card: Card;
}

/** The card has ended, or its issuer may still answer. */
class NotInReview extends DomainError {
  constructor({ id, status }: Readonly<Card>) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('crd', id)} is ${status} and not in review.`,
      resourceId: encodeId('crd', id),
    });
  }
}

const NOT_ISSUED: IssuerRefused = {
  outcome: 'refused',
  code: 'resolved_by_review',
  message: 'Not issued, as a review found out.',
  recovery: 'retry_later',
};

const EXPIRY = /^(0[1-9]|1[0-2])\/(20\d\d)$/;

/** Cards about which their issuer never decides: people settle them, with evidence. */
@Injectable()
export class CardReviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cards: CardsService,
    private readonly transactions: TransactionsService,
    private readonly run: CardRun,
    private readonly reviews: Reviews,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  list(limit: number): Promise<CardInReview[]> {
    return this.dataSource.query(
      `SELECT c.account_id AS "accountId", c.livemode, c.id, c.review AS reason, t.amount, t.currency, c.issuer,
              c.id AS reference, ${decisionsOf('c.account_id', 'c.id', 'c.reviews')} AS decisions
         FROM cards c JOIN transactions t
           ON t.account_id = c.account_id AND t.livemode = c.livemode AND t.id = c.transaction_id
        WHERE c.review IS NOT NULL ORDER BY c.id LIMIT $1`,
      [limit],
    );
  }

  /**
   * Settles by a person's evidence; above `REVIEW_TWO_PEOPLE_ABOVE` when a second person decided the same, of the same
   * card of the issuer. Throws `NotFound`, `NotInReview`, `FieldRefused`, `SamePerson`, `PostingRefused`.
   */
  async resolve(key: Key, { issuerReference, last4, expiry, ...verdict }: CardVerdict): Promise<CardResolution> {
    // Where somebody was faster nothing of the decision was written: the issuer may have answered.
    return retryChanged(async () => {
      const card = await this.cards.require(key, key.id);
      if (card.review === null) throw new NotInReview(card);
      const result = await this.foundOut(card, verdict.outcome, { issuerReference, last4, expiry });
      const outcome = result.outcome === 'done' ? `active as ${last4} ${expiry} ${issuerReference}` : verdict.outcome;
      const transaction = await this.transactions.require(key, encodeId('txn', card.transactionId));
      const by = { actor: 'operator', actorId: verdict.person.email } as const;
      const settled = await this.reviews.decide(
        { ...key, resource: 'crd', round: card.reviews },
        { ...verdict, outcome },
        this.reviews.peopleNeeded(transaction),
        (rows) => this.run.decide({ card, transaction }, result, { by, rows }),
      );
      return { isSettled: settled !== null, card: settled ?? card };
    });
  }

  /** The answer that the issuer does not give. Throws `FieldRefused`. */
  private async foundOut(
    card: Card,
    outcome: CardDecision,
    { issuerReference, last4, expiry }: CardMade,
  ): Promise<Issued | IssuerRefused> {
    if (outcome === 'failed') {
      const isTold = [issuerReference, last4, expiry].some((told) => told !== undefined);
      if (isTold)
        throw new FieldRefused('/outcome', 'Only a card that is active has a reference, digits and an expiry.');
      return NOT_ISSUED;
    }
    if (!isReference(issuerReference))
      throw new FieldRefused('/issuer_reference', "An active card needs the issuer's own id of it.");
    if (last4 === undefined || !/^\d{4}$/.test(last4))
      throw new FieldRefused('/last4', 'An active card needs the last four digits of its number.');
    const [, month, year] = EXPIRY.exec(expiry ?? '') ?? [];
    const first = new Date(`${year}-${month}-01`);
    const [expMonth, expYear] = [first.getUTCMonth() + 1, first.getUTCFullYear()];
    if (month === undefined || expiryOf(expYear, expMonth) <= (await this.clock.now(card)))
      throw new FieldRefused('/expiry', 'An active card needs its last month, such as 11/2029, which is not over.');
    const { accountId, livemode, issuer } = card;
    if (await this.cards.isTaken({ accountId, livemode, issuer, issuerReference }))
      throw new FieldRefused('/issuer_reference', 'This is another card.');
    return { outcome: 'done', issuerReference, last4, expMonth, expYear };
  }
}
