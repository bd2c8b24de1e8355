import { DataSource } from 'typeorm';
import { decodeId, newIdOf } from '../src/core/http/ids';
import type { Api } from './support/api';
import { Duka, type TestAccount } from './support/duka';
import { createEndpoint, happen, HOOK_URL, relayNow, settle } from './support/webhooks';

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

describe('deliveries', () => {
  it('are listed by status and event, and read with their attempts', async () => {
    const { id } = await createEndpoint(api);
    const [one, two] = [await happen(api), await happen(api)];
    await relayNow(duka);
    const list = async (query: string) => (await api.get(`/v4/webhooks/${id}/deliveries?${query}`)).body;
    const [newest, oldest] = (await list('')).data;
    expect([newest.event_id, oldest.event_id]).toEqual([two, one]);
    await settle(duka, oldest.id, 'exhausted');
    expect((await list('status=exhausted')).data.map((row: any) => row.id)).toEqual([oldest.id]);
    expect((await list(`event_id=${two}`)).data).toEqual([newest]);
    expect(await list(`event_id=${two}&status=exhausted`)).toMatchObject({ data: [], not_sent: null });
    await duka.get<DataSource>(DataSource).query(
      `INSERT INTO webhook_attempts (account_id, livemode, id, delivery_id, number, url, code, http_status, duration_ms, response_body)
       VALUES ($1, false, $2, $3, 1, $4, 'http_error', 503, 12, 'busy')`,
      [decodeId('acct', shop.id), newIdOf(decodeId('acct', shop.id)!), decodeId('dlv', oldest.id), HOOK_URL],
    );
    const { body } = await api.get(`/v4/webhooks/deliveries/${oldest.id}`);
    expect(body).toMatchObject({
      id: oldest.id,
      status: 'exhausted',
      attempts: [{ number: 1, code: 'http_error', http_status: 503, response_body: 'busy' }],
    });
  });

  it('are retried by a delivery of their own, once per key', async () => {
    const { id } = await createEndpoint(api);
    await happen(api);
    await relayNow(duka);
    const [delivery] = (await api.get(`/v4/webhooks/${id}/deliveries`)).body.data;
    await settle(duka, delivery.id, 'exhausted');
    const path = `/v4/webhooks/deliveries/${delivery.id}/retry`;
    const [first, again] = [
      await api.post(path, undefined, { key: 'y' }),
      await api.post(path, undefined, { key: 'y' }),
    ];
    expect([first.status, first.body.event_id, first.body.is_replay, first.body.status]).toEqual([
      201,
      delivery.event_id,
      true,
      'pending',
    ]);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await api.get(`/v4/webhooks/${id}/deliveries`)).body.data.map((row: any) => row.id)).toEqual([
      first.body.id,
      delivery.id,
    ]);
    expect((await api.post(path, undefined, { key: 'z' })).body.id).not.toBe(first.body.id);
    expect((await api.post(path, undefined, { key: 'y' })).body.id).toBe(first.body.id);
    expect((await api.get('/v4/idempotency/y')).body).toMatchObject({ resource: { id: first.body.id } });
    expect((await (await duka.account()).api.post(path)).status).toBe(404);
    await api.call('DELETE', `/v4/webhooks/${id}`);
    expect((await api.post(path)).status).toBe(404);
  });

  it('that are missing have a reason', async () => {
    const before = await happen(api);
    const { id } = await createEndpoint(api, { events: ['transfer.*'] });
    const whyNot = async (event: string) =>
      (await api.get(`/v4/webhooks/${id}/deliveries?event_id=${event}`)).body.not_sent?.reason;
    const filtered = await happen(api);
    await relayNow(duka);
    expect(await whyNot(filtered)).toBe('filtered');
    await api.patch(`/v4/webhooks/${id}`, { events: ['*'] });
    expect(await whyNot(before)).toBe('before_endpoint');
    expect(await whyNot(filtered)).toBe('not_listening_then');
    const pending = await happen(api);
    expect(await whyNot(pending)).toBe('relay_pending');
    await relayNow(duka);
    expect(await whyNot(pending)).toBeUndefined();
    expect(await whyNot(await happen((await duka.account()).api))).toBe('unknown_event');
    expect(await whyNot('evt_1')).toBe('unknown_event');
    await api.post(`/v4/webhooks/${id}/disable`);
    const [{ id: itself }] = (await api.get('/v4/events?type=webhook_endpoint.disabled')).body.data;
    expect(await whyNot(itself)).toBe('about_itself');
    expect((await api.get(`/v4/webhooks/${id}/deliveries`)).body.not_sent).toBeNull();
  });

  it('tell of events whether everybody got them', async () => {
    const nobody = await happen(api);
    const [{ id }] = [await createEndpoint(api), await createEndpoint(api, { events: ['wallet.*'] })];
    const [late, got, half] = [await happen(api), await happen(api), await happen(api)];
    await relayNow(duka);
    const deliveries = (await api.get('/v4/webhooks')).body.data.map((one: any) =>
      api.get(`/v4/webhooks/${one.id}/deliveries`),
    );
    for (const { body } of (await Promise.all(deliveries)) as { body: any }[]) {
      for (const row of body.data) {
        if (row.event_id === got || (row.event_id === half && row.endpoint_id === id))
          await settle(duka, row.id, 'delivered');
        else if (row.event_id === half) await settle(duka, row.id, 'exhausted');
      }
    }
    const idsOf = async (query: string) =>
      (await api.get(`/v4/events?${query}`)).body.data.map((event: any) => event.id);
    expect(await idsOf('delivery_success=true')).toEqual([got]);
    expect(await idsOf('delivery_success=false')).toEqual([half, late]);
    expect(await idsOf('delivery_success=false&limit=1')).toEqual([half]);
    expect(await idsOf('type=wallet.created&limit=4')).toEqual([half, got, late, nobody]);
    expect((await api.get('/v4/events?delivery_success=yes')).status).toBe(400);
  });
});
