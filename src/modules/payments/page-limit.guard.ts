import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { networkOf } from '../../core/text/ip-address';
import { RateLimiter } from '../../core/http/rate-limiter';

/** Limits what one address sends to routes that ask for no key, as much as a live key may. */
@Injectable()
export class PageLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [{ ip }, reply] = context.getArgs<[{ ip: string }, FastifyReply]>();
    const visitor = { keyId: `ip:${networkOf(ip)}`, livemode: true };
    await this.limiter.spend(visitor, reply);
    return true;
  }
}
