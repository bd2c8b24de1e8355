import { randomUUID } from 'node:crypto';
import { digestOf, Hops } from '../src/core/cells/hop';
import { decodeId, newId, slotOf } from '../src/core/http/ids';
import { SecurityService } from '../src/modules/dashboard-api/security.service';
import { Authenticator } from './support/authenticator';
import { type CellName, ThreeCells } from './support/cells';
import { CELL_SECRET } from './support/other-cell';
import { Browser, newEmail, PASSWORD, SessionTime, tokenOf } from './support/dashboard';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

let cells: ThreeCells;

beforeAll(async () => {
  cells = await ThreeCells.start({ REQUEST_LOG: 'off', TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => cells.stop());

const cellOf = async (accountId: string): Promise<CellName> => {
  const [row] = await cells.of.a.asOwner('SELECT name FROM cells WHERE slots @> $1::integer', [
    Number.parseInt(slotOf(decodeId('acct', accountId)!), 16),
  ]);
  return row!.name as CellName;
};

/** Somebody who signed up at the address of a cell. */
async function newPerson(at: Duka): Promise<Browser> {
  const browser = new Browser(at);
  const { status, body } = await browser.signUp();
  expect([status, body.user?.email]).toEqual([201, browser.email]);
  await cells.replicate();
  return browser;
}

/** The same browser at the address of another cell. */
function moved(browser: Browser, to: Duka): Browser {
  const there = new Browser(to, browser.email);
  there.token = browser.token;
  return there;
}

/** Asked to join, by an owner, and came. */
async function joined(owner: Browser, member: Browser): Promise<void> {
  expect((await owner.stepUp()).status).toBe(200);
  const { body } = await owner.post('/team', { email: member.email, name: 'Bayo', role: 'admin' });
  const { status } = await member.post('/auth/accept-invite', { token: tokenOf(body.invite_url), password: PASSWORD });
  expect(status).toBe(200);
  await cells.replicate();
}

const rows = (duka: Duka, email: string) => duka.asOwner('SELECT id FROM users WHERE email = $1', [email]);

describe('somebody', () => {
  it('who signs up at a cell has an account of that cell, and a log-in of all', async () => {
    for (const name of ['a', 'b', 'c'] as const) {
      const browser = await newPerson(cells.of[name]);
      const { body } = await browser.get('/me');
      expect(await cellOf(body.account.id)).toBe(name);
      for (const duka of cells.all) {
        const elsewhere = new Browser(duka, browser.email);
        const { status, body: me } = await elsewhere.logIn();
        expect([status, me.account.id]).toEqual([200, body.account.id]);
        expect((await elsewhere.get('/me')).body.user.email).toBe(browser.email);
      }
    }
  });

  it('has an address once: it cannot be taken at another cell', async () => {
    const browser = await newPerson(cells.of.b);
    const other = await new Browser(cells.of.c, browser.email).signUp({ password: 'another otter juggles tea' });
    expect([other.status, other.body.code]).toEqual([401, 'invalid_credentials']);
    const again = await new Browser(cells.of.c, browser.email).signUp();
    expect([again.status, await cellOf(again.body.account.id)]).toEqual([201, 'b']);
    expect(await rows(cells.of.a, browser.email)).toHaveLength(1);
  });

  it('is refused alike at each cell, known or not, and tries are counted together', async () => {
    const { email } = await newPerson(cells.of.b);
    const wrong = { password: 'not the password of anybody' };
    const answers: unknown[] = [];
    for (const who of [email, newEmail()])
      for (let i = 0; i < 12; i++) {
        const { status } = await new Browser(cells.all[i % 3]!, who).logIn(wrong);
        answers.push(status);
      }
    const each = [...Array.from({ length: 10 }, () => 401), 429, 429];
    expect(answers).toEqual([...each, ...each]);
  });

  it('with accounts in two cells sees both and goes from one to the other', async () => {
    const owner = await newPerson(cells.of.c);
    const browser = await newPerson(cells.of.b);
    const own = (await browser.get('/me')).body.account.id;
    await joined(owner, moved(browser, cells.of.a));
    const shared = (await owner.get('/me')).body.account.id;
    await browser.logIn();
    const me = await browser.get('/me');
    expect(me.body.account.id).toBe(shared);
    expect(new Set(me.body.accounts.map(({ id }: { id: string }) => id))).toEqual(new Set([own, shared]));
    const before = moved(browser, cells.of.b);
    expect((await browser.post(`/accounts/${own}/switch`)).status).toBe(204);
    expect((await browser.get('/me')).body.account.id).toBe(own);
    expect((await before.get('/me')).status).toBe(401);
    expect((await browser.post(`/accounts/${shared}/switch`)).status).toBe(204);
    expect(await browser.get('/me')).toMatchObject({ body: { account: { id: shared }, user: { role: 'admin' } } });
    const foreign = (await (await newPerson(cells.of.a)).get('/me')).body.account.id;
    expect((await browser.post(`/accounts/${foreign}/switch`)).status).toBe(404);
  });

  it('who leaves an account of one cell comes to theirs of another', async () => {
    const owner = await newPerson(cells.of.c);
    const browser = await newPerson(cells.of.a);
    const own = (await browser.get('/me')).body.account.id;
    await joined(owner, browser);
    const shared = (await browser.get('/me')).body.account.id;
    await browser.stepUp();
    expect((await browser.post('/accounts/leave', { account_id: shared })).status).toBe(204);
    expect((await browser.get('/me')).body.account.id).toBe(own);
  });

  it('gets in while a cell is away in which they have nothing, and hears of it when they might', async () => {
    const { email } = await newPerson(cells.of.b);
    const away = await newPerson(cells.of.c);
    await cells.of.c.app.close();
    const { status, body } = await new Browser(cells.of.a, email).logIn();
    expect([status, await cellOf(body.account.id)]).toEqual([200, 'b']);
    const lost = await new Browser(cells.of.b, away.email).logIn();
    expect([lost.status, lost.body.code]).toEqual([503, 'service_unavailable']);
    await cells.restart('c');
    expect((await new Browser(cells.of.b, away.email).logIn()).status).toBe(200);
  });
});

describe('without a session', () => {
  it('somebody logs in with a passkey at any cell, whatever the cell of their account', async () => {
    const at = (duka: Duka): Duka =>
      Object.assign(Object.create(duka), { url: duka.url.replace('127.0.0.1', 'localhost') });
    const browser = new Browser(at(cells.of.b));
    expect((await browser.signUp()).status).toBe(201);
    await cells.replicate();
    await browser.stepUp();
    const optionsOf = async (who: Browser, path: string) => (await who.post(path)).body.options;
    const device = new Authenticator(at(cells.of.b).url);
    const made = device.make(await optionsOf(browser, '/passkeys/options'), 'Phone');
    const added = await browser.post('/passkeys', made);
    expect([added.status, added.body.name]).toEqual([201, 'Phone']);
    const actions = (await browser.get('/audit-log')).body.data.map(({ action }: { action: string }) => action);
    expect(actions).toContain('passkey.added');
    const other = new Browser(at(cells.of.b));
    const shown = device.sign(await optionsOf(other, '/auth/passkey-options'));
    expect((await other.post('/auth/passkey', shown)).body.user.email).toBe(browser.email);
    expect((await other.get('/me')).status).toBe(200);
    expect((await browser.call('DELETE', `/passkeys/${added.body.id}`)).status).toBe(204);
    await cells.replicate();
    expect([(await browser.get('/me')).status, (await other.get('/me')).status]).toEqual([200, 401]);
  });

  it('somebody gets a new password at any cell, by a link, once', async () => {
    const browser = await newPerson(cells.of.c);
    const asked = new Browser(cells.of.b, browser.email);
    expect((await asked.post('/auth/forgot-password', { email: browser.email })).status).toBe(200);
    const text = async (): Promise<string | undefined> =>
      (await new Browser(cells.of.a).get('/mailbox')).body.data.find(
        ({ to, text: letter }: { to: string; text: string }) => to === browser.email && letter.includes('#token='),
      )?.text;
    await until(async () => (await text()) !== undefined);
    const token = /#token=(\S+)/.exec((await text())!)![1]!;
    const password = 'eleven quiet lamps over Lagos';
    expect((await asked.post('/auth/reset-password', { token, password })).status).toBe(204);
    expect((await asked.post('/auth/reset-password', { token, password })).status).toBe(404);
    await cells.replicate();
    expect((await browser.get('/me')).status).toBe(401);
    expect((await asked.logIn({ password })).status).toBe(200);
    const actions = (await asked.get('/audit-log')).body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['password.reset_requested', 'password.reset']));
  });

  it('what is for this machine only is not for whoever comes through a cell of it', async () => {
    const browser = await newPerson(cells.of.b);
    expect((await new Browser(cells.of.b).get('/mailbox')).status).toBe(200);
    expect((await moved(browser, cells.of.a).get('/mailbox')).status).toBe(404);
  });
});

describe('what somebody changes of themselves', () => {
  it('is changed for all cells, and ends their sessions in all', async () => {
    const browser = await newPerson(cells.of.b);
    const other = browser.another();
    await other.logIn();
    const next = 'twelve otters juggle more tea';
    expect((await browser.call('PUT', '/password', { current: PASSWORD, next })).status).toBe(204);
    await cells.replicate();
    expect((await browser.get('/me')).status).toBe(200);
    expect((await other.get('/me')).status).toBe(401);
    expect((await browser.get('/sessions')).body).toHaveLength(1);
    expect((await new Browser(cells.of.c, browser.email).logIn()).status).toBe(401);
    expect((await new Browser(cells.of.c, browser.email).logIn({ password: next })).status).toBe(200);
    const audit = await browser.get('/audit-log');
    expect(audit.body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['person.signed_up', 'person.logged_in', 'password.changed', 'person.refused']),
    );
  });

  it('codes are asked for in all cells, each once', async () => {
    const time = new SessionTime(cells.of.a);
    const browser = await newPerson(cells.of.c);
    const other = browser.another();
    await other.logIn();
    await browser.stepUp();
    const { secret } = (await browser.post('/totp/setup')).body;
    expect((await browser.post('/totp/confirm', { code: time.codeOf(secret) })).status).toBe(200);
    await cells.replicate();
    expect((await browser.get('/me')).body.user.totp_enabled).toBe(true);
    expect((await other.get('/me')).status).toBe(401);
    expect((await other.logIn()).body.code).toBe('totp_required');
    time.pass(60);
    const code = time.codeOf(secret);
    expect((await new Browser(cells.of.a, browser.email).logIn({ code })).status).toBe(200);
    expect((await new Browser(cells.of.b, browser.email).logIn({ code })).status).toBe(401);
    jest.restoreAllMocks();
  });

  it('all sessions end at once, in whichever cell', async () => {
    const browser = await newPerson(cells.of.b);
    const others = cells.all.map((duka) => new Browser(duka, browser.email));
    for (const other of others) expect((await other.logIn()).status).toBe(200);
    expect((await browser.post('/auth/log-out-everywhere')).status).toBe(204);
    await cells.replicate();
    for (const other of others) expect((await other.get('/me')).status).toBe(401);
  });

  it('is refused to commands in other cells, which name the control cell', async () => {
    const { email } = await newPerson(cells.of.b);
    const recover = (duka: Duka) => duka.get<SecurityService>(SecurityService).recover(email);
    await expect(recover(cells.of.b)).rejects.toMatchObject({ details: { code: 'forbidden' } });
    const password = await recover(cells.of.a);
    expect((await new Browser(cells.of.b, email).logIn({ password })).status).toBe(200);
  });
});

