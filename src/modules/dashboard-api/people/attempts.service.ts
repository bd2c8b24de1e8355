import { isIP } from 'node:net';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Env } from '../../../core/config/env';
import { openRedis } from '../../../core/redis/open-redis';
import { networkOf } from '../../../core/text/ip-address';
import { TooManyAttempts } from '../dashboard.errors';

/** Tries in how many seconds, by what is tried. */
const LIMITS = {
  /** Passwords of one e-mail address from one network: others cannot lock its owner out. */
  password: { points: 10, duration: 900 },
  /** Codes of one person who has the right password, wherever from. */
  code: { points: 10, duration: 900 },
  /** Answers of one passkey, known or not, from one network. */
  passkey: { points: 10, duration: 900 },
  /** Passwords, codes and passkeys of somebody who is signed in. */
  proof: { points: 10, duration: 900 },
  /** New people from one network: each costs an estimate of a password, an account and its wallets. */
  sign_up: { points: 60, duration: 900 },
  /** New passwords for one e-mail address, from one network. */
  reset: { points: 5, duration: 900 },
  /** Mail to one address that others may cause, wherever from. */
  mail: { points: 5, duration: 3_600 },
  /** Invitations of one account: each is a mail to somebody who did not ask for it. */
  invite: { points: 50, duration: 3_600 },
  /** Command lines of one network that ask for a key: each is a row. */
  device: { points: 30, duration: 900 },
  /** Codes of command lines that one person enters: of 20^8 nobody finds one so. */
  user_code: { points: 20, duration: 900 },
  /** Anything that costs a hash, from one network. */
  address: { points: 300, duration: 900 },
} as const;

export type Attempt = keyof typeof LIMITS;
type Limiter = Pick<RateLimiterMemory, 'consume' | 'delete'>;

/** Bounds how often passwords and codes may be tried. Counted in Redis when there is one, else by this process. */
@Injectable()
export class AttemptsService implements OnApplicationShutdown {
  private readonly log = new Logger('identity');
  private readonly redis: Redis | Cluster | null;
  private readonly limiters: Readonly<Record<Attempt, Limiter>>;

  constructor({ REDIS_URL }: Env) {
    const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 200 };
    this.redis = REDIS_URL === undefined ? null : openRedis(REDIS_URL, options);
    this.limiters = Object.fromEntries(
      Object.entries(LIMITS).map(([name, limit]) => [
        name,
        limiterOf({ ...limit, keyPrefix: `attempts:${name}` }, this.redis),
      ]),
    ) as unknown as Record<Attempt, Limiter>;
  }

  /** Counts a try before it is made, so that many at once are all counted. Throws `TooManyAttempts`. */
  async count(attempt: Attempt, ...who: string[]): Promise<void> {
    try {
      await this.limiters[attempt].consume(keyOf(who));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // The first of many, so that a flood of tries is no flood of lines.
      if (refusal.consumedPoints === LIMITS[attempt].points + 1)
        this.log.warn({ msg: 'no more tries for a while', attempt, from: who.filter(isIP).map(networkOf) });
      throw new TooManyAttempts(Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)));
    }
  }

  /** The try was good: what came before it counts no more. */
  async forgive(attempt: Attempt, ...who: string[]): Promise<void> {
    await this.limiters[attempt].delete(keyOf(who));
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

/** Addresses count as the networks that they are of. */
const keyOf = (who: readonly string[]): string => who.map((one) => (isIP(one) ? networkOf(one) : one)).join('|');

function limiterOf(
  options: { points: number; duration: number; keyPrefix: string },
  redis: Redis | Cluster | null,
): Limiter {
  const local = new RateLimiterMemory(options);
  return redis === null
    ? local
    : new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: local, rejectIfRedisNotReady: true });
}
