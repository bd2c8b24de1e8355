import { writeUuid } from '../http/ids';

/** SQL types of a bulk column, with what TypeScript hands over for each. */
export interface ColumnTypes {
  uuid: string;
  text: string;
  bigint: bigint;
  integer: number;
  boolean: boolean;
  timestamptz: Date;
  bytea: Buffer;
  json: object;
  jsonb: object;
}

export type ColumnType = keyof ColumnTypes;

/** How PostgreSQL's binary format spells a type: its oid, the bytes of a value, and the value itself. */
interface Codec<T> {
  readonly oid: number;
  readonly size: (value: T) => number;
  readonly write: (value: T, into: Buffer, at: number) => void;
}

/** Microseconds from the Unix epoch to PostgreSQL's, which is 2000-01-01. */
const POSTGRES_EPOCH_US = 946_684_800_000_000n;

/** By type; what has no codec cannot be written in bulk. An object comes as its JSON, which is made once. */
export const CODECS: { readonly [K in ColumnType]: Codec<K extends 'json' | 'jsonb' ? string : ColumnTypes[K]> } = {
  uuid: { oid: 2950, size: () => 16, write: writeUuid },
  text: { oid: 25, size: (text) => Buffer.byteLength(text), write: (text, into, at) => into.write(text, at) },
  bigint: { oid: 20, size: () => 8, write: (amount, into, at) => into.writeBigInt64BE(amount, at) },
  integer: { oid: 23, size: () => 4, write: (count, into, at) => into.writeInt32BE(count, at) },
  boolean: { oid: 16, size: () => 1, write: (flag, into, at) => into.writeUInt8(flag ? 1 : 0, at) },
  timestamptz: {
    oid: 1184,
    size: () => 8,
    write: (time, into, at) => into.writeBigInt64BE(BigInt(time.getTime()) * 1_000n - POSTGRES_EPOCH_US, at),
  },
  bytea: { oid: 17, size: (bytes) => bytes.length, write: (bytes, into, at) => bytes.copy(into, at) },
  json: { oid: 114, size: (json) => Buffer.byteLength(json), write: (json, into, at) => into.write(json, at) },
  // One byte of version, then the text.
  jsonb: {
    oid: 3802,
    size: (json) => 1 + Buffer.byteLength(json),
    write: (json, into, at) => into.write(json, into.writeUInt8(1, at)),
  },
};

const HEADER_BYTES = 20;
/** In place of a size. */
const NULL = -1;

/**
 * A one-dimensional array as a binary parameter. Reading the text form of thirty arrays costs the server
 * more than a quarter of the time of a posting.
 */
export function arrayParam<T extends ColumnType>(
  type: T,
  given: readonly (ColumnTypes[T] | null | undefined)[],
): Buffer {
  const codec = CODECS[type] as Codec<unknown>;
  const isJson = type === 'json' || type === 'jsonb';
  const values: readonly unknown[] = isJson ? given.map((value) => value && JSON.stringify(value)) : given;
  // Plain loops: an iterator over every element of every column was a fifth of what a transfer leaves to the collector.
  const sizes = new Int32Array(values.length);
  let bytes = HEADER_BYTES;
  let hasNulls = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) hasNulls = 1;
    const size = value === null || value === undefined ? NULL : codec.size(value);
    sizes[i] = size;
    bytes += 4 + Math.max(size, 0);
  }
  const array = Buffer.allocUnsafe(bytes);
  // Dimensions, whether there are nulls, type of the elements; then length and lower bound of the one dimension.
  let at = 0;
  for (const field of [1, hasNulls, codec.oid, values.length, 1]) at = array.writeInt32BE(field, at);
  for (let i = 0; i < values.length; i++) {
    const size = sizes[i]!;
    at = array.writeInt32BE(size, at);
    if (size === NULL) continue;
    codec.write(values[i], array, at);
    at += size;
  }
  return array;
}

/**
 * Array parameters of one length as a table, with a column for each; the first is `$first`. Unnested in FROM, each
 * would be copied into a store of its own first, which is a quarter of the time of a small batch.
 */
