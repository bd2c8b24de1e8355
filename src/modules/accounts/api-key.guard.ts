import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ShownTimes } from '../../core/clock/shown-times';
import type { Caller } from '../../core/http/caller';
import { isForPlatform, isForSession, type OperatorCaller, PlatformDoor, SessionDoor } from '../../core/http/doors';
import { PUBLIC_ROUTE, ROUTE_SCOPE } from '../../core/http/route-markers';
import { requireScope, type ScopeName } from '../../core/http/scopes';
import { InvalidApiKey, MissingApiKey } from './api-keys.errors';
import { ApiKeysService } from './api-keys.service';

type GuardedRequest = FastifyRequest & { caller?: Caller; operator?: OperatorCaller };

const BEARER = /^Bearer +(\S+)$/i;

/** Global: every route asks for a key, or at the dashboard for a session, unless it is marked `@Public()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly door: SessionDoor,
    private readonly platform: PlatformDoor,
    private readonly times: ShownTimes,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets: Parameters<Reflector['getAllAndOverride']>[1] = [context.getHandler(), context.getClass()];
    const isOpen = this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, targets) === true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    // None opens what another is for: a key nothing at the dashboard, a session nothing elsewhere, and only keys of
    // operators the platform.
    if (isForPlatform(request)) request.operator = await this.operatorByKey(request);
    else if (isForSession(request)) request.caller = await this.door.admit(context, isOpen);
    else if (!isOpen) request.caller = await this.callerByKey(request);
    const scope = this.reflector.getAllAndOverride<ScopeName | undefined>(ROUTE_SCOPE, targets);
    if (scope !== undefined && request.caller !== undefined) requireScope(request.caller, scope);
    const turning = this.times.readBounds(request);
    if (turning) await turning;
    return true;
  }

  private async operatorByKey(request: GuardedRequest): Promise<OperatorCaller> {
    const operator = await this.platform.admit(secretOf(request), request.ip);
    if (operator === null) throw new InvalidApiKey();
    return operator;
  }

  private async callerByKey(request: GuardedRequest): Promise<Caller> {
    const usable = await this.keys.findUsable(secretOf(request));
    if (usable === null || !isAllowedFrom(usable, request.ip)) throw new InvalidApiKey();
    const { accountId, livemode, id: keyId, scopes } = usable.key;
    return { accountId, livemode, keyId, scopes, requestId: request.id };
  }
}

function secretOf({ headers, raw }: GuardedRequest): string {
  const { authorization } = headers;
  if (typeof authorization !== 'string' || authorization === '') throw new MissingApiKey();
  // Node keeps the first of two such headers and a proxy may keep the last: who is meant would be a guess.
  if (raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization').length > 1)
    throw new InvalidApiKey();
  const secret = BEARER.exec(authorization)?.[1];
  if (secret === undefined) throw new InvalidApiKey();
  return secret;
}

const isAllowedFrom = (
  { allowedIps }: { allowedIps: { check(ip: string, family: 'ipv4' | 'ipv6'): boolean } | null },
  ip: string,
): boolean => allowedIps === null || allowedIps.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
