import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import type { Tx } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import { encodeId, lowestIdAt } from '../../core/http/ids';
import { displayMoney } from '../../core/money/money';
import type { Card, CardStatus } from './card.entity';
import { type BalanceRow, SELECT_BALANCES } from './cards.service';
import { Customer } from './customers/customer.entity';
import { KycTierLimits } from './customers/kyc-tier-limits.entity';
import { CustomersService } from './customers/customers.service';
import { debtPaidBy } from './money/card-postings';

export type TierLimits = Pick<KycTierLimits, 'cardsMax' | 'loadSingleMax' | 'loadDailyMax' | 'balanceMax'>;
export type TierKey = Pick<KycTierLimits, 'livemode' | 'tier'>;

/** A load, as it is counted: what comes onto the card, in minor units. */
interface Load {
  readonly amount: bigint;
  /** Null: the card is new. */
  readonly cardId: string | null;
}

type LimitName = 'cards' | 'single' | 'daily' | 'balance';

const CURRENCY = 'USD';
const DAY_MS = 24 * 3_600_000;
const ENDED: readonly CardStatus[] = ['failed', 'terminated', 'expired'];

// A change of the tier meanwhile fails it, too: other limits count then.
const countLoad = rows(Customer).update({
  name: 'count_card_loads',
  change: ['cardLoads'],
  was: ['cardLoads', 'kycTier'],
});

const SELECT_CARDS = `SELECT id, status FROM cards WHERE account_id = $1 AND livemode = $2 AND customer_id = $3`;

/** What came onto cards since an id, in minor units: not what paid a debt or a clearing, nor what came to nothing. */
const SELECT_LOADED = `
  SELECT coalesce(sum(amount - coalesce((details->>'debt_paid')::bigint, 0)), 0) AS loaded FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND type IN ('card_issue', 'card_funding') AND recipient = ANY ($3)
     AND id >= $4 AND status NOT IN ('failed', 'cancelled', 'reversed')
     AND NOT coalesce(details ? 'card_transaction_id', false)`;

/** How many cards cardholders may have, and what may be loaded onto them, by how far the holders are known. */
@Injectable()
export class KycLimits {
  constructor(
    @InjectRepository(KycTierLimits) private readonly limits: Repository<KycTierLimits>,
    private readonly customers: CustomersService,
    private readonly clock: Clock,
  ) {}

  /**
   * The rows that count a load of `amount`, to be written with it: of two at once the second then fails, and is to be
   * asked for anew. What pays the card's debt is no load. Throws `KycLimitExceeded`.
   */
  async ofLoad(card: Readonly<Card>, amount: bigint): Promise<Write[]> {
    const loaded = amount - debtPaidBy(amount, card);
    if (loaded === 0n) return [];
    const customer = await this.customers.require(card, card.customerId);
    return this.counted(customer, { amount: loaded, cardId: card.id }, { isNew: false });
  }

  /**
   * The same for a card that is asked for, with its first load. `customer` is as it was read before; `isNew`: they are
   * made with the card. Throws `KycLimitExceeded`.
   */
  ofIssue(customer: Readonly<Customer>, amount: bigint, { isNew }: { isNew: boolean }): Promise<Write[]> {
    return this.counted(customer, { amount, cardId: null }, { isNew });
  }

  /** By mode and tier; what is not there has no limit. */
  list(): Promise<KycTierLimits[]> {
    return this.limits.find({ order: { livemode: 'DESC', tier: 'ASC' } });
  }

