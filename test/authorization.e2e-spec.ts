import { SCOPES, type ScopeName } from '../src/vocabulary/scopes';
import { makeApiKey } from '../src/core/http/api-key';
import { RouteTable } from '../src/core/http/problems';
import { ApiKeysService } from '../src/modules/accounts/api-keys.service';
import { expectDocumented } from './support/contract';
import { Duka, type TestAccount } from './support/duka';
import { type RawAnswer, sendRequest } from './support/raw-http';
import { addressOf, bodyOf, documentedRoutes, type Route, servedRoutes } from './support/routes';

/** All that may be reached without a key. A new line here is a decision. */
const OPEN = [
  '/checkout/style.css',
  '/checkout/colours/:file',
  '/checkout/logos/:account/:hash',
  '/checkout/:token',
  '/checkout/:token/start',
  '/checkout/:token/check',
  '/checkout/:token/cancel',
  '/checkout/:token/return',
  '/checkout/:token/sandbox',
  // What operators wrote for everybody.
  '/status',
  '/status.json',
  '/status/style.css',
  // A command line asks for a key, which a person gives it at the dashboard; whoever has a key may end it.
  '/device/code',
  '/device/token',
  '/device/revoke',
  '/callbacks/:gateway',
  '/callbacks/virtual-accounts/:provider',
  '/callbacks/purchases/:provider',
  // Of other cells: each request has their seal, and without it there is nothing here.
  '/cells/credits',
  '/cells/payees',
  '/cells/people/:question',
  // Of Stripe Issuing, which signs its events; whoever has the address of a card's page got it from a link that works once.
  '/callbacks/cards/bridgecard',
  '/callbacks/cards/stripe',
  '/cards/bridgecard',
  '/cards/stripe/:token',
  '/cards/stripe/:token/key',
  '/healthz',
  '/readyz',
  '/metrics',
  '/',
  '/openapi.json',
  '/llms.txt',
  '/docs',
  '/docs/',
  '/docs/*',
  '/dashboard',
  '/dashboard/',
  '/dashboard/*',
  '/dashboard/api/auth/sign-up',
  '/dashboard/api/auth/log-in',
  '/dashboard/api/auth/passkey-options',
  '/dashboard/api/auth/passkey',
  '/dashboard/api/auth/accept-invite',
  '/dashboard/api/auth/forgot-password',
  '/dashboard/api/auth/reset-password',
  // Only this machine is answered, and only where mail goes nowhere.
  '/dashboard/api/mailbox',
  '/cards/reveal/:token',
  '/reports/download/:token',
];
/** For people with a session; their own tests walk them too. */
const isOfDashboard = ({ path }: Pick<Route, 'path'>): boolean => path.startsWith('/dashboard/');
/** Open, and no part of the interface: pages for people and for Prometheus. */
const UNDOCUMENTED = OPEN.filter((path) => !['/healthz', '/readyz'].includes(path));
/** Routes that ask for no scope: they tell any key of the account what became of its own requests. */
const UNSCOPED = ['/v4/idempotency/:key', '/v4/references/:reference'];

const ID = 'wal_01kabcdefghjkmnpqrstvwxyz0';
const REVOKED_STOPS_WITHIN_MS = 1000;
const GOOD_FOR_EVER_MS = 15_000;

type Headers = readonly (readonly [string, string])[];

let duka: Duka;
let account: TestAccount;
let routes: Route[];
let closed: Route[];

beforeAll(async () => {
  duka = await Duka.start();
  account = await duka.account();
  routes = servedRoutes(duka.app);
  closed = routes.filter((route) => !OPEN.includes(route.path) && !isOfDashboard(route));
});
afterAll(() => duka.stop());

async function ask(
  { method, path }: Route,
  headers: Headers,
  { port = new URL(duka.url).port, query = '' } = {},
): Promise<RawAnswer> {
  const url = addressOf({ path }, ID) + query;
  const answer = await sendRequest(Number(port), { method, path: url, headers });
  expectDocumented(method, url, answer);
  return answer;
}

const bearer = (key: string): Headers => [['Authorization', `Bearer ${key}`]];
const createKey = (settings: Partial<Parameters<ApiKeysService['create']>[0]>) =>
  duka.key({ accountId: account.id, ...settings });
/** Of an account of its own: there are more scopes than an account may have keys. */
const keyWithScopes = async (scopes: readonly ScopeName[]) =>
  duka.key({ accountId: (await duka.account()).id, scopes: [...scopes] });
/** Of a HEAD only the status can be seen. */
const codeOf = ({ status, body }: RawAnswer): unknown => body.code ?? (status === 401 ? 'unauthenticated' : undefined);

