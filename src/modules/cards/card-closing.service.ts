import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { CardMovesService } from './card-moves.service';
import { later } from './card-step.batch';
import type { CardRecord } from './card.entity';
import { cardChange } from './cards.queries';

/** How often a card that ended is looked at while merchants may still take or give back money. */
const WHILE_HELD_MS = 3_600_000;
const NO_ORIGIN = { requestId: null, idempotencyKey: null };

/** Puts away cards that ended: what came back to them since goes to their wallet, and their empty ledger account is closed. */
@Injectable()
export class CardClosing {
  constructor(
    private readonly moves: CardMovesService,
    private readonly accounts: LedgerAccountsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async putAway(card: CardRecord): Promise<void> {
    if (card.available > 0n) await this.giveBack(card);
    const next = later(await this.clock.now(card), WHILE_HELD_MS);
    // Together: whoever opens the account again, for a refund, has the card looked at again, and that must not be undone.
    await this.unitOfWork.run(async (tx) => {
      const isClosed = card.held === 0n && (await this.close(tx, card));
      await this.unitOfWork.write(tx, [cardChange({ ...card, nextCheckAt: isClosed ? null : next }, card)]);
    });
  }

  private async giveBack(card: CardRecord): Promise<void> {
    const draft = this.moves.draft({
      card,
      type: 'card_withdrawal',
      walletId: card.walletId,
      amount: card.available,
      fee: 0n,
      breakdown: [],
      reference: null,
      metadata: {},
      event: 'card.withdrawn',
      origin: NO_ORIGIN,
    });
    await this.moves.carryOut(draft, null);
  }

  /** False: there is money in it after all. */
  private async close(tx: Tx, card: CardRecord): Promise<boolean> {
    const account = await this.accounts.lock(tx, card.id);
    if (account === null || account.available + account.held > 0n) return false;
    await this.accounts.setStatus(tx, account, 'closed');
    return true;
  }
}
