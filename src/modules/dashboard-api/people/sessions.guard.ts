import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  Logger,
  type OnModuleInit,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Forwarding } from '../../../core/cells/forwarding';
import { Env } from '../../../core/config/env';
import { type Caller, hasScope } from '../../../core/http/caller';
import { encodeId } from '../../../core/http/ids';
import { RateLimiter } from '../../../core/http/rate-limiter';
import { type AnsweredRequest, AnsweredRequests } from '../../../core/http/request-observer';
import { publicUrl } from '../../../core/http/request-context';
import { ROUTE_SCOPES } from '../../../core/http/route-markers';
import type { ScopeName } from '../../../vocabulary/scopes';
import { dashboardLivemode, NotSignedIn, SessionDoor } from '../../../core/http/doors';
import { AuditService } from '../audit.service';
import { CrossSiteRequest, InsufficientRole, LiveModeLocked, OtherAccount, StepUpRequired } from '../dashboard.errors';
import { type Permission, POWERS, scopesOf } from '../roles';
import { isToken, type Origin, SessionsService, type SignedIn } from './sessions.service';

const LIFETIME_SECONDS = 12 * 3_600;
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * The cookie of a session: for TLS only, but on the developer's own machine, since browsers keep no `Secure` cookie
 * from plain HTTP.
 */
@Injectable()
export class SessionCookies {
  /** Where the dashboard is published. */
  readonly ownOrigin: string;

  constructor(env: Env) {
    this.ownOrigin = new URL(publicUrl(env)).origin;
  }

  /** The token of the session cookie; null without one that could be ours. */
  read(request: FastifyRequest): string | null {
    const start = `${this.nameFor(request)}=`;
    const values = (request.headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(start));
    return values.map((pair) => pair.slice(start.length)).find(isToken) ?? null;
  }

  /** Hands the token to the browser, or takes it away. */
  write(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
    const life = token === null ? 0 : LIFETIME_SECONDS;
    const secure = this.isPlain(request) ? '' : ' Secure;';
    reply.header(
      'set-cookie',
      `${this.nameFor(request)}=${token ?? ''}; Path=/; Max-Age=${life};${secure} HttpOnly; SameSite=Lax`,
    );
  }

  private nameFor(request: FastifyRequest): string {
    return this.isPlain(request) ? 'session' : '__Host-session';
  }

  private isPlain({ protocol, host }: FastifyRequest): boolean {
    // What a request says of its host is what a proxy made of it: where the service is published counts more.
    return !this.ownOrigin.startsWith('https:') && protocol === 'http' && LOCAL.test(host);
  }
}

const PERMISSION = 'duka:dashboard-permission';

type DashboardRequest = FastifyRequest & { person?: SignedIn };

/**
 * Opens a route of the dashboard to roles with the permission, or to operators of the platform. Without this it is
 * closed to everyone.
 */
export const Needs = (permission: Permission | 'operator') => SetMetadata(PERMISSION, permission);

const UNATTENDED = 'duka:dashboard-unattended';

/** A page asks this by itself: that it is open keeps no session alive. */
export const Unattended = () => SetMetadata(UNATTENDED, true);

/** Sent by pages with what they read while nobody touched them. */
const UNATTENDED_HEADER = 'duka-unattended';

/** Who is signed in. Only on routes that are not `@Public()`. */
export const Me = createParamDecorator(
  (_: unknown, context: ExecutionContext): SignedIn =>
    context.switchToHttp().getRequest<Required<DashboardRequest>>().person,
);

/**
 * Keeps the door of the dashboard: session, origin, role, mode and step-up of every request under `/dashboard/api`.
 * Writes down what people changed through the public API: money sent, cards revealed, endpoints registered.
 */
@Injectable()
export class SessionsGuard implements OnModuleInit {
  private readonly log = new Logger('audit');

  constructor(
    private readonly door: SessionDoor,
    private readonly reflector: Reflector,
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    private readonly answered: AnsweredRequests,
    private readonly audit: AuditService,
    private readonly forwarding: Forwarding,
    private readonly limiter: RateLimiter,
  ) {}

