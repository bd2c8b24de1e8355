import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { WorkUnderWay } from '../../core/process/work-under-way';
import { AskingService } from './asking.service';
import { CardPostings } from './card-postings.service';
import { checkAfter, ISSUER_STATE, restingCheck } from './card-step.batch';
import type { Card, CardKey } from './card.entity';
import { callWrite, cardChange } from './cards.queries';
import { CardsService } from './cards.service';

/** Tells issuers of the state that their cards are in, until they have heard it. */
@Injectable()
export class CardTelling implements BeforeApplicationShutdown {
  private readonly log = new Logger('cards');
  private readonly underWay = new WorkUnderWay();

  constructor(
    private readonly cards: CardsService,
    private readonly asking: AskingService,
    private readonly postings: CardPostings,
    private readonly clock: Clock,
  ) {}

  /** Not awaited: the state counts already. What a fault leaves undone is found by the sweeper. */
  tellSoon(key: CardKey): void {
    const work = this.cards
      .require(key, key.id)
      .then((card) => this.tell(card))
      .catch((error: unknown) => this.log.error({ message: 'an issuer is told later', card: key.id, err: error }));
    void this.underWay.add(work);
  }

  async tell(card: Card): Promise<void> {
    const state = ISSUER_STATE[card.status];
    if (state === null) return;
    const result = await this.asking.setState(card, state);
    const now = await this.clock.now(card);
    const isHeard = result.outcome !== 'unknown';
    // A refusal changes nothing here: authorizations are decided by our state. An operator reads of it in the log.
    if (result.outcome === 'refused')
      this.log.error({
        message: 'an issuer refuses a state',
        card: card.id,
        issuer: card.issuer,
        state,
        code: result.code,
      });
    const after = isHeard
      ? { ...card, issuerBehind: false, checks: 0, nextCheckAt: restingCheck(card) }
      : { ...card, checks: card.checks + 1, nextCheckAt: checkAfter(now, card.checks) };
    const isStill = await this.postings.write([cardChange(after, card), callWrite(card, 'update', result)]);
    // Two states may have overtaken each other on the way to the issuer: the one that counts is told last.
    if (!isStill) this.tellSoon(card);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }
}
