import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../core/clock/clock';
import { unnested, type Write } from '../../../core/database/bulk';
import { Extensions } from '../../../core/extension/extensions';
import type { Caller } from '../../../core/http/caller';
import { encodeId, newIdOf } from '../../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../../core/idempotency/claim';
import { likenessValue } from '../../../core/idempotency/claims';
import { Idempotency } from '../../../core/idempotency/idempotency';
import { WorkUnderWay } from '../../../core/process/work-under-way';
import { ChangedElsewhere } from '../../../core/database/unit-of-work';
import { Endings, type WaitForEnd } from '../../../core/resources/endings';
import { needsPerson, neverArrived } from '../../../providers/client';
import { AccountsService, freezeOf } from '../../accounts/accounts.service';
import { boughtOf } from '../../../core/money/bought';
import { isFrozen, type Posted, type Posting, PostingRefused } from '../../ledger/posting';
import {
  transactionChange,
  transactionEvent,
  type TransactionRecord,
  TransactionsService,
} from '../../transactions/transactions.service';
import { type Card, CARD_TRANSITIONS, type CardRecord, type CardStatus } from '../card.entity';
import type { Issued, IssueResult, IssuerRefused } from '../card-issuer';
import {
  callWrite,
  cardChange,
  cardEvent,
  type CardEventType,
  CardsService,
  type ChangedBy,
  checkAfter,
  DUE_NOW,
  EMPTY,
  transitionWrite,
} from '../cards.service';
import type { Customer } from '../customers/customer.entity';
import { CustomersService, mayHoldCards } from '../customers/customers.service';
import { IssuerClient } from '../issuers/issuer-client';
import { CardPostings } from '../money/card-postings';
import { CardOpening, type CardPreview, type IssuingCard, type NewCard } from './card-opening';

/** Of these cards, those about which the issuer has decided. */
const SELECT_DECIDED = {
  name: 'select_decided_cards',
  text: `SELECT c.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
      JOIN cards c USING (account_id, livemode, id)
    WHERE c.status <> 'pending'`,
};

/** Only an alarm: what the issuer says later still counts. */
const NO_ANSWER = 'no answer after all questions';

const NOT_VERIFIED: IssuerRefused = {
  outcome: 'refused',
  code: 'customer_not_verified',
  message: 'The cardholder was changed, and nobody vouches for who they are now.',
  recovery: 'account_must_act',
};

type IssueCall = 'issue' | 'find';

/** Who says what became of a card, and what is written with it: what the issuer answered, or the decision. */
interface Told {
  readonly by: Pick<ChangedBy, 'actor' | 'actorId'>;
  readonly rows: readonly Write[];
}

/** A pending card and its record as they will be. */
interface Ending {
  readonly card: Card;
  readonly transaction: TransactionRecord;
  readonly event: CardEventType;
}

/**
 * Carries a card from its hold to an end, or to the next question: the held money goes onto the card, or back, each in
 * one posting with its events.
 */
@Injectable()
export class CardRun implements BeforeApplicationShutdown {
  private readonly log = new Logger('cards');
  private readonly underWay = new WorkUnderWay();

  constructor(
    private readonly issuer: IssuerClient,
    private readonly customers: CustomersService,
    private readonly transactions: TransactionsService,
    private readonly postings: CardPostings,
    private readonly extensions: Extensions,
    private readonly clock: Clock,
  ) {}

  /** Asks the issuer for the card. Never throws: what a fault leaves undone is found by the sweeper. */
  run(issuing: IssuingCard): Promise<void> {
    return this.track(this.order(issuing), issuing.card);
  }

  /**
   * Asks the issuer of a pending card what became of it; one that it never heard of is ordered again, under the same
   * reference.
   */
  async ask(card: Card): Promise<void> {
    const transaction = await this.transactions.require(card, encodeId('txn', card.transactionId));
    const found = await this.issuer.find(card);
    if (found.outcome === 'not_known') return this.orderAgain({ card, transaction }, callWrite(card, 'find', found));
    return this.conclude({ card, transaction }, 'find', found);
  }