  onModuleInit(): void {
    this.door.keptBy(
      (context, isOpen) => this.admit(context, isOpen),
      (request) => this.identify(request),
    );
    this.answered.listen((request, { statusCode }) => {
      if (statusCode < 400)
        this.record(request, statusCode).catch((error: unknown) =>
          this.log.error({ msg: 'a deed could not be recorded', err: error }),
        );
    });
  }

  private async admit(context: ExecutionContext, isOpen: boolean): Promise<Caller | undefined> {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const vouched = this.vouchedFor(request);
    const token = this.cookies.read(request);
    const person = isOpen ? null : (vouched ?? (token && (await this.sessions.find(token))));
    if (!isOpen && !person) throw new NotSignedIn();
    requireSameOrigin(request, this.cookies.ownOrigin);
    if (!person) return undefined;
    const caller = callerOf(request, person, dashboardLivemode(request) ?? false);
    try {
      requireShownAccount(request, person);
      if (vouched === null && !this.isUnattended(context, request)) await this.sessions.touch(person);
      request.person = person;
      this.requireAllowed(context, caller, person);
    } catch (error) {
      // The guard of limits does not see what is refused here.
      await this.limiter.spend(caller, context.switchToHttp().getResponse());
      throw error;
    }
    if (vouched === null && this.permissionOf(context) === 'operator') this.forwarding.requireAsked(request, person);
    return caller;
  }

  private requireAllowed(context: ExecutionContext, caller: Caller, person: SignedIn): void {
    const request = context.switchToHttp().getRequest<DashboardRequest>();
    const livemode = dashboardLivemode(request);
    if (livemode === undefined) this.requirePermission(context, person);
    else if (livemode && !person.liveEnabled) throw new LiveModeLocked();
    // Who lacks the scope is refused next, and need not prove for that who they are.
    else if (!this.hasRouteScope(context, caller)) return;
    if (person.steppedUpUntil === null && needsStepUp(request.method, request.routeOptions.url!, livemode))
      throw new StepUpRequired();
  }

  /** For the control cell, which cannot look the session up. */
  private async identify(request: FastifyRequest): Promise<SignedIn | null> {
    const token = this.cookies.read(request);
    const person = token && (await this.sessions.find(token));
    if (!person) return null;
    requireSameOrigin(request, this.cookies.ownOrigin);
    await this.sessions.touch(person);
    return person;
  }

  /** Whom the cell of the session found, of a request that it sent on. */
  private vouchedFor(request: FastifyRequest): SignedIn | null {
    const said = this.forwarding.hopOf(request)?.person as SignedIn | undefined;
    if (said === undefined) return null;
    const { startedAt, steppedUpUntil } = said;
    return { ...said, startedAt: new Date(startedAt), steppedUpUntil: steppedUpUntil && new Date(steppedUpUntil) };
  }

  private isUnattended(context: ExecutionContext, { method, headers }: DashboardRequest): boolean {
    if (headers[UNATTENDED_HEADER] !== undefined && READS.has(method)) return true;
    return this.reflector.get<boolean | undefined>(UNATTENDED, context.getHandler()) === true;
  }

  private hasRouteScope(context: ExecutionContext, caller: Caller): boolean {
    const scopes = this.reflector.getAllAndOverride<readonly ScopeName[] | undefined>(ROUTE_SCOPES, [
      context.getHandler(),
      context.getClass(),
    ]);
    return scopes === undefined || hasScope(caller, ...scopes);
  }

  private requirePermission(context: ExecutionContext, { role, isOperator }: SignedIn): void {
    const permission = this.permissionOf(context);
    const isAllowed =
      permission === 'operator' ? isOperator : permission !== undefined && POWERS[role].dashboard.includes(permission);
    if (!isAllowed) throw new InsufficientRole(permission ?? null);
  }

  private permissionOf(context: ExecutionContext): Permission | 'operator' | undefined {
    return this.reflector.getAllAndOverride<Permission | 'operator' | undefined>(PERMISSION, [
      context.getHandler(),
      context.getClass(),
    ]);
  }

