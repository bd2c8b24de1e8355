import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { Presents, type Viewer } from '../../core/resources/resources';
import { TransactionResources } from '../transactions/transaction-resources.service';
import type { CardPreview } from './card-issuing.service';
import { CardDto } from './card.dto';
import type { CardRecord } from './card.entity';
import { CardsService } from './cards.service';

@Injectable()
export class CardResources {
  constructor(
    private readonly cards: CardsService,
    private readonly transactions: TransactionResources,
  ) {}

  @Presents('crd', 'cards:read')
  async card(viewer: Viewer, id: string): Promise<CardDto> {
    return CardDto.of(await this.cards.require(viewer, id));
  }

  /** A record as its own account sees it. */
  show(card: CardRecord): CardDto {
    return CardDto.of(card);
  }

  /** A card that a dry run would ask for. */
  preview({ card, posted }: CardPreview, isNewCustomer: boolean): CardDto {
    const customerId = isNewCustomer ? null : encodeId('cus', card.customerId);
    return CardDto.ofPreview(card, customerId, this.transactions.lines(posted, card.accountId));
  }
}
