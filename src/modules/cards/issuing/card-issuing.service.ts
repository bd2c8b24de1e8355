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
import { Endings, type WaitForEnd } from '../../../core/resources/endings';
import { CHECK_DELAYS_MS } from '../../../providers/client';
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
  checkAfter,
  DUE_NOW,
  EMPTY,
  transitionWrite,
} from '../cards.service';
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

/** So often without an answer, and somebody should look: only evidence ends a card that is pending, never time. */
const CHECKS_UNTIL_ALARM = CHECK_DELAYS_MS.length;

const NOT_VERIFIED: IssuerRefused = {
  outcome: 'refused',
  code: 'customer_not_verified',
  message: 'The cardholder was changed, and nobody vouches for who they are now.',
  recovery: 'account_must_act',
};

type IssueCall = 'issue' | 'find';

/** A pending card and its record as they will be. */
interface Ending {
  readonly card: Card;
  readonly transaction: TransactionRecord;
  readonly event: CardEventType;
  readonly call: Write;
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
    if (found.outcome !== 'not_known') return this.conclude({ card, transaction }, 'find', found);
    await this.postings.write([callWrite(card, 'find', found)]);
    return this.order({ card, transaction });
  }

  /** Does what follows from the issuer's answer. Somebody else may have done it meanwhile: then nothing. */
  async conclude(issuing: IssuingCard, call: IssueCall, result: IssueResult): Promise<void> {
    if (result.outcome === 'done') await this.activate(issuing, call, result);
    else if (result.outcome === 'refused') await this.fail(issuing, call, result);
    else await this.wait(issuing, callWrite(issuing.card, call, result));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  private async order(issuing: IssuingCard): Promise<void> {
    const customer = await this.customers.require(issuing.card, issuing.card.customerId);
    // They may have become somebody else since the card was asked for, and the issuer has none of it yet.
    const { amount } = boughtOf(issuing.transaction.details) ?? issuing.transaction;
    const result = mayHoldCards(customer) ? await this.issuer.issue(issuing.card, customer, amount) : NOT_VERIFIED;
    await this.conclude(issuing, 'issue', result);
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
    call: IssueCall,
    result: Issued,
  ): Promise<void> {
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
    await this.end(
      { card: before, transaction: t },
      { card, transaction, event: 'card.issued', call: callWrite(before, call, result) },
      // The issuer has made it: what is held already goes its way.
      { kind: 'capture', lines: lines.map((line) => ({ ...line, passesFreezes: true })) },
    );
  }

  private async fail(
    { card: before, transaction: t }: IssuingCard,
    call: IssueCall,
    result: IssuerRefused,
  ): Promise<void> {
    const { code, message, recovery } = result;
    // Looked at once more: the card's empty account is closed.
    const card: Card = {
      ...before,
      version: before.version + 1,
      status: 'failed',
      statusReason: code,
      checks: 0,
      nextCheckAt: DUE_NOW,
      updatedAt: new Date(),
    };
    const transaction = {
      ...t,
      status: 'failed',
      nextCheckAt: null,
      failure: { code, stage: 'provider', recovery, message },
    } as const;
    await this.end(
      { card: before, transaction: t },
      { card, transaction, event: 'card.issue_failed', call: callWrite(before, call, result) },
      { kind: 'release', lines: [] },
    );
  }

  /** Nobody can say: the hold stays, and the issuer is asked again. */
  private async wait({ card: before, transaction: t }: IssuingCard, call: Write): Promise<void> {
    const nextCheckAt = checkAfter(await this.clock.now(before), before.checks);
    const card = {
      ...before,
      version: before.version + 1,
      checks: before.checks + 1,
      nextCheckAt,
      updatedAt: new Date(),
    };
    if (card.checks === CHECKS_UNTIL_ALARM)
      this.log.error({ message: 'an issuer does not say what became of a card', card: card.id, issuer: card.issuer });
    await this.postings.write([
      cardChange(card, before),
      ...transactionChange({ ...t, version: t.version + 1, nextCheckAt, updatedAt: new Date() }, t),
      call,
    ]);
  }

  private async end(
    { card: before, transaction: t }: IssuingCard,
    ending: Ending,
    { kind, lines }: { kind: 'capture' | 'release'; lines: Posting['lines'] },
  ): Promise<void> {
    const { card, event: type, call } = ending;
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
        version: t.version + 1,
        updatedAt: posted.at,
        completedAt: posted.at,
      };
      return [
        cardChange(card, before),
        transitionWrite(card, before.status, { actor: 'issuer', actorId: card.issuer, reason: card.statusReason }),
        ...transactionChange(transaction, t),
        call,
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
    await this.postings.post(card, { currency: t.currency, lines, holds: [hold], writes });
    this.extensions.wake();
  }
}

/** A card that its issuer has made. */
function issued(card: Readonly<Card>, { issuerReference, last4, expMonth, expYear }: Issued): Card {
  // The first moment of the month after: months of Date count from 0.
  const expiresAt = expYear === null || expMonth === null ? null : new Date(Date.UTC(expYear, expMonth, 1));
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
