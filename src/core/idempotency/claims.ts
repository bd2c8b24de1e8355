import { arrayParam, unnested } from '../database/array-param';
import { bulkInsert, type Write } from '../database/bulk';
import type { DomainError } from '../errors/domain-error';
import type { Claim, Replay, StoredClaim } from './claim';
import { DuplicateReference, IdempotencyKeyReused, LikelyDuplicate } from './errors';
import { isAlike } from './likeness';

/** The unique constraint that makes a key or a reference work once. */
export const CLAIMS_PKEY = 'claims_pkey';

const COLUMNS = {
  account_id: 'uuid',
  livemode: 'boolean',
  kind: 'text',
  value: 'text',
  fingerprint: 'bytea',
  resource: 'text',
  resource_id: 'uuid',
} as const;

const insertClaim = bulkInsert('claims', COLUMNS);

/** Apart, so that keys and references do not carry its column. */
const insertLikeness = bulkInsert('claims', { ...COLUMNS, expires_at: 'timestamptz' }, 'insert_likenesses');

/** The rows of a claim: none, one or two. */
export function storedClaims({ key, reference, likeness, ...bound }: Claim): StoredClaim[] {
  const rows: StoredClaim[] = [];
  if (key !== null) rows.push({ ...bound, kind: 'key', value: key, expiresAt: null });
  if (reference !== null) rows.push({ ...bound, kind: 'reference', value: reference, expiresAt: null });
  if (likeness) rows.push({ ...bound, kind: 'likeness', ...likeness });
  return rows;
}

export const claimWrites = (claim: Claim): Write[] =>
  storedClaims(claim).map(({ expiresAt, ...claimed }) => {
    const row = {
      account_id: claimed.accountId,
      livemode: claimed.livemode,
      kind: claimed.kind,
      value: claimed.value,
      fingerprint: claimed.fingerprint,
      resource: claimed.resource,
      resource_id: claimed.resourceId,
    };
    return expiresAt === null ? insertClaim.row(row) : insertLikeness.row({ ...row, expires_at: expiresAt });
  });

/** Identity of a claim row within maps. */
export const claimId = (row: Pick<StoredClaim, 'accountId' | 'livemode' | 'kind' | 'value'>): string =>
  `${row.accountId}${row.livemode ? 'L' : 'T'}${row.kind}:${row.value}`;

/** Reads claims for four parallel arrays: account, mode, kind, value. */
export const SELECT_CLAIMS = {
  name: 'select_claims',
  text: `SELECT c.account_id AS "accountId", c.livemode, c.kind, c.value, c.fingerprint, c.resource, c.resource_id AS "resourceId", c.expires_at AS "expiresAt"
    FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', kind: 'text', value: 'text' })} AS v
    JOIN claims c USING (account_id, livemode, kind, value)`,
};

export const selectClaimsParams = (rows: readonly StoredClaim[]): Buffer[] => [
  arrayParam(
    'uuid',
    rows.map((row) => row.accountId),
  ),
  arrayParam(
    'boolean',
    rows.map((row) => row.livemode),
  ),
  arrayParam(
    'text',
    rows.map((row) => row.kind),
  ),
  arrayParam(
    'text',
    rows.map((row) => row.value),
  ),
];

/** Compares a claim with what is stored under its key, reference or likeness. Null: nothing is, the request is new. */
export function matchClaim(claim: Claim, find: (id: string) => StoredClaim | undefined): Replay | DomainError | null {
  for (const row of storedClaims(claim)) {
    const stored = find(claimId(row));
    if (!stored) continue;
    if (row.kind === 'likeness') {
      if (isAlike(stored, claim.likeness!)) return new LikelyDuplicate(stored);
      continue;
    }
    if (stored.fingerprint.equals(row.fingerprint)) return { by: row.kind, resourceId: stored.resourceId };
    return row.kind === 'key' ? new IdempotencyKeyReused(stored) : new DuplicateReference(stored);
  }
  return null;
}
