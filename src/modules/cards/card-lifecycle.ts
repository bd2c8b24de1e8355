import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import type { Caller, Key } from '../../core/http/caller';
import { decodeId, encodeId } from '../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { type EventOrigin, NO_ORIGIN } from '../../core/outbox/outbox';
import { WorkUnderWay } from '../../core/process/work-under-way';
import { Requeries } from '../../providers/requeries';
import type { IssuerState } from './card-issuer';
import {
  byOwner,
  callWrite,
  cardChange,
  cardEvent,
  type CardEventType,
  CardOverdrawn,
  CardsService,
  type ChangedBy,
  checkAfter,
  DUE_NOW,
  later,
  transitionWrite,
} from './cards.service';
import { Card, CARD_TRANSITIONS, type CardRecord, type CardStatus } from './card.entity';
import { IssuerClient } from './issuers/issuer-client';
import { CardRun } from './issuing/card-issuing.service';
import { CardPostings, isOvertaken } from './money/card-postings';

/** The card is in a state from which it cannot go where the request wants it. */
class InvalidCardTransition extends DomainError {
  constructor({ id, status }: Pick<Card, 'id' | 'status'>, to: CardStatus) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      resourceId: encodeId('crd', id),
      detail: `${encodeId('crd', id)} is ${status} and cannot become ${to}.`,
      recovery: CARD_TRANSITIONS[status].length === 0 ? 'none' : 'caller_must_fix',
    });
  }
}

/** A merchant may still take what the card holds for it. */
class CardHasHolds extends DomainError {
  constructor({ id }: Pick<Card, 'id'>, held: bigint) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Card has open authorizations',
      resourceId: encodeId('crd', id),
      recovery: 'retry_later',
      detail:
        `${encodeId('crd', id)} holds ${held} for authorizations that are still open. ` +
        'Freeze it, and terminate it once they are cleared, voided or expired.',
    });
  }
}

/** What a blocked card was before: account, card. */
const SELECT_BEFORE_BLOCK = `
  SELECT from_status AS "from" FROM card_transitions
   WHERE account_id = $1 AND card_id = $2 AND to_status = 'blocked' ORDER BY id DESC LIMIT 1`;

/** Where a card is to go. `unblocked`: to where it was before the block. */
export type Goal = 'active' | 'frozen' | 'blocked' | 'expired' | 'unblocked';

/** A change of state: where to, by whom, and what its event is told to come from. */
export interface CardMoveOrder {
  readonly to: Goal;
  readonly by: ChangedBy;
  readonly origin: EventOrigin;
  /** Makes the request work once; null for what is no request. */
  readonly claim: Claim | null;
  /** Written with the change. */
  readonly writes?: readonly Write[];
}

const EVENTS: Readonly<Record<Exclude<Goal, 'unblocked'>, CardEventType>> = {
  active: 'card.unfrozen',
  frozen: 'card.frozen',
  blocked: 'card.blocked',
  expired: 'card.expired',
};

/** Only these may be left by each goal: a freeze ends by its owner, a block by an operator. */
const FROM: Readonly<Record<Goal, readonly CardStatus[]>> = {
  active: ['frozen'],
  frozen: ['active'],
  blocked: ['active', 'frozen'],
  expired: ['active'],
  unblocked: ['blocked'],
};

export interface TerminationOrder {
  readonly by: ChangedBy;
  readonly origin: EventOrigin;
  /** Makes the request work once; null for what is no request. */
  readonly claim: Claim | null;
  /** Also while merchants may still take what is held: that money comes back, or does not, when they have decided. */
  readonly evenWithHolds?: boolean;
}

const REASON = 'owner_request';

const EXPIRED = {
  to: 'expired',
  by: { actor: 'clock', actorId: null, reason: 'expired' },
  origin: NO_ORIGIN,
  claim: null,
} as const;

/** How often a card that ended is looked at while merchants may still take or give back money. */
const WHILE_HELD_MS = 3_600_000;
/** What issuers are told of each state; null: nothing. */
const ISSUER_STATE: Readonly<Record<CardStatus, IssuerState | null>> = {
  pending: null,
  failed: null,
  expired: null,
  active: 'active',
  frozen: 'frozen',
  blocked: 'frozen',
  terminated: 'terminated',
};

/**
 * How cards go from one state to the next, by whomever. It counts at once; the issuer is told afterwards, until it has
 * heard. Cards that wait are looked at when they are due: for their issuer's answer, to be told to it, or for their
 * last day.
 */
