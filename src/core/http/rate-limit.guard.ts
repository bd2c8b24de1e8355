import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller';
import { RateLimiter } from './rate-limiter';
import { UNLIMITED_ROUTE } from './route-markers';

/**
 * Global guard, listed after the one that finds the caller: a route that is open to everybody is limited by address.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [request, reply] = context.getArgs<[FastifyRequest & { caller?: Caller }, FastifyReply]>();
    if (request.caller !== undefined) await this.limiter.spend(request.caller, reply);
    else if (!this.reflector.get<boolean | undefined>(UNLIMITED_ROUTE, context.getHandler()))
      await this.limiter.spendOpen(request);
    return true;
  }
}
