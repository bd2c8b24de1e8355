import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, type Repository } from 'typeorm';
import { Rewinds } from '../../core/clock/clock';
import { type Pairs, rowsWith } from '../../core/database/metadata';
import { bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import type { Caller, Key } from '../../core/http/caller';
import { decodeId, encodeId, lowestIdAt, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { checkDelayMs } from '../../providers/client';
import { CardDto } from './card.dto';
import { Card, type CardActor, type CardRecord, type CardStatus, CardTransition, type Controls } from './card.entity';

/** The card is in a state in which this cannot be done with it. */
export class CardNotActive extends DomainError {
  constructor({ id, status }: Pick<Card, 'id' | 'status'>, what: string) {
    super({
      code: 'card_not_active',
      kind: 'conflict',
      title: 'Card not active',
      resourceId: encodeId('crd', id),
      recovery: 'account_must_act',
      detail: `${encodeId('crd', id)} is ${status}: it cannot be ${what}.`,
    });
  }
}

/** The card owes money: first that has to be paid. */
export class CardOverdrawn extends DomainError {
  constructor({ id, debt }: Pick<Card, 'id' | 'debt'>, what: string) {
    super({
      code: 'card_overdrawn',
      kind: 'conflict',
      title: 'Card overdrawn',
      resourceId: encodeId('crd', id),
      recovery: 'account_must_act',
      detail: `${encodeId('crd', id)} owes ${debt}: it cannot be ${what} before a load has paid that.`,
    });
  }
}

/** Due whatever an account's clock says. */
export const DUE_NOW = new Date(0);

export const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** How far ahead a time of now may be that another process wrote, by its own clock or a moment later. Milliseconds. */
const APART_MS = 60_000;

/** What was done after this is of later than now: the clock of a test account was reset since. */
export const presentUntil = (now: Date): Date => later(now, APART_MS);

/** When an issuer that gave no answer is asked again. */
export const checkAfter = (now: Date, checks: number): Date => later(now, checkDelayMs(checks));

const cards = rows(Card);

/** What becomes known of a card after it was asked for, as it is until then. */
export const LATER = {
  statusReason: null,
  issuerReference: null,
  issuerBehind: false,
  debt: 0n,
  last4: null,
  expMonth: null,
  expYear: null,
  expiresAt: null,
  checks: 0,
  notKnown: 0,
  review: null,
  reviews: 0,
  version: 1,
} satisfies Partial<Card>;

const LATER_FIELDS = Object.keys(LATER) as (keyof typeof LATER)[];

/** A card that is asked for. */
export const cardWrite = cards.insert({ except: [...LATER_FIELDS, 'declines'] });

// Whoever changes a card says which state it was in: of two who both think so, the second fails in the database.
const updateCard = cards.update({
  name: 'update_cards',
  change: ['status', ...LATER_FIELDS, 'askedAt', 'nextCheckAt', 'updatedAt'],
  was: ['status'],
  where: 't.version = v.version - 1',
});

/**
 * A changed card, of the next version: its state and what the issuer knows of it. The write fails when the stored one
 * is not in the state of `before`.
 */
export const cardChange = (card: Readonly<Card>, before: Pick<Card, 'status' | 'version'>): Write =>
  updateCard({ ...card, version: before.version + 1 }, before);

// Not only a check: of two postings in one batch that both read this card, the second fails.
const updateDebt = bulkUpdate(
  'cards',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    status: 'text',
    debt: 'bigint',
    debt_before: 'bigint',
    version: 'integer?',
  },
  {
    name: 'update_card_debts',
    key: ['account_id', 'livemode', 'id'],
    set: { debt: 'v.debt', version: 't.version + (v.debt <> v.debt_before)::integer' },
    where: 't.status = v.status AND t.debt = v.debt_before AND t.version = coalesce(v.version, t.version)',
  },
);

/**
 * What a card owes when it has paid some, or nothing, of it; minor units. Fails when the card is no longer in the state
 * in which it was read, or owes something else. Where an event tells of the card, `told`, it fails when anything of it
 * has changed: each version of a card is one state.
 */
export const debtPaid = (card: Readonly<Card>, paid: bigint, { told = false } = {}): Write =>
  updateDebt.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: card.id,
    status: card.status,
    debt: card.debt - paid,
    debt_before: card.debt,
    version: told ? card.version : null,
  });

/** Who changed a card, and why. */
export interface ChangedBy {
  readonly actor: CardActor;
  /** Public id of the API key, name of the person or of the issuer. */
  readonly actorId: string | null;
  /** A word; becomes `status_reason`. */
  readonly reason: string | null;
}

