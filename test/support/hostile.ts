import type { RawRequest } from './raw-http';

type Header = readonly [name: string, value: string];

/** Values as they stand in a JSON text: most of them cannot be said in JavaScript. */
export const HOSTILE_JSON = [
  '1e400', '-1e400', '9007199254740993', '9007199254740992', '-0', '-0.0', '0', '-1', '1.5', '1e-7', '0.1e1', '123456789012345678901234567890',
  '"100"', '"1e3"', '"NaN"', '""', '" "', 'null', 'true', 'false', '[]', '{}', '[1]', '{"a":1}', '[[[[[]]]]]',
  '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '{"\\u0000":"x"}', '{"\\ud800":"x"}', '"\\uffff\\ufffe"', '"\u202e\u200b\ufeff"',
  '{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{}}}', '{"toString":"x"}', '{"a":{"b":{"c":{}}}}', '{"":""}',
  `"${'x'.repeat(60_000)}"`, `"${'é'.repeat(20_000)}"`, `{"k":"${'v'.repeat(501)}"}`, `{"${'k'.repeat(41)}":"v"}`,
  '"2026-02-30T00:00:00Z"', '"wal_"', '"wal_\\u0000"', '"../../etc/passwd"', '"\'; DROP TABLE wallets; --"', '"<script>alert(1)</script>"', '"%00"', '"${7*7}"',
];

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Whole bodies. */
export const HOSTILE_BODIES: readonly (string | Buffer)[] = [
  '', ' ', 'null', 'true', '1', '"x"', '[]', '[{}]', '{}', '{', '}', '{"amount":', '{"amount":NaN}', '{"amount":Infinity}', '{"amount":01}', '{"amount":0x10}', '{"amount":1,}',
  "{'amount':1}", '{amount:1}', '// x\n{}', '\ufeff{}', '{}{}', '{} x', 'amount=1', '<amount>1</amount>',
  '{"amount":1,"amount":2}', '{"amount":1,"\\u0061mount":2}', '{"metadata":{"a":"1","a":"2"}}',
  '{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"metadata":{"__proto__":"x"}}', '{"\\u005f_proto__":1}', '{"hasOwnProperty":1}', '{"then":1}', '{"toJSON":1}',
  '{"metadata":{"\\u0000":"x"}}', '{"label":"\\u0000"}', '{"label":"\\ud800"}', '{"\\ud800":1}',
  deep('[', ']', 30_000), deep('[', ']', 100_000), `{"metadata":${deep('[', ']', 30_000)}}`, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, '['.repeat(60_000),
  `{"label":"${'x'.repeat(1 << 20)}"}`, `{"label":"${'x'.repeat(65_000)}"}`, `{${Array.from({ length: 5000 }, (_, i) => `"f${i}":${i}`).join()}}`,
  Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from('{"label":"\xe9"}', 'latin1'), Buffer.from('{"label":"é"}', 'utf16le'), Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), Buffer.from([0]), Buffer.alloc(1000), Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
];

/** A part of an address, as it stands there. */
export const HOSTILE_SEGMENTS = [
  '', '%20', '.', '..', '%2e%2e', '..%2f', '..%2f..%2fetc%2fpasswd', '%2f', '%5c', '%252f', '%00', 'wal_%00', 'wal_01kabcdefghjkmnpqrstvwxyz0%00', '%0d%0aX-Injected:%201', '%', '%f', '%zz', '%u0041',
  '%c0%80', '%ed%a0%80', '%ff', '%e2%80%ae', 'x'.repeat(100), 'x'.repeat(254), 'x'.repeat(256), 'x'.repeat(800), 'x'.repeat(10_000), '%41'.repeat(3000), "'", "'%20OR%201=1--", '$1', '*', ':id', '{id}', '~', ';a=b', 'a;b', '-1', '0', '1e400', 'null', 'undefined', 'NaN',
  '__proto__', 'constructor', 'toString', 'wal_', 'wal_1', 'wal_zzzzzzzzzzzzzzzzzzzzzzzzzz', 'wal_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'WAL_01KABCDEFGHJKMNPQRSTVWXYZ0', 'req_01kabcdefghjkmnpqrstvwxyz0', '019aa7f4-8b3c-7def-8000-000000000000', '%F0%9F%92%B8', '\u00e9', '[]', '|', '"', '<>', '\\',
];

