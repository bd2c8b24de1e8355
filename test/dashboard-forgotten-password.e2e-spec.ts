import { request } from 'node:http';
import { DataSource } from 'typeorm';
import { PasswordResets } from '../src/modules/dashboard-api/people/password-resets.service';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { SecurityService } from '../src/modules/dashboard-api/security.service';
import { Browser, newEmail, newMember, newOwner, PASSWORD, SessionTime, tokenOf } from './support/dashboard';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const NEW_PASSWORD = 'eleven quiet lamps over Lagos';
const REQUESTS_MAX = 5;

let duka: Duka;
let time: SessionTime;

beforeAll(async () => {
  duka = await Duka.start({ TRUST_PROXY: '127.0.0.1' });
  time = new SessionTime(duka);
});
afterAll(() => duka.stop());

let addresses = 0;
/** Each test comes from an address of its own: tries are counted by it. */
const from = (): Record<string, string> => ({ 'x-forwarded-for': `10.1.0.${addresses++}` });

const query = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
  duka.get<DataSource>(DataSource).query(sql, values);

const mailsTo = async (email: string) =>
  (await new Browser(duka).get('/mailbox')).body.data.filter(({ to }: { to: string }) => to === email);

const linkOf = ({ text }: { text: string }): string => /#token=(\S+)/.exec(text)![1]!;

/** Asks for a link and reads it in the mailbox. */
async function linkFor(ada: Browser): Promise<string> {
  const before = (await mailsTo(ada.email)).length;
  expect((await ada.another().post('/auth/forgot-password', { email: ada.email }, from())).status).toBe(200);
  await until(async () => (await mailsTo(ada.email)).length > before);
  return linkOf((await mailsTo(ada.email))[0]);
}

const reset = (token: string, password = NEW_PASSWORD) =>
  new Browser(duka).post('/auth/reset-password', { token, password }, from());

const actionsOf = async ({ email }: Browser): Promise<string[]> =>
  (await query<{ action: string }>('SELECT action FROM audit_log WHERE actor = $1 ORDER BY id', [email])).map(
    ({ action }) => action,
  );

