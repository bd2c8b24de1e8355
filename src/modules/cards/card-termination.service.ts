import { Injectable } from '@nestjs/common';
import type { Claim, Replay } from '../../core/idempotency/claim';
import type { EventOrigin } from '../../core/outbox/outbox';
import type { Posted, Replayed } from '../ledger/ledger.types';
import { CardMovesService } from './card-moves.service';
import { CardPostings, isOvertaken } from './card-postings.service';
import { moved } from './card-step.batch';
import { CardTelling } from './card-telling.service';
import { CARD_TRANSITIONS, type CardKey, type CardRecord } from './card.entity';
import { CardHasHolds, InvalidCardTransition } from './cards.errors';
import { cardEvent } from './cards.events';
import { cardChange, type Deed, transitionWrite } from './cards.queries';
import { CardsService } from './cards.service';

export interface TerminationOrder {
  readonly by: Deed;
  readonly origin: EventOrigin;
  /** Makes the request work once; null for what is no request. */
  readonly claim: Claim | null;
  /** Also while merchants may still take what is held: that money comes back, or does not, when they have decided. */
  readonly evenWithHolds?: boolean;
}

/** Ends cards for good. What can be spent goes back to the wallet that paid the card, in the same posting. */
@Injectable()
export class CardTermination {
  constructor(
    private readonly cards: CardsService,
    private readonly moves: CardMovesService,
    private readonly postings: CardPostings,
    private readonly telling: CardTelling,
  ) {}

  /**
   * A replay when the request was carried out before. Throws `NotFound`, `InvalidCardTransition`, `CardHasHolds`,
   * `PostingRefused` (`wallet_closed`), `IdempotencyKeyReused`, `LedgerUnavailable`.
   */
  terminate(key: CardKey, order: TerminationOrder): Promise<Replay | null> {
    const work = () => this.take(key, order);
    return order.claim ? this.postings.answer(order.claim, work) : work();
  }

  private async take(key: CardKey, order: TerminationOrder): Promise<Replay | null> {
    const card = await this.cards.require(key, key.id);
    if (!CARD_TRANSITIONS[card.status].includes('terminated')) throw new InvalidCardTransition(card, 'terminated');
    if (card.held > 0n && !order.evenWithHolds) throw new CardHasHolds(card, card.held);
    const outcome = await this.end(card, order);
    if (outcome === null) return this.take(key, order);
    this.telling.tellSoon(key);
    return outcome.status === 'replayed' ? outcome : null;
  }

  private async end(card: CardRecord, order: TerminationOrder): Promise<Posted | Replayed | null> {
    try {
      return card.available > 0n ? await this.emptied(card, order) : await this.ended(card, order);
    } catch (error) {
      if (isOvertaken(error)) return null;
      throw error;
    }
  }

  private emptied(card: CardRecord, { by, origin, claim }: TerminationOrder): Promise<Posted | Replayed> {
    const after = moved(stored(card), 'terminated', by.reason);
    const draft = this.moves.draft({
      card: after,
      type: 'card_withdrawal',
      walletId: card.walletId,
      amount: card.available,
      fee: 0n,
      breakdown: [],
      reference: null,
      metadata: {},
      event: 'card.terminated',
      origin,
      previous: card.status,
    });
    return this.moves.carryOut(draft, claim, () => [cardChange(after, card), transitionWrite(after, card.status, by)]);
  }

  private async ended(card: CardRecord, { by, origin, claim }: TerminationOrder): Promise<Posted | Replayed | null> {
    const after = moved(stored(card), 'terminated', by.reason);
    const { accountId, livemode } = card;
    const writes = () => [
      cardChange(after, card),
      transitionWrite(after, card.status, by),
      cardEvent(after, 'card.terminated', origin, { account: card, previous: card.status }),
    ];
    const outcome = await this.postings.post({ accountId, livemode, lines: [], claim, writes });
    return outcome?.status === 'refused' ? null : outcome;
  }
}

const stored = ({ available: _available, held: _held, seq: _seq, ...card }: CardRecord) => card;
