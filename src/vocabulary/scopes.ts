const OF_THE_SERVICE = [
  'account:read',
  'wallets:read',
  'wallets:write',
  'transactions:read',
  'purchases:read',
  'purchases:write',
  'events:read',
  'cards:read',
  'cards:write',
  'cards:reveal',
  'webhooks:read',
  'webhooks:write',
  'sandbox:write',
  'payments:read',
  'payments:write',
  'conversions:read',
  'conversions:write',
  'beneficiaries:read',
  'beneficiaries:write',
  'payouts:read',
  'payouts:write',
  'batches:read',
  'batches:write',
  'virtual_accounts:read',
  'virtual_accounts:write',
  'requests:read',
  'tokens:reveal',
] as const;

/**
 * Scopes of teams: `declare module '../../vocabulary/scopes' { interface TeamScopes { 'contacts:read': true } }`.
 * @public
 */
export interface TeamScopes {}

export type ScopeName = (typeof OF_THE_SERVICE)[number] | keyof TeamScopes;

const scopes: ScopeName[] = [...OF_THE_SERVICE];

/** What a key may be limited to; those of teams from the start of a process on. */
export const SCOPES: readonly ScopeName[] = scopes;

export function addScope(scope: ScopeName): void {
  if (!scopes.includes(scope)) scopes.push(scope);
}
