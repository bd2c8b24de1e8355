import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, Operation, Response, Schema } from '../../src/core/openapi/types';
import { expectNoCardNumber } from './card-numbers';

/** What came back over HTTP. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: any;
}

export const openapi = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8')) as OpenApiDocument;

/** Pages for people, with what lies behind them, and for Prometheus: served, and no part of the interface that the document describes. */
const PAGE =
  /^\/(?:|docs(?:\/.*)?|openapi\.json|llms\.txt|metrics|status(?:\.json|\/style\.css)?|callbacks\/[^/]*|cards\/reveal\/[^/]*|reports\/download\/[^/]*|dashboard(?:\/.*)?)$/;
/** Also their failures are pages. */
const PAGE_OF_PAYERS = /^\/checkout\//;
const PROBLEM = 'closed.json#/components/schemas/Problem';

/** Status of each code, from the table that a problem's `type` points to. */
const statusOfCode = new Map(
  [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
addFormats(ajv);
// What all have in common; of an operation its answer is added when there is one. The whole document takes a fifth of a second.
const shared = { components: { schemas: openapi.components.schemas } };
ajv.addSchema(shared, 'openapi.json');
ajv.addSchema(withoutOpenEnds(shared), 'closed.json');

const validators = new Map<string, ValidateFunction>();
const routes = Object.entries(openapi.paths).map(([template, operations]) => ({
  template,
  operations,
  pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]*')}$`),
  parameters: template.split('{').length,
}));

/** Schema of each kind of object (`wallet`), by the word in its field `object`; of what a dry run shows, with `DryRun` before it. */
const schemaOfObject = new Map(
  Object.entries(openapi.components.schemas).flatMap(([name, { properties }]) => {
    const word = properties?.object?.enum?.[0];
    return typeof word === 'string' && word !== 'list'
      ? [[`${name.startsWith('DryRun') ? 'DryRun' : ''}${word}`, `openapi.json#/components/schemas/${name}`] as const]
      : [];
  }),
);

/** Throws unless the OpenAPI document says that this operation may answer so. */
export function expectDocumented(method: string, url: string, answer: Answer): void {
  const what = `${method} ${url.slice(0, 300)}: ${answer.status}`;
  const path = pathOf(url);
  if (PAGE_OF_PAYERS.test(path)) return;
  expectNoCardNumber(what, JSON.stringify(answer.body) ?? '');
  if (answer.status >= 400) expectProblem(what, answer, method);
  if (PAGE.test(path)) return;
  // A HEAD is a GET whose body is not sent.
  const found = findOperation(method === 'HEAD' ? 'GET' : method, path);
  if (found === null) return expectNowhere(what, path, answer);
  const { at, response } = findResponse(what, found, answer.status);
  if (method === 'HEAD') return;
  const type = typeOf(answer);
  if (response.content === undefined && type === '' && answer.body === '') return;
  if (!response.content?.[type]) throw new Error(`${what}: content type "${type}" is not documented`);
  const schema = response.content[type].schema!;
  validate(`${at} ${type}`, what, answer.body, () => withSharedParts(withoutOpenEnds(schema)));
  expectKnownObjects(what, answer.body);
}

/** Holds for each failure of the service: a problem document, true to its headers and to the table of codes. */
export function expectProblem(what: string, answer: Answer, method = 'GET'): void {
  const { status, headers, body } = answer;
  if (typeOf(answer) !== 'application/problem+json')
    throw new Error(`${what}: content type "${typeOf(answer)}", not a problem`);
  if (status === 401 && headers.get('www-authenticate') !== 'Bearer') throw new Error(`${what}: no WWW-Authenticate`);
  if (status === 405 && !headers.get('allow')) throw new Error(`${what}: no Allow`);
  if (!headers.get('request-id')) throw new Error(`${what}: no Request-Id`);
  if (method === 'HEAD') return;
  validate(PROBLEM, what, body);
  const told = [body.status, statusOfCode.get(body.code), body.request_id, body.type.split('/docs/errors')[1]];
  const meant = [status, status, headers.get('request-id'), `#${body.code}`];
  if (told.join() !== meant.join())
    throw new Error(`${what}: the problem says ${told.join(', ')}; it should say ${meant.join(', ')}`);
}

interface Found {
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
}

function findOperation(method: string, path: string): Found | null {
  const name = method.toLowerCase();
  const hits = routes.filter(({ pattern, operations }) => pattern.test(path) && operations[name]);
  hits.sort((a, b) => a.parameters - b.parameters);
  return hits[0] ? { template: hits[0].template, method: name, operation: hits[0].operations[name]! } : null;
}

function findResponse(
  what: string,
  { template, method, operation }: Found,
  status: number,
): { at: string; response: Response } {
  const named = operation.responses[String(status)];
  if (!named) throw new Error(`${what}: ${operation.operationId} does not document this status`);
  if (!named.$ref) return { at: `${method} ${template} ${status}`, response: named };
  const name = named.$ref.slice('#/components/responses/'.length);
  return { at: named.$ref, response: (openapi.components.responses as Record<string, Response>)[name]! };
}

/** No operation: the address is unknown or malformed, or answers other methods. */
function expectNowhere(what: string, path: string, { status }: Answer): void {
  const isKnown = routes.some(({ pattern }) => pattern.test(path));
  if (![400, isKnown ? 405 : 404].includes(status))
    throw new Error(`${what}, and the OpenAPI document has no such operation`);
}

/** An object that is part of another one looks as it does on its own. It may say more: an event adds what it was about. */
function expectKnownObjects(what: string, node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { object, id } = node as { object?: string; id?: string | null };
  const schema = schemaOfObject.get(id === null ? `DryRun${object}` : String(object));
  if (schema) validate(schema, what, node);
  for (const part of Object.values(node)) expectKnownObjects(what, part);
}

/** The public API, as the dashboard reaches it. */
const AT_DASHBOARD = /^\/dashboard\/api\/(?:test|live)(?=\/(?:v4|api\/v1)\/)/;

/** The path as the router reads it; proxies send whole addresses. */
function pathOf(url: string): string {
  const path = url
    .replace(/^https?:\/\/[^/]*/, '')
    .split(/[?#]/, 1)[0]!
    .replace(AT_DASHBOARD, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const typeOf = ({ headers }: Answer): string => (headers.get('content-type') ?? '').split(';')[0]!;

/** `name`: the address of a schema, or what `schemaOf` is remembered by. */
function validate(
  name: string,
  what: string,
  body: unknown,
  schemaOf: () => Schema = () => ({ $ref: encodeURI(name) }),
): void {
  let check = validators.get(name);
  if (!check) validators.set(name, (check = ajv.compile(schemaOf())));
  if (check(body)) return;
  throw new Error(
    `${what} does not match its schema: ${ajv.errorsText(check.errors)}\n${JSON.stringify(body).slice(0, 2000)}`,
  );
}

/** Clients must bear fields that they do not know; here such a field is one that was forgotten in the document. */
function withoutOpenEnds<T>(part: T): T {
  const copy = structuredClone(part);
  const close = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const schema = node as Schema;
    // The branches of an object that varies with one of its fields say nothing of its other fields.
    const branches = typeof schema.properties === 'object' ? (schema.oneOf ?? []) : [];
    if (typeof schema.properties === 'object' && !schema.allOf) schema.additionalProperties ??= false;
    Object.entries(node).forEach(([name, part]) =>
      name === 'oneOf' && branches.length > 0
        ? branches.forEach(({ properties }) => Object.values(properties!).forEach(close))
        : close(part),
    );
  };
  close(copy);
  return copy;
}

/** What it refers to is found from outside of the document. */
const withSharedParts = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"closed.json#/')) as Schema;
