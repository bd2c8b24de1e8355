import { DataSource } from 'typeorm';
import { PasswordsService } from '../src/modules/dashboard-api/people/passwords.service';
import type { Answer } from './support/contract';
import { Browser, newEmail, newOwner, PASSWORD, SessionTime } from './support/dashboard';
import { Duka } from './support/duka';

const TRIES_MAX = 10;

let duka: Duka;
let time: SessionTime;
let runs: jest.SpyInstance;

beforeAll(async () => {
  duka = await Duka.start({ TRUST_PROXY: '127.0.0.1' });
  time = new SessionTime(duka);
  // Every run of Argon2 passes here.
  runs = jest.spyOn(PasswordsService.prototype as unknown as { run(): Promise<Buffer> }, 'run');
});
afterAll(() => duka.stop());

let addresses = 0;
/** Each test comes from an address of its own: tries are counted by it. */
const from = (): Record<string, string> => ({ 'x-forwarded-for': `10.0.${addresses >> 8}.${addresses++ & 255}` });

/** Everything of an answer that could tell one case from another, and the work that it took. */
async function traceOf(work: () => Promise<Answer>): Promise<object> {
  runs.mockClear();
  const { status, body, headers } = await work();
  const told = [...headers].filter(([name]) => !['date', 'request-id'].includes(name));
  return { status, body: { ...body, request_id: '' }, headers: told, runs: runs.mock.calls.length };
}

async function withTotp(): Promise<{ ada: Browser; secret: string; codes: string[] }> {
  const ada = await newOwner(duka);
  await ada.stepUp();
  const { secret } = (await ada.post('/totp/setup')).body;
  const { status, body } = await ada.post('/totp/confirm', { code: time.codeOf(secret) });
  if (status !== 200) throw new Error(JSON.stringify(body));
  time.pass(30);
  return { ada, secret, codes: body.recovery_codes };
}

describe('who has an account', () => {
  it('cannot be found out by logging in', async () => {
    const ada = await newOwner(duka);
    const wrong = await traceOf(() =>
      ada.another().post('/auth/log-in', { email: ada.email, password: 'wrong password here' }, from()),
    );
    const unknown = await traceOf(() =>
      ada.another().post('/auth/log-in', { email: newEmail(), password: 'wrong password here' }, from()),
    );
    expect(wrong).toEqual(unknown);
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' }, runs: 1 });
  });

  it('nor by how often one may try', async () => {
    const ada = await newOwner(duka);
    for (const email of [ada.email, newEmail()]) {
      const address = from();
      const statuses = [];
      for (let nth = 0; nth <= TRIES_MAX; nth++)
        statuses.push((await ada.another().post('/auth/log-in', { email, password: 'wrong' }, address)).status);
      expect(statuses).toEqual([...Array<number>(TRIES_MAX).fill(401), 429]);
    }
  });

  it('nor by a code that is asked for: the password comes first', async () => {
    const { ada } = await withTotp();
    const wrong = await traceOf(() =>
      ada.another().post('/auth/log-in', { email: ada.email, password: 'wrong', code: '123456' }, from()),
    );
    const unknown = await traceOf(() =>
      ada.another().post('/auth/log-in', { email: newEmail(), password: 'wrong', code: '123456' }, from()),
    );
    expect(wrong).toEqual(unknown);
  });

  it('costs one hash whatever comes of it', async () => {
    const ada = await newOwner(duka);
    const body = { name: 'A', account_name: 'B', password: 'seven slow violet trams' };
    const traces = [
      await traceOf(() => ada.another().post('/auth/sign-up', { ...body, email: newEmail() }, from())),
      await traceOf(() => ada.another().post('/auth/sign-up', { ...body, email: ada.email }, from())),
      await traceOf(() => ada.another().logIn()),
    ];
    expect(traces).toMatchObject([
      { status: 201, runs: 1 },
      { status: 401, runs: 1 },
      { status: 200, runs: 1 },
    ]);
  });
});

describe('tries', () => {
  it('are counted by address of mail and network; the owner is not locked out elsewhere', async () => {
    const ada = await newOwner(duka);
    const attacker = from();
    const tries = await Promise.all(
      Array.from({ length: 30 }, () =>
        ada.another().post('/auth/log-in', { email: ada.email, password: 'wrong' }, attacker),
      ),
    );
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(TRIES_MAX);
    const refused = tries.find(({ status }) => status === 429)!;
    expect([refused.body.code, Number(refused.headers.get('retry-after'))]).toEqual([
      'rate_limited',
      expect.any(Number),
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await ada.another().post('/auth/log-in', { email: ada.email, password: PASSWORD }, attacker)).status).toBe(
      429,
    );
    expect((await ada.another().post('/auth/log-in', { email: ada.email, password: PASSWORD }, from())).status).toBe(
      200,
    );
  });

  it('of the password are bounded for who is signed in, too', async () => {
    const ada = await newOwner(duka);
    const statuses = [];
    for (let nth = 0; nth <= TRIES_MAX; nth++) statuses.push((await ada.stepUp({ password: 'wrong' })).status);
    expect(statuses).toEqual([...Array<number>(TRIES_MAX).fill(401), 429]);
  });

  it('of a code are bounded wherever they come from', async () => {
    const { ada, secret } = await withTotp();
    const statuses = [];
    for (let nth = 0; nth <= TRIES_MAX; nth++) {
      statuses.push(
        (await ada.another().post('/auth/log-in', { email: ada.email, password: PASSWORD, code: '000000' }, from()))
          .status,
      );
    }
    expect(statuses).toEqual([...Array<number>(TRIES_MAX).fill(401), 429]);
    expect(
      (
        await ada
          .another()
          .post('/auth/log-in', { email: ada.email, password: PASSWORD, code: time.codeOf(secret) }, from())
      ).status,
    ).toBe(429);
  });
});

