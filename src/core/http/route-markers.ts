import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import type { ScopeName } from '../../vocabulary/scopes';

export const PUBLIC_ROUTE = 'duka:public-route';
export const UNLIMITED_ROUTE = 'duka:unlimited-route';
export const ROUTE_SCOPES = 'duka:route-scopes';

/** Opens a route to callers without a key. Routes are closed by default. */
export const Public = () => applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension('x-public', true));

/** The limit by address does not count the route: load balancers ask as often as they like. */
export const Unlimited = () => SetMetadata(UNLIMITED_ROUTE, true);

/**
 * Where there are several cells, the control cell answers: `anybody` at once, `person` when the cell of their session
 * has said who it is.
 */
export const InControlCell = (who: 'anybody' | 'person') => RouteConfig({ inControlCell: who });

/**
 * Demands a scope of the key. A key without scopes has all. Of several any opens the route: which of them it is follows
 * from what the request is about, and is asked for when that is known.
 */
export const Scope = (...anyOf: readonly [ScopeName, ...ScopeName[]]) =>
  applyDecorators(
    SetMetadata(ROUTE_SCOPES, anyOf),
    ApiExtension('x-required-scope', anyOf.length === 1 ? anyOf[0] : anyOf),
  );

/** An account may have only so many of what the route makes: 402 `limit_exceeded`. */
export const HasQuota = () => ApiExtension('x-has-quota', true);

/** Answers with something new each time: no `Idempotency-Key` is looked at. */
export const NewEachTime = () => ApiExtension('x-new-each-time', true);

/** About the one thing of its kind that an account can have, and may not: 404 `not_found`. */
export const MayBeNone = () => ApiExtension('x-may-be-none', true);

export const RETIRED = 'duka:retired';

/** A route, or a field of its body or query, that goes away. */
export interface Retirement {
  /** Only requests that have this field are told. Absent: the whole route goes. */
  readonly field?: string;
  /** The day from which on nobody should begin to use it: `2027-01-31`. */
  readonly since: string;
  /** The day on which it ends. */
  readonly sunset: string;
  /** Where it is written what to use instead: a path of this service or a whole address. */
  readonly link: string;
}

/**
 * Retires a route or one of its fields: answers carry `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`, the
 * OpenAPI document marks it, and `npm run duka -- api:deprecated` tells who still uses it. The changelog says it in
 * words.
 */
export const Retired = (retirement: Retirement): MethodDecorator => {
  if (!(Date.parse(retirement.since) < Date.parse(retirement.sunset)))
    throw new Error('what is retired ends after the day on which that is said');
  return applyDecorators(
    SetMetadata(RETIRED, retirement),
    ApiExtension('x-retired', retirement),
    UseInterceptors(new TellRetired(retirement)),
  );
};

const hasField = (values: unknown, field: string): boolean =>
  typeof values === 'object' && values !== null && field in values;

class TellRetired implements NestInterceptor {
  private readonly headers: Readonly<Record<string, string>>;

  constructor(private readonly retirement: Retirement) {
    const { since, sunset, link } = retirement;
    this.headers = {
      deprecation: `@${Date.parse(since) / 1_000}`,
      sunset: new Date(sunset).toUTCString(),
      link: `<${link}>; rel="deprecation"`,
    };
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body, query } = context.switchToHttp().getRequest<FastifyRequest>();
    const { field } = this.retirement;
    if (field === undefined || hasField(body, field) || hasField(query, field))
      context.switchToHttp().getResponse<FastifyReply>().headers(this.headers);
    return next.handle();
  }
}
