import { once } from 'node:events';
import type { KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { formatSecret, newKey } from '../src/modules/webhooks/endpoint-secrets.service';
import type { Message } from '../src/modules/webhooks/delivery/webhook-sender.service';
import { PlainReceiver, PlannedLookup } from './support/plain-receivers';
import { KEYS, messageOf, senderWith } from './support/webhook-sender';

/** Shorter than the real limits, and longer than this machine needs for anything else. */
const SHORT_MS = 1_500;
const CUT = 16_384;

let process: ReturnType<typeof senderWith>;
beforeEach(() => (process = senderWith({ allowPrivate: true })));
afterEach(async () => {
  await process.connections.onApplicationShutdown();
  await PlainReceiver.stopAll();
});

const post = (url: string, message: Partial<Message> = {}) =>
  process.sender.send(messageOf(message), { url, livemode: false });
const attemptAt = async (answer: RequestListener) => post((await PlainReceiver.start(answer)).url);
const attemptOver = async (talk: (socket: Socket) => void) => post((await PlainReceiver.raw(talk)).url);

describe('what is sent', () => {
  it('is the body as it is, with the headers of Standard Webhooks and those that help', async () => {
    const receiver = await PlainReceiver.start();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await post(`${receiver.url}?shop=7&q=a%20b#top`, { attempt: 3, traceparent });
    const [{ method, url, headers, body }] = receiver.requests as [PlainReceiver['requests'][0]];
    const { id, type, body: sent } = messageOf();
    expect([method, url, body]).toEqual(['POST', '/hook?shop=7&q=a%20b', sent]);
    expect(headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(sent)),
      'content-type': 'application/json',
      'user-agent': 'Duka-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      'webhook-event-type': type,
      'webhook-attempt': '3',
      traceparent,
    });
  });

  it('verifies with each secret, now and not later', async () => {
    const receiver = await PlainReceiver.start();
    const secrets = [...KEYS, newKey()];
    await post(receiver.url, { secrets });
    const [{ headers, body }] = receiver.requests as [PlainReceiver['requests'][0]];
    const verify = (secret: KeyObject, changed = {}) =>
      new Webhook(formatSecret(secret)).verify(body, { ...(headers as Record<string, string>), ...changed });
    for (const secret of secrets) expect(verify(secret)).toEqual(JSON.parse(body));
    expect(() => verify(newKey())).toThrow('No matching signature');
    expect(() =>
      verify(secrets[0]!, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) }),
    ).toThrow('too old');
  });

  it('is stamped and signed anew for each attempt', async () => {
    const receiver = await PlainReceiver.start();
    await post(receiver.url);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await post(receiver.url, { attempt: 2 });
    jest.restoreAllMocks();
    const [first, second] = receiver.requests.map(({ headers }) => headers);
    expect(Number(second!['webhook-timestamp']) - Number(first!['webhook-timestamp'])).toBeGreaterThanOrEqual(3_600);
    expect(second!['webhook-id']).toBe(first!['webhook-id']);
    expect(second!['webhook-signature']).not.toBe(first!['webhook-signature']);
  });
});

describe('what comes back', () => {
  it.each([
    [200, {}, { code: 'ok' }],
    [202, { 'webhook-delivery': 'disable' }, { code: 'ok', control: 'disable' }],
    [400, { 'webhook-delivery': 'abort-message' }, { code: 'http_error', control: 'abort-message' }],
    [410, {}, { code: 'gone' }],
    [429, { 'retry-after': '120' }, { code: 'rate_limited', retryAfterSeconds: 120 }],
    [503, { 'retry-after': '7' }, { code: 'http_error', retryAfterSeconds: 7 }],
    [500, { 'retry-after': '7' }, { code: 'http_error' }],
    [307, { location: 'https://example.com/' }, { code: 'redirect' }],
  ])('%i with %j is %j', async (status, headers, told) => {
    const attempted = await attemptAt((_, response) => response.writeHead(status, headers).end('Ẹ ṣé'));
    const facts = {
      httpStatus: status,
      durationMs: expect.any(Number),
      requestHeaders: expect.objectContaining({ 'webhook-attempt': '1' }),
      responseHeaders: expect.objectContaining(headers),
      responseBody: 'Ẹ ṣé',
      retryAfterSeconds: null,
      control: null,
    };
    expect(attempted).toEqual({ ...facts, ...told });
    expect(Number.isInteger(attempted.durationMs)).toBe(true);
  });

  it('is nothing when the receiver says nothing', async () => {
    expect(await attemptAt((_, response) => response.writeHead(204).end())).toMatchObject({
      code: 'ok',
      httpStatus: 204,
      responseBody: null,
    });
  });

  it.each([CUT - 1, CUT])('is kept whole up to 16 kB: %i bytes', async (size) => {
    expect((await attemptAt((_, response) => response.end('a'.repeat(size)))).responseBody).toHaveLength(size);
  });

  it('is cut, and its connection closed, when it has no end', async () => {
    const receiver = await PlainReceiver.start((_, response) => {
      const write = () => void (response.destroyed || response.write('a'.repeat(65_536), write));
      write();
    });
    expect(await post(receiver.url)).toMatchObject({ code: 'ok', httpStatus: 200, responseBody: 'a'.repeat(CUT) });
    const [socket] = receiver.sockets;
    // Not `once` of node:events: the end is a reset, and that would throw it.
    await new Promise<void>((resolve) => void (socket!.destroyed ? resolve() : socket!.once('close', () => resolve())));
  });
});

