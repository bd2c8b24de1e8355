import { hash } from 'node:crypto';
import { arrayParam, bulkDelete, bulkInsert, unnested, type Write } from '../database/bulk';
import { type Check, inPieces } from '../database/checks';
import { DomainError } from '../errors/domain-error';
import type { Tenant } from '../http/caller';
import { encodeId } from '../http/ids';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import type { Claim, Likeness, Replay, RequestClaim, StoredClaim } from './claim';

export class IdempotencyKeyReused extends DomainError {
  constructor({ resource, resourceId }: StoredClaim) {
    super({
      code: 'idempotency_key_reused',
      kind: 'unprocessable',
      title: 'Idempotency key used for another request',
      detail: `This key belongs to a different request, which made ${encodeId(resource, resourceId)}.`,
      resourceId: encodeId(resource, resourceId),
    });
  }
}

class DuplicateReference extends DomainError {
  constructor({ resource, resourceId }: StoredClaim) {
    super({
      code: 'duplicate_reference',
      kind: 'conflict',
      title: 'Reference used before',
      detail: `This reference belongs to a different request, which made ${encodeId(resource, resourceId)}.`,
      param: '/reference',
      resourceId: encodeId(resource, resourceId),
    });
  }
}

/** The account demands that what moves money can be known again. */
export class IdempotencyKeyRequired extends DomainError {
  constructor() {
    super({
      code: 'idempotency_key_required',
      kind: 'malformed',
      title: 'Idempotency key required',
      detail:
        'This account takes requests that move money only with an Idempotency-Key header or a reference. ' +
        'Nothing was changed.',
    });
  }
}

/** The same without key and reference, less than two minutes ago: an impatient finger, or a retry without a key. */
export class LikelyDuplicate extends DomainError {
  constructor({ resource, resourceId }: Pick<StoredClaim, 'resource' | 'resourceId'>) {
    super({
      code: 'likely_duplicate',
      kind: 'conflict',
      title: 'Likely duplicate',
      detail:
        'The same was asked for within two minutes. ' +
        'Send allow_duplicate, a reference or an Idempotency-Key if it is meant.',
      resourceId: encodeId(resource, resourceId),
    });
  }
}

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
export function storedClaims(claim: Claim): StoredClaim[] {
  const { key, reference, likeness } = claim;
  const rows: StoredClaim[] = [];
  if (key !== null) rows.push(storedClaim(claim, 'key', key));
  if (reference !== null) rows.push(storedClaim(claim, 'reference', reference));
  if (likeness) rows.push(storedClaim(claim, 'likeness', likeness.value, likeness.expiresAt));
  return rows;
}

const storedClaim = (
  { accountId, livemode, fingerprint, resource, resourceId }: Claim,
  kind: StoredClaim['kind'],
  value: string,
  expiresAt: Date | null = null,
): StoredClaim => ({ accountId, livemode, fingerprint, resource, resourceId, kind, value, expiresAt });

/** Of a request about what an account has one of, without an id of its own: a clock, an outage, an endpoint. */
export const claimOfAccount = ({ accountId, livemode }: Tenant, request: RequestClaim): Claim => ({
  accountId,
  livemode,
  ...request,
  reference: null,
  resource: 'acct',
  resourceId: accountId,
});

export const claimWrites = (claim: Claim): Write[] =>
  storedClaims(claim).map(({ accountId, livemode, kind, value, fingerprint, resource, resourceId, expiresAt }) => {
    const row = { account_id: accountId, livemode, kind, value, fingerprint, resource, resource_id: resourceId };
    return expiresAt === null ? insertClaim.row(row) : insertLikeness.row({ ...row, expires_at: expiresAt });
  });

/** Identity of a claim row within maps. */
export const claimId = (row: Pick<StoredClaim, 'accountId' | 'livemode' | 'kind' | 'value'>): string =>
  `${row.accountId}${row.livemode ? 'L' : 'T'}${row.kind}:${row.value}`;