@Injectable()
export class CardLifecycle implements BeforeApplicationShutdown, OnModuleInit {
  private readonly log = new Logger('cards');
  private readonly underWay = new WorkUnderWay();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly requeries: Requeries,
    private readonly cards: CardsService,
    private readonly runs: CardRun,
    private readonly postings: CardPostings,
    private readonly issuer: IssuerClient,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.requeries.include({
      table: 'cards',
      look: async (key, now) => this.look(await this.cards.require(key, key.id), now),
    });
  }

  /** Does what a card is due for. `now`: by the account's clock. */
  async look(card: CardRecord, now: Date): Promise<void> {
    if (card.status === 'pending') return this.runs.ask(card);
    if (card.issuerBehind) return this.giveBackAndTell(card);
    const isOver = card.expiresAt !== null && card.expiresAt <= now;
    if (card.status === 'active' && isOver) return void (await this.change(card, EXPIRED));
    if (hasEnded(card)) return this.putAway(card);
  }

  /** What the owner of a card may do to its state. Throws what `change` and `terminate` throw. */
  async changeAsOwner(
    caller: Caller,
    publicId: string,
    to: 'active' | 'frozen' | 'terminated',
    request: RequestClaim,
  ): Promise<Made<CardRecord>> {
    const card = await this.cards.require(caller, decodeId('crd', publicId));
    const { accountId, livemode, id } = card;
    const claim = { accountId, livemode, ...request, reference: null, resource: 'crd', resourceId: id } as const;
    const by = byOwner(caller, REASON);
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const replay =
      to === 'terminated'
        ? await this.terminate(card, { by, origin, claim })
        : await this.change(card, { to, by, origin, claim });
    return { made: await this.cards.require(caller, id), replayedBy: replay?.by ?? null };
  }

  /**
   * Where no money moves. A replay when the request was carried out before. Throws `NotFound`, `InvalidCardTransition`,
   * `CardOverdrawn`, `IdempotencyKeyReused`.
   */
  async change(key: Key, order: CardMoveOrder): Promise<Replay | null> {
    const replay = await this.once(order.claim, (tx) => this.move(tx, key, order));
    if (replay === null) this.tellSoon(key);
    return replay;
  }

  /**
   * Ends a card for good: what can be spent goes back to the wallet that paid the card, in the same posting; where no
   * wallet could take it, once there is one. A replay when the request was carried out before. Throws `NotFound`,
   * `InvalidCardTransition`, `CardOverdrawn`, `CardHasHolds`, `PostingRefused` (`wallet_closed`),
   * `IdempotencyKeyReused`, `LedgerUnavailable`.
   */
  terminate(key: Key, order: TerminationOrder): Promise<Replay | null> {
    const work = () => this.take(key, order);
    return order.claim ? this.idempotency.answer<Replay | null>(order.claim, work, (replay) => replay) : work();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  /** The money does not wait until the issuer hears, nor the issuer until a wallet takes the money. */
  private async giveBackAndTell(card: CardRecord): Promise<void> {
    try {
      await this.giveBack(card);
    } finally {
      await this.tell(card);
    }
  }

  /**
   * Tells the issuer of the state that its card is in; what it did not hear it is told again, and a card that ended is
   * looked at for its money meanwhile.
   */
  private async tell(card: Card): Promise<void> {
    const state = ISSUER_STATE[card.status];
    if (state === null) return;
    const result = await this.issuer.setState(card, state);
    const now = await this.clock.now(card);
    const isHeard = result.outcome !== 'unknown';
    // A refusal changes nothing here: authorizations are decided by our state. An operator reads of it in the log.
    if (result.outcome === 'refused')
      this.log.error({
        message: 'an issuer refuses a state',
        card: card.id,
        issuer: card.issuer,
        state,
        code: result.code,
      });
    const after = isHeard
      ? { ...card, issuerBehind: false, checks: 0, nextCheckAt: restingCheck(card) }
      : { ...card, checks: card.checks + 1, nextCheckAt: tellingCheck(card, now) };
    const isStill = await this.postings.write([cardChange(after, card), callWrite(card, 'update', result)]);
    // Two states may have overtaken each other on the way to the issuer: the one that counts is told last.
    if (!isStill) this.tellSoon(card);
  }

  /** What came back to a card since it ended goes to its wallet. */
  private async giveBack(card: CardRecord): Promise<void> {
    const to = hasEnded(card) && card.available > 0n ? await this.postings.receiverOf(card) : null;
    if (to !== null) await this.postings.withdrawAll(card, { to, origin: NO_ORIGIN });
  }

  /** Puts away a card that ended: its empty ledger account is closed, unless its debt is still to be paid. */
  private async putAway(card: CardRecord): Promise<void> {
    await this.giveBack(card);
    const next = later(await this.clock.now(card), WHILE_HELD_MS);
    // Together: whoever opens the account again, for a refund, has the card looked at again, and that must not be
    // undone.
    await this.unitOfWork.run(async (tx) => {
      const isClosed = card.held === 0n && card.debt === 0n && (await this.postings.close(tx, card));
      await this.unitOfWork.write(tx, [cardChange({ ...card, nextCheckAt: isClosed ? null : next }, card)]);
    });
  }

  /** Not awaited: the state counts already. What a fault leaves undone is found by the sweeper. */
  private tellSoon(key: Key): void {
    const work = this.cards
      .require(key, key.id)
      .then((card) => this.tell(card))
      .catch((error: unknown) => this.log.error({ message: 'an issuer is told later', card: key.id, err: error }));
    void this.underWay.add(work);
  }

  private once(claim: Claim | null, effect: (tx: Tx) => Promise<void>): Promise<Replay | null> {
    return claim ? this.idempotency.once(claim, effect) : this.unitOfWork.run(effect).then(() => null);
  }

  private async move(
    tx: Tx,
    { accountId, livemode, id }: Key,
    { to, by, origin, writes = [] }: CardMoveOrder,
  ): Promise<void> {
    const account = await this.postings.lock(tx, { id });
    const where = { accountId, livemode, id };
    const before = found(await tx.findOne(Card, { where, lock: { mode: 'pessimistic_write' } }), 'card');
    const status = to === 'unblocked' ? await this.beforeBlock(tx, before) : to;
    if (!FROM[to].includes(before.status) || !CARD_TRANSITIONS[before.status].includes(status))
      throw new InvalidCardTransition(before, status);
    if (status === 'active' && before.debt > 0n) throw new CardOverdrawn(before, 'unfrozen');
    const after = moved(before, status, by.reason);
    await this.unitOfWork.write(tx, [
      cardChange(after, before),
      transitionWrite(after, before.status, by),
      cardEvent(after, EVENTS[status], origin, { account, previous: before.status }),
      ...writes,
    ]);
  }

  private async beforeBlock(tx: Tx, { accountId, id, debt }: Card): Promise<'active' | 'frozen'> {
    if (debt > 0n) return 'frozen';
    const [last]: { from: CardStatus }[] = await tx.query(SELECT_BEFORE_BLOCK, [accountId, id]);
    return last?.from === 'frozen' ? 'frozen' : 'active';
  }

  private async take(key: Key, order: TerminationOrder): Promise<Replay | null> {
    const card = await this.cards.require(key, key.id);
    if (!CARD_TRANSITIONS[card.status].includes('terminated')) throw new InvalidCardTransition(card, 'terminated');
    if (card.debt > 0n) throw new CardOverdrawn(card, 'terminated');
    if (card.held > 0n && !order.evenWithHolds) throw new CardHasHolds(card, card.held);
    try {
      const to = card.available > 0n ? await this.postings.receiverOf(card) : null;
      const replay = to === null ? await this.ended(card, order) : await this.emptied(card, order, to);
      this.tellSoon(key);
      return replay;
    } catch (error) {
      if (isOvertaken(error)) return this.take(key, order);
      throw error;
    }
  }

  private async emptied(card: CardRecord, { by, origin, claim }: TerminationOrder, to: string): Promise<Replay | null> {
    const after = moved(stored(card), 'terminated', by.reason);
    const outcome = await this.postings.withdrawAll(
      { ...after, available: card.available },
      { to, event: 'card.terminated', origin, previous: card.status },
      claim,
      () => [cardChange(after, card), transitionWrite(after, card.status, by)],
    );
    return outcome.status === 'replayed' ? outcome : null;
  }

  /** What came to it since it was read goes to a wallet when it is put away. */
  private ended(card: CardRecord, { by, origin, claim }: TerminationOrder): Promise<Replay | null> {
    const after = moved(stored(card), 'terminated', by.reason);
    return this.once(claim, async (tx) => {
      const account = await this.postings.lock(tx, card);
      await this.unitOfWork.write(tx, [
        cardChange(after, card),
        transitionWrite(after, card.status, by),
        cardEvent(after, 'card.terminated', origin, { account, previous: card.status }),
      ]);
    });
  }
}