it('an operator changes fees at any cell, and it is written down in their account', async () => {
  const operator = await newPerson(cells.of.b);
  await cells.of.a.setOperator(operator.email, true);
  await cells.replicate();
  const fee = { product: 'airtime', tier: 'standard', currency: 'NGN', flat: 1_100, basis_points: 0, cap: null };
  expect((await operator.call('PUT', '/operators/fees', fee)).body.code).toBe('step_up_required');
  expect((await operator.stepUp()).status).toBe(200);
  expect((await operator.call('PUT', '/operators/fees', fee)).status).toBe(204);
  const stored = (duka: Duka) =>
    duka.asOwner(`SELECT flat::integer FROM fees WHERE product = 'airtime' AND tier = 'standard' AND currency = 'NGN'`);
  expect(await stored(cells.of.a)).toEqual([{ flat: 1_100 }]);
  await cells.replicate();
  expect(await stored(cells.of.c)).toEqual([{ flat: 1_100 }]);
  expect((await operator.get('/audit-log')).body.data[0]).toMatchObject({ action: 'fee.set', actor: operator.email });
  const nobody = await newPerson(cells.of.b);
  expect((await nobody.call('PUT', '/operators/fees', fee)).status).toBe(403);
});

it('an operator tells of an incident at any cell, and the page of each shows it', async () => {
  const operator = await newPerson(cells.of.c);
  await cells.of.a.setOperator(operator.email, true);
  await cells.replicate();
  await operator.stepUp();
  const incident = {
    title: 'Data is slow',
    products: [],
    networks: [],
    state: 'investigating',
    note: 'We look at it.',
  };
  const opened = await operator.post('/operators/incidents', incident);
  expect(opened.status).toBe(201);
  await cells.replicate();
  for (const duka of cells.all) expect(await (await fetch(`${duka.url}/status`)).text()).toContain(incident.title);
  const resolved = { state: 'resolved', note: 'It works.' };
  expect((await operator.post(`/operators/incidents/${opened.body.id}/updates`, resolved)).status).toBe(200);
  const entries = (await operator.get('/audit-log')).body.data.map(({ action }: { action: string }) => action);
  expect(entries).toEqual(expect.arrayContaining(['incident.opened', 'incident.ended']));
});

