import type { Schema } from './types';

const CODE: Schema = { type: 'string', pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 };
const POINTER: Schema = {
  type: ['string', 'null'],
  maxLength: 4096,
  pattern: '^(/[^\\u0000]*)?$',
  description: 'JSON pointer to the field.',
};
const text = (maxLength: number, description: string): Schema => ({
  type: 'string',
  maxLength,
  pattern: '^[^\\u0000]*$',
  description,
});
const textOrNull = (maxLength: number, description: string): Schema => ({
  ...text(maxLength, description),
  type: ['string', 'null'],
});

const figure = (description: string): Schema => ({
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: `${description} Minor units; only where it applies.`,
});

const FIELD_ERROR: Schema = {
  type: 'object',
  required: ['param', 'code', 'detail'],
  properties: {
    param: { ...POINTER, type: 'string' },
    code: CODE,
    detail: text(1024, 'What is wrong with this field.'),
  },
};

const PROVIDER: Schema = {
  type: ['object', 'null'],
  description: 'What a provider said when it refused.',
  required: ['code', 'message', 'reference'],
  properties: {
    code: textOrNull(64, "The provider's own code."),
    message: textOrNull(1024, "The provider's own words, scrubbed."),
    reference: textOrNull(128, "The provider's own id of the attempt."),
  },
};

/** RFC 9457: the body of every failure. */
export const PROBLEM_SCHEMA: Schema = {
  type: 'object',
  description: 'Why a request failed (RFC 9457). `/docs/errors` explains every code.',
  required: [
    'type',
    'title',
    'status',
    'code',
    'detail',
    'param',
    'errors',
    'recovery',
    'retryable',
    'resource_id',
    'provider',
    'request_id',
  ],
  properties: {
    type: { type: 'string', format: 'uri', maxLength: 1024, description: 'A page about the code.' },
    title: text(128, 'The same for each occurrence of the code.'),
    status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, description: 'HTTP status.' },
    code: { ...CODE, description: 'For programs; never changes its meaning.' },
    detail: text(4096, 'What happened this time; for people.'),
    param: { ...POINTER, description: 'JSON pointer to the field at fault, if one is.' },
    errors: { type: 'array', maxItems: 100, description: 'Every fault of the fields, up to 100.', items: FIELD_ERROR },
    recovery: {
      type: 'string',
      enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'],
      description: 'Who can make the request succeed.',
    },
    retryable: { type: 'boolean', description: 'The same request with the same Idempotency-Key may be sent again.' },
    resource_id: {
      type: ['string', 'null'],
      maxLength: 64,
      pattern: '^[a-z]+_[0-9a-z]+$',
      description: 'What stands in the way.',
    },
    provider: PROVIDER,
    expected: figure('What the service expects: of `price_changed` the price.'),
    actual: figure('What the request says instead.'),
    min: figure('Of a range: the least that is taken.'),
    max: figure('Of a range: the most that is taken.'),
    request_id: {
      type: 'string',
      maxLength: 64,
      pattern: '^req_[0-9a-z]+$',
      description: 'Quote it when you ask about this failure.',
    },
  },
};
