import { hash } from 'node:crypto';
import { arrayParam, unnested } from '../database/array-param';
import { bulkDelete, type Write } from '../database/bulk';
import type { Claim, Likeness, StoredClaim } from './claim';

const ALIKE_MS = 2 * 60_000;

/** `of`: what is done, for whom and how much: what two requests that look alike have in common. */
export const likenessValue = (...of: readonly (string | bigint | null)[]): string =>
  hash('sha256', of.join('\n'), 'base64url');

/** A likeness that counts for two minutes from now; `aheadMs`: how far the account's clock is ahead. */
export const likenessFrom = (value: string, aheadMs: number): Likeness => ({
  value,
  expiresAt: new Date(Date.now() + aheadMs + ALIKE_MS),
});

/** Whether the stored likeness is of less than two minutes ago. A clock that was set back leaves some that are far ahead. */
export const isAlike = (stored: Pick<StoredClaim, 'expiresAt'>, likeness: Likeness): boolean =>
  stored.expiresAt !== null && Math.abs(likeness.expiresAt.getTime() - stored.expiresAt.getTime()) < ALIKE_MS;

/** Makes room for the likenesses of new requests, where those of older ones have expired: what `isAlike` says, in SQL. */
export const DELETE_EXPIRED_LIKENESSES = {
  name: 'delete_expired_likenesses',
  text: `DELETE FROM claims c USING ${unnested({ account_id: 'uuid', livemode: 'boolean', value: 'text', expires_at: 'timestamptz' })} AS v
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
  'delete_likenesses',
);

/** What came to nothing stops no other: its likeness goes, if it is still its own. */
export const freeLikeness = (
  { accountId, livemode, resourceId }: Pick<Claim, 'accountId' | 'livemode' | 'resourceId'>,
  value: string,
): Write => deleteLikeness.row({ account_id: accountId, livemode, kind: 'likeness', value, resource_id: resourceId });