/** A card in another state, about which its issuer is to be told. */
export function moved(card: Readonly<Card>, status: CardStatus, reason: string | null): Card {
  const issuerBehind = ISSUER_STATE[status] !== null;
  const nextCheckAt = issuerBehind ? DUE_NOW : null;
  return {
    ...card,
    version: card.version + 1,
    status,
    statusReason: reason,
    issuerBehind,
    checks: 0,
    nextCheckAt,
    updatedAt: new Date(),
  };
}

/**
 * When a card about which nobody has to be told must be looked at again. A terminated one is looked at until it is
 * empty.
 */
const restingCheck = ({ status, expiresAt }: Readonly<Card>): Date | null => {
  if (status === 'active') return expiresAt;
  return hasEnded({ status }) ? DUE_NOW : null;
};

/** When an issuer that did not hear is told again. */
function tellingCheck(card: Readonly<Card>, now: Date): Date {
  const [next, soon] = [checkAfter(now, card.checks), later(now, WHILE_HELD_MS)];
  return hasEnded(card) && next > soon ? soon : next;
}

const hasEnded = ({ status }: Pick<Card, 'status'>): boolean => status === 'terminated' || status === 'failed';

const stored = ({ available: _available, held: _held, seq: _seq, ...card }: CardRecord) => card;
