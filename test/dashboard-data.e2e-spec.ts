import { RequestLog } from '../src/core/request-log/request-log';
import { Browser, newOwner } from './support/dashboard';
import { localTime } from '../src/core/text/local-time';
import { Duka } from './support/duka';

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

const flush = () => duka.get<RequestLog>(RequestLog).flush();

describe('the overview', () => {
  it('has balances, 30 days, the rate of success and the next steps', async () => {
    const { body: before } = await ada.get('/overview?livemode=false');
    expect(before.checklist).toEqual({
      has_key: true,
      has_transfer: false,
      has_webhook: false,
      has_delivery: false,
      totp_enabled: false,
      live_enabled: false,
    });
    await duka.api(secret).transfer(wallet, other, 150_000);
    const { status, body } = await ada.get('/overview?livemode=false');
    // Nothing was bought: what moves between wallets is no success of a provider.
    expect([status, body.success_rate, body.checklist.has_transfer]).toEqual([200, null, true]);
    expect(body.wallets.find(({ id }: { id: string }) => id === wallet)).toMatchObject({
      currency: 'NGN',
      available: 350_000,
      held: 0,
      available_display: 'NGN 3,500.00',
    });
    expect(body.days).toEqual([
      {
        day: localTime(new Date(), 'Africa/Lagos').slice(0, 10),
        currency: 'NGN',
        count: 1,
        successful: 1,
        amount_in: 500_000,
        amount_in_display: 'NGN 5,000.00',
        amount_out: 0,
        amount_out_display: 'NGN 0.00',
      },
    ]);
    expect((await ada.get('/overview?livemode=true')).body).toMatchObject({ success_rate: null, days: [] });
    expect((await (await newOwner(duka)).get('/overview')).body).toMatchObject({
      success_rate: null,
      days: [],
      checklist: { has_key: false, has_transfer: false },
    });
  });
});

describe('the request log', () => {
  it('has what keys and people asked of the public API, without its secrets', async () => {
    const body = {
      from_wallet: wallet,
      to_wallet: other,
      amount: 10,
      narration: `my key is ${secret}`,
      metadata: { password: 'hunter2' },
    };
    const { headers } = await duka.api(secret).post('/v4/wallets/transfer', body, { key: 'again' });
    await duka.api(secret).post('/v4/wallets/transfer', body, { key: 'again' });
    await duka.api(secret).get('/v4/wallets/wal_unknown?api_key=sk_test_abcdefghijkl');
    await flush();
    const { data } = (await ada.get('/request-log?livemode=false')).body;
    expect(data.slice(0, 3)).toMatchObject([
      { method: 'GET', path: '/v4/wallets/wal_unknown', status: 400, error_code: 'unknown_field' },
      { method: 'POST', status: 201, replayed: true },
      {
        method: 'POST',
        path: '/v4/wallets/transfer',
        status: 201,
        replayed: false,
        error_code: null,
        key_last4: secret.slice(-4),
        ip: '127.0.0.1',
        duration_ms: expect.any(Number),
      },
    ]);
    expect(data[2].id).toBe(headers.get('request-id'));
    expect(data[2].request_body).toMatchObject({
      amount: 10,
      narration: 'my key is sk_test_[redacted]',
      metadata: { password: '[redacted]' },
    });
    expect(JSON.stringify(data)).not.toMatch(/hunter2|abcdefghijkl/);
    expect(JSON.stringify(data)).not.toContain(secret);
    expect(JSON.stringify(data)).not.toContain('/dashboard');
  });

  it('is narrowed and paged', async () => {
    const list = async (query: string) => (await ada.get(`/request-log?livemode=false&${query}`)).body;
    const all = await list('limit=100');
    expect((await list('status=4xx')).data.map(({ status }: { status: number }) => status)).toEqual([400]);
    expect(new Set((await list('status=201')).data.map(({ status }: { status: number }) => status))).toEqual(
      new Set([201]),
    );
    expect(new Set((await list('method=POST')).data.map(({ method }: { method: string }) => method))).toEqual(
      new Set(['POST']),
    );
    expect((await list('path=WALLETS/wal_unk')).data).toHaveLength(1);
    expect((await list(`key_id=${all.data[1].key_id}&limit=100`)).data).toHaveLength(all.data.length);
    expect((await list('key_id=key_x')).data).toEqual([]);
    expect((await list(`created_lt=2020-01-01T00:00:00.000Z`)).data).toEqual([]);
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 4));
    for (const wrong of ['status=9', 'method=FETCH', 'by=me', 'cursor=x'])
      expect((await ada.get(`/request-log?${wrong}`)).status).toBe(400);
  });

  it('groups what failed', async () => {
    const { data } = (await ada.get('/request-log/errors?livemode=false')).body;
    expect(data).toEqual([
      {
        method: 'GET',
        route: '/v4/wallets/:id',
        status: 400,
        error_code: 'unknown_field',
        count: 1,
        last_at: expect.any(String),
      },
    ]);
  });

  it('is of one account in one mode', async () => {
    expect((await ada.get('/request-log?livemode=true')).body.data).toEqual([]);
    expect((await (await newOwner(duka)).get('/request-log')).body.data).toEqual([]);
  });

  it('can be turned off', async () => {
    const silent = await Duka.start({ REQUEST_LOG: 'off' });
    const bob = await newOwner(silent);
    await bob.get('/test/v4/wallets');
    await silent.get<RequestLog>(RequestLog).flush();
    expect((await bob.get('/request-log')).body.data).toEqual([]);
    await silent.stop();
  });
});

describe('the signing secret of an endpoint', () => {
  it('is what its owner got when it was made', async () => {
    const { body } = await ada.post('/test/v4/webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['*'] });
    expect((await ada.get(`/webhooks/${body.id}/secret?livemode=false`)).body).toEqual({ secret: body.secret });
    const others = [
      await ada.get(`/webhooks/${body.id}/secret?livemode=true`),
      await (await newOwner(duka)).get(`/webhooks/${body.id}/secret`),
    ];
    expect(others.map(({ status }) => status)).toEqual([403, 404]);
  });
});

describe('the audit log', () => {
  it('says who did what, and is of one account', async () => {
    const bob = await newOwner(duka);
    const { body: made } = await bob.post('/keys', { name: 'Till', livemode: false });
    await bob.post(`/keys/${made.key.id}/revoke`);
    await bob.post('/test/v4/wallets', { currency: 'USD' });
    const seen = async () => (await bob.get('/audit-log')).body.data;
    while ((await seen()).length < 4);
    const data = await seen();
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'POST /v4/wallets',
      'key.revoked',
      'key.created',
      'person.signed_up',
    ]);
    expect(data[1]).toMatchObject({
      id: expect.stringMatching(/^aud_/),
      actor: bob.email,
      target: made.key.id,
      ip: '127.0.0.1',
      detail: { name: 'Till', livemode: false },
    });
    const { body: page } = await bob.get('/audit-log?limit=1');
    expect((await bob.get(`/audit-log?limit=1&cursor=${page.next_cursor}`)).body.data).toEqual([data[1]]);
    expect((await ada.get(`/audit-log?limit=1&cursor=${page.next_cursor}`)).status).toBe(400);
  });
});
