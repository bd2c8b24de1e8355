import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startProbe } from '../../../test/support/http-probe';
import { sendBytes } from '../../../test/support/raw-http';
import { ERROR_KINDS } from '../errors/error-kinds';
import type { Problem } from './problems';

const MEMBERS = [
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
];
const JSON_TYPE = { 'content-type': 'application/json' };

let app: NestFastifyApplication;
let url: string;
let port: number;

beforeAll(async () => {
  ({ app, url, port } = await startProbe({ PUBLIC_URL: 'https://duka.example/' }));
});
afterAll(() => app.close());

async function problemOf(path: string, init?: RequestInit): Promise<Problem & { headers: Headers }> {
  const response = await fetch(url + path, init);
  const problem = (await response.json()) as Problem;
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(Object.keys(problem)).toEqual(MEMBERS);
  expect(problem).toMatchObject({ status: response.status, type: `https://duka.example/docs/errors#${problem.code}` });
  expect(problem.request_id).toBe(response.headers.get('request-id'));
  return { ...problem, headers: response.headers };
}

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE): RequestInit => ({
  method: 'POST',
  body,
  headers,
});

describe('every failure is a problem document', () => {
  it.each(Object.entries(ERROR_KINDS))('of the kind %s', async (kind, { status, recovery, retryable }) => {
    const problem = await problemOf(`/probe/failures/${kind}`);
    expect(problem).toMatchObject({
      status,
      recovery,
      retryable,
      code: `because_${kind}`,
      detail: 'Because.',
      resource_id: 'trf_1',
      param: null,
      errors: [],
      provider: null,
    });
    expect(problem.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(problem.headers.get('retry-after')).toBe(status === 429 ? '3' : null);
  });

  it.each([
    ['an unknown address', '/nope', {}, 404, 'not_found'],
    ['an unknown address with any body', '/nope', post('x', { 'content-type': 'text/plain' }), 404, 'not_found'],
    ['an empty path parameter', '/probe/things/', {}, 404, 'not_found'],
    ['an id of 10 kB', `/probe/things/${'x'.repeat(10_000)}`, {}, 404, 'not_found'],
    ['a bad percent-encoding', '/probe/things/%zz', {}, 400, 'malformed_request'],
    ['a body that is not JSON', '/probe/transfers', post('{'), 400, 'invalid_json'],
    [
      'a body of another type',
      '/probe/transfers',
      post('a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    ],
    ['a body of text', '/probe/transfers', post('{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
    [
      'a body of a type that is none',
      '/probe/transfers',
      post('a=1', { 'content-type': 'x' }),
      415,
      'unsupported_media_type',
    ],
    ['a body without a type', '/probe/transfers', post(new Uint8Array([123, 125]), {}), 415, 'unsupported_media_type'],
    ['a body of 1 MiB', '/probe/transfers', post(JSON.stringify({ a: 'x'.repeat(1 << 20) })), 413, 'payload_too_large'],
    ['no body where one is needed', '/probe/transfers', post(''), 400, 'validation_failed'],
    ['an unknown field', '/probe/transfers', post('{"x":1}'), 400, 'unknown_field'],
    ['a value that PostgreSQL cannot hold', '/probe/crash?code=22P05', {}, 400, 'validation_failed'],
    ['a database that is away', '/probe/crash?code=ECONNREFUSED', {}, 503, 'service_unavailable'],
    ['a database that shuts down', '/probe/crash?code=57P03', {}, 503, 'service_unavailable'],
    ['a transaction that lost every retry', '/probe/crash?code=40001', {}, 503, 'service_unavailable'],
    ['a bug', '/probe/crash', {}, 500, 'internal_error'],
  ])('for %s', async (...row) => {
    const [, path, init, status, code] = row;
    const problem = await problemOf(path, init);
    expect(problem).toMatchObject({ status, code });
    expect(problem.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    expect(JSON.stringify(problem)).not.toMatch(/hunter2|10\.0\.0\.1|FST_|node_modules/);
  });

  it.each([
    ['DELETE', '/probe/things', 'GET, HEAD'],
    ['OPTIONS', '/probe/things/1?a=b', 'GET, HEAD'],
    ['PUT', '/probe/things/1/freeze', 'POST'],
    ['PROPFIND', '/healthz', 'GET, HEAD'],
  ])('for %s %s', async (method, path, allow) => {
    const problem = await problemOf(path, { method });
    expect(problem).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(problem.headers.get('allow')).toBe(allow);
  });

  it('has its headers on HEAD as well', async () => {
    const response = await fetch(`${url}/probe/failures/unauthenticated`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), response.headers.get('www-authenticate')]).toEqual([
      401,
      'application/problem+json; charset=utf-8',
      'Bearer',
    ]);
  });

  it.each([
    ['bytes that are not HTTP', 'NONSENSE\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['a header of 20 kB', `GET / HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [
      'two lengths',
      'POST /probe/transfers HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST /probe/transfers HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['an address that is none', 'GET *probe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404, 'not_found'],
    ['no host', 'GET /nope HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
  ])('for %s', async (_, bytes, status, code) => {
    const [head = '', body = ''] = (await sendBytes(port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toMatch(/content-type: application\/problem\+json/);
    expect(JSON.parse(body)).toMatchObject({ status, code, request_id: /request-id: (\S+)/i.exec(head)?.[1] });
  });
});

describe('what looks like a failure and is none', () => {
  it('an expectation that is not known', async () =>
    expect(
      await sendBytes(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 200/));

  it.each([{}, JSON_TYPE])('a POST without a body, with the headers %j', async (headers) =>
    expect((await fetch(`${url}/probe/things/1/freeze`, { method: 'POST', headers })).status).toBe(201),
  );
});
