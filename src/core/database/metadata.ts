import { HIGHEST_ID, LOWEST_ID } from '../http/ids';
import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** The caller's own facts about an object: pairs of text. */
export type Pairs = Readonly<Record<string, string>>;

/** So many rows are looked through for each that is wanted, before the index of pairs is asked. */
const LOOKED_THROUGH = 50;

/**
 * Rows of a list that have all of these pairs: `query`, which says `take` and orders by id from the newest on. A pair
 * that many rows have fills the page from the newest ones; of any other `<table>_by_metadata` knows the few rows. In
 * that index account and mode are the path to the pairs, so what others wrote is no part of the search. Which way is
 * taken is not left to the planner: it takes every pair of an expression to be in one row of a hundred.
 */
export async function rowsWith<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  pairs: Pairs | undefined,
  owner: { readonly accountId: string; readonly livemode: boolean },
  before: string | null,
): Promise<T[]> {
  if (pairs === undefined) return query.getMany();
  const { alias } = query;
  const { mainAlias, take = 0 } = query.expressionMap;
  const table = mainAlias!.metadata.tableName;
  const newest = await query
    .clone()
    .andWhere(
      `${alias}.metadata @> :pairs AND ${alias}.id >= coalesce((
         SELECT r.id FROM ${table} r
          WHERE r.account_id = :owner AND r.livemode = :mode AND r.id < :below
          ORDER BY r.id DESC OFFSET :looked LIMIT 1), '${LOWEST_ID}')`,
      {
        pairs: JSON.stringify(pairs),
        owner: owner.accountId,
        mode: owner.livemode,
        below: before ?? HIGHEST_ID,
        looked: take * LOOKED_THROUGH,
      },
    )
    .getMany();
  if (newest.length >= take) return newest;
  return query
    .andWhere(
      `${alias}.id = ANY (ARRAY(
         SELECT m.id FROM ${table} m
          WHERE m.metadata <> '{}'
            AND jsonb_set('{}', ARRAY[m.livemode::text || m.account_id::text], m.metadata) @> :owned))`,
      { owned: JSON.stringify({ [`${owner.livemode}${owner.accountId}`]: pairs }) },
    )
    .getMany();
}
