import type { Tenant } from '../http/caller';
import { DomainError } from '../errors/domain-error';
import type { Tx } from './unit-of-work';

/** The account has as much of something as it may have. */
export class LimitExceeded extends DomainError {
  constructor(detail: string) {
    super({ code: 'limit_exceeded', kind: 'payment_required', title: 'Limit exceeded', detail });
  }
}

/** Things of which an account has at most `max` in each mode. */
export interface Quota {
  /** Stands in statements as it is: written in code only. */
  readonly table: string;
  /** In the words of the refusal. */
  readonly of: string;
  readonly max: number;
  /** Only these count; all without it. */
  readonly where?: string;
}

/** Throws `LimitExceeded` when there is no room for one more. Until the transaction ends nobody else takes the room. */
export async function requireRoom(tx: Tx, quota: Quota, owner: Tenant): Promise<void> {
  // Two at once would each count without the other.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`${quota.table}:${owner.accountId}`]);
  if (!(await hasRoom(tx, quota, owner))) throw fullOf(quota);
}

/** Whether there is room now. */
export async function hasRoom(
  db: Pick<Tx, 'query'>,
  { table, max, where = 'true' }: Quota,
  { accountId, livemode }: Tenant,
): Promise<boolean> {
  const rows: unknown[] = await db.query(
    `SELECT 1 FROM ${table} WHERE account_id = $1 AND livemode = $2 AND ${where} OFFSET $3 LIMIT 1`,
    [accountId, livemode, max - 1],
  );
  return rows.length === 0;
}

export const fullOf = ({ of, max }: Quota): LimitExceeded =>
  new LimitExceeded(`An account has at most ${max} ${of} in each mode.`);
