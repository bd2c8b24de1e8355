import { Env } from '../../src/core/config/env';
import { decodeId } from '../../src/core/http/ids';
import { RequestLog } from '../../src/core/request-log/request-log';
import type { ScopeName } from '../../src/vocabulary/scopes';
import { Browser, newOwner } from '../support/dashboard';
import { Duka } from '../support/duka';

let duka: Duka;
const start = async (settings: Partial<Env> = {}) => (duka = await Duka.start(settings));
afterEach(() => duka.stop());

describe('keys', () => {
  const make = (ada: Browser, n: number, livemode = false) => ada.post('/keys', { name: `key ${n}`, livemode });
  const statuses = async (ada: Browser, many: number) =>
    (await Promise.all(Array.from({ length: many }, (_, n) => make(ada, n)))).map(({ status }) => status);

  it('of an account and mode are at most fifty that live, also when many are made at once', async () => {
    await start();
    const ada = await newOwner(duka);
    const made = await statuses(ada, 60);
    expect([made.filter((status) => status === 201).length, made.filter((status) => status === 402).length]).toEqual([
      50, 10,
    ]);
    const refused = await make(ada, 61);
    expect(refused).toMatchObject({ status: 402, body: { code: 'limit_exceeded', recovery: 'account_must_act' } });
    // One that is rolled makes room for what takes its place.
    const { data } = (await ada.get('/keys?limit=1')).body;
    expect((await ada.post(`/keys/${data[0].id}/roll`, { overlap_seconds: 0 })).status).toBe(201);
    expect((await make(ada, 62)).status).toBe(402);
    await ada.post(`/keys/${data[0].id}/revoke`);
    expect((await make(ada, 63)).status).toBe(402);
    const {
      data: [live],
    } = (await ada.get('/keys?limit=1')).body;
    await ada.post(`/keys/${live.id}/revoke`);
    expect((await make(ada, 64)).status).toBe(201);
  });

  it('are all shown, page by page', async () => {
    await start();
    const ada = await newOwner(duka);
    await statuses(ada, 25);
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await ada.get(`/keys?livemode=false&limit=10${cursor && `&cursor=${cursor}`}`);
      expect(body).toMatchObject({ object: 'list', has_more: body.next_cursor !== null });
      names.push(...body.data.map(({ name }: { name: string }) => name));
      cursor = body.next_cursor;
    }
    expect([names.length, new Set(names).size]).toEqual([25, 25]);
    expect((await ada.get('/keys?livemode=true')).body.data).toEqual([]);
  });
});

it('many keys have no more requests than an account may send', async () => {
  await start({ RATE_LIMIT_TEST: 1, RATE_LIMIT_ACCOUNT_FACTOR: 2 });
  const { id: accountId } = await duka.account();
  const keys = await Promise.all(Array.from({ length: 6 }, () => duka.key({ accountId })));
  const answers = await Promise.all(keys.map((key) => duka.api(key).get('/v4/account')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({ body: { code: 'rate_limited', detail: expect.stringMatching(/^This account/) } });
  expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"account";r=0;t=[12]$/);
  expect((await (await duka.account()).api.get('/v4/account')).status).toBe(200);
});

it.each<[string, ScopeName[] | null]>([
  ['insufficient_scope', ['wallets:read']],
  ['account_frozen', null],
])('requests that are refused to a key that is known count as well: %s', async (code, scopes) => {
  await start({ RATE_LIMIT_TEST: 2 });
  const { id: accountId } = await duka.account();
  if (code === 'account_frozen')
    await duka.asOwner(`UPDATE accounts SET freeze_direction = 'both' WHERE id = $1`, [decodeId('acct', accountId)]);
  const api = duka.api(await duka.key({ accountId, scopes }));
  const order = { phone: '+2348031234567', amount: 10_000 };
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.post('/v4/airtime/purchase', order)));
  const refused = (as: string) => answers.filter(({ body }) => body.code === as).length;
  expect([refused(code), refused('rate_limited')]).toEqual([4, 2]);
  for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"key";q=4;w=2');
});

