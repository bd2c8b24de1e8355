import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import type { RequestClaim } from '../../core/idempotency/claim';
import { likenessValue } from '../../core/idempotency/claims';
import { Endings, type WaitForEnd } from '../../core/resources/endings';
import { KeylessRequests } from '../accounts/keyless.service';
import type { Posted } from '../ledger/ledger.types';
import { CardAgreementService } from './card-agreement.service';
import { CardOpeningService } from './card-opening.service';
import { CardRunner } from './card-runner.service';
import type { CardRecord } from './card.entity';
import { SELECT_DECIDED } from './cards.queries';
import { CardsService } from './cards.service';
import type { NewCard, Result } from './cards.types';

/** A card that would be asked for, with the lines that its hold would write. */
export interface CardPreview {
  readonly card: CardRecord;
  readonly posted: Posted;
}

/** Issues cards: the money is held, the issuer asked, and then the money is on the card or back in the wallet. */
@Injectable()
export class CardIssuingService {
  private readonly waitForEnd: WaitForEnd;

  constructor(
    endings: Endings,
    private readonly keyless: KeylessRequests,
    private readonly cards: CardsService,
    private readonly agreement: CardAgreementService,
    private readonly opening: CardOpeningService,
    private readonly runner: CardRunner,
  ) {
    this.waitForEnd = endings.of(SELECT_DECIDED);
  }

  /**
   * Answers when the issuer has decided, whoever hears of it, or `waitMs` have passed, whichever is first; it goes on after that. Throws what
   * `CardAgreementService.agree` and `CardOpeningService.open` throw.
   */
  async issue(caller: Caller, order: NewCard, request: RequestClaim, waitMs: number): Promise<Result<CardRecord>> {
    // Who holds the card may be sent in full: what two requests have in common is then all of it.
    const like = (): string => likenessValue('card_issue', request.fingerprint.toString('base64'));
    const asked = {
      request,
      reference: order.reference,
      likeness: await this.keyless.likeness(caller, { key: request.key, ...order }, like),
    };
    const opened = await this.opening.open(caller, asked, () => this.agreement.agree(caller, order, asked, false));
    if ('resourceId' in opened)
      return { made: await this.cards.require(caller, opened.resourceId), replayedBy: opened.by };
    const { accountId, livemode, id } = opened.card;
    const isRunning = async () => (await this.cards.require(caller, id)).status === 'pending';
    await this.waitForEnd({ accountId, livemode, id, ms: waitMs, ours: this.runner.run(opened), isRunning });
    return { made: await this.cards.require(caller, id), replayedBy: null };
  }

  /** What `issue` would do now; writes nothing and asks no issuer. */
  async preview(caller: Caller, order: NewCard, request: RequestClaim): Promise<CardPreview> {
    const {
      made: { card },
      posted,
    } = await this.opening.preview(await this.agreement.agree(caller, order, { request, likeness: null }, true));
    return { card: { ...card, available: 0n, held: 0n, seq: 0n }, posted };
  }
}
