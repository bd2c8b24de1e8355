import { expectDocumented, openapi } from './support/contract';

const REQUEST_ID = 'req_01kabcdefghjkmnpqrstvwxyz0';
const wallet = openapi.paths['/v4/wallets/{id}']!.get!.responses['200']!.content!['application/json']!
  .example as object;
const missing = {
  type: 'https://api.example.com/docs/errors#not_found',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  detail: 'There is no such wallet.',
  param: null,
  errors: [],
  recovery: 'caller_must_fix',
  retryable: false,
  resource_id: null,
  provider: null,
  request_id: REQUEST_ID,
};

interface Told {
  method?: string;
  path?: string;
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

function check({ method = 'GET', path = '/v4/wallets/wal_1', status = 200, body = wallet, headers = {} }: Told): void {
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8';
  expectDocumented(method, path, {
    status,
    body,
    headers: new Headers({ 'content-type': type, 'request-id': REQUEST_ID, ...headers }),
  });
}
const problem = (status: number, changes: object = {}) => ({ status, body: { ...missing, status, ...changes } });
const withoutTitle = ({ title: _, ...rest }: typeof missing) => rest;

it.each<[string, Told]>([
  ['an answer as documented', {}],
  ['a query string', { path: '/v4/wallets/wal_1?at=2026-11-01T00:00:00Z' }],
  ['an address with needless escapes', { path: '/v4/%77allets/wal_1' }],
  ['a problem', problem(404)],
  ['the headers of a GET', { method: 'HEAD', body: '' }],
  ['an unknown address', { ...problem(404), path: '/v5/nothing' }],
  [
    'a wrong method',
    {
      ...problem(405, { code: 'method_not_allowed', type: 'x:/docs/errors#method_not_allowed' }),
      method: 'DELETE',
      headers: { allow: 'GET' },
    },
  ],
  ['a page for people', { path: '/docs/index.html', body: '<html>', headers: { 'content-type': 'text/html' } }],
])('accepts %s', (_, told) => check(told));

it.each<[string, Told, RegExp]>([
  ['a status that the operation does not document', { status: 203 }, /does not document this status/],
  [
    'a refusal that the operation does not document',
    { ...problem(402, { code: 'insufficient_funds', type: 'x:/docs/errors#insufficient_funds' }) },
    /does not document this status/,
  ],
  ['a body without a field', { body: {} }, /must have required property 'id'/],
  [
    'a body with a value of the wrong type',
    { body: { ...wallet, balance: { available: '1', held: 0, ledger: 1 } } },
    /must be integer/,
  ],
  ['a body with a forgotten field', { body: { ...wallet, secret: 1 } }, /must NOT have additional properties/],
  [
    'a nested body with a forgotten field',
    { body: { ...wallet, balance: { available: 1, held: 0, ledger: 1, secret: 1 } } },
    /must NOT have additional properties/,
  ],
  [
    'a resource that is not as its own route shows it',
    {
      path: '/v4/references/r',
      body: { object: 'resend_check', status: 'completed', resource: { object: 'wallet' }, livemode: false },
    },
    /must have required property/,
  ],
  [
    'a body of the wrong content type',
    { headers: { 'content-type': 'text/html' } },
    /content type "text\/html" is not documented/,
  ],
  ['a body without a content type', { headers: { 'content-type': '' } }, /content type "" is not documented/],
  [
    'a problem that is plain JSON',
    { ...problem(404), headers: { 'content-type': 'application/json' } },
    /not a problem/,
  ],
  ['a problem without a member', { status: 404, body: withoutTitle(missing) }, /must have required property 'title'/],
  ['a problem with a member too many', problem(404, { stack: 'at …' }), /must NOT have additional properties/],
  ['a problem with another status in its body', { ...problem(404, { status: 400 }) }, /the problem says 400/],
  ['a problem with a code of another status', problem(400), /it should say 400, 400/],
  [
    'a problem with an unknown code',
    problem(404, { code: 'gone_fishing', type: 'x:/docs/errors#gone_fishing' }),
    /it should say 404, 404/,
  ],
  ['a problem of another request', problem(404, { request_id: 'req_0' }), /it should say/],
  ['a problem that points to another code', problem(404, { type: 'x:/docs/errors#other' }), /it should say/],
  ['a failure without Request-Id', { ...problem(404), headers: { 'request-id': '' } }, /no Request-Id/],
  [
    'a 401 without WWW-Authenticate',
    problem(401, { code: 'missing_api_key', type: 'x:/docs/errors#missing_api_key' }),
    /no WWW-Authenticate/,
  ],
  [
    'a 405 without Allow',
    { ...problem(405, { code: 'method_not_allowed', type: 'x:/docs/errors#method_not_allowed' }), method: 'DELETE' },
    /no Allow/,
  ],
  ['an answer of an operation that is not documented', { path: '/v4/secrets' }, /no such operation/],
  ['an answer to a method that is not documented', { method: 'DELETE' }, /no such operation/],
  [
    'a documented body under HEAD with an undocumented status',
    { method: 'HEAD', status: 206 },
    /does not document this status/,
  ],
])('refuses %s', (_, told, message) => {
  expect(() => check(told)).toThrow(message);
});
