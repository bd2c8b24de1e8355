/** What a key may be limited to. */
export const SCOPES = [
  'account:read', 'wallets:read', 'wallets:write', 'transactions:read', 'purchases:read', 'purchases:write', 'events:read',
  'cards:read', 'cards:write', 'cards:reveal', 'webhooks:read', 'webhooks:write', 'sandbox:write',
  'payments:read', 'payments:write',
] as const;

export type ScopeName = (typeof SCOPES)[number];
