import { Injectable } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import { isRowChanged, type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { DomainError } from '../../../core/errors/domain-error';
import { Extensions, FREE, type Pass } from '../../../core/extension/extensions';
import { encodeId, newIdOf } from '../../../core/http/ids';
import type { Claim } from '../../../core/idempotency/claim';
import { type Currency, toJsonNumber } from '../../../core/money/money';
import type { EventOrigin } from '../../../core/outbox/outbox';
import type { Viewer } from '../../../core/resources/resources';
import { type Cost, totalOf } from '../../../core/money/bought';
import { type Exchange, ExchangeService, exchangeWrites } from '../../conversions/exchange.service';
import { LedgerAccountsService, type PlatformAccountName } from '../../ledger/accounts.service';
import { LedgerService } from '../../ledger/ledger.service';
import { type Line, type Posted, type Posting, PostingRefused, type Replayed } from '../../ledger/posting';
import {
  finalTransaction,
  openTransactionWrite,
  transactionEvent,
  type TransactionRecord,
} from '../../transactions/transactions.service';
import { creditedEvent, lowBalanceEvents, WalletsService } from '../../wallets/wallets.service';
import { cardEvent, type CardEventType, type CardBalance, CardNotActive, debtPaid, EMPTY } from '../cards.service';
import type { CardTransaction } from '../card-transaction.entity';
import {
  cardTransactionEvent,
  cardTransactionWrite,
  type Cause,
  claimOf,
  originOf,
} from '../card-transactions.service';
import type { Card, CardRecord, CardStatus } from '../card.entity';

/** The other side of a movement: a card by its id, or a platform account by its currency; minor units. */
export type Part = readonly ['card', string, bigint] | readonly [PlatformAccountName, Currency, bigint];

/** The ledger account of what an account owes for its cards. */
export const debtsOf = (accountId: string) => `card_debts:${accountId}` as const;

/** What of an amount that comes to a card pays its debt. Minor units. */
export const debtPaidBy = (amount: bigint, { debt }: Pick<Card, 'debt'>): bigint => (amount < debt ? amount : debt);

/** Money or state moved since the card was read: it has to be looked at anew. */
export const isOvertaken = (error: unknown): boolean =>
  isRowChanged(error) || (error instanceof DomainError && error.details.code === 'insufficient_funds');

const falseWhenChanged = (error: unknown): false => {
  if (isRowChanged(error)) return false;
  throw error;
};

/** Money between a card and a wallet of its owner. Minor units; a fee is paid by whoever pays the amount. */
export interface CardMovement {
  readonly card: Readonly<Card>;
  readonly type: 'card_funding' | 'card_withdrawal';
  readonly walletId: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly breakdown: readonly object[];
  /** Of a load from a wallet that is in another currency. */
  readonly exchange?: Exchange | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** What announces it: the movement is part of something else, or all of it. */
  readonly event: CardEventType;
  readonly origin: EventOrigin;
  /** What the card was, where the movement is part of its end. */
  readonly previous?: CardStatus | undefined;
  /** Public id of the card transaction that nobody else could pay. */
  readonly cardTransactionId?: string;
  /** What counts it against a limit of the cardholder. */
  readonly counted?: readonly Write[];
}

/** All of a card's money, on its way back. */
interface Withdrawal extends Pick<CardMovement, 'origin' | 'previous'> {
  /** Wallet uuid. */
  readonly to: string;
  readonly event?: CardEventType;
}

/** The id by which gates know a movement, and their leave. */
interface Asked {
  readonly id: string | null;
  readonly pass: Pass;
}

/** Of a movement that no gate is asked about. */
const UNASKED: Asked = { id: null, pass: FREE };

/**
 * In which states money may go onto a card, and come back from it. What an expired one still has can be had back. What
 * a card owes can be paid whatever became of it.
 */
const MOVABLE: Readonly<Record<CardMovement['type'], readonly CardStatus[]>> = {
  card_funding: ['active'],
  card_withdrawal: ['active', 'frozen', 'expired'],
};

const VERBS: Readonly<Record<CardMovement['type'], string>> = {
  card_funding: 'loaded',
  card_withdrawal: 'withdrawn from',
};

/** Throws `CardNotActive`. */
export function assertMovable(card: Readonly<Card>, { type, amount }: Pick<CardMovement, 'type' | 'amount'>): void {
  if (MOVABLE[type].includes(card.status)) return;
  if (type === 'card_withdrawal' || card.debt === 0n) throw new CardNotActive(card, VERBS[type]);
  // It is frozen for its debt: once that is paid, the owner has it back.
  if (card.status !== 'frozen' && amount > card.debt)
    throw new CardNotActive(card, `${VERBS[type]} with more than the ${card.debt} that it owes`);
}

/** A movement on its way into the books, final at once: its lines, its record and its events. */
export class CardMoveDraft {
  readonly id: string;
  readonly pass: Pass;

  constructor(
    readonly movement: CardMovement,
    { id, pass }: Asked,
  ) {
    this.id = id ?? newIdOf(movement.card.accountId);
    this.pass = pass;
  }

  /** What the card pays of its debt with a load, in minor units. */
  get debtPaid(): bigint {
    const { type, amount, card, cardTransactionId } = this.movement;
    return type === 'card_funding' && cardTransactionId === undefined ? debtPaidBy(amount, card) : 0n;
  }

  /** What the wallet pays, in its own currency, or gets. */
  get paid(): Cost {
    const { card, amount, fee, exchange } = this.movement;
    return exchange?.paid ?? { currency: card.currency, amount, fee, commission: 0n };
  }

  /** The wallet's own line, and what stands against it. */
  get lines(): { readonly own: Line; readonly others: readonly Part[] } {
    const {
      card: { id: cardId, currency, accountId },
      type,
      walletId,
      amount,
      fee,
    } = this.movement;
    const isFunding = type === 'card_funding';
    const own = {
      ledgerAccountId: walletId,
      bucket: 'available',
      amount: isFunding ? -totalOf(this.paid) : amount,
      transactionId: this.id,
      ...(isFunding ? {} : ({ passesFreezes: true } as const)),
    } as const;
    return {
      own,
      others: [
        ['card', cardId, isFunding ? amount : -amount - fee],
        ['card', cardId, -this.debtPaid],
        [debtsOf(accountId), currency, this.debtPaid],
        ['fees', currency, fee],
      ],
    };
  }

  /** The event of the movement, and all of its rows with it. */
  rows(posted: Posted): { readonly event: Write; readonly writes: readonly Write[] } {
    const { card, walletId, type, exchange, event: name, origin, previous = card.status } = this.movement;
    const transaction = this.record(posted);
    const paid = this.debtPaid;
    const after = { ...card, debt: card.debt - paid, version: card.version + (paid > 0n ? 1 : 0) };
    const event = cardEvent(after, name, origin, {
      account: posted.account(card.id),
      previous,
      transactionId: encodeId('txn', this.id),
    });
    const announced =
      type === 'card_funding'
        ? lowBalanceEvents(posted, origin)
        : [
            creditedEvent(
              posted.account(walletId),
              { transactionId: this.id, amount: transaction.amount, reference: transaction.reference },
              origin,
            ),
          ];
    return {
      event,
      writes: [
        openTransactionWrite(transaction),
        ...exchangeWrites(exchange, this.id),
        event,
        transactionEvent(transaction, { previous: null, origin }),
        ...announced,
      ],
    };
  }

  /** The record of the movement, as the posting leaves the wallet. */
  record(posted: Posted): TransactionRecord {
    const { card, type, walletId, breakdown, exchange, reference, metadata, cardTransactionId } = this.movement;
    const { available } = posted.account(walletId);
    const { accountId, livemode, id: sourceId } = card;
    const { currency, amount, fee } = this.paid;
    const isFunding = type === 'card_funding';
    const final = finalTransaction({
      accountId,
      livemode,
      id: this.id,
      walletId,
      type,
      direction: isFunding ? 'debit' : 'credit',
      amount,
      fee,
      currency,
      sourceId,
      reference,
      metadata: { ...metadata },
      balanceBefore: isFunding ? available + amount + fee : available - amount,
      balanceAfter: available,
      at: posted.at,
    });
    const details = {
      ...(exchange?.details ?? { breakdown }),
      ...(this.debtPaid > 0n && { debt_paid: toJsonNumber(this.debtPaid) }),
      ...(cardTransactionId !== undefined && { card_transaction_id: cardTransactionId }),
    };
    return { ...final, recipient: encodeId('crd', sourceId), details };
  }
}

/** Moves the money of cards. */
@Injectable()
export class CardPostings {
  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly exchange: ExchangeService,
    private readonly wallets: WalletsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly extensions: Extensions,
  ) {}

  draft(movement: CardMovement, asked: Asked = UNASKED): CardMoveDraft {
    return new CardMoveDraft(movement, asked);
  }

  /**
   * Throws `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`, and, when the card is
   * no longer in the state in which it was read, an error of which `isRowChanged` is true. `more`: rows that go with
   * it, in the place of the one that holds the state.
   */
  async carryOut(
    draft: CardMoveDraft,
    claim: Claim | null,
    more?: (posted: Posted) => Write[],
  ): Promise<Posted | Replayed> {
    const { card, type } = draft.movement;
    const { accountId, livemode } = card;
    const causes = this.extensions.causes();
    const payment = { operation: type, accountId, livemode, objectType: 'txn', objectId: draft.id } as const;
    const writes = (posted: Posted): Write[] => {
      const { event, writes: rows } = draft.rows(posted);
      return [
        ...(more?.(posted) ?? [debtPaid(card, draft.debtPaid, { told: true })]),
        ...rows,
        ...(draft.movement.counted ?? []),
        ...draft.pass.writes,
        ...this.extensions.afterPayment(event, payment, causes),
      ];
    };
    const outcome = await this.ledger.require(
      { ...(await this.posting(draft)), claim, writes },
      describe(draft.movement),
    );
    this.extensions.wake();
    return outcome;
  }

  /** The caller's wallet of that id. Throws `NotFound`. */
  async requireWallet(owner: Viewer, id: string | null): Promise<string> {
    return (await this.wallets.require(owner, id, '/wallet_id')).id;
  }

  /**
   * The wallet to which the money of a card goes back: the one that paid it or, where that is closed or in another
   * currency, the oldest in that of the card; null: there is none.
   */
  async receiverOf(card: Readonly<Card>): Promise<string | null> {
    const wallet = await this.wallets.findAny(card.walletId);
    const takes = wallet?.currency === card.currency && wallet.status !== 'closed';
    return takes ? wallet.id : this.wallets.findOldest(card, card.currency);
  }

  /** Takes back all that can be spent, without a fee. Throws what `carryOut` throws. */
  withdrawAll(
    { available, ...card }: Readonly<Card> & Pick<CardRecord, 'available'>,
    { to, event = 'card.withdrawn', origin, previous }: Withdrawal,
    claim: Claim | null = null,
    more?: () => Write[],
  ): Promise<Posted | Replayed> {
    const movement = {
      card,
      type: 'card_withdrawal',
      walletId: to,
      amount: available,
      event,
      origin,
      previous,
    } as const;
    const draft = this.draft({ ...movement, fee: 0n, breakdown: [], reference: null, metadata: {} });
    return this.carryOut(draft, claim, more);
  }

  /**
   * Takes a fee of the issuer from the card, with the account's record of it under the uuid of the card transaction.
   * Throws `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async charge(fee: CardTransaction, cause: Cause): Promise<Posted | Replayed> {
    const { accountId, livemode, id, cardId, amount, currency } = fee;
    const posting = {
      id,
      accountId,
      livemode,
      currency,
      claim: claimOf(fee, cause),
      lines: [
        { ledgerAccountId: cardId, bucket: 'available', amount: -amount, transactionId: id } as const,
        ...(await this.lines([['fees', currency, amount]], fee)),
      ],
      writes: (posted: Posted): Write[] => {
        const [record, origin] = [this.recordOf(fee, posted), originOf(cause)];
        return [
          cardTransactionWrite(fee),
          openTransactionWrite(record),
          cardTransactionEvent(fee, 'settled', origin),
          transactionEvent(record, { previous: null, origin }),
        ];
      },
    };
    return this.ledger.require(posting, (refused) => ({ id: encodeId('crd', refused), param: '/amount' }));
  }

  /** What `carryOut` would do now; writes nothing. */
  async preview(draft: CardMoveDraft): Promise<Posted> {
    return this.ledger.preview(
      { ...(await this.posting(draft)), claim: null, writes: (posted) => [...draft.rows(posted).writes] },
      describe(draft.movement),
    );
  }

  /** False: somebody else ended the hold or changed the card, and nothing was written. Throws `PostingRefused`. */
  async post(
    card: Readonly<Card>,
    posting: Pick<Posting, 'currency' | 'lines' | 'holds' | 'writes'>,
  ): Promise<boolean> {
    const { accountId, livemode } = card;
    const order = { id: newIdOf(accountId), accountId, livemode, claim: null, ...posting };
    const outcome = await this.ledger.post(order).catch(falseWhenChanged);
    if (outcome === false) return false;
    if (outcome.status === 'refused' && !('holdId' in outcome.refusal))
      throw new PostingRefused(outcome.refusal, describe({ card }));
    return outcome.status === 'posted';
  }

  /** Rows without money. False: the card was changed by somebody else meanwhile, and nothing was written. */
  write(writes: readonly Write[]): Promise<boolean> {
    return this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes)).then(() => true, falseWhenChanged);
  }

  /**
   * What a card has, which stays so until the transaction ends: whoever changes it and tells of that asks for this
   * first, as postings lock in this order.
   */
  async lock(tx: Tx, { id }: Pick<Card, 'id'>): Promise<CardBalance> {
    return (await this.accounts.lock(tx, id)) ?? EMPTY;
  }

  /** Closes the ledger account of a card that ended. False: there is money in it after all. */
  async close(tx: Tx, card: Pick<Card, 'id'>): Promise<boolean> {
    const account = await this.accounts.lock(tx, card.id);
    if (account === null || account.available + account.held > 0n) return false;
    await this.accounts.setStatus(tx, account, 'closed');
    return true;
  }

  /**
   * Lines of cards and of the platform; empty ones are left out. They belong to no transaction: the records are those
   * of the wallet.
   */
  async lines(parts: readonly Part[], owner: Pick<Card, 'accountId' | 'livemode'>): Promise<Line[]> {
    const lines = parts
      .filter(([, , amount]) => amount !== 0n)
      .map(async ([name, idOrCurrency, amount]): Promise<Line> => ({
        ledgerAccountId:
          name === 'card' ? idOrCurrency : await this.accounts.platform(name, idOrCurrency as Currency, owner),
        bucket: 'available',
        amount,
        transactionId: null,
      }));
    return Promise.all(lines);
  }

  /** The same, of what is bought with what a wallet in another currency pays. */
  async linesFor(
    parts: readonly Part[],
    card: Readonly<Card>,
    exchange: Pick<Exchange, 'paid' | 'bought'> | null,
  ): Promise<Line[]> {
    const lines = await this.lines(parts, card);
    if (exchange === null) return lines;
    const { currency } = card;
    const exchanged = await this.exchange.lines(card, exchange.paid, exchange.bought, 1n);
    return [...exchanged, ...lines.map((line) => ({ ...line, currency }))];
  }

  private async posting(draft: CardMoveDraft): Promise<Omit<Posting, 'claim' | 'writes'>> {
    const { card, exchange = null } = draft.movement;
    const { own, others } = draft.lines;
    const lines = [own, ...(await this.linesFor(others, card, exchange))];
    const { accountId, livemode } = card;
    return { id: draft.id, accountId, livemode, currency: draft.paid.currency, lines };
  }

  private recordOf(fee: CardTransaction, posted: Posted): TransactionRecord {
    const { accountId, livemode, id, cardId, amount, currency } = fee;
    const { available } = posted.account(cardId);
    const record = finalTransaction({
      accountId,
      livemode,
      id,
      walletId: cardId,
      sourceId: cardId,
      type: 'card_fee',
      direction: 'debit',
      amount,
      currency,
      balanceBefore: available + amount,
      balanceAfter: available,
      at: posted.at,
    });
    return { ...record, details: { card_transaction_id: encodeId('ctx', id) } };
  }
}

const describe =
  ({ card }: Pick<CardMovement, 'card'>) =>
  (id: string) =>
    id === card.id ? { id: encodeId('crd', id), param: null } : { id: encodeId('wal', id), param: '/wallet_id' };
