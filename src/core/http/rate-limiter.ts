import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Logger,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cluster, Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Env } from '../config/env';
import { DomainError } from '../errors/domain-error';
import { whenThere } from '../process/work-under-way';
import { openRedis } from '../redis/open-redis';
import { networkOf } from '../text/ip-address';
import type { Caller } from './caller';
import { UNLIMITED_ROUTE } from './route-markers';

/** Twice the rate in two seconds: the burst that is promised. */
const WINDOW_SECONDS = 2;
/** A Redis that hangs delays the requests of this long, and is then left alone for a while. */
const REDIS_TIMEOUT_MS = 50;
const REDIS_PAUSE_MS = 1000;

const CONNECTION = {
  enableOfflineQueue: false,
  commandTimeout: REDIS_TIMEOUT_MS,
  disconnectTimeout: REDIS_TIMEOUT_MS,
  maxRetriesPerRequest: 0,
  retryStrategy: () => 500,
};

/** What a window has counted, and when the next one begins. */
type Counted = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

/** The windows of this process. Answers at once: the library's promises cost a request more than the counting. */
export class LocalCounts {
  /** By what is counted, in the order in which they began. */
  private readonly windows = new Map<string, { points: number; readonly endsAt: number }>();

  get size(): number {
    return this.windows.size;
  }

  consume(who: string): Counted {
    const now = performance.now();
    let window = this.windows.get(who);
    if (window === undefined || window.endsAt <= now) {
      this.dropEnded(now);
      this.windows.set(who, (window = { points: 0, endsAt: now + WINDOW_SECONDS * 1000 }));
    }
    window.points++;
    return { consumedPoints: window.points, msBeforeNext: window.endsAt - now };
  }

  private dropEnded(now: number): void {
    for (const [who, { endsAt }] of this.windows) {
      if (endsAt > now) return;
      this.windows.delete(who);
    }
  }
}

/** One mode's limit: shared through Redis when there is one, and counted here while Redis is away. */
interface Limit {
  readonly name: 'key' | 'account';
  readonly quota: number;
  readonly policy: string;
  readonly local: LocalCounts;
  readonly shared: RateLimiterRedis | null;
}

class RateLimited extends DomainError {
  constructor(retryAfter: number, who = 'This API key or session') {
    super({
      code: 'rate_limited',
      kind: 'rate_limited',
      title: 'Too many requests',
      detail: `${who} has used up its requests. Send the next one in ${retryAfter} s.`,
      retryAfter,
    });
  }
}

/**
 * Requests per API key and per account, and per address where none is asked for. Says of keys how many are left
 * (draft-ietf-httpapi-ratelimit-headers-11).
 */
@Injectable()
export class RateLimiter implements OnApplicationShutdown {
  private readonly log = new Logger('rate-limiter');
  private readonly redis: Redis | Cluster | null;
  private readonly live: Limits;
  private readonly test: Limits;
  /** Of this process only: it guards the process, and nobody waits for Redis to read a page. */
  private readonly open: Limit | null;
  private redisPausedUntil = 0;

  constructor(env: Env) {
    this.redis = env.REDIS_URL === undefined ? null : openRedis(env.REDIS_URL, CONNECTION);
    const limitsOf = (mode: string, perSecond: number): Limits => ({
      key: createLimit('key', 'rate', perSecond, this.redis),
      account: createLimit('account', `rate:${mode}`, perSecond * env.RATE_LIMIT_ACCOUNT_FACTOR, this.redis),
    });
    this.live = limitsOf('live', env.RATE_LIMIT_LIVE);
    this.test = limitsOf('test', env.RATE_LIMIT_TEST);
    this.open = createLimit('key', 'rate:open', env.RATE_LIMIT_OPEN, null);
  }

