import { SCOPES, type ScopeName } from '../../src/vocabulary/scopes';
import type { Api } from '../support/api';
import { cardholder } from '../support/cardholder';
import { Browser, newMember, newOwner } from '../support/dashboard';
import { Duka, type TestAccount } from '../support/duka';

const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
const URL_OF_ATTACKER = 'http://127.0.0.1:9/hooks';
const ALL_READS = SCOPES.filter((scope) => scope.endsWith(':read'));
const WHOLE = /"value":"\d{20}"/;
const MASKED = /"value":"\*{16}\d{4}"/;

let duka: Duka;
let account: TestAccount;
let bill: string;
const ORDER = { ...METER, amount: 1_000_000, reference: 'power-1' };

beforeAll(async () => {
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  account = await duka.account();
  bill = await payBill(account.api);
});
afterAll(() => duka.stop());

async function payBill(api: Api, order: object = ORDER): Promise<string> {
  const wallet = await api.wallet(10_000_000);
  const { body: validation } = await api.post('/v4/bills/validate', METER);
  return (await api.post('/v4/bills/pay', { ...order, wallet_id: wallet, validation_id: validation.id })).body.id;
}

const withScopes = async (...scopes: ScopeName[]): Promise<Api> =>
  duka.api(await duka.key({ accountId: account.id, scopes }));

describe('events', () => {
  it('tell a key only of what it may read', async () => {
    const all = (await account.api.get('/v4/events?limit=100')).body.data;
    const kinds = new Set(all.map(({ data }: any) => data.object.object));
    expect(kinds).toEqual(new Set(['wallet', 'transaction']));

    const nothing = (await (await withScopes('events:read')).get('/v4/events?limit=100')).body;
    expect(nothing.data).toEqual([]);
    const some = (await (await withScopes('events:read', 'transactions:read')).get('/v4/events?limit=100')).body.data;
    expect(some.map(({ id }: any) => id)).toEqual(
      all.filter(({ data }: any) => data.object.object === 'transaction').map(({ id }: any) => id),
    );
    expect(
      (await (await withScopes('events:read', 'transactions:read')).get('/v4/events?delivery_success=false')).status,
    ).toBe(200);
  });

  it('are refused one by one, with the scope that is missing', async () => {
    const {
      body: {
        data: [event],
      },
    } = await account.api.get('/v4/events?type=wallet.created');
    const key = await withScopes('events:read', 'transactions:read');
    const { status, body } = await key.get(`/v4/events/${event.id}`);
    expect([status, body.code, body.detail]).toEqual([
      403,
      'insufficient_scope',
      expect.stringContaining('wallets:read'),
    ]);
    expect((await (await withScopes('events:read', 'wallets:read')).get(`/v4/events/${event.id}`)).status).toBe(200);
  });

  it('are made in the sandbox about what the key may read', async () => {
    const { status, body } = await (
      await withScopes('sandbox:write')
    ).post('/v4/sandbox/events/trigger', { type: 'wallet.frozen' });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  });
});

describe('what became of a key', () => {
  const made = async (scopes: ScopeName[], key: string) => {
    const { status, body } = await (await withScopes(...scopes)).get(`/v4/idempotency/${key}`);
    return [status, body.status, body.resource?.object ?? null];
  };

  it('is told of an event only with the object that the key may read', async () => {
    expect(
      (await account.api.post('/v4/sandbox/events/trigger', { type: 'wallet.frozen' }, { key: 'sample-1' })).status,
    ).toBe(201);
    expect(await made(['transactions:read'], 'sample-1')).toEqual([200, 'completed', null]);
    expect(await made(['events:read'], 'sample-1')).toEqual([200, 'completed', null]);
    expect(await made(['events:read', 'wallets:read'], 'sample-1')).toEqual([200, 'completed', 'event']);
  });

  it('is told of any other thing only to a key that may read it', async () => {
    const things: [string, ScopeName, string][] = [
      ['/v4/customers', 'cards:read', 'customer'],
      ['/v4/webhooks', 'webhooks:read', 'webhook_endpoint'],
      ['/v4/wallets', 'wallets:read', 'wallet'],
    ];
    const bodies: object[] = [cardholder(), { url: URL_OF_ATTACKER, events: ['*'] }, { currency: 'USD' }];
    for (const [i, [path, scope, object]] of things.entries()) {
      expect([path, (await account.api.post(path, bodies[i], { key: `made-${i}` })).status]).toEqual([path, 201]);
      expect(
        await made(
          ALL_READS.filter((one) => one !== scope),
          `made-${i}`,
        ),
      ).toEqual([200, 'completed', null]);
      expect(await made([scope], `made-${i}`)).toEqual([200, 'completed', object]);
    }
  });
});

