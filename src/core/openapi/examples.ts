import { resolve, typesOf } from './schemas';
import type { OpenApiDocument, Operation, Parameter, Schema, Schemas } from './types';

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

/**
 * A value that a schema allows: what its fields give as their examples, else the first that fits. Fields that may be
 * absent are.
 */
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

/** A request to a fresh sandbox and its answer, in the order in which they were made. */
export interface RecordedCall {
  readonly operation: string;
  /** Of a call that only prepares another one. */
  readonly title?: string;
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Puts what was recorded in the place of the examples that were made up. */
export function addRecordedExamples(document: OpenApiDocument, calls: readonly RecordedCall[]): void {
  const first = new Map(calls.filter(({ title }) => title === undefined).map((call) => [call.operation, call]));
  for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
    const call = first.get(operation.operationId);
    if (call === undefined) continue;
    for (const parameter of operation.parameters ?? []) addParameterExample(parameter, call);
    const media = operation.requestBody?.content['application/json'];
    if (media && call.body !== undefined) media.example = call.body;
    const answer = operation.responses[String(call.status)]?.content?.['application/json'];
    if (answer) answer.example = call.answer;
  }
}

/** Where the document has an operation. Throws when it has none of that name. */
export function findOperation(
  { paths }: OpenApiDocument,
  operationId: string,
): { method: string; template: string; operation: Operation } {
  for (const [template, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.operationId === operationId) return { method: method.toUpperCase(), template, operation };
    }
  }
  throw new Error(`the OpenAPI document has no operation ${operationId}`);
}

function addParameterExample(parameter: Parameter & { example?: unknown }, { path, query }: RecordedCall): void {
  const value = parameter.in === 'path' ? path[parameter.name!] : query[parameter.name!];
  if (value === undefined) return;
  parameter.example =
    parameter.schema?.type === 'number' || parameter.schema?.type === 'integer' ? Number(value) : value;
}
