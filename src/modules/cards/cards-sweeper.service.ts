import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Rewinds } from '../../core/clock/rewinds';
import { Wakers } from '../../core/clock/wakers';
import { forEach } from '../../core/process/for-each';
import { Recurring } from '../../core/queue/recurring';
import { CardLeases, type DueCard } from './card-leases.service';
import { CardsDue } from './cards-due.service';

const EVERY_MS = 5_000;
const CHUNK = 200;
const PARALLEL = 8;
/** A card that expires was first told of, then looked at: a few rounds bring all to rest. */
const ROUNDS_MAX = 50;

/** Looks at cards that wait: for their issuer's answer, to be told to it, or for their last day. */
@Injectable()
export class CardsSweeper implements OnModuleInit {
  private readonly log = new Logger('cards');

  constructor(
    private readonly leases: CardLeases,
    private readonly due: CardsDue,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    // The last day of a card stands on it, whatever the clock says.
    this.rewinds.include({
      table: 'cards',
      columns: ['next_check_at'],
      where: 'next_check_at IS DISTINCT FROM expires_at',
    });
    this.rewinds.include({ table: 'card_reveals', columns: ['expires_at'], where: 'used_at IS NULL' });
    this.rewinds.include({ table: 'sandbox_cards', columns: ['ready_at'], where: 'ready_at > now() + $2::interval' });
    this.wakers.include((accountId) => this.wakeDue(accountId));
  }

  @Recurring({ name: 'cards.sweep', everyMs: EVERY_MS })
  async sweep(): Promise<void> {
    await forEach(await this.leases.due(null, CHUNK), PARALLEL, (row) => this.look(row));
  }

  /** Looks at all that is due by an account's clock, and answers when nothing is left. */
  private async wakeDue(accountId: string): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const due = await this.leases.due(accountId, CHUNK);
      if (due.length === 0) return;
      await forEach(due, PARALLEL, (row) => this.look(row));
    }
  }

  /** A failure is logged: the lease ends, and the card is looked at again. */
  private async look(row: DueCard): Promise<void> {
    try {
      const taken = await this.leases.take(row);
      if (taken) await this.due.look(taken.card, taken.now);
    } catch (error) {
      this.log.error({ message: 'a card could not be looked at', card: row.id, err: error });
    }
  }
}