/** Query strings, as they stand behind the `?`. */
export const HOSTILE_QUERIES = [
  '', '&', '&&=', '=', '?', 'limit', 'limit=', 'limit=0', 'limit=-0', 'limit=-1', 'limit=101', 'limit=1.0', 'limit=1e1', 'limit=0x10', 'limit=1e400', 'limit=9007199254740993', 'limit=%31', 'limit=+1', 'limit=1&limit=2', 'limit=1&limit=1', 'limit[]=1', 'limit[a]=1', 'limit[__proto__]=1',
  'cursor=', 'cursor=x', 'cursor=%00', 'cursor=====', 'cursor=e30', 'cursor=W10', 'cursor=&cursor=', `cursor=${'A'.repeat(511)}`, `cursor=${'A'.repeat(600)}`, `cursor=${'A'.repeat(8000)}`, `cursor=${Buffer.from('[1,2]').toString('base64url')}`,
  'created_gte=2026-02-30T00:00:00Z', 'created_gte=2026-02-29T00:00:00Z', 'created_gte=2026-13-01T00:00:00Z', 'created_gte=2026-01-01', 'created_gte=2026-01-01T25:00:00Z', 'created_gte=2026-01-01T00:00:60Z', 'created_gte=0000-00-00T00:00:00Z', 'created_lt=9999-12-31T23:59:59.999999999Z', 'created_gte=1969-12-31T23:59:59Z', 'created_gte=%2B275760-09-13T00:00:00Z', 'created_gte=1', 'created_gte=', 'created_gte=2026-01-01T00:00:00%2B01:00',
  'at=2026-02-30T00:00:00Z', 'at=1970-01-01T00:00:00Z', 'at=9999-12-31T23:59:59Z', 'at=', 'at=x', 'at=2026-01-01T00:00:00Z&at=2026-01-01T00:00:00Z',
  'amount_gte=-1', 'amount_gte=1.5', 'amount_gte=1e400', 'amount_gte=9007199254740993', 'amount_lte=-0', 'amount_gte=99999999999999999999', 'amount_gte=5&amount_lte=1',
  'wallet_id=', 'wallet_id=x', 'wallet_id=%00', `wallet_id=${'w'.repeat(65)}`, 'wallet_id[]=x', 'reference=', 'reference=%00', 'reference=%ff', "reference='", `reference=${'r'.repeat(129)}`, 'recipient=%00', 'recipient=%ed%a0%80', 'type=', 'type=nope', 'type=deposit&type=deposit', 'status=%00', 'currency=ngn', 'currency=XXX', 'format=csv', 'format=CSV', 'format=xml', 'format=csv&limit=1', 'format=csv&cursor=x',
  '__proto__=1', '__proto__[admin]=1', 'constructor=1', 'constructor[prototype][x]=1', 'hasOwnProperty=1', 'toString=1', '%00=1', '%=1', 'a=%', 'a=%zz', '%ff=%fe', 'x'.repeat(8000), Array.from({ length: 1500 }, (_, i) => `a${i}=`).join('&'), 'api_key=sk_test_x', 'limit=10#x', 'limit=1;cursor=x',
];

const json: Header = ['Content-Type', 'application/json'];

