import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../../core/database/unit-of-work';
import { hasScope } from '../../../core/http/caller';
import { encodeId } from '../../../core/http/ids';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import type { ScopeName } from '../../../vocabulary/scopes';
import type { SignedIn } from '../people/sessions.service';
import { type Permission, POWERS, scopesOf } from '../roles';

export const NOTICE_KINDS = [
  'endpoint_failing',
  'endpoint_disabled',
  'endpoint_recovered',
  'transactions_in_review',
  'payments_in_review',
  'wallet_low',
  'key_expires',
  'key_unused',
  'payout_awaits_approval',
  'refund_awaits_approval',
  'batch_ended',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Something that needs somebody, or that somebody waits for. */
export interface Notice {
  readonly kind: NoticeKind;
  /** Since when. */
  readonly at: Date;
  /** What it is about, by its public id; null: several things. */
  readonly object: string | null;
  /** How people call it. */
  readonly name: string | null;
  /** How many things it is about. */
  readonly count: number;
}

interface Row {
  readonly kind: NoticeKind;
  readonly at: Date;
  readonly id: string | null;
  readonly name: string | null;
  readonly count: number;
}

/** Where notices of some kinds come from, and who is told of them. */
interface Source {
  readonly scope?: ScopeName;
  readonly permission?: Permission;
  readonly prefix: IdPrefix | null;
  /** Account, mode and person are `$1` to `$3`. */
  readonly query: string;
}

/** The time that an id carries, as `timeOf` reads it. */
const timeIn = (id: string): string =>
  `to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

const MAX = 50;
const EACH_MAX = 20;
const COUNT_MAX = 1_000;

/** The last that was told of each endpoint that is there; old news is none. */
const ENDPOINTS = `
  SELECT CASE e.type WHEN 'webhook_endpoint.disabled' THEN 'endpoint_disabled'
              WHEN 'webhook_endpoint.recovered' THEN 'endpoint_recovered' ELSE 'endpoint_failing' END AS kind,
         ${timeIn('e.id')} AS at, w.id, w.url AS name, 1 AS count
    FROM webhook_endpoints w
    CROSS JOIN LATERAL (
      SELECT id, type FROM events
       WHERE account_id = $1 AND livemode = $2 AND object_id = w.id AND object_type = 'whk' AND NOT is_sample
         AND id >= uuid_v7_floor(now() - interval '30 days')
         AND type IN ('webhook_endpoint.failing', 'webhook_endpoint.disabled', 'webhook_endpoint.recovered')
       ORDER BY id DESC LIMIT 1) e
   WHERE w.account_id = $1 AND w.livemode = $2 AND w.deleted_at IS NULL AND $3::uuid IS NOT NULL
     AND (e.type <> 'webhook_endpoint.disabled' OR w.status = 'disabled')
     AND (e.type <> 'webhook_endpoint.failing' OR (w.status = 'enabled' AND w.failing_since IS NOT NULL))
     AND (e.type <> 'webhook_endpoint.recovered' OR w.status = 'enabled')
   ORDER BY e.id DESC LIMIT ${EACH_MAX}`;

const inReview = (kind: NoticeKind, table: string, condition: string): string => `
  SELECT '${kind}' AS kind, ${timeIn('max(id::text)')} AS at, NULL::uuid AS id, NULL AS name,
         count(*)::integer AS count
    FROM (SELECT id FROM ${table} WHERE account_id = $1 AND livemode = $2 AND ${condition} AND $3::uuid IS NOT NULL
           ORDER BY id DESC LIMIT ${COUNT_MAX}) r
  HAVING count(*) > 0`;

const WALLETS = `
  SELECT 'wallet_low' AS kind, w.id, coalesce(w.label, w.currency) AS name, 1 AS count,
         coalesce((SELECT ${timeIn('e.id')} FROM events e
                    WHERE e.account_id = $1 AND e.livemode = $2 AND e.object_id = w.id AND NOT e.is_sample
                      AND e.type = 'wallet.low_balance' ORDER BY e.id DESC LIMIT 1), w.created_at) AS at
    FROM (SELECT w.*, ${timeIn('w.id')} AS created_at FROM wallets w
           JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
          WHERE w.account_id = $1 AND w.livemode = $2 AND a.alert_below > a.available AND a.status <> 'closed'
            AND $3::uuid IS NOT NULL ORDER BY w.id DESC LIMIT ${EACH_MAX}) w`;

const KEYS = `
  SELECT CASE WHEN expires_at < now() + interval '7 days' THEN 'key_expires' ELSE 'key_unused' END AS kind,
         CASE WHEN expires_at < now() + interval '7 days' THEN expires_at - interval '7 days'
              ELSE coalesce(last_used_at, created_at) + interval '90 days' END AS at,
         id, name || ' …' || last4 AS name, 1 AS count
    FROM api_keys
   WHERE account_id = $1 AND livemode = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
     AND (expires_at < now() + interval '7 days' OR coalesce(last_used_at, created_at) < now() - interval '90 days')
     AND $3::uuid IS NOT NULL
   ORDER BY id DESC LIMIT ${EACH_MAX}`;

/** Whoever asked for something cannot approve it. */
const APPROVALS = `
  SELECT CASE t.type WHEN 'payout' THEN 'payout_awaits_approval' ELSE 'refund_awaits_approval' END AS kind,
         ${timeIn('a.id')} AS at, a.id, 1 AS count,
         coalesce(t.recipient, t.details ->> 'payment_reference', t.details ->> 'payment_id') AS name
    FROM approvals a
    JOIN transactions t ON t.account_id = a.account_id AND t.livemode = a.livemode AND t.id = a.id
   WHERE a.account_id = $1 AND a.livemode = $2 AND a.decision IS NULL AND t.status = 'pending'
     AND a.made_by IS DISTINCT FROM $3::uuid
   ORDER BY a.id DESC LIMIT ${EACH_MAX}`;

const BATCHES = `
  SELECT 'batch_ended' AS kind, completed_at AS at, id, status AS name, 1 AS count
    FROM batches
   WHERE account_id = $1 AND livemode = $2 AND id >= uuid_v7_floor(now() - interval '30 days')
     AND completed_at > now() - interval '7 days' AND $3::uuid IS NOT NULL
   ORDER BY id DESC LIMIT ${EACH_MAX}`;

const SOURCES: readonly Source[] = [
  { scope: 'webhooks:read', prefix: 'whk', query: ENDPOINTS },
  {
    scope: 'transactions:read',
    prefix: null,
    query: inReview('transactions_in_review', 'transactions', 'needs_review'),
  },
  { scope: 'payments:read', prefix: null, query: inReview('payments_in_review', 'payments', 'review IS NOT NULL') },
  { scope: 'wallets:read', prefix: 'wal', query: WALLETS },
  { permission: 'keys:read', prefix: 'key', query: KEYS },
  { permission: 'approvals:decide', prefix: 'txn', query: APPROVALS },
  { scope: 'batches:read', prefix: 'bat', query: BATCHES },
];

const MARK = `SELECT read_until AS until FROM notice_marks WHERE account_id = $1 AND user_id = $2 AND livemode = $3`;
const READ = `
  INSERT INTO notice_marks (account_id, user_id, livemode, read_until) VALUES ($1, $2, $3, least($4, now()))
  ON CONFLICT ON CONSTRAINT notice_marks_pkey
    DO UPDATE SET read_until = greatest(notice_marks.read_until, excluded.read_until)`;

/** What needs somebody of an account: as it stands, never a list of its own that could say something else. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
  ) {}

  /** Newest first, of what the role may look at. */
  async list({ accountId, userId, role }: SignedIn, livemode: boolean): Promise<Notice[]> {
    const caller = { scopes: scopesOf(role, livemode) };
    const mine = SOURCES.filter(
      ({ scope, permission }) =>
        (scope === undefined || hasScope(caller, scope)) &&
        (permission === undefined || POWERS[role].dashboard.includes(permission)),
    );
    const found = await Promise.all(
      mine.map(async ({ query, prefix }) => {
        const rows: Row[] = await this.dataSource.query(query, [accountId, livemode, userId]);
        return rows.map(({ id, ...row }) => ({ ...row, object: prefix && id && encodeId(prefix, id) }));
      }),
    );
    return found
      .flat()
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, MAX);
  }

  /** Up to when the person has read them; null: never. */
  async readUntil({ accountId, userId }: SignedIn, livemode: boolean): Promise<Date | null> {
    const rows: { until: Date }[] = await this.dataSource.query(MARK, [accountId, userId, livemode]);
    return rows[0]?.until ?? null;
  }

  /** What is newer stays unread. */
  async markRead({ accountId, userId }: SignedIn, livemode: boolean, until: Date): Promise<void> {
    await this.uow.run((tx) => tx.query(READ, [accountId, userId, livemode, until]));
  }
}
