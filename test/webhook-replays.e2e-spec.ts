import { DataSource } from 'typeorm';
import { Clock } from '../src/core/clock/clock';
import { decodeId } from '../src/core/http/ids';
import type { Api } from './support/api';
import { Duka, type TestAccount } from './support/duka';
import { createEndpoint, happen, relayNow, settle } from './support/webhooks';

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

describe('an endpoint that is turned off', () => {
  it('tells when it is turned on what it missed, and the replay that sends it', async () => {
    const [{ id }, other] = [
      await createEndpoint(api, { events: ['wallet.*'] }),
      await createEndpoint(api, { events: ['webhook_endpoint.*'] }),
    ];
    const path = `/v4/webhooks/${id}`;
    expect((await api.post(`${path}/enable`)).body).toMatchObject({
      status: 409,
      code: 'invalid_state_transition',
      resource_id: id,
    });
    const disabled = await api.post(`${path}/disable`, undefined, { key: 'off' });
    expect(disabled.body).toMatchObject({ status: 'disabled', disabled_reason: 'requested' });
    expect((await api.post(`${path}/disable`, undefined, { key: 'off' })).status).toBe(200);
    expect((await api.post(`${path}/disable`)).body.code).toBe('invalid_state_transition');
    const missed = [await happen(api), await happen(api)];
    await relayNow(duka);
    const { data } = (await api.get(`${path}/deliveries`)).body;
    expect(data.map((one: any) => [one.event_id, one.status, one.next_attempt_at])).toEqual(
      missed.reverse().map((event) => [event, 'disabled', null]),
    );
    expect((await api.get(`/v4/webhooks/${other.id}/deliveries`)).body.data.map((one: any) => one.event_type)).toEqual([
      'webhook_endpoint.disabled',
    ]);
    const enabled = await api.post(`${path}/enable`, undefined, { key: 'on' });
    expect(enabled.body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      missed: { count: 2, replay: { only: 'failed' } },
    });
    expect((await api.post(`${path}/enable`, undefined, { key: 'on' })).body).toMatchObject({
      status: 'enabled',
      missed: null,
    });
    expect((await api.post(`${path}/replay`, enabled.body.missed.replay)).body).toMatchObject({ count: 2 });
  });

  it('counts the event of its first failure too, however far its clock is ahead', async () => {
    await api.post('/v4/sandbox/clock/advance', { seconds: 1_000_000 });
    const { id } = await createEndpoint(api, { events: ['wallet.*'] });
    const [got, failed] = [await happen(api), await happen(api)];
    await relayNow(duka);
    const failedAt = await duka.get<Clock>(Clock).now({ accountId: decodeId('acct', shop.id)!, livemode: false });
    for (const row of (await api.get(`/v4/webhooks/${id}/deliveries`)).body.data)
      await settle(duka, row.id, row.event_id === got ? 'delivered' : 'exhausted', failedAt);
    await duka
      .get<DataSource>(DataSource)
      .query(
        `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'failing', failing_since = $2, disabled_at = $2 WHERE id = $1`,
        [decodeId('whk', id), failedAt],
      );
    const { missed } = (await api.post(`/v4/webhooks/${id}/enable`)).body;
    const { timestamp } = (await api.get(`/v4/events/${failed}`)).body;
    expect(missed).toMatchObject({ count: 1, since: timestamp, replay: { created_gte: timestamp, only: 'failed' } });
    expect((await api.get(`/v4/webhooks/${id}`)).body.health.failing_since).toBeNull();
  });

  it('can be tested, and nobody else hears of it', async () => {
    const [{ id }, other] = [await createEndpoint(api, { events: ['wallet.*'] }), await createEndpoint(api)];
    await api.post(`/v4/webhooks/${id}/disable`);
    const [first, again] = [
      await api.post(`/v4/webhooks/${id}/test`, undefined, { key: 't' }),
      await api.post(`/v4/webhooks/${id}/test`, undefined, { key: 't' }),
    ];
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      endpoint_id: id,
      event_type: 'webhook_endpoint.test',
      status: 'pending',
      is_replay: true,
      attempts: [],
      attempt_count: 0,
    });
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await api.get(`/v4/events/${first.body.event_id}`)).body).toMatchObject({
      data: { object: { id } },
      request: { idempotency_key: 't' },
    });
    await relayNow(duka);
    expect((await api.get(`/v4/webhooks/${id}/deliveries`)).body.data).toHaveLength(1);
    expect((await api.get(`/v4/webhooks/${other.id}/deliveries`)).body.data.map((one: any) => one.event_type)).toEqual([
      'webhook_endpoint.disabled',
    ]);
  });
});

