import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock, Rewinds } from '../../../core/clock/clock';
import { unnested, type Write } from '../../../core/database/bulk';
import { rows } from '../../../core/database/rows';
import { retryAway, retryChanged, UnitOfWork } from '../../../core/database/unit-of-work';
import type { Caller, Key } from '../../../core/http/caller';
import { newIdOf } from '../../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import { eventWrite } from '../../../core/outbox/outbox';
import { WorkUnderWay } from '../../../core/process/work-under-way';
import { Endings, type WaitForEnd } from '../../../core/resources/endings';
import { ABANDONED_AFTER_MS, checkDelayMs, needsPerson } from '../../../providers/client';
import { Requeries } from '../../../providers/requeries';
import { ProviderUnavailable, Routes } from '../../../providers/routes';
import { later } from '../cards.service';
import type { VerifyResult } from '../identity.provider';
import { CustomerDto } from './customer.dto';
import { Customer, UNVERIFIED } from './customer.entity';
import { CustomerAnonymized, CustomersService } from './customers.service';
import { IdentityClient } from './identity-client';
import { type KycTier, tierOfDocument } from '../kyc-tier';

/** Of these cardholders, those about whom nobody is asked. */
const SELECT_DECIDED = {
  name: 'select_decided_customers',
  text: `SELECT c.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
    JOIN customers c USING (account_id, livemode, id)
    WHERE c.kyc_status <> 'pending'`,
};

/** A step of a verification. It is about the version that it read: of two who read the same one the second fails. */
const customerChange = rows(Customer).update({
  name: 'update_customers',
  change: [
    'kycStatus',
    'kycTier',
    'kycReference',
    'kycProvider',
    'kycProviderReference',
    'kycFailure',
    'kycVerifiedAt',
    'kycChecks',
    'kycReview',
    'kycReviews',
    'kycRequestId',
    'kycIdempotencyKey',
    'nextCheckAt',
    'version',
    'updatedAt',
  ],
  was: ['version'],
});

/** The cardholder after a step, and the row of it. */
function stepOf(before: Readonly<Customer>, patch: Partial<Customer>): { after: Customer; write: Write } {
  const after: Customer = { ...before, updatedAt: new Date(), ...patch, version: before.version + 1 };
  return { after, write: customerChange(after, before) };
}

/** Only an alarm: what the provider says later still counts. */
const NO_ANSWER = 'no answer after all questions';

const customerEvent = (customer: Readonly<Customer>, what: 'verified' | 'rejected' | 'needs_review'): Write => {
  const { accountId, livemode, id: objectId, kycRequestId: requestId, kycIdempotencyKey: idempotencyKey } = customer;
  return eventWrite({
    accountId,
    livemode,
    type: `customer.${what}`,
    objectType: 'cus',
    objectId,
    snapshot: CustomerDto.of(customer),
    origin: { requestId, idempotencyKey },
  });
};

/** How a verification ends. */
interface Verdict extends Pick<Customer, 'kycProviderReference' | 'kycFailure'> {
  readonly kycStatus: 'verified' | 'rejected';
  /** How far a verified one was proven, where somebody says so. */
  readonly tier?: KycTier | undefined;
}

/**
 * Asks whoever verifies identities, outside of any transaction, and asks again what became of it when nobody could say.
 */
