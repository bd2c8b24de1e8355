import type { Kind } from './kinds';
import type { Sought } from './sought';

/** Where a part of a text stops to be one: no part goes from one column into the next. */
const BETWEEN = `E'\\n'`;

const own = ({ table, alive }: Kind): string =>
  `SELECT * FROM ${table} WHERE account_id = $1 AND livemode = $2${alive ? ` AND ${alive}` : ''}`;

/** What is shown of the rows `t` of a kind. */
function shown({ prefix, stands, title, subtitle, amount, currency, status, join }: Kind, rows: string): string {
  const text = (expression: string | undefined): string => (expression ? `(${expression})::text` : 'NULL::text');
  const page = stands ? `'${stands.prefix}', t.${stands.column}::text` : 'NULL::text, NULL::text';
  const columns = [title, subtitle, amount, currency, status].map(text).join(', ');
  return `(SELECT '${prefix}', t.id::text, ${page}, ${columns} FROM (${rows}) t ${join ?? ''})`;
}

const COLUMNS = ['prefix', 'id', 'page_prefix', 'page_id', 'title', 'subtitle', 'amount', 'currency', 'status'];
const NONE = COLUMNS.slice(1)
  .map(() => 'NULL')
  .join(', ');
const newestFirst = (take: number): string => `ORDER BY id DESC LIMIT ${take}`;

/** `given`: every value has a type, whether or not one of the kinds asks for it. */
const all = (given: readonly string[], parts: readonly string[]): string =>
  `WITH given AS (SELECT ${given.map((type, at) => `$${at + 1}::${type}`).join(', ')})
   SELECT * FROM (${parts.join(' UNION ALL ')}) AS found (${COLUMNS.join(', ')})`;

/**
 * What is found by an index, however old: account, mode, first and last id, the two texts that a column with an
 * index may be; of each kind and column at most `take`.
 */
export const exactStatement = (kinds: readonly Kind[], take: number): string =>
  all(
    ['uuid', 'boolean', 'uuid', 'uuid', 'text', 'text'],
    kinds.flatMap((kind) => [
      shown(kind, `${own(kind)} AND id BETWEEN $3 AND $4 ${newestFirst(take)}`),
      ...(kind.indexed ?? []).flatMap((column) =>
        ['$5', '$6'].map((text) => shown(kind, `${own(kind)} AND ${column} = ${text} ${newestFirst(take)}`)),
      ),
    ]),
  );

/**
 * What is found by a part, or by its amount, among the newest: account, mode, two parts in small letters, a pattern of
 * the bits of ids, and currencies with their amounts. A row without an id: there are older ones that were not looked
 * through.
 */
export const likeStatement = (
  kinds: readonly Kind[],
  sought: Pick<Sought, 'parts' | 'bits' | 'amounts'>,
  take: number,
): string =>
  all(
    ['uuid', 'boolean', 'text', 'text', 'text', 'text[]', 'bigint[]'],
    kinds.flatMap((kind) => [
      shown(
        kind,
        `SELECT * FROM (${own(kind)} ORDER BY id DESC LIMIT ${kind.newest}) t
          WHERE ${likeness(kind, sought)} ${newestFirst(take)}`,
      ),
      `(SELECT '${kind.prefix}', ${NONE} FROM (${own(kind)} ORDER BY id DESC OFFSET ${kind.newest} LIMIT 1) older)`,
    ]),
  );

/** Only what is sought: each condition is asked of every row. */
function likeness(
  { words, ascii, money }: Kind,
  { parts, bits, amounts }: Pick<Sought, 'parts' | 'bits' | 'amounts'>,
): string {
  const text = `lower(concat_ws(${BETWEEN}, ${words.join(', ')})${ascii ? ' COLLATE "C"' : ''})`;
  const conditions = [
    ...['$3', '$4'].filter((_, at) => parts[at] !== null).map((part) => `strpos(${text}, ${part}) > 0`),
    ...(bits === null ? [] : [`('x' || replace(t.id::text, '-', ''))::bit(128)::text LIKE $5`]),
    ...(money && amounts.length > 0
      ? [`(${money[1]}, ${money[0]}) IN (SELECT * FROM unnest($6::text[], $7::bigint[]))`]
      : []),
  ];
  return conditions.join(' OR ') || 'false';
}