describe('a webhook endpoint', () => {
  const register = (key: Api, events: string[], more: object = {}) =>
    key.post('/v4/webhooks', { url: URL_OF_ATTACKER, events, ...more });

  it.each<[string, string[], ScopeName]>([
    ['everything', ['*'], 'transactions:read'],
    ['wallets', ['wallet.*'], 'wallets:read'],
    ['a credit', ['wallet.credited'], 'wallets:read'],
    ['transfers', ['transfer.*'], 'wallets:read'],
    ['cards', ['card.*'], 'cards:read'],
    ['card transactions', ['card.transaction.settled'], 'cards:read'],
    ['payments', ['payment.*'], 'payments:read'],
    ['billers', ['biller.*'], 'purchases:read'],
    ['the catalogue', ['catalogue.updated'], 'purchases:read'],
    ['endpoints', ['webhook_endpoint.*'], 'webhooks:read'],
  ])('hears of %s only for a key that may read it', async (_, events, scope) => {
    const { status, body } = await register(
      await withScopes('webhooks:write', ...ALL_READS.filter((one) => one !== scope)),
      events,
    );
    expect([status, body.code, body.detail]).toEqual([403, 'insufficient_scope', expect.stringContaining(scope)]);
    expect(
      (await register(await withScopes('webhooks:write', ...(events.includes('*') ? ALL_READS : [scope])), events))
        .status,
    ).toBe(201);
  });

  it('gets secrets only from a key that may see them', async () => {
    const key = await withScopes('webhooks:write', 'transactions:read');
    expect((await register(key, ['transaction.*'], { include_secrets: true })).body).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      detail: expect.stringContaining('tokens:reveal'),
    });
    expect(
      (
        await register(await withScopes('webhooks:write', 'transactions:read', 'tokens:reveal'), ['transaction.*'], {
          include_secrets: true,
        })
      ).status,
    ).toBe(201);
  });

  it('is changed by the same rules, and moved only by a key that may read what it hears', async () => {
    const {
      body: { id },
    } = await register(account.api, ['transaction.*'], { include_secrets: true });
    const narrow = await withScopes('webhooks:write');
    const change = async (key: Api, body: object) => (await key.call('PATCH', `/v4/webhooks/${id}`, body)).status;
    expect([
      await change(narrow, { events: ['*'] }),
      await change(narrow, { include_secrets: true }),
      await change(narrow, { url: 'http://127.0.0.1:9/other' }),
    ]).toEqual([403, 403, 403]);
    expect(
      await change(await withScopes('webhooks:write', 'transactions:read'), { url: 'http://127.0.0.1:9/other' }),
    ).toBe(403);
    // It told what it may tell before, and would tell more of it.
    expect(
      await change(await withScopes('webhooks:write', 'transactions:read', 'wallets:read'), {
        events: ['transaction.*', 'wallet.*'],
      }),
    ).toBe(403);
    expect([await change(narrow, { description: 'mine' }), await change(narrow, { include_secrets: false })]).toEqual([
      200, 200,
    ]);
    expect(
      await change(await withScopes('webhooks:write', 'transactions:read'), { url: 'http://127.0.0.1:9/other' }),
    ).toBe(200);
  });
});

describe('meter tokens', () => {
  it('are whole only for keys with their scope', async () => {
    const read = async (...scopes: ScopeName[]) =>
      JSON.stringify((await (await withScopes(...scopes)).get(`/v4/transactions/${bill}`)).body);
    expect(await read('transactions:read')).toMatch(MASKED);
    expect(await read('transactions:read')).not.toMatch(WHOLE);
    expect(await read('transactions:read', 'tokens:reveal')).toMatch(WHOLE);
    expect(JSON.stringify((await account.api.get(`/v4/transactions/${bill}`)).body)).toMatch(WHOLE);
  });
});

describe('at the dashboard', () => {
  let owner: Browser;
  let paid: string;
  beforeAll(async () => {
    owner = await newOwner(duka);
    const {
      body: {
        account: { id },
      },
    } = await owner.get('/me');
    paid = await payBill(duka.api(await duka.key({ accountId: id })));
  });
  const reveal = (browser: Browser, id = paid, mode = '?livemode=false') =>
    browser.post(`/transactions/${id}/reveal${mode}`, {});

  it('tokens are masked in what the API shows, for everybody', async () => {
    expect(JSON.stringify((await owner.get(`/test/v4/transactions/${paid}`)).body)).toMatch(MASKED);
  });

  it('are revealed after a fresh proof of identity, and that is written down', async () => {
    expect((await reveal(owner)).body.code).toBe('step_up_required');
    await owner.stepUp();
    const { status, body, headers } = await reveal(owner);
    expect([status, JSON.stringify(body), headers.get('cache-control')]).toEqual([
      200,
      expect.stringMatching(WHOLE),
      'no-store',
    ]);
    const {
      data: [entry],
    } = (await owner.get('/audit-log')).body;
    expect(entry).toMatchObject({ action: 'transaction.tokens_revealed', target: paid, actor: owner.email });
    expect(JSON.stringify(entry)).not.toMatch(/\d{20}/);
  });

  it('are revealed to no role that lacks the right, to no other account, and not in the other mode', async () => {
    await duka.enableLive((await owner.get('/me')).body.account.id);
    for (const role of ['finance', 'support', 'developer'] as const) {
      const member = await newMember(duka, owner, role);
      await member.stepUp();
      expect([role, (await reveal(member)).status]).toEqual([role, role === 'developer' ? 200 : 403]);
      expect([role, (await reveal(member, paid, '?livemode=true')).status]).toEqual([role, 403]);
    }
    const stranger = await newOwner(duka);
    await stranger.stepUp();
    expect([(await reveal(stranger)).status, (await reveal(owner, paid, '?livemode=true')).status]).toEqual([404, 404]);
  });
});
