import { DataSource } from 'typeorm';
import { Browser, newEmail, newOwner, PASSWORD, SessionTime, tokenOf } from '../support/dashboard';
import { Duka } from '../support/duka';
import { until } from '../support/recurring-probe';

const TRIES_MAX = 10;
const OTHER_PASSWORD = 'seven slow violet trams';

let duka: Duka;
beforeAll(async () => {
  duka = await Duka.start({ TRUST_PROXY: '127.0.0.1' });
  new SessionTime(duka);
});
afterAll(() => duka.stop());

const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

async function invite(owner: Browser, email: string): Promise<string> {
  await owner.stepUp();
  return tokenOf((await owner.post('/team', { email, name: 'Guest', role: 'owner' })).body.invite_url);
}

describe('guessing', () => {
  it('from a /64 of IPv6 is guessing from one address', async () => {
    const ada = await newOwner(duka);
    const guess = async (nth: number) =>
      (
        await ada
          .another()
          .post(
            '/auth/log-in',
            { email: ada.email, password: 'wrong' },
            from(`2001:db8:1:2:${nth.toString(16)}::${nth}`),
          )
      ).status;
    const statuses = [];
    for (let nth = 1; nth <= TRIES_MAX + 3; nth++) statuses.push(await guess(nth));
    expect(statuses).toEqual([...Array<number>(TRIES_MAX).fill(401), 429, 429, 429]);
    expect(
      (await ada.another().post('/auth/log-in', { email: ada.email, password: PASSWORD }, from('2001:db8:1:3::1')))
        .status,
    ).toBe(200);
  });

  it('counts the same address in both of its spellings', async () => {
    const email = newEmail();
    for (let nth = 0; nth < TRIES_MAX; nth++)
      await new Browser(duka).post('/auth/log-in', { email, password: 'wrong' }, from('198.51.100.9'));
    expect(
      (await new Browser(duka).post('/auth/log-in', { email, password: 'wrong' }, from('::ffff:198.51.100.9'))).status,
    ).toBe(429);
  });

  it('is seen in the audit log of whoever is guessed at', async () => {
    const ada = await newOwner(duka);
    await ada.another().post('/auth/log-in', { email: ada.email, password: 'wrong' }, from('198.51.100.7'));
    const refusals = async () =>
      (await ada.get('/audit-log')).body.data.filter(({ action }: any) => action === 'person.refused');
    await until(async () => (await refusals()).length === 1);
    expect(await refusals()).toMatchObject([{ ip: '198.51.100.7', actor: ada.email }]);
  });

  it('by strangers with an invitation for the address locks nobody out of step-up', async () => {
    const victim = await newOwner(duka);
    const attacker = await newOwner(duka);
    const token = await invite(attacker, victim.email);
    for (let nth = 0; nth <= TRIES_MAX; nth++)
      await new Browser(duka).post('/auth/accept-invite', { token, password: 'x' }, from(`198.51.100.${nth}`));
    expect((await victim.stepUp()).status).toBe(200);
  });
});

describe('an address that somebody took by signing up', () => {
  it('is had by whoever is invited with it, and the first keeps what is theirs', async () => {
    const squatter = await newOwner(duka);
    const boss = await newOwner(duka);
    const guest = squatter.another();
    const token = await invite(boss, guest.email);
    expect((await guest.post('/auth/accept-invite', { token, password: OTHER_PASSWORD })).status).toBe(200);
    const boards = async (password: string) => (await guest.another().logIn({ password })).body.account?.id;
    const [{ body: mine }, { body: theirs }] = [await boss.get('/me'), await squatter.get('/me')];
    expect([await boards(OTHER_PASSWORD), await boards(PASSWORD)]).toEqual([mine.account.id, theirs.account.id]);
    expect((await guest.another().logIn({ password: 'neither of the two' })).status).toBe(401);
    expect((await guest.stepUp({ password: PASSWORD })).status).toBe(401);
    expect((await guest.stepUp({ password: OTHER_PASSWORD })).status).toBe(200);
  });

  it('is not taken a second time by an invitation', async () => {
    const boss = await newOwner(duka);
    const guest = new Browser(duka);
    await guest.post('/auth/accept-invite', { token: await invite(boss, guest.email), password: PASSWORD });
    const other = await newOwner(duka);
    const taken = await guest
      .another()
      .post('/auth/accept-invite', { token: await invite(other, guest.email), password: OTHER_PASSWORD });
    expect([taken.status, taken.body.code]).toEqual([401, 'invalid_credentials']);
  });

  it('needs a strong password of the invited, too', async () => {
    const squatter = await newOwner(duka);
    const token = await invite(await newOwner(duka), squatter.email);
    expect(
      (await squatter.another().post('/auth/accept-invite', { token, password: 'passwordpassword' })).body.code,
    ).toBe('weak_password');
    expect(
      await duka.get<DataSource>(DataSource).query('SELECT 1 FROM users WHERE email = $1', [squatter.email]),
    ).toHaveLength(1);
  });
});
