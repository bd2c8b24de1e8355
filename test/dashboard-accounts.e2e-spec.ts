import { DataSource } from 'typeorm';
import { Browser, newMember, newOwner, PASSWORD, SessionTime, tokenOf } from './support/dashboard';
import { Duka } from './support/duka';

let duka: Duka;
let time: SessionTime;
beforeAll(async () => {
  duka = await Duka.start();
  time = new SessionTime(duka);
});
afterAll(() => duka.stop());

const me = async (browser: Browser): Promise<any> => (await browser.get('/me')).body;
const statusOf = async (browser: Browser): Promise<number> => (await browser.get('/me')).status;
const told = ({ status, body }: { status: number; body: any }) => [status, body.code];
const goTo = (browser: Browser, id: string) => browser.post(`/accounts/${id}/switch`);

/** Invites somebody who has an account of their own, and lets them join with their own password. */
async function joins(owner: Browser, guest: Browser, role: string): Promise<string> {
  await owner.stepUp();
  const { body } = await owner.post('/team', { email: guest.email, name: 'Guest', role });
  const answer = await guest.post('/auth/accept-invite', { token: tokenOf(body.invite_url), password: PASSWORD });
  expect(answer.status).toBe(200);
  return answer.body.account.id;
}

const memberIn = async (owner: Browser, email: string): Promise<string> =>
  (await owner.get('/team')).body.data.find((one: any) => one.email === email).id;

/** The owner of one account, who is support in that of another. */
async function inTwo() {
  const [ada, bola] = [await newOwner(duka), await newOwner(duka)];
  const own = (await me(bola)).account.id as string;
  const joined = await joins(ada, bola, 'support');
  return { ada, bola, own, joined };
}

describe('a person in several accounts', () => {
  it('joins with the link and their own password: no second person, and one session of one account', async () => {
    const { bola, own, joined } = await inTwo();
    const shown = await me(bola);
    expect([shown.account.id, shown.user.role]).toEqual([joined, 'support']);
    expect(shown.accounts.map(({ id, role, current }: any) => [id, role, current])).toEqual([
      [own, 'owner', false],
      [joined, 'support', true],
    ]);
    const people = await duka.get<DataSource>(DataSource).query('SELECT id FROM users WHERE email = $1', [bola.email]);
    expect(people).toHaveLength(1);
  });

  it('has in each account the role of that account alone', async () => {
    const { bola, own, joined } = await inTwo();
    expect((await bola.get('/keys')).status).toBe(403);
    expect((await goTo(bola, own)).status).toBe(204);
    expect([(await bola.get('/keys')).status, (await me(bola)).user.role]).toEqual([200, 'owner']);
    await goTo(bola, joined);
    expect(told(await bola.get('/audit-log'))).toEqual([403, 'insufficient_role']);
  });

  it('a role that is changed in one acts in no other', async () => {
    const { ada, bola, own } = await inTwo();
    const id = await memberIn(ada, bola.email);
    await ada.call('PATCH', `/team/${id}`, { role: 'admin' });
    expect((await bola.get('/keys')).status).toBe(200);
    await goTo(bola, own);
    expect((await me(bola)).user.role).toBe('owner');
    expect((await bola.get('/team')).body.data.map(({ email }: any) => email)).toEqual([bola.email]);
  });

  it('comes at the log-in to the account that they were in last', async () => {
    const { bola, own, joined } = await inTwo();
    expect((await bola.another().logIn()).body.account.id).toBe(joined);
    time.pass(1);
    await goTo(bola, own);
    expect((await bola.another().logIn()).body.account.id).toBe(own);
  });

  it('sees nothing of an account by its id alone', async () => {
    const { ada, bola } = await inTwo();
    const stranger = await newOwner(duka);
    const theirs = (await me(stranger)).account.id;
    const tries = [
      await goTo(bola, theirs),
      await goTo(bola, 'acct_01kabcdefghjkmnpqrstvwxyz0'),
      await goTo(bola, 'x'),
    ];
    expect(tries.map(told)).toEqual(Array(3).fill([404, 'not_found']));
    expect({ ...tries[0]!.body, request_id: '' }).toEqual({ ...tries[1]!.body, request_id: '' });
    const [wallet] = (await ada.get('/test/v4/wallets')).body.data;
    expect((await stranger.get(`/test/v4/wallets/${wallet.id}`)).status).toBe(404);
  });
});

