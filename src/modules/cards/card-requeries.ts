import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { Rewinds } from '../../core/clock/rewinds';
import { Wakers } from '../../core/clock/wakers';
import { forEach } from '../../core/process/for-each';
import { Recurring } from '../../core/queue/recurring';
import { CardLifecycle } from './card-lifecycle';
import type { CardKey, CardRecord } from './card.entity';
import { CardsService } from './cards.service';
import { CardRun } from './issuing/card-run';

const EVERY_MS = 5_000;
const CHUNK = 200;
const PARALLEL = 8;
/** A card that expires was first told of, then looked at: a few rounds bring all to rest. */
const ROUNDS_MAX = 50;

/** Longer than a look takes: while one is under way nobody else looks. */
const LEASE_MS = 60_000;

/**
 * Cards that somebody must look at by the clock of their account; `$1`: of this account only, `$2`: at most so many.
 */
const SELECT_DUE = `
  SELECT c.account_id AS "accountId", c.livemode, c.id, c.next_check_at AS "at"
    FROM cards c LEFT JOIN test_clocks k ON k.account_id = c.account_id AND NOT c.livemode
   WHERE c.next_check_at <= now() + coalesce(k.offset_ms, 0) * interval '1 millisecond'
     AND ($1::uuid IS NULL OR c.account_id = $1)
   ORDER BY c.next_check_at LIMIT $2`;

/** Takes a due card for one who looks: nobody else does until the lease ends. */
const LEASE = `
  UPDATE cards SET next_check_at = $5
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND next_check_at = $4 RETURNING id`;

const EXPIRED = {
  to: 'expired',
  by: { actor: 'clock', actorId: null, reason: 'expired' },
  origin: { requestId: null, idempotencyKey: null },
  claim: null,
} as const;

interface DueCard extends CardKey {
  readonly at: Date;
}

/**
 * Looks at cards that wait: for their issuer's answer, to be told to it, or for their last day. One looker at a time
 * has a card.
 */
@Injectable()
export class CardRequeries implements OnModuleInit {
  private readonly log = new Logger('cards');

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
    private readonly cards: CardsService,
    private readonly runs: CardRun,
    private readonly lifecycle: CardLifecycle,
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
    await forEach(await this.due(null, CHUNK), PARALLEL, (row) => this.lookAt(row));
  }

  /** Does what a card is due for. `now`: by the account's clock. */
  async look(card: CardRecord, now: Date): Promise<void> {
    if (card.status === 'pending') return this.runs.ask(card);
    if (card.issuerBehind) return this.lifecycle.tell(card);
    if (card.status === 'active' && card.expiresAt! <= now) return void (await this.lifecycle.change(card, EXPIRED));
    if (card.status === 'terminated' || card.status === 'failed') return this.lifecycle.putAway(card);
  }

  /** Looks at all that is due by an account's clock, and answers when nothing is left. */
  private async wakeDue(accountId: string): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const due = await this.due(accountId, CHUNK);
      if (due.length === 0) return;
      await forEach(due, PARALLEL, (row) => this.lookAt(row));
    }
  }

  /** A failure is logged: the lease ends, and the card is looked at again. */
  private async lookAt(row: DueCard): Promise<void> {
    try {
      const taken = await this.take(row);
      if (taken) await this.look(taken.card, taken.now);
    } catch (error) {
      this.log.error({ message: 'a card could not be looked at', card: row.id, err: error });
    }
  }

  /** Of one account, or of all. */
  private due(accountId: string | null, take: number): Promise<DueCard[]> {
    return this.dataSource.query(SELECT_DUE, [accountId, take]);
  }

  /** Null: it is not due any more, or somebody else looks. */
  private async take({
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
