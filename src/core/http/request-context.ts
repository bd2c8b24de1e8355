import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../config/env';
import { encodeId } from './ids';

/** Base address for links, without a trailing slash. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Env): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return (PUBLIC_URL ?? `http://${host}:${PORT}`).replace(/\/+$/, '');
}

/** On every answer. The service answers data, not pages: nothing may be cached, framed or taken for another type. */
const HEADERS_OF_ANSWERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** A browser that has been here by https never comes by http again, for a year. */
const STAYS_SECURE = { 'strict-transport-security': 'max-age=31536000' };

export type HeadersOfAnswers = Readonly<Record<string, string>>;

export const headersOfAnswers = (env?: Env): HeadersOfAnswers =>
  env && publicUrl(env).startsWith('https:') ? { ...HEADERS_OF_ANSWERS, ...STAYS_SECURE } : HEADERS_OF_ANSWERS;

/** Names the request: `Request-Id: req_…` on the answer, whatever the answer becomes. */
export function beginRequest({ id }: FastifyRequest, reply: FastifyReply, headers: HeadersOfAnswers): void {
  reply.headers(headers).header('request-id', encodeId('req', id));
}

/** `req_…` of the request that `reply` answers. */
export const publicRequestId = (reply: FastifyReply): string => reply.getHeader('request-id') as string;

/** How many headers of a name, in lower case, a request has: Node keeps one of some, and a proxy perhaps another. */
export function countHeaders({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) count++;
  return count;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/;

/** Trace id of a W3C `traceparent` header; null without a valid one. */
export function traceIdOf({ headers: { traceparent } }: Pick<FastifyRequest, 'headers'>): string | null {
  const [, trace, parent] = TRACEPARENT.exec(String(traceparent ?? '')) ?? [];
  // All zeros mean "none" in both.
  return trace === undefined || /^0+$/.test(trace) || /^0+$/.test(parent!) ? null : trace;
}