describe('going to another account', () => {
  it('is a new session: the token of before opens nothing, and a fresh proof does not come along', async () => {
    const { bola, own } = await inTwo();
    await bola.stepUp();
    const before = bola.another();
    before.token = bola.token;
    await goTo(bola, own);
    expect([await statusOf(before), bola.token === before.token]).toEqual([401, false]);
    expect((await me(bola)).stepped_up_until).toBeNull();
  });

  it('does not make a session last longer than twelve hours', async () => {
    const { bola, own, joined } = await inTwo();
    for (let hours = 0; hours < 24 && (await statusOf(bola)) === 200; hours++) {
      await goTo(bola, hours % 2 ? joined : own);
      for (let at = 0; at < 3; at++) {
        time.pass(20 * 60);
        await statusOf(bola);
      }
      if (hours === 10) expect(await statusOf(bola)).toBe(200);
      expect(hours).toBeLessThan(13);
    }
    expect(await statusOf(bola)).toBe(401);
  });

  it('takes no other site’s word', async () => {
    const { bola, own, joined } = await inTwo();
    const sent = await bola.post(`/accounts/${own}/switch`, undefined, { 'sec-fetch-site': 'cross-site' });
    expect([told(sent), (await me(bola)).account.id]).toEqual([[403, 'cross_site_request'], joined]);
  });

  it('leaves a page that still shows the first account able to do nothing in the second', async () => {
    const { bola, own, joined } = await inTwo();
    await goTo(bola, own);
    const stale = { 'dashboard-account': joined };
    expect(told(await bola.post('/test/v4/wallets', { currency: 'USD' }, stale))).toEqual([409, 'other_account']);
    expect(told(await bola.get('/overview', stale))).toEqual([409, 'other_account']);
    expect((await bola.post('/test/v4/wallets', { currency: 'USD' }, { 'dashboard-account': own })).status).toBe(201);
  });
});

describe('leaving', () => {
  it('removed from one account: over there at once, in every browser, and untouched elsewhere', async () => {
    const { ada, bola, own, joined } = await inTwo();
    const atHome = bola.another();
    await atHome.logIn();
    await goTo(atHome, own);
    await ada.call('DELETE', `/team/${await memberIn(ada, bola.email)}`);
    expect([await statusOf(bola), await statusOf(atHome)]).toEqual([401, 200]);
    expect(told(await goTo(atHome, joined))).toEqual([404, 'not_found']);
    expect((await me(atHome)).accounts.map(({ id }: any) => id)).toEqual([own]);
    expect((await bola.another().logIn()).body.account.id).toBe(own);
  });

  it('of one’s own accord: on to the other account; from the last one, out', async () => {
    const { ada, bola, own, joined } = await inTwo();
    expect(told(await bola.post('/accounts/leave', { account_id: joined }))).toEqual([403, 'step_up_required']);
    await bola.stepUp();
    expect(told(await bola.post('/accounts/leave', { account_id: own }))).toEqual([409, 'other_account']);
    expect((await bola.post('/accounts/leave', { account_id: joined })).status).toBe(204);
    expect((await me(bola)).account.id).toBe(own);
    expect(told(await goTo(bola, joined))).toEqual([404, 'not_found']);
    expect((await ada.get('/audit-log')).body.data.map(({ action }: any) => action)).toContain('team.left');
    const guest = await newMember(duka, ada, 'finance');
    await guest.stepUp();
    await guest.post('/accounts/leave', { account_id: joined });
    expect([guest.token, (await guest.logIn()).status]).toEqual([null, 401]);
  });

  it('is not for the last owner', async () => {
    const ada = await newOwner(duka);
    await ada.stepUp();
    const { id } = (await me(ada)).account;
    expect(told(await ada.post('/accounts/leave', { account_id: id }))).toEqual([409, 'last_owner']);
    expect(await statusOf(ada)).toBe(200);
  });
});

describe('another account', () => {
  it('is opened by its owner to be, after a fresh proof, and is empty', async () => {
    const ada = await newOwner(duka);
    expect(told(await ada.post('/accounts', { name: 'Second' }))).toEqual([403, 'step_up_required']);
    await ada.stepUp();
    expect((await ada.post('/accounts', { name: 'Second' })).status).toBe(204);
    const { account, accounts, user } = await me(ada);
    expect([account.name, user.role, accounts.map(({ name }: any) => name)]).toEqual([
      'Second',
      'owner',
      ['Shop', 'Second'],
    ]);
    expect((await ada.get('/test/v4/wallets')).body.data).toHaveLength(1);
  });
});

