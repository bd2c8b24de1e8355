import { randomUUID } from 'node:crypto';
import { Forwarding } from '../src/core/cells/forwarding';
import { digestOf, Hops } from '../src/core/cells/hop';
import { decodeId, encodeId, newIdOf, slotOf } from '../src/core/http/ids';
import { CellTransfersService } from '../src/modules/wallets/cell-transfers.service';
import { Api } from './support/api';
import { ended } from './support/batches';
import { type CellName, ThreeCells, watchStatements } from './support/cells';
import { Browser } from './support/dashboard';
import type { Duka, TestAccount } from './support/duka';
import { LiveStream } from './support/live-stream';
import { CELL_SECRET } from './support/other-cell';
import { sendBytes } from './support/raw-http';
import { until } from './support/recurring-probe';

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

  it('are refused here when their body is too long, before any of it is sent on', async () => {
    const body = { currency: 'NGN', label: 'x'.repeat(500_000) };
    for (const cell of [cells.of.a, cells.of.c]) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => at(cell, shop.c).post('/v4/wallets', body)));
      for (const { status, body: said } of answers) expect([status, said.code]).toEqual([413, 'payload_too_large']);
    }
  });

  it('may have as long an address and headers as where there is one cell, and no longer', async () => {
    for (const cell of [cells.of.a, cells.of.c]) {
      const ask = async (query: number, header: number) => {
        const path = `/v4/wallets?after=${'x'.repeat(query)}`;
        const { status, body } = await at(cell, shop.c).get(path, { headers: { 'x-long': 'x'.repeat(header) } });
        return [status, body.code];
      };
      const refused = [400, 'unknown_field'];
      expect([await ask(15_950, 1), await ask(1, 15_950)]).toEqual([refused, refused]);
      const tooLarge = [431, 'headers_too_large'];
      expect([await ask(16_300, 1), await ask(1, 16_300)]).toEqual([tooLarge, tooLarge]);
    }
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

  it('arrive as they were sent: addresses, headers that come twice, queries', async () => {
    const sent = async (line: string, ...more: string[]) => {
      const lines = [line, 'Host: a', `Authorization: Bearer ${shop.b.key}`, 'Connection: close', ...more, '', ''];
      const answer = await sendBytes(Number(new URL(cells.of.a.url).port), lines.join('\r\n'));
      return [Number(answer.slice(9, 12)), /"code":"(\w+)"/.exec(answer)?.[1]];
    };
    expect(await sent('GET http://a/v4/wallets HTTP/1.1')).toEqual([200, undefined]);
    expect(await sent('GET /v4/wallets/%2e%2e/wallets HTTP/1.1')).toEqual([404, 'not_found']);
    expect(await sent('OPTIONS * HTTP/1.1')).toEqual([404, 'not_found']);
    expect(await sent('GET /v4/wallets?limit=1&limit=2 HTTP/1.1')).toEqual([400, 'validation_failed']);
    const two = ['Idempotency-Key: one', 'Idempotency-Key: two', 'Content-Length: 0'];
    expect(await sent('POST /v4/wallets HTTP/1.1', ...two)).toEqual([400, 'validation_failed']);
  });

  it('of a session go to its account, streams too', async () => {
    const browser = new Browser(cells.of.b);
    expect((await browser.signUp()).status).toBe(201);
    await cells.replicate();
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

/** Whoever dies at a step leaves the rest to somebody else: `again` is what comes after. */
const CRASHES: [string, (a: Duka) => jest.SpyInstance][] = [
  ['one whose process dies with the money held', (a) => failOnce(a.get(CellTransfersService), 'follow')],
  ['one whose order is lost on its way', (a) => failOnce(a.get(Forwarding), 'ask')],
  ['one whose answer is lost on its way', (a) => failOnce(a.get(Forwarding), 'ask', true)],
  ['one whose process dies before the answer is kept', (a) => failOnce(a.get(CellTransfersService), 'end')],
  ['one that another process ends first', (a) => endTwice(a.get(CellTransfersService))],
];

function failOnce(of: object, method: string, isDoneBefore = false): jest.SpyInstance {
  const real = (of as any)[method].bind(of);
  const spy = jest.spyOn(of as any, method);
  return spy.mockImplementationOnce(async (...args: unknown[]) => {
    if (isDoneBefore) await real(...args);
    throw new Error('it died here');
  });
}

function endTwice(of: object): jest.SpyInstance {
  const real = (of as any).end.bind(of);
  return jest.spyOn(of as any, 'end').mockImplementationOnce(async (...args: unknown[]) => {
    await real(...args);
    return real(...args);
  });
}

/** What became of a transfer of `a`, once all that is due was looked at. */
async function endOf(id: string): Promise<any> {
  let transfer: any;
  await until(async () => {
    await shop.a.api.post('/v4/sandbox/clock/advance', { seconds: 30 });
    transfer = (await shop.a.api.get(`/v4/wallets/transfers/${id}`)).body;
    return transfer.status !== 'processing';
  });
  return transfer;
}

async function typesOf(duka: Duka, ...ids: string[]): Promise<unknown[]> {
  const uuids = ids.map((id) => decodeId('txn', id) ?? decodeId('trf', id));
  const rows = await duka.asOwner('SELECT type FROM events WHERE object_id = ANY($1) ORDER BY 1', [uuids]);
  return rows.map(({ type }) => type);
}

/** Of all cells together: what has left one and not arrived at another. */
async function inTransit(): Promise<number> {
  let sum = 0;
  for (const duka of cells.all) {
    const [row] = await duka.asOwner(
      `SELECT coalesce(sum(available), 0)::integer AS sum FROM ledger_accounts WHERE name = 'in_transit'`,
    );
    sum += row!.sum as number;
  }
  return sum;
}

describe('a transfer to a wallet of another cell', () => {
  let from: string;
  let to: string;

  beforeEach(async () => {
    from = await walletOf(shop.a);
    to = (await shop.b.api.post('/v4/wallets', { currency: 'NGN' })).body.id;
    await shop.a.api.credit(from, 10_000);
  });

  it('is successful when that cell has credited it, with the records and events of both sides', async () => {
    const { status, body } = await shop.a.api.transfer(from, to, 2_500, { narration: 'Rent', reference: randomUUID() });
    expect([status, body.status, body.failure]).toEqual([201, 'successful', null]);
    expect((await shop.a.api.get(`/v4/wallets/transfers/${body.id}`)).body).toEqual(body);
    const debit = (await shop.a.api.get(`/v4/transactions/${body.transactions.debit}`)).body;
    expect(debit).toMatchObject({ type: 'transfer_out', status: 'successful', amount: 2_500, version: 2 });
    const [credit] = (await shop.b.api.get(`/v4/transactions?wallet_id=${to}`)).body.data;
    expect(credit).toMatchObject({ type: 'transfer_in', status: 'successful', amount: 2_500, balance_after: 2_500 });
    expect(await typesOf(cells.of.a, body.id, body.transactions.debit)).toEqual([
      'transaction.processing',
      'transaction.successful',
      'transfer.successful',
    ]);
    expect(await typesOf(cells.of.b, credit.id)).toEqual(['transaction.successful']);
    expect((await shop.b.api.balance(to)).available).toBe(2_500);
    expect(await inTransit()).toBe(0);
  });

  it('is carried out once, however often it is asked for, and wherever', async () => {
    const key = randomUUID();
    const answers = await Promise.all(cells.all.map((duka) => at(duka, shop.a).transfer(from, to, 1_000, { key })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await shop.b.api.balance(to)).available).toBe(1_000);
  });

  it('to a wallet that is not there, or of another currency, writes nothing', async () => {
    const before = await cells.of.a.totals();
    const usd = (await shop.b.api.post('/v4/wallets', { currency: 'USD' })).body.id;
    const nobody = encodeId('wal', newIdOf(decodeId('wal', to)!));
    const answers = [await shop.a.api.transfer(from, nobody, 100), await shop.a.api.transfer(from, usd, 100)];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'not_found'],
      [422, 'currency_mismatch'],
    ]);
    expect(await cells.of.a.totals()).toEqual(before);
  });

  it.each(['frozen', 'closed'])('to a wallet that is %s is refused for good, and the money is back', async (state) => {
    const held = await shop.a.api.balance(from);
    await shop.a.api.transfer(from, to, 1);
    if (state === 'closed') await shop.b.api.transfer(to, await shop.b.api.wallet(), 1);
    const done =
      state === 'frozen'
        ? await shop.b.api.post(`/v4/wallets/${to}/freeze`, { direction: 'both' })
        : await shop.b.api.post(`/v4/wallets/${to}/close`);
    expect([done.status, done.body.status]).toEqual([200, state]);
    const key = randomUUID();
    const refused = await shop.a.api.transfer(from, to, 700, { key });
    expect([refused.status, refused.body.code, refused.body.param]).toEqual([409, `wallet_${state}`, '/to_wallet']);
    expect(await shop.a.api.balance(from)).toEqual({ ...held, available: held.available - 1, ledger: held.ledger - 1 });
    // Without a key: what came to nothing stops no other.
    for (let i = 0; i < 2; i++) {
      const again = await shop.a.api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount: 700 });
      expect(again.body.code).toBe(`wallet_${state}`);
    }
    if (state === 'frozen') await shop.b.api.post(`/v4/wallets/${to}/unfreeze`);
    expect((await shop.a.api.transfer(from, to, 700, { key })).body.code).toBe(`wallet_${state}`);
    const [latest] = (await shop.a.api.get('/v4/wallets/transfers?limit=1')).body.data;
    expect(latest).toMatchObject({ status: 'failed', amount: 700, failure: { code: `wallet_${state}` } });
    const debit = (await shop.a.api.get(`/v4/transactions/${latest.transactions.debit}`)).body;
    expect(debit).toMatchObject({ status: 'failed', failure: { code: `wallet_${state}`, stage: 'platform' } });
  });

  it('that the wallet cannot pay is refused here, and the other cell does not hear of it', async () => {
    await shop.a.api.transfer(from, to, 1);
    const watch = watchStatements();
    const { status, body } = await shop.a.api.transfer(from, to, 999_999);
    watch.end();
    expect([status, body.code]).toEqual([402, 'insufficient_funds']);
    expect(watch.of(cells.of.b)).toEqual([]);
  });

  it('is processing while the other cell is away, and ends when it is back', async () => {
    await shop.a.api.transfer(from, to, 1);
    await cells.of.b.app.close();
    const order = { from_wallet: from, to_wallet: to, amount: 300, reference: randomUUID() };
    const waiting = await shop.a.api.post('/v4/wallets/transfer', order, { headers: { prefer: 'wait=1' } });
    expect([waiting.status, waiting.body.status]).toEqual([202, 'processing']);
    const unknown = await shop.a.api.transfer(from, encodeId('wal', newIdOf(decodeId('wal', to)!)), 100);
    expect([unknown.status, unknown.body.code]).toEqual([503, 'service_unavailable']);
    await cells.restart('b');
    const ended = await endOf(waiting.body.id);
    expect(ended).toMatchObject({ status: 'successful' });
    expect(ended.version).toBeGreaterThan(waiting.body.version);
    expect((await shop.b.api.balance(to)).available).toBe(301);
  });

  it.each(CRASHES)('%s takes effect once', async (_, crash) => {
    await shop.a.api.transfer(from, to, 1);
    const spy = crash(cells.of.a);
    const { status, body } = await shop.a.api.post(
      '/v4/wallets/transfer',
      { from_wallet: from, to_wallet: to, amount: 400, reference: randomUUID() },
      { headers: { prefer: 'wait=1' } },
    );
    expect([201, 202]).toContain(status);
    expect(await endOf(body.id)).toMatchObject({ status: 'successful', amount: 400 });
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
    expect((await shop.b.api.balance(to)).available).toBe(401);
    expect(await inTransit()).toBe(0);
  });

  it('is a row of a batch, and of one that is all or nothing a clear refusal', async () => {
    const worker = await cells.of.a.twin({ WORKER_IN_API: true });
    const items = [{ from_wallet: from, to_wallet: to, amount: 50, reference: randomUUID() }];
    const made = await shop.a.api.post('/v4/batches', { kind: 'transfer', items });
    const { counts } = await ended(shop.a.api, made.body.id);
    expect(counts).toMatchObject({ successful: 1, failed: 0 });
    const all = { on_error: 'all_or_nothing', items: [{ ...items[0], reference: randomUUID() }] };
    const refused = await shop.a.api.post('/v4/batches', { kind: 'transfer', ...all });
    const batch = refused.status === 202 ? await ended(shop.a.api, refused.body.id) : refused.body;
    expect(JSON.stringify(batch)).toContain('kept in another cell');
    await worker.app.close();
  });

  it('can only be credited by a cell', async () => {
    const order = JSON.stringify({ walletId: decodeId('wal', to) });
    const { b } = cells.of;
    const post = (hop?: string) =>
      fetch(`${b.url}/cells/payees`, {
        method: 'POST',
        body: order,
        headers: { 'content-type': 'application/json', ...(hop && { 'duka-hop': hop }) },
      });
    const hop = {
      kind: 'ask',
      from: 'a',
      epoch: 1,
      requestId: randomUUID(),
      ip: '',
      slot: slotOf(decodeId('wal', to)!),
    } as const;
    const sealed = (digest: string) => new Hops(CELL_SECRET).headerOf({ ...hop, digest }, 'POST', '/cells/payees');
    expect((await post()).status).toBe(404);
    expect((await post(sealed('of another body'))).status).toBe(404);
    expect((await post(sealed(digestOf(Buffer.from(order))))).status).toBe(200);
  });
});

it('cells ask each other as often as they must, whatever those without a key may', async () => {
  const limited = await ThreeCells.start({ RATE_LIMIT_OPEN: 1, REQUEST_LOG: 'off' });
  const [payer, payee] = [await limited.of.a.account(), await limited.of.b.account()];
  const [from, to] = [await walletOf(payer), await walletOf(payee)];
  await payer.api.credit(from, 1_000);
  for (let i = 0; i < 6; i++) expect((await payer.api.transfer(from, to, 1)).status).toBe(201);
  await limited.stop();
});
