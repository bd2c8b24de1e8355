import { isUtf8 } from 'node:buffer';
import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { DomainError } from '../errors/domain-error';
import type { LargeBodyDoor } from './doors';
import { InvalidRequest, pointer, unknownField } from './validation.pipe';

/** How the body of a route is read. Routes that say nothing take JSON. */
type BodyForm = 'json' | 'form' | 'raw' | 'rows';

/** The route takes the form of an HTML page, as an object of texts. */
export const TakesForm = () => RouteConfig({ body: 'form' satisfies BodyForm });

/** The route takes the bytes as they came, JSON or a form, for whoever checks their signature: a `Buffer`. */
export const TakesRaw = () => RouteConfig({ body: 'raw' satisfies BodyForm });

/** 10,000 rows of 800 bytes. */
const ROWS_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The route takes many rows: JSON, or text/csv as the field `csv` of a body whose other fields stand in the query
 * string.
 */
export const TakesRows = () => RouteConfig({ body: 'rows' satisfies BodyForm });

/** Fastify `onRoute` hook: what takes many rows takes a large body, of somebody who is known; nothing else does. */
export const makeRoomForRows =
  ({ requireKnown }: LargeBodyDoor) =>
  (route: RouteOptions): void => {
    if ((route.config as { body?: BodyForm } | undefined)?.body !== 'rows') return;
    route.bodyLimit = ROWS_BYTES_MAX;
    route.preParsing = requireKnown;
  };

type Parse = (bytes: Buffer, request: FastifyRequest) => object | undefined;
type Done = (error: Error | null, body?: object) => void;

/** Makes JSON, forms and raw bytes the only bodies of the service. */
export function addBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const add = (type: string, own: readonly BodyForm[], parse: Parse) =>
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done: Done) => {
      // Nobody unpacks it: what is signed, compared or stored would be something else than was meant.
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return done(unsupported());
      const wanted = formOf(request);
      if (wanted === 'raw') return done(null, bytes);
      if (!own.includes(wanted)) return done(unsupported());
      return read(() => parse(bytes, request), done);
    });
  add('application/json', ['json', 'rows'], (bytes, request) => {
    // Of many rows, which as CSV have their other fields there: they would be lost.
    const [name] = formOf(request) === 'rows' ? Object.keys(request.query as object) : [];
    if (name !== undefined) throw new StrangeInQuery(pointer(name));
    return parseJsonBody(bytes);
  });
  add('application/x-www-form-urlencoded', ['form'], (bytes) =>
    Object.fromEntries(new URLSearchParams(bytes.toString())),
  );
  add('text/csv', ['rows'], (bytes, { query }) => ({ ...fieldsOf(query as object), csv: textOf(bytes) }));
}

const formOf = ({ routeOptions }: FastifyRequest): BodyForm =>
  (routeOptions.config as { body?: BodyForm }).body ?? 'json';

/** Parts of its requests that a route reads, and whose fields its DTOs know. */
export type ReadParts = Readonly<Record<'body' | 'query', boolean>>;

export function readPartsOf(controller: Type, { name }: { readonly name: string }): ReadParts {
  const read = Object.keys((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as object | undefined) ?? {});
  const isRead = (part: RouteParamtypes) => read.some((key) => key.startsWith(`${part}:`));
  return { body: isRead(RouteParamtypes.BODY), query: isRead(RouteParamtypes.QUERY) };
}

/** Throws `InvalidRequest` for fields of parts that the route does not read: no DTO would refuse them. */
export function refuseUnread(request: FastifyRequest, reads: ReadParts): void {
  if (!reads.query && hasFields(request.query) && formOf(request) !== 'rows') throw unknownFields(request.query);
  if (!reads.body && hasFields(request.body)) throw unknownFields(request.body);
}

const hasFields = (part: unknown): part is object => part !== undefined && Object.keys(part as object).length > 0;

const unknownFields = (part: object): InvalidRequest =>
  new InvalidRequest(Object.keys(part).map((name) => unknownField(pointer(name))));

/** Flags of a query string as JSON has them. */
const fieldsOf = (query: object): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      value === 'true' || value === 'false' ? value === 'true' : value,
    ]),
  );