it('wallets, cardholders and endpoints have a number that is not passed, by mode', async () => {
  await start({ WALLETS_MAX: 4, CUSTOMERS_MAX: 2, WEBHOOK_ENDPOINTS_MAX: 2 });
  const { id, api } = await duka.account();
  const identity = { type: 'passport', number: 'A01234567' };
  const address = { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' };
  const customer = {
    first_name: 'Ada',
    last_name: 'Obi',
    email: 'ada@example.com',
    phone: '+2348031234567',
    date_of_birth: '1990-04-21',
    address,
    identity,
  };
  const count = async (path: string, body: object) => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(path, body)));
    const refused = answers.filter(({ status }) => status === 402);
    for (const one of refused) expect(one.body).toMatchObject({ code: 'limit_exceeded', recovery: 'account_must_act' });
    expect(refused.length + answers.filter(({ status }) => status === 201).length).toBe(6);
    return answers.filter(({ status }) => status === 201).length;
  };
  // The first wallet came with the account.
  expect(await count('/v4/wallets', { currency: 'USD' })).toBe(3);
  expect(await count('/v4/customers', customer)).toBe(2);
  expect(await count('/v4/webhooks', { url: 'https://1.1.1.1/hooks', events: ['*'] })).toBe(2);
  const {
    data: [wallet],
  } = (await api.get('/v4/wallets')).body;
  await api.credit(wallet.id, 10_000);
  const card = { currency: 'USD', amount: 500, funding_wallet_id: wallet.id };
  expect(await api.post('/v4/cards/issue', { ...card, customer })).toMatchObject({
    status: 402,
    body: { code: 'limit_exceeded' },
  });
  const {
    data: [holder],
  } = (await api.get('/v4/customers')).body;
  expect((await api.post('/v4/cards/issue', { ...card, customer_id: holder.id })).status).toBeLessThan(300);
  expect(
    (await duka.api(await duka.key({ accountId: id, livemode: true })).post('/v4/wallets', { currency: 'USD' })).status,
  ).toBe(201);
});

it('the request log keeps bodies up to a budget a day, then requests without them, then says that it stops', async () => {
  await start({ REQUEST_LOG_DAILY_MB: 1 });
  const ada = await newOwner(duka);
  const secret = (await ada.post('/keys', { name: 'k', livemode: false })).body.secret;
  const body = {
    from_wallet: 'x',
    to_wallet: 'y',
    amount: 1,
    metadata: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`k${n}`, 'v'.repeat(490)])),
  };
  const flush = () => duka.get<RequestLog>(RequestLog).flush();
  const newest = async (limit: number) => (await ada.get(`/request-log?limit=${limit}`)).body.data;
  const send = async (many: number) => {
    for (let n = 0; n < many; n += 50)
      await Promise.all(Array.from({ length: 50 }, () => duka.api(secret).post('/v4/wallets/transfer', body)));
    await flush();
  };
  await send(200);
  expect(JSON.stringify((await newest(1))[0].request_body)).toContain('vvv');
  await send(100);
  expect((await newest(1))[0]).toMatchObject({
    method: 'POST',
    request_body: 'Not kept: the request log has had its bodies for today (REQUEST_LOG_DAILY_MB).',
  });
  // What all of it took is counted by account: as if twice the budget were nearly used up.
  const [kept] = duka.get<any>(RequestLog).kept.values();
  kept.bytes = 2 * 1024 * 1024 - 1;
  await send(50);
  const last = (await newest(60)).map(({ request_body: text }: { request_body: string }) => String(text));
  expect(last.filter((text: string) => text.startsWith('Nothing is kept from here on'))).toHaveLength(1);
  await send(50);
  expect((await newest(60)).map(({ request_body: text }: { request_body: string }) => String(text))).toEqual(last);
});