  /** Does what a person found out, with the rows of the decision. Throws `ChangedElsewhere`. */
  async decide(issuing: IssuingCard, result: Issued | IssuerRefused, told: Told): Promise<Card> {
    const ended = await (result.outcome === 'done'
      ? this.activate(issuing, result, told)
      : this.fail(issuing, result, told));
    if (ended === null) throw new ChangedElsewhere();
    return ended;
  }

  /** Does what follows from the issuer's answer. Somebody else may have done it meanwhile: then nothing. */
  async conclude(issuing: IssuingCard, call: IssueCall, result: IssueResult): Promise<void> {
    const { card } = issuing;
    const row = callWrite(card, call, result);
    const told: Told = { by: { actor: 'issuer', actorId: card.issuer }, rows: [row] };
    if (result.outcome === 'done') await this.activate(issuing, result, told);
    else if (result.outcome === 'refused') await this.fail(issuing, result, told);
    else await this.wait(issuing, row);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  private async order(issuing: IssuingCard): Promise<void> {
    const customer = await this.customers.require(issuing.card, issuing.card.customerId);
    // They may have become somebody else since the card was asked for, and the issuer has none of it yet.
    const result = mayHoldCards(customer) ? await this.send(issuing, customer) : NOT_VERIFIED;
    await this.conclude(issuing, 'issue', result);
  }

  private send({ card, transaction }: IssuingCard, customer: Customer): Promise<IssueResult> {
    const { amount } = boughtOf(transaction.details) ?? transaction;
    return this.issuer.issue(card, customer, amount);
  }

  /** The issuer does not know of it. That it is about to be asked is stored first. */
  private async orderAgain({ card, transaction }: IssuingCard, row: Write): Promise<void> {
    const customer = await this.customers.require(card, card.customerId);
    const now = await this.clock.now(card);
    const notKnown = card.notKnown + 1;
    // A person who decides must not be overtaken: nothing new is asked for then.
    if (card.review !== null) return this.wait({ card, transaction }, row, notKnown);
    if (mayHoldCards(customer)) {
      const asked = { ...card, version: card.version + 1, askedAt: now, notKnown: 0, updatedAt: new Date() };
      if (!(await this.postings.write([cardChange(asked, card), row]))) return;
      const issuing = { card: asked, transaction };
      return this.conclude(issuing, 'issue', await this.send(issuing, customer));
    }
    // Nothing is ordered for who may have none. What was may still be on its way, or not be found yet.
    const isLost = card.askedAt !== null && neverArrived(notKnown, card.askedAt, now);
    if (!isLost) return this.wait({ card, transaction }, row, notKnown);
    const told: Told = { by: { actor: 'issuer', actorId: card.issuer }, rows: [row] };
    await this.fail({ card, transaction }, NOT_VERIFIED, told);
  }

  private track(work: Promise<void>, { id }: Card): Promise<void> {
    return this.underWay.add(
      work.catch((error: unknown) =>
        this.log.error({ message: 'a card was left to the sweeper', card: id, err: error }),
      ),
    );
  }

  private async activate(
    { card: before, transaction: t }: IssuingCard,
    result: Issued,
    told: Told,
  ): Promise<Card | null> {
    const card = issued(before, result);
    const transaction = {
      ...t,
      status: 'successful',
      providerReference: result.issuerReference,
      nextCheckAt: null,
    } as const;
    const bought = boughtOf(t.details);
    const { amount, fee } = bought ?? t;
    const lines = await this.postings.linesFor(
      [
        ['card', card.id, amount],
        ['fees', card.currency, fee],
      ],
      card,
      bought && { paid: t, bought },
    );
    return this.end(
      { card: before, transaction: t },
      { card, transaction, event: 'card.issued' },
      // The issuer has made it: what is held already goes its way.
      { kind: 'capture', lines: lines.map((line) => ({ ...line, passesFreezes: true })), told },
    );
  }

  private fail({ card: before, transaction: t }: IssuingCard, result: IssuerRefused, told: Told): Promise<Card | null> {
    const { code, message, recovery } = result;
    // Looked at once more: the card's empty account is closed.
    const card: Card = {
      ...before,
      version: before.version + 1,
      status: 'failed',
      statusReason: code,
      checks: 0,
      review: null,
      nextCheckAt: DUE_NOW,
      updatedAt: new Date(),
    };
    const transaction = {
      ...t,
      status: 'failed',
      nextCheckAt: null,
      failure: { code, stage: 'provider', recovery, message },
    } as const;
    return this.end(
      { card: before, transaction: t },
      { card, transaction, event: 'card.issue_failed' },
      { kind: 'release', lines: [], told },
    );
  }

  /** Nobody can say: the hold stays, and it is asked again. After the last question a person is called, once. */
  private async wait({ card: before, transaction: t }: IssuingCard, call: Write, notKnown = 0): Promise<void> {
    const now = await this.clock.now(before);
    const nextCheckAt = checkAfter(now, before.checks);
    const checks = before.checks + 1;
    const isForPerson = needsPerson(checks) && before.review === null;
    const card = {
      ...before,
      version: before.version + 1,
      checks,
      notKnown,
      // A version before did not note when it asked.
      askedAt: before.askedAt ?? now,
      nextCheckAt,
      ...(isForPerson && { review: NO_ANSWER, reviews: before.reviews + 1 }),
      updatedAt: new Date(),
    };
    const transaction = {
      ...t,
      version: t.version + 1,
      nextCheckAt,
      ...(isForPerson && { needsReview: true }),
      updatedAt: new Date(),
    };
    const isStored = await this.postings.write([
      cardChange(card, before),
      ...transactionChange(transaction, t),
      call,
      ...(isForPerson ? reviewEvents(card, transaction) : []),
    ]);
    if (isStored && isForPerson)
      this.log.error({ message: 'a card needs a person', card: card.id, issuer: card.issuer, reason: NO_ANSWER });
  }

  /** Null: somebody else ended or changed it meanwhile, and nothing was written. */
  private async end(
    { card: before, transaction: t }: IssuingCard,
    ending: Ending,
    { kind, lines, told }: { kind: 'capture' | 'release'; lines: Posting['lines']; told: Told },
  ): Promise<Card | null> {
    const { card, event: type } = ending;
    assertTransition(before.status, card.status);
    const causes = this.extensions.causes();
    const { accountId, livemode, walletId, requestId, idempotencyKey } = card;
    const payment = { operation: 'card_issue', accountId, livemode, objectType: 'txn', objectId: t.id } as const;
    const writes = (posted: Posted): Write[] => {
      const { available } = posted.account(walletId);
      const balances = kind === 'release' ? { balanceBefore: available, balanceAfter: available } : {};
      const account = kind === 'capture' ? posted.account(card.id) : EMPTY;
      const origin = { requestId, idempotencyKey };
      const event = cardEvent(card, type, origin, {
        account,
        previous: before.status,
        transactionId: encodeId('txn', t.id),
      });
      const transaction = {
        ...ending.transaction,
        ...balances,
        needsReview: false,
        version: t.version + 1,
        updatedAt: posted.at,
        completedAt: posted.at,
      };
      return [
        cardChange(card, before),
        transitionWrite(card, before.status, { ...told.by, reason: card.statusReason }),
        ...transactionChange(transaction, t),
        ...told.rows,
        event,
        transactionEvent(transaction, { previous: t.status, origin }),
        ...this.extensions.afterPayment(event, payment, causes),
      ];
    };
    const hold = {
      kind,
      holdId: t.id,
      ledgerAccountId: walletId,
      amount: t.amount + t.fee,
      transactionId: t.id,
    } as const;
    const isStored = await this.postings.post(card, { currency: t.currency, lines, holds: [hold], writes });
    this.extensions.wake();
    return isStored ? card : null;
  }
}

/** A person is called: by the card, and by the record of its money. */
function reviewEvents(card: Card, transaction: TransactionRecord): Write[] {
  const { requestId, idempotencyKey, status } = card;
  const origin = { requestId, idempotencyKey };
  const transactionId = encodeId('txn', transaction.id);
  return [
    cardEvent(card, 'card.needs_review', origin, { account: EMPTY, previous: status, transactionId }),
    transactionEvent(transaction, { previous: transaction.status, origin, what: 'needs_review' }),
  ];
}

/** The first moment of the month after: months of Date count from 0. */
export const expiryOf = (year: number, month: number): Date => new Date(Date.UTC(year, month, 1));

/** A card that its issuer has made. */
function issued(card: Readonly<Card>, { issuerReference, last4, expMonth, expYear }: Issued): Card {
  const expiresAt = expYear === null || expMonth === null ? null : expiryOf(expYear, expMonth);
  return {
    ...card,
    version: card.version + 1,
    status: 'active',
    statusReason: null,
    issuerReference,
    last4,
    expMonth,
    expYear,
    expiresAt,
    checks: 0,
    notKnown: 0,
    review: null,
    nextCheckAt: expiresAt,
    updatedAt: new Date(),
  };
}

/** A step that the table does not have is a fault of ours: what callers ask for is checked before. */
function assertTransition(from: CardStatus, to: CardStatus): void {
  if (!CARD_TRANSITIONS[from].includes(to)) throw new Error(`a card cannot go from ${from} to ${to}`);
}

/** Issues cards: the money is held, the issuer asked, and then the money is on the card or back in the wallet. */
@Injectable()
export class CardIssuingService {
  private readonly waitForEnd: WaitForEnd;