describe('a receiver that', () => {
  beforeEach(() => void (process.sender.timeoutMs = SHORT_MS));

  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n';

  /** Talks on, however slowly, until its connection closes. */
  const trickle = (first: string, next: (count: number) => string) => (socket: Socket) => {
    let count = 0;
    socket.write(first);
    const timer = setInterval(() => socket.write(next(++count)), 50);
    socket.on('close', () => clearInterval(timer));
  };

  it('never answers, never reads, or answers without end is a time-out', async () => {
    // All at once: each takes as long as the limit.
    const attempts = await Promise.all([
      attemptAt(() => undefined),
      attemptOver((socket) => socket.pause()),
      attemptOver(trickle('HTTP/1.1 200 OK\r\n', (n) => `x-${n}: 1\r\n`)),
      attemptOver(trickle('', () => 'HTTP/1.1 102 Processing\r\n\r\n')),
      attemptOver(trickle(`${head}\r\n`, () => 'a')),
    ]);
    const unanswered = expect.objectContaining({ code: 'timeout', httpStatus: null, responseBody: null });
    const begun = expect.objectContaining({
      code: 'timeout',
      httpStatus: 200,
      responseBody: expect.stringMatching(/^a+$/),
    });
    expect(attempts).toEqual([unanswered, unanswered, unanswered, unanswered, begun]);
  });

  it.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy(), null],
    ['hangs up', (socket: Socket) => socket.destroy(), null],
    ['is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), null],
    [
      'sends headers without end',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}`),
      null,
    ],
    [
      'wants another protocol',
      (socket: Socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
      null,
    ],
    ['breaks off in its answer', (socket: Socket) => socket.end(`${head}\r\nabc`), 200],
  ])('%s is a failed connection', async (_, talk, httpStatus) => {
    expect(await attemptOver((socket) => void socket.once('data', () => talk(socket)))).toMatchObject({
      code: 'connection_failed',
      httpStatus,
    });
  });

  it('is not there is a failed connection, as is one that speaks no TLS, or hangs in it', async () => {
    const gone = await PlainReceiver.start();
    const closedUrl = gone.url;
    await gone.stop();
    const plain = await PlainReceiver.start();
    process.connections.connectTimeoutMs = SHORT_MS / 3;
    process.sender.timeoutMs = SHORT_MS * 10;
    const silent = await PlainReceiver.raw((socket) => socket.pause());
    const urls = [closedUrl, plain.url.replace('http', 'https'), silent.url.replace('http', 'https')];
    for (const url of urls) {
      expect(await post(url)).toEqual({
        code: 'connection_failed',
        httpStatus: null,
        durationMs: expect.any(Number),
        requestHeaders: expect.objectContaining({ 'webhook-attempt': '1' }),
        responseHeaders: null,
        responseBody: null,
        retryAfterSeconds: null,
        control: null,
      });
    }
  });

  it('has a name that DNS does not know is a failed connection', async () => {
    const lookup = new PlannedLookup([]);
    lookup.resolve = () => Promise.reject(new Error('queryA ENOTFOUND'));
    const guarded = senderWith({ lookup });
    expect((await guarded.sender.send(messageOf(), { url: 'https://gone.example.com/', livemode: true })).code).toBe(
      'connection_failed',
    );
    await guarded.connections.onApplicationShutdown();
  });
});

describe('connections', () => {
  it('are kept for the next message', async () => {
    const receiver = await PlainReceiver.start((_, response) => response.end('thanks'));
    for (let count = 0; count < 5; count++) {
      await post(receiver.url);
      await setImmediate();
    }
    expect([receiver.requests.length, receiver.sockets.length]).toEqual([5, 1]);
  });

  it('are at most 128 to one receiver: the next messages wait', async () => {
    const waiting: (() => void)[] = [];
    const receiver = await PlainReceiver.start((_, response) => waiting.push(() => response.end()));
    const attempts = Array.from({ length: 140 }, () => post(receiver.url));
    while (waiting.length < 128) await setImmediate();
    expect(receiver.sockets).toHaveLength(128);
    const timer = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
    for (const { code } of await Promise.all(attempts)) expect(code).toBe('ok');
    clearInterval(timer);
    expect(receiver.sockets).toHaveLength(128);
  });

  it('end with the process, and what is sent after that fails without an exception', async () => {
    const receiver = await PlainReceiver.start();
    await post(receiver.url);
    const closed = once(receiver.sockets[0]!, 'close');
    await process.connections.onApplicationShutdown();
    await closed;
    expect((await post(receiver.url)).code).toBe('connection_failed');
  });
});
