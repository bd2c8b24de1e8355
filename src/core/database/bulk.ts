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
  /** Where a version of a row is, as PostgreSQL writes it: `(page,number)`. */
  tid: string;
}

export type ColumnType = keyof ColumnTypes;

/** How PostgreSQL's binary format spells a type: its oid, and the bytes of a value. */
interface Codec<T> {
  readonly oid: number;
  /** Bytes of a value at most. */
  readonly room: (value: T) => number;
  /** Writes a value there, and returns where it ends. */
  readonly write: (value: T, at: number) => number;
}

/** Where arrays are put together: what they take is known once they are there. */
let bytes = Buffer.allocUnsafeSlow(64 * 1_024);
let view = new DataView(bytes.buffer);

function makeRoom(length: number): void {
  if (length <= bytes.length) return;
  const before = bytes;
  bytes = Buffer.allocUnsafeSlow(2 * length);
  view = new DataView(bytes.buffer);
  before.copy(bytes);
}

const bytesOf = (size: number) => (): number => size;

/** A character is three bytes at most: those of four are two of JavaScript's. */
const bytesOfText = (text: string): number => 3 * text.length;

/** Most texts are so short that a call into the engine takes longer than their characters. */
const SHORT_TEXT = 24;

function writeText(text: string, start: number): number {
  if (text.length > SHORT_TEXT) return start + bytes.write(text, start);
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character > 0x7f) return start + bytes.write(text, start);
    bytes[start + i] = character;
  }
  return start + text.length;
}

/** Milliseconds from the Unix epoch to PostgreSQL's, which is 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const WORD = 2 ** 32;

/** Microseconds, word by word: from 2255 on they are no whole numbers of JavaScript's any more. */
function writeTime(time: Date, at: number): number {
  const ms = time.getTime() - POSTGRES_EPOCH_MS;
  const high = Math.floor(ms / WORD);
  const low = (ms - high * WORD) * 1_000;
  view.setInt32(at, high * 1_000 + Math.floor(low / WORD));
  view.setUint32(at + 4, low % WORD);
  return at + 8;
}

/** A number that is too large would become another one. */
function writeBigint(amount: bigint, at: number): number {
  if (BigInt.asIntN(64, amount) !== amount) throw new RangeError(`${amount} does not fit a bigint`);
  view.setBigInt64(at, amount);
  return at + 8;
}

function writeTid(tid: string, at: number): number {
  const comma = tid.indexOf(',');
  return bytes.writeUInt16BE(Number(tid.slice(comma + 1, -1)), bytes.writeUInt32BE(Number(tid.slice(1, comma)), at));
}

/** What PostgreSQL's JSON cannot keep, as it is escaped; of two backslashes the second begins no escape. */
const UNSTORABLE = /\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * As PostgreSQL keeps it: what others say in the midst of what they did must not keep that from being written. Every
 * column of JSON is written so.
 */
export function jsonOf(value: object): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\u')) return json;
  return json.replace(UNSTORABLE, (escape) => (escape === '\\\\' ? escape : '\ufffd'));
}

/** By type; what has no codec cannot be written in bulk. An object comes as its JSON, which is made once. */
export const CODECS: { readonly [K in ColumnType]: Codec<K extends 'json' | 'jsonb' ? string : ColumnTypes[K]> } = {
  uuid: { oid: 2950, room: bytesOf(16), write: (uuid, at) => (writeUuid(uuid, bytes, at), at + 16) },
  text: { oid: 25, room: bytesOfText, write: writeText },
  bigint: { oid: 20, room: bytesOf(8), write: writeBigint },
  integer: { oid: 23, room: bytesOf(4), write: (count, at) => bytes.writeInt32BE(count, at) },
  boolean: { oid: 16, room: bytesOf(1), write: (flag, at) => bytes.writeUInt8(flag ? 1 : 0, at) },
  timestamptz: { oid: 1184, room: bytesOf(8), write: writeTime },
  bytea: { oid: 17, room: (some) => some.length, write: (some, at) => at + some.copy(bytes, at) },
  json: { oid: 114, room: bytesOfText, write: writeText },
  // One byte of version, then the text.
  jsonb: {
    oid: 3802,
    room: (json) => 1 + bytesOfText(json),
    write: (json, at) => writeText(json, bytes.writeUInt8(1, at)),
  },
  tid: { oid: 27, room: bytesOf(6), write: writeTid },
};

const HEADER_BYTES = 20;
const SIZE_BYTES = 4;
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
  const { oid, room, write } = CODECS[type] as Codec<unknown>;
  const isJson = type === 'json' || type === 'jsonb';
  let at = HEADER_BYTES;
  let hasNulls = 0;
  // A plain loop: an iterator over each element of every column was a fifth of what a transfer left to collect.
  for (let i = 0; i < given.length; i++) {
    const value = isJson && given[i] ? jsonOf(given[i] as object) : given[i];
    const isNull = value === null || value === undefined;
    const start = at + SIZE_BYTES;
    makeRoom(start + (isNull ? 0 : room(value)));
    const end = isNull ? start : write(value, start);
    if (isNull) hasNulls = 1;
    view.setInt32(at, isNull ? NULL : end - start);
    at = end;
  }
  // Dimensions, whether there are nulls, type of the elements; then length and lower bound of the one dimension.
  view.setInt32(0, 1);
  view.setInt32(4, hasNulls);
  view.setInt32(8, oid);
  view.setInt32(12, given.length);
  view.setInt32(16, 1);
  const array = Buffer.allocUnsafe(at);
  bytes.copy(array, 0, 0, at);
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

const combinations = new Map<string, PreparedQuery>();

/** A statement with its arrays. */
export interface Combined {
  readonly query: PreparedQuery;
  readonly params: Buffer[];
}

/**
 * One SQL statement for writes of any kind, at least one: what each of ten statements costs by itself, the server pays
 * once. Its parts see the tables as they stood before it, so a row cannot be added and changed, or changed twice, in
 * one go: that fails.
 */
export function combineWrites(writes: readonly Write[]): Combined {
  const groups = Map.groupBy(writes, ({ statement }) => statement);
  // In one order, so that the same kinds of rows are the same prepared statement.
  const statements = [...groups.keys()].sort((a, b) => (a.name < b.name ? -1 : 1));
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
