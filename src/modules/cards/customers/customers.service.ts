import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { JsonContains, LessThan, type Repository } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import type { Write } from '../../../core/database/bulk';
import type { Pairs } from '../../../core/database/metadata';
import { rows } from '../../../core/database/rows';
import { fullOf, hasRoom, type Quota, requireRoom } from '../../../core/database/quota';
import { UnitOfWork } from '../../../core/database/unit-of-work';
import { DomainError, found } from '../../../core/errors/domain-error';
import type { Caller, Key } from '../../../core/http/caller';
import { encodeId, lowestIdAt, newIdOf } from '../../../core/http/ids';
import type { Made, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import { displayMoney } from '../../../core/money/money';
import type { Viewer } from '../../../core/resources/resources';
import { SecretBox } from '../../../core/secrets/secret-box';
import type { Card, CardStatus } from '../card.entity';
import type { Address, Identity } from '../card-issuer';
import { debtPaidBy } from '../money/card-postings';
import { Customer, UNVERIFIED } from './customer.entity';
import { KycTierLimits } from './kyc-tier-limits.entity';

/** What was personal of the cardholder is gone for good. */
export class CustomerAnonymized extends DomainError {
  constructor(id: string, param: string | null = null) {
    super({
      code: 'customer_anonymized',
      kind: 'conflict',
      title: 'Cardholder is anonymized',
      resourceId: encodeId('cus', id),
      param,
      recovery: 'none',
      detail: `${encodeId('cus', id)} was anonymized: it cannot be changed and gets no cards.`,
    });
  }
}

/** Nobody vouches for who is to hold a live card. */
export class CustomerNotVerified extends DomainError {
  /** `customer`: null when they are sent with the card. */
  constructor(customer: Pick<Customer, 'id' | 'kycStatus'> | null) {
    const id = customer && encodeId('cus', customer.id);
    super({
      code: 'customer_not_verified',
      kind: 'unprocessable',
      title: 'Cardholder is not verified',
      resourceId: id,
      param: customer ? '/customer_id' : '/customer',
      recovery: 'account_must_act',
      detail: customer
        ? `${id} is ${customer.kycStatus}: live cards are for verified cardholders. POST /v4/customers/${id}/verify.`
        : 'Live cards are for verified cardholders: register the customer, have them verified, and send customer_id.',
    });
  }
}

type LimitName = 'cards' | 'single' | 'daily' | 'balance';

/** More than cardholders that are known so far may have. */
class KycLimitExceeded extends DomainError {
  /** `who`: the field that says whose card it is. */
  constructor(name: LimitName, { tier, max, left, who }: { tier: number; max: bigint; left: bigint; who: string }) {
    const rest = left < 0n ? 0n : left;
    const [most, more] = [max, rest].map((amount) => displayMoney({ amount, currency: CARD_CURRENCY }));
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
      param: name === 'cards' ? who : '/amount',
      detail: `Cardholders of tier ${tier} ${says[name]}`,
      figures: { max: rest },
    });
  }
}

export interface NewCustomer {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string;
  /** `YYYY-MM-DD`. */
  readonly dateOfBirth: string;
  readonly address: Address;
  readonly identity: Identity;
  readonly metadata: Record<string, string>;
}

/** Undefined leaves a field as it is. */
export type CustomerChanges = { readonly [K in keyof NewCustomer]?: NewCustomer[K] | undefined };

export interface CustomerFilters {
  readonly metadata?: Pairs;
  readonly kyc_tier?: Customer['kycTier'];
}

/** Whoever has a live card is known to be who they say. */
export const mayHoldCards = ({ livemode, kycStatus }: Pick<Customer, 'livemode' | 'kycStatus'>): boolean =>
  !livemode || kycStatus === 'verified';

const SHOWN_MAX = 4;

export const customerWrite = rows(Customer).insert({
  except: ['version', 'anonymizedAt', 'kycStatus', 'kycTier', 'kycChecks', 'kycReviews', 'cardLoads'],
});

/** A load, as it is counted: what comes onto the card, in minor units. */
interface Load {
  readonly amount: bigint;
  /** Null: the card is new. */
  readonly cardId: string | null;
}

/** What a cardholder may have by how far they are known, and what of it is used. Minor units; null: no limit. */
export interface Allowance {
  readonly tier: number;
  readonly cardsMax: number | null;
  readonly cards: number;
  readonly loadSingleMax: bigint | null;
  readonly loadDailyMax: bigint | null;
  /** Within 24 hours. */
  readonly loaded: bigint;
  readonly balanceMax: bigint | null;
}

const CARD_CURRENCY = 'USD';
const DAY_MS = 24 * 3_600_000;
const ENDED: readonly CardStatus[] = ['failed', 'terminated', 'expired'];

