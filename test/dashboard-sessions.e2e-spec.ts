import { DataSource } from 'typeorm';
import { Browser, newOwner, PASSWORD, SessionTime } from './support/dashboard';
import { Duka } from './support/duka';
import { sendRequest } from './support/raw-http';

let duka: Duka;
let time: SessionTime;
beforeAll(async () => {
  duka = await Duka.start();
  time = new SessionTime(duka);
});
afterAll(() => duka.stop());

const statusOf = async (browser: Browser): Promise<number> => (await browser.get('/me')).status;

describe('signing up', () => {
  it('opens an account with test wallets and lets its owner in', async () => {
    const ada = new Browser(duka);
    const { status, body } = await ada.signUp();
    expect([status, body.user, body.account, body.stepped_up_until]).toEqual([
      201,
      {
        id: expect.stringMatching(/^usr_/),
        name: 'Ada',
        email: ada.email,
        role: 'owner',
        totp_enabled: false,
        operator: false,
        several_cells: false,
      },
      { id: expect.stringMatching(/^acct_/), name: 'Shop', live_enabled: false },
      null,
    ]);
    expect((await ada.get('/me')).body).toEqual(body);
    expect((await ada.get('/test/v4/wallets')).body.data).toMatchObject([{ currency: 'NGN', livemode: false }]);
  });

  it('again with the right password is a log-in, with a wrong one no more than a wrong log-in', async () => {
    const ada = await newOwner(duka);
    const again = ada.another();
    const { status, body } = await again.signUp({ account_name: 'Other', email: ` ${ada.email.toUpperCase()}` });
    expect([status, body.account.name]).toEqual([201, 'Shop']);
    const wrong = await ada.another().signUp({ password: 'another fine long password' });
    const wrongLogIn = await ada.another().logIn({ password: 'another fine long password' });
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...wrongLogIn.body, request_id: '' });
    expect(wrong.headers.get('set-cookie')).toBeNull();
  });

  it('goes on where it was cut after the address was taken', async () => {
    const ada = await newOwner(duka);
    await duka
      .get<DataSource>(DataSource)
      .query('UPDATE team_members SET removed_at = now() WHERE email = $1', [ada.email]);
    expect([await statusOf(ada), (await ada.another().logIn()).status]).toEqual([401, 401]);
    expect((await ada.another().signUp({ account_name: 'Second try' })).body.account.name).toBe('Second try');
  });
});

describe('the cookie', () => {
  const signIn = (host: string) =>
    sendRequest(Number(new URL(duka.url).port), {
      method: 'POST',
      path: '/dashboard/api/auth/log-in',
      host,
      headers: [
        ['Content-Type', 'application/json'],
        ['Sec-Fetch-Site', 'same-origin'],
      ],
      body: JSON.stringify({ email: known.email, password: PASSWORD }),
    });
  let known: Browser;
  beforeAll(async () => void (known = await newOwner(duka)));

  it.each(['localhost:3000', '127.0.0.1', '[::1]:3000'])('of %s is for scripts of nobody', async (host) => {
    expect((await signIn(host)).headers.get('set-cookie')).toMatch(
      /^session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    );
  });

  it.each(['duka.example', 'localhost.duka.example', '127.0.0.1.example'])(
    'of %s can be set by that host over TLS alone',
    async (host) => {
      expect((await signIn(host)).headers.get('set-cookie')).toMatch(
        /^__Host-session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Lax$/,
      );
    },
  );

  it('without the prefix opens nothing at another host than localhost', async () => {
    const ask = (host: string, name: string) =>
      sendRequest(Number(new URL(duka.url).port), {
        method: 'GET',
        path: '/dashboard/api/me',
        host,
        headers: [['Cookie', `${name}=${known.token}`]],
      });
    const asked = [
      await ask('duka.example', '__Host-session'),
      await ask('duka.example', 'session'),
      await ask('localhost', 'session'),
      await ask('localhost', '__Host-session'),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 401, 200, 401]);
  });

  it('holds a new token at each log-in; one that was planted before is worth nothing', async () => {
    const planted = 'A'.repeat(43);
    const victim = known.another();
    victim.token = planted;
    expect((await victim.logIn()).status).toBe(200);
    expect([victim.token === planted, victim.token === known.token]).toEqual([false, false]);
    const attacker = known.another();
    attacker.token = planted;
    expect(await statusOf(attacker)).toBe(401);
  });

  it('that a browser had before log-in ends with it', async () => {
    const browser = await newOwner(duka);
    const before = browser.another();
    before.token = browser.token;
    await browser.logIn();
    expect([await statusOf(before), await statusOf(browser)]).toEqual([401, 200]);
  });

  it('leaves no token in the database', async () => {
    const rows: { text: string }[] = await duka
      .get<DataSource>(DataSource)
      .query('SELECT s::text AS text FROM sessions s UNION ALL SELECT u::text FROM users u');
    expect(rows.filter(({ text }) => text.includes(known.token!) || text.includes(PASSWORD))).toEqual([]);
    expect(rows.some(({ text }) => text.includes('$argon2id$v=19$m=19456,t=2,p=1$'))).toBe(true);
  });
});