  /**
   * Counts one request of the caller's key or session, and of its account; at once unless Redis is asked. Throws
   * `RateLimited`; never because Redis is away.
   */
  spend(
    { accountId, keyId, person, livemode }: Pick<Caller, 'accountId' | 'keyId' | 'person' | 'livemode'>,
    reply: FastifyReply,
  ): void | Promise<void> {
    const { key, account } = livemode ? this.live : this.test;
    if (key === null) return;
    return whenThere(this.count(key, keyId ?? person!.sessionId), (ofKey) => {
      tell(reply, key, ofKey);
      if (ofKey.consumedPoints > key.quota) throw new RateLimited(secondsOf(ofKey));
      if (account === null) return;
      return whenThere(this.count(account, accountId), (ofAccount) => {
        if (ofAccount.consumedPoints <= account.quota) return;
        tell(reply, account, ofAccount);
        throw new RateLimited(secondsOf(ofAccount), 'This account');
      });
    });
  }

  /** Counts a request without a key against its address, for each route by itself. Throws `RateLimited`. */
  async spendOpen({ ip, routeOptions }: Pick<FastifyRequest, 'ip' | 'routeOptions'>): Promise<void> {
    if (this.open === null) return;
    const counted = this.open.local.consume(`${networkOf(ip)} ${routeOptions.url ?? 'unmatched'}`);
    if (counted.consumedPoints > this.open.quota) throw new RateLimited(secondsOf(counted), 'This address');
  }

  /** Fastify `onRequest` hook of routes that no guard keeps. */
  readonly limitOpen = (request: FastifyRequest): Promise<void> => this.spendOpen(request);

  private count({ shared, local }: Limit, who: string): Counted | Promise<Counted> {
    if (shared === null || Date.now() < this.redisPausedUntil) return local.consume(who);
    return this.countShared(shared, who).catch(() => local.consume(who));
  }

  /** Throws when Redis is away. */
  private async countShared(shared: RateLimiterRedis, who: string): Promise<Counted> {
    try {
      const counted = await outcome(shared, who);
      if (this.redisPausedUntil > 0) this.log.log('Redis is back: limits are shared again');
      this.redisPausedUntil = 0;
      return counted;
    } catch (error) {
      if (this.redisPausedUntil === 0)
        this.log.warn({ msg: 'Redis is away: this process counts by itself', err: error });
      this.redisPausedUntil = Date.now() + REDIS_PAUSE_MS;
      throw error;
    }
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

interface Limits {
  readonly key: Limit | null;
  readonly account: Limit | null;
}

/** Of whole milliseconds: of parts of one, 2,000 may be 2,000.0000000001, and that were three seconds. */
const secondsOf = ({ msBeforeNext }: Counted): number => Math.max(1, Math.ceil(Math.round(msBeforeNext) / 1000));

/** What the client may still do, by the limit that it should mind. */
function tell(reply: FastifyReply, { name, policy, quota }: Limit, counted: Counted): void {
  const left = Math.max(0, quota - counted.consumedPoints);
  reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${left};t=${secondsOf(counted)}`);
}

function createLimit(
  name: Limit['name'],
  keyPrefix: string,
  perSecond: number,
  redis: Redis | Cluster | null,
): Limit | null {
  if (perSecond === 0) return null;
  const quota = perSecond * WINDOW_SECONDS;
  const options = { points: quota, duration: WINDOW_SECONDS, keyPrefix };
  return {
    name,
    quota,
    policy: `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
    local: new LocalCounts(),
    shared: redis && new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true }),
  };
}

/** The library rejects with the count when it is used up, and with an `Error` when it could not count. */
const outcome = (limiter: RateLimiterRedis, who: string): Promise<RateLimiterRes> =>
  limiter.consume(who).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });

/**
 * Global guard, listed after the one that finds the caller: a route that is open to everybody is limited by address.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request, reply] = context.getArgs<[FastifyRequest & { caller?: Caller }, FastifyReply]>();
    const spending = request.caller ? this.limiter.spend(request.caller, reply) : this.spendOpen(request, context);
    return whenThere(spending, () => true);
  }

  private spendOpen(request: FastifyRequest, context: ExecutionContext): void | Promise<void> {
    const of = [context.getHandler(), context.getClass()];
    if (!this.reflector.getAllAndOverride<boolean | undefined>(UNLIMITED_ROUTE, of))
      return this.limiter.spendOpen(request);
  }
}
