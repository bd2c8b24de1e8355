import { Browser, newOwner, PASSWORD } from './support/dashboard';
import { expectDocumented } from './support/contract';
import { Duka, type TestAccount } from './support/duka';
import { type RawAnswer, sendRequest } from './support/raw-http';
import { addressOf, bodyOf, type Route, servedRoutes } from './support/routes';

type Headers = readonly (readonly [string, string])[];

const ID = 'wal_01kabcdefghjkmnpqrstvwxyz0';
const OPEN = [
  '/dashboard',
  '/dashboard/',
  '/dashboard/*',
  '/dashboard/api/auth/sign-up',
  '/dashboard/api/auth/log-in',
  '/dashboard/api/auth/accept-invite',
  '/dashboard/api/auth/passkey-options',
  '/dashboard/api/auth/passkey',
  '/dashboard/api/auth/forgot-password',
  '/dashboard/api/auth/reset-password',
  // Only this machine is answered, and only where mail goes nowhere.
  '/dashboard/api/mailbox',
];

let duka: Duka;
let account: TestAccount;
let ada: Browser;
let atDashboard: Route[];
let publicApi: Route[];

beforeAll(async () => {
  duka = await Duka.start();
  [account, ada] = [await duka.account(), await newOwner(duka)];
  const routes = servedRoutes(duka.app);
  atDashboard = routes.filter(({ path }) => path.startsWith('/dashboard/') && !OPEN.includes(path));
  publicApi = routes.filter(({ path, operation }) => /^\/(v4|api\/v1)\//.test(path) && operation !== undefined);
});
afterAll(() => duka.stop());

async function ask(
  { method, path }: Pick<Route, 'method' | 'path'>,
  headers: Headers,
  body?: string,
): Promise<RawAnswer> {
  const url = addressOf({ path }, ID);
  const answer = await sendRequest(Number(new URL(duka.url).port), { method, path: url, headers, body });
  expectDocumented(method, url, answer);
  return answer;
}

const bearer = (): Headers => [['Authorization', `Bearer ${account.key}`]];
const cookie = (): Headers => [['Cookie', `session=${ada.token}; __Host-session=${ada.token}`]];
const sameOrigin: Headers = [['Sec-Fetch-Site', 'same-origin']];
const outcomeOf = ({ status, body }: RawAnswer, method: string) => [status, method === 'HEAD' ? undefined : body.code];

describe('the doors', () => {
  it('of the dashboard open to no key, and to nobody without a session', async () => {
    expect(atDashboard.length).toBeGreaterThan(20);
    for (const headers of [
      [],
      bearer(),
      sameOrigin,
      [...sameOrigin, ['Cookie', `session=${'A'.repeat(43)}`]],
    ] as Headers[]) {
      for (const route of atDashboard)
        expect([route.name, ...outcomeOf(await ask(route, headers), route.method)]).toEqual([
          route.name,
          401,
          route.method === 'HEAD' ? undefined : 'not_signed_in',
        ]);
    }
  });

  it('of the public API open to no key under the dashboard', async () => {
    for (const route of publicApi) {
      for (const mode of ['test', 'live']) {
        const { status, body } = await ask({ ...route, path: `/dashboard/api/${mode}${route.path}` }, [
          ...bearer(),
          ...sameOrigin,
        ]);
        const isOpen = route.operation?.security?.some((one) => Object.keys(one).length === 0) === true;
        expect([
          route.name,
          mode,
          isOpen || status === 401,
          isOpen || route.method === 'HEAD' || body.code === 'not_signed_in',
        ]).toEqual([route.name, mode, true, true]);
      }
    }
  });

  it('of the public API open to no session at their own address', async () => {
    for (const route of publicApi) {
      if (route.operation?.security?.some((one) => Object.keys(one).length === 0)) continue;
      const outcome = outcomeOf(await ask(route, [...cookie(), ...sameOrigin]), route.method);
      expect([route.name, ...outcome]).toEqual([
        route.name,
        401,
        route.method === 'HEAD' ? undefined : 'missing_api_key',
      ]);
    }
  });

  it.each([
    '/dashboard/api/prod/v4/wallets',
    '/dashboard/api/TEST/v4/wallets',
    '/dashboard/api/test//v4/wallets',
    '/dashboard/api/test/v5/wallets',
    '/dashboard/api/test/healthz',
    '/dashboard/api/test/dashboard/api/me',
    '/dashboard/api/test/api/v2/x',
    '/dashboard/api/test',
    '/dashboard/api/test/v4/../../me',
    '//dashboard/api/test/v4/wallets',
  ])('do not lead anywhere from %s', async (path) => {
    expect(
      (
        await sendRequest(Number(new URL(duka.url).port), {
          method: 'GET',
          path,
          headers: [...cookie(), ...sameOrigin],
        })
      ).status,
    ).toBe(404);
  });
});

describe('what another site makes a browser send', () => {
  const own = () => duka.url;
  /** Name, headers. None of these changes anything. */
  const FOREIGN: readonly (readonly [string, () => Headers])[] = [
    ['says nothing of where it comes from', () => []],
    ['is cross-site', () => [['Sec-Fetch-Site', 'cross-site']]],
    ['is same-site', () => [['Sec-Fetch-Site', 'same-site']]],
    ['is a navigation', () => [['Sec-Fetch-Site', 'none']]],
    ['has a site that is none', () => [['Sec-Fetch-Site', 'same-origin, cross-site']]],
    ['has an empty site', () => [['Sec-Fetch-Site', '']]],
    [
      'is cross-site and claims our origin',
      () => [
        ['Sec-Fetch-Site', 'cross-site'],
        ['Origin', own()],
      ],
    ],
    ['comes from elsewhere', () => [['Origin', 'https://evil.example']]],
    ['comes from nowhere', () => [['Origin', 'null']]],
    ['comes from another port', () => [['Origin', 'http://127.0.0.1:1']]],
    ['comes from a host that begins like ours', () => [['Origin', `${own()}.evil.example`]]],
    ['has our address as its referrer', () => [['Referer', `${own()}/dashboard`]]],
  ];

  const WRITES: readonly (readonly [string, string, object])[] = [
    ['POST', '/keys', { name: 'planted', livemode: false }],
    ['POST', '/test/v4/wallets', { currency: 'USD' }],
    ['POST', '/auth/log-in', { email: 'x@example.com', password: PASSWORD }],
    ['POST', '/auth/log-out', {}],
    ['PUT', '/password', { current: PASSWORD, next: 'seven slow violet trams' }],
  ];

  const send = (headers: Headers, [method, path, body]: (typeof WRITES)[number]) =>
    ask(
      { method, path: `/dashboard/api${path}` },
      [...cookie(), ['Content-Type', 'application/json'], ...headers],
      JSON.stringify(body),
    );

  it.each(FOREIGN)('is refused when it %s', async (_, headers) => {
    for (const write of WRITES) {
      const { status, body } = await send(headers(), write);
      expect([write[1], status, body.code]).toEqual([write[1], 403, 'cross_site_request']);
    }
  });

  it.each<[string, Headers]>([
    ['by its site', sameOrigin],
    ['by its origin, in browsers that know no site', [['Origin', 'http://localhost']]],
  ])('is told from what the page sends, %s', async (_, headers) => {
    expect((await send(headers, WRITES[1]!)).status).toBe(201);
  });

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
    'application/json-patch+json',
    '',
  ])('is not read when it is declared as "%s"', async (type) => {
    for (const headers of [sameOrigin, [] as Headers]) {
      const { status } = await ask(
        { method: 'POST', path: '/dashboard/api/keys' },
        [...cookie(), ['Content-Type', type], ...headers],
        '{"name":"planted","livemode":false}',
      );
      expect([403, 415]).toContain(status);
    }
  });

  it('is a GET that stays one, whatever it says of its method', async () => {
    const path = '/dashboard/api/auth/log-out-everywhere';
    for (const headers of [
      [['X-HTTP-Method-Override', 'POST']],
      [['X-HTTP-Method', 'POST']],
      [['X-Method-Override', 'POST']],
    ] as Headers[]) {
      expect(
        (await ask({ method: 'GET', path: `${path}?_method=POST` }, [...cookie(), ...sameOrigin, ...headers])).status,
      ).toBe(404);
    }
  });

  it('reads nothing either', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect(
        (await ask({ method: 'GET', path: '/dashboard/api/test/v4/wallets' }, [...cookie(), ['Sec-Fetch-Site', site]]))
          .status,
      ).toBe(403);
    }
  });

  it('left everything as it was', async () => {
    expect((await ada.get('/keys')).body.data).toEqual([]);
    expect((await ada.get('/me')).status).toBe(200);
    expect((await ada.another().logIn()).status).toBe(200);
  });
});

