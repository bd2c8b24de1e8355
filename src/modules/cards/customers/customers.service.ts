import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { JsonContains, LessThan, type Repository } from 'typeorm';
import { Env } from '../../../core/config/env';
import type { Pairs } from '../../../core/database/metadata';
import { rows } from '../../../core/database/rows';
import { fullOf, hasRoom, type Quota, requireRoom } from '../../../core/database/quota';
import { UnitOfWork } from '../../../core/database/unit-of-work';
import { DomainError, found } from '../../../core/errors/domain-error';
import type { Caller } from '../../../core/http/caller';
import { encodeId, newId } from '../../../core/http/ids';
import type { Made, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import type { Viewer } from '../../../core/resources/resources';
import { SecretBox } from '../../../core/secrets/secret-box';
import type { Address, Identity } from '../card-issuer';
import { Customer, UNVERIFIED } from './customer.entity';

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

/** Cardholders. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly secrets: SecretBox,
    @InjectRepository(Customer) private readonly customers: Repository<Customer>,
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
    const id = newId();
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
}
