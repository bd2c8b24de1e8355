import type { Type } from '@nestjs/common';
import { Column, type ColumnOptions, getMetadataArgsStorage } from 'typeorm';
import {
  type BulkColumn,
  bulkStatement,
  CODECS,
  type ColumnType,
  insertText,
  type PreparedQuery,
  updateText,
  type Write,
} from './bulk';

const transformer = {
  from: (stored: string | null): bigint | null => (stored === null ? null : BigInt(stored)),
  to: (amount: bigint | null): string | null => (amount === null || amount === undefined ? null : amount.toString()),
};

/** A column of minor units: `bigint` in the table and in code, never a float. */
export const MinorColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ ...options, type: 'bigint', transformer });

type Field<E> = keyof E & string;

interface InsertOptions<Except> {
  /** Fields that a new row does not have: their columns keep their defaults. */
  readonly except?: readonly Except[];
  /** Where one table is filled in two ways. */
  readonly name?: string;
}

interface UpdateOptions<Change, Was> {
  readonly name: string;
  /** Fields that are written. */
  readonly change: readonly Change[];
  /** Fields that must still be what they were when the row was read: of two who read it, the second fails. */
  readonly was?: readonly Was[];
  /** Columns that are set by SQL over `t` (stored) and `v` (given). */
  readonly set?: Readonly<Record<string, string>>;
  /** A further condition over `t` and `v`. */
  readonly where?: string;
}

/** Finds rows by their keys, and makes entities of what it finds. */
export interface LookUp<E> {
  /** Of arrays of accounts, modes and ids. */
  readonly byKeys: PreparedQuery;
  /** Of an account and a mode, newest first: below an id, so many. */
  readonly page: PreparedQuery;
  /** The row itself, its fields as the entity has them. */
  readonly read: (row: Record<string, unknown>) => E;
}

/**
 * Writes of an entity's rows, and their look-up, by the columns that TypeORM knows of it: who adds a field adds it to
 * the entity and to a migration. A row is the entity itself, and must not change until it is written.
 */
export function rows<E extends object>(entity: Type<E>) {
  const table = tableOf(entity);
  const columns = columnsOf(entity);
  const pick = (fields: readonly string[]): BulkColumn[] =>
    fields.map((field) => {
      const column = columns.find((each) => each.field === field);
      if (column === undefined) throw new Error(`${entity.name} has no column for "${field}"`);
      return column;
    });
  const key = columns.filter(({ isKey }) => isKey);

  return {
    /** Of a table whose key is an account, a mode and an id. */
    lookUp(): LookUp<E> {
      const fields = columns.map(({ name, field }) => `r.${name} AS "${field}"`);
      const select = `SELECT ${fields.join(', ')} FROM ${table} r`;
      const [account, mode, id] = key.map(({ name }) => `r.${name}`);
      return {
        // With a limit of its own each is looked up by all of its key, and in one of the months.
        byKeys: {
          name: `look_up_${table}`,
          text: `
  SELECT r.* FROM unnest($1::uuid[], $2::boolean[], $3::uuid[]) AS k (account_id, livemode, id)
   CROSS JOIN LATERAL (
     ${select} WHERE ${account} = k.account_id AND ${mode} = k.livemode AND ${id} = k.id LIMIT 1) r`,
        },
        page: {
          name: `page_of_${table}`,
          text: `${select} WHERE ${account} = $1 AND ${mode} = $2 AND ${id} < $3 ORDER BY ${id} DESC LIMIT $4`,
        },
        read: (row) => {
          for (const { field, from } of columns) if (from) row[field] = from(row[field]);
          return row as E;
        },
      };
    },

    /** Adds a row. */
    insert<Except extends Field<E> = never>({ except = [], name = `insert_${table}` }: InsertOptions<Except> = {}) {
      pick(except);
      const given = columns.filter(({ field }) => !(except as readonly string[]).includes(field));
      const names = given.map((column) => column.name);
      const statement = bulkStatement(name, given, { mustMatch: false, text: insertText(table, names) });
      return (row: Readonly<Omit<E, Except>>): Write => ({ statement, row });
    },

    /** Changes a row that is found by its key. One that is not there, or not as it was, fails the whole transaction. */
    update<Change extends Field<E>, Was extends Field<E> = never>({
      name,
      change,
      was = [],
      set = {},
      where,
    }: UpdateOptions<Change, Was>) {
      const stable = pick(was);
      const before = stable.map((column) => ({
        ...column,
        name: `${column.name}_before`,
        field: `${column.field}Before`,
      }));
      const changed = pick(change);
      const conditions = before.map((column, i) => `t.${stable[i]!.name} = v.${column.name}`).concat(where ?? []);
      const text = updateText(table, {
        key: key.map((column) => column.name),
        set: { ...Object.fromEntries(changed.map((column) => [column.name, `v.${column.name}`])), ...set },
        where: conditions.join(' AND ') || undefined,
      });
      const statement = bulkStatement(name, [...key, ...before, ...changed], { mustMatch: true, text });
      return (row: Readonly<E>, ...[stored]: [Was] extends [never] ? [] : [Readonly<Pick<E, Was>>]): Write => ({
        statement,
        row:
          stored === undefined
            ? row
            : { ...row, ...Object.fromEntries(was.map((field) => [`${field}Before`, stored[field]])) },
      });
    },
  };
}

function tableOf(entity: Type<object>): string {
  const name = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (name === undefined) throw new Error(`${entity.name} names no table`);
  return name;
}

interface EntityColumn extends BulkColumn {
  readonly isKey: boolean;
  /** Where a field is not what the database gives. */
  readonly from?: (stored: unknown) => unknown;
}

/** In the order in which the entity declares them. */
function columnsOf(entity: Type<object>): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName: field, options: { name = field, type, transformer, primary } }) => {
      if (typeof type !== 'string' || !(type in CODECS))
        throw new Error(`${entity.name}.${field}: columns of type ${String(type)} cannot be written in bulk`);
      const column = { name, type: type as ColumnType, field, isKey: primary === true };
      if (!transformer || Array.isArray(transformer)) return column;
      const from = (stored: unknown): unknown => transformer.from(stored);
      // Minor units travel as the bigint that they are.
      return type === 'bigint'
        ? { ...column, from }
        : { ...column, from, stored: (value: unknown): unknown => transformer.to(value) };
    });
}
