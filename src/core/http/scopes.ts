import { InsufficientScope } from '../errors/insufficient-scope';

/** What a key may be limited to. */
export const SCOPES = [
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
  'tokens:reveal',
] as const;

export type ScopeName = (typeof SCOPES)[number];

/** Null: all. */
interface Holder {
  readonly scopes: readonly string[] | null;
}

export const hasScope = ({ scopes }: Holder, scope: ScopeName): boolean => scopes === null || scopes.includes(scope);

/** Throws `InsufficientScope`. */
export function requireScope(holder: Holder, scope: ScopeName): void {
  if (!hasScope(holder, scope)) throw new InsufficientScope(scope);
}
