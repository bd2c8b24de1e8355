import { Injectable, Logger } from '@nestjs/common';
import type { EventOrigin } from '../../core/outbox/outbox';
import type { CardKey } from './authorizations.types';
import { CardTermination } from './card-termination.service';

const POLICY = { actor: 'policy', actorId: null, reason: 'too_many_declines' } as const;

/** Ends cards that their decline policy gave up. */
@Injectable()
export class DeclineTermination {
  private readonly log = new Logger('cards');

  constructor(private readonly cards: CardTermination) {}

  /** The decline stands whatever comes of this: a failure is logged, and the next decline tries again. */
  async terminate({ accountId, livemode, id }: CardKey, origin: EventOrigin): Promise<void> {
    try {
      await this.cards.terminate({ accountId, livemode, id }, { by: POLICY, origin, claim: null, evenWithHolds: true });
    } catch (error) {
      this.log.error({ message: 'a card could not be terminated by its decline policy', card: id, err: error });
    }
  }
}