describe('what is of the person holds in every account', () => {
  it('signing out everywhere, a new password, and their list of sessions', async () => {
    const { bola, own } = await inTwo();
    const atHome = bola.another();
    await atHome.logIn();
    await goTo(atHome, own);
    expect((await bola.get('/sessions')).body).toHaveLength(2);
    await bola.call('PUT', '/password', { current: PASSWORD, next: 'seven quiet herons wade home' });
    expect([await statusOf(bola), await statusOf(atHome)]).toEqual([200, 401]);
    await atHome.logIn({ password: 'seven quiet herons wade home' });
    await bola.post('/auth/log-out-everywhere');
    expect(await statusOf(atHome)).toBe(401);
  });

  it('guesses at their password are in the audit log of each', async () => {
    const { ada, bola, own } = await inTwo();
    await goTo(bola, own);
    await bola.another().logIn({ password: 'not their password at all' });
    const refusals = async (browser: Browser) =>
      (await browser.get('/audit-log?action=person.refused')).body.data.length as number;
    for (let tries = 0; tries < 50 && (await refusals(ada)) + (await refusals(bola)) < 2; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect([await refusals(ada), await refusals(bola)]).toEqual([1, 1]);
  });
});

describe('invitations', () => {
  it('to an address that has a person take over nothing: the link without their password is worth nothing', async () => {
    const [ada, bola] = [await newOwner(duka), await newOwner(duka)];
    await joins(ada, bola, 'support');
    const eve = await newOwner(duka);
    await eve.stepUp();
    const { body } = await eve.post('/team', { email: bola.email, name: 'B', role: 'owner' });
    const thief = new Browser(duka);
    const token = tokenOf(body.invite_url);
    const tried = await thief.post('/auth/accept-invite', { token, password: 'a password of the inviter 42' });
    expect([told(tried), thief.token]).toEqual([[401, 'invalid_credentials'], null]);
    expect((await me(bola)).accounts).toHaveLength(2);
    expect((await bola.another().post('/auth/accept-invite', { token, password: PASSWORD })).status).toBe(200);
  });

  it('who only claimed an address comes in with no invitation of whoever has it', async () => {
    const owner = await newOwner(duka);
    const claimed = await newOwner(duka);
    await owner.stepUp();
    const invite = async () =>
      tokenOf((await owner.post('/team', { email: claimed.email, name: 'V', role: 'support' })).body.invite_url);
    // The one who has the address chose another password, and is a person beside the one who only claimed it.
    const right = new Browser(duka, claimed.email);
    const password = 'my very own sentence of words';
    expect((await right.post('/auth/accept-invite', { token: await invite(), password })).status).toBe(200);
    await owner.call('DELETE', `/team/${await memberIn(owner, claimed.email)}`);
    const again = await claimed.another().post('/auth/accept-invite', { token: await invite(), password: PASSWORD });
    expect(told(again)).toEqual([401, 'invalid_credentials']);
  });

  it('are sent again with a new link that alone is good, say until when, and are taken back', async () => {
    const owner = await newOwner(duka);
    await owner.stepUp();
    const guest = new Browser(duka);
    const first = (await owner.post('/team', { email: guest.email, name: 'Guest', role: 'support' })).body;
    time.pass(60);
    const again = (await owner.post(`/team/${first.user.id}/resend`)).body;
    expect(Date.parse(again.user.invited_until) - Date.parse(first.user.invited_until)).toBeGreaterThan(50_000);
    const accept = ({ invite_url }: any) =>
      guest.post('/auth/accept-invite', { token: tokenOf(invite_url), password: PASSWORD });
    expect([(await accept(first)).status, (await accept(again)).status]).toEqual([404, 200]);
    expect((await owner.post(`/team/${first.user.id}/resend`)).status).toBe(404);
    expect((await owner.call('PATCH', `/team/${first.user.id}`, { name: 'Bisi' })).body).toMatchObject({
      name: 'Bisi',
      role: 'support',
      invited_until: null,
    });
    const eve = await newOwner(duka);
    await eve.stepUp();
    expect((await eve.call('PATCH', `/team/${first.user.id}`, { name: 'Mine' })).status).toBe(404);
  });

  it('of an operator do not show their duties to the account that invited them', async () => {
    const [ada, olu] = [await newOwner(duka), await newOwner(duka)];
    await duka.setOperator(olu.email, true);
    await joins(ada, olu, 'support');
    await olu.stepUp();
    const fee = { product: 'airtime', tier: 'standard', currency: 'NGN', flat: 0, basis_points: 0, cap: null };
    const { status } = await olu.call('PUT', '/operators/fees', fee);
    if (status >= 300) throw new Error(`fees: ${status}`);
    expect((await ada.get('/audit-log?action=fee')).body.data).toEqual([]);
    await goTo(olu, (await me(olu)).accounts[0].id);
    expect((await olu.get('/audit-log?action=fee')).body.data).toHaveLength(1);
  });
});