it('an example body of each operation reaches the public API with a session', async () => {
  for (const route of publicApi.filter(({ method }) => method !== 'DELETE')) {
    const { status, body } = await ada.call(route.method, `/test${addressOf(route, ID)}`, bodyOf(route, ID));
    expect([route.name, [401, 405].includes(status), body.code === 'insufficient_role']).toEqual([
      route.name,
      false,
      false,
    ]);
  }
});

it('routes of the dashboard refuse what they do not know, also where they take nothing', async () => {
  const asked = [
    await ada.get('/me?colour=red'),
    await ada.post('/auth/log-out-everywhere', { colour: 'red' }),
    await ada.post('/test/v4/sandbox/reset', { dry_run: true }),
  ];
  for (const { status, body } of asked) expect([status, body.code]).toEqual([400, 'unknown_field']);
  expect((await ada.get('/me')).status).toBe(200);
});

it('each session has the rate limit of a key, on both sides of the door', async () => {
  const limited = await Duka.start({ RATE_LIMIT_TEST: 1 });
  const [one, two] = [await newOwner(limited), await newOwner(limited)];
  const statuses = [];
  for (const path of ['/me', '/test/v4/wallets', '/keys', '/test/v4/wallets'])
    statuses.push((await one.get(path)).status);
  expect([statuses, (await two.get('/me')).status]).toEqual([[200, 200, 429, 429], 200]);
  const three = await newOwner(limited);
  const refused = [];
  // What the role may not counts as well.
  for (const path of ['/operators/books', '/operators/books', '/me']) refused.push((await three.get(path)).status);
  expect(refused).toEqual([403, 403, 429]);
  await limited.stop();
});
