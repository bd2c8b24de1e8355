import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { LessThan, Raw, type Repository } from 'typeorm';
import { isFenced } from '../../core/cells/slot-moves';
import { Clock } from '../../core/clock/clock';
import { retryAway, type Tx } from '../../core/database/unit-of-work';
import { FieldRefused, found } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import type { Likeness } from '../../core/idempotency/claim';
import { IdempotencyKeyRequired, likenessFrom } from '../../core/idempotency/claims';
import type { FreezeDirection } from '../../vocabulary/freezes';
import { Account } from './account.entity';

/** What others may know of an account. */
export type AccountRecord = Readonly<Account>;

/** Which way no money of an account moves, and until when; null: until it is let go. */
export interface AccountFreeze {
  readonly direction: FreezeDirection;
  readonly until: Date | null;
}

/** The freeze that is in force in a moment, in milliseconds since the epoch. */
export function freezeOf({ freeze, frozenUntil }: AccountRecord, now: number): AccountFreeze | null {
  if (freeze === null || (frozenUntil !== null && frozenUntil.getTime() <= now)) return null;
  return { direction: freeze, until: frozenUntil };
}

/** How a request that moves money is known again. */
export interface Recognition {
  /** `Idempotency-Key`. */
  readonly key: string | null;
  readonly reference: string | null;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate?: boolean;
}

/** A changed setting counts everywhere after this long. */
const STALE_MS = 1_000;

@Injectable()
export class AccountsService {
  /** Whether accounts demand a key. Promises, so that many requests at once read one row once. */
  private readonly demands = new LRUCache<string, Promise<boolean>>({ max: 10_000, ttl: STALE_MS });

  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly clock: Clock,
  ) {}

  async create(tx: Tx, id: string, name: string): Promise<void> {
    await tx.insert(Account, { id, name });
  }

  /** Throws `NotFound`. */
  async require(id: string | null): Promise<AccountRecord> {
    return found(id === null ? null : await this.accounts.findOneBy({ id }), 'account');
  }

  /** Newest first, below the uuid `before`. */
  list(before: string | null, take: number): Promise<AccountRecord[]> {
    return this.accounts.find({ where: before === null ? {} : { id: LessThan(before) }, order: { id: 'DESC' }, take });
  }

  /** Opens live mode, so that live keys can be made, or closes it. Throws `NotFound`. */
  async setLive(tx: Tx, id: string, liveEnabled: boolean): Promise<AccountRecord> {
    await tx.update(Account, { id }, { liveEnabled });
    return found(await tx.findOneBy(Account, { id }), 'account');
  }

  /** Which fees count from now on. Throws `NotFound`. */
  async setTier(tx: Tx, id: string, tier: string): Promise<AccountRecord> {
    await tx.update(Account, { id }, { tier });
    return found(await tx.findOneBy(Account, { id }), 'account');
  }

  /** From now on, or no longer, what moves money is refused without key or reference. Throws `NotFound`. */
  async setRequireIdempotencyKey(tx: Tx, id: string, isRequired: boolean): Promise<AccountRecord> {
    await tx.update(Account, { id }, { requireIdempotencyKey: isRequired });
    return found(await tx.findOneBy(Account, { id }), 'account');
  }

  /** Where in the world its days begin from now on; closed ones stay as they are. Throws `NotFound`, `FieldRefused`. */
  async setTimeZone(tx: Tx, id: string, timeZone: string): Promise<AccountRecord> {
    // Both of those who reckon with it must know it.
    const known: unknown[] = await tx.query('SELECT 1 FROM pg_timezone_names WHERE name = $1', [timeZone]);
    if (known.length === 0 || !Intl.supportedValuesOf('timeZone').includes(timeZone))
      throw new FieldRefused('/time_zone', '/time_zone must be the name of a time zone, such as Africa/Lagos.');
    await tx.update(Account, { id }, { timeZone });
    return found(await tx.findOneBy(Account, { id }), 'account');
  }

  /** Until it is let go, or `until`. Null lets it go. As the owner of the database. Throws `NotFound`. */
  async setFreeze(tx: Tx, id: string, freeze: AccountFreeze | null): Promise<AccountRecord> {
    const until = freeze?.until ?? null;
    const change = { freeze: freeze?.direction ?? null, frozenUntil: until, unfreezingDue: until !== null };
    await tx.update(Account, { id }, change);
    return found(await tx.findOneBy(Account, { id }), 'account');
  }

  /** The freeze in force, which stays as it is until the transaction ends. Throws `NotFound`. */
  async freezeWithin(tx: Tx, id: string): Promise<AccountFreeze | null> {
    const account = await tx.findOne(Account, { where: { id }, lock: { mode: 'pessimistic_read' } });
    return freezeOf(found(account, 'account'), Date.now());
  }

  /** Whose freeze ended by itself and is not told yet. */
  listUnfrozen(take: number): Promise<AccountRecord[]> {
    const where = { unfreezingDue: true, frozenUntil: LessThan(new Date()), id: Raw((id) => `NOT ${isFenced(id)}`) };
    return this.accounts.find({ where, take });
  }

  /** False: somebody else has told it, or it was frozen anew. */
  async tellUnfrozen(tx: Tx, { id, frozenUntil }: AccountRecord): Promise<boolean> {
    const due = { id, unfreezingDue: true, frozenUntil: frozenUntil! };
    const { affected } = await tx.update(Account, due, { unfreezingDue: false });
    return affected === 1;
  }

  /**
   * What stops a repetition of a request that moves money and that nobody would know again, as it has neither key nor
   * reference; null when the request is known again, or a repetition is meant. `value` says what two requests that look
   * alike have in common. Throws `IdempotencyKeyRequired`.
   */
  async likenessOf(
    caller: Caller,
    { key, reference, allowDuplicate }: Recognition,
    value: () => string,
  ): Promise<Likeness | null> {
    if (key !== null || reference !== null) return null;
    if (await this.isKeyRequired(caller.accountId)) throw new IdempotencyKeyRequired();
    return allowDuplicate ? null : likenessFrom(value(), await this.clock.offsetMs(caller));
  }

  private isKeyRequired(accountId: string): Promise<boolean> {
    const known = this.demands.get(accountId);
    if (known) return known;
    const read = retryAway(() => this.require(accountId)).then((account) => account.requireIdempotencyKey);
    this.demands.set(accountId, read);
    read.catch(() => this.demands.delete(accountId));
    return read;
  }
}
