import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Caller } from '../../core/http/caller';
import { PUBLIC_ROUTE, ROUTE_SCOPE } from '../../core/http/route-markers';
import { InsufficientScope, InvalidApiKey, MissingApiKey } from './api-keys.errors';
import { ApiKeysService } from './api-keys.service';

interface GuardedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: { readonly rawHeaders: readonly string[] };
  readonly ip: string;
  /** Request uuid. */
  readonly id: string;
  caller?: Caller;
}

const BEARER = /^Bearer +(\S+)$/i;

/** Global: every route asks for a key unless it is marked `@Public()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets: Parameters<Reflector['getAllAndOverride']>[1] = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC_ROUTE, targets)) return true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const usable = await this.keys.findUsable(secretOf(request));
    if (usable === null || !isAllowedFrom(usable, request.ip)) throw new InvalidApiKey();
    const { accountId, livemode, id: keyId, scopes } = usable.key;
    const scope = this.reflector.getAllAndOverride<string | undefined>(ROUTE_SCOPE, targets);
    request.caller = { accountId, livemode, keyId, scopes, requestId: request.id };
    if (scope !== undefined && scopes !== null && !scopes.includes(scope)) throw new InsufficientScope(scope);
    return true;
  }
}

function secretOf({ headers, raw }: GuardedRequest): string {
  const { authorization } = headers;
  if (typeof authorization !== 'string' || authorization === '') throw new MissingApiKey();
  // Node keeps the first of two such headers and a proxy may keep the last: who is meant would be a guess.
  if (raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization').length > 1) throw new InvalidApiKey();
  const secret = BEARER.exec(authorization)?.[1];
  if (secret === undefined) throw new InvalidApiKey();
  return secret;
}

const isAllowedFrom = ({ allowedIps }: { allowedIps: { check(ip: string, family: 'ipv4' | 'ipv6'): boolean } | null }, ip: string): boolean =>
  allowedIps === null || allowedIps.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