async function expectRefusedEverywhere(code: string, headers: Headers, query = ''): Promise<void> {
  for (const route of closed) {
    const answer = await ask(route, headers, { query });
    const expected = route.method === 'HEAD' ? 'unauthenticated' : code;
    expect([route.name, answer.status, codeOf(answer), answer.headers.get('www-authenticate')]).toEqual([
      route.name,
      401,
      expected,
      'Bearer',
    ]);
  }
}

describe('routes', () => {
  it('are all documented, and all that is documented is served', () => {
    const served = routes.filter(
      (route) => route.method !== 'HEAD' && !UNDOCUMENTED.includes(route.path) && !isOfDashboard(route),
    );
    expect(served.map(({ name }) => name).sort()).toEqual(documentedRoutes().sort());
  });

  it('are all known to the table that answers a wrong method', () => {
    const table = duka.get<RouteTable>(RouteTable);
    expect(routes.filter(({ method, path }) => !table.methodsOf(addressOf({ path }, ID)).includes(method))).toEqual([]);
  });

  it('are open only by an explicit decision, and the document says so', async () => {
    const answered = await Promise.all(routes.map(async (route) => ({ route, status: (await ask(route, [])).status })));
    const open = answered.filter(({ status }) => status !== 401).map(({ route }) => route.path);
    expect([...new Set(open)].sort()).toEqual([...OPEN].sort());
    const openInDocument = routes.filter(({ operation }) =>
      operation?.security?.some((one) => Object.keys(one).length === 0),
    );
    expect([...new Set(openInDocument.map(({ path }) => path))]).toEqual(['/healthz', '/readyz']);
  });

  it('ask for a scope, but for those that anyone of the account may use', () => {
    const unscoped = closed.filter(({ operation }) => operation?.['x-required-scope'] === undefined);
    expect([...new Set(unscoped.map(({ path }) => path))].sort()).toEqual(UNSCOPED);
  });
});

describe('every route that is not open', () => {
  it('refuses a request without a key', async () => {
    await expectRefusedEverywhere('missing_api_key', []);
    await expectRefusedEverywhere('missing_api_key', [['Authorization', '']]);
  });

  it('takes no key from the query string', async () => {
    const query = `?api_key=${account.key}&key=${account.key}&access_token=${account.key}&authorization=Bearer%20${account.key}`;
    await expectRefusedEverywhere('missing_api_key', [], query);
  });

  it.each<[string, () => Headers]>([
    ['a malformed key', () => bearer('sk_test_1')],
    ['a key with a wrong checksum', () => bearer(account.key.slice(0, -1) + (account.key.endsWith('0') ? '1' : '0'))],
    ['an unknown key', () => bearer(makeApiKey('test'))],
    ["an operator's key", () => bearer(makeApiKey('platform'))],
    ['a test key that calls itself live', () => bearer(account.key.replace('sk_test_', 'sk_live_'))],
    ['two keys in one header', () => bearer(`${account.key}, Bearer ${account.key}`)],
    ['two headers', () => [...bearer(account.key), ...bearer(account.key)]],
    ['two headers of which one is empty', () => [...bearer(account.key), ['Authorization', '']]],
    ['another scheme', () => [['Authorization', `Basic ${Buffer.from(`${account.key}:`).toString('base64')}`]]],
    ['a key without a scheme', () => [['Authorization', account.key]]],
    ['a scheme without a key', () => [['Authorization', 'Bearer']]],
  ])('refuses %s', (_, headers) => expectRefusedEverywhere('invalid_api_key', headers()));

  it('refuses an expired key', async () => {
    await expectRefusedEverywhere('invalid_api_key', bearer(await createKey({ expiresAt: new Date(Date.now() - 1) })));
  });

  it('refuses a key from an address that it does not allow, whatever the request claims', async () => {
    const key = await createKey({ allowedIps: ['10.0.0.0/8', '2001:db8::/32'] });
    await expectRefusedEverywhere('invalid_api_key', [
      ...bearer(key),
      ['X-Forwarded-For', '10.0.0.1'],
      ['Forwarded', 'for=10.0.0.1'],
      ['X-Real-IP', '10.0.0.1'],
    ]);
  });

  it('refuses a key that lacks its scope, and takes one that has no other', async () => {
    for (const route of closed) {
      const scope = route.operation!['x-required-scope'];
      if (scope === undefined) continue;
      const enough = [scope].flat() as ScopeName[];
      const without = await ask(route, bearer(await keyWithScopes(SCOPES.filter((one) => !enough.includes(one)))));
      expect([route.name, without.status, without.body.code]).toEqual([
        route.name,
        403,
        route.method === 'HEAD' ? undefined : 'insufficient_scope',
      ]);
      for (const one of enough) {
        const { status } = await ask(route, bearer(await keyWithScopes([one])));
        expect([route.name, one, [401, 403].includes(status)]).toEqual([route.name, one, false]);
      }
    }
  });

  it('refuses what it does not know in body and query string, also where it takes neither', async () => {
    for (const route of closed.filter(({ method }) => method !== 'HEAD')) {
      const [address, body] = [addressOf(route, ID), bodyOf(route, ID)];
      const answers = [await account.api.call(route.method, `${address}?colour=red`, body)];
      if (route.method !== 'GET')
        answers.push(await account.api.call(route.method, address, { ...body, dry_runn: true }));
      for (const answer of answers)
        expect([route.name, answer.status, answer.body.code]).toEqual([route.name, 400, 'unknown_field']);
    }
  });

  it('refuses an Idempotency-Key that is none, where it takes one', async () => {
    const takers = closed.filter(({ operation }) =>
      operation!.parameters?.some((parameter) => parameter.$ref?.endsWith('/IdempotencyKey')),
    );
    expect(takers.length).toBeGreaterThan(60);
    for (const route of takers) {
      const answer = await account.api.call(route.method, addressOf(route, ID), bodyOf(route, ID), {
        key: 'two words',
      });
      expect([route.name, answer.status, answer.body.detail]).toEqual([
        route.name,
        400,
        expect.stringContaining('Idempotency-Key'),
      ]);
    }
  });

  it('refuses a live key in the sandbox', async () => {
    const key = await createKey({ livemode: true });
    const sandbox = closed.filter(({ path }) => path.startsWith('/v4/sandbox/'));
    expect(sandbox.length).toBeGreaterThan(0);
    for (const route of sandbox) {
      const { status, body } = await duka.api(key).call(route.method, addressOf(route, ID), bodyOf(route, ID));
      expect([route.name, status, body.code]).toEqual([
        route.name,
        403,
        route.method === 'HEAD' ? undefined : 'key_mode_mismatch',
      ]);
    }
  });
});

