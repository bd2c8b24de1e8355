import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../core/clock/clock';
import { retryAway } from '../../core/database/sqlstate';
import type { Caller } from '../../core/http/caller';
import type { Likeness } from '../../core/idempotency/claim';
import { IdempotencyKeyRequired } from '../../core/idempotency/errors';
import { likenessFrom } from '../../core/idempotency/claims';
import { AccountsService } from './accounts.service';

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

/** Requests that move money and that nobody would know again, as they have neither key nor reference. */
@Injectable()
export class KeylessRequests {
  /** Whether accounts demand a key. Promises, so that many requests at once read one row once. */
  private readonly demands = new LRUCache<string, Promise<boolean>>({ max: 10_000, ttl: STALE_MS });

  constructor(
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
  ) {}

  /**
   * What stops a repetition; null when the request is known again, or a repetition is meant. `value` says what two
   * requests that look alike have in common. Throws `IdempotencyKeyRequired`.
   */
  async likeness(
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
    const read = retryAway(() => this.accounts.require(accountId)).then((account) => account.requireIdempotencyKey);
    this.demands.set(accountId, read);
    read.catch(() => this.demands.delete(accountId));
    return read;
  }
}
