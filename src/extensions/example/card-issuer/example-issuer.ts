import { Injectable } from '@nestjs/common';
import {
  type CardIssuer,
  type CardOrder,
  type CardRef,
  type FindCardResult,
  type IssueResult,
  type IssuerState,
  IssuesCards,
  type Revealed,
  type UpdateResult,
} from '../../../modules/cards/card-issuer';
import { findingOf, pageOf, resultOf, updateOf } from './issuer-answers';
import { CARDLAB, IssuerClient } from './issuer-client';

/** Issues cards at an imaginary issuer. */
@Injectable()
@IssuesCards({ name: 'example', mode: 'live', when: CARDLAB })
export class ExampleIssuer implements CardIssuer {
  constructor(private readonly client: IssuerClient) {}

  async issue(order: CardOrder, signal: AbortSignal): Promise<IssueResult> {
    return resultOf(await this.client.order(order, signal), order.reference);
  }

  async find(card: CardRef, signal: AbortSignal): Promise<FindCardResult> {
    return findingOf(await this.client.find(card, signal), card.reference);
  }

  async setState(card: CardRef, state: IssuerState, signal: AbortSignal): Promise<UpdateResult> {
    return updateOf(await this.client.setState(card, state, signal), card.reference, state);
  }

  async reveal(card: CardRef, signal: AbortSignal): Promise<Revealed> {
    return pageOf(await this.client.page(card, signal), card.reference);
  }
}