/** What an account does through its API key. */
export const byOwner = ({ keyId }: Pick<Caller, 'keyId'>, reason: string | null = null): ChangedBy => ({
  actor: 'account',
  actorId: keyId && encodeId('key', keyId),
  reason,
});

const insertTransition = bulkInsert('card_transitions', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  from_status: 'text?',
  to_status: 'text',
  actor: 'text',
  actor_id: 'text?',
  reason: 'text?',
});

/** A change of state, kept for good: belongs into the transaction of the change. `from` null: the card was made. */
export const transitionWrite = (
  card: Pick<Card, 'accountId' | 'livemode' | 'id' | 'status'>,
  from: CardStatus | null,
  { actor, actorId, reason }: ChangedBy,
): Write =>
  insertTransition.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: newIdOf(card.accountId),
    card_id: card.id,
    from_status: from,
    to_status: card.status,
    actor,
    actor_id: actorId,
    reason,
  });

const insertCall = bulkInsert('issuer_calls', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  issuer: 'text',
  call: 'text',
  outcome: 'text',
  code: 'text?',
  message: 'text?',
});

/** What an issuer answered. */
export const callWrite = (
  card: Readonly<Card>,
  call: 'issue' | 'find' | 'update' | 'dispute' | 'find_dispute' | 'withdraw_dispute',
  answer: { outcome: string; code?: string; message?: string },
): Write =>
  insertCall.row({
    account_id: card.accountId,
    livemode: card.livemode,
    id: newIdOf(card.accountId),
    card_id: card.id,
    issuer: card.issuer,
    call,
    outcome: answer.outcome,
    code: answer.code ?? null,
    message: answer.message ?? null,
  });

export type CardEventType =
  | 'card.issued'
  | 'card.issue_failed'
  | 'card.needs_review'
  | 'card.funded'
  | 'card.withdrawn'
  | 'card.frozen'
  | 'card.unfrozen'
  | 'card.blocked'
  | 'card.terminated'
  | 'card.expired'
  | 'card.overdrawn'
  | 'card.decline_warning';

/** What the ledger says of a card. */
export type CardBalance = Pick<CardRecord, 'available' | 'held' | 'seq'>;

/** Of a card that never had money. */
export const EMPTY: CardBalance = { available: 0n, held: 0n, seq: 0n };

export interface CardMoment {
  readonly account: CardBalance;
  readonly previous: CardStatus;
  /** Public id of the transaction that moved its money. */
  readonly transactionId?: string;
  /** Public id of the card transaction that overdrew it. */
  readonly cardTransactionId?: string;
}

/** `card.<what>`, with the card as it stands then. */
export function cardEvent(
  card: Readonly<Card>,
  type: CardEventType,
  origin: EventOrigin,
  { account, previous, transactionId, cardTransactionId }: CardMoment,
): Write {
  const { accountId, livemode, id } = card;
  const { available, held, seq } = account;
  const { id: _id, object: _object, livemode: _livemode, ...shown } = CardDto.of({ ...card, available, held, seq });
  const snapshot = {
    ...shown,
    previous_status: previous,
    ...(transactionId && { transaction_id: transactionId }),
    ...(cardTransactionId && { card_transaction_id: cardTransactionId }),
  };
  return eventWrite({ accountId, livemode, type, objectType: 'crd', objectId: id, snapshot, origin });
}

/** Undefined leaves a field as it is. */
export interface CardChanges {
  readonly label?: string | null;
  readonly metadata?: Record<string, string>;
  readonly spendingControls?: Controls;
}

export interface CardFilters {
  readonly status?: readonly CardStatus[];
  /** Whether it owes money. */
  readonly overdrawn?: boolean;
  readonly needs_review?: boolean;
  /** Public id. */
  readonly customer_id?: string;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
  readonly metadata?: Pairs;
}

/** Balances of cards, and in which version each is: account, mode, ids. */
const SELECT_BALANCES_OF_CARDS = `
  SELECT c.id, c.version, a.available, a.held, a.seq
    FROM cards c LEFT JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id
   WHERE c.account_id = $1 AND c.livemode = $2 AND c.id = ANY($3::uuid[])`;

/** Whose a card is: the ledger account of the same id tells. */
const SELECT_OWNER = `SELECT account_id AS "accountId", livemode FROM ledger_accounts WHERE id = $1 AND name = 'card'`;

