import { DataSource } from 'typeorm';
import { EventFeed, EventLog, FEED_MS } from '../src/core/outbox/event-log';
import { LiveStreams } from '../src/modules/dashboard-api/live/streams.service';
import { type Browser, newMember, newOwner, SessionTime } from './support/dashboard';
import { Duka } from './support/duka';
import { LiveStream } from './support/live-stream';
import { until } from './support/recurring-probe';

let duka: Duka;
let time: SessionTime;
beforeAll(async () => {
  duka = await Duka.start();
  time = new SessionTime(duka);
});
afterAll(() => duka.stop());

const open: LiveStream[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((stream) => stream.close()));
  await until(() => duka.get<LiveStreams>(LiveStreams).size === 0);
});

async function watch(browser: Browser, query = '', headers = {}): Promise<LiveStream> {
  const stream = await LiveStream.open(duka.url, browser.token, query, headers);
  open.push(stream);
  return stream;
}

const walletOf = async (browser: Browser): Promise<string> =>
  (await browser.get('/test/v4/wallets')).body.data[0].id as string;

/** One `wallet.credited` and what comes with it. */
async function credit(browser: Browser, times = 1): Promise<void> {
  const wallet = await walletOf(browser);
  for (let i = 0; i < times; i++) await browser.post(`/test/v4/sandbox/wallets/${wallet}/credit`, { amount: 1_000 });
}

const followed = async (browser: Browser): Promise<string[]> =>
  (await browser.get('/test/v4/events?order=asc&limit=100')).body.data.map(({ id }: { id: string }) => id);

const idsOf = (stream: LiveStream): (string | undefined)[] => stream.events.map(({ data }) => data.id);

/** Waits until the feed has asked the database so often again. */
async function feedAsked(times: number): Promise<void> {
  const since = jest.spyOn(duka.get<EventLog>(EventLog), 'since');
  await until(() => since.mock.calls.length >= times);
  since.mockRestore();
}

