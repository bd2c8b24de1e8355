// What the dashboard's own routes answer. They are not part of the public OpenAPI document.

export const ROLES = ['owner', 'admin', 'developer', 'finance', 'support'] as const;
export type Role = (typeof ROLES)[number];

export type Permission =
  | 'self'
  | 'overview'
  | 'search'
  | 'ledger'
  | 'requests'
  | 'keys:read'
  | 'keys:write'
  | 'live_keys:write'
  | 'webhooks:secret'
  | 'team:read'
  | 'team:write'
  | 'audit:read';

export type Scope =
  | 'account:read'
  | 'wallets:read'
  | 'wallets:write'
  | 'transactions:read'
  | 'purchases:read'
  | 'purchases:write'
  | 'events:read'
  | 'cards:read'
  | 'cards:write'
  | 'cards:reveal'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'sandbox:write'
  | 'payments:read'
  | 'payments:write'
  | 'tokens:reveal';

export interface Me {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: Role;
    readonly totp_enabled: boolean;
    readonly operator: boolean;
  };
  readonly account: { readonly id: string; readonly name: string; readonly live_enabled: boolean };
  readonly may: {
    readonly dashboard: readonly Permission[];
    /** Null: all. */
    readonly test: readonly Scope[] | null;
    readonly live: readonly Scope[] | null;
  };
  readonly stepped_up_until: string | null;
}

export interface Session {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly current: boolean;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly livemode: boolean;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly string[] | null;
  readonly allowed_ips: readonly string[] | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

export interface NewKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export interface Overview {
  readonly wallets: readonly OverviewWallet[];
  readonly days: readonly OverviewDay[];
  /** Of what ended in the last 30 days; null when nothing did. */
  readonly success_rate: number | null;
  readonly checklist: Readonly<Record<ChecklistStep, boolean>>;
}

export type ChecklistStep =
  | 'has_key'
  | 'has_transfer'
  | 'has_webhook'
  | 'has_delivery'
  | 'totp_enabled'
  | 'live_enabled';

export interface OverviewWallet {
  readonly id: string;
  readonly currency: string;
  readonly label: string | null;
  readonly status: string;
  readonly available: number;
  readonly held: number;
  readonly available_display: string;
  readonly held_display: string;
}

export interface OverviewDay {
  readonly day: string;
  readonly currency: string;
  readonly count: number;
  readonly successful: number;
  /** Null: more than a number holds; the text says it. */
  readonly amount_in: number | null;
  readonly amount_in_display: string;
  readonly amount_out: number | null;
  readonly amount_out_display: string;
}

export interface LoggedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly route: string | null;
  readonly status: number;
  readonly handled_status: number | null;
  readonly duration_ms: number;
  readonly key_id: string | null;
  readonly key_last4: string | null;
  readonly replayed: boolean;
  readonly error_code: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_body: unknown;
  readonly created_at: string;
}

export interface ErrorGroup {
  readonly route: string | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly count: number;
  readonly last_at: string;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export interface FoundTransaction {
  readonly id: string;
  readonly type: string;
}

export interface LedgerLineRow {
  readonly id: string;
  /** Null for a card. */
  readonly wallet_id: string | null;
  readonly account: 'wallet' | 'card';
  readonly bucket: 'available' | 'held';
  readonly amount: number;
  readonly currency: string;
  readonly amount_display: string;
  readonly balance_after: number;
  readonly created_at: string;
}

export interface Member {
  readonly id: string;
  /** Null until the invitation is accepted. */
  readonly user_id: string | null;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly status: 'invited' | 'active';
  readonly created_at: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly ip: string | null;
  readonly at: string;
  readonly detail: unknown;
}
