import { SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = 'duka:public-route';
export const ROUTE_SCOPE = 'duka:route-scope';

/** Opens a route to callers without a key. Routes are closed by default. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);

/** What a key may be limited to. */
export const SCOPES = [
  'account:read', 'wallets:read', 'wallets:write', 'transactions:read', 'events:read', 'sandbox:write',
] as const;

export type ScopeName = (typeof SCOPES)[number];

/** Demands a scope of the key. A key without scopes has all. */
export const Scope = (scope: ScopeName) => SetMetadata(ROUTE_SCOPE, scope);
