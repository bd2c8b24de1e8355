import { type ScopeName, SCOPES } from '../../vocabulary/scopes';

export const ROLES = ['owner', 'admin', 'developer', 'finance', 'support'] as const;
export type Role = (typeof ROLES)[number];

/** What a role may do at the dashboard itself. `self`: what concerns only the person who asks. */
export const PERMISSIONS = [
  'self',
  'overview',
  'search',
  'ledger',
  'requests',
  'keys:read',
  'keys:write',
  'live_keys:write',
  'webhooks:secret',
  'approvals:decide',
  'team:read',
  'team:write',
  'branding:write',
  'audit:read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

interface Powers {
  /** Of the public API, by mode; null: all. */
  readonly test: readonly ScopeName[] | null;
  readonly live: readonly ScopeName[] | null;
  readonly dashboard: readonly Permission[];
}

/** With those of teams, which are known when a process has started. */
const reads = (): ScopeName[] => SCOPES.filter((scope) => scope.endsWith(':read'));
/** What the request log keeps of a call is nobody's who lacks the permission `requests`. */
const readsOfMoney = (): ScopeName[] => reads().filter((scope) => scope !== 'requests:read');
const LOOKING: readonly Permission[] = ['self', 'overview', 'search', 'team:read'];

/**
 * What each role may do. A developer does everything in the sandbox, and with real money only looks and sets up
 * webhooks.
 */
export const POWERS: Readonly<Record<Role, Powers>> = {
  owner: { test: null, live: null, dashboard: PERMISSIONS },
  admin: { test: null, live: null, dashboard: PERMISSIONS },
  developer: {
    test: null,
    get live() {
      return [...reads(), 'webhooks:write' as const];
    },
    dashboard: [...LOOKING, 'ledger', 'requests', 'keys:read', 'keys:write', 'webhooks:secret'],
  },
  finance: {
    get test() {
      return readsOfMoney();
    },
    get live() {
      return readsOfMoney();
    },
    dashboard: [...LOOKING, 'ledger', 'audit:read'],
  },
  support: {
    get test() {
      return reads();
    },
    get live() {
      return reads();
    },
    dashboard: [...LOOKING, 'requests'],
  },
};

/** Scopes of the public API that a role stands for; null: all. */
export const scopesOf = (role: Role, livemode: boolean): readonly ScopeName[] | null =>
  POWERS[role][livemode ? 'live' : 'test'];