describe('nobody but a cell', () => {
  const hop = { from: 'b', epoch: 1, requestId: randomUUID(), ip: '127.0.0.1', slot: 'cell:a' } as const;
  const sent = (
    path: string,
    { body, header, method = 'POST' }: { body: string; header?: string; method?: string },
  ) => {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const request = { method, body, headers: { ...headers, ...(header && { 'duka-hop': header }) } };
    return fetch(cells.of.a.url + path, request);
  };

  it('says who is signed in, and what they want cannot be changed on its way', async () => {
    const operator = await newPerson(cells.of.b);
    await cells.of.a.setOperator(operator.email, true);
    const fee = { product: 'data', tier: 'standard', currency: 'NGN', flat: 5, basis_points: 0, cap: null };
    const path = '/dashboard/api/operators/fees';
    const person = { userId: newId(), accountId: newId(), role: 'owner', isOperator: true, steppedUpUntil: new Date() };
    const body = JSON.stringify(fee);
    const sealed = (secret: string, digest: string) =>
      new Hops(secret).headerOf({ ...hop, kind: 'forward', person, digest }, 'PUT', path);
    const status = async (header?: string) => (await sent(path, { body, header, method: 'PUT' })).status;
    expect(await status()).toBe(401);
    expect(await status(sealed('another secret, of somebody else who guesses', digestOf(Buffer.from(body))))).toBe(403);
    expect(await status(sealed(CELL_SECRET, digestOf(Buffer.from('{}'))))).toBe(403);
  });

  it('begins sessions, and what begins one begins it once', async () => {
    const browser = await newPerson(cells.of.a);
    const { user, account } = (await browser.get('/me')).body;
    const asked = JSON.stringify({
      accountId: decodeId('acct', account.id),
      id: newId().slice(0, -3) + slotOf(decodeId('acct', account.id)!),
      userId: (await rows(cells.of.a, user.email))[0]!.id,
      tokenHash: 'ab'.repeat(32),
      ip: '127.0.0.1',
      userAgent: null,
      createdAt: new Date().toISOString(),
      lastSeenAt: new Date().toISOString(),
    });
    const path = '/cells/people/begin-session';
    const header = (digest: string) => new Hops(CELL_SECRET).headerOf({ ...hop, kind: 'ask', digest }, 'POST', path);
    expect((await sent(path, { body: asked })).status).toBe(404);
    expect((await sent(path, { body: asked, header: header('of another body') })).status).toBe(404);
    const open = () =>
      cells.of.a.asOwner(`SELECT id FROM sessions WHERE token_hash = $1 AND ended_at IS NULL`, [
        Buffer.from('ab'.repeat(32), 'hex'),
      ]);
    const good = header(digestOf(Buffer.from(asked)));
    expect((await sent(path, { body: asked, header: good })).status).toBe(200);
    expect(await open()).toHaveLength(1);
    expect((await browser.post('/auth/log-out-everywhere')).status).toBe(204);
    expect((await sent(path, { body: asked, header: good })).status).toBe(200);
    expect(await open()).toEqual([]);
  });

  it('asks what is none of the questions', async () => {
    const path = '/cells/people/constructor';
    const header = new Hops(CELL_SECRET).headerOf(
      { ...hop, kind: 'ask', digest: digestOf(Buffer.from('{}')) },
      'POST',
      path,
    );
    expect((await sent(path, { body: '{}', header })).status).toBe(404);
  });
});
