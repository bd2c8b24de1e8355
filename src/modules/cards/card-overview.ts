import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { found } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { decodeId, HIGHEST_ID, lowestIdAt } from '../../core/http/ids';
import type { Currency } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { type SummedInterval, startOf } from './authorizations.service';
import { CardTransaction, type CardTransactionStatus, type CardTransactionType } from './card-transaction.entity';
import { Card } from './card.entity';
import { presentUntil } from './cards.service';
import { KYC_STATUSES, type KycStatus } from './customers/customer.entity';
import { type Allowance, CustomersService } from './customers/customers.service';
import type { KycTier } from './kyc-tier';

/** What a cardholder may have. */
export type CustomerAllowance = Allowance;

export const CUSTOMER_STATES = KYC_STATUSES;

/** What people look for among cardholders. */
export interface CustomerSearch {
  /** Part of a name, an e-mail address, a phone number; or an id. */
  readonly q?: string;
  readonly kyc_status?: readonly KycStatus[];
  readonly kyc_tier?: 0 | KycTier;
  readonly needs_review?: boolean;
}

/** A cardholder as a list shows them. */
export interface CustomerRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly kycStatus: KycStatus;
  readonly kycTier: number;
  readonly needsReview: boolean;
  readonly cards: number;
  readonly anonymized: boolean;
}