describe('one-time codes', () => {
  it('are asked for once the app has shown one', async () => {
    const ada = await newOwner(duka);
    await ada.stepUp();
    const { body } = await ada.post('/totp/setup');
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_uri: expect.stringContaining(`secret=${body.secret}`),
    });
    expect((await ada.another().logIn()).status).toBe(200);
    expect((await ada.post('/totp/confirm', { code: '000000' })).body.code).toBe('wrong_totp_code');
    expect((await ada.post('/totp/confirm', { code: time.codeOf(body.secret) })).body.recovery_codes).toHaveLength(10);
    expect((await ada.get('/me')).body.user.totp_enabled).toBe(true);
    const { status, body: problem } = await ada.another().logIn();
    expect([status, problem.code]).toEqual([401, 'totp_required']);
  });

  it('are good once, also for many at once', async () => {
    const { ada, secret } = await withTotp();
    const code = time.codeOf(secret);
    const statuses = (
      await Promise.all(
        Array.from({ length: 5 }, () =>
          ada.another().post('/auth/log-in', { email: ada.email, password: PASSWORD, code }, from()),
        ),
      )
    ).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
    expect((await ada.stepUp({ code })).status).toBe(401);
    time.pass(30);
    expect((await ada.stepUp({ code: time.codeOf(secret) })).status).toBe(200);
  });

  it('that confirmed the app cannot be used to log in', async () => {
    const ada = await newOwner(duka);
    await ada.stepUp();
    const { secret } = (await ada.post('/totp/setup')).body;
    const code = time.codeOf(secret);
    await ada.post('/totp/confirm', { code });
    expect((await ada.another().logIn({ code })).status).toBe(401);
  });

  it('are refused when they are older than a step', async () => {
    const { ada, secret } = await withTotp();
    const code = time.codeOf(secret);
    time.pass(90);
    expect((await ada.another().logIn({ code })).status).toBe(401);
  });

  it('have substitutes that are good once each', async () => {
    const { ada, codes } = await withTotp();
    const [first, second] = codes as [string, string];
    expect(new Set(codes).size).toBe(10);
    const statusOf = async (code: string) =>
      (await ada.another().post('/auth/log-in', { email: ada.email, password: PASSWORD, code }, from())).status;
    const twice = await Promise.all([statusOf(first), statusOf(first)]);
    expect([
      ...twice.toSorted((a, b) => a - b),
      await statusOf(first),
      await statusOf(second.toLowerCase().replaceAll('-', ' ')),
      await statusOf('AAAA-BBBB-CCCC-DDDD'),
    ]).toEqual([200, 401, 401, 200, 401]);
  });

  it('are not moved to another phone while they are on', async () => {
    const { ada } = await withTotp();
    expect((await ada.post('/totp/setup')).status).toBe(409);
  });

  it('are kept so that nobody reads them in the database', async () => {
    const { ada, secret, codes } = await withTotp();
    const [row] = await duka
      .get<DataSource>(DataSource)
      .query('SELECT u::text AS text FROM users u WHERE email = $1', [ada.email]);
    for (const hidden of [secret, Buffer.from(secret).toString('hex'), ...codes])
      expect(row.text).not.toContain(hidden);
  });
});

describe('a new password', () => {
  it.each([
    'too short',
    'passwordpassword',
    '123456789012345',
    'aaaaaaaaaaaaaaaaaaaa',
    'qwertyuiopasdfghjkl',
    'iloveyouiloveyou',
  ])('is refused when it is "%s"', async (password) => {
    const ada = new Browser(duka);
    const { status, body } = await ada.signUp({ password });
    expect([status, body.code, body.param]).toEqual([400, 'weak_password', '/password']);
  });

  it('is refused when it is made of what everybody knows of the person', async () => {
    const ada = new Browser(duka, 'adalovelace-the-first@example.com');
    expect((await ada.signUp({ password: 'adalovelace-the-first' })).body.code).toBe('weak_password');
  });

  it('may be shorter for who has one-time codes', async () => {
    const { ada, secret } = await withTotp();
    expect(
      (await ada.call('PUT', '/password', { current: PASSWORD, code: time.codeOf(secret), next: 'xK7$qp!vW' })).status,
    ).toBe(204);
    const plain = await newOwner(duka);
    expect((await plain.call('PUT', '/password', { current: PASSWORD, next: 'xK7$qp!vW' })).body).toMatchObject({
      code: 'weak_password',
      param: '/next',
    });
    expect((await plain.call('PUT', '/password', { current: 'wrong', next: 'seven slow violet trams' })).status).toBe(
      401,
    );
  });
});
