import { runMigrations } from '../src/migrations/migrations';
import { describeApi } from '../src/core/openapi/document';
import { TEAMS } from '../src/extensions/extensions.module';
import { brokenChecks } from './support/books';
import { Duka } from './support/duka';
import { acme } from './support/parcels/team';

describe('parcels', () => {
  let duka: Duka;

  beforeAll(async () => {
    if (!TEAMS.includes(acme)) TEAMS.push(acme);
    duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
    await runMigrations(duka.env);
  });
  afterAll(() => duka.stop());

  async function call(path: string, key: string, body?: object, idempotencyKey?: string) {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const method = body ? 'POST' : 'GET';
    const response = await fetch(duka.url + path, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as any };
  }

  it('are made once for a key, listed and fetched', async () => {
    const { key } = await duka.account();
    const made = await call('/v4/parcels', key, { label: 'Books' }, 'one');
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^pcl_[0-9a-z]{26}$/),
        object: 'parcel',
        livemode: false,
        label: 'Books',
        created_at: expect.any(String),
      },
    ]);
    expect((await call('/v4/parcels', key, { label: 'Books' }, 'one')).body).toEqual(made.body);
    expect((await call('/v4/parcels', key, { label: 'Shoes' }, 'one')).body.code).toBe('idempotency_key_reused');
    expect((await call('/v4/parcels', key)).body).toMatchObject({ data: [made.body], has_more: false });
    expect((await call(`/v4/parcels/${made.body.id}`, key)).body).toEqual(made.body);
  });

  it('are seen only by their account, and by keys with the scope', async () => {
    const [owner, other] = [await duka.account(), await duka.account()];
    const { id } = (await call('/v4/parcels', owner.key, { label: 'Books' })).body;
    expect((await call(`/v4/parcels/${id}`, other.key)).status).toBe(404);
    expect((await call('/v4/parcels', other.key)).body.data).toEqual([]);
    const reader = await duka.key({ accountId: owner.id, scopes: ['parcels:read'] });
    expect((await call(`/v4/parcels/${id}`, reader)).status).toBe(200);
    expect((await call('/v4/parcels', reader, { label: 'Books' })).body.code).toBe('insufficient_scope');
    expect((await call('/v4/parcels', owner.key, { label: 'Books', colour: 'red' })).body.code).toBe('unknown_field');
  });

  it('are told of: an event that can be listed and listened to', async () => {
    const { key } = await duka.account();
    const made = (await call('/v4/parcels', key, { label: 'Books' })).body;
    const events = (await call('/v4/events?type=parcel.created', key)).body.data;
    expect(events).toEqual([expect.objectContaining({ type: 'parcel.created', data: { object: made } })]);
    const endpoint = { url: 'http://127.0.0.1:9/', events: ['parcel.*'] };
    expect((await call('/v4/webhooks', key, endpoint)).status).toBe(201);
    expect((await call('/v4/webhooks', key, { ...endpoint, events: ['parcels.*'] })).status).toBe(400);
  });

  it('stand in the OpenAPI document, with their event', () => {
    const { paths, webhooks, components } = describeApi(duka.app);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/v4/parcels', '/v4/parcels/{id}']));
    expect(Object.keys(webhooks!)).toContain('parcel.created');
    expect(JSON.stringify(components.schemas.ParcelCreatedEvent)).toContain('#/components/schemas/Parcel"');
    expect(JSON.stringify(components.schemas.Event)).toContain('"parcel.created"');
  });

  it('are looked at by verify:ledger', async () => {
    const { id: accountId } = await duka.account();
    expect(await brokenChecks(duka.env.DATABASE_URL!)).toEqual([]);
    await duka.asOwner(`INSERT INTO acme_parcels SELECT id, false, id, '' FROM accounts LIMIT 1`);
    const lost = `INSERT INTO claims (account_id, livemode, kind, value, fingerprint, resource, resource_id)
                  SELECT id, false, 'key', 'lost', '\\x00', 'pcl', gen_random_uuid() FROM accounts LIMIT 1`;
    await duka.asOwner(lost);
    expect((await brokenChecks(duka.env.DATABASE_URL!)).map(({ check }) => check)).toEqual([
      'claims_have_their_resource',
      'acme_parcels_have_labels',
    ]);
    await duka.asOwner(`DELETE FROM acme_parcels WHERE label = ''`);
    await duka.asOwner(`DELETE FROM claims WHERE value = 'lost'`);
    expect(accountId).toMatch(/^acct_/);
  });
});