  private async record(request: AnsweredRequest & { person?: SignedIn }, status: number): Promise<void> {
    const { person, method, routeOptions, params, body, answeredId, id: requestId, ip } = request;
    const livemode = dashboardLivemode(request);
    if (person === undefined || livemode === undefined || READS.has(method)) return;
    const { accountId, userId, email: actor } = person;
    const target = (params as { id?: string }).id ?? answeredId ?? null;
    const detail = {
      livemode,
      status,
      request_id: encodeId('req', requestId),
      object: answeredId ?? null,
      ...moneyOf(body),
    };
    await this.audit.record({ accountId, userId, actor, action: `${method} ${routeOptions.url!}`, target, ip, detail });
  }
}

/**
 * A page says which account it shows: one that was left open while its person went to another, in another window, would
 * do there what was meant here. Throws `OtherAccount`.
 */
function requireShownAccount({ headers }: FastifyRequest, { accountId }: SignedIn): void {
  const shown = headers['dashboard-account'];
  if (shown !== undefined && shown !== encodeId('acct', accountId)) throw new OtherAccount();
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

const READS = new Set(['GET', 'HEAD']);

/** Fields of a request that say which money it is about. */
const OF_MONEY = [
  'amount',
  'currency',
  'from_wallet',
  'to_wallet',
  'wallet_id',
  'funding_wallet_id',
  'reference',
  'dry_run',
];

const moneyOf = (body: unknown): object =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => OF_MONEY.includes(name)));

/**
 * Throws `CrossSiteRequest` for what another site made a browser send. Browsers say where a request comes from; one
 * that changes something and does not say so is refused. `ownOrigin`: where the dashboard is published.
 */
function requireSameOrigin({ method, headers, protocol, host }: FastifyRequest, ownOrigin: string): void {
  const { 'sec-fetch-site': site, origin } = headers;
  if (READS.has(method)) {
    if (site === undefined || site === 'same-origin' || site === 'none') return;
  } else if (
    site === 'same-origin' ||
    (site === undefined && (origin === ownOrigin || origin === `${protocol}://${host}`))
  )
    return;
  throw new CrossSiteRequest();
}

/**
 * Requests that ask for no fresh proof of identity although they are no reads: they change nothing, end sessions or
 * stop a key, name a view, ask for the proof themselves, or depend on the mode that their body names. Every other one
 * asks, a new one too.
 */
const WITHOUT: ReadonlySet<string> = new Set([
  'POST /v4/bills/validate',
  'POST /v4/banks/resolve',
  'POST /v4/transactions/:id/requery',
  'POST /dashboard/api/auth/log-out',
  'POST /dashboard/api/auth/log-out-everywhere',
  'POST /dashboard/api/accounts/:id/switch',
  'POST /dashboard/api/auth/step-up',
  'POST /dashboard/api/auth/step-up/passkey-options',
  'POST /dashboard/api/auth/step-up/passkey',
  'DELETE /dashboard/api/sessions/:id',
  'PUT /dashboard/api/password',
  'POST /dashboard/api/totp/disable',
  'POST /dashboard/api/keys',
  'POST /dashboard/api/keys/:id/roll',
  'POST /dashboard/api/keys/:id/revoke',
  'POST /dashboard/api/device/look-up',
  'POST /dashboard/api/device/approve',
  'POST /dashboard/api/device/deny',
  'PUT /dashboard/api/views',
  'PATCH /dashboard/api/views/:id',
  'DELETE /dashboard/api/views/:id',
  'POST /dashboard/api/notices/read',
]);

/** What looks like the real thing in test mode, too. */
const ALSO_IN_TEST: ReadonlySet<string> = new Set(['POST /v4/cards/:id/reveal']);

/** `route` as the router has it. `livemode` undefined: a route of the dashboard itself, which knows no mode. */
function needsStepUp(method: string, route: string, livemode: boolean | undefined): boolean {
  if (READS.has(method)) return false;
  const name = `${method} ${route}`;
  return livemode === false ? ALSO_IN_TEST.has(name) : !WITHOUT.has(name);
}

/** Where a request comes from. */
export const originOf = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Origin => ({
  ip,
  userAgent: headers['user-agent'] ?? null,
});
