import { type Check, inPieces } from '../database/checks';
import type { IdPrefix } from '../http/ids';

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
