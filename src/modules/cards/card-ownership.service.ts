import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CardChangesService } from './card-changes.service';
import { CardTermination } from './card-termination.service';
import type { CardRecord } from './card.entity';
import { ownersDeed } from './cards.queries';
import { CardsService } from './cards.service';
import type { Result } from './cards.types';

const REASON = 'owner_request';

/** What the owner of a card may do to its state. */
@Injectable()
export class CardOwnership {
  constructor(
    private readonly cards: CardsService,
    private readonly changes: CardChangesService,
    private readonly termination: CardTermination,
  ) {}

  /** Throws `NotFound`, and what `CardChangesService.change` or `CardTermination.terminate` throw. */
  async change(
    caller: Caller,
    publicId: string,
    to: 'active' | 'frozen' | 'terminated',
    request: RequestClaim,
  ): Promise<Result<CardRecord>> {
    const card = await this.cards.require(caller, decodeId('crd', publicId));
    const { accountId, livemode, id } = card;
    const claim = { accountId, livemode, ...request, reference: null, resource: 'crd', resourceId: id } as const;
    const by = ownersDeed(caller, REASON);
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const replay =
      to === 'terminated'
        ? await this.termination.terminate(card, { by, origin, claim })
        : await this.changes.change(card, { to, by, origin, claim });
    return { made: await this.cards.require(caller, id), replayedBy: replay?.by ?? null };
  }
}
