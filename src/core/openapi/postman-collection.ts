import { findOperation, type RecordedCall } from './examples';
import type { OpenApiDocument } from './types';

const ID = /\b[a-z]{3,4}_01kabcdefghjkmnpqrstvwx\w{3}\b/g;

/**
 * The recorded calls as a Postman collection (format 2.1). Run from top to bottom against a fresh sandbox, with
 * `base_url` and `api_key` set, every request succeeds: what a call makes is kept in variables that later ones use.
 */
export function postmanCollection(document: OpenApiDocument, calls: readonly RecordedCall[]): object {
  const ids = madeIds(calls);
  return {
    info: {
      name: 'Duka',
      description:
        'Every operation of the Duka API, in an order in which a fresh sandbox carries each out. Set `api_key` to a ' +
        'test key.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: 'http://localhost:3000' },
      { key: 'api_key', value: '' },
    ],
    item: calls.map((call, index) =>
      itemOf(call, document, { of: ids, madeHere: [...ids].filter(([, made]) => made.index === index) }),
    ),
  };
}

interface MadeId {
  /** Of the call whose answer has it first. */
  readonly index: number;
  /** Where in that answer, as JavaScript reads it. */
  readonly path: string;
  readonly variable: string;
}

interface Ids {
  readonly of: ReadonlyMap<string, MadeId>;
  readonly madeHere: readonly (readonly [string, MadeId])[];
}

/** Ids that requests use, and the answers that they come from. */
function madeIds(calls: readonly RecordedCall[]): Map<string, MadeId> {
  const used = new Set(calls.flatMap(({ path, query, body }) => JSON.stringify([path, query, body]).match(ID) ?? []));
  const made = new Map<string, MadeId>();
  calls.forEach(({ answer }, index) => {
    for (const [id, path] of idsIn(answer, 'answer')) {
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

function itemOf(call: RecordedCall, document: OpenApiDocument, ids: Ids): object {
  const { method, template, operation } = findOperation(document, call.operation);
  const withVariables = (text: string) =>
    text.replace(ID, (id) => (ids.of.has(id) ? `{{${ids.of.get(id)!.variable}}}` : id));
  const path = withVariables(template.replace(/\{(\w+)\}/g, (_, name: string) => call.path[name]!))
    .slice(1)
    .split('/');
  const query = Object.entries(call.query).map(([key, value]) => ({ key, value: withVariables(value) }));
  const header = Object.entries(call.headers).map(([key, value]) => ({ key, value }));
  if (method !== 'GET') header.push({ key: 'Idempotency-Key', value: '{{$guid}}' });
  const pairs = query.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const raw = `{{base_url}}/${path.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  const body =
    call.body === undefined
      ? undefined
      : { mode: 'raw', raw: withVariables(JSON.stringify(call.body, null, 2)), options: { raw: { language: 'json' } } };
  return {
    name: call.title ?? operation.summary ?? call.operation,
    request: { method, header, url: { raw, host: ['{{base_url}}'], path, query }, ...(body && { body }) },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(call, ids.madeHere) } }],
  };
}

function scriptOf({ status }: RecordedCall, madeHere: Ids['madeHere']): string[] {
  const lines = [`pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`];
  if (madeHere.length > 0) lines.push('const answer = pm.response.json();');
  return [...lines, ...madeHere.map(([, { path, variable }]) => `pm.collectionVariables.set('${variable}', ${path});`)];
}