describe('a session ends', () => {
  it('after 30 minutes in which nobody was there', async () => {
    const ada = await newOwner(duka);
    time.pass(29 * 60);
    expect(await statusOf(ada)).toBe(200);
    time.pass(29 * 60 + 50);
    expect(await statusOf(ada)).toBe(200);
    time.pass(30 * 60);
    expect(await statusOf(ada)).toBe(401);
  });

  it('after 12 hours, however busy it was', async () => {
    const ada = await newOwner(duka);
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      time.pass(20 * 60);
      expect([passed, await statusOf(ada)]).toEqual([passed, 200]);
    }
    time.pass(20 * 60);
    expect([await statusOf(ada), (await ada.logIn()).status]).toEqual([401, 200]);
  });

  it('is not kept alive by requests of other sites', async () => {
    const ada = await newOwner(duka);
    time.pass(20 * 60);
    expect((await ada.post('/auth/log-out', undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    time.pass(11 * 60);
    expect(await statusOf(ada)).toBe(401);
  });

  it('with a log-out, and takes the cookie along', async () => {
    const ada = await newOwner(duka);
    const { token } = ada;
    const { status, headers } = await ada.post('/auth/log-out');
    expect([status, headers.get('set-cookie')]).toEqual([204, 'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
    ada.token = token;
    expect(await statusOf(ada)).toBe(401);
  });

  it('at once, with all others of the person, in every process', async () => {
    const [ada, bystander] = [await newOwner(duka), await newOwner(duka)];
    const [phone, laptop] = [ada.another(), ada.another()];
    await Promise.all([phone.logIn(), laptop.logIn()]);
    const twin = await duka.twin();
    const elsewhere = new Browser(twin, ada.email);
    elsewhere.token = phone.token;
    expect(await Promise.all([ada, phone, laptop, elsewhere].map(statusOf))).toEqual([200, 200, 200, 200]);
    await laptop.post('/auth/log-out-everywhere');
    expect(await Promise.all([ada, phone, elsewhere, bystander].map(statusOf))).toEqual([401, 401, 401, 200]);
    await twin.stop();
  });

  it('when its person ends it from another browser, and only then', async () => {
    const [ada, stranger] = [await newOwner(duka), await newOwner(duka)];
    const phone = ada.another();
    await phone.logIn();
    const { body } = await phone.get('/sessions');
    expect(body).toMatchObject([{ current: true, ip: '127.0.0.1' }, { current: false }]);
    const { id } = body[1];
    expect((await stranger.call('DELETE', `/sessions/${id}`)).status).toBe(404);
    expect(await statusOf(ada)).toBe(200);
    expect([
      (await phone.call('DELETE', `/sessions/${id}`)).status,
      await statusOf(ada),
      await statusOf(phone),
    ]).toEqual([204, 401, 200]);
    expect((await phone.call('DELETE', '/sessions/ses_nonsense')).status).toBe(404);
  });

  it('when the password changes, but for a new one in the browser where that was done', async () => {
    const ada = await newOwner(duka);
    const phone = ada.another();
    await phone.logIn();
    const { token } = ada;
    expect((await ada.call('PUT', '/password', { current: PASSWORD, next: 'seven slow violet trams' })).status).toBe(
      204,
    );
    expect([await statusOf(ada), ada.token === token, await statusOf(phone)]).toEqual([200, false, 401]);
    expect([(await phone.logIn()).status, (await phone.logIn({ password: 'seven slow violet trams' })).status]).toEqual(
      [401, 200],
    );
  });
});
