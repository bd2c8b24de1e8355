import { Injectable } from '@nestjs/common';
import { CardChangesService } from './card-changes.service';
import { CardClosing } from './card-closing.service';
import { CardRunner } from './card-runner.service';
import { CardTelling } from './card-telling.service';
import type { CardRecord } from './card.entity';

const EXPIRED = {
  to: 'expired',
  by: { actor: 'clock', actorId: null, reason: 'expired' },
  origin: { requestId: null, idempotencyKey: null },
  claim: null,
} as const;

/** Does what a card is due for. */
@Injectable()
export class CardsDue {
  constructor(
    private readonly runner: CardRunner,
    private readonly telling: CardTelling,
    private readonly changes: CardChangesService,
    private readonly closing: CardClosing,
  ) {}

  /** `now`: by the account's clock. */
  async look(card: CardRecord, now: Date): Promise<void> {
    if (card.status === 'pending') return this.runner.ask(card);
    if (card.issuerBehind) return this.telling.tell(card);
    if (card.status === 'active' && card.expiresAt! <= now) return void (await this.changes.change(card, EXPIRED));
    if (card.status === 'terminated' || card.status === 'failed') return this.closing.putAway(card);
  }
}
