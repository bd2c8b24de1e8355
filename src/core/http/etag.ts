import { createHash } from 'node:crypto';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

const ETAG = {
  type: 'string',
  maxLength: 64,
  pattern: '^[\\x20-\\x7e]*$',
  example: '"9f86d081884c7d659a2feaa0"',
} as const;

/** Documents a list whose answer clients may keep: send it by `unlessKept`. */
export const Kept = (type: Type<object>) =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The `ETag` of an answer that you kept.',
      schema: { ...ETAG, maxLength: 1024 },
    }),
    ApiOkResponse({
      type,
      headers: { ETag: { description: 'Names this answer: send it as `If-None-Match` next time.', schema: ETAG } },
    }),
    ApiResponse({ status: 304, description: 'The answer that you kept is still good.' }),
  );

/**
 * The body, or 304 without one where the client has it already: what it names must be this very answer, of this
 * account.
 */
export function unlessKept<T extends object>(reply: FastifyReply, kept: string | undefined, body: T): T | undefined {
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 24)}"`;
  // Unlike other answers it may be kept, and must be asked about before each use.
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  const isKept =
    kept !== undefined && kept.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  if (!isKept) return body;
  reply.code(304);
  return undefined;
}