/** Null: a card that never had money has no ledger account. */
type BalanceOfCard = Pick<Card, 'id' | 'version'> & Record<'available' | 'held' | 'seq', string | null>;

/** Reads cards with their balances and transitions, and changes what is only their owner's. */
@Injectable()
export class CardsService implements OnModuleInit {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    @InjectRepository(Card) private readonly cards: Repository<Card>,
    @InjectRepository(CardTransition) private readonly transitions: Repository<CardTransition>,
    private readonly rewinds: Rewinds,
  ) {}

  onModuleInit(): void {
    // The last day of a card stands on it, whatever the clock says.
    this.rewinds.include({
      table: 'cards',
      columns: ['next_check_at', 'asked_at'],
      where: 'next_check_at IS DISTINCT FROM expires_at',
    });
    this.rewinds.include({ table: 'card_reveals', columns: ['expires_at'], where: 'used_at IS NULL' });
    this.rewinds.include({ table: 'sandbox_cards', columns: ['ready_at'], where: 'ready_at > now() + $2::interval' });
  }

  /** The caller's card. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<CardRecord> {
    const card = found(id === null ? null : await this.cards.findOneBy({ accountId, livemode, id }), 'card');
    return (await this.withBalances({ accountId, livemode }, [card]))[0]!;
  }

  /** Any card of the platform by its id alone: for operators. Throws `NotFound`. */
  async requireAny(id: string): Promise<CardRecord> {
    const [owner]: Viewer[] = await this.cards.query(SELECT_OWNER, [id]);
    return this.require(found(owner, 'card'), id);
  }

  /** Whether a card of the account is the issuer's of this name. */
  isTaken(what: Pick<Card, 'accountId' | 'livemode' | 'issuer'> & { issuerReference: string }): Promise<boolean> {
    return this.cards.existsBy(what);
  }

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: CardFilters,
    before: string | null,
    take: number,
  ): Promise<CardRecord[]> {
    const { status, overdrawn, needs_review: isReviewed, created_gte: from, created_lt: to } = filters;
    const { customer_id: customer } = filters;
    const customerId = customer === undefined ? undefined : decodeId('cus', customer);
    if (customerId === null) return [];
    const query = this.cards
      .createQueryBuilder('c')
      .where('c.account_id = :accountId AND c.livemode = :livemode', { accountId, livemode });
    if (status !== undefined) query.andWhere('c.status IN (:...status)', { status });
    if (overdrawn !== undefined) query.andWhere(overdrawn ? 'c.debt > 0' : 'c.debt = 0');
    if (isReviewed !== undefined) query.andWhere(`c.review IS ${isReviewed ? 'NOT ' : ''}NULL`);
    if (customerId !== undefined) query.andWhere('c.customer_id = :customerId', { customerId });
    if (before !== null) query.andWhere('c.id < :before', { before });
    if (from !== undefined) query.andWhere('c.id >= :from', { from: lowestIdAt(from) });
    if (to !== undefined) query.andWhere('c.id < :to', { to: lowestIdAt(to) });
    query.orderBy('c.id', 'DESC').take(take);
    const owner = { accountId, livemode };
    return this.withBalances(owner, await rowsWith(query, filters.metadata, owner, before));
  }

  /** What happened to its state, newest first, below the uuid `before`. */
  listTransitions(
    { accountId, livemode, id: cardId }: Key,
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
  ): Promise<Made<CardRecord>> {
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

  /** As cards and ledger accounts stood together: a card that has changed between the statements is read again. */
  private async withBalances(owner: Viewer, cards: readonly Card[]): Promise<CardRecord[]> {
    if (cards.length === 0) return [];
    const { accountId, livemode } = owner;
    const ids = cards.map(({ id }) => id);
    const rows: BalanceOfCard[] = await this.cards.query(SELECT_BALANCES_OF_CARDS, [accountId, livemode, ids]);
    const balances = new Map(rows.map((row) => [row.id, row]));
    const changed = cards.filter(({ id, version }) => balances.get(id)!.version !== version).map(({ id }) => id);
    const anew = changed.length === 0 ? [] : await this.cards.findBy({ accountId, livemode, id: In(changed) });
    const records = new Map((await this.withBalances(owner, anew)).map((record) => [record.id, record]));
    return cards.map((card) => records.get(card.id) ?? { ...card, ...balanceOf(balances.get(card.id)!) });
  }
}

const balanceOf = ({ available, held, seq }: BalanceOfCard): CardBalance => ({
  available: BigInt(available ?? 0),
  held: BigInt(held ?? 0),
  seq: BigInt(seq ?? 0),
});
