import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { Clock, Rewinds, Wakers } from '../../core/clock/clock';
import { constraintOf, isRowChanged, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Made } from '../../core/idempotency/claim';
import { AMOUNT_MAX, toJsonNumber } from '../../core/money/money';
import { forEach } from '../../core/process/work-under-way';
import { Recurring } from '../../core/queue/recurring-jobs';
import { selectDue } from '../../providers/requeries';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import { type HoldStep, type Line, type Making, type Posted, PostingRefused, type Written } from '../ledger/posting';
import {
  type CardTransaction,
  heldOf,
  type Merchant,
  NOTHING_TOLD,
  type StepKind,
  stepOf,
  type Told,
  toldOf,
} from './card-transaction.entity';
import {
  type CardTransactionChange,
  cardTransactionChange,
  cardTransactionEvent,
  CardTransactionsService,
  cardTransactionWrite,
  type Cause,
  claimOf,
  ISSUER_KEY,
  newCardTransaction,
  originOf,
  stepWrite,
} from './card-transactions.service';
import type { Card } from './card.entity';
import { CardNotActive, debtPaid } from './cards.service';
import { CardOverdraft } from './money/card-overdraft';
import { debtPaidBy, debtsOf } from './money/card-postings';

/** In the words of a refusal. */
const DONE: Readonly<Record<StepKind, string>> = {
  clearing: 'cleared',
  void: 'voided',
  expiry: 'expired',
  refund: 'refunded',
};

/** Nothing of the card transaction is left for that. */
class InvalidCardTransactionTransition extends DomainError {
  constructor({ id, status, type }: CardTransaction, kind: StepKind) {
    const was = type === 'authorization' ? status : `${status} (${type})`;
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail: `${encodeId('ctx', id)} is ${was} with nothing left to be ${DONE[kind]}.`,
      recovery: 'none',
      resourceId: encodeId('ctx', id),
    });
  }
}

/** Less is left for that than is asked for. */
class CardAmountExceeded extends DomainError {
  constructor({ id }: CardTransaction, kind: StepKind, { left, amount }: { left: bigint; amount: bigint }) {
    super({
      code: 'card_amount_exceeded',
      kind: 'conflict',
      title: 'More than is left',
      detail: `Of ${encodeId('ctx', id)} ${left} is left to be ${DONE[kind]}; this asks for ${amount}.`,
      param: '/amount',
      resourceId: encodeId('ctx', id),
    });
  }
}

/** Others may take a step at the same time: each of them leaves less to do. */
const ROUNDS_MAX = 25;

/** Time for the refund to arrive first. */
const SOON_MS = 10_000;

const EXPIRE_EVERY_MS = 10_000;
const EXPIRE_CHUNK = 500;
const EXPIRE_PARALLEL = 16;

/** Time is the cause; that an authorization lapses once is seen to by its state. */
export const NO_CAUSE: Cause = { key: null, fingerprint: Buffer.alloc(32), message: null, requestId: null };

const HOLD_STEP: Readonly<Record<StepKind, HoldStep['kind'] | null>> = {
  clearing: 'capture',
  void: 'release',
  expiry: 'release',
  refund: null,
};
const EVENT: Readonly<Record<StepKind, CardTransactionChange>> = {
  clearing: 'settled',
  void: 'voided',
  expiry: 'expired',
  refund: 'refunded',
};

/** Authorizations that lapsed. */
const SELECT_LAPSED = selectDue('card_transactions');

/** Has a card that ended looked at: account, mode, card, time of the account's clock. */
const LOOK_AT_CARD = `
  UPDATE cards SET next_check_at = $4
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND status IN ('terminated', 'failed')`;

export interface Step {
  readonly kind: StepKind;
  /** Minor units; null: all that is left for it. */
  readonly amount: bigint | null;
  /** What the issuer says of it beside that. */
  readonly told?: Partial<Told> | undefined;
}

/** A merchant takes what it was never promised, or sends what nobody knows to have been paid. */
export interface Unasked {
  readonly kind: 'clearing' | 'refund';
  /** Minor units of the card's currency. */
  readonly amount: bigint;
  readonly merchant: Merchant | null;
  /** Of a clearing: the issuer's own id of the authorization that it never told of; later messages name this by it. */
  readonly issuerReference: string | null;
  readonly told?: Partial<Told> | undefined;
}