describe('a stream', () => {
  it('tells events in the order of their commits: which, and about what, and nothing else', async () => {
    const ada = await newOwner(duka);
    const stream = await (await watch(ada)).ready();
    expect([
      stream.status,
      stream.response.headers.get('content-type'),
      stream.response.headers.get('cache-control'),
    ]).toEqual([200, 'text/event-stream', 'no-store']);
    await credit(ada, 5);
    await until(() => stream.types.filter((type) => type === 'wallet.credited').length === 5);
    await until(async () => idsOf(stream).at(-1) === (await followed(ada)).at(-1));
    // What made the account may have been told as well: it is decided once no older transaction runs on the server.
    expect(idsOf(stream)).toEqual((await followed(ada)).slice(-stream.events.length));
    for (const { data } of stream.events) expect(Object.keys(data)).toEqual(['id', 'type', 'object']);
    expect(stream.events.find(({ data }) => data.type === 'wallet.credited')!.data.object).toBe(await walletOf(ada));
  });

  it('goes on behind the last message without a gap, twice nothing, by header or address', async () => {
    const ada = await newOwner(duka);
    const first = await (await watch(ada)).ready();
    await first.close();
    // Nothing was told yet, and still nothing gets lost.
    await credit(ada, 2);
    const second = await (await watch(ada, '', { 'last-event-id': first.lastId })).ready();
    await until(() => second.types.filter((type) => type === 'wallet.credited').length === 2);
    await credit(ada, 1);
    await until(() => second.types.filter((type) => type === 'wallet.credited').length === 3);
    await second.close();
    await credit(ada, 3);
    const third = await watch(ada, `?after=${second.lastId}`);
    await credit(ada, 2);
    await until(() => third.types.filter((type) => type === 'wallet.credited').length === 5);
    const all = [...idsOf(second), ...idsOf(third)];
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual((await followed(ada)).slice(-all.length));
  });

  it('waits for a transaction that commits late, and passes none over', async () => {
    const ada = await newOwner(duka);
    const stream = await (await watch(ada)).ready();
    const wallet = await walletOf(ada);
    await credit(ada, 1);
    await until(() => stream.types.includes('wallet.credited'));
    const runner = duka.get<DataSource>(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query(
      `INSERT INTO events (account_id, livemode, id, type, object_type, object_id, snapshot)
       SELECT account_id, livemode, overlay(uuidv7()::text PLACING right(account_id::text, 3) FROM 34)::uuid, 'wallet.updated', object_type, object_id, '{}' FROM events
        WHERE type = 'wallet.credited' ORDER BY id DESC LIMIT 1`,
    );
    await credit(ada, 1);
    await feedAsked(2);
    await runner.commitTransaction();
    await runner.release();
    await until(() => stream.types.includes('wallet.updated'));
    await until(() => stream.types.filter((type) => type === 'wallet.credited').length === 2);
    expect(stream.types.indexOf('wallet.updated')).toBeLessThan(stream.types.lastIndexOf('wallet.credited'));
    expect(stream.events.at(-1)!.data.object).toBe(wallet);
  });

  it('tells nothing of other accounts and modes, and goes on behind no message of theirs', async () => {
    const [ada, bola] = [await newOwner(duka), await newOwner(duka)];
    const [hers, his] = [await (await watch(ada)).ready(), await (await watch(bola)).ready()];
    await credit(ada, 2);
    await until(() => hers.types.includes('wallet.credited'));
    await feedAsked(2);
    // An own event of before may still be under way.
    expect(await followed(bola)).toEqual(expect.arrayContaining(idsOf(his)));
    expect(his.types).not.toContain('wallet.credited');
    const stolen = await watch(bola, `?after=${hers.lastId}`);
    expect([stolen.status, ((await stolen.response.json()) as any).code]).toEqual([400, 'invalid_cursor']);
    expect((await watch(bola, '?livemode=true')).status).toBe(403);
    expect((await LiveStream.open(duka.url, null)).status).toBe(401);
    expect((await watch(bola, '', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('tells on demand what happened while the page was being read', async () => {
    const ada = await newOwner(duka);
    await credit(ada);
    const stream = await (await watch(ada, '?recent=true')).ready();
    await credit(ada);
    await until(() => stream.types.filter((type) => type === 'wallet.credited').length === 2);
    expect(idsOf(stream)).toEqual(await followed(ada));
  });

  it('says that too much was missed', async () => {
    const ada = await newOwner(duka);
    const stream = await (await watch(ada)).ready();
    // What made the account is told once no older transaction runs on the server, whosever: nothing more follows it.
    const { data: all } = (await ada.get('/test/v4/events?limit=100')).body;
    await until(async () => (await followed(ada)).length === all.length);
    await feedAsked(2);
    await stream.close();
    const log = duka.get<EventLog>(EventLog);
    const since = log.since.bind(log);
    const overrun = jest
      .spyOn(log, 'since')
      .mockImplementation(async (place, wanted) =>
        wanted.take > 1_000 ? { events: [], place, isMore: true } : since(place, wanted),
      );
    const next = await (await watch(ada, `?after=${stream.lastId}`)).ready();
    expect(next.told.map(({ name }) => name)).toEqual(['behind', 'ready']);
    overrun.mockRestore();
  });
});

describe('a session', () => {
  it('is not kept alive by a stream, which ends with it', async () => {
    const ada = await newOwner(duka);
    const stream = await (await watch(ada)).ready();
    time.pass(20 * 60);
    await stream.close();
    const second = await (await watch(ada, `?after=${stream.lastId}`)).ready();
    time.pass(11 * 60);
    expect(await second.over()).toMatchObject({ name: 'end', data: { reason: 'session' } });
    expect((await ada.get('/me')).status).toBe(401);
  });

  it('is not kept alive by what a page reads while nobody is there, but by what they do', async () => {
    const ada = await newOwner(duka);
    time.pass(20 * 60);
    expect((await ada.get('/overview', { 'duka-unattended': '1' })).status).toBe(200);
    time.pass(11 * 60);
    expect((await ada.get('/me')).status).toBe(401);
    await ada.logIn();
    time.pass(20 * 60);
    await ada.post('/auth/step-up', { password: 'wrong' }, { 'duka-unattended': '1' });
    time.pass(11 * 60);
    expect((await ada.get('/me')).status).toBe(200);
  });

  it('that was ended takes its stream along before anything more is told', async () => {
    const ada = await newOwner(duka);
    const other = ada.another();
    await other.logIn();
    const stream = await (await watch(ada)).ready();
    await ada.post('/auth/log-out');
    await credit(other);
    expect(await stream.over()).toMatchObject({ name: 'end', data: { reason: 'session' } });
    expect(stream.events).toEqual([]);
  });

  it('whose person changes role comes again, whose person is removed does not', async () => {
    const ada = await newOwner(duka);
    const bola = await newMember(duka, ada, 'developer');
    const stream = await (await watch(bola)).ready();
    const { data } = (await ada.get('/team')).body;
    const { id } = data.find(({ email }: { email: string }) => email === bola.email);
    expect((await ada.call('PATCH', `/team/${id}`, { role: 'support' })).status).toBe(200);
    expect(await stream.over()).toMatchObject({ name: 'end', data: { reason: 'changed' } });
    const again = await (await watch(bola)).ready();
    await ada.call('DELETE', `/team/${id}`);
    expect(await again.over()).toMatchObject({ name: 'end', data: { reason: 'session' } });
  });
});

describe('streams', () => {
  it('are few for a person, and a closed one makes room', async () => {
    const ada = await newOwner(duka);
    for (let i = 0; i < 6; i++) expect((await (await watch(ada)).ready()).status).toBe(200);
    const refused = await watch(ada);
    expect([refused.status, ((await refused.response.json()) as any).code]).toEqual([429, 'rate_limited']);
    await open.shift()!.close();
    await until(async () => {
      const next = await watch(ada);
      return next.status === 200;
    });
  });

  it('share one question to the database, and ask none when nobody looks', async () => {
    const ada = await newOwner(duka);
    const since = jest.spyOn(duka.get<EventLog>(EventLog), 'since');
    for (let i = 0; i < 5; i++) await (await watch(ada)).ready();
    since.mockClear();
    const begun = performance.now();
    await until(() => since.mock.calls.length >= 4);
    expect(since.mock.calls.length).toBeLessThanOrEqual((performance.now() - begun) / FEED_MS + 1);
    await Promise.all(open.splice(0).map((stream) => stream.close()));
    await until(() => duka.get<LiveStreams>(LiveStreams).size === 0);
    const feed = duka.get<EventFeed>(EventFeed);
    await until(() => Reflect.get(feed, 'loop') === null);
    since.mockClear();
    await credit(ada, 3);
    expect(since).not.toHaveBeenCalled();
  });

  it('are no slow requests: each is counted when it begins, and is not in flight', async () => {
    const ada = await newOwner(duka);
    await (await watch(ada)).ready();
    const metrics = await (await fetch(`${duka.url}/metrics`)).text();
    expect(metrics).toMatch(/http_request_duration_seconds_count\{[^}]*route="\/dashboard\/api\/stream"[^}]*\} \d+/);
    expect(metrics).toMatch(/http_requests_in_flight 1$/m);
  });

  it('end at once when the process stops', async () => {
    const ada = await newOwner(duka);
    const twin = await duka.twin();
    const stream = await (await LiveStream.open(twin.url, ada.token)).ready();
    const begun = performance.now();
    await twin.stop();
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(await stream.over()).toMatchObject({ name: 'end', data: { reason: 'restart' } });
  });
});
