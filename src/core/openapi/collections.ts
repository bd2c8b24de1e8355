import { findOperation, type RecordedCall } from './examples';
import type { OpenApiDocument } from './types';

const ID = /\b[a-z]{3,4}_01kabcdefghjkmnpqrstvwx\w{3}\b/g;
const NAME = 'Duka';
const ABOUT =
  'Every operation of the Duka API, in an order that a fresh sandbox carries out. Set `api_key` to a test key.';
const BASE_URL = 'http://localhost:3000';

/** A recorded call, with variables for what earlier ones made. */
interface CollectedRequest {
  readonly operation: string;
  readonly name: string;
  readonly method: string;
  readonly path: readonly string[];
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly url: string;
  /** JSON. */
  readonly body: string | undefined;
  readonly status: number;
  /** What later ones use of the answer. */
  readonly made: readonly MadeId[];
}

interface Pair {
  readonly key: string;
  readonly value: string;
}

interface MadeId {
  /** Of the call whose answer has it first. */
  readonly index: number;
  /** Where in that answer, as JavaScript reads it: `["data"][0]["id"]`. */
  readonly path: string;
  readonly variable: string;
}

/**
 * The recorded calls as a Postman collection (format 2.1). Run from top to bottom against a fresh sandbox, with
 * `base_url` and `api_key` set, every request succeeds: what a call makes is kept in variables that later ones use.
 */
export function postmanCollection(document: OpenApiDocument, calls: readonly RecordedCall[]): object {
  return {
    info: {
      name: NAME,
      description: ABOUT,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: BASE_URL },
      { key: 'api_key', value: '' },
    ],
    item: requestsOf(document, calls).map(postmanItem),
  };
}

function postmanItem({ name, method, headers, url: raw, path, query, body, status, made }: CollectedRequest): object {
  const sent = body !== undefined && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } };
  const lines = [`pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`];
  if (made.length > 0) lines.push('const answer = pm.response.json();');
  for (const id of made) lines.push(`pm.collectionVariables.set('${id.variable}', answer${id.path});`);
  return {
    name,
    request: { method, header: headers, url: { raw, host: ['{{base_url}}'], path, query }, ...sent },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: lines } }],
  };
}

/** The same as a Bruno collection: name of a file → its text. */
export function brunoCollection(document: OpenApiDocument, calls: readonly RecordedCall[]): Record<string, string> {
  const requests = requestsOf(document, calls).map((request, index): [string, string] => [
    `${String(index + 1).padStart(3, '0')}-${request.operation}.bru`,
    brunoRequest(request, index + 1),
  ]);
  return {
    'bruno.json': `${JSON.stringify({ version: '1', name: NAME, type: 'collection' }, null, 2)}\n`,
    'collection.bru': blocks({ auth: 'mode: bearer', 'auth:bearer': 'token: {{api_key}}', docs: ABOUT }),
    'environments/sandbox.bru': `${blocks({ vars: `base_url: ${BASE_URL}` })}\nvars:secret [\n  api_key\n]\n`,
    ...Object.fromEntries(requests),
  };
}

function brunoRequest(request: CollectedRequest, seq: number): string {
  const { name, method, url, query, headers, body, status, made } = request;
  const pairs = (all: readonly Pair[]): string => all.map(({ key, value }) => `${key}: ${value}`).join('\n');
  const asked = query.map(({ key, value }) => ({ key, value: encodeURIComponent(value) }));
  return blocks({
    meta: `name: ${String(seq).padStart(3, '0')} ${name}\ntype: http\nseq: ${seq}`,
    [method.toLowerCase()]: `url: ${url}\nbody: ${body === undefined ? 'none' : 'json'}\nauth: inherit`,
    'params:query': pairs(asked),
    headers: pairs(headers),
    'body:json': body ?? '',
    'vars:post-response': made.map(({ variable, path }) => `${variable}: res.body${path}`).join('\n'),
    assert: `res.status: eq ${status}`,
    settings: 'encodeUrl: false',
  });
}

/** Those that have a text. */
const blocks = (texts: Record<string, string>): string =>
  Object.entries(texts)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} {\n${text.replace(/^/gm, '  ')}\n}\n`)
    .join('\n');

function requestsOf(document: OpenApiDocument, calls: readonly RecordedCall[]): CollectedRequest[] {
  const ids = madeIds(calls);
  return calls.map((call, index) => {
    const { method, template, operation } = findOperation(document, call.operation);
    const withVariables = (text: string) =>
      text.replace(ID, (id) => (ids.has(id) ? `{{${ids.get(id)!.variable}}}` : id));
    const path = withVariables(template.replace(/\{(\w+)\}/g, (_, name: string) => call.path[name]!))
      .slice(1)
      .split('/');
    const query = Object.entries(call.query).map(([key, value]) => ({ key, value: withVariables(value) }));
    const headers = Object.entries(call.headers).map(([key, value]) => ({ key, value }));
    if (method !== 'GET') headers.push({ key: 'Idempotency-Key', value: '{{$guid}}' });
    const pairs = query.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
    return {
      operation: call.operation,
      name: call.title ?? operation.summary ?? call.operation,
      method,
      path,
      query,
      headers,
      url: `{{base_url}}/${path.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
      body: call.body === undefined ? undefined : withVariables(JSON.stringify(call.body, null, 2)),
      status: call.status,
      made: [...ids.values()].filter((made) => made.index === index),
    };
  });
}

/** Ids that requests use, and the answers that they come from. */
function madeIds(calls: readonly RecordedCall[]): Map<string, MadeId> {
  const used = new Set(calls.flatMap(({ path, query, body }) => JSON.stringify([path, query, body]).match(ID) ?? []));
  const made = new Map<string, MadeId>();
  calls.forEach(({ answer }, index) => {
    for (const [id, path] of idsIn(answer, '')) {
      if (!used.has(id) || made.has(id)) continue;
      const prefix = id.slice(0, id.indexOf('_'));
      const number = [...made.keys()].filter((other) => other.startsWith(`${prefix}_`)).length + 1;
      made.set(id, { index, path, variable: `${prefix}_${number}` });
    }
  });
  return made;
}

function idsIn(value: unknown, path: string): (readonly [string, string])[] {
  if (typeof value === 'string') return value.match(ID)?.[0] === value ? [[value, path]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    idsIn(part, `${path}[${JSON.stringify(Array.isArray(value) ? Number(name) : name)}]`),
  );
}
