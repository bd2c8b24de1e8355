import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { decodeId, lowestIdAt } from '../../core/http/ids';
import type { ReplayedBy, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import { Card, type CardKey, type CardRecord, type CardStatus, CardTransition } from './card.entity';
import type { Controls } from './controls/spending-controls';

/** Undefined leaves a field as it is. */
export interface CardChanges {
  readonly label?: string | null;
  readonly metadata?: Record<string, string>;
  readonly spendingControls?: Controls;
}

/** What became of a request, and whether it had been carried out before. */
export interface Result<T> {
  readonly made: T;
  readonly replayedBy: ReplayedBy | null;
}

export interface CardFilters {
  readonly status?: readonly CardStatus[];
  /** Public id. */
  readonly customer_id?: string;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

/** What the ledger says of a card, as it comes. */
export interface BalanceRow {
  readonly id: string;
  readonly available: string;
  readonly held: string;
  readonly seq: string;
}

/** Balances of cards, by their ids: account, ids. */
export const SELECT_BALANCES = `
  SELECT id, available, held, seq FROM ledger_accounts WHERE account_id = $1 AND id = ANY($2::uuid[])`;

/** Whose a card is: the ledger account of the same id tells. */
const SELECT_OWNER = `SELECT account_id AS "accountId", livemode FROM ledger_accounts WHERE id = $1 AND name = 'card'`;

const NO_BALANCE = { available: '0', held: '0', seq: '0' };

/** Reads cards with their balances and transitions, and changes what is only their owner's. */
@Injectable()
export class CardsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    @InjectRepository(Card) private readonly cards: Repository<Card>,
    @InjectRepository(CardTransition) private readonly transitions: Repository<CardTransition>,
  ) {}

  /** The caller's card. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<CardRecord> {
    const card = found(id === null ? null : await this.cards.findOneBy({ accountId, livemode, id }), 'card');
    return (await this.withBalances(accountId, [card]))[0]!;
  }

  /** Any card of the platform by its id alone: for operators. Throws `NotFound`. */
  async requireAny(id: string): Promise<CardRecord> {
    const [owner]: Viewer[] = await this.cards.query(SELECT_OWNER, [id]);
    return this.require(found(owner, 'card'), id);
  }

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: CardFilters,
    before: string | null,
    take: number,
  ): Promise<CardRecord[]> {
    const { status, customer_id: customer, created_gte: from, created_lt: to } = filters;
    const customerId = customer === undefined ? undefined : decodeId('cus', customer);
    if (customerId === null) return [];
    const query = this.cards
      .createQueryBuilder('c')
      .where('c.account_id = :accountId AND c.livemode = :livemode', { accountId, livemode });
    if (status !== undefined) query.andWhere('c.status IN (:...status)', { status });
    if (customerId !== undefined) query.andWhere('c.customer_id = :customerId', { customerId });
    if (before !== null) query.andWhere('c.id < :before', { before });
    if (from !== undefined) query.andWhere('c.id >= :from', { from: lowestIdAt(from) });
    if (to !== undefined) query.andWhere('c.id < :to', { to: lowestIdAt(to) });
    return this.withBalances(accountId, await query.orderBy('c.id', 'DESC').take(take).getMany());
  }

  /** What happened to its state, newest first, below the uuid `before`. */
  listTransitions(
    { accountId, livemode, id: cardId }: CardKey,
    before: string | null,
    take: number,
  ): Promise<CardTransition[]> {
    return this.transitions.find({
      where: { accountId, livemode, cardId, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take,
    });
  }

  /** Label, metadata and spending controls. Throws `NotFound`, `IdempotencyKeyReused`. */
  async update(
    caller: Caller,
    cardId: string | null,
    changes: CardChanges,
    request: RequestClaim,
  ): Promise<Result<CardRecord>> {
    const { accountId, livemode, id } = await this.require(caller, cardId);
    const claim = { accountId, livemode, ...request, reference: null, resource: 'crd', resourceId: id } as const;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const replay = await this.idempotency.once(claim, async (tx) => {
      await tx.update(
        Card,
        { accountId, livemode, id },
        { ...given, version: () => 'version + 1', updatedAt: new Date() },
      );
    });
    return { made: await this.require(caller, id), replayedBy: replay?.by ?? null };
  }

  private async withBalances(accountId: string, cards: readonly Card[]): Promise<CardRecord[]> {
    if (cards.length === 0) return [];
    const rows: BalanceRow[] = await this.cards.query(SELECT_BALANCES, [accountId, cards.map(({ id }) => id)]);
    const balances = new Map(rows.map((row) => [row.id, row]));
    return cards.map((card) => ({ ...card, ...balanceOf(balances.get(card.id) ?? NO_BALANCE) }));
  }
}

export const balanceOf = ({ available, held, seq }: Omit<BalanceRow, 'id'>) => ({
  available: BigInt(available),
  held: BigInt(held),
  seq: BigInt(seq),
});
