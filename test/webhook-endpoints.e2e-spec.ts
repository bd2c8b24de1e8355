import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { EndpointSecretsService } from '../src/modules/webhooks/endpoint-secrets.service';
import { EndpointsService } from '../src/modules/webhooks/endpoints.service';
import type { Api } from './support/api';
import { Duka, type TestAccount } from './support/duka';
import { createEndpoint, HOOK_URL } from './support/webhooks';

const DAY = 86_400;

let duka: Duka;
let shop: TestAccount;
let api: Api;

beforeAll(async () => {
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
});
afterAll(() => duka.stop());
beforeEach(async () => {
  shop = await duka.account();
  api = shop.api;
});

/** What signs now, as it is shown. */
async function keysOf(endpointId: string): Promise<string[]> {
  const owner = { accountId: decodeId('acct', shop.id)!, livemode: false };
  const endpoint = await duka.get<EndpointsService>(EndpointsService).require(owner, decodeId('whk', endpointId));
  const keys = await duka.get<EndpointSecretsService>(EndpointSecretsService).signingKeys(endpoint);
  return keys.map((key) => `whsec_${key.export().toString('base64')}`);
}

describe('an endpoint', () => {
  it('is made, read, listed, changed and deleted', async () => {
    const made = await api.post('/v4/webhooks', {
      url: HOOK_URL,
      events: ['wallet.*', 'transfer.successful'],
      description: 'Till',
      metadata: { a: '1' },
    });
    const { secret, ...endpoint } = made.body;
    expect(made.status).toBe(201);
    expect(endpoint).toMatchObject({
      object: 'webhook_endpoint',
      url: HOOK_URL,
      events: ['wallet.*', 'transfer.successful'],
      description: 'Till',
      include_secrets: false,
      status: 'enabled',
      disabled_reason: null,
      metadata: { a: '1' },
      livemode: false,
      health: { failing_since: null, last_success_at: null, last_failure_at: null },
    });
    const path = `/v4/webhooks/${endpoint.id}`;
    expect((await api.get(path)).body).toEqual(endpoint);
    expect((await api.get('/v4/webhooks')).body.data).toEqual([endpoint]);
    const changed = await api.patch(path, {
      url: `${HOOK_URL}2`,
      events: ['*'],
      description: null,
      include_secrets: true,
      metadata: null,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      url: `${HOOK_URL}2`,
      events: ['*'],
      description: null,
      include_secrets: true,
      metadata: {},
    });
    expect((await api.patch(path, { description: 'x' })).body).toMatchObject({
      url: `${HOOK_URL}2`,
      events: ['*'],
      include_secrets: true,
      description: 'x',
    });
    const deleted = await api.call('DELETE', path, undefined, { key: 'd-1' });
    expect([deleted.status, typeof deleted.body.deleted_at]).toEqual([200, 'string']);
    expect((await api.call('DELETE', path, undefined, { key: 'd-1' })).headers.get('idempotent-replayed')).toBe('true');
    for (const gone of [
      await api.get(path),
      await api.patch(path, { description: 'y' }),
      await api.call('DELETE', path),
      await api.post(`${path}/test`),
    ]) {
      expect(gone.status).toBe(404);
    }
    expect((await api.get('/v4/webhooks')).body.data).toEqual([]);
    expect((await api.get('/v4/idempotency/d-1')).body.resource).toEqual(deleted.body);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it.each([
    [{ events: [] }, '/events'],
    [{ events: ['*', 'wallet.exploded'] }, '/events'],
    [{ events: ['wallets.*'] }, '/events'],
    [{ events: ['wallet.cre*'] }, '/events'],
    [{ events: ['webhook_endpoint.test'] }, '/events'],
    [{ events: '*' }, '/events'],
    [{ events: [1] }, '/events'],
    [{ events: null }, '/events'],
    [{ url: 'ftp://example.com' }, '/url'],
    [{ url: 'http://u:p@127.0.0.1/' }, '/url'],
    [{ url: 1 }, '/url'],
    [{ metadata: { a: 1 } }, '/metadata'],
    [{ include_secrets: 'yes' }, '/include_secrets'],
  ])('is not made with %j', async (fields, param) => {
    const { status, body } = await api.post('/v4/webhooks', { url: HOOK_URL, events: ['*'], ...fields });
    expect([status, body.code, body.param]).toEqual([400, 'validation_failed', param]);
    expect((await api.get('/v4/webhooks')).body.data).toEqual([]);
  });

  it('listens to resources that have no events yet', async () => {
    expect((await createEndpoint(api, { events: ['card.*', 'payment.*'] })).events).toEqual(['card.*', 'payment.*']);
  });

  it('is not changed to a URL that none may have', async () => {
    const { id } = await createEndpoint(api);
    expect((await api.patch(`/v4/webhooks/${id}`, { url: 'ftp://127.0.0.1/' })).body).toMatchObject({
      status: 400,
      param: '/url',
    });
    expect((await api.get(`/v4/webhooks/${id}`)).body.url).toBe(HOOK_URL);
  });

  it('lives in one mode of one account', async () => {
    const live = duka.api(await duka.key({ accountId: shop.id, livemode: true }));
    expect((await live.post('/v4/webhooks', { url: HOOK_URL, events: ['*'] })).body).toMatchObject({
      status: 400,
      param: '/url',
    });
    const { id } = await createEndpoint(api);
    const inLive = await createEndpoint(live, { url: 'https://1.1.1.1/' });
    for (const stranger of [live, (await duka.account()).api]) {
      expect((await stranger.get(`/v4/webhooks/${id}`)).status).toBe(404);
      expect((await stranger.post(`/v4/webhooks/${id}/rotate-secret`)).status).toBe(404);
    }
    expect((await live.get('/v4/webhooks')).body.data.map((one: { id: string }) => one.id)).toEqual([inLive.id]);
    expect((await api.get('/v4/webhooks')).body.data.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it('has at most forty-nine others beside it, however many are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 55 }, () => api.post('/v4/webhooks', { url: HOOK_URL, events: ['*'] })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(made.find(({ status }) => status !== 201)!.body).toMatchObject({ status: 402, code: 'limit_exceeded' });
    await api.call('DELETE', `/v4/webhooks/${made.find(({ status }) => status === 201)!.body.id}`);
    expect((await api.post('/v4/webhooks', { url: HOOK_URL, events: ['*'] })).status).toBe(201);
  });

  it('gets faults only with a test key, and only known ones', async () => {
    const headers = (fault: string) => ({ headers: { 'x-sandbox-webhook': fault } });
    const made = await api.post('/v4/webhooks', { url: HOOK_URL, events: ['*'] }, headers('duplicate'));
    expect(made.body.sandbox_fault).toBe('duplicate');
    const path = `/v4/webhooks/${made.body.id}`;
    expect((await api.call('PATCH', path, {}, headers('delayed'))).body.sandbox_fault).toBe('delayed');
    expect((await api.patch(path, {})).body.sandbox_fault).toBe('delayed');
    expect((await api.call('PATCH', path, {}, headers('none'))).body.sandbox_fault).toBeNull();
    for (const fault of ['explode', '', 'toString']) {
      expect((await api.call('PATCH', path, {}, headers(fault))).body.code).toBe('validation_failed');
      expect((await api.post('/v4/webhooks', { url: HOOK_URL, events: ['*'] }, headers(fault))).status).toBe(400);
    }
    const live = duka.api(await duka.key({ accountId: shop.id, livemode: true }));
    const ignored = await live.post('/v4/webhooks', { url: 'https://1.1.1.1/', events: ['*'] }, headers('explode'));
    expect([ignored.status, ignored.body.sandbox_fault]).toEqual([201, null]);
  });
});

describe('the secret', () => {
  it('is shown once, and a repeated request makes neither a second endpoint nor shows it', async () => {
    const body = { url: HOOK_URL, events: ['*'] };
    const [first, again] = [
      await api.post('/v4/webhooks', body, { key: 'k-1' }),
      await api.post('/v4/webhooks', body, { key: 'k-1' }),
    ];
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual({ ...first.body, secret: null });
    expect((await api.post('/v4/webhooks', { ...body, events: ['wallet.*'] }, { key: 'k-1' })).body.code).toBe(
      'idempotency_key_reused',
    );
    expect((await api.get('/v4/webhooks')).body.data).toHaveLength(1);
    expect(await keysOf(first.body.id)).toEqual([first.body.secret]);
    const [stored] = await duka
      .get<DataSource>(DataSource)
      .query('SELECT * FROM webhook_endpoints WHERE id = $1', [decodeId('whk', first.body.id)]);
    const raw = Buffer.from(first.body.secret.slice(6), 'base64');
    expect([stored.secret.includes(first.body.secret), stored.secret.includes(raw)]).toEqual([false, false]);
  });

  it('is rotated, and the old one signs until its time is over', async () => {
    const { id, secret } = await createEndpoint(api);
    const rotated = await api.post(`/v4/webhooks/${id}/rotate-secret`, { expires_in: 100 }, { key: 'r-1' });
    expect([rotated.status, rotated.body.secret === secret]).toEqual([200, false]);
    const repeated = await api.post(`/v4/webhooks/${id}/rotate-secret`, { expires_in: 100 }, { key: 'r-1' });
    expect(repeated.body).toEqual({ ...rotated.body, secret: null });
    expect(await keysOf(id)).toEqual([rotated.body.secret, secret]);
    await api.post('/v4/sandbox/clock/advance', { seconds: 99 });
    expect(await keysOf(id)).toEqual([rotated.body.secret, secret]);
    await api.post('/v4/sandbox/clock/advance', { seconds: 2 });
    expect(await keysOf(id)).toEqual([rotated.body.secret]);
    const next = await api.post(`/v4/webhooks/${id}/rotate-secret`);
    expect(Date.parse(next.body.previous_secret_expires_at) / 1_000).toBeGreaterThan(Date.now() / 1_000 + DAY);
    const last = await api.post(`/v4/webhooks/${id}/rotate-secret`, { expires_in: 0 });
    expect(await keysOf(id)).toEqual([last.body.secret]);
  });

  it.each([-1, 604_801, 1.5, '60', true])('is not kept for %j seconds', async (seconds) => {
    const { id, secret } = await createEndpoint(api);
    expect((await api.post(`/v4/webhooks/${id}/rotate-secret`, { expires_in: seconds })).body).toMatchObject({
      status: 400,
      param: '/expires_in',
    });
    expect(await keysOf(id)).toEqual([secret]);
  });
});

it('asks for a scope to read and another one to write', async () => {
  const { id } = await createEndpoint(api);
  const keyWith = async (scope: 'webhooks:read' | 'webhooks:write') =>
    duka.api(await duka.key({ accountId: shop.id, scopes: [scope] }));
  const [reader, writer] = [await keyWith('webhooks:read'), await keyWith('webhooks:write')];
  expect([
    (await reader.get(`/v4/webhooks/${id}`)).status,
    (await reader.post(`/v4/webhooks/${id}/rotate-secret`)).status,
  ]).toEqual([200, 403]);
  expect([
    (await writer.get(`/v4/webhooks/${id}`)).status,
    (await writer.post(`/v4/webhooks/${id}/rotate-secret`)).status,
  ]).toEqual([403, 200]);
});