describe('a replay', () => {
  const range = { created_gte: '2020-01-01T00:00:00Z', created_lt: '2100-01-01T00:00:00Z' };

  it('counts what failed, what is missing and all, sends it, and counts it no more', async () => {
    const before = await happen(api);
    const since = { created_gte: (await api.get(`/v4/events/${before}`)).body.timestamp };
    const { id } = await createEndpoint(api, { events: ['wallet.created'] });
    await api.patch(`/v4/wallets/${(await api.get('/v4/wallets?limit=1')).body.data[0].id}`, {
      label: 'not listened to',
    });
    const [failed, got] = [await happen(api), await happen(api), await happen(api)];
    await relayNow(duka);
    for (const row of (await api.get(`/v4/webhooks/${id}/deliveries`)).body.data) {
      if (row.event_id === failed) await settle(duka, row.id, 'exhausted');
      if (row.event_id === got) await settle(duka, row.id, 'delivered');
    }
    const path = `/v4/webhooks/${id}/replay`;
    const count = async (fields: object) =>
      (await api.post(path, { ...range, ...since, dry_run: true, ...fields })).body.count;
    const counts = async () => [await count({}), await count({ only: 'missing' }), await count({ only: 'all' })];
    expect(await counts()).toEqual([1, 1, 4]);
    expect(await count({ only: 'all', types: ['wallet.frozen', 'transfer.*'] })).toBe(0);
    expect(await count({ only: 'all', types: ['wallet.created'] })).toBe(4);
    const { timestamp } = (await api.get(`/v4/events/${got}`)).body;
    expect(await count({ only: 'all', created_lt: timestamp })).toBe(2);
    expect(await count({ only: 'all', created_gte: timestamp })).toBe(2);
    expect((await api.get(`/v4/webhooks/${id}/deliveries`)).body.data).toHaveLength(3);

    const sent = await api.post(path, { ...range, ...since, only: 'failed' }, { key: 'f' });
    expect([sent.status, sent.body]).toEqual([
      201,
      { object: 'webhook_replay', endpoint_id: id, count: 1, dry_run: false, livemode: false },
    ]);
    expect((await api.post(path, { ...range, ...since, only: 'failed' }, { key: 'f' })).body.count).toBeNull();
    expect((await api.post(path, { ...range, ...since, only: 'missing' })).body.count).toBe(1);
    expect(await counts()).toEqual([0, 0, 4]);
    const replayed = (await api.get(`/v4/webhooks/${id}/deliveries`)).body.data.filter((row: any) => row.is_replay);
    expect(replayed.map((row: any) => [row.event_id, row.status])).toEqual([
      [before, 'pending'],
      [failed, 'pending'],
    ]);
    expect((await api.post(path, { ...range, ...since, only: 'all' })).body.count).toBe(4);
  });

  it('sends nothing that the relay is about to send', async () => {
    const { id, created_at } = await createEndpoint(api);
    const replay = { ...range, created_gte: created_at, only: 'missing' };
    await happen(api);
    expect((await api.post(`/v4/webhooks/${id}/replay`, replay)).body.count).toBe(0);
  });

  it.each([{ created_gte: undefined }, { created_lt: '2020' }, { only: 'some' }, { types: ['nothing'] }])(
    'is not made with %j',
    async (fields) => {
      const { id } = await createEndpoint(api);
      expect((await api.post(`/v4/webhooks/${id}/replay`, { ...range, ...fields })).status).toBe(400);
    },
  );
});
