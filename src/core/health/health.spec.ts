import { connect } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startProbe } from '../../../test/support/http-probe';
import { Readiness } from './readiness';

let app: NestFastifyApplication;
let url: string;
let port: number;
beforeEach(async () => ({ app, url, port } = await startProbe()));
afterEach(() => app.close());

const ready = async () => {
  const response = await fetch(`${url}/readyz`);
  return [response.status, ((await response.json()) as { detail?: string }).detail];
};

describe('readiness', () => {
  it('is given while every dependency answers', async () => {
    app.get(Readiness).watch('postgresql', async () => 1);
    expect(await ready()).toEqual([200, undefined]);
  });

  it('is not given while one throws or hangs; the process stays alive', async () => {
    const readiness = app.get(Readiness);
    readiness.watch('postgresql', async () => 1);
    readiness.watch('queue', () => {
      throw new Error('away');
    });
    readiness.watch('redis', () => new Promise(() => undefined));
    expect(await ready()).toEqual([503, 'Not ready: queue, redis.']);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('ends when the process stops', async () => {
    app.get(Readiness).stop();
    expect(await ready()).toEqual([503, 'Not ready: stopping.']);
  });
});

it('closing lets a request in flight finish', async () => {
  const answer = fetch(`${url}/probe/slow`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.all([app.close(), answer]);
  expect(await (await answer).json()).toEqual({ done: true });
});

it('closing first serves on for a while and asks clients to leave', async () => {
  const busy = await startProbe({ SHUTDOWN_NOTICE_SECONDS: 1 });
  const closed = busy.app.close();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const answer = await fetch(`${busy.url}/healthz`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await closed;
  await expect(fetch(`${busy.url}/healthz`)).rejects.toThrow('fetch failed');
});

it('closing does not wait for a connection on which nothing was asked', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  const start = performance.now();
  await app.close();
  expect(performance.now() - start).toBeLessThan(1000);
});

it.each([
  ['half a request', 'GET /healthz HTTP/1.1\r\nHost: a\r\n'],
  [
    'a request without its body',
    'POST /probe/transfers HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n',
  ],
  [
    'a request without its body that is answered',
    'POST /probe/transfers HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n',
  ],
  ['bytes that are not HTTP', 'NONSENSE\r\n\r\n'],
])('closing does not wait for a client that sent %s and stays', async (_, bytes) => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(bytes)).on(
    'error',
    () => undefined,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  const start = performance.now();
  await app.close();
  expect(performance.now() - start).toBeLessThan(3000);
  socket.destroy();
});