/** A step on its way into the ledger. */
interface Settling {
  /** Null: nothing was asked for before. */
  readonly before: Readonly<CardTransaction> | null;
  /** But for what the card lacks, and who pays that: the ledger decides. */
  readonly after: Readonly<CardTransaction>;
  readonly kind: StepKind;
  /** Minor units that move. */
  readonly amount: bigint;
  /** Of them, what is not held. */
  readonly over: bigint;
  readonly told: Partial<Told> | undefined;
  /** Null: only what is held moves, so what the card has or owes does not matter. */
  readonly card: Card | null;
  /** Name of the card's issuer. */
  readonly issuer: string;
  /** Uuid of the card transaction that a refund makes, or is where nothing was asked for. */
  readonly refundId: string;
  /** The account's present. */
  readonly now: Date;
}

/** Takes, releases and returns the money of authorizations, and gives it back when nobody cleared them in time. */
@Injectable()
export class ClearingsService implements OnModuleInit {
  private readonly log = new Logger('cards');

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly transactions: CardTransactionsService,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({
      table: 'card_transactions',
      columns: ['next_check_at', 'expires_at'],
      where: 'next_check_at IS NOT NULL',
    });
    this.wakers.include((accountId) => this.expire(accountId));
  }

  /**
   * One step of `amount`; null: of all that is left for it. A clearing may be of more. Throws `NotFound`,
   * `InvalidCardTransactionTransition`, `CardAmountExceeded`, `CardNotActive`, `PostingRefused`,
   * `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  step(key: Key, step: Step, cause: Cause): Promise<Made<CardTransaction>> {
    return this.transactions.answer(key, cause, () => this.settle(() => this.next(key, step), cause));
  }

  /**
   * Settles what was never authorized, or never paid: a card transaction of its own. Null: by now there is one of this
   * reference. Throws `NotFound`, `CardNotActive`, `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`,
   * `LedgerUnavailable`.
   */
  async settleUnasked(card: Key, unasked: Unasked, cause: Cause): Promise<Made<CardTransaction> | null> {
    try {
      return await this.transactions.answer(card, cause, () =>
        this.settle(() => this.unasked(card, unasked, cause), cause),
      );
    } catch (error) {
      if (constraintOf(error) === ISSUER_KEY) return null;
      throw error;
    }
  }

  @Recurring({ name: 'card_authorizations.expire', everyMs: EXPIRE_EVERY_MS })
  sweep(): Promise<void> {
    return this.expire(null);
  }

  private async settle(prepare: () => Promise<Settling>, cause: Cause): Promise<Made<CardTransaction>> {
    for (let round = 1; ; round++) {
      const settling = await prepare();
      const posting = await this.postingOf(settling, cause);
      try {
        const outcome = await this.ledger.require(posting, describe);
        return outcome.status === 'posted'
          ? { made: outcome.made, replayedBy: null }
          : await this.transactions.replayed(settling.after, outcome);
      } catch (error) {
        if (round === ROUNDS_MAX || !(isOvertaken(error) || isPutAway(error))) throw error;
        if (isPutAway(error)) await this.reopen(settling.after);
      }
    }
  }

  /** The step on the sums as they are now. */
  private async next(key: Key, { kind, amount, told }: Step): Promise<Settling> {
    const before = await this.transactions.require(key, key.id);
    const isTaken = before.type === 'authorization' || before.type === 'clearing';
    const step = isTaken ? stepOf(before, kind, amount) : ({ refused: 'wrong_state' } as const);
    if ('left' in step) throw new CardAmountExceeded(before, kind, { left: step.left, amount: amount! });
    if ('refused' in step) throw new InvalidCardTransactionTransition(before, kind);
    const now = await this.clock.now(before);
    const found = await this.transactions.requireCard(before, before.cardId);
    const card = kind === 'clearing' && step.over === 0n ? null : found;
    if (step.over > 0n) assertChargeable(found, before.cleared, step.amount);
    const sums: CardTransaction = {
      ...before,
      ...step.after,
      updatedAt: new Date(),
      ...(kind === 'clearing' && { ...toldOf(before, told), settledAt: now }),
      ...((kind === 'void' || kind === 'expiry') && { debtPaid: before.debtPaid + debtPaidBy(step.amount, card!) }),
    };
    const after = { ...sums, nextCheckAt: heldOf(sums) > 0n ? before.nextCheckAt : null };
    const moved = { kind, amount: step.amount, over: step.over, told };
    return { before, after, ...moved, card, issuer: found.issuer, refundId: newIdOf(before.accountId), now };
  }

  private async unasked(key: Key, unasked: Unasked, cause: Cause): Promise<Settling> {
    const { kind, amount, merchant, issuerReference, told } = unasked;
    const card = await this.transactions.requireCard(key, key.id);
    assertChargeable(card, 0n, amount);
    const now = await this.clock.now(card);
    const after = newCardTransaction({ ...card, now }, cause, {
      type: kind,
      status: 'settled',
      amount,
      cleared: amount,
      merchant,
      ...toldOf(NOTHING_TOLD, told),
      issuerReference,
      debtPaid: kind === 'refund' ? debtPaidBy(amount, card) : 0n,
      settledAt: now,
    });
    const moved = { kind, amount, over: kind === 'clearing' ? amount : 0n, told };
    return { before: null, after, ...moved, card, issuer: card.issuer, refundId: after.id, now };
  }

  private async postingOf(settling: Settling, cause: Cause): Promise<Making<CardTransaction>> {
    const { after, kind, amount, over, card, refundId } = settling;
    const { accountId, livemode, id, cardId, currency } = after;
    const [hold, held] = [HOLD_STEP[kind], amount - over];
    const overdraft = over > 0n ? new CardOverdraft(card!, over, await this.debtsAccount(after)) : null;
    return {
      id: kind === 'refund' ? refundId : id,
      accountId,
      livemode,
      currency,
      claim: claimOf(after, cause),
      lines: await this.lines(settling),
      holds:
        hold === null || held === 0n
          ? []
          : [{ kind: hold, holdId: id, ledgerAccountId: cardId, amount: held, transactionId: null }],
      ...(overdraft && { cover: overdraft.cover }),
      writes: (posted) => writesOf(settling, cause, { posted, overdraft }),
    };
  }

  /**
   * What a clearing brings the issuer, and a refund takes from it; and what pays the card's debt of all that comes back
   * to it.
   */
  private async lines({ after, kind, amount, over, card, issuer: name }: Settling): Promise<Line[]> {
    const { cardId, currency } = after;
    const paid = kind === 'clearing' ? 0n : debtPaidBy(amount, card!);
    const moved: [string, bigint][] = [];
    if (kind === 'clearing' || kind === 'refund') {
      const issuer = await this.accounts.platform(`card_issuer:${name}`, currency, after);
      if (kind === 'clearing') moved.push([cardId, -over], [issuer, amount]);
      else moved.push([issuer, -amount], [cardId, amount]);
    }
    if (paid > 0n) moved.push([cardId, -paid], [await this.debtsAccount(after), paid]);
    return moved
      .filter(([, sum]) => sum !== 0n)
      .map(([ledgerAccountId, sum]) => ({
        ledgerAccountId,
        bucket: 'available',
        amount: sum,
        transactionId: null,
        // The network does not ask, and says what is so.
        passesFreezes: true,
      }));
  }

  private debtsAccount(owner: CardTransaction): Promise<string> {
    return this.accounts.platform(debtsOf(owner.accountId), owner.currency, owner);
  }

  /**
   * Opens the ledger account of a card that ended, for a refund or a late clearing. The card is looked at soon: it
   * gives the money to its wallet, and is put away again.
   */
  async reopen({
    accountId,
    livemode,
    cardId,
  }: Pick<CardTransaction, 'accountId' | 'livemode' | 'cardId'>): Promise<void> {
    const soon = new Date((await this.clock.now({ accountId, livemode })).getTime() + SOON_MS);
    await this.unitOfWork.run(async (tx) => {
      const account = await this.accounts.lock(tx, cardId);
      if (account?.status === 'closed') await this.accounts.setStatus(tx, account, 'active');
      await tx.query(LOOK_AT_CARD, [accountId, livemode, cardId, soon]);
    });
  }

  /** All that lapsed, of one account or of all. */
  private async expire(accountId: string | null): Promise<void> {
    const lapsed: Key[] = await this.dataSource.query(SELECT_LAPSED, [accountId, EXPIRE_CHUNK]);
    let ended = 0;
    await forEach(lapsed, EXPIRE_PARALLEL, async (key) => {
      if (await this.expireOne(key)) ended++;
    });
    if (lapsed.length === EXPIRE_CHUNK && ended > 0) await this.expire(accountId);
  }

  /** False: it failed, which is logged; the next sweep tries again. */
  private async expireOne(key: Key): Promise<boolean> {
    try {
      await this.step(key, { kind: 'expiry', amount: null }, NO_CAUSE);
    } catch (error) {
      // Otherwise the merchant was faster.
      if (!(error instanceof InvalidCardTransactionTransition)) {
        this.log.error({ message: 'an authorization could not be expired', card_transaction: key.id, err: error });
        return false;
      }
    }
    return true;
  }
}