describe('a forgotten password', () => {
  it('is replaced by a link, once; every session ends, and the person is told', async () => {
    const ada = await newOwner(duka);
    const token = await linkFor(ada);
    expect((await ada.get('/me')).status).toBe(200);
    expect((await reset(token)).status).toBe(204);
    expect((await ada.get('/me')).status).toBe(401);
    expect((await ada.another().logIn({ password: PASSWORD })).status).toBe(401);
    expect((await ada.another().logIn({ password: NEW_PASSWORD })).status).toBe(200);
    expect(await reset(token, 'another fine sentence here 9')).toMatchObject({
      status: 404,
      body: { param: '/token' },
    });
    expect((await mailsTo(ada.email)).map(({ subject }: { subject: string }) => subject)).toEqual([
      'Your password was changed',
      'Choose a new password',
    ]);
    expect(await actionsOf(ada)).toEqual(expect.arrayContaining(['password.reset_requested', 'password.reset']));
  });

  it('is replaced once, however many use the link at the same moment', async () => {
    const token = await linkFor(await newOwner(duka));
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404]);
  });

  it('ends every other link of the person', async () => {
    const ada = await newOwner(duka);
    const [first, second] = [await linkFor(ada), await linkFor(ada)];
    // A link that is asked for takes none away: others could.
    expect((await reset(first)).status).toBe(204);
    expect((await reset(second)).status).toBe(404);
  });

  it('is not replaced by a link of 30 minutes ago', async () => {
    const ada = await newOwner(duka);
    const token = await linkFor(ada);
    time.pass(30 * 60 + 1);
    expect((await reset(token)).status).toBe(404);
    time.pass(-30 * 60 - 1);
    expect((await reset(token)).status).toBe(204);
  });

  it('is not replaced by a weak one, which leaves the link good', async () => {
    const ada = await newOwner(duka);
    const token = await linkFor(ada);
    for (const password of ['short', ada.email, 'passwordpassword'])
      expect(await reset(token, password)).toMatchObject({ status: 400, body: { code: 'weak_password' } });
    expect((await reset(token)).status).toBe(204);
  });

  it('lets nobody in without the code of the authenticator app', async () => {
    const ada = await newOwner(duka);
    await ada.stepUp();
    const { secret } = (await ada.post('/totp/setup')).body;
    await ada.post('/totp/confirm', { code: time.codeOf(secret) });
    time.pass(30);
    expect((await reset(await linkFor(ada), 'otter jug lamp')).status).toBe(204);
    const again = ada.another();
    expect(await again.logIn({ password: 'otter jug lamp' })).toMatchObject({ body: { code: 'totp_required' } });
    expect((await again.logIn({ password: 'otter jug lamp', code: time.codeOf(secret) })).status).toBe(200);
  });

  it('tells nobody who has an account, neither by the answer nor by how often one may ask', async () => {
    const ada = await newOwner(duka);
    const told = [];
    for (const email of [ada.email, newEmail()]) {
      const address = from();
      const answers = [];
      for (let nth = 0; nth <= REQUESTS_MAX; nth++) {
        const { status, body, headers } = await ada.another().post('/auth/forgot-password', { email }, address);
        const names = [...headers.keys()].filter((name) => !['date', 'request-id'].includes(name));
        answers.push([status, { ...body, request_id: '' }, names]);
      }
      told.push(answers);
    }
    expect(told[0]).toEqual(told[1]);
    expect(told[0]!.map(([status]) => status)).toEqual([...Array<number>(REQUESTS_MAX).fill(200), 429]);
    await until(async () => (await mailsTo(ada.email)).length === REQUESTS_MAX);
  });

  it('fills nobody a mailbox, from however many networks', async () => {
    const ada = await newOwner(duka);
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => ada.another().post('/auth/forgot-password', { email: ada.email }, from())),
    );
    expect(asked.every(({ status }) => status === 200)).toBe(true);
    await until(async () => (await mailsTo(ada.email)).length >= REQUESTS_MAX);
    expect(await mailsTo(ada.email)).toHaveLength(REQUESTS_MAX);
  });

  it('is at rest neither as a token nor as a link', async () => {
    const token = await linkFor(await newOwner(duka));
    const [{ rows }] = (await query<{ rows: string }>(
      `SELECT (SELECT string_agg(m::text, '') FROM mails m) || (SELECT string_agg(r::text, '') FROM password_resets r) AS rows`,
    )) as [{ rows: string }];
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(Buffer.from(token).toString('hex'));
    expect(rows).not.toContain('reset-password');
  });

  it('is told of when it is changed by the person, too', async () => {
    const ada = await newOwner(duka);
    expect((await ada.call('PUT', '/password', { current: PASSWORD, next: NEW_PASSWORD })).status).toBe(204);
    expect(await mailsTo(ada.email)).toMatchObject([{ subject: 'Your password was changed' }]);
    expect((await ada.get('/me')).status).toBe(200);
  });
});

describe('somebody whom an operator helps', () => {
  it('gets a password at the command line, and is told by mail that it is new', async () => {
    const ada = await newOwner(duka);
    const password = await duka.get<SecurityService>(SecurityService).recover(ada.email);
    expect((await ada.get('/me')).status).toBe(401);
    expect((await ada.another().logIn({ password })).status).toBe(200);
    expect(await mailsTo(ada.email)).toMatchObject([{ subject: 'Your password was changed' }]);
  });
});

