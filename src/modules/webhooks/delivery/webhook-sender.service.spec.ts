import { codeOf, controlOf, retryAfterSecondsOf, textOf } from './webhook-sender.service';

const NOW = Date.parse('2026-03-01T12:00:00.250Z');
const retryAfter = (value: string | string[] | undefined, statusCode = 503) =>
  retryAfterSecondsOf({ statusCode, headers: { 'retry-after': value } }, NOW);

test.each([
  [200, 'ok'],
  [204, 'ok'],
  [299, 'ok'],
  [300, 'redirect'],
  [302, 'redirect'],
  [304, 'redirect'],
  [308, 'redirect'],
  [399, 'redirect'],
  [400, 'http_error'],
  [401, 'http_error'],
  [404, 'http_error'],
  [410, 'gone'],
  [429, 'rate_limited'],
  [500, 'http_error'],
  [503, 'http_error'],
  [599, 'http_error'],
])('%i is %s', (status, code) => expect(codeOf(status)).toBe(code));

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['99999999999999999999', 1_000_000_000],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60],
    ['Sat, 28 Feb 2026 12:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 1_000_000_000],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['2026', 2_026],
    ['Mon, nonsense', null],
    ['1e3', null],
  ])('%j is %p s', (value, seconds) => expect(retryAfter(value)).toBe(seconds));

  test('counts for 429 and 503 only', () => {
    expect([429, 503, 500, 200, 302].map((status) => retryAfter('5', status))).toEqual([5, 5, null, null, null]);
    expect(retryAfter(undefined)).toBeNull();
    expect(retryAfter(['5', '6'])).toBeNull();
  });
});

test('webhook-delivery asks for two things', () => {
  const control = (value?: string) => controlOf({ statusCode: 200, headers: { 'webhook-delivery': value } });
  expect([control('disable'), control('abort-message'), control(' Disable '), control('delete'), control('')]).toEqual([
    'disable',
    'abort-message',
    'disable',
    null,
    null,
  ]);
  expect(control()).toBeNull();
});

describe('the body that is kept', () => {
  test('is null when there is none', () => expect(textOf(Buffer.alloc(0))).toBeNull());

  test('holds nothing that PostgreSQL cannot store', () => {
    expect(textOf(Buffer.from('a\0b'))).toBe('a\uFFFDb');
    expect(textOf(Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80]))).toMatch(/^a\uFFFD+$/);
  });

  test.each([
    ['a', 16_384],
    ['é', 8_192],
    ['€', 5_461],
    ['😀', 4_096],
    ['\0', 5_461],
  ])('of %j is cut between characters', (character, count) => {
    expect(Array.from(textOf(Buffer.from(character.repeat(20_000)))!)).toHaveLength(count);
  });
});
