import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { parseIdempotencyKey, requestFingerprint } from './idempotency-key';

const request = (over: object = {}) =>
  ({
    method: 'POST',
    routeOptions: { url: '/v4/wallets/:id/freeze' },
    params: { id: 'wal_1' },
    body: { a: 1, b: { c: 2, d: 3 } },
    ...over,
  }) as FastifyRequest;
const fingerprint = (over?: object) => requestFingerprint(request(over)).toString('hex');

describe('the Idempotency-Key header', () => {
  it.each([
    [undefined, null],
    ['abc', 'abc'],
    ['"abc"', 'abc'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['a"b', 'a"b'],
    ['k'.repeat(255), 'k'.repeat(255)],
    [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  ])('%j is the key %j', (header, key) => expect(parseIdempotencyKey(header)).toBe(key));

  it.each([
    '',
    '""',
    ' ',
    'a b',
    '"a b"',
    'a, b',
    '"a", "b"',
    '"a',
    '"a"b"',
    '"a\\b"',
    'é',
    'a\tb',
    'k'.repeat(256),
    `"${'k'.repeat(256)}"`,
  ])('%j is refused', (header) => expect(() => parseIdempotencyKey(header)).toThrow('must be sent once'));
});

describe('the fingerprint of a request', () => {
  it('is 32 bytes, whatever the order of the keys', () => {
    expect(requestFingerprint(request())).toHaveLength(32);
    expect(fingerprint({ body: { b: { d: 3, c: 2 }, a: 1 } })).toBe(fingerprint());
  });

  it('is SHA-256 of the bytes in UTF-8, as those that are stored, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (said) => {
        const bytes = Buffer.from(`POST /v4/wallets/:id/freeze\n{"id":"wal_1"}\n${JSON.stringify({ said })}`, 'utf8');
        expect(fingerprint({ body: { said } })).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });

  it('is the same for no body and an empty one', () =>
    expect(fingerprint({ body: undefined })).toBe(fingerprint({ body: {} })));

  it.each([
    { method: 'PATCH' },
    { routeOptions: { url: '/v4/wallets/:id/close' } },
    { params: { id: 'wal_2' } },
    { body: { a: 1 } },
    { body: { a: '1', b: { c: 2, d: 3 } } },
    { body: { a: 1, b: { c: 2, d: 3 }, e: null } },
  ])('differs with %j', (over) => expect(fingerprint(over)).not.toBe(fingerprint()));
});