  /**
   * Counts from the next card or load on. For operators: no running process of the service may. Gives what held before.
   */
  async set(
    tx: Tx,
    { livemode, tier }: TierKey,
    { cardsMax, loadSingleMax, loadDailyMax, balanceMax }: TierLimits,
    { person, reason }: Pick<KycTierLimits, 'person' | 'reason'>,
  ): Promise<TierLimits | null> {
    const before = await tx.findOneBy(KycTierLimits, { livemode, tier, currency: CURRENCY });
    await tx.query(
      `INSERT INTO kyc_tier_limits (livemode, tier, currency, cards_max, load_single_max, load_daily_max, balance_max,
                                    person, reason)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT ON CONSTRAINT kyc_tier_limits_pkey DO UPDATE SET cards_max = excluded.cards_max,
         load_single_max = excluded.load_single_max, load_daily_max = excluded.load_daily_max,
         balance_max = excluded.balance_max, person = excluded.person, reason = excluded.reason, set_at = now()`,
      [
        livemode,
        tier,
        CURRENCY,
        cardsMax,
        ...[loadSingleMax, loadDailyMax, balanceMax].map((amount) => amount?.toString()),
        person,
        reason,
      ],
    );
    return before;
  }

  /** All of this is read after the customer: who counts between their row and ours makes ours fail. */
  private async counted(customer: Readonly<Customer>, load: Load, { isNew }: { isNew: boolean }): Promise<Write[]> {
    const { accountId, livemode, kycTier: tier } = customer;
    const limits = await this.limits.findOneBy({ livemode, tier, currency: CURRENCY });
    if (limits === null) return [];
    const { cardsMax, loadSingleMax, loadDailyMax, balanceMax } = limits;
    const admit = (name: LimitName, max: bigint | null, used: bigint, more: bigint): void => {
      if (max !== null && used + more > max) throw new KycLimitExceeded(name, { tier, max, left: max - used });
    };
    admit('single', loadSingleMax, 0n, load.amount);
    const cards: { id: string; status: CardStatus }[] = isNew
      ? []
      : await this.limits.query(SELECT_CARDS, [accountId, livemode, customer.id]);
    const open = cards.filter(({ status }) => !ENDED.includes(status)).length;
    if (load.cardId === null) admit('cards', cardsMax === null ? null : BigInt(cardsMax), BigInt(open), 1n);
    admit('balance', balanceMax, await this.balanceOf(accountId, load.cardId), load.amount);
    if (loadDailyMax !== null) admit('daily', loadDailyMax, await this.loadedOf(customer, cards), load.amount);
    // Nobody else knows somebody who is made with the card.
    return isNew ? [] : [countLoad({ ...customer, cardLoads: customer.cardLoads + 1n }, customer)];
  }

  private async balanceOf(accountId: string, cardId: string | null): Promise<bigint> {
    if (cardId === null) return 0n;
    const [row]: BalanceRow[] = await this.limits.query(SELECT_BALANCES, [accountId, [cardId]]);
    return BigInt(row!.available) + BigInt(row!.held);
  }

  /** Within 24 hours of the account's clock. */
  private async loadedOf(owner: Readonly<Customer>, cards: readonly { id: string }[]): Promise<bigint> {
    const since = new Date((await this.clock.now(owner)).getTime() - DAY_MS);
    const times = await this.clock.times(owner);
    const [row]: { loaded: string }[] = await this.limits.query(SELECT_LOADED, [
      owner.accountId,
      owner.livemode,
      cards.map(({ id }) => encodeId('crd', id)),
      lowestIdAt(times === null ? since : times.from(since)),
    ]);
    return BigInt(row!.loaded);
  }
}

/** More than cardholders that are known so far may have. */
class KycLimitExceeded extends DomainError {
  constructor(name: LimitName, { tier, max, left }: { tier: number; max: bigint; left: bigint }) {
    const rest = left < 0n ? 0n : left;
    const [most, more] = [max, rest].map((amount) => displayMoney({ amount, currency: CURRENCY }));
    const says: Record<LimitName, string> = {
      cards: `may have ${max} cards at once, of which ${rest} are left.`,
      single: `may have at most ${most} loaded at once.`,
      daily: `may have ${most} loaded within 24 hours, onto all of their cards, of which ${more} are left.`,
      balance: `may have ${most} on a card, of which ${more} are left.`,
    };
    super({
      code: 'limit_exceeded',
      kind: 'payment_required',
      title: 'Limit exceeded',
      param: name === 'cards' ? '/customer_id' : '/amount',
      detail: `Cardholders of tier ${tier} ${says[name]}`,
      figures: { max: rest },
    });
  }
}
