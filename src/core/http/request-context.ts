import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodeId } from './ids';

/** On every answer. The service answers data, not pages: nothing may be cached, framed or taken for another type. */
const HEADERS_OF_ANSWERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** Names the request: `Request-Id: req_…` on the answer, whatever the answer becomes. */
export function beginRequest({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(HEADERS_OF_ANSWERS).header('request-id', encodeId('req', id));
}

/** `req_…` of the request that `reply` answers. */
export const publicRequestId = (reply: FastifyReply): string => reply.getHeader('request-id') as string;

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/;

/** Trace id of a W3C `traceparent` header; null without a valid one. */
export function traceIdOf({ headers: { traceparent } }: Pick<FastifyRequest, 'headers'>): string | null {
  const [, trace, parent] = TRACEPARENT.exec(String(traceparent ?? '')) ?? [];
  // All zeros mean "none" in both.
  return trace === undefined || /^0+$/.test(trace) || /^0+$/.test(parent!) ? null : trace;
}
