import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startProbe } from '../support/http-probe';
import { sendRequest } from '../support/raw-http';

let app: NestFastifyApplication;
let port: number;
let served: number;
afterEach(() => app.close());

async function start(settings: Parameters<typeof startProbe>[0] = {}): Promise<void> {
  ({ app, port } = await startProbe(settings));
  served = 0;
  app
    .getHttpAdapter()
    .getInstance()
    .server.on('request', (_, response) => response.once('finish', () => served++));
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** All that comes back on one connection, until the server ends it. */
function answersTo(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answers = '';
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket
      .on('data', (chunk) => (answers += chunk.toString('latin1')))
      .on('error', reject)
      .on('close', () => resolve(answers));
  });
}

const statusesIn = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);

describe('many requests in one packet', () => {
  it('eight unanswered ones are served, and then the connection ends', async () => {
    await start();
    const answers = await answersTo(request('/openapi.json').repeat(1_400));
    expect(statusesIn(answers)).toEqual(Array(8).fill('200'));
    expect((await sendRequest(port, { method: 'GET', path: '/healthz' })).status).toBe(200);
  });

  it('what comes after them is not carried out', async () => {
    await start();
    const answers = await answersTo(request('/probe/slow') + request('/probe/things/1').repeat(20));
    expect(statusesIn(answers)).toEqual(Array(8).fill('200'));
    expect(answers).toContain('{"done":true}');
    expect(served).toBe(8);
  });

  it('addresses that the router itself refuses count as well', async () => {
    await start();
    expect(statusesIn(await answersTo(request('/probe/slow') + request('/probe/things/%zz').repeat(1_000)))).toEqual([
      '200',
      ...Array(7).fill('400'),
    ]);
  });

  it('eight at once, again and again, are no reason to end anything', async () => {
    await start();
    const socket = connect(port, '127.0.0.1');
    for (let round = 1; round <= 3; round++) {
      let answers = '';
      const all = new Promise<void>((resolve) =>
        socket.on('data', (chunk) => statusesIn((answers += chunk.toString())).length === 8 && resolve()),
      );
      socket.write(request('/probe/things/1').repeat(8));
      await all;
      socket.removeAllListeners('data');
    }
    expect(served).toBe(24);
    socket.destroy();
  });
});

it('connections above the cap are not taken', async () => {
  await start({ CONNECTIONS_MAX: 3 });
  const sockets = await Promise.all(
    Array.from(
      { length: 6 },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket));
          socket.on('error', () => undefined);
        }),
    ),
  );
  const ended = (socket: Socket) =>
    new Promise<boolean>((resolve) => {
      socket.once('close', () => resolve(true)).once('data', () => resolve(false));
      socket.write(request('/healthz'));
    });
  expect((await Promise.all(sockets.map(ended))).filter(Boolean)).toHaveLength(3);
  for (const socket of sockets) socket.destroy();
});

describe('/openapi.json', () => {
  it('is one compressed buffer with a tag', async () => {
    await start();
    const [plain, zipped] = await Promise.all(
      [[], [['Accept-Encoding', 'br, gzip']] as const].map((headers) => rawGet('/openapi.json', headers)),
    );
    expect([plain!.headers['content-encoding'], zipped!.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(zipped!.bytes).equals(plain!.bytes)).toBe(true);
    expect(zipped!.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      etag: expect.stringMatching(/^W\/"[\w-]{20,}"$/),
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
    });
    const again = await rawGet('/openapi.json', [['If-None-Match', `"x", ${String(zipped!.headers.etag)}`]]);
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, zipped!.headers.etag]);
    expect(
      (await rawGet('/openapi.json', [['Accept-Encoding', 'gzip;q=0']])).headers['content-encoding'],
    ).toBeUndefined();
  });
});

function rawGet(
  path: string,
  headers: readonly (readonly [string, string])[],
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers: Object.fromEntries(headers) }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
    }).on('error', reject);
  });
}

describe('routes without a key', () => {
  it('are limited by address, each by itself', async () => {
    await start({ RATE_LIMIT_OPEN: 2 });
    const get = async (path: string) => await sendRequest(port, { method: 'GET', path });
    for (const path of ['/openapi.json', '/docs/errors', '/docs', '/dashboard', '/nothing']) {
      const answers = [];
      for (let n = 0; n < 6; n++) answers.push(await get(path));
      expect([path, answers.filter(({ status }) => status === 429).length]).toEqual([path, 2]);
      expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'rate_limited', recovery: 'retry_later' } });
      expect(answers.at(-1)!.headers.get('retry-after')).toMatch(/^[12]$/);
    }
  });

  it('do not include the probes of a load balancer', async () => {
    await start({ RATE_LIMIT_OPEN: 1 });
    for (let n = 0; n < 9; n++)
      for (const path of ['/healthz', '/readyz'])
        expect((await sendRequest(port, { method: 'GET', path })).status).toBe(200);
  });

  it('an IPv6 address counts with its whole /64', async () => {
    await start({ RATE_LIMIT_OPEN: 1, TRUST_PROXY: '127.0.0.1' });
    const statuses = [];
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:2::3', '2001:db8:1:3::1']) {
      statuses.push(
        (await sendRequest(port, { method: 'GET', path: '/docs/errors', headers: [['X-Forwarded-For', address]] }))
          .status,
      );
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
  });
});

describe('/metrics', () => {
  const metrics = (headers: readonly (readonly [string, string])[] = []) =>
    sendRequest(port, { method: 'GET', path: '/metrics', headers });

  it('without a token: for this machine only', async () => {
    await start({ TRUST_PROXY: '127.0.0.1' });
    expect((await metrics()).status).toBe(200);
    expect((await metrics([['X-Forwarded-For', '203.0.113.7']])).status).toBe(404);
    // A proxy of this machine that is not in TRUST_PROXY passes strangers on.
    await app.close();
    await start();
    expect((await metrics([['X-Forwarded-For', '127.0.0.1']])).status).toBe(404);
    expect((await metrics([['Forwarded', 'for=127.0.0.1']])).status).toBe(404);
  });

  it('with one: for who has it, from anywhere', async () => {
    await start({ METRICS_TOKEN: 'a-token-for-scrapers', TRUST_PROXY: '127.0.0.1' });
    expect((await metrics()).status).toBe(401);
    expect((await metrics([['Authorization', 'Bearer a-token-for-scraperz']])).status).toBe(401);
    expect(
      (
        await metrics([
          ['Authorization', 'Bearer a-token-for-scrapers'],
          ['X-Forwarded-For', '203.0.113.7'],
        ])
      ).text,
    ).toContain('process_cpu_seconds_total');
  });
});