  constructor(
    endings: Endings,
    private readonly accounts: AccountsService,
    private readonly idempotency: Idempotency,
    private readonly cards: CardsService,
    private readonly opening: CardOpening,
    private readonly runs: CardRun,
  ) {
    this.waitForEnd = endings.of(SELECT_DECIDED);
  }

  /**
   * Answers when the issuer has decided, whoever hears of it, or `waitMs` have passed, whichever is first; it goes on
   * after that. Throws what `CardOpening.open` throws, `PostingRefused` too where no money may arrive.
   */
  async issue(caller: Caller, order: NewCard, request: RequestClaim, waitMs: number): Promise<Made<CardRecord>> {
    // Who holds the card may be sent in full: what two requests have in common is then all of it.
    const like = (): string => likenessValue('card_issue', request.fingerprint.toString('base64'));
    const { reference } = order.said;
    const likeness = await this.accounts.likenessOf(caller, { key: request.key, reference, ...order }, like);
    const { accountId, livemode } = caller;
    const claim: Claim = {
      accountId,
      livemode,
      ...request,
      reference,
      resource: 'crd',
      resourceId: newIdOf(accountId),
      likeness,
    };
    const open = async () => {
      await this.requireTakesMoney(caller, order);
      return this.opening.open({ caller, order, request, likeness });
    };
    const opened = await this.idempotency.answer<IssuingCard | Replay>(claim, open, (replay) => replay);
    if ('resourceId' in opened)
      return { made: await this.cards.require(caller, opened.resourceId), replayedBy: opened.by };
    const { id } = opened.card;
    const isRunning = async () => (await this.cards.require(caller, id)).status === 'pending';
    await this.waitForEnd({ accountId, livemode, id, ms: waitMs, ours: this.runs.run(opened), isRunning });
    return { made: await this.cards.require(caller, id), replayedBy: null };
  }

  /** What `issue` would do now; writes nothing and asks no issuer. */
  async preview(caller: Caller, order: NewCard, request: RequestClaim): Promise<CardPreview> {
    await this.requireTakesMoney(caller, order);
    return this.opening.preview({ caller, order, request, likeness: null });
  }

  /** A card has its first load from the start: where an operator lets no money arrive there is none. */
  private async requireTakesMoney({ accountId }: Caller, { fundingWalletId }: NewCard): Promise<void> {
    const now = Date.now();
    const freeze = freezeOf(await this.accounts.require(accountId), now);
    if (freeze === null || !isFrozen([freeze], 'credit', now)) return;
    const refusal = { reason: 'credit_frozen', ledgerAccountId: fundingWalletId } as const;
    throw new PostingRefused(refusal, (id) => ({ id, param: '/funding_wallet_id' }));
  }
}
