import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from './caller';
import { RateLimiter } from './rate-limiter';

/** Global guard, listed after the one that finds the caller. Routes without a caller are not limited here. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [{ caller }, reply] = context.getArgs<[{ caller?: Caller }, FastifyReply]>();
    if (caller !== undefined) await this.limiter.spend(caller, reply);
    return true;
  }
}
