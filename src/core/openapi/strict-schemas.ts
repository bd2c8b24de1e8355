import type { Schema, Schemas } from './types';

const TEXT_MAX = 1024;
const DATE_TIME_MAX = 30;
const ITEMS_MAX = 1000;
/** U+0000 is in no text that the service takes or gives. */
const TEXT_PATTERN = '^[^\\u0000]*$';

/** Says what holds for every value of the API wherever a schema leaves it open: sizes of text and lists, whole numbers. */
export function tighten(schema: Schema): void {
  if (hasType(schema, 'string')) tightenText(schema);
  if (hasType(schema, 'number') || hasType(schema, 'integer')) tightenNumber(schema);
  if (hasType(schema, 'array')) schema.maxItems ??= ITEMS_MAX;
  // The compiler adds it to a field that is read as a list, with the words in whichever order it met them.
  else delete schema.items;
  for (const part of partsOf(schema)) tighten(part);
}

/** Refuses unknown fields in a request body, as the service does. */
export function close(schema: Schema, schemas: Schemas): void {
  const target = resolve(schema, schemas);
  if (target.properties) target.additionalProperties = false;
  for (const part of partsOf(target)) close(part, schemas);
}

export const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]!, schemas);

export const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());

const hasType = (schema: Schema, type: string): boolean => typesOf(schema).includes(type);

function tightenText(schema: Schema): void {
  if (schema.enum !== undefined || schema.const !== undefined) return;
  schema.maxLength ??= schema.format === 'date-time' ? DATE_TIME_MAX : TEXT_MAX;
  if (schema.format === undefined) schema.pattern ??= TEXT_PATTERN;
}

function tightenNumber(schema: Schema): void {
  schema.type = Array.isArray(schema.type) ? schema.type.map(toInteger) : 'integer';
  schema.format ??= 'int64';
  schema.minimum ??= Number.MIN_SAFE_INTEGER;
  schema.maximum ??= Number.MAX_SAFE_INTEGER;
}

/** Amounts, counts, sizes: the API has no fractions. */
const toInteger = (type: string): string => (type === 'number' ? 'integer' : type);

function partsOf({
  properties = {},
  additionalProperties,
  items,
  anyOf = [],
  oneOf = [],
  allOf = [],
}: Schema): Schema[] {
  const parts = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf];
  if (items !== undefined) parts.push(items);
  if (typeof additionalProperties === 'object') parts.push(additionalProperties);
  return parts;
}