export function unnested(columns: Readonly<Record<string, ColumnType>>, first = 1): string {
  const selected = Object.entries(columns).map(([column, type], i) => `unnest($${first + i}::${type}[]) AS ${column}`);
  return `(SELECT ${selected.join(', ')})`;
}

export interface PreparedQuery {
  /** Prepared once per connection under this name. */
  readonly name: string;
  readonly text: string;
}

type Columns = Record<string, ColumnType | `${ColumnType}?`>;
type ValueOf<T> = T extends `${infer Base extends ColumnType}?`
  ? ColumnTypes[Base] | null
  : T extends ColumnType
    ? ColumnTypes[T]
    : never;

/** One row of a bulk statement. Columns marked `?` may be null. */
export type RowOf<C extends Columns> = { readonly [K in keyof C]: ValueOf<C[K]> };

/** A column of a statement, and where a row has what belongs into it. */
export interface BulkColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly field: string;
  /** Turns what the row has into what is stored. */
  readonly stored?: (value: unknown) => unknown;
}

/** Rows of one kind for one table: however many there are, they travel as one array per column. */
export interface BulkStatement {
  readonly name: string;
  readonly columns: readonly BulkColumn[];
  /** The statement over its arrays, which are the parameters from `first` on. */
  text(first: number): string;
  /** Whether every row must have matched one in the table; the statement then returns those that it changed. */
  readonly mustMatch: boolean;
  /** Whether it changes nothing. */
  readonly isCheck?: boolean;
}

/** A row to be written by whoever runs the transaction. Effects are data, so that they can be batched. */
export interface Write {
  readonly statement: BulkStatement;
  readonly row: object;
}

export interface BulkTable<C extends Columns> extends BulkStatement {
  row(values: RowOf<C>): Write;
}

const namesTaken = new Set<string>();

interface Kind {
  readonly mustMatch: boolean;
  readonly isCheck?: boolean;
  /** The statement over its rows, the table `v`. */
  readonly text: (source: string) => string;
}

/** Throws when there is another of that name: two would be taken for each other, and rows be lost. */
export function bulkStatement(name: string, columns: readonly BulkColumn[], { text, ...kind }: Kind): BulkStatement {
  if (namesTaken.has(name)) throw new Error(`two bulk statements are called ${name}`);
  namesTaken.add(name);
  const types = Object.fromEntries(columns.map((column) => [column.name, column.type]));
  return { name, columns, ...kind, text: (first) => text(`${unnested(types, first)} AS v`) };
}

function bulk<C extends Columns>(name: string, columns: C, kind: Kind): BulkTable<C> {
  const typed = Object.entries(columns).map(([column, type]) => ({
    name: column,
    type: type.replace('?', '') as ColumnType,
    field: column,
  }));
  const table: BulkTable<C> = {
    ...bulkStatement(name, typed, kind),
    row: (values) => ({ statement: table, row: values }),
  };
  return table;
}

export const insertText = (table: string, columns: readonly string[]) => (source: string) =>
  `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM ${source}`;

/** `set` maps columns to SQL. */
export function updateText(
  table: string,
  { key, set, where }: { key: readonly string[]; set: Readonly<Record<string, string>>; where?: string },
): (source: string) => string {
  const assignments = Object.entries(set)
    .map(([column, sql]) => `${column} = ${sql}`)
    .join(', ');
  const conditions = key
    .map((column) => `t.${column} = v.${column}`)
    .concat(where ?? [])
    .join(' AND ');
  return (source) => `UPDATE ${table} t SET ${assignments} FROM ${source} WHERE ${conditions} RETURNING 1`;
}

/** `INSERT` of any number of rows into `table`. `name`: where one table is filled in two ways. */
export function bulkInsert<C extends Columns>(table: string, columns: C, name = `insert_${table}`): BulkTable<C> {
  return bulk(name, columns, { mustMatch: false, text: insertText(table, Object.keys(columns)) });
}

