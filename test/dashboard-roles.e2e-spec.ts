import { PERMISSIONS, POWERS, type Role, ROLES } from '../src/modules/dashboard-api/roles';
import { Browser, newMember, newOwner, PASSWORD, tokenOf } from './support/dashboard';
import { Duka } from './support/duka';
import { addressOf, bodyOf, type Route, servedRoutes } from './support/routes';

const ID = 'wal_01kabcdefghjkmnpqrstvwxyz0';
const LOOK: readonly Role[] = ['owner', 'admin', 'developer', 'finance', 'support'];
const WORK: readonly Role[] = ['owner', 'admin', 'developer'];
const LEAD: readonly Role[] = ['owner', 'admin'];
/** Only operators of the platform: no role makes one. */
const NONE: readonly Role[] = [];

/** Who may do what at the dashboard: said a second time here, by route, so that a slip in the table of roles is seen. */
const MATRIX: Readonly<Record<string, readonly Role[]>> = {
  'GET /me': LOOK,
  'GET /sessions': LOOK,
  'DELETE /sessions/:id': LOOK,
  'PUT /password': LOOK,
  'POST /auth/step-up': LOOK,
  'POST /auth/step-up/passkey-options': LOOK,
  'POST /auth/step-up/passkey': LOOK,
  'POST /accounts': LOOK,
  'POST /accounts/leave': LOOK,
  'POST /accounts/:id/switch': LOOK,
  'GET /passkeys': LOOK,
  'POST /passkeys/options': LOOK,
  'POST /passkeys': LOOK,
  'PATCH /passkeys/:id': LOOK,
  'DELETE /passkeys/:id': LOOK,
  'POST /auth/log-out': LOOK,
  'POST /auth/log-out-everywhere': LOOK,
  'POST /totp/setup': LOOK,
  'POST /totp/confirm': LOOK,
  'POST /totp/disable': LOOK,
  'GET /overview': LOOK,
  'GET /wallets': LOOK,
  'GET /search': LOOK,
  'GET /stream': LOOK,
  'GET /notices': LOOK,
  'POST /notices/read': LOOK,
  'GET /transactions/totals': LOOK,
  'GET /transactions/export': LOOK,
  'GET /transactions/export/xlsx': LOOK,
  'GET /views': LOOK,
  'PUT /views': LOOK,
  'PATCH /views/:id': LOOK,
  'DELETE /views/:id': LOOK,
  'POST /transactions/:id/reveal': WORK,
  'GET /customers': LOOK,
  'GET /customers/:id/allowance': LOOK,
  'GET /card-transactions': LOOK,
  'GET /card-transactions/:id': LOOK,
  'GET /cards/:id/spending': LOOK,
  'GET /approvals': LOOK,
  'GET /approvals/:id': LOOK,
  'GET /stories/:id': LOOK,
  'GET /receipts/:id': LOOK,
  'GET /receipts/:id/pdf': LOOK,
  'POST /approvals/:id/decide': LEAD,
  'GET /keys': WORK,
  'GET /scopes': WORK,
  'POST /keys': WORK,
  'POST /keys/:id/roll': WORK,
  'POST /keys/:id/revoke': WORK,
  'POST /device/look-up': WORK,
  'POST /device/approve': WORK,
  'POST /device/deny': WORK,
  'GET /webhooks/:id/secret': WORK,
  'GET /webhooks/:id/figures': LOOK,
  'GET /request-log': [...WORK, 'support'],
  'GET /request-log/errors': [...WORK, 'support'],
  'GET /request-log/figures': [...WORK, 'support'],
  'GET /request-log/:id': [...WORK, 'support'],
  'GET /team': LOOK,
  'POST /team': LEAD,
  'PATCH /team/:id': LEAD,
  'DELETE /team/:id': LEAD,
  'POST /team/:id/resend': LEAD,
  'GET /branding': LEAD,
  'PUT /branding': LEAD,
  'PUT /branding/logo': LEAD,
  'DELETE /branding/logo': LEAD,
  'GET /audit-log': [...LEAD, 'finance'],
  'GET /audit-log/export': [...LEAD, 'finance'],
  'GET /operators/cells': NONE,
  'GET /operators/providers': NONE,
  'PUT /operators/routes': NONE,
  'GET /operators/fees': NONE,
  'PUT /operators/fees': NONE,
  'GET /operators/live/checklist': NONE,
  'GET /operators/live/providers': NONE,
  'GET /operators/live/differences': NONE,
  'POST /operators/live/differences/:id': NONE,
  'GET /operators/reviews/due': NONE,
  'POST /operators/reviews/payments/:id': NONE,
  'POST /operators/reviews/deposits/:id': NONE,
  'POST /operators/reviews/refunds/:id': NONE,
  'POST /operators/reviews/purchases/:id': NONE,
  'POST /operators/reviews/disputes/:id': NONE,
  'POST /operators/reviews/customers/:id': NONE,
  'POST /operators/reviews/cards/:id': NONE,
  'GET /operators/open-reviews': NONE,
  'GET /operators/open-reviews/:id': NONE,
  'GET /operators/accounts': NONE,
  'GET /operators/accounts/:id': NONE,
  'POST /operators/accounts/:id/people/:user_id/end-sessions': NONE,
  'GET /operators/provider-history': NONE,
  'GET /operators/provider-history/attempts': NONE,
  'GET /operators/books': NONE,
  'GET /operators/books/positions': NONE,
  'GET /operators/books/verifications': NONE,
  'POST /operators/books/verifications': NONE,
  'GET /operators/catalogue': NONE,
  'GET /operators/catalogue/plans': NONE,
  'GET /operators/catalogue/sources': NONE,
  'POST /operators/catalogue/sources/:provider/syncs': NONE,
  'GET /operators/catalogue/networks': NONE,
  'GET /operators/catalogue/billers': NONE,
  'GET /operators/catalogue/billers/:code/items': NONE,
  'PUT /operators/catalogue/billers/:code': NONE,
  'GET /operators/incidents': NONE,
  'POST /operators/incidents': NONE,
  'GET /operators/incidents/:id': NONE,
  'POST /operators/incidents/:id/updates': NONE,
};