function read(parse: () => object | undefined, done: Done): void {
  let body: object | undefined;
  try {
    body = parse();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

/** As Fastify refuses a type that it does not know. */
const unsupported = (): Error =>
  Object.assign(new Error('unsupported media type'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 });

const DEPTH_MAX = 32;

class InvalidJson extends DomainError {
  constructor(detail: string, options?: ErrorOptions) {
    super({ code: 'invalid_json', kind: 'malformed', title: 'Invalid JSON', detail }, options);
  }
}

class StrangeInQuery extends DomainError {
  constructor(param: string) {
    const code = 'unknown_field';
    const detail = `${param} is not a field of this query string: beside JSON all fields stand in the body.`;
    super({ code, kind: 'malformed', title: 'Unknown field', detail, param, errors: [{ param, code, detail }] });
  }
}

/** JSON that is well-formed but carries what no field may: text that cannot be stored, a key that is a trap. */
class ForbiddenInJson extends DomainError {
  constructor(param: string, detail: string) {
    const code = 'validation_failed';
    super({ code, kind: 'malformed', title: 'Invalid request', detail, param, errors: [{ param, code, detail }] });
  }
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new InvalidJson('The body is not valid UTF-8.');
  return bytes.toString();
}

/** A request body: an object, without anything that two readers could understand differently. Undefined when empty. */
export function parseJsonBody(bytes: Buffer): object | undefined {
  if (bytes.length === 0) return undefined;
  const text = textOf(bytes);
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidJson('The body must be a JSON object.');
  // JSON.parse keeps the last of two equal keys; a proxy or a log may keep the first. About money nobody may guess.
  if (new Walk(text).countMembers(body, '', 1) !== countColons(text))
    throw new InvalidJson('The body has the same key twice in one object.');
  if (isRounded(text))
    throw new InvalidJson('The body has a fraction with more digits than a number keeps: it would be rounded.');
  return body;
}

/**
 * A double keeps any 15 digits. Of whole numbers beyond them, those that are too large are refused where they are read.
 */
const MANY_DIGITS = /[\d.]{17}/;

function isRounded(text: string): boolean {
  if (!MANY_DIGITS.test(text)) return false;
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/\d[\d.]*(?:e[+-]?\d+)?/gi) ?? [];
  return numbers.some(
    (number) => /[.e]/i.test(number) && number.replace(/e.*$/i, '').replace('.', '').replace(/^0+/, '').length > 15,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidJson('The body is not valid JSON.', { cause: error });
  }
}

/** Goes through a body once: refuses what may not be in it, and counts the members of its objects. */
class Walk {
  /** Valid UTF-8 in valid JSON holds U+0000 or half a surrogate pair only as an escape. */
  private readonly hasEscapes: boolean;

  constructor(text: string) {
    this.hasEscapes = text.includes('\\u');
  }

  countMembers(node: object, path: string, depth: number): number {
    if (depth > DEPTH_MAX) throw new ForbiddenInJson(path, `The body is nested deeper than ${DEPTH_MAX} levels.`);
    const isList = Array.isArray(node);
    const keys = Object.keys(node);
    let members = isList ? 0 : keys.length;
    for (const key of keys) {
      const value = (node as Record<string, unknown>)[key];
      if (!isList) this.checkKey(key, value, path);
      if (typeof value === 'string') this.checkText(value, path, key);
      else if (typeof value === 'object' && value !== null)
        members += this.countMembers(value, path + pointer(key), depth + 1);
    }
    return members;
  }

  private checkKey(key: string, value: unknown, path: string): void {
    this.checkText(key, path, key);
    const isTrap = key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(value), 'prototype'));
    if (isTrap) throw new ForbiddenInJson(path + pointer(key), `The key ${key} is not allowed.`);
  }

  private checkText(text: string, path: string, key: string): void {
    if (!this.hasEscapes || (text.isWellFormed() && !text.includes('\0'))) return;
    // PostgreSQL stores neither.
    throw new ForbiddenInJson(path + pointer(key), 'Text must not hold U+0000 or half of a surrogate pair.');
  }
}

/** Colons outside of strings: each member of a valid JSON text has exactly one. */
function countColons(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === COLON) colons++;
    else if (char === QUOTE) at = endOfString(text, at);
  }
  return colons;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let char = text.charCodeAt(at); char !== QUOTE; char = text.charCodeAt(at)) at += char === BACKSLASH ? 2 : 1;
  return at;
}

const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
