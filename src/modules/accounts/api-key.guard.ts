import { type CanActivate, type ExecutionContext, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../core/errors/domain-error';
import { ShownTimes } from '../../core/clock/shown-times';
import { type ReadParts, readPartsOf, refuseUnread } from '../../core/http/body-parsers';
import { type Caller, requireScope } from '../../core/http/caller';
import {
  isForPlatform,
  isForSession,
  LargeBodyDoor,
  NotSignedIn,
  type OperatorCaller,
  PlatformDoor,
  SessionDoor,
} from '../../core/http/doors';
import { RateLimiter } from '../../core/http/rate-limiter';
import { countHeaders } from '../../core/http/request-context';
import { PUBLIC_ROUTE, ROUTE_SCOPES } from '../../core/http/route-markers';
import { whenThere } from '../../core/process/work-under-way';
import type { ScopeName } from '../../vocabulary/scopes';
import { freezeOf } from './accounts.service';
import { ApiKeysService, type UsableKey } from './api-keys.service';

class MissingApiKey extends DomainError {
  constructor() {
    super({
      code: 'missing_api_key',
      kind: 'unauthenticated',
      title: 'Missing API key',
      detail: 'Send your key in the header "Authorization: Bearer sk_…".',
    });
  }
}

/**
 * One answer for a key that is misspelled, unknown, revoked, expired, or used from an address that it does not allow.
 */
class InvalidApiKey extends DomainError {
  constructor() {
    super({
      code: 'invalid_api_key',
      kind: 'unauthenticated',
      title: 'Invalid API key',
      detail: 'This key is unknown, misspelled, revoked or expired, or is not allowed from this address.',
    });
  }
}

/** An operator has frozen the account in both directions: its keys read. */
class AccountFrozen extends DomainError {
  constructor() {
    super({
      code: 'account_frozen',
      kind: 'forbidden',
      title: 'Account frozen',
      detail: 'An operator has frozen this account: its keys read and change nothing. Ask them why.',
    });
  }
}

type Handler = ReturnType<ExecutionContext['getHandler']>;
type GuardedRequest = FastifyRequest & { caller?: Caller; operator?: OperatorCaller };

const BEARER = /^Bearer +(\S+)$/i;

/** What a route asks of its callers, and what it reads of what they send. */
interface Demands {
  readonly isOpen: boolean;
  /** Any of these. */
  readonly scopes: readonly ScopeName[] | undefined;
  readonly reads: ReadParts;
}

/**
 * Global: every route asks for a key, or at the dashboard for a session, unless it is marked `@Public()`. Answers at
 * once where the key is at hand, as for nearly every request: on their path, promises are most of what a guard costs.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate, OnModuleInit {
  /** Of each class, by its handlers. */
  private readonly demands = new Map<Type, Map<Handler, Demands>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly door: SessionDoor,
    private readonly platform: PlatformDoor,
    private readonly times: ShownTimes,
    private readonly limiter: RateLimiter,
    private readonly largeBodies: LargeBodyDoor,
  ) {}

  onModuleInit(): void {
    this.largeBodies.keptBy(async (request) => {
      if (!isForSession(request)) await this.usableOf(request);
      else if ((await this.door.personOf(request)) === null) throw new NotSignedIn();
    });
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request, reply] = context.getArgs<[GuardedRequest, FastifyReply]>();
    try {
      const admitted = this.admit(request, context);
      return admitted instanceof Promise
        ? admitted.catch((error: unknown) => this.refuse(error, request, reply))
        : admitted;
    } catch (error) {
      return this.refuse(error, request, reply);
    }
  }

  private admit(request: GuardedRequest, context: ExecutionContext): boolean | Promise<boolean> {
    const { isOpen, scopes, reads } = this.demandsOf(context);
    return whenThere(this.identify(request, context, isOpen), () => {
      if (scopes !== undefined && request.caller !== undefined) requireScope(request.caller, ...scopes);
      if (!isOpen) refuseUnread(request, reads);
      return whenThere(this.times.readBounds(request), () => true);
    });
  }

  /** Throws the refusal; of a caller who is known, it is counted here: the guard of limits does not see it. */
  private refuse(error: unknown, { caller }: GuardedRequest, reply: FastifyReply): never | Promise<never> {
    if (caller === undefined) throw error;
    return whenThere(this.limiter.spend(caller, reply), () => {
      throw error;
    });
  }

  /** Worked out once: Nest looks through the handler and its class every time. */
  private demandsOf(context: ExecutionContext): Demands {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const known = this.demands.get(controller)?.get(handler);
    if (known) return known;
    const demands = {
      isOpen: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, [handler, controller]) === true,
      scopes: this.reflector.getAllAndOverride<readonly ScopeName[] | undefined>(ROUTE_SCOPES, [handler, controller]),
      reads: readPartsOf(controller, handler),
    };
    this.demands.set(controller, new Map(this.demands.get(controller)).set(handler, demands));
    return demands;
  }

  /**
   * None opens what another is for: a key nothing at the dashboard, a session nothing elsewhere, and only keys of
   * operators the platform.
   */
  private identify(request: GuardedRequest, context: ExecutionContext, isOpen: boolean): void | Promise<void> {
    if (isForPlatform(request)) return this.identifyOperator(request);
    if (isForSession(request)) return this.identifyPerson(request, context, isOpen);
    if (isOpen) return;
    return whenThere(this.usableOf(request), (usable) => {
      const { accountId, livemode, id: keyId, scopes } = usable.key;
      request.caller = { accountId, livemode, keyId, scopes, requestId: request.id };
      if (!isReading(request) && freezeOf(usable.account, Date.now())?.direction === 'both') throw new AccountFrozen();
    });
  }

  private usableOf(request: FastifyRequest): UsableKey | Promise<UsableKey> {
    return whenThere(this.keys.findUsable(secretOf(request)), (usable) => {
      if (usable === null || !isAllowedFrom(usable, request.ip)) throw new InvalidApiKey();
      return usable;
    });
  }

  private async identifyOperator(request: GuardedRequest): Promise<void> {
    const operator = await this.platform.admit(secretOf(request), request.ip);
    if (operator === null) throw new InvalidApiKey();
    request.operator = operator;
  }

  private async identifyPerson(request: GuardedRequest, context: ExecutionContext, isOpen: boolean): Promise<void> {
    request.caller = await this.door.admit(context, isOpen);
  }
}

function secretOf({ headers, raw }: FastifyRequest): string {
  const { authorization } = headers;
  if (typeof authorization !== 'string' || authorization === '') throw new MissingApiKey();
  // Node keeps the first of two such headers and a proxy may keep the last: who is meant would be a guess.
  if (countHeaders(raw, 'authorization') > 1) throw new InvalidApiKey();
  const secret = BEARER.exec(authorization)?.[1];
  if (secret === undefined) throw new InvalidApiKey();
  return secret;
}

const isReading = ({ method }: GuardedRequest): boolean => method === 'GET' || method === 'HEAD';

const isAllowedFrom = (
  { allowedIps }: { allowedIps: { check(ip: string, family: 'ipv4' | 'ipv6'): boolean } | null },
  ip: string,
): boolean => allowedIps === null || allowedIps.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
