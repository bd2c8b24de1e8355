import { resolve, typesOf } from './strict-schemas';
import type { Schema, Schemas } from './types';

const ID_TAIL = '01kabcdefghjkmnpqrstvwxyz0';
const TIME = '2026-11-01T09:30:00.000Z';

/** By the name of a field, for those that give no example of their own. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/_display$/, 'NGN 1,050.00'],
  [/wallet|counterparty/, `wal_${ID_TAIL}`],
  [/transaction|revers|^(debit|credit)$/, `txn_${ID_TAIL}`],
  [/account_id/, `acct_${ID_TAIL}`],
  [/request_id/, `req_${ID_TAIL}`],
];
const AMOUNT = /amount|total|balance/;
const AMOUNT_MINOR = 105_000;

/** A value that a schema allows: what its fields give as their examples, else the first that fits. Fields that may be absent are. */
export function exampleOf(schema: Schema, schemas: Schemas, name = ''): unknown {
  const target = resolve(schema, schemas);
  const given = target.example ?? target.const ?? target.default ?? target.enum?.[0];
  if (given !== undefined) return given;
  // What varies with one of its fields is shown with the first value of that.
  if (target.properties && target.oneOf)
    return { ...(exampleOfFields(target, schemas) as object), ...(exampleOf(target.oneOf[0]!, schemas) as object) };
  const [choice] = [...(target.anyOf ?? []), ...(target.oneOf ?? []), ...(target.allOf ?? [])];
  return choice === undefined ? exampleOfType(target, schemas, name) : exampleOf(choice, schemas, name);
}

function exampleOfType(schema: Schema, schemas: Schemas, name: string): unknown {
  const types = typesOf(schema);
  switch (types[0]) {
    case 'object':
      return exampleOfFields(schema, schemas);
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, name)] : [];
    case 'integer':
      return AMOUNT.test(name) ? AMOUNT_MINOR : Math.max(0, schema.minimum ?? 0);
    case 'boolean':
      return false;
    case 'string':
      return exampleOfText(schema, types, name);
    default:
      return null;
  }
}

function exampleOfFields({ properties = {}, required = [], type }: Schema, schemas: Schemas): unknown {
  const fields = Object.entries(properties).filter(
    ([name, { example }]) => example !== undefined || required.includes(name),
  );
  if (fields.length === 0 && Array.isArray(type)) return null;
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, schemas, name)]));
}

function exampleOfText({ format }: Schema, types: string[], name: string): string | null {
  const named = TEXTS.find(([word]) => word.test(name));
  if (named !== undefined) return named[1];
  if (types.includes('null')) return null;
  return format === 'date-time' ? TIME : 'text';
}
