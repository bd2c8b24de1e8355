import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { CardTransactionDto } from './card-transaction.dto';
import { type CardTransactionResult, CardTransactionsService } from './card-transactions.service';

@Injectable()
export class CardTransactionResources {
  constructor(private readonly transactions: CardTransactionsService) {}

  @Presents('ctx', 'cards:read')
  async transaction(viewer: Viewer, id: string): Promise<CardTransactionDto> {
    return CardTransactionDto.of(await this.transactions.require(viewer, id));
  }

  /** A card transaction as its own account sees it. */
  show({ transaction }: CardTransactionResult): CardTransactionDto {
    return CardTransactionDto.of(transaction);
  }
}
