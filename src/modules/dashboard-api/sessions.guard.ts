import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type OnModuleInit,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Env } from '../../core/config/env';
import type { Caller } from '../../core/http/caller';
import { publicUrl } from '../../core/http/public-url';
import { ROUTE_SCOPE } from '../../core/http/route-markers';
import { hasScope, type ScopeName } from '../../core/http/scopes';
import { dashboardLivemode, SessionDoor } from '../../core/http/session-door';
import { CookiesGuard } from './cookies.guard';
import { InsufficientRole, LiveModeLocked, NotSignedIn, StepUpRequired } from './dashboard.errors';
import type { SignedIn } from './people.types';
import { type Permission, POWERS, scopesOf } from './roles.types';
import { requireSameOrigin } from './same-origin.guard';
import { SessionsService } from './sessions.service';
import { needsStepUp } from './step-up.types';

const PERMISSION = 'duka:dashboard-permission';

type DashboardRequest = FastifyRequest & { person?: SignedIn };

/** Opens a route of the dashboard to roles with the permission, or to operators of the platform. Without this it is closed to everyone. */
export const Needs = (permission: Permission | 'operator') => SetMetadata(PERMISSION, permission);

/** Who is signed in. Only on routes that are not `@Public()`. */
export const Me = createParamDecorator(
  (_: unknown, context: ExecutionContext): SignedIn =>
    context.switchToHttp().getRequest<Required<DashboardRequest>>().person,
);

/** Keeps the door of the dashboard: session, origin, role, mode and step-up of every request under `/dashboard/api`. */
@Injectable()
export class SessionsGuard implements OnModuleInit {
  private readonly ownOrigin: string;

  constructor(
    private readonly door: SessionDoor,
    private readonly reflector: Reflector,
    private readonly sessions: SessionsService,
    private readonly cookies: CookiesGuard,
    env: Env,
  ) {
    this.ownOrigin = new URL(publicUrl(env)).origin;
  }

  onModuleInit(): void {
    this.door.keptBy((context, isOpen) => this.admit(context, isOpen));
  }

  private async admit(context: ExecutionContext, isOpen: boolean): Promise<Caller | undefined> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const token = this.cookies.read(request);
    const person = isOpen || token === null ? null : await this.sessions.find(token);
    if (!isOpen && person === null) throw new NotSignedIn();
    requireSameOrigin(request, this.ownOrigin);
    if (person === null) return undefined;
    await this.sessions.touch(person);
    request.person = person;
    const livemode = dashboardLivemode(request);
    const caller = callerOf(request, person, livemode ?? false);
    if (livemode === undefined) this.requirePermission(context, person);
    else if (livemode && !person.liveEnabled) throw new LiveModeLocked();
    // Who lacks the scope is refused next, and need not prove for that who they are.
    else if (!this.hasRouteScope(context, caller)) return caller;
    if (person.steppedUpUntil === null && needsStepUp(request.method, request.routeOptions.url!, livemode))
      throw new StepUpRequired();
    return caller;
  }

  private hasRouteScope(context: ExecutionContext, caller: Caller): boolean {
    const scope = this.reflector.getAllAndOverride<ScopeName | undefined>(ROUTE_SCOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    return scope === undefined || hasScope(caller, scope);
  }

  private requirePermission(context: ExecutionContext, { role, isOperator }: SignedIn): void {
    const permission = this.reflector.getAllAndOverride<Permission | 'operator' | undefined>(PERMISSION, [
      context.getHandler(),
      context.getClass(),
    ]);
    const isAllowed =
      permission === 'operator' ? isOperator : permission !== undefined && POWERS[role].dashboard.includes(permission);
    if (!isAllowed) throw new InsufficientRole(permission ?? null);
  }
}

const callerOf = (
  { id: requestId }: DashboardRequest,
  { accountId, sessionId, userId, role }: SignedIn,
  livemode: boolean,
): Caller => ({
  accountId,
  livemode,
  keyId: null,
  person: { sessionId, userId },
  scopes: scopesOf(role, livemode),
  requestId,
});