/**
 * `UPDATE` of any number of rows of `table`, found by the `key` columns. `set` maps columns to SQL over `t` (stored)
 * and `v` (given); `where` is a further condition. A row that does not match fails the whole transaction.
 */
export function bulkUpdate<C extends Columns>(
  table: string,
  columns: C,
  { name, ...change }: { name: string; key: (keyof C & string)[]; set: Record<string, string>; where?: string },
): BulkTable<C> {
  return bulk(name, columns, { mustMatch: true, text: updateText(table, change) });
}

/**
 * `DELETE` of any number of rows of `table`, found by all of `columns`. One that is not there is no fault, unless each
 * must match.
 */
export function bulkDelete<C extends Columns>(
  table: string,
  columns: C,
  { name, mustMatch = false }: { name: string; mustMatch?: boolean },
): BulkTable<C> {
  const conditions = Object.keys(columns)
    .map((column) => `t.${column} = v.${column}`)
    .join(' AND ');
  const returning = mustMatch ? ' RETURNING 1' : '';
  return bulk(name, columns, {
    mustMatch,
    text: (source) => `DELETE FROM ${table} t USING ${source} WHERE ${conditions}${returning}`,
  });
}

/**
 * Demands that each given row is found in `table` by its `key` columns and as `where` says, and stays so until the
 * transaction ends. One that is not found fails the whole transaction.
 */
export function bulkCheck<C extends Columns>(
  table: string,
  columns: C,
  { name, key, where }: { name: string; key: (keyof C & string)[]; where: string },
): BulkTable<C> {
  const conditions = key
    .map((column) => `t.${column} = v.${column}`)
    .concat(where)
    .join(' AND ');
  return bulk(name, columns, {
    mustMatch: true,
    isCheck: true,
    text: (source) => `SELECT 1 FROM ${source} JOIN ${table} t ON ${conditions} FOR SHARE OF t`,
  });
}

const combinations = new Map<string, PreparedQuery>();

/** A statement with its arrays. */
export interface Combined {
  readonly query: PreparedQuery;
  readonly params: Buffer[];
}

/**
 * One SQL statement for writes of any kind: what each of ten statements costs by itself, the server pays once. Its
 * parts see the tables as they stood before it, so a row cannot be added and changed in one go: that fails. Checks are
 * one of their own in front: engines that spread tables over servers take no row locks beside changes.
 */
export function combineWrites(writes: readonly Write[]): Combined[] {
  const groups = Map.groupBy(writes, ({ statement }) => statement);
  // In one order, so that the same kinds of rows are the same prepared statement.
  const statements = [...groups.keys()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [true, false].flatMap((isCheck) => {
    const some = statements.filter((statement) => (statement.isCheck ?? false) === isCheck);
    return some.length === 0 ? [] : combined(some, groups);
  });
}

function combined(
  statements: readonly BulkStatement[],
  groups: ReadonlyMap<BulkStatement, readonly Write[]>,
): Combined {
  const params = statements.flatMap((statement) => {
    const rows = groups.get(statement)!;
    return statement.columns.map(({ type, field, stored }) => {
      const values = rows.map(({ row }) => (row as Record<string, never>)[field]);
      return arrayParam(type, stored === undefined ? values : (values.map(stored) as never[]));
    });
  });
  const names = statements.map(({ name }) => name).join();
  const query = combinations.get(names) ?? { name: `writes_${combinations.size + 1}`, text: combinedText(statements) };
  combinations.set(names, query);
  return { query, params };
}

function combinedText(statements: readonly BulkStatement[]): string {
  let first = 1;
  // The COMMIT travels behind the statement: a row that did not match must fail inside the database.
  const checks: string[] = [];
  const parts = statements.map((statement) => {
    const part = `${statement.name} AS (${statement.text(first)})`;
    if (statement.mustMatch)
      checks.push(`assert_row_count((SELECT count(*) FROM ${statement.name}), cardinality($${first}))`);
    first += statement.columns.length;
    return part;
  });
  return `WITH ${parts.join(',\n')}\nSELECT ${checks.join(', ') || '1'}`;
}
