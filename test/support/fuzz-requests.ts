import fc from 'fast-check';
import { resolve, typesOf } from '../../src/core/openapi/schemas';
import type { Operation, Parameter, Schema } from '../../src/core/openapi/types';
import type { Belongings } from './belongings';
import { openapi } from './contract';
import { HOSTILE_BODIES, HOSTILE_HEADERS, HOSTILE_JSON, HOSTILE_QUERIES, HOSTILE_SEGMENTS } from './hostile';
import type { RawRequest } from './raw-http';
import { kindOf } from './routes';

/** One of our ids, as examples have them. */
const ID = /^([a-z]{3})_[0-9a-z]{26}$/;

/** What exists for the requests to be about. */
export interface Pool {
  readonly key: string;
  readonly belongings: readonly Belongings[];
  /** Real ones, of any list. */
  readonly cursors: readonly string[];
}

interface Subject {
  readonly method: string;
  readonly template: string;
  readonly operation: Operation;
}

/** Every operation of the document. */
export const subjects: readonly Subject[] = Object.entries(openapi.paths).flatMap(([template, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), template, operation })),
);

/** Any request to any operation: mostly one that could succeed, with something hostile in about every third. */
export const anyRequest = (pool: Pool): fc.Arbitrary<RawRequest> =>
  fc.oneof(...subjects.map((subject) => ({ weight: weightOf(subject), arbitrary: requestTo(subject, pool) })));

/** One success takes the money out of all wallets, or a wallet, a card or an endpoint out of use for good: the rest would have little to do. */
const weightOf = ({ operation: { operationId } }: Subject): number =>
  ['reset_sandbox', 'close_wallet', 'delete_webhook_endpoint', 'terminate_card'].includes(operationId) ? 1 : 6;

function requestTo(subject: Subject, pool: Pool): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      path: pathTo(subject, pool),
      query: queryOf(subject, pool),
      headers: headersOf(pool),
      body: bodyOf(subject, pool),
    })
    .map(({ path, query, headers, body }) => ({
      method: subject.method,
      path: query === '' ? path : `${path}?${query}`,
      headers,
      body,
    }));
}

/** `valid` but once in `odds`. */
const mostly = <T, U>(odds: number, valid: fc.Arbitrary<T>, hostile: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: odds - 1, arbitrary: valid }, { weight: 1, arbitrary: hostile });

function pathTo({ template }: Subject, { belongings }: Pool): fc.Arbitrary<string> {
  const kind = kindOf(template);
  if (kind === null) return fc.constant(template);
  const other = fc.oneof(
    fc.constantFrom(...belongings.flatMap((own) => Object.values(own) as string[])),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const segment = mostly(
    8,
    fc.constantFrom(...belongings.map((own) => own[kind])),
    mostly(3, fc.constantFrom(...HOSTILE_SEGMENTS), other.map(encodeURIComponent)),
  );
  return segment.map((text) => template.replace(/\{\w+\}/, () => text));
}

function queryOf({ operation }: Subject, pool: Pool): fc.Arbitrary<string> {
  const known = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const one = fc.oneof(fc.constant(['unknown', 'x']), ...known.map((parameter) => pairOf(parameter, pool)));
  const pairs = fc.array(
    known.length > 0 ? mostly(20, fc.oneof(...known.map((parameter) => pairOf(parameter, pool))), one) : one,
    { maxLength: known.length > 0 ? 3 : 0 },
  );
  return mostly(
    15,
    pairs.map((all) => all.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&')),
    fc.constantFrom(...HOSTILE_QUERIES),
  );
}

function pairOf({ name, schema = {} }: Parameter, pool: Pool): fc.Arbitrary<string[]> {
  // `style: deepObject`.
  if (typesOf(schema).includes('object'))
    return fc
      .tuple(fc.constantFrom('order', 'till', 'a[b]', '__proto__', '', '\0'), jsonOf({ type: 'string' }, pool))
      .map(([key, text]) => [`${name}[${encodeURIComponent(key)}]`, String(JSON.parse(text))]);
  const value = name === 'cursor' ? cursorOf(pool) : jsonOf(schema, pool).map((text) => String(JSON.parse(text)));
  return mostly(12, value, fc.string({ unit: 'binary', maxLength: 30 })).map((text) => [name!, text]);
}

const cursorOf = ({ cursors }: Pool): fc.Arbitrary<string> =>
  mostly(
    2,
    fc.constantFrom(...cursors),
    fc
      .tuple(fc.constantFrom(...cursors), fc.nat(40), fc.constantFrom(...'Ab0_-='))
      .map(([cursor, at, char]) => cursor.slice(0, at) + char + cursor.slice(at + 1)),
  );

function headersOf({ key }: Pool): fc.Arbitrary<RawRequest['headers']> {
  const authorization = mostly(
    40,
    fc.constant(`Bearer ${key}`),
    fc.constantFrom(
      '',
      'Bearer',
      'Basic x',
      `bearer  ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key.replace('test', 'live')}`,
    ),
  );
  const idempotencyKey = fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('key-1', 'key-2', 'key-3', '"key-1"') },
    { weight: 1, arbitrary: fc.stringMatching(/^[\x21-\x7e]{1,255}$/) },
  );
  const others = mostly(
    12,
    fc.constant([['Content-Type', 'application/json']] as const),
    fc.constantFrom(...HOSTILE_HEADERS),
  );
  return fc
    .tuple(authorization, idempotencyKey, others)
    .map(([auth, idempotency, rest]) => [
      ['Authorization', auth],
      ...(idempotency === null ? [] : [['Idempotency-Key', idempotency] as const]),
      ...rest,
    ]);
}

