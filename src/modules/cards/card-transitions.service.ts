import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { type CardKey, CardTransition } from './card.entity';

/** Reads what happened to a card's state. */
@Injectable()
export class CardTransitions {
  constructor(@InjectRepository(CardTransition) private readonly transitions: Repository<CardTransition>) {}

  /** Newest first, below the uuid `before`. */
  list({ accountId, livemode, id: cardId }: CardKey, before: string | null, take: number): Promise<CardTransition[]> {
    return this.transitions.find({
      where: { accountId, livemode, cardId, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take,
    });
  }
}
