import { DomainError } from '../errors/domain-error';
import { parseJsonBody } from './body-parsers';

const parse = (text: string) => parseJsonBody(Buffer.from(text));

function refusalOf(bytes: Buffer | string): { code: string; param: string | null } {
  try {
    parseJsonBody(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof DomainError) return { code: error.details.code, param: error.details.param ?? null };
    throw error;
  }
  throw new Error('was accepted');
}

describe('a JSON body', () => {
  it.each([
    '{"a":1,"b":{"a":[{"a":":"},"\\"a\\":1"]}}',
    '{"a:b":"\\\\","c":"x"}',
    '{"a":"\\u00e9\\ud83d\\ude00"}',
    '{"constructor":"name"}',
    ' {} ',
  ])('is taken as it is: %s', (text) => expect(parse(text)).toEqual(JSON.parse(text)));

  it('may be empty', () => expect(parse('')).toBeUndefined());

  it.each([
    '{',
    '{"a":1}}',
    '[]',
    '1',
    'null',
    '"a"',
    '{"a":01}',
    '{"a":NaN}',
    "{'a':1}",
    '\ufeff{}',
    '{"a":"\u0000"}',
  ])('is refused as invalid: %j', (text) => expect(refusalOf(text)).toEqual({ code: 'invalid_json', param: null }));

  it('is refused when it is not UTF-8', () =>
    expect(refusalOf(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])).code).toBe(
      'invalid_json',
    ));

  it.each(['{"amount":1,"amount":2}', '{"a":{"b":1,"b":1}}', '{"a":[{"b":1,"\\u0062":2}]}', '{"a":":","a":1}'])(
    'is refused with the same key twice: %s',
    (text) => expect(refusalOf(text).code).toBe('invalid_json'),
  );

  it.each([
    ['{"a":"x\\u0000"}', '/a'],
    ['{"a":{"b/c":["ok","\\ud800"]}}', '/a/b~1c/1'],
    ['{"a":{"\\u0000":1}}', '/a/\ufffd'],
    ['{"\\udc00":1}', '/\ufffd'],
    ['{"a":{"__proto__":{}}}', '/a/__proto__'],
    ['{"constructor":{"prototype":{}}}', '/constructor'],
  ])('says where what may not be in it is: %s', (text, param) =>
    expect(refusalOf(text)).toEqual({ code: 'validation_failed', param }),
  );

  it('is refused when it is nested too deeply, without exhausting the stack', () => {
    expect(refusalOf(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`).code).toBe('validation_failed');
    expect(refusalOf(`{"a":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`).code).toBe('validation_failed');
    expect(() => parse(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`)).not.toThrow();
  });
});