/** Scopes that change something, by what each role may change with the public API. */
/** What each looks at: all but finance at the request log, too. */
const MAY_READ: Readonly<Record<Role, RegExp>> = {
  owner: /:read$/,
  admin: /:read$/,
  developer: /:read$/,
  finance: /^(?!requests:).*:read$/,
  support: /:read$/,
};
const MAY_WRITE: Readonly<Record<Role, { test: RegExp; live: RegExp }>> = {
  owner: { test: /./, live: /./ },
  admin: { test: /./, live: /./ },
  developer: { test: /./, live: /^webhooks:/ },
  finance: { test: /^$/, live: /^$/ },
  support: { test: /^$/, live: /^$/ },
};

let duka: Duka;
let team: Map<Role, Browser>;
let atDashboard: Route[];
let publicApi: Route[];

/** Whoever may open it would wait for its end: asked for from a place that is none, it answers. */
const ENDLESS = /\/stream$/;
const REFUSED = '?after=nothing';

const WITHOUT_SESSION =
  /\/(auth\/(sign-up|log-in|passkey-options|passkey|accept-invite|forgot-password|reset-password)|mailbox)$/;

beforeAll(async () => {
  duka = await Duka.start();
  const owner = await newOwner(duka);
  team = new Map([['owner', owner]]);
  for (const role of ROLES.slice(1)) team.set(role, await newMember(duka, owner, role));
  await duka.enableLive((await owner.get('/me')).body.account.id);
  const routes = servedRoutes(duka.app).filter(({ method }) => method !== 'HEAD');
  atDashboard = routes.filter(({ name }) => MATRIX[name.replace('/dashboard/api', '')] !== undefined);
  publicApi = routes.filter(({ operation }) => operation?.['x-required-scope'] !== undefined);
  // None of these is to change anything or end a session.
  expect(
    routes
      .filter(({ path }) => path.startsWith('/dashboard/api/') && !WITHOUT_SESSION.test(path))
      .map(({ name }) => name)
      .sort(),
  ).toEqual(
    Object.keys(MATRIX)
      .map((name) => name.replace(' ', ' /dashboard/api'))
      .sort(),
  );
});
afterAll(() => duka.stop());

describe('every role', () => {
  it.each(ROLES)('%s: does at the dashboard what it may, and nothing else', async (role) => {
    const browser = team.get(role)!;
    await browser.stepUp();
    const leaves = ({ path }: Route) => Number(/log-out/.test(path));
    for (const route of [...atDashboard].sort((a, b) => leaves(a) - leaves(b))) {
      const { status, body } = await browser.call(
        route.method,
        addressOf({ path: route.path.replace('/dashboard/api', '') }, ID) + (ENDLESS.test(route.path) ? REFUSED : ''),
        route.method === 'GET' ? undefined : {},
      );
      const isRefused = status === 403 && body.code === 'insufficient_role';
      expect([route.name, status === 401, !isRefused]).toEqual([
        route.name,
        false,
        MATRIX[route.name.replace('/dashboard/api', '')]!.includes(role),
      ]);
      if (browser.token === null) await browser.logIn();
    }
  });

  it.each(ROLES)('%s: reaches of the public API what it may, in each mode', async (role) => {
    const browser = team.get(role)!;
    await browser.stepUp();
    for (const mode of ['test', 'live'] as const) {
      for (const route of publicApi) {
        const may = [route.operation!['x-required-scope']!]
          .flat()
          .some((scope) => MAY_READ[role].test(scope) || MAY_WRITE[role][mode].test(scope));
        const { status, body } = await browser.call(route.method, `/${mode}${addressOf(route, ID)}`, bodyOf(route, ID));
        expect([mode, route.name, status === 401, !(status === 403 && body.code === 'insufficient_scope')]).toEqual([
          mode,
          route.name,
          false,
          may,
        ]);
      }
    }
  });

  it('has only permissions that exist', () =>
    expect(
      Object.values(POWERS)
        .flatMap(({ dashboard }) => dashboard)
        .filter((one) => !PERMISSIONS.includes(one)),
    ).toEqual([]));
});