describe('a key', () => {
  const reads = async (key: string, of = duka) => (await of.api(key).get('/v4/account')).status;

  it.each([['127.0.0.1'], ['127.0.0.0/8'], ['10.0.0.1', '127.0.0.0/30']])('works from %s', async (...allowedIps) => {
    expect(await reads(await createKey({ allowedIps }))).toBe(200);
  });

  it('is held against the address that a trusted proxy tells', async () => {
    const behindProxy = await Duka.start({ TRUST_PROXY: '127.0.0.1' });
    const { id } = await behindProxy.account();
    const api = behindProxy.api(await behindProxy.key({ accountId: id, allowedIps: ['10.0.0.0/8'] }));
    const from = async (address: string) =>
      (await api.get('/v4/account', { headers: { 'x-forwarded-for': address } })).status;
    expect([
      await from('10.1.2.3'),
      await from('11.1.2.3'),
      await from('10.1.2.3, 11.1.2.3'),
      await from('11.1.2.3, 10.1.2.3'),
    ]).toEqual([200, 401, 401, 200]);
    await behindProxy.stop();
  });

  it('stops when it expires', async () => {
    const expiresAt = new Date(Date.now() + 1000);
    const key = await createKey({ expiresAt });
    expect(await reads(key)).toBe(200);
    expect(await lastAccepted(key)).toBeLessThanOrEqual(expiresAt.getTime());
  });

  it('stops within a second on every process when it is revoked', async () => {
    const twin = await duka.twin();
    const keys = duka.get<ApiKeysService>(ApiKeysService);
    const { accountId } = (await keys.findUsable(account.key))!.key;
    const { key, secret } = await keys.create({
      accountId,
      livemode: false,
      name: 'short',
      scopes: null,
      allowedIps: null,
      expiresAt: null,
    });
    expect([await reads(secret), await reads(secret, twin)]).toEqual([200, 200]);
    await keys.revoke(key.id);
    const revokedAt = Date.now();
    for (const last of await Promise.all([lastAccepted(secret), lastAccepted(secret, twin)]))
      expect(last - revokedAt).toBeLessThan(REVOKED_STOPS_WITHIN_MS);
    await expectRefusedEverywhere('invalid_api_key', bearer(secret));
    expect(await reads(account.key)).toBe(200);
    await twin.stop();
  });

  /** When the last request that a key was good for was sent; -Infinity when there was none. */
  async function lastAccepted(key: string, of = duka): Promise<number> {
    const began = Date.now();
    for (let last = -Infinity; last < began + GOOD_FOR_EVER_MS;) {
      const sentAt = Date.now();
      if ((await reads(key, of)) === 401) return last;
      last = sentAt;
    }
    throw new Error('the key goes on working');
  }
});
