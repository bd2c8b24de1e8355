import { RequestLog } from '../src/core/request-log/request-log';
import { decodeId } from '../src/core/http/ids';
import { Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

const DAY_MS = 24 * 3_600_000;

/** What is known by how it looks, wherever it is sent. */
const BY_LOOKS = {
  'card number': '4111111111111111',
  'card number with spaces': '5500 0055 5555 5559',
  'bearer key': 'Bearer 0a1b2c3d4e5f6071',
  'key of ours': 'sk_live_AbCdEfGhIjKlMnOp',
  'meter token': '1234 5678 9012 3456 7890',
  BVN: '22212345678',
  NIN: '70198765432',
} as const;
/** What is known by where it stands. */
const BY_PLACE = { password: 'hunter2-hunter2', PIN: '98761', cookie: 'cookie-of-somebody' } as const;

let duka: Duka;
let ada: Browser;
let secret: string;
let wallet: string;
let other: string;

beforeAll(async () => {
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  ada = await newOwner(duka);
  secret = (await ada.post('/keys', { name: 'k', livemode: false })).body.secret;
  const api = duka.api(secret);
  [wallet, other] = [await api.wallet(500_000), await api.wallet()];
});
afterAll(() => duka.stop());

const log = () => duka.get<RequestLog>(RequestLog);
const list = async (query: string) => {
  await log().flush();
  return (await ada.get(`/request-log?${query}`)).body.data;
};
const detail = async (id: string) => {
  await log().flush();
  return (await ada.get(`/request-log/${id}`)).body;
};
const requestIdOf = ({ headers }: { headers: Headers }): string => headers.get('request-id')!;

async function send(body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${duka.url}/v4/wallets/transfer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const boxes = (): Promise<Record<string, unknown>[]> => duka.asOwner('SELECT id FROM request_exchanges');

describe('a request that was refused', () => {
  it('shows its answer, the headers of both sides, and what the problem says', async () => {
    const id = requestIdOf(await send({ from_wallet: wallet }, { 'idempotency-key': 'order-1', prefer: 'wait=1' }));
    expect(await detail(id)).toMatchObject({
      id,
      method: 'POST',
      path: '/v4/wallets/transfer',
      status: 400,
      error_code: 'validation_failed',
      key_last4: secret.slice(-4),
      request_body: { from_wallet: wallet },
      request_headers: { 'idempotency-key': 'order-1', 'content-type': 'application/json', prefer: 'wait=1' },
      answer_headers: { 'content-type': expect.stringContaining('application/problem+json'), 'request-id': id },
      answer: { code: 'validation_failed', detail: expect.any(String), errors: expect.any(Array), request_id: id },
      answer_days: 30,
      made: [],
    });
  });

  it('is of one account in one mode', async () => {
    const id = requestIdOf(await send({}));
    expect((await detail(id)).id).toBe(id);
    const others = [
      (await ada.get(`/request-log/${id}?livemode=true`)).status,
      (await (await newOwner(duka)).get(`/request-log/${id}`)).status,
      (await ada.get('/request-log/req_x')).status,
    ];
    expect(others).toEqual([404, 404, 404]);
  });
});

describe('what is kept', () => {
  it.each(Object.entries(BY_LOOKS))('has no %s, wherever it was sent', async (_, value) => {
    const sent = {
      from_wallet: value,
      narration: `it is ${value}, thanks`,
      metadata: { note: value, list: [value, { deep: value }], [value]: 1 },
      ...(/^\d+$/.test(value) && { note_number: Number(value) }),
    };
    await expectMasked(await send(sent, { 'idempotency-key': value, 'user-agent': `till ${value}` }), value);
    const address = `${duka.url}/v4/transactions/${encodeURIComponent(value)}?q=${encodeURIComponent(value)}`;
    await expectMasked(await fetch(address, { headers: { authorization: `Bearer ${secret}` } }), value);
  });

  it.each(Object.entries(BY_PLACE))('has no %s where one is sent', async (_, value) => {
    const named = {
      password: value,
      newPassword: value,
      pin: value,
      card_pin: value,
      meterToken: value,
      secret: value,
    };
    const said = { note: `my password is ${value}`, other: `password: ${value}` };
    const response = await send(
      { ...named, bvn: value, nin: value, cvv: value, identity: { number: value }, metadata: { ...named, ...said } },
      { cookie: `session=${value}`, 'x-api-key': value, 'x-forwarded-for': '10.1.2.3' },
    );
    await expectMasked(response, value);
  });

  it('is sealed, not readable in the database', async () => {
    await detail(requestIdOf(await send({ from_wallet: wallet }, { 'idempotency-key': 'nobody-reads-this' })));
    const [found] = await duka.asOwner(
      `SELECT count(*)::int AS count FROM request_exchanges WHERE position('nobody-reads-this'::bytea in box) > 0
          OR position('validation_failed'::bytea in box) > 0`,
    );
    expect([found!.count, (await boxes()).length > 0]).toEqual([0, true]);
  });

  it('of a request that went well is no answer', async () => {
    const before = (await boxes()).length;
    const { headers } = await duka.api(secret).transfer(wallet, other, 1_000);
    const shown = await detail(headers.get('request-id')!);
    expect(shown).toMatchObject({ status: 201, answer: null, answer_headers: null, request_headers: null });
    expect(await boxes()).toHaveLength(before);
  });

  it('is forgotten after REQUEST_LOG_ANSWER_DAYS, and not shown from then on', async () => {
    const id = requestIdOf(await send({}));
    await log().flush();
    const uuid = decodeId('req', id)!;
    const key = { ...(await tenantOf(uuid)), id: uuid };
    const inDays = async <Made>(days: number, work: () => Promise<Made>): Promise<Made> => {
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + days * DAY_MS);
      return work().finally(() => now.mockRestore());
    };
    await inDays(29, () => log().forgetAnswers());
    expect(await inDays(29, () => log().exchangeOf(key))).not.toBeNull();
    expect(await inDays(31, () => log().exchangeOf(key))).toBeNull();
    await inDays(31, () => log().forgetAnswers());
    expect(await boxes()).toEqual([]);
    expect(await detail(id)).toMatchObject({ error_code: 'validation_failed', answer: null, answer_headers: null });
  });
});

async function tenantOf(uuid: string): Promise<{ accountId: string; livemode: boolean }> {
  const [row] = await duka.asOwner(`SELECT account_id, livemode FROM request_log WHERE id = '${uuid}'`);
  return { accountId: row!.account_id as string, livemode: row!.livemode as boolean };
}

/** Neither what is shown nor what lies in the database, sealed or not, has the value or the key. */
async function expectMasked(response: Response, value: string): Promise<void> {
  const id = requestIdOf(response);
  const shown = JSON.stringify(await detail(id));
  const uuid = decodeId('req', id)!;
  const [row] = await duka.asOwner(`SELECT r::text AS text FROM request_log r WHERE id = '${uuid}'`);
  const exchange = JSON.stringify(await log().exchangeOf({ ...(await tenantOf(uuid)), id: uuid }));
  expect([response.status >= 400, exchange]).toEqual([true, expect.stringContaining('request_headers')]);
  for (const text of [shown, row!.text as string, exchange]) {
    expect(text).not.toContain(value);
    expect(text).not.toContain(encodeURIComponent(value));
    expect(text).not.toContain(secret);
  }
}

describe('what the dashboard asks itself', () => {
  it('is not among what programs asked, and what its pages read is not kept at all', async () => {
    const before = await list('limit=100');
    for (const path of ['wallets', 'events', 'transactions']) await ada.get(`/test/v4/${path}`);
    const { status } = await ada.post('/test/v4/wallets', { currency: 'USD' });
    const refused = await ada.post('/test/v4/wallets', { currency: 'XXX' });
    expect([status, refused.status]).toEqual([201, 400]);
    expect(await list('limit=100')).toEqual(before);
    const byPeople = await list('by=dashboard&limit=100');
    expect(byPeople.map(({ method, key_id: key }: { method: string; key_id: null }) => [method, key])).toEqual([
      ['POST', null],
      ['POST', null],
    ]);
    const { data: groups } = (await ada.get('/request-log/errors')).body;
    expect(groups.map(({ route }: { route: string }) => route)).not.toContain('/v4/wallets');
  });
});

describe('links', () => {
  it('lead from a request to what it made, and back', async () => {
    const transfer = await duka.api(secret).transfer(wallet, other, 1_000);
    const id = transfer.headers.get('request-id')!;
    const { made } = await detail(id);
    const transactions = made.filter((one: string) => one.startsWith('txn_'));
    expect(transactions.length).toBeGreaterThan(0);
    for (const one of transactions)
      expect((await list(`made=${one}`)).map((row: { id: string }) => row.id)).toEqual([id]);
    const payment = await duka.api(secret).post('/api/v1/payments', { amount: 5_000, currency: 'NGN' });
    const asked = payment.headers.get('request-id')!;
    expect((await detail(asked)).made).toContain(payment.body.id);
    expect((await list(`made=${payment.body.id}`)).map((row: { id: string }) => row.id)).toEqual([asked]);
    expect(await list('made=nothing')).toEqual([]);
    expect(await list('made=txn_01kabcdefghjkmnpqrstvwxyz0')).toEqual([]);
  });

  it('lead to what a person made, too', async () => {
    const { body, headers } = await ada.post('/test/api/v1/payments', { amount: 5_000, currency: 'NGN' });
    expect((await list(`made=${body.id}`)).map((row: { id: string }) => row.id)).toEqual([headers.get('request-id')]);
  });
});

describe('figures', () => {
  const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000).toISOString();
  const figures = async (query = '') => {
    await log().flush();
    return (await ada.get(`/request-log/figures?from=${from}&step=hour${query}`)).body;
  };

  it('count what the programs asked, by class and span, of all keys or of one', async () => {
    const made = (await ada.post('/keys', { name: 'counted', livemode: false })).body;
    const before = await figures();
    const api = duka.api(made.secret);
    for (let i = 0; i < 19; i++) expect((await api.get('/v4/account')).status).toBe(200);
    expect((await api.get('/v4/wallets/wal_nobody')).status).toBe(404);
    const [after, own] = [await figures(), await figures(`&key_id=${made.key.id}`)];
    expect(after.all.requests - before.all.requests).toBe(20);
    expect(own.all).toEqual({ requests: 20, refused: 1, failed: 0, p95_ms: expect.any(Number) });
    expect(own.capped).toBe(false);
    const sum = own.spans.reduce((total: number, { requests }: { requests: number }) => total + requests, 0);
    expect([own.spans.length >= 2, sum, own.spans[0].from]).toEqual([true, 20, from]);
    expect((await figures('&key_id=key_nobody')).all.requests).toBe(0);
    expect((await ada.get('/request-log/figures?step=hour')).status).toBe(400);
    const rows = await list(
      `key_id=${made.key.id}&route=${encodeURIComponent('/v4/wallets/:id')}&error_code=not_found`,
    );
    expect(rows.map(({ status }: { status: number }) => status)).toEqual([404]);
    expect(await list(`key_id=${made.key.id}&error_code=insufficient_funds`)).toEqual([]);
  });

  it('are of one account', async () => {
    const stranger = await newOwner(duka);
    expect((await stranger.get(`/request-log/figures?from=${from}&step=hour`)).body.all.requests).toBe(0);
  });
});

