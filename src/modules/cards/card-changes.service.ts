import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import type { Claim, Replay } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { EventOrigin } from '../../core/outbox/outbox';
import { moved } from './card-step.batch';
import { CardTelling } from './card-telling.service';
import { Card, CARD_TRANSITIONS, type CardKey, type CardStatus } from './card.entity';
import { InvalidCardTransition } from './cards.errors';
import { cardEvent, type CardEventType } from './cards.events';
import {
  balanceOf,
  type BalanceRow,
  cardChange,
  type Deed,
  SELECT_BALANCES,
  SELECT_BEFORE_BLOCK,
  transitionWrite,
} from './cards.queries';

/** Where a card is to go. `unblocked`: to where it was before the block. */
export type Goal = 'active' | 'frozen' | 'blocked' | 'expired' | 'unblocked';

/** A change of state: where to, by whom, and what its event is told to come from. */
export interface CardMoveOrder {
  readonly to: Goal;
  readonly by: Deed;
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

/** Changes the state of cards where no money moves. It counts at once; the issuer is told afterwards, until it has heard. */
@Injectable()
export class CardChangesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly telling: CardTelling,
  ) {}

  /** A replay when the request was carried out before. Throws `NotFound`, `InvalidCardTransition`, `IdempotencyKeyReused`. */
  async change(key: CardKey, order: CardMoveOrder): Promise<Replay | null> {
    const effect = (tx: Tx) => this.move(tx, key, order);
    const replay = order.claim
      ? await this.idempotency.once(order.claim, effect)
      : await this.unitOfWork.run(effect).then(() => null);
    if (replay === null) this.telling.tellSoon(key);
    return replay;
  }

  private async move(
    tx: Tx,
    { accountId, livemode, id }: CardKey,
    { to, by, origin, writes = [] }: CardMoveOrder,
  ): Promise<void> {
    const where = { accountId, livemode, id };
    const before = found(await tx.findOne(Card, { where, lock: { mode: 'pessimistic_write' } }), 'card');
    const status = to === 'unblocked' ? await this.beforeBlock(tx, before) : to;
    if (!FROM[to].includes(before.status) || !CARD_TRANSITIONS[before.status].includes(status))
      throw new InvalidCardTransition(before, status);
    const after = moved(before, status, by.reason);
    const [row]: [BalanceRow] = await tx.query(SELECT_BALANCES, [accountId, [id]]);
    const event = cardEvent(after, EVENTS[status], origin, { account: balanceOf(row), previous: before.status });
    await this.unitOfWork.write(tx, [
      cardChange(after, before),
      transitionWrite(after, before.status, by),
      event,
      ...writes,
    ]);
  }

  private async beforeBlock(tx: Tx, { accountId, id }: Card): Promise<'active' | 'frozen'> {
    const [last]: { from: CardStatus }[] = await tx.query(SELECT_BEFORE_BLOCK, [accountId, id]);
    return last?.from === 'frozen' ? 'frozen' : 'active';
  }
}
