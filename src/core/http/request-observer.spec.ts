import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pino from 'pino';
import { startProbe } from '../../../test/support/http-probe';
import { sendBytes } from '../../../test/support/raw-http';
import { registry } from '../metrics/metrics';
import { traceIdOf } from './request-context';
import { RequestObserver } from './request-observer';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('trace ids', () => {
  const read = (traceparent?: string) => traceIdOf({ headers: { traceparent } });
  it('are taken from traceparent', () => expect(read(`00-${TRACE}-b7ad6b7169203331-01`)).toBe(TRACE));
  it.each([
    undefined,
    '',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${TRACE}x-b7ad6b7169203331-01`,
  ])('are not taken from %s', (header) => expect(read(header)).toBeNull());
});

describe('over HTTP', () => {
  let app: NestFastifyApplication;
  let url: string;
  let port: number;
  beforeAll(async () => ({ app, url, port } = await startProbe()));
  afterAll(() => app.close());

  it('every answer has its own Request-Id and may not be cached or sniffed', async () => {
    const answers = await Promise.all(
      ['/healthz', '/nope', '/probe/things/1', '/probe/crash', '/probe/things/%zz'].map((path) => fetch(url + path)),
    );
    const ids = answers.map(({ headers }) => headers.get('request-id'));
    expect(new Set(ids).size).toBe(answers.length);
    for (const [index, { headers }] of answers.entries()) {
      expect(ids[index]).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
    }
  });

  it('only a service that clients reach by https asks them to stay with it', async () => {
    const secured = await startProbe({ PUBLIC_URL: 'https://duka.example' });
    const stayOf = (base: string) =>
      Promise.all(
        ['/healthz', '/nope', '/probe/things/%zz'].map(async (path) =>
          (await fetch(base + path)).headers.get('strict-transport-security'),
        ),
      );
    const [plain, https] = await Promise.all([stayOf(url), stayOf(secured.url)]);
    await secured.app.close();
    expect(plain).toEqual([null, null, null]);
    expect(https).toEqual(Array(3).fill('max-age=31536000'));
  });

  it('metrics show routes by their template, what matched none as one', async () => {
    await Promise.all([
      fetch(`${url}/probe/things/17`),
      fetch(`${url}/a17`),
      fetch(`${url}/b17`),
      sendBytes(port, 'GET *x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    ]);
    const response = await fetch(`${url}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toMatch('text/plain; version=0.0.4');
    expect(text).toMatch('http_request_duration_seconds_count{method="GET",route="/probe/things/:id",status="200"}');
    expect(text).toMatch('route="unmatched",status="404"');
    expect(text).not.toMatch(/17"/);
    expect(text).toMatch('process_cpu_seconds_total');
    expect((await registry.getSingleMetric('http_requests_in_flight')!.get()).values[0]!.value).toBe(0);
  });
});

it('a line of the log says who asked for what, and nothing of what was said', () => {
  const lines: string[] = [];
  const observer = new RequestObserver(pino({}, { write: (line: string) => void lines.push(line) }));
  const id = '01900000-0000-7000-8000-00000000000a';
  const request = {
    id,
    method: 'POST',
    routeOptions: { url: '/v4/wallets/:id' },
    headers: {
      authorization: 'Bearer sk_live_secret',
      'x-request-id': 'x'.repeat(1000),
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
    },
    body: { secret: 'secret' },
    caller: { accountId: id, keyId: id },
  };
  const reply = { statusCode: 201, elapsedTime: 1.2345, getHeader: () => 'req_1', hasHeader: () => true };
  observer.record(request as never, reply as never);
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: expect.any(Number),
    hostname: expect.any(String),
    method: 'POST',
    route: '/v4/wallets/:id',
    status: 201,
    ms: 1.23,
    request_id: 'req_1',
    replayed: true,
    account_id: 'acct_01j0000000e00800000000000a',
    key_id: 'key_01j0000000e00800000000000a',
    client_request_id: 'x'.repeat(200),
    trace_id: TRACE,
  });
});