/** Reads claims for four parallel arrays: account, mode, kind, value. */
export const SELECT_CLAIMS = {
  name: 'select_claims',
  text: `SELECT c.account_id AS "accountId", c.livemode, c.kind, c.value, c.fingerprint, c.resource,
      c.resource_id AS "resourceId", c.expires_at AS "expiresAt"
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

const ALIKE_MS = 2 * 60_000;

/** `of`: what is done, for whom and how much: what two requests that look alike have in common. */
export const likenessValue = (...of: readonly (string | bigint | null)[]): string =>
  hash('sha256', of.join('\n'), 'base64url');

/** A likeness that counts for two minutes from now; `aheadMs`: how far the account's clock is ahead. */
export const likenessFrom = (value: string, aheadMs: number): Likeness => ({
  value,
  expiresAt: new Date(Date.now() + aheadMs + ALIKE_MS),
});

/**
 * Whether the stored likeness is of less than two minutes ago. A clock that was set back leaves some that are far
 * ahead.
 */
const isAlike = (stored: Pick<StoredClaim, 'expiresAt'>, likeness: Likeness): boolean =>
  stored.expiresAt !== null && Math.abs(likeness.expiresAt.getTime() - stored.expiresAt.getTime()) < ALIKE_MS;

const EXPIRY = { account_id: 'uuid', livemode: 'boolean', value: 'text', expires_at: 'timestamptz' } as const;

/**
 * Makes room for the likenesses of new requests, where those of older ones have expired: what `isAlike` says, in SQL.
 */
export const DELETE_EXPIRED_LIKENESSES = {
  name: 'delete_expired_likenesses',
  text: `DELETE FROM claims c USING ${unnested(EXPIRY)} AS v
    WHERE c.account_id = v.account_id AND c.livemode = v.livemode AND c.kind = 'likeness' AND c.value = v.value
      AND abs(extract(epoch FROM c.expires_at - v.expires_at)) >= ${ALIKE_MS / 1_000}`,
};

export const likenessesOf = (claims: readonly StoredClaim[]): StoredClaim[] =>
  claims.filter(({ kind }) => kind === 'likeness');

export const expiredLikenessesParams = (likenesses: readonly StoredClaim[]): Buffer[] => [
  arrayParam(
    'uuid',
    likenesses.map((row) => row.accountId),
  ),
  arrayParam(
    'boolean',
    likenesses.map((row) => row.livemode),
  ),
  arrayParam(
    'text',
    likenesses.map((row) => row.value),
  ),
  arrayParam(
    'timestamptz',
    likenesses.map((row) => row.expiresAt),
  ),
];

const deleteLikeness = bulkDelete(
  'claims',
  { account_id: 'uuid', livemode: 'boolean', kind: 'text', value: 'text', resource_id: 'uuid' },
  { name: 'delete_likenesses' },
);

/** What came to nothing stops no other: its likeness goes, if it is still its own. */
export const freeLikeness = (
  { accountId, livemode, resourceId }: Pick<Claim, 'accountId' | 'livemode' | 'resourceId'>,
  value: string,
): Write => deleteLikeness.row({ account_id: accountId, livemode, kind: 'likeness', value, resource_id: resourceId });

/**
 * What a key or a reference is bound to exists. `tables`: where each kind of resource is kept; those of teams are
 * theirs to prove.
 */
export function claimCheck(tables: Partial<Record<IdPrefix, string>>): Check {
  const resources = Object.entries(tables)
    .map(([prefix, table]) => `SELECT '${prefix}' AS resource, account_id, livemode, id FROM ${table}`)
    .join(' UNION ALL ');
  return {
    name: 'claims_have_their_resource',
    violations: inPieces(
      'claims',
      'resource_id',
      (within) => `
      SELECT c.kind, c.value, c.resource, c.resource_id FROM claims c
        LEFT JOIN (SELECT * FROM (${resources}) a WHERE ${within('id')}) r
          ON r.account_id = c.account_id AND r.livemode = c.livemode AND r.resource = c.resource
            AND r.id = c.resource_id
       WHERE ${within('c.resource_id')} AND r.id IS NULL AND c.resource IN (${Object.keys(tables)
         .map((prefix) => `'${prefix}'`)
         .join(', ')})`,
    ),
  };
}

/** Each row's reference is claimed for that row. `noun`: what a row is; `prefix`: of its identifiers. */
export const referencesAreClaimedOnce = (noun: string, table: string, prefix: IdPrefix): Check => ({
  name: `${noun}_references_are_claimed_once`,
  violations: `
    SELECT r.id AS ${noun}_id, r.reference, c.resource_id AS claimed_by FROM ${table} r
      LEFT JOIN claims c ON c.account_id = r.account_id AND c.livemode = r.livemode AND c.kind = 'reference'
                        AND c.value = r.reference
     WHERE r.reference IS NOT NULL AND (c.resource, c.resource_id) IS DISTINCT FROM ('${prefix}', r.id)`,
});
