import { arrayParam, type ColumnType, type ColumnTypes } from './array-param';

type Columns = Record<string, ColumnType | `${ColumnType}?`>;
type ValueOf<T> = T extends `${infer Base extends ColumnType}?`
  ? ColumnTypes[Base] | null
  : T extends ColumnType ? ColumnTypes[T] : never;

/** One row of a bulk statement. Columns marked `?` may be null. */
export type RowOf<C extends Columns> = { readonly [K in keyof C]: ValueOf<C[K]> };

/** A set-based statement: however many rows it carries, it is sent once, with one array per column. */
export interface BulkStatement {
  readonly name: string;
  readonly text: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
}

/** A row to be written by whoever runs the transaction. Effects are data, so that they can be batched. */
export interface Write {
  readonly statement: BulkStatement;
  readonly row: Record<string, unknown>;
}

export interface BulkTable<C extends Columns> extends BulkStatement {
  row(values: RowOf<C>): Write;
}

const namesTaken = new Set<string>();

function bulk<C extends Columns>(name: string, columns: C, text: (source: string) => string): BulkTable<C> {
  // A name stands for one prepared statement per connection. A second one would be refused on this side of it, while
  // the COMMIT behind it is on its way: the transaction would take effect without those rows.
  if (namesTaken.has(name)) throw new Error(`two bulk statements are called ${name}`);
  namesTaken.add(name);
  const names = Object.keys(columns);
  const arrays = names.map((column, i) => `$${i + 1}::${columns[column]!.replace('?', '')}[]`);
  const source = `unnest(${arrays.join(', ')}) AS v(${names.join(', ')})`;
  const table: BulkTable<C> = {
    name,
    columns: names.map((column) => [column, columns[column]!.replace('?', '') as ColumnType]),
    text: text(source),
    row: (values) => ({ statement: table, row: values }),
  };
  return table;
}

/** `INSERT` of any number of rows into `table`. */
export function bulkInsert<C extends Columns>(table: string, columns: C): BulkTable<C> {
  const names = Object.keys(columns).join(', ');
  return bulk(`insert_${table}`, columns, (source) => `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${source}`);
}

/**
 * `UPDATE` of any number of rows of `table`, found by the `key` columns. `set` maps columns to SQL over `t` (stored)
 * and `v` (given); `where` is a further condition. A row that does not match fails the whole transaction.
 */
export function bulkUpdate<C extends Columns>(
  table: string,
  columns: C,
  { name, key, set, where }: { name: string; key: (keyof C & string)[]; set: Record<string, string>; where?: string },
): BulkTable<C> {
  const assignments = Object.entries(set).map(([column, sql]) => `${column} = ${sql}`).join(', ');
  const conditions = key.map((column) => `t.${column} = v.${column}`).concat(where ?? []);
  // Statements are sent together with their COMMIT: a row that did not match must fail inside the database.
  return bulk(
    name,
    columns,
    (source) => `WITH changed AS (UPDATE ${table} t SET ${assignments} FROM ${source} WHERE ${conditions.join(' AND ')} RETURNING 1)
      SELECT assert_row_count(count(*), cardinality($1)) FROM changed`,
  );
}

/** A bulk statement with its rows, turned into one array per column. */
export interface BulkQuery {
  readonly statement: BulkStatement;
  readonly params: Buffer[];
}

/** Groups writes by statement, in the order in which the statements first appear. */
export function groupWrites(writes: readonly Write[]): BulkQuery[] {
  const groups = new Map<BulkStatement, Write[]>();
  for (const write of writes) {
    const group = groups.get(write.statement);
    if (group) group.push(write);
    else groups.set(write.statement, [write]);
  }
  return Array.from(groups, ([statement, group]) => ({
    statement,
    params: statement.columns.map(([name, type]) => arrayParam(type, group.map(({ row }) => row[name] as never))),
  }));
}
