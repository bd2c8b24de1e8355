import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../../../core/database/unit-of-work';
import { found } from '../../../../core/errors/domain-error';
import { decodeId, encodeId, HIGHEST_ID, lowestIdAt } from '../../../../core/http/ids';
import { auditWrite } from '../../audit.service';
import type { SignedIn } from '../../people/sessions.service';
import type { AccountMoney, AccountRow, AccountsQuery } from './accounts.dto';

const DAY_MS = 24 * 3_600_000;
const VOLUME_DAYS = 30;

const FROZEN = `(a.freeze_direction IS NOT NULL AND (a.frozen_until IS NULL OR a.frozen_until > now()))`;

const SELECT = `
  SELECT a.id, a.name, a.live_enabled AS "liveEnabled", a.tier, a.time_zone AS "timeZone",
         CASE WHEN ${FROZEN} THEN a.freeze_direction END AS freeze,
         CASE WHEN ${FROZEN} THEN a.frozen_until END AS "frozenUntil",
         (SELECT m.email FROM team_members m WHERE m.account_id = a.id AND m.role = 'owner' AND m.removed_at IS NULL
           ORDER BY m.id LIMIT 1) AS owner
    FROM accounts a`;

/** Newest first, below `$1`; a filter that is null lets everything pass. */
const SELECT_LIST = `${SELECT}
   WHERE a.id < $1
     AND ($2::text IS NULL OR a.id = $3 OR strpos(lower(a.name), lower($2)) > 0 OR EXISTS (
       SELECT 1 FROM team_members m
        WHERE m.account_id = a.id AND m.removed_at IS NULL AND strpos(lower(m.email), lower($2)) > 0))
     AND ($4::text IS NULL OR CASE $4 WHEN 'frozen' THEN ${FROZEN} ELSE a.live_enabled = ($4 = 'live') END)
   ORDER BY a.id DESC LIMIT $5`;
const SELECT_ONE = `${SELECT} WHERE a.id = $1`;

const SELECT_WALLETS = `
  SELECT livemode, currency, count(*)::integer AS count, sum(available + held)::text AS amount FROM ledger_accounts
   WHERE account_id = $1 AND name = 'wallet' AND status <> 'closed' GROUP BY 1, 2 ORDER BY 1 DESC, 2`;
const SELECT_VOLUME = `
  SELECT livemode, currency, count(*)::integer AS count, sum(amount)::text AS amount FROM transactions
   WHERE account_id = $1 AND id >= $2 AND status = 'successful'
     AND type NOT IN ('transfer_in', 'transfer_out', 'conversion_in', 'conversion_out', 'reversal')
   GROUP BY 1, 2 ORDER BY 1 DESC, 2`;
const SELECT_KEYS = `
  SELECT livemode, count(*)::integer AS count FROM api_keys
   WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
   GROUP BY 1 ORDER BY 1 DESC`;
const SELECT_PEOPLE = `
  SELECT m.user_id AS "userId", u.name, m.email, m.role, coalesce(u.operator, false) AS operator,
         count(s.id)::integer AS sessions, max(s.last_seen_at) AS "lastSeenAt"
    FROM team_members m LEFT JOIN users u ON u.id = m.user_id
    LEFT JOIN sessions s ON s.account_id = m.account_id AND s.user_id = m.user_id AND s.ended_at IS NULL
     AND s.last_seen_at > now() - interval '30 minutes' AND s.created_at > now() - interval '12 hours'
   WHERE m.account_id = $1 AND m.removed_at IS NULL GROUP BY m.id, m.account_id, u.id ORDER BY m.id`;

const END_SESSIONS = `
  UPDATE sessions SET ended_at = now() WHERE account_id = $1 AND user_id = $2 AND ended_at IS NULL`;

interface AccountPerson {
  readonly userId: string | null;
  readonly name: string | null;
  readonly email: string;
  readonly role: string;
  readonly operator: boolean;
  readonly sessions: number;
  readonly lastSeenAt: Date | null;
}

export interface AccountStory {
  readonly account: AccountRow;
  readonly wallets: readonly AccountMoney[];
  readonly volume: readonly AccountMoney[];
  readonly people: readonly AccountPerson[];
  readonly keys: readonly { readonly livemode: boolean; readonly count: number }[];
}

/** All accounts, as operators see them. */
@Injectable()
export class PlatformAccounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Newest first, below the uuid `before`. */
  async list(
    { q, state }: Pick<AccountsQuery, 'q' | 'state'>,
    before: string | null,
    take: number,
  ): Promise<AccountRow[]> {
    const text = q?.trim() || null;
    // PostgreSQL refuses to look for text that it cannot hold.
    if (text?.includes('\0')) return [];
    const id = text === null ? null : decodeId('acct', text);
    return this.dataSource.query(SELECT_LIST, [before ?? HIGHEST_ID, text, id, state ?? null, take]);
  }

  /** Throws `NotFound`. */
  async require(id: string | null): Promise<AccountStory> {
    const [account]: AccountRow[] = id === null ? [] : await this.dataSource.query(SELECT_ONE, [id]);
    const from = lowestIdAt(new Date(Date.now() - VOLUME_DAYS * DAY_MS));
    const [wallets, volume, people, keys] = await Promise.all([
      this.dataSource.query<AccountMoney[]>(SELECT_WALLETS, [found(account, 'account').id]),
      this.dataSource.query<AccountMoney[]>(SELECT_VOLUME, [id, from]),
      this.dataSource.query<AccountPerson[]>(SELECT_PEOPLE, [id]),
      this.dataSource.query<AccountStory['keys']>(SELECT_KEYS, [id]),
    ]);
    return { account: found(account, 'account'), wallets, volume, people, keys };
  }

  /** Signs somebody out of an account, everywhere. Throws `NotFound`. */
  async endSessions(
    { userId: by, email }: SignedIn,
    { accountId, userId }: { accountId: string; userId: string | null },
    { reason, ip }: { reason: string; ip: string },
  ): Promise<void> {
    const { people } = await this.require(accountId);
    const person = found(
      people.find((one) => one.userId !== null && one.userId === userId),
      'person',
    );
    await this.unitOfWork.run(async (tx) => {
      await tx.query(END_SESSIONS, [accountId, person.userId]);
      const entry = { accountId, userId: by, actor: `operator ${email}`, action: 'sessions.ended', ip };
      const detail = { reason, email: person.email };
      await this.unitOfWork.write(tx, [auditWrite({ ...entry, target: encodeId('usr', person.userId!), detail })]);
    });
  }
}