/** The card ended and its empty ledger account was closed: a refund still arrives there, on its way to the wallet. */
export const isPutAway = (error: unknown): boolean =>
  error instanceof DomainError && error.details.code === 'wallet_closed';

/** Somebody else made a step since the sums were read: its hold or its row is not what it was. */
const isOvertaken = (error: unknown): boolean =>
  isRowChanged(error) || (error instanceof DomainError && error.details.code === 'invalid_state_transition');

const describe = (id: string) => ({ id: encodeId('crd', id), param: null });

/**
 * A merchant can be owed by a card that was issued, whatever became of it; by sums that a JSON number holds. Throws
 * `CardNotActive`, `PostingRefused`.
 */
function assertChargeable(card: Card, cleared: bigint, amount: bigint): void {
  if (card.status === 'pending' || card.status === 'failed') throw new CardNotActive(card, 'charged');
  if (cleared + amount > AMOUNT_MAX || card.debt + amount > AMOUNT_MAX)
    throw new PostingRefused({ reason: 'balance_limit', ledgerAccountId: card.id }, describe);
}

/** A settling as the ledger decides it. */
interface Decided {
  readonly posted: Posted;
  readonly overdraft: CardOverdraft | null;
}

function writesOf(settling: Settling, cause: Cause, { posted, overdraft }: Decided): Written<CardTransaction> {
  const { before, kind, amount, card, refundId } = settling;
  const origin = originOf(cause);
  const lent = overdraft?.sharesOf(posted) ?? { fromWallet: 0n, fromDebt: 0n };
  const made: CardTransaction = {
    ...settling.after,
    fromWallet: settling.after.fromWallet + lent.fromWallet,
    fromDebt: settling.after.fromDebt + lent.fromDebt,
  };
  const movement = {
    moved_amount: toJsonNumber(amount),
    ...(kind === 'refund' && { refund_id: encodeId('ctx', refundId) }),
  };
  const rows = [
    before === null ? cardTransactionWrite(made) : cardTransactionChange(made, before),
    stepWrite(made, kind, { amount, message: cause.message, told: settling.told }),
    cardTransactionEvent(made, EVENT[kind], origin, movement),
    ...(kind === 'refund' && before !== null ? [cardTransactionWrite(refundOf(settling, cause))] : []),
    ...(kind === 'clearing' ? [] : [debtPaid(card!, debtPaidBy(amount, card!))]),
    ...(overdraft?.writes(posted, { ...origin, cardTransactionId: encodeId('ctx', made.id) }) ?? []),
  ];
  return { rows, made };
}

/** The card transaction that a refund makes. */
const refundOf = ({ after, amount, told, card, refundId, now }: Settling, cause: Cause): CardTransaction => ({
  ...newCardTransaction({ ...card!, now }, cause, { type: 'refund', status: 'settled', amount, cleared: amount }),
  id: refundId,
  merchant: after.merchant,
  ...toldOf(NOTHING_TOLD, told),
  debtPaid: debtPaidBy(amount, card!),
  originalId: after.id,
  settledAt: now,
});