describe('invitations', () => {
  it('go to whom they are for; names make no links', async () => {
    const ada = new Browser(duka);
    await ada.signUp({ name: 'Win $9 at http://evil.example/x', account_name: '<b>Shop</b>' });
    await ada.stepUp();
    const email = newEmail();
    const { body } = await ada.post('/team', { email, name: 'Bola', role: 'finance' });
    const [{ text }] = await mailsTo(email);
    expect(text).toContain(`/dashboard/invite?token=${tokenOf(body.invite_url)}`);
    expect(text).toContain('Win 9 at http evil example x invites you to the team of b Shop b as finance.');
  });

  it('still let people in', async () => {
    expect((await (await newMember(duka, await newOwner(duka), 'support')).get('/me')).status).toBe(200);
  });
});

/** `GET /dashboard/api/mailbox` with headers as they are. */
const mailboxStatus = (headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(`${duka.url}/dashboard/api/mailbox`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on('error', reject)
      .end();
  });

const LINKS_OF = 'SELECT 1 FROM password_resets r JOIN users u ON u.id = r.user_id WHERE u.email = $1';

describe('the mailbox', () => {
  it.each([
    ['this machine, by its address', 200, {}],
    ['this machine, by its name', 200, { host: 'localhost:3000' }],
    ['somebody behind a proxy', 404, { 'x-forwarded-for': '127.0.0.1' }],
    ['somebody behind a proxy that says so otherwise', 404, { via: '1.1 cache' }],
    ['somebody whose address the proxy tells', 404, { 'x-real-ip': '203.0.113.9' }],
    ['a name that leads to this machine', 404, { host: 'rebound.example' }],
    ['a page of another site', 403, { 'sec-fetch-site': 'cross-site' }],
  ])('answers %s with %i', async (_who, status, headers) => {
    expect(await mailboxStatus(headers)).toBe(status);
  });

  it('forgets what is older than 30 days', async () => {
    const ada = await newOwner(duka);
    await linkFor(ada);
    await duka.asOwner(`UPDATE mails SET created_at = now() - interval '31 days' WHERE recipient = $1`, [ada.email]);
    await duka.get<RecurringJobs>(RecurringJobs).run('mails.purge');
    expect(await mailsTo(ada.email)).toEqual([]);
  });

  // The last one: live mode stays.
  it('is closed, and no link is made for it, once anybody has real money', async () => {
    const ada = await newOwner(duka);
    const [{ id }] = (await query<{ id: string }>('SELECT id FROM accounts LIMIT 1')) as [{ id: string }];
    await duka.enableLive(id);
    expect(await mailboxStatus({})).toBe(404);
    const { body } = await ada.post('/auth/forgot-password', { email: ada.email }, from());
    expect(body).toEqual({ mail: 'none' });
    // The answer waits for nothing: what would be written is waited for here.
    await duka.get<PasswordResets>(PasswordResets).beforeApplicationShutdown();
    expect(await query('SELECT 1 FROM mails WHERE recipient = $1', [ada.email])).toEqual([]);
    expect(await query(LINKS_OF, [ada.email])).toEqual([]);
  });
});

describe('a service that others reach', () => {
  it.each([
    ['by its address', { HOST: '0.0.0.0' }],
    ['by where it is published', { PUBLIC_URL: 'https://duka.example' }],
  ])('%s shows no mail and makes no links', async (_how, settings) => {
    const server = await Duka.start(settings);
    try {
      const cookies = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
      const url = `http://127.0.0.1:${new URL(server.url).port}/dashboard/api`;
      const person = { name: 'Ada', email: 'ada@example.com', password: PASSWORD, account_name: 'Shop' };
      const post = (path: string, body: object) =>
        fetch(url + path, { method: 'POST', headers: cookies, body: JSON.stringify(body) });
      expect((await post('/auth/sign-up', person)).status).toBe(201);
      expect(await (await post('/auth/forgot-password', { email: person.email })).json()).toEqual({ mail: 'none' });
      expect((await fetch(`${url}/mailbox`)).status).toBe(404);
      expect(await server.get<DataSource>(DataSource).query('SELECT 1 FROM mails')).toEqual([]);
      expect(await server.get<DataSource>(DataSource).query('SELECT 1 FROM password_resets')).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
