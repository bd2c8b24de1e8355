import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { configure } from 'safe-stable-stringify';
import { DomainError } from '../errors/domain-error';
import type { RequestClaim } from '../idempotency/claim';

const canonicalJson = configure({ deterministic: true });

/** `"…"` around a structured-field string (RFC 9651), in which `\"` and `\\` stand for themselves. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;
const KEY = /^[\x21-\x7e]{1,255}$/;

class InvalidIdempotencyKey extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Invalid idempotency key',
      detail:
        'The Idempotency-Key header must be sent once and be 1 to 255 visible ASCII characters, bare or in double ' +
        'quotes.',
    });
  }
}

/**
 * The key of a request, null without one. Node joins a header that was sent twice with `, `: the space gives it away.
 */
export function parseIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = String(header);
  const key = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text;
  if (!KEY.test(key) || (key === text && text.startsWith('"'))) throw new InvalidIdempotencyKey();
  return key;
}

/**
 * SHA-256 over what makes two requests the same: method, route, path parameters and the body as received,
 * so that a default that changes later does not turn a retry into another request.
 */
export function requestFingerprint({ method, routeOptions, params, body }: FastifyRequest): Buffer {
  const text = `${method} ${routeOptions.url}\n${canonicalJson(params)}\n${canonicalJson(body ?? {})}`;
  // Its bytes as characters, then copied: a buffer that `hash` makes is memory of its own, a copy is of Node's pool.
  return Buffer.from(hash('sha256', text, 'binary'), 'latin1');
}

/** What the idempotency of the current request rests on: its key, if any, and its fingerprint. */
export const IdempotentRequest = createParamDecorator((_: unknown, context: ExecutionContext): RequestClaim => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { key: parseIdempotencyKey(request.headers['idempotency-key']), fingerprint: requestFingerprint(request) };
});
