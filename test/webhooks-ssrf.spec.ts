import { setImmediate } from 'node:timers/promises';
import { ADDRESSES, MALFORMED, NAMES } from './support/hostile-urls';
import { Canary, internetWith, PlainReceiver, PlannedLookup } from './support/plain-receivers';
import { messageOf, senderWith } from './support/webhook-sender';

const PUBLIC = '93.184.216.34';
const REFUSED = { details: expect.objectContaining({ code: 'validation_failed', kind: 'malformed', param: '/url' }) };

let canary: Canary;
const started: ReturnType<typeof senderWith>[] = [];
const start = (options: Parameters<typeof senderWith>[0] = {}) => started[started.push(senderWith(options)) - 1]!;

beforeAll(async () => {
  canary = await Canary.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(started.splice(0).map(({ connections }) => connections.onApplicationShutdown()));
  await PlainReceiver.stopAll();
});
afterAll(() => canary.stop());

const at = (text: string): string => text.replaceAll('PORT', String(canary.port));
const overTls = (text: string): string => text.replace(':', 's:');

describe('a canary', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://0x7f.1:PORT/',
    'http://localhost:PORT/',
    'https://127.0.0.1:PORT/',
  ])('sings for %s where private networks are allowed', async (url) => {
    const { sender, policy } = start({ allowPrivate: true });
    const before = canary.hits;
    await policy.check(at(url), false);
    expect((await sender.send(messageOf(), { url: at(url), livemode: false })).code).toBe('connection_failed');
    expect(canary.hits).toBeGreaterThan(before);
  });
});

describe('a hostile URL', () => {
  let before: number;
  beforeAll(() => void (before = canary.hits));
  afterAll(() => expect(canary.hits).toBe(before));

  it('is one of at least 150, each another', () => {
    const all = [...ADDRESSES, ...MALFORMED, ...Object.keys(NAMES)];
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(ADDRESSES)('%j is refused for its address, in both modes', async (text) => {
    for (const [url, livemode] of [
      [at(text), false],
      [at(overTls(text)), true],
    ] as const) {
      // In live mode the setting changes nothing.
      const { sender, policy } = start({ allowPrivate: livemode, lookup: new PlannedLookup([[PUBLIC]]) });
      await expect(policy.check(url, livemode)).rejects.toMatchObject(REFUSED);
      expect(await sender.send(messageOf(), { url, livemode })).toMatchObject({
        code: 'address_refused',
        httpStatus: null,
        responseBody: null,
      });
    }
  });

  it.each(MALFORMED)('%j is refused, in both modes', async (text) => {
    for (const livemode of [false, true]) {
      const { sender, policy } = start({ allowPrivate: true, lookup: new PlannedLookup([[PUBLIC]]) });
      for (const url of [at(text), at(overTls(text))]) {
        await expect(policy.check(url, livemode)).rejects.toMatchObject(REFUSED);
        expect((await sender.send(messageOf(), { url, livemode })).code).toBe('url_refused');
      }
    }
  });

  it.each(Object.entries(NAMES))('with the name %s is refused, in both modes', async (name, addresses) => {
    for (const [scheme, livemode] of [
      ['http', false],
      ['https', true],
    ] as const) {
      const { sender, policy } = start({ allowPrivate: livemode, lookup: new PlannedLookup([addresses]) });
      const url = `${scheme}://${name}:${canary.port}/hook`;
      await expect(policy.check(url, livemode)).rejects.toMatchObject(REFUSED);
      expect((await sender.send(messageOf(), { url, livemode })).code).toBe('address_refused');
    }
  });

  it.each([
    'http://example.com/',
    'HTTP://example.com/',
    'https://example.com:22/',
    'https://example.com:444/',
    'https://example.com:7999/',
    'https://example.com:10000/',
    'https://example.com:0/',
  ])('%s is refused in live mode', async (url) => {
    const { sender, policy } = start({ lookup: new PlannedLookup([[PUBLIC]]) });
    await expect(policy.check(url, true)).rejects.toMatchObject(REFUSED);
    expect((await sender.send(messageOf(), { url, livemode: true })).code).toBe('url_refused');
    await policy.check(url, false);
  });
});

describe('UrlPolicy', () => {
  it.each([
    'https://example.com',
    'https://example.com:443/a?b=c#d',
    'https://example.com:80/',
    'https://example.com:8000/',
    'https://example.com:9999/',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
    'https://bücher.example.com/',
    'https://example.com./',
  ])('allows %s in live mode', async (url) => {
    const lookup = new PlannedLookup([[PUBLIC, '2606:4700::1111']]);
    await expect(start({ lookup }).policy.check(url, true)).resolves.toBeUndefined();
    expect(lookup.asked).toHaveLength(/\d\.\d|::/.test(url) ? 0 : 1);
  });

  it('refuses a name without addresses with the words for one with private addresses', async () => {
    const words = async (lookup: PlannedLookup) =>
      start({ lookup })
        .policy.check('https://example.com/', true)
        .catch(({ message }: Error) => message);
    const unknown = new PlannedLookup([[]]);
    unknown.resolve = () => Promise.reject(new Error('queryA ENOTFOUND example.com'));
    expect(await words(unknown)).toBe(await words(new PlannedLookup([['10.0.0.1']])));
    expect(await words(new PlannedLookup([[]]))).toBe(await words(unknown));
  });

  it('asks nobody where private networks are allowed', async () => {
    const lookup = new PlannedLookup([[]]);
    await start({ allowPrivate: true, lookup }).policy.check('http://receiver:3001/hook', false);
    expect(lookup.asked).toEqual([]);
  });
});

describe('a name that changes its address', () => {
  it('is refused once it leads inside', async () => {
    const { sender, policy } = start({ lookup: new PlannedLookup([[PUBLIC], ['127.0.0.1']]) });
    const before = canary.hits;
    const url = `http://rebind.example.com:${canary.port}/`;
    await policy.check(url, false);
    expect((await sender.send(messageOf(), { url, livemode: false })).code).toBe('address_refused');
    expect(canary.hits).toBe(before);
  });

  it('is connected to at the address that was checked, though the next look-up would lead inside', async () => {
    const receiver = await PlainReceiver.start();
    const internet = internetWith(PUBLIC);
    const lookup = new PlannedLookup([[PUBLIC], ['127.0.0.1']]);
    const { sender } = start({ lookup });
    const to = { url: `http://rebind.example.com:${receiver.port}/`, livemode: false };
    expect(await sender.send(messageOf(), to)).toMatchObject({ code: 'ok', httpStatus: 204 });
    expect([lookup.asked, internet.reached]).toEqual([['rebind.example.com'], [PUBLIC]]);
    // The open connection leads where it led before. It is free again a moment after its answer.
    await setImmediate();
    expect((await sender.send(messageOf(), to)).code).toBe('ok');
    expect([lookup.asked.length, receiver.sockets.length, receiver.requests.length]).toEqual([1, 1, 2]);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with %i to a private address is not followed', async (status) => {
    const receiver = await PlainReceiver.start((_, response) =>
      response.writeHead(status, { location: at('http://127.0.0.1:PORT/') }).end(),
    );
    const internet = internetWith(PUBLIC);
    const before = canary.hits;
    const { sender } = start({ lookup: new PlannedLookup([[PUBLIC]]) });
    const url = `http://redirect.example.com:${receiver.port}/`;
    expect(await sender.send(messageOf(), { url, livemode: false })).toMatchObject({
      code: 'redirect',
      httpStatus: status,
    });
    expect([canary.hits, internet.reached, receiver.requests.length]).toEqual([before, [PUBLIC], 1]);
  });
});
