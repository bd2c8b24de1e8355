import { Browser, newEmail, newMember, newOwner, PASSWORD, SessionTime } from '../support/dashboard';
import { Duka } from '../support/duka';
import { addressOf, bodyOf, type Route, servedRoutes } from '../support/routes';

const ID = 'wal_01kabcdefghjkmnpqrstvwxyz0';
const READS = ['GET', 'HEAD'];

/** What may be done with real money without a fresh proof. A new line here is a decision. */
const LIVE_WITHOUT = ['POST /v4/banks/resolve', 'POST /v4/bills/validate', 'POST /v4/transactions/:id/requery'];
/** Likewise at the dashboard itself: it begins or ends sessions, asks for the proof itself, or stops a key. Keys ask for live mode, below. */
const DASHBOARD_WITHOUT = [
  'POST /auth/sign-up',
  'POST /auth/log-in',
  'POST /auth/passkey-options',
  'POST /auth/passkey',
  'POST /auth/accept-invite',
  'POST /auth/forgot-password',
  'POST /auth/reset-password',
  'POST /auth/log-out',
  'POST /auth/log-out-everywhere',
  'POST /auth/step-up',
  'POST /accounts/:id/switch',
  'POST /auth/step-up/passkey-options',
  'POST /auth/step-up/passkey',
  'DELETE /sessions/:id',
  'PUT /password',
  'POST /totp/disable',
  'POST /keys',
  'POST /keys/:id/roll',
  'POST /keys/:id/revoke',
  'POST /device/look-up',
  'POST /device/approve',
  'POST /device/deny',
  'PUT /views',
  'PATCH /views/:id',
  'DELETE /views/:id',
  'POST /notices/read',
];
/** Asked for in the sandbox, too: what it shows looks like the real thing. */
const TEST_WITH = ['POST /v4/cards/:id/reveal'];

let duka: Duka;
let time: SessionTime;
let owner: Browser;
let routes: Route[];

beforeAll(async () => {
  duka = await Duka.start();
  time = new SessionTime(duka);
  owner = await liveOwner();
  routes = servedRoutes(duka.app).filter(({ method }) => !READS.includes(method));
});
afterAll(() => duka.stop());

async function liveOwner(): Promise<Browser> {
  const browser = await newOwner(duka);
  await duka.enableLive((await browser.get('/me')).body.account.id);
  return browser;
}

/** Names of the routes that ask for step-up. */
async function askingFor(some: readonly Route[], prefix: string): Promise<string[]> {
  const asking: string[] = [];
  for (const route of some) {
    const { status, body } = await owner.call(
      route.method,
      prefix + addressOf(route, ID),
      bodyOf(route, ID) ?? (route.method === 'DELETE' ? undefined : {}),
    );
    if (status === 403 && body.code === 'step_up_required') asking.push(route.name);
    if (owner.token === null || (await owner.get('/me')).status !== 200) await owner.logIn();
  }
  return asking;
}

const publicApi = (): Route[] =>
  routes.filter(
    ({ path, operation }) => /^\/(v4|api\/v1)\//.test(path) && operation?.['x-required-scope'] !== undefined,
  );

describe('step-up', () => {
  it('is asked for by every live route that changes anything', async () => {
    const changing = publicApi();
    expect(changing.length).toBeGreaterThan(30);
    expect(await askingFor(changing, '/live')).toEqual(
      changing.map(({ name }) => name).filter((name) => !LIVE_WITHOUT.includes(name)),
    );
  });

  it('is asked for in the sandbox only where a secret is shown', async () => {
    expect(await askingFor(publicApi(), '/test')).toEqual(TEST_WITH);
  });

  it('is asked for by every route of the dashboard that changes something: team, codes, operators', async () => {
    const own = routes
      .filter(({ path }) => path.startsWith('/dashboard/api/'))
      .map((route) => ({
        ...route,
        path: route.path.replace('/dashboard/api', ''),
        name: route.name.replace('/dashboard/api', ''),
      }));
    await duka.setOperator(owner.email, true);
    const asking = await askingFor(own, '');
    expect(asking).toEqual(
      expect.arrayContaining([
        'POST /team',
        'PATCH /team/:id',
        'DELETE /team/:id',
        'POST /totp/setup',
        'POST /totp/confirm',
        'PUT /operators/fees',
      ]),
    );
    expect(asking).toEqual(own.map(({ name }) => name).filter((name) => !DASHBOARD_WITHOUT.includes(name)));
  });

  it('stands between a stolen cookie and an owner of the thief', async () => {
    const victim = await liveOwner();
    const thief = new Browser(duka);
    thief.token = victim.token;
    const tries = [
      await thief.post('/team', { email: newEmail(), name: 'Second', role: 'owner' }),
      await thief.post('/keys', { name: 'theirs', livemode: true }),
      await thief.post('/live/v4/wallets', { currency: 'USD' }),
    ];
    expect(tries.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([403, 'step_up_required']));
    await victim.stepUp();
    expect((await victim.post('/team', { email: newEmail(), name: 'Second', role: 'owner' })).status).toBe(201);
  });

  it('is over after five minutes', async () => {
    const ada = await liveOwner();
    await ada.stepUp();
    expect((await ada.post('/live/v4/wallets', { currency: 'USD' })).status).toBe(201);
    time.pass(5 * 60);
    expect((await ada.post('/live/v4/wallets', { currency: 'USD' })).body.code).toBe('step_up_required');
  });

  it('comes after the role: who may not do it is not asked who they are', async () => {
    const lead = await liveOwner();
    await lead.stepUp();
    const support = await newMember(duka, lead, 'support');
    expect((await support.post('/team', { email: newEmail(), name: 'X', role: 'support' })).body.code).toBe(
      'insufficient_role',
    );
    expect((await support.post('/live/v4/wallets', { currency: 'USD' })).body.code).toBe('insufficient_scope');
  });
});

