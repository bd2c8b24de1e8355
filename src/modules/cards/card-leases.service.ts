import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import type { CardKey, CardRecord } from './card.entity';
import { LEASE, SELECT_DUE } from './cards.queries';
import { CardsService } from './cards.service';

/** Longer than a look takes: while one is under way nobody else looks. */
const LEASE_MS = 60_000;

export interface DueCard extends CardKey {
  readonly at: Date;
}

/** Finds cards that are due by the clock of their account, and hands each to one looker. */
@Injectable()
export class CardLeases {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly cards: CardsService,
  ) {}

  /** Of one account, or of all. */
  due(accountId: string | null, take: number): Promise<DueCard[]> {
    return this.dataSource.query(SELECT_DUE, [accountId, take]);
  }

  /** Null: it is not due any more, or somebody else looks. */
  async take({
    accountId,
    livemode,
    id,
    at,
  }: DueCard): Promise<{ readonly card: CardRecord; readonly now: Date } | null> {
    const now = await this.clock.now({ accountId, livemode });
    const [, taken]: [unknown, number] = await this.dataSource.query(LEASE, [
      accountId,
      livemode,
      id,
      at,
      new Date(now.getTime() + LEASE_MS),
    ]);
    return taken === 1 ? { card: await this.cards.require({ accountId, livemode }, id), now } : null;
  }
}
