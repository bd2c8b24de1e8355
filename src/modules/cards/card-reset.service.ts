import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { WalletsService } from '../wallets/wallets.service';
import type { CardRecord } from './card.entity';
import { CardsService } from './cards.service';
import { CardPostings, isOvertaken } from './money/card-postings';

const PAGE_ROWS = 100;

/** Takes test money off cards, for a reset of the sandbox. */
@Injectable()
export class CardReset {
  constructor(
    private readonly cards: CardsService,
    private readonly postings: CardPostings,
    private readonly wallets: WalletsService,
  ) {}

  /**
   * Everything that can be spent goes back to the wallets, whatever state the cards are in; what is held stays until
   * what holds it ends.
   */
  async takeBack(caller: Caller, idempotencyKey: string | null): Promise<void> {
    for (let before: string | null = null; ;) {
      const page: CardRecord[] = await this.cards.list(caller, {}, before, PAGE_ROWS);
      for (const card of page)
        if (card.available > 0n) await this.empty(card, { requestId: caller.requestId, idempotencyKey });
      if (page.length < PAGE_ROWS) return;
      before = page.at(-1)!.id;
    }
  }

  /** Spent or moved meanwhile: there is nothing to take back. */
  private async empty(card: CardRecord, origin: { requestId: string; idempotencyKey: string | null }): Promise<void> {
    const walletId = await this.receiverOf(card);
    if (walletId === null) return;
    const draft = this.postings.draft({
      card,
      type: 'card_withdrawal',
      walletId,
      amount: card.available,
      fee: 0n,
      breakdown: [],
      reference: null,
      metadata: {},
      event: 'card.withdrawn',
      origin,
    });
    try {
      await this.postings.carryOut(draft, null);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }

  /** The wallet that paid the card; if it is closed, another one. */
  private async receiverOf(card: CardRecord): Promise<string | null> {
    const wallet = await this.wallets.findAny(card.walletId);
    return wallet?.status === 'closed' ? this.wallets.findOldest(card, card.currency) : card.walletId;
  }
}