describe('one-time codes', () => {
  async function withCodes(): Promise<{ ada: Browser; secret: string }> {
    const ada = await newOwner(duka);
    await ada.stepUp();
    const { secret } = (await ada.post('/totp/setup')).body;
    expect((await ada.post('/totp/confirm', { code: time.codeOf(secret) })).status).toBe(200);
    time.pass(30);
    return { ada, secret };
  }

  it('cannot be turned on by a session alone', async () => {
    const thief = await newOwner(duka);
    expect((await thief.post('/totp/setup')).body.code).toBe('step_up_required');
    await thief.stepUp();
    const { secret } = (await thief.post('/totp/setup')).body;
    time.pass(5 * 60);
    expect((await thief.post('/totp/confirm', { code: time.codeOf(secret) })).body.code).toBe('step_up_required');
  });

  it('are turned off by the password and a code, and not by one of them', async () => {
    const { ada, secret } = await withCodes();
    expect((await ada.post('/totp/disable', { password: PASSWORD })).body.code).toBe('totp_required');
    expect((await ada.post('/totp/disable', { password: PASSWORD, code: '000000' })).status).toBe(401);
    expect((await ada.post('/totp/disable', { password: 'wrong', code: time.codeOf(secret) })).status).toBe(401);
    expect((await ada.post('/totp/disable', { password: PASSWORD, code: time.codeOf(secret) })).status).toBe(204);
    expect((await ada.another().logIn()).status).toBe(200);
  });

  it('are not turned off while the password is too short without them', async () => {
    const { ada, secret } = await withCodes();
    const short = 'xK7$qp!vW';
    const change = async (current: string, next: string) => {
      expect((await ada.call('PUT', '/password', { current, next, code: time.codeOf(secret) })).status).toBe(204);
      time.pass(30);
    };
    const turnOff = async (password: string) => {
      const { status, body } = await ada.post('/totp/disable', { password, code: time.codeOf(secret) });
      time.pass(30);
      return [status, body.code, body.param];
    };
    await change(PASSWORD, short);
    expect(await turnOff(short)).toEqual([400, 'weak_password', '/password']);
    expect((await ada.another().logIn({ password: short })).body.code).toBe('totp_required');
    await change(short, PASSWORD);
    expect(await turnOff(PASSWORD)).toEqual([204, undefined, undefined]);
  });

  it('are asked for with a new password', async () => {
    const { ada, secret } = await withCodes();
    const change = { current: PASSWORD, next: 'seven slow violet trams' };
    expect((await ada.call('PUT', '/password', change)).body.code).toBe('totp_required');
    expect((await ada.call('PUT', '/password', { ...change, code: time.codeOf(secret) })).status).toBe(204);
  });

  it('end the other sessions when they are turned on, and when they are turned off', async () => {
    const ada = await newOwner(duka);
    const before = ada.another();
    await before.logIn();
    await ada.stepUp();
    const { secret } = (await ada.post('/totp/setup')).body;
    await ada.post('/totp/confirm', { code: time.codeOf(secret) });
    time.pass(30);
    const between = ada.another();
    expect((await between.logIn({ code: time.codeOf(secret) })).status).toBe(200);
    time.pass(30);
    expect((await ada.post('/totp/disable', { password: PASSWORD, code: time.codeOf(secret) })).status).toBe(204);
    const statuses = await Promise.all([ada, before, between].map(async (one) => (await one.get('/me')).status));
    expect(statuses).toEqual([200, 401, 401]);
  });
});
