import { Injectable } from '@nestjs/common';
import { unnested } from '../../../core/database/array-param';
import type { Caller } from '../../../core/http/caller';
import { newId } from '../../../core/http/ids';
import type { Claim, Replay, RequestClaim } from '../../../core/idempotency/claim';
import { likenessValue } from '../../../core/idempotency/claims';
import { Idempotency } from '../../../core/idempotency/idempotency';
import { Endings, type WaitForEnd } from '../../../core/resources/endings';
import { AccountsService } from '../../accounts/accounts.service';
import type { CardRecord } from '../card.entity';
import { CardsService, type Result } from '../cards.service';
import { CardOpening, type CardPreview, type IssuingCard, type NewCard } from './card-opening';
import { CardRun } from './card-run';

/** Of these cards, those about which the issuer has decided. */
const SELECT_DECIDED = {
  name: 'select_decided_cards',
  text: `SELECT c.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
      JOIN cards c USING (account_id, livemode, id)
    WHERE c.status <> 'pending'`,
};

/** Issues cards: the money is held, the issuer asked, and then the money is on the card or back in the wallet. */
@Injectable()
export class CardIssuingService {
  private readonly waitForEnd: WaitForEnd;

  constructor(
    endings: Endings,
    private readonly accounts: AccountsService,
    private readonly idempotency: Idempotency,
    private readonly cards: CardsService,
    private readonly opening: CardOpening,
    private readonly runs: CardRun,
  ) {
    this.waitForEnd = endings.of(SELECT_DECIDED);
  }

  /**
   * Answers when the issuer has decided, whoever hears of it, or `waitMs` have passed, whichever is first; it goes on
   * after that. Throws what `CardOpening.open` throws.
   */
  async issue(caller: Caller, order: NewCard, request: RequestClaim, waitMs: number): Promise<Result<CardRecord>> {
    // Who holds the card may be sent in full: what two requests have in common is then all of it.
    const like = (): string => likenessValue('card_issue', request.fingerprint.toString('base64'));
    const likeness = await this.accounts.likenessOf(caller, { key: request.key, ...order }, like);
    const { accountId, livemode } = caller;
    const claim: Claim = {
      accountId,
      livemode,
      ...request,
      reference: order.reference,
      resource: 'crd',
      resourceId: newId(),
      likeness,
    };
    const open = () => this.opening.open({ caller, order, request, likeness });
    const opened = await this.idempotency.answer<IssuingCard | Replay>(claim, open, (replay) => replay);
    if ('resourceId' in opened)
      return { made: await this.cards.require(caller, opened.resourceId), replayedBy: opened.by };
    const { id } = opened.card;
    const isRunning = async () => (await this.cards.require(caller, id)).status === 'pending';
    await this.waitForEnd({ accountId, livemode, id, ms: waitMs, ours: this.runs.run(opened), isRunning });
    return { made: await this.cards.require(caller, id), replayedBy: null };
  }

  /** What `issue` would do now; writes nothing and asks no issuer. */
  preview(caller: Caller, order: NewCard, request: RequestClaim): Promise<CardPreview> {
    return this.opening.preview({ caller, order, request, likeness: null });
  }
}