/** What people look for among what was done with cards. Amounts in minor units, times as the service's own. */
export interface UsesSearch {
  readonly status?: readonly CardTransactionStatus[];
  readonly type?: readonly CardTransactionType[];
  /** Public ids. */
  readonly card_id?: string;
  readonly customer_id?: string;
  readonly dispute_id?: string;
  /** Part of the merchant's name. */
  readonly merchant?: string;
  readonly mcc?: string;
  readonly country?: string;
  readonly amount_gte?: number;
  readonly amount_lte?: number;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

export interface CategorySpending {
  /** Null: nobody was told. */
  readonly mcc: string | null;
  readonly count: number;
  readonly amount: bigint;
}

export interface CardSpending {
  readonly currency: Currency;
  /** By the account's clock. */
  readonly since: Date;
  readonly categories: readonly CategorySpending[];
  /** What counts against limits of the intervals that are under way. */
  readonly used: Readonly<Record<SummedInterval, bigint>>;
}

const SPENDING_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** What a limit counts of a card transaction; nothing where it was declined. */
const COUNTED = `over + CASE WHEN decline_reason IS NULL THEN amount - released ELSE 0 END`;
const OF_CARD = `FROM card_transactions
   WHERE account_id = $1 AND livemode = $2 AND card_id = $3 AND type IN ('authorization', 'clearing')`;

/** What is held and was taken since a moment, less what came back, by category: account, mode, card, moment. */
const SELECT_CATEGORIES = `
  SELECT mcc, count(*)::integer AS count, sum(${COUNTED} - refunded)::text AS amount ${OF_CARD} AND made_at >= $4
   GROUP BY mcc HAVING sum(${COUNTED} - refunded) > 0 ORDER BY sum(${COUNTED} - refunded) DESC, mcc`;

/** Account, mode, card, starts of day, week and month, and when the present ends. */
const SELECT_USED = `
  SELECT coalesce(sum(${COUNTED}) FILTER (WHERE made_at >= $4 AND made_at <= $7), 0)::text AS daily,
         coalesce(sum(${COUNTED}) FILTER (WHERE made_at >= $5 AND made_at <= $7), 0)::text AS weekly,
         coalesce(sum(${COUNTED}) FILTER (WHERE made_at >= $6 AND made_at <= $7), 0)::text AS monthly,
         coalesce(sum(${COUNTED}), 0)::text AS all_time ${OF_CARD}`;

/** Account, mode, pattern, id, states, tier, review. */
const WANTED = `FROM customers c WHERE c.account_id = $1 AND c.livemode = $2
     AND ($3::text IS NULL OR concat_ws(E'\\n', c.first_name || ' ' || c.last_name, c.email, c.phone) ILIKE $3
       OR c.id = $4::uuid)
     AND ($5::text[] IS NULL OR c.kyc_status = ANY ($5)) AND ($6::integer IS NULL OR c.kyc_tier = $6)
     AND ($7::boolean IS NULL OR (c.kyc_review IS NOT NULL) = $7)`;
const SELECT_CUSTOMERS = `
  SELECT c.id, concat_ws(' ', c.first_name, c.last_name) AS name, c.email, c.phone, c.kyc_status AS "kycStatus",
         c.kyc_tier AS "kycTier", c.kyc_review IS NOT NULL AS "needsReview",
         c.anonymized_at IS NOT NULL AS anonymized,
         (SELECT count(*)::integer FROM cards k WHERE k.account_id = c.account_id AND k.livemode = c.livemode
           AND k.customer_id = c.id AND k.status NOT IN ('failed', 'terminated', 'expired')) AS cards
  ${WANTED} AND c.id < $8 ORDER BY c.id DESC LIMIT $9`;
const COUNT_CUSTOMERS = `SELECT count(*)::integer AS count ${WANTED}`;

const SELECT_CARDS_OF = 'SELECT id FROM cards WHERE account_id = :accountId AND customer_id = :customerId';

const patternOf = (part: string): string => `%${part.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Cardholders and uses of all cards of an account as people look for them, and what a card was used for. */
@Injectable()
export class CardOverview {
  constructor(
    @InjectRepository(Card) private readonly cards: Repository<Card>,
    @InjectRepository(CardTransaction) private readonly uses: Repository<CardTransaction>,
    private readonly customers: CustomersService,
    private readonly clock: Clock,
  ) {}

  /** Newest first, below the uuid `before`. */
  listCustomers(viewer: Viewer, search: CustomerSearch, before: string | null, take: number): Promise<CustomerRow[]> {
    return this.cards.query(SELECT_CUSTOMERS, [...valuesOf(viewer, search), before ?? HIGHEST_ID, take]);
  }

  /** How many there are on all pages. */
  async countCustomers(viewer: Viewer, search: CustomerSearch): Promise<number> {
    const [row] = (await this.cards.query(COUNT_CUSTOMERS, valuesOf(viewer, search))) as [{ count: number }];
    return row.count;
  }

  /** What a cardholder may have, and has. Throws `NotFound`. */
  allowance(viewer: Viewer, publicId: string): Promise<Allowance> {
    return this.customers.allowanceOf(viewer, decodeId('cus', publicId));
  }

  /** What was done with all cards, newest first, below the uuid `before`. */
  async listUses(
    { accountId, livemode }: Viewer,
    search: UsesSearch,
    before: string | null,
    take: number,
  ): Promise<CardTransaction[]> {
    const query = this.uses
      .createQueryBuilder('t')
      .where('t.account_id = :accountId AND t.livemode = :livemode', { accountId, livemode })
      .orderBy('t.id', 'DESC')
      .take(take);
    if (before) query.andWhere('t.id < :before', { before });
    return narrow(query, search) ? query.getMany() : [];
  }

  /** Throws `NotFound`. */
  async use({ accountId, livemode }: Viewer, publicId: string): Promise<CardTransaction> {
    const id = decodeId('ctx', publicId);
    return found(id === null ? null : await this.uses.findOneBy({ accountId, livemode, id }), 'card transaction');
  }

  /** What a card was used for within 30 days, and what of its limits is used. Throws `NotFound`. */
  async spending({ accountId, livemode }: Viewer, publicId: string): Promise<CardSpending> {
    const id = decodeId('crd', publicId);
    const { currency } = found(id === null ? null : await this.cards.findOneBy({ accountId, livemode, id }), 'card');
    const now = await this.clock.now({ accountId, livemode });
    const since = new Date(now.getTime() - SPENDING_DAYS * DAY_MS);
    const card: Key = { accountId, livemode, id: id! };
    const [categories, used] = await Promise.all([this.categories(card, since), this.used(card, now)]);
    return { currency, since, categories, used };
  }

  private async categories({ accountId, livemode, id }: Key, since: Date): Promise<CategorySpending[]> {
    const rows: { mcc: string | null; count: number; amount: string }[] = await this.uses.query(SELECT_CATEGORIES, [
      accountId,
      livemode,
      id,
      since,
    ]);
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  }

  private async used({ accountId, livemode, id }: Key, now: Date): Promise<CardSpending['used']> {
    const starts = (['daily', 'weekly', 'monthly'] as const).map((interval) => startOf(interval, now));
    const values = [accountId, livemode, id, ...starts, presentUntil(now)];
    const [row] = (await this.uses.query(SELECT_USED, values)) as [Record<SummedInterval, string>];
    const { daily, weekly, monthly, all_time } = row;
    return { daily: BigInt(daily), weekly: BigInt(weekly), monthly: BigInt(monthly), all_time: BigInt(all_time) };
  }
}

function valuesOf({ accountId, livemode }: Viewer, search: CustomerSearch): unknown[] {
  const { q, kyc_status: states, kyc_tier: tier, needs_review: review } = search;
  const text = q?.trim() || null;
  return [
    accountId,
    livemode,
    text && patternOf(text),
    text && decodeId('cus', text),
    states ?? null,
    tier ?? null,
    review ?? null,
  ];
}

/** False: nothing can match. */
function narrow(query: SelectQueryBuilder<CardTransaction>, search: UsesSearch): boolean {
  const cardId = search.card_id === undefined ? undefined : decodeId('crd', search.card_id);
  const customerId = search.customer_id === undefined ? undefined : decodeId('cus', search.customer_id);
  const disputeId = search.dispute_id === undefined ? undefined : decodeId('dsp', search.dispute_id);
  if (cardId === null || customerId === null || disputeId === null) return false;
  if (cardId !== undefined) query.andWhere('t.card_id = :cardId', { cardId });
  if (customerId !== undefined) query.andWhere(`t.card_id IN (${SELECT_CARDS_OF})`, { customerId });
  if (disputeId !== undefined) query.andWhere('t.dispute_id = :disputeId', { disputeId });
  if (search.status) query.andWhere('t.status IN (:...status)', { status: search.status });
  if (search.type) query.andWhere('t.type IN (:...type)', { type: search.type });
  if (search.merchant)
    query.andWhere(`t.merchant ->> 'name' ILIKE :merchant`, { merchant: patternOf(search.merchant) });
  if (search.mcc) query.andWhere('t.mcc = :mcc', { mcc: search.mcc });
  if (search.country) query.andWhere(`t.merchant ->> 'country' = :country`, { country: search.country });
  if (search.amount_gte !== undefined) query.andWhere('t.amount >= :least', { least: search.amount_gte });
  if (search.amount_lte !== undefined) query.andWhere('t.amount <= :most', { most: search.amount_lte });
  // Ids carry the time of creation: a bound on time is a bound on the primary key.
  if (search.created_gte) query.andWhere('t.id >= :from', { from: lowestIdAt(search.created_gte) });
  if (search.created_lt) query.andWhere('t.id < :to', { to: lowestIdAt(search.created_lt) });
  return true;
}
