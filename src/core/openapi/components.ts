import { problemResponses } from './problem-responses';
import { PROBLEM_SCHEMA } from './problem.schema';
import type { Schema } from './types';

const ascii = (maxLength: number): Schema => ({ type: 'string', maxLength, pattern: '^[\\x20-\\x7e]*$' });
const header = (description: string, schema: Schema, example: unknown) => ({ description, schema, example });

const HEADERS = {
  'Request-Id': header(
    'Names this request; quote it when you ask about it.',
    { type: 'string', maxLength: 64, pattern: '^req_[0-9a-z]+$' },
    'req_01kabcdefghjkmnpqrstvwxyz0',
  ),
  RateLimit: header(
    'What is left of the limit of this key (draft-ietf-httpapi-ratelimit-headers-11).',
    ascii(256),
    '"key";r=49;t=1',
  ),
  'RateLimit-Policy': header(
    'The limit of this key: quota `q` in a window of `w` seconds.',
    ascii(256),
    '"key";q=50;w=2',
  ),
  'Retry-After': header(
    'Seconds to wait before the request is sent again.',
    { type: 'integer', format: 'int32', minimum: 0, maximum: 3600 },
    1,
  ),
  'Idempotent-Replayed': header(
    'Present when this request was carried out before and the answer shows what it made.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
  'Preference-Applied': header(
    'Present when `Prefer: wait=N` was heeded: the seconds that counted, 30 at most.',
    ascii(16),
    'wait=10',
  ),
  'WWW-Authenticate': header('The scheme to use.', ascii(256), 'Bearer'),
  Allow: header('The methods that the address answers.', ascii(256), 'GET, POST'),
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A new random text for each thing that you want done once; the same text when you send it again. Always send it when money moves. Kept 30 days.',
    schema: ascii(257),
    example: 'b7e0c2a4-7f1d-4c8e-9b53-0d4f6a1e2c3b',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`wait=N`: seconds, 0 to 30, that the answer may be held back for a final result; 10 when absent (RFC 7240).',
    schema: ascii(64),
    example: 'wait=10',
  },
};

/** What operations refer to by name. */
export const COMPONENTS = { headers: HEADERS, parameters: PARAMETERS, responses: problemResponses() };

export const COMMON_SCHEMAS = { Problem: PROBLEM_SCHEMA };
