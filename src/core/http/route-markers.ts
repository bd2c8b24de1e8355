import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { ScopeName } from './scopes';

export const PUBLIC_ROUTE = 'duka:public-route';
export const UNLIMITED_ROUTE = 'duka:unlimited-route';
export const ROUTE_SCOPE = 'duka:route-scope';

/** Opens a route to callers without a key. Routes are closed by default. */
export const Public = () => applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension('x-public', true));

/** The limit by address does not count the route: load balancers ask as often as they like. */
export const Unlimited = () => SetMetadata(UNLIMITED_ROUTE, true);

/** Demands a scope of the key. A key without scopes has all. */
export const Scope = (scope: ScopeName) =>
  applyDecorators(SetMetadata(ROUTE_SCOPE, scope), ApiExtension('x-required-scope', scope));

/** An account may have only so many of what the route makes: 402 `limit_exceeded`. */
export const HasQuota = () => ApiExtension('x-has-quota', true);