/** Headers beside a good key and a JSON body. */
export const HOSTILE_HEADERS: readonly (readonly Header[])[] = [
  [json, ['Idempotency-Key', 'k'.repeat(256)]], [json, ['Idempotency-Key', 'k'.repeat(255)]], [json, ['Idempotency-Key', '']], [json, ['Idempotency-Key', ' ']], [json, ['Idempotency-Key', 'a b']], [json, ['Idempotency-Key', '"a']], [json, ['Idempotency-Key', '"a\\b"']], [json, ['Idempotency-Key', '""']], [json, ['Idempotency-Key', '"a b"']], [json, ['Idempotency-Key', '\u00e9']],
  [json, ['Idempotency-Key', 'one'], ['Idempotency-Key', 'two']], [json, ['Idempotency-Key', 'same'], ['idempotency-key', 'same']], [json, ['Idempotency-Key', '__proto__']],
  [json, ['Authorization', 'Bearer sk_test_x']], [json, ['authorization', '']], [json, ['Proxy-Authorization', 'Basic eDp4']],
  [], [['Content-Type', '']], [['Content-Type', 'text/plain']], [['Content-Type', 'application/xml']], [['Content-Type', 'application/x-www-form-urlencoded']], [['Content-Type', 'multipart/form-data; boundary=x']], [['Content-Type', 'application/json; charset=utf-16']], [['Content-Type', 'application/json; charset=x; charset=y']], [['Content-Type', 'APPLICATION/JSON']], [['Content-Type', 'application/problem+json']], [['Content-Type', 'application/json, text/plain']], [['Content-Type', '/']], [['Content-Type', 'x'.repeat(5000)]], [json, ['Content-Type', 'text/plain']],
  [json, ['Content-Encoding', 'gzip']], [json, ['Content-Encoding', 'nonsense']], [json, ['Accept', 'text/html']], [json, ['Accept', '\u00ff']], [json, ['Accept-Encoding', '*;q=0']], [json, ['Accept-Version', '99.x']], [json, ['Range', 'bytes=0-1']], [json, ['If-None-Match', '*']], [json, ['If-Modified-Since', 'yesterday']], [json, ['If-Match', '"x"']],
  [json, ['Prefer', 'wait=-1']], [json, ['Prefer', 'wait=1e400']], [json, ['Prefer', 'wait=99999999999999999999']], [json, ['Prefer', 'wait=0, wait=1, respond-async']],
  [json, ['X-Request-Id', 'x'.repeat(8000)]], [json, ['X-Request-Id', '\u00e9"{}\\']], [json, ['traceparent', 'x']], [json, ['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`]], [json, ['traceparent', '00-x'], ['traceparent', '00-y']],
  [json, ['X-HTTP-Method-Override', 'DELETE']], [json, ['X-Original-URL', '/metrics']], [json, ['X-Forwarded-For', '; DROP TABLE']], [json, ['X-Forwarded-Host', 'evil\\@x'], ['X-Forwarded-Proto', 'gopher']], [json, ['Host', 'evil.example'], ['X-Forwarded-Host', 'evil.example']],
  [json, ['Expect', 'a-miracle']], [json, ['Expect', '100-continue']], [json, ['Upgrade', 'websocket'], ['Connection', 'Upgrade'], ['Sec-WebSocket-Key', 'x']], [json, ['Upgrade', 'h2c'], ['Connection', 'Upgrade, HTTP2-Settings']], [json, ['Connection', 'close, x']], [json, ['TE', 'trailers, x']], [json, ['Origin', 'null']], [json, ['__proto__', 'x']], [json, ['Max-Forwards', '-1']],
  [json, ...Array.from({ length: 100 }, (_, i): Header => [`X-${i}`, 'x'])],
];

export const HOSTILE_METHODS = ['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PATCH', 'POST', 'PROPFIND', 'MKCOL', 'SEARCH', 'QUERY', 'LINK', 'PURGE', 'SUBSCRIBE', 'M-SEARCH', 'SOURCE'];

/** Addresses that no route has, or that a careless file server would answer. */
export const HOSTILE_PATHS: readonly Pick<RawRequest, 'path'>['path'][] = [
  '/', '//', '/v4', '/v4/', '//v4/wallets', '/v4//wallets', '/v4/wallets/', '/v4/./wallets', '/v4/../metrics', '/V4/WALLETS', '/v4/%77allets', '/v4%2fwallets', '/v4/wallets%3flimit=1', '/v4/wallets;x', '/v4/wallets#x', '/v4/wallets?#', '/%', '/%ff', '/%00', '/*', '/.env', '/package.json', '/__proto__', '/constructor', 'x', '*', 'http://evil.example/v4/wallets', '/api/v1', '/api/v1/wallets',
  '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json', '/docs/../../package.json', '/docs/%00', '/docs/%', '/docs/%2fetc%2fpasswd', '/docs//etc/passwd', '/docs/..%5c..%5cpackage.json', '/docs/index.html%00.json', '/docs/.', '/docs/..', '/docs/nothing', '/docs/errors/', '/openapi.json/', '/metrics/', '/healthz?x', '/readyz/%00', `/${'x'.repeat(12_000)}`, `/v4/${'a/'.repeat(3000)}`, `/v4/wallets?${'x=1&'.repeat(2000)}`,
];