describe('the log in the public API', () => {
  const read = async (query = '', key = secret) => {
    await log().flush();
    return duka.api(key).get(`/v4/request-logs${query}`);
  };

  it('lists what keys asked, with what was answered when it failed, and not who reads it', async () => {
    const id = requestIdOf(await send({ from_wallet: wallet }, { 'idempotency-key': 'order-2' }));
    const { body } = await read('?limit=1');
    expect(body.data).toMatchObject([
      {
        object: 'request_log',
        id,
        livemode: false,
        method: 'POST',
        path: '/v4/wallets/transfer',
        status: 400,
        error_code: 'validation_failed',
        request_body: { from_wallet: wallet },
        request_headers: { 'idempotency-key': 'order-2' },
        answer: { status: 400, request_id: id },
      },
    ]);
    expect((await read(`/${id}`)).body).toEqual(body.data[0]);
    expect((await read('?path=request-logs')).body.data).toEqual([]);
    // A refusal is what somebody looks for.
    await read('?status=9xx');
    expect((await read('?path=request-logs')).body.data).toMatchObject([{ status: 400 }]);
  });

  it('filters, and goes on from page to page', async () => {
    await read();
    expect((await read('?status=2xx&method=POST&limit=1')).body).toMatchObject({ has_more: true, data: [{}] });
    const first = (await read('?limit=2')).body;
    const second = (await read(`?limit=2&cursor=${first.next_cursor}`)).body;
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids).toEqual(ids.toSorted().reverse());
    expect((await read('?error_code=validation_failed&created_gte=2099-01-01')).body.data).toEqual([]);
  });

  it('takes a scope of its own, and shows neither another mode, nor an account, nor what people did', async () => {
    const narrow = (await ada.post('/keys', { name: 'n', livemode: false, scopes: ['wallets:read'] })).body.secret;
    expect((await read('', narrow)).body).toMatchObject({ code: 'insufficient_scope' });
    const wide = (await ada.post('/keys', { name: 'w', livemode: false, scopes: ['requests:read'] })).body.secret;
    const [{ id }] = (await read('?limit=1', wide)).body.data;
    const { key: strangers } = await duka.account();
    expect((await read('', strangers)).body.data).toEqual([]);
    expect((await read(`/${id}`, strangers)).status).toBe(404);
    await ada.post('/test/v4/wallets', { currency: 'NGN', label: 'By hand' }, { 'idempotency-key': 'by-hand' });
    const [byHand] = await list('by=dashboard&limit=1');
    expect(byHand).toMatchObject({ method: 'POST', path: '/v4/wallets' });
    expect((await read(`/${byHand.id}`)).status).toBe(404);
  });
});
