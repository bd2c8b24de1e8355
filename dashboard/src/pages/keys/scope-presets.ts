const SELLS = ['purchases:', 'wallets:read', 'transactions:read', 'events:read'];
const TAKES_PAYMENTS = ['payments:', 'virtual_accounts:', 'wallets:read', 'transactions:read', 'events:read'];
const PAYS_OUT = [
  'payouts:',
  'beneficiaries:',
  'batches:',
  'conversions:',
  'wallets:read',
  'transactions:read',
  'events:read',
];
const ISSUES_CARDS = ['cards:read', 'cards:write', 'wallets:read', 'transactions:read', 'events:read'];

const oneOf = (beginnings: readonly string[]) => (scope: string) =>
  beginnings.some((beginning) => scope.startsWith(beginning));

/** What one program usually needs, by the beginnings of its scopes. */
export const SCOPE_PRESETS: readonly { readonly name: string; readonly takes: (scope: string) => boolean }[] = [
  { name: 'Only looks', takes: (scope) => scope.endsWith(':read') },
  { name: 'Sells airtime, data, bills', takes: oneOf(SELLS) },
  { name: 'Takes payments', takes: oneOf(TAKES_PAYMENTS) },
  { name: 'Pays out', takes: oneOf(PAYS_OUT) },
  { name: 'Issues cards', takes: oneOf(ISSUES_CARDS) },
];