// A change of the tier meanwhile fails it, too: other limits count then.
const loadCount = rows(Customer).update({
  name: 'count_card_loads',
  change: ['cardLoads'],
  was: ['cardLoads', 'kycTier'],
});

interface CardState {
  readonly id: string;
  readonly status: CardStatus;
}

const openOf = (cards: readonly CardState[]): number => cards.filter(({ status }) => !ENDED.includes(status)).length;

const SELECT_BALANCE = 'SELECT available + held AS balance FROM ledger_accounts WHERE account_id = $1 AND id = $2';

const SELECT_CARDS = `SELECT id, status FROM cards WHERE account_id = $1 AND livemode = $2 AND customer_id = $3`;

/** What came onto cards since an id, in minor units: not what paid a debt or a clearing, nor what came to nothing. */
const SELECT_LOADED = `
  SELECT coalesce(sum(coalesce((details->'conversion'->>'amount')::bigint, amount)
           - coalesce((details->>'debt_paid')::bigint, 0)), 0) AS loaded FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND type IN ('card_issue', 'card_funding') AND recipient = ANY ($3)
     AND id >= $4 AND status NOT IN ('failed', 'cancelled', 'reversed')
     AND NOT coalesce(details ? 'card_transaction_id', false)`;

/** Cardholders, and what they may have on cards by how far they are known. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly secrets: SecretBox,
    @InjectRepository(Customer) private readonly customers: Repository<Customer>,
    @InjectRepository(KycTierLimits) private readonly limits: Repository<KycTierLimits>,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** Throws `LimitExceeded`, `IdempotencyKeyReused`. */
  async create(caller: Caller, given: NewCustomer, request: RequestClaim): Promise<Made<Customer>> {
    const customer = this.rowOf(caller, given);
    const { accountId, livemode } = caller;
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: null,
      resource: 'cus',
      resourceId: customer.id,
    } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      await requireRoom(tx, this.quota, caller);
      await this.unitOfWork.write(tx, [customerWrite(customer)]);
    });
    return { made: replay ? await this.require(caller, replay.resourceId) : customer, replayedBy: replay?.by ?? null };
  }

  /** Throws `NotFound`, `CustomerAnonymized`, `IdempotencyKeyReused`. */
  async update(
    caller: Caller,
    customerId: string | null,
    { identity, ...changes }: CustomerChanges,
    request: RequestClaim,
  ): Promise<Made<Customer>> {
    const { accountId, livemode, id } = await this.require(caller, customerId);
    const claim = { accountId, livemode, ...request, reference: null, resource: 'cus', resourceId: id } as const;
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const replay = await this.idempotency.once(claim, async (tx) => {
      const key = { accountId, livemode, id };
      const before = found(await tx.findOne(Customer, { where: key, lock: { mode: 'pessimistic_write' } }), 'customer');
      if (before.anonymizedAt !== null) throw new CustomerAnonymized(id);
      await tx.update(Customer, key, {
        ...given,
        ...(identity && this.sealed(id, identity)),
        ...(this.isAnother(before, { ...changes, identity }) && UNVERIFIED),
        version: before.version + 1,
        updatedAt: new Date(),
      });
    });
    return { made: await this.require(caller, id), replayedBy: replay?.by ?? null };
  }

  /** The caller's customer. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null, param: string | null = null): Promise<Customer> {
    return found(id === null ? null : await this.customers.findOneBy({ accountId, livemode, id }), 'customer', param);
  }

  /** Newest first, below the uuid `before`. */
  list(
    { accountId, livemode }: Viewer,
    { metadata, kyc_tier: kycTier }: CustomerFilters,
    before: string | null,
    take: number,
  ): Promise<Customer[]> {
    return this.customers.find({
      where: {
        accountId,
        livemode,
        ...(before && { id: LessThan(before) }),
        ...(kycTier !== undefined && { kycTier }),
        ...(metadata && { metadata: JsonContains(metadata) }),
      },
      order: { id: 'DESC' },
      take,
    });
  }

  /**
   * Throws `LimitExceeded` when there is no room for a new one, as it is now: who is written with a card waits for
   * nobody.
   */
  async requireRoom(viewer: Viewer): Promise<void> {
    if (!(await hasRoom(this.customers, this.quota, viewer))) throw fullOf(this.quota);
  }

  /** Whether what a verification was about is changed. */
  private isAnother(
    before: Readonly<Customer>,
    { firstName = before.firstName, lastName = before.lastName, dateOfBirth, identity }: CustomerChanges,
  ): boolean {
    if (firstName !== before.firstName || lastName !== before.lastName) return true;
    if (dateOfBirth !== undefined && dateOfBirth !== before.dateOfBirth) return true;
    const known = this.identityOf(before);
    return identity !== undefined && (identity.type !== known.type || identity.number !== known.number);
  }

  private get quota(): Quota {
    return { table: 'customers', of: 'cardholders', max: this.env.CUSTOMERS_MAX };
  }

  /** A new customer as it is stored, not stored yet. */
  rowOf({ accountId, livemode, requestId }: Caller, { identity, ...given }: NewCustomer): Customer {
    const id = newIdOf(accountId);
    return {
      accountId,
      livemode,
      id,
      ...given,
      ...this.sealed(id, identity),
      version: 1,
      requestId,
      anonymizedAt: null,
      ...UNVERIFIED,
      kycReviews: 0,
      cardLoads: 0n,
      updatedAt: new Date(),
    };
  }

  /** For issuers, and for who verifies identities. */
  identityOf({ id, identityType, identityNumber }: Readonly<Customer>): Identity {
    return { type: identityType, number: this.secrets.open(identityNumber, id) };
  }

  /** As it is stored: sealed, and the end of it to be shown. */
  sealed(id: string, { type, number }: Identity): Pick<Customer, 'identityType' | 'identityNumber' | 'identityMasked'> {
    const shown = Math.min(SHOWN_MAX, Math.floor(number.length / 3));
    return {
      identityType: type,
      identityNumber: this.secrets.seal(number, id),
      identityMasked: `****${number.slice(-shown)}`,
    };
  }

  /**
   * The rows that count a load of `amount`, to be written with it: of two at once the second then fails, and is to be
   * asked for anew. What pays the card's debt is no load. Throws `KycLimitExceeded`.
   */
  async countLoad(card: Readonly<Card>, amount: bigint): Promise<Write[]> {
    const loaded = amount - debtPaidBy(amount, card);
    if (loaded === 0n) return [];
    const customer = await this.require(card, card.customerId);
    return this.counted(customer, { amount: loaded, cardId: card.id }, { isNew: false });
  }

  /**
   * The same for a card that is asked for, with its first load. `customer` is as it was read before; `isNew`: they are
   * made with the card. Throws `KycLimitExceeded`.
   */
  countIssue(customer: Readonly<Customer>, amount: bigint, { isNew }: { isNew: boolean }): Promise<Write[]> {
    return this.counted(customer, { amount, cardId: null }, { isNew });
  }

  /** Throws `NotFound`. */
  async allowanceOf(viewer: Viewer, id: string | null): Promise<Allowance> {
    const customer = await this.require(viewer, id);
    const { accountId, livemode, kycTier: tier } = customer;
    const limits = await this.limits.findOneBy({ livemode, tier, currency: CARD_CURRENCY });
    const cards = await this.cardsOf({ accountId, livemode, id: customer.id });
    return {
      tier,
      cardsMax: limits?.cardsMax ?? null,
      cards: openOf(cards),
      loadSingleMax: limits?.loadSingleMax ?? null,
      loadDailyMax: limits?.loadDailyMax ?? null,
      loaded: await this.loadedOf(customer, cards),
      balanceMax: limits?.balanceMax ?? null,
    };
  }

  private cardsOf({ accountId, livemode, id }: Key): Promise<CardState[]> {
    return this.limits.query(SELECT_CARDS, [accountId, livemode, id]);
  }

  /** All of this is read after the customer: who counts between their row and ours makes ours fail. */
  private async counted(customer: Readonly<Customer>, load: Load, { isNew }: { isNew: boolean }): Promise<Write[]> {
    const { accountId, livemode, kycTier: tier } = customer;
    const limits = await this.limits.findOneBy({ livemode, tier, currency: CARD_CURRENCY });
    if (limits === null) return [];
    const { cardsMax, loadSingleMax, loadDailyMax, balanceMax } = limits;
    const who = isNew ? '/customer' : '/customer_id';
    const admit = (name: LimitName, max: bigint | null, used: bigint, more: bigint): void => {
      if (max !== null && used + more > max) throw new KycLimitExceeded(name, { tier, max, left: max - used, who });
    };
    admit('single', loadSingleMax, 0n, load.amount);
    const cards = isNew ? [] : await this.cardsOf({ accountId, livemode, id: customer.id });
    if (load.cardId === null) admit('cards', cardsMax === null ? null : BigInt(cardsMax), BigInt(openOf(cards)), 1n);
    admit('balance', balanceMax, await this.balanceOf(accountId, load.cardId), load.amount);
    if (loadDailyMax !== null) admit('daily', loadDailyMax, await this.loadedOf(customer, cards), load.amount);
    // Nobody else knows somebody who is made with the card.
    return isNew ? [] : [loadCount({ ...customer, cardLoads: customer.cardLoads + 1n }, customer)];
  }

  private async balanceOf(accountId: string, cardId: string | null): Promise<bigint> {
    if (cardId === null) return 0n;
    const [row]: { balance: string }[] = await this.limits.query(SELECT_BALANCE, [accountId, cardId]);
    return BigInt(row!.balance);
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