function bodyOf({ operation: { requestBody } }: Subject, pool: Pool): fc.Arbitrary<RawRequest['body']> {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return mostly(10, fc.constant(undefined), fc.constantFrom(...HOSTILE_BODIES));
  return mostly(12, objectOf(resolve(schema, openapi.components.schemas), pool), fc.constantFrom(...HOSTILE_BODIES));
}

/** A body as JSON text: optional fields come and go, now and then one is hostile, unknown, missing or there twice. */
function objectOf({ properties = {}, required = [] }: Schema, pool: Pool): fc.Arbitrary<string> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const pair = mostly(25, jsonOf(schema, pool), fc.constantFrom(...HOSTILE_JSON)).map(
      (text) => `${JSON.stringify(name)}:${text}`,
    );
    return required.includes(name)
      ? mostly(
          60,
          pair.map((one) => [one]),
          fc.constant([]),
        )
      : fc.array(pair, { maxLength: 1 });
  });
  const surplus = mostly(
    40,
    fc.constant([]),
    fc.constantFrom(...HOSTILE_JSON).map((text) => [`"amount":${text}`]),
  );
  return fc.tuple(...fields, surplus).map((parts) => `{${parts.flat().join(',')}}`);
}

/** A value that the schema allows, as JSON text. */
function jsonOf(schema: Schema, pool: Pool): fc.Arbitrary<string> {
  const target = resolve(schema.anyOf?.[0] ?? schema, openapi.components.schemas);
  return target.properties ? objectOf(target, pool) : valueOf(target, pool).map((value) => JSON.stringify(value));
}

function valueOf(schema: Schema, { belongings }: Pool): fc.Arbitrary<unknown> {
  const { enum: words, format, example, maxLength = 100, minimum = 0, maximum = 1000, pattern = '' } = schema;
  const types = typesOf(schema);
  if (words) return fc.constantFrom(...words);
  // Texts that hold by chance are rare: of a list and an address only the example.
  if ((types.includes('array') || format === 'uri') && example !== undefined) return fc.constant(example);
  if (types.includes('boolean')) return mostly(3, fc.constant(false), fc.constant(true));
  if (types.includes('integer'))
    return mostly(
      10,
      fc.integer({ min: Math.max(minimum, 0), max: Math.min(maximum, 200) }),
      fc.constantFrom(minimum, maximum),
    );
  if (types.includes('object'))
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 100 }), {
      maxKeys: 5,
    });
  if (format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
  const kind = ID.exec(String(example))?.[1] ?? '';
  if (kind in belongings[0]!)
    return fc.constantFrom(
      ...belongings.flatMap((own) => (kind === 'wal' ? [own.wal, own.usd] : [own[kind as keyof Belongings]])),
    );
  if (pattern.includes('A-Za-z'))
    return fc.oneof(fc.constantFrom('ref-1', 'ref-2', 'ref-3'), fc.stringMatching(new RegExp(pattern)));
  const any = fc.string({ unit: 'binary', minLength: 1, maxLength: Math.min(maxLength, 60) });
  // What a form must hold is rarely met by chance.
  const isForm = format !== undefined || !/^$|^\^\[\^/.test(pattern);
  return isForm && example !== undefined ? mostly(6, fc.constant(example), any) : any;
}