describe('the team', () => {
  let owner: Browser;
  let admin: Browser;
  beforeAll(async () => {
    owner = await newOwner(duka);
    admin = await newMember(duka, owner, 'admin');
  });
  const memberOf = async ({ email }: Browser) =>
    (await owner.get('/team')).body.data.find((one: { email: string }) => one.email === email).id as string;

  it('is joined by a link that is good once', async () => {
    const guest = new Browser(duka);
    await owner.stepUp();
    const { body } = await owner.post('/team', { email: guest.email, name: 'Guest', role: 'support' });
    expect(body.user).toMatchObject({ email: guest.email, role: 'support', status: 'invited' });
    const accept = (browser: Browser, token = tokenOf(body.invite_url)) =>
      browser.post('/auth/accept-invite', { token, password: PASSWORD });
    const answers = await Promise.all([accept(guest), accept(guest.another())]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await accept(guest.another())).status).toBe(404);
    expect((await accept(guest.another(), 'A'.repeat(43))).status).toBe(404);
    expect((await guest.logIn()).body.user.role).toBe('support');
  });

  it('does not take in twice', async () => {
    expect((await owner.post('/team', { email: admin.email, name: 'Again', role: 'support' })).body.code).toBe(
      'already_member',
    );
  });

  it('has owners that only owners make, change and remove', async () => {
    const id = await memberOf(owner);
    await admin.stepUp();
    const tries = [
      await admin.post('/team', { email: 'x@example.com', name: 'X', role: 'owner' }),
      await admin.call('PATCH', `/team/${id}`, { role: 'support' }),
      await admin.call('PATCH', `/team/${await memberOf(admin)}`, { role: 'owner' }),
      await admin.call('DELETE', `/team/${id}`),
    ];
    expect(tries.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([403, 'insufficient_role']));
  });

  it('never loses its last owner, whoever is quicker', async () => {
    const id = await memberOf(owner);
    expect((await owner.call('DELETE', `/team/${id}`)).body.code).toBe('last_owner');
    expect((await owner.call('PATCH', `/team/${id}`, { role: 'admin' })).body.code).toBe('last_owner');
    const second = await newMember(duka, owner, 'owner');
    await second.stepUp();
    const other = await memberOf(second);
    const answers = await Promise.all([
      owner.call('PATCH', `/team/${other}`, { role: 'admin' }),
      second.call('PATCH', `/team/${id}`, { role: 'admin' }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = (await admin.get('/team')).body.data.filter(({ role }: { role: string }) => role === 'owner');
    expect(left).toHaveLength(1);
    if (answers[1]!.status === 200) await second.call('PATCH', `/team/${id}`, { role: 'owner' });
  });

  it('changes what somebody may do from their next request on', async () => {
    const developer = await newMember(duka, owner, 'developer');
    const id = await memberOf(developer);
    expect((await developer.get('/keys')).status).toBe(200);
    await owner.call('PATCH', `/team/${id}`, { role: 'finance' });
    expect((await developer.get('/keys')).status).toBe(403);
    await owner.call('DELETE', `/team/${id}`);
    expect([(await developer.get('/me')).status, (await developer.another().logIn()).status]).toEqual([401, 401]);
  });

  it("takes no invitation back in, and is nobody else's", async () => {
    const guest = new Browser(duka);
    await owner.stepUp();
    const { body } = await owner.post('/team', { email: guest.email, name: 'Guest', role: 'support' });
    const stranger = await newOwner(duka);
    await stranger.stepUp();
    for (const [method, change] of [
      ['PATCH', { role: 'admin' }],
      ['DELETE', undefined],
    ] as const) {
      expect((await stranger.call(method, `/team/${body.user.id}`, change)).status).toBe(404);
    }
    expect((await owner.call('DELETE', `/team/${body.user.id}`)).status).toBe(204);
    expect(
      (await guest.post('/auth/accept-invite', { token: tokenOf(body.invite_url), password: PASSWORD })).status,
    ).toBe(404);
  });
});
