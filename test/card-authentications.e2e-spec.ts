import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { encodeId } from '../src/core/http/ids';
import { type AuthenticationMessage, IssuerMessages } from '../src/modules/cards/issuer-messages';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { createEndpoint, relayNow } from './support/webhooks';

const TYPE = 'card.authentication_code';

let duka: Duka;
let network: CardNetwork;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  network = await CardNetwork.in(duka, 1_000);
});
afterAll(() => duka.stop());
const authenticate = (body: object = { amount: 1_250 }, key?: string) =>
  network.api.post(`/v4/sandbox/cards/${network.card}/authenticate`, body, { key });
const listen = (includeSecrets: boolean, events: any[]) =>
  Receiver.of(
    duka,
    { id: encodeId('acct', network.owner.accountId), api: network.api, key: network.api.secret! },
    { events, includeSecrets },
  );
const sentTo = async (endpoint: string): Promise<any[]> =>
  (await network.api.all(`/v4/webhooks/${endpoint}/deliveries?limit=100`)).filter((one) => one.event_type === TYPE);
const eventsOf = async (id: string): Promise<any[]> =>
  (await network.api.get(`/v4/events?type=${TYPE}`)).body.data.filter(({ data }: any) => data.object.id === id);
const take = (message: Partial<AuthenticationMessage> & Pick<AuthenticationMessage, 'id'>) =>
  duka
    .get<IssuerMessages>(IssuerMessages)
    .takeAuthentication({
      issuer: 'sandbox',
      cardId: network.cardId,
      code: '731946',
      amount: null,
      currency: null,
      merchant: null,
      expiresAt: null,
      ...message,
    });

it('reaches an endpoint that takes secrets, whole, and no other', async () => {
  const open = await listen(true, ['card.*']);
  const shut = await Promise.all(['*', 'card.*', TYPE].map((p) => createEndpoint(network.api, { events: [p] })));
  const { status, body } = await authenticate();
  expect([status, body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^cau_/),
      object: 'card_authentication',
      card_id: network.card,
      details: { code: '******' },
      amount: 1_250,
      currency: 'USD',
      merchant: { name: 'Sandbox Shop', mcc: '5411', country: 'US' },
      expires_at: expect.any(String),
      livemode: false,
      created_at: expect.any(String),
    },
  ]);
  expect(new Date(body.expires_at).getTime() - new Date(body.created_at).getTime()).toBeLessThanOrEqual(
    300_000 + 1_000,
  );
  await relayNow(duka);
  await until(async () => open.of(TYPE).length > 0);
  const { data } = open.of(TYPE)[0]!.body;
  expect(data.object).toEqual({ ...body, details: { code: expect.stringMatching(/^\d{6}$/) } });
  expect(await sentTo(open.publicId)).toHaveLength(1);
  for (const { id } of shut) expect(await sentTo(id)).toEqual([]);
  const [event] = await eventsOf(body.id);
  expect(event.data.object.details).toEqual({ code: '******' });
  // Asked for by name, it says why; a replay of what is missing does not send it either.
  const range = { created_gte: event.created_at, created_lt: new Date(Date.now() + 60_000).toISOString() };
  for (const { id } of shut) {
    const { body: replay } = await network.api.post(`/v4/webhooks/${id}/replay`, {
      ...range,
      types: [TYPE],
      only: 'all',
    });
    expect([id, replay.count]).toEqual([id, 0]);
  }
  const code: string = data.object.details.code;
  expect(await rowsWith(code)).toEqual([]);
  for (const path of ['/v4/events', `/v4/events/${event.id}`, `/v4/webhooks/${open.publicId}/deliveries`])
    expect(JSON.stringify((await network.api.get(path)).body)).not.toContain(`"${code}"`);
  await open.close();
});

/** Tables in which the word stands, as text or as bytes. Six digits stand in many ids: only where no digit is beside them. */
async function rowsWith(code: string): Promise<string[]> {
  const dataSource = duka.get<DataSource>(DataSource);
  const tables: { name: string }[] =
    await dataSource.query(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind = 'r' AND has_table_privilege(oid, 'SELECT')`);
  const pattern = `(^|[^0-9a-f.])${code}($|[^0-9a-f])|${Buffer.from(code).toString('hex')}`;
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows: unknown[] = await dataSource.query(`SELECT 1 FROM ${name} t WHERE t::text ~ $1`, [pattern]);
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

it('is not sent any more to an endpoint that stops taking secrets', async () => {
  const { id } = await createEndpoint(network.api, { events: [TYPE], include_secrets: true });
  expect((await network.api.patch(`/v4/webhooks/${id}`, { include_secrets: false })).status).toBe(200);
  await authenticate();
  await relayNow(duka);
  expect(await sentTo(id)).toEqual([]);
});

it('is made once for a key, and for a message of an issuer', async () => {
  const key = randomUUID();
  const first = await authenticate({ amount: 5 }, key);
  const again = await authenticate({ amount: 5 }, key);
  expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
  expect((await authenticate({ amount: 6 }, key)).body.code).toBe('idempotency_key_reused');
  expect(await eventsOf(first.body.id)).toHaveLength(1);
  const count = async (): Promise<number> =>
    (await network.api.get(`/v4/events?type=${TYPE}&limit=100`)).body.data.length;
  const before = await count();
  const id = randomUUID();
  await Promise.all([take({ id }), take({ id })]);
  await take({ id });
  expect(await count()).toBe(before + 1);
  await expect(take({ id, amount: 7n, currency: 'EUR' })).rejects.toMatchObject({
    details: { code: 'duplicate_reference' },
  });
});

it('keeps no digest by which so short a code could be found', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await take({ id: one, code: '111111' });
  // The same message with another code passes for it: nothing that is stored depends on the code.
  await take({ id: one, code: '222222' });
  await expect(take({ id: other, code: 'x' })).rejects.toThrow('no code');
});

it('is of a card of that issuer only', async () => {
  await expect(take({ id: randomUUID(), issuer: 'example' })).rejects.toMatchObject({ details: { code: 'not_found' } });
  const stranger = (await duka.account()).api;
  expect((await stranger.post(`/v4/sandbox/cards/${network.card}/authenticate`, {})).status).toBe(404);
});
