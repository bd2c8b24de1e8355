import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { OpenApiDocument, Schema, Schemas } from './types';

const TEXT_MAX = 1024;
const DATE_TIME_MAX = 30;
const ITEMS_MAX = 1000;
/** U+0000 is in no text that the service takes or gives. */
const TEXT_PATTERN = '^[^\\u0000]*$';

/**
 * Says what holds for every value of the API wherever a schema leaves it open: sizes of text and lists, whole numbers.
 */
export function tighten(schema: Schema): void {
  if (hasType(schema, 'string')) tightenText(schema);
  if (hasType(schema, 'number') || hasType(schema, 'integer')) tightenNumber(schema);
  if (hasType(schema, 'array')) schema.maxItems ??= ITEMS_MAX;
  else withoutItems(schema);
  // A comment of the code that is broken into lines.
  if (schema.description !== undefined) schema.description = schema.description.replaceAll('\n', ' ');
  for (const part of partsOf(schema)) tighten(part);
}

/** The compiler adds them to a field that is read as a list, with the words in whichever order it met them. */
export function withoutItems(schema: Schema): void {
  if (!hasType(schema, 'array')) delete schema.items;
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

/** What a property holds, by the value of the property `by` beside it. */
interface Variants {
  readonly by: string;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/**
 * A property whose schema depends on another one: in the document the object becomes a `oneOf` over the values of `by`.
 * `classes` may change until the document is made.
 */
export function Varies(
  by: string,
  classes: Readonly<Partial<Record<string, Type>>>,
  description: string,
): PropertyDecorator {
  const variants: Variants = {
    by,
    get schemas() {
      return Object.fromEntries(
        Object.entries(classes).map(([value, type]) => {
          if (type === undefined) throw new Error(`nothing says what there is for the ${by} ${value}`);
          return [value, { $ref: getSchemaPath(type) }];
        }),
      );
    },
  };
  const models = ApiExtraModels(...new Set(Object.values(classes).filter((type) => type !== undefined)));
  return applyDecorators(
    (target: object) => models(target.constructor),
    ApiProperty({ type: 'object', additionalProperties: true, description, 'x-variants': variants } as Parameters<
      typeof ApiProperty
    >[0]),
  );
}

/** Turns properties marked by `Varies` into a `oneOf` of their object: exactly one branch has the value. */
export function addVariants(schemas: Schemas): void {
  for (const schema of Object.values(schemas)) {
    for (const [name, property] of Object.entries(schema.properties ?? {}) as [
      string,
      Schema & { 'x-variants'?: Variants },
    ][]) {
      const variants = property['x-variants'];
      if (variants === undefined) continue;
      delete property['x-variants'];
      schema.oneOf = Object.entries(variants.schemas).map(([value, { $ref }]) => ({
        type: 'object',
        required: [variants.by, name],
        properties: { [variants.by]: { type: 'string', const: value }, [name]: { $ref: $ref! } },
      }));
    }
  }
}

/**
 * What a dry run answers with is a schema of its own: `DryRunTransfer` is a transfer with no id and with the `ledger`
 * lines that it would write. So what was really made always has an id.
 */
export function addDryRuns({ paths, components: { schemas } }: OpenApiDocument): void {
  const tried = Object.entries(schemas).filter(
    ([, { properties }]) => properties?.ledger && properties.id && properties.object,
  );
  for (const [name, schema] of tried) {
    const { ledger, id, ...properties } = schema.properties!;
    const required = schema.required ?? [];
    schemas[`DryRun${name}`] = {
      ...schema,
      description: `What a dry run answers: ${schema.description ?? name}`,
      required: [...required, 'ledger'],
      properties: { id: { type: 'null', description: 'Nothing was made.' }, ...properties, ledger: ledger! },
    };
    const { description, ...kept } = id!;
    const shown = description?.replace(/^Null in a dry run\. ?/, '');
    schema.properties = { id: { ...kept, type: 'string', ...(shown && { description: shown }) }, ...properties };
  }
  const names = tried.map(([name]) => `#/components/schemas/${name}`);
  for (const { requestBody, responses } of Object.values(paths).flatMap((operations) => Object.values(operations))) {
    const body = requestBody?.content['application/json']?.schema?.$ref;
    if (body === undefined || schemas[nameOf(body)]?.properties?.dry_run === undefined) continue;
    const media = responses['200']?.content?.['application/json'];
    if (media?.schema?.$ref && names.includes(media.schema.$ref))
      media.schema = { oneOf: [{ $ref: `#/components/schemas/DryRun${nameOf(media.schema.$ref)}` }, media.schema] };
  }
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