@Injectable()
export class CustomerVerificationRun implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('identities');
  private readonly underWay = new WorkUnderWay();
  private readonly waitForEnd: WaitForEnd;

  constructor(
    private readonly customers: CustomersService,
    private readonly client: IdentityClient,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
    private readonly requeries: Requeries,
    endings: Endings,
  ) {
    this.waitForEnd = endings.of(SELECT_DECIDED);
  }

  onModuleInit(): void {
    this.rewinds.include({ table: 'customers', columns: ['next_check_at'] });
    this.rewinds.include({ table: 'sandbox_identities', columns: ['ready_at'] });
    this.requeries.include({ table: 'customers', look: (key) => this.look(key) });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  /** Waits for a verdict, at most `ms`; it goes on after that. `started`: nobody asks about them yet. */
  async await(key: Key, started: Customer | null, ms: number): Promise<void> {
    const asked = started === null ? Promise.resolve() : this.ask(started);
    const ours = this.underWay.add(
      asked.catch((error: unknown) => {
        this.log.error({ message: 'a verification was left to its requery', customer: key.id, err: error });
      }),
    );
    const isRunning = async () => (await this.customers.require(key, key.id)).kycStatus === 'pending';
    await this.waitForEnd({ ...key, ms, ours, isRunning });
  }

  /** Asks what became of a verification; one that the provider never heard of is asked for again. */
  private async look(key: Key): Promise<void> {
    const customer = await this.customers.require(key, key.id);
    if (customer.kycStatus !== 'pending') return;
    const result = await this.client.find(customer);
    await (result.outcome === 'not_known' ? this.ask(customer) : this.conclude(customer, result));
  }

  private async ask(customer: Customer): Promise<void> {
    await this.conclude(customer, await this.client.verify(customer));
  }

  /** Does what follows from an answer. It is dropped when the person was changed meanwhile, or somebody else heard. */
  private async conclude(asked: Customer, result: VerifyResult): Promise<void> {
    await retryChanged(async () => {
      const customer = await this.customers.require(asked, asked.id);
      const isAsked = customer.kycStatus === 'pending' && customer.kycReference === asked.kycReference;
      if (isAsked) await this.settle(customer, result);
    });
  }

  private async settle(customer: Customer, result: VerifyResult): Promise<void> {
    if (result.outcome === 'unknown' || result.outcome === 'accepted') return this.wait(customer);
    const { outcome, providerReference: kycProviderReference, ...said } = result;
    if (outcome === 'verified')
      await this.end(customer, { kycStatus: outcome, kycProviderReference, kycFailure: null, tier: result.tier });
    else
      await this.end(customer, {
        kycStatus: outcome,
        kycProviderReference,
        kycFailure: said as Customer['kycFailure'],
      });
  }

  /**
   * The end of a verification, with what else is written with it. Fails when it is of another version by now. Without a
   * tier who is verified has that of their document.
   */
  async end(customer: Customer, { tier, ...verdict }: Verdict, rows: readonly Write[] = []): Promise<Customer> {
    const { kycStatus } = verdict;
    const isVerified = kycStatus === 'verified';
    const { after, write } = stepOf(customer, {
      ...verdict,
      kycTier: isVerified ? (tier ?? tierOfDocument(customer.identityType)) : 0,
      kycVerifiedAt: isVerified ? new Date() : null,
      kycReview: null,
      nextCheckAt: null,
    });
    await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [write, customerEvent(after, kycStatus), ...rows]));
    return after;
  }

  /** Nobody can say: asked again. After the last question a person is called, once. No time ends it. */
  private async wait(customer: Customer): Promise<void> {
    const kycChecks = customer.kycChecks + 1;
    const nextCheckAt = later(await this.clock.now(customer), checkDelayMs(customer.kycChecks));
    const isForPerson = needsPerson(kycChecks) && customer.kycReview === null;
    const review = { kycReview: NO_ANSWER, kycReviews: customer.kycReviews + 1 };
    const { after, write } = stepOf(customer, { kycChecks, nextCheckAt, ...(isForPerson && review) });
    const events = isForPerson ? [customerEvent(after, 'needs_review')] : [];
    await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [write, ...events]));
    await this.requeries.setAlarms('customers', after);
  }
}

/** Has cardholders verified: that they are asked about is stored first, then the provider is asked. */
@Injectable()
export class CustomerVerification {
  constructor(
    private readonly customers: CustomersService,
    private readonly routes: Routes,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly run: CustomerVerificationRun,
  ) {}

  /**
   * Answers when the provider has decided, or `waitMs` have passed; it goes on after that. Who is verified stays it.
   * Throws `NotFound`, `CustomerAnonymized`, `ProviderUnavailable`, `IdempotencyKeyReused`.
   */
  async verify(
    caller: Caller,
    customerId: string | null,
    { request, waitMs }: { request: RequestClaim; waitMs: number },
  ): Promise<Made<Customer>> {
    const { accountId, livemode } = caller;
    const { id } = await this.customers.require(caller, customerId);
    const key = { accountId, livemode, id };
    const claim: Claim = { ...key, ...request, reference: null, resource: 'cus', resourceId: id };
    let started: Customer | null = null;
    const begin = async (): Promise<Replay | null> => {
      const begun = await this.begin(caller, claim);
      ({ started } = begun);
      return begun.replay;
    };
    const replay = await this.idempotency.answer<Replay | null>(claim, begin, (seen) => seen);
    if (replay === null) await this.run.await(key, started, waitMs);
    return { made: await retryAway(() => this.customers.require(caller, id)), replayedBy: replay?.by ?? null };
  }

  /** What `verify` would record now; writes nothing, and asks nobody. */
  async preview(caller: Caller, customerId: string | null): Promise<Customer> {
    const before = await this.customers.require(caller, customerId);
    return (await this.pending(caller, before, null)) ?? before;
  }

  /** `started`: null when nobody has to be asked by us. */
  private begin(caller: Caller, claim: Claim): Promise<{ replay: Replay | null; started: Customer | null }> {
    return retryChanged(async () => {
      const before = await this.customers.require(caller, claim.resourceId);
      const after = await this.pending(caller, before, claim.key);
      const writes = after === null ? [] : [customerChange(after, before)];
      const replay = await this.idempotency.once(claim, (tx) => this.unitOfWork.write(tx, writes));
      return { replay, started: replay === null ? after : null };
    });
  }

  /** The cardholder as they are asked about; null: that is not needed, or done already. */
  private async pending(caller: Caller, before: Customer, key: string | null): Promise<Customer | null> {
    if (before.anonymizedAt !== null) throw new CustomerAnonymized(before.id);
    if (before.kycStatus === 'verified' || before.kycStatus === 'pending') return null;
    const { accountId, livemode, identityType: network } = before;
    const [provider] = await this.routes.inOrder({ product: 'identity', network, livemode, accountId });
    if (provider === undefined) throw new ProviderUnavailable('Nobody who verifies such a document can be asked');
    const { after } = stepOf(before, {
      ...UNVERIFIED,
      kycStatus: 'pending',
      kycReference: newIdOf(accountId),
      kycProvider: provider.name,
      kycRequestId: caller.requestId,
      kycIdempotencyKey: key,
      // Whoever dies while it asks leaves the question to whoever looks then.
      nextCheckAt: later(await this.clock.now(caller), ABANDONED_AFTER_MS),
    });
    return after;
  }
}
