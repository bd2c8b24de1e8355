import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Rewinds } from '../../core/clock/rewinds';
import { Requeries } from '../../providers/requeries';
import { CardLifecycle } from './card-lifecycle';
import type { CardRecord } from './card.entity';
import { CardsService } from './cards.service';
import { CardRun } from './issuing/card-run';
import { NO_ORIGIN } from '../../core/outbox/outbox';

const EXPIRED = {
  to: 'expired',
  by: { actor: 'clock', actorId: null, reason: 'expired' },
  origin: NO_ORIGIN,
  claim: null,
} as const;

/**
 * Looks at cards that wait: for their issuer's answer, to be told to it, or for their last day. One looker at a time
 * has a card.
 */
@Injectable()
export class CardRequeries implements OnModuleInit {
  constructor(
    private readonly rewinds: Rewinds,
    private readonly requeries: Requeries,
    private readonly cards: CardsService,
    private readonly runs: CardRun,
    private readonly lifecycle: CardLifecycle,
  ) {}

  onModuleInit(): void {
    // The last day of a card stands on it, whatever the clock says.
    this.rewinds.include({
      table: 'cards',
      columns: ['next_check_at'],
      where: 'next_check_at IS DISTINCT FROM expires_at',
    });
    this.rewinds.include({ table: 'card_reveals', columns: ['expires_at'], where: 'used_at IS NULL' });
    this.rewinds.include({ table: 'sandbox_cards', columns: ['ready_at'], where: 'ready_at > now() + $2::interval' });
    this.requeries.include({
      table: 'cards',
      look: async (key, now) => this.look(await this.cards.require(key, key.id), now),
    });
  }

  /** Does what a card is due for. `now`: by the account's clock. */
  async look(card: CardRecord, now: Date): Promise<void> {
    if (card.status === 'pending') return this.runs.ask(card);
    if (card.issuerBehind) return this.lifecycle.tell(card);
    if (card.status === 'active' && card.expiresAt! <= now) return void (await this.lifecycle.change(card, EXPIRED));
    if (card.status === 'terminated' || card.status === 'failed') return this.lifecycle.putAway(card);
  }
}
