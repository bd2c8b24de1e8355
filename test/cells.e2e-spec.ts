import { randomUUID } from 'node:crypto';
import { Hops } from '../src/core/cells/hop';
import { decodeId } from '../src/core/http/ids';
import { Api } from './support/api';
import { CELL_SECRET, type CellName, ThreeCells, watchStatements } from './support/cells';
import { Browser } from './support/dashboard';
import type { Duka, TestAccount } from './support/duka';
import { LiveStream } from './support/live-stream';

let cells: ThreeCells;
let shop: Record<CellName, TestAccount>;

beforeAll(async () => {
  cells = await ThreeCells.start({ TRUST_PROXY: '127.0.0.1', REQUEST_LOG: 'off' });
  const { a, b, c } = cells.of;
  shop = { a: await a.account(), b: await b.account(), c: await c.account() };
});
afterAll(() => cells.stop());

/** The account's key at a process of another cell. */
const at = (duka: Duka, { key }: TestAccount): Api => new Api(() => duka.url, key);
const walletOf = async ({ api }: TestAccount): Promise<string> => (await api.get('/v4/wallets')).body.data[0].id;

describe('requests', () => {
  it('are answered by the cell that keeps the account, wherever they arrive', async () => {
    for (const name of ['a', 'b', 'c'] as const) {
      const own = await walletOf(shop[name]);
      for (const duka of cells.all) {
        const { status, body } = await at(duka, shop[name]).get(`/v4/wallets/${own}`);
        expect([status, body.id]).toEqual([200, own]);
      }
    }
  });

  it('of an account open no statement on another cell', async () => {
    const own = await walletOf(shop.b);
    const other = (await shop.b.api.post('/v4/wallets', { currency: 'NGN' })).body.id;
    const watch = watchStatements();
    try {
      for (const duka of cells.all) {
        const api = at(duka, shop.b);
        await api.credit(own, 5_000);
        expect((await api.transfer(own, other, 100)).status).toBe(201);
        await api.get('/v4/transactions');
        await api.get('/v4/events');
      }
      expect(watch.of(cells.of.b).length).toBeGreaterThan(10);
      expect([watch.of(cells.of.a), watch.of(cells.of.c)]).toEqual([[], []]);
    } finally {
      watch.end();
    }
  });

  it('are one and the same in both cells, and replay across them', async () => {
    const own = await walletOf(shop.c);
    const other = (await shop.c.api.post('/v4/wallets', { currency: 'NGN' })).body.id;
    await shop.c.api.credit(own, 5_000);
    const key = randomUUID();
    const first = await at(cells.of.a, shop.c).transfer(own, other, 100, { key });
    const second = await at(cells.of.b, shop.c).transfer(own, other, 100, { key });
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const ids = await cells.of.c.asOwner('SELECT request_id FROM events WHERE object_id = $1', [
      decodeId('trf', first.body.id),
    ]);
    expect(ids).toEqual([{ request_id: decodeId('req', first.headers.get('request-id')!) }]);
  });

  it('keep the address of their client, which nobody else can claim', async () => {
    const ip = '203.0.113.9';
    const key = await cells.of.b.key({ accountId: shop.b.id, allowedIps: [ip] });
    const headers = { 'x-forwarded-for': ip };
    expect((await cells.of.a.api(key).get('/v4/wallets', { headers })).status).toBe(200);
    expect((await cells.of.a.api(key).get('/v4/wallets')).status).toBe(401);
    const forged = new Hops('another secret, of somebody else who guesses').headerOf(
      { kind: 'forward', from: 'a', epoch: 1, requestId: randomUUID(), ip, slot: '000' },
      'GET',
      '/v4/wallets',
    );
    const refused = await cells.of.b.api(key).get('/v4/wallets', { headers: { 'duka-hop': forged } });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  });

  it('pass on errors, long bodies and answers that are held back', async () => {
    const api = at(cells.of.a, shop.c);
    expect((await api.get('/v4/wallets/wal_00000000000000000000000000')).body).toMatchObject({ code: 'not_found' });
    expect((await api.get('/v4/nothing')).status).toBe(404);
    const own = await walletOf(shop.c);
    const items = Array.from({ length: 700 }, (_, i) => ({
      phone_number: '+2348031234567',
      amount: 100,
      wallet_id: own,
      reference: `long-${i}-${'x'.repeat(60)}`,
    }));
    const long = await api.post('/v4/batches', { kind: 'airtime', dry_run: true, items });
    expect([long.status, long.body.counts?.pending]).toEqual([202, 700]);
    const tooLong = await api.post('/v4/wallets', { currency: 'NGN', label: 'x'.repeat(70_000) });
    expect([tooLong.status, tooLong.body.code]).toEqual([413, 'payload_too_large']);
    const { next_cursor: after } = (await api.get('/v4/events?order=asc&limit=100')).body;
    const waiting = api.get(`/v4/events?order=asc&after=${after}`, { headers: { prefer: 'wait=5' } });
    await shop.c.api.credit(own, 100);
    expect((await waiting).body.data.length).toBeGreaterThan(0);
  });

  it('of a session go to its account, streams too', async () => {
    const browser = new Browser(cells.of.b);
    expect((await browser.signUp()).status).toBe(201);
    const elsewhere = new Browser(cells.of.a, browser.email);
    elsewhere.token = browser.token;
    const me = await elsewhere.get('/me');
    expect([me.status, me.body.user?.email ?? me.body.email]).toEqual([200, browser.email]);
    const stream = await (await LiveStream.open(cells.of.c.url, browser.token)).ready();
    expect(stream.isOver).toBe(false);
    await stream.close();
  });

  it('never go in a circle: who does not keep the slot says so', async () => {
    const hop = {
      kind: 'forward',
      from: 'a',
      epoch: 1,
      requestId: randomUUID(),
      ip: '127.0.0.1',
      slot: '000',
    } as const;
    const header = new Hops(CELL_SECRET).headerOf(hop, 'GET', '/v4/wallets');
    const answer = await at(cells.of.b, shop.a).get('/v4/wallets', { headers: { 'duka-hop': header } });
    expect([answer.status, answer.headers.has('duka-wrong-cell')]).toEqual([503, true]);
  });

  it('are told to come again while the cell is away, and others are not kept waiting', async () => {
    await cells.of.c.app.close();
    const { status, body } = await at(cells.of.a, shop.c).get('/v4/wallets');
    expect([status, body.code, body.retryable]).toEqual([503, 'service_unavailable', true]);
    expect((await at(cells.of.a, shop.b).get('/v4/wallets')).status).toBe(200);
    await cells.restart('c');
    expect((await at(cells.of.a, shop.c).get('/v4/wallets')).status).toBe(200);
  });
});

it('an account is opened in a slot that its cell keeps', async () => {
  for (const duka of cells.all) {
    const { id } = await duka.account();
    const [{ name }] = (await duka.asOwner(
      `SELECT name FROM cells WHERE slots @> ('x' || right($1::text, 3))::bit(12)::integer`,
      [decodeId('acct', id)],
    )) as [{ name: string }];
    expect(cells.of[name as CellName]).toBe(duka);
  }
});
