import { DataSource } from 'typeorm';
import { MailsService } from '../src/core/mail/mails.service';
import { SecurityService } from '../src/modules/dashboard-api/security.service';
import { Authenticator, type Lies } from './support/authenticator';
import { Browser, newOwner, SessionTime } from './support/dashboard';
import { Duka } from './support/duka';
import { sendRequest } from './support/raw-http';
import { until } from './support/recurring-probe';

let origin: string;
let duka: Duka;
let time: SessionTime;
beforeAll(async () => {
  duka = await Duka.start();
  // Browsers tie passkeys to names, not to addresses.
  origin = duka.url = duka.url.replace('127.0.0.1', 'localhost');
  time = new SessionTime(duka);
});
afterAll(() => duka.stop());

const newPerson = async (): Promise<Browser> => {
  const person = await newOwner(duka);
  await person.stepUp();
  return person;
};

const optionsOf = async (browser: Browser, path: string): Promise<any> => (await browser.post(path)).body.options;

async function addPasskey(browser: Browser, name = 'Phone'): Promise<Authenticator> {
  const device = new Authenticator(origin);
  const answer = await browser.post('/passkeys', device.make(await optionsOf(browser, '/passkeys/options'), name));
  expect([answer.status, answer.body.name]).toEqual([201, name]);
  return device;
}

const logIn = async (device: Authenticator, lies: Lies = {}) => {
  const browser = new Browser(duka);
  const shown = device.sign(await optionsOf(browser, '/auth/passkey-options'), lies);
  return { browser, shown, answer: await browser.post('/auth/passkey', shown) };
};

const entriesOf = async (browser: Browser): Promise<string[]> =>
  (await browser.get('/audit-log')).body.data.map(({ action }: any) => action);

describe('a passkey', () => {
  it('is made after a fresh proof only, named, listed without its key, renamed, and told by mail', async () => {
    const ada = await newOwner(duka);
    expect((await ada.post('/passkeys/options')).body.code).toBe('step_up_required');
    await ada.stepUp();
    const options = await optionsOf(ada, '/passkeys/options');
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await addPasskey(ada, 'Phone');
    const { data } = (await ada.get('/passkeys')).body;
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^psk_/),
        name: 'Phone',
        synced: false,
        created_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    expect((await ada.call('PATCH', `/passkeys/${data[0].id}`, { name: 'Old phone' })).body.name).toBe('Old phone');
    expect((await optionsOf(ada, '/passkeys/options')).excludeCredentials).toHaveLength(1);
    expect(await entriesOf(ada)).toContain('passkey.added');
    const mails = await duka.get<MailsService>(MailsService).listKept();
    expect(mails).toEqual([expect.objectContaining({ to: ada.email, subject: 'A passkey was added' })]);
  });

  it('lets its owner in without a password, and counts as both factors', async () => {
    const ada = await newPerson();
    const { body } = await ada.post('/totp/setup');
    await ada.post('/totp/confirm', { code: time.codeOf(body.secret) });
    const device = await addPasskey(ada);
    expect((await ada.another().logIn()).body.code).toBe('totp_required');
    const { browser, answer } = await logIn(device);
    expect([answer.status, answer.body.user.email]).toEqual([200, ada.email]);
    expect((await browser.get('/me')).body.stepped_up_until).toBeNull();
    expect((await browser.get('/passkeys')).body.data[0].last_used_at).not.toBeNull();
    const [entry] = (await browser.get('/audit-log')).body.data;
    expect([entry.action, entry.detail]).toEqual(['person.logged_in', { with: 'passkey' }]);
  });

  it('is a fresh proof for its owner', async () => {
    const ada = await newPerson();
    const device = await addPasskey(ada);
    const { browser } = await logIn(device);
    expect((await browser.post('/passkeys/options')).body.code).toBe('step_up_required');
    const options = await optionsOf(browser, '/auth/step-up/passkey-options');
    expect(options.allowCredentials).toEqual([expect.objectContaining({ id: device.credentialId })]);
    expect((await browser.post('/auth/step-up/passkey', device.sign(options))).status).toBe(200);
    expect((await browser.post('/passkeys/options')).status).toBe(200);
  });
});

describe('an answer is refused', () => {
  let ada: Browser;
  let device: Authenticator;
  beforeAll(async () => {
    ada = await newPerson();
    device = await addPasskey(ada);
  });

  const refused = { status: 401, code: 'passkey_refused' };
  const told = ({ status, body }: { status: number; body: any }) => ({ status, code: body.code });

  it.each<[string, Lies]>([
    ['of another origin', { origin: 'https://localhost.evil.example' }],
    ['of another port of this machine', { origin: 'http://localhost:1' }],
    ['for another name', { rpId: 'evil.example' }],
    ['of a device that asked nobody', { unverified: true }],
    ['for a challenge that nobody issued', { challenge: 'A'.repeat(43) }],
    ['that was made to make a key', { type: 'webauthn.create' }],
    ['signed by another key', { forged: true }],
    ['that names another person', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ])('%s', async (_, lies) => {
    const { browser, answer } = await logIn(device, lies);
    expect([told(answer), browser.token]).toEqual([refused, null]);
  });

  it('a second time, and nothing else of it is told than of an unknown one', async () => {
    const { shown, answer } = await logIn(device);
    expect(answer.status).toBe(200);
    const again = await new Browser(duka).post('/auth/passkey', shown);
    const unknown = await logIn(new Authenticator(origin), { userHandle: 'AAAA' });
    expect(told(again)).toEqual(refused);
    expect({ ...again.body, request_id: '' }).toEqual({ ...unknown.answer.body, request_id: '' });
  });

  it('when it took longer than five minutes', async () => {
    const browser = new Browser(duka);
    const shown = device.sign(await optionsOf(browser, '/auth/passkey-options'));
    time.pass(301);
    expect(told(await browser.post('/auth/passkey', shown))).toEqual(refused);
  });

  it('to the question of another session, of a log-in, or of another purpose', async () => {
    const one = (await logIn(device)).browser;
    const other = (await logIn(device)).browser;
    const asked = await optionsOf(one, '/auth/step-up/passkey-options');
    expect(told(await other.post('/auth/step-up/passkey', device.sign(asked)))).toEqual(refused);
    const atLogIn = await optionsOf(one, '/auth/passkey-options');
    expect(told(await one.post('/auth/step-up/passkey', device.sign(atLogIn)))).toEqual(refused);
    expect(told(await one.post('/auth/passkey', device.sign(asked)))).toEqual(refused);
    // Who tried with it in vain has not used it up.
    expect((await one.post('/auth/step-up/passkey', device.sign(asked))).status).toBe(200);
  });

  it("of another person's passkey, for a step-up and in all that a page does with one", async () => {
    const eve = await newPerson();
    const theirs = await addPasskey(eve, "Eve's");
    const session = (await logIn(device)).browser;
    const options = await optionsOf(session, '/auth/step-up/passkey-options');
    expect(told(await session.post('/auth/step-up/passkey', theirs.sign(options)))).toEqual(refused);
    const [{ id }] = (await ada.get('/passkeys')).body.data;
    await eve.stepUp();
    const tries = [
      await eve.call('PATCH', `/passkeys/${id}`, { name: 'mine' }),
      await eve.call('DELETE', `/passkeys/${id}`),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 404]);
    expect((await eve.get('/passkeys')).body.data.map(({ name }: any) => name)).toEqual(["Eve's"]);
    const again = await eve.post('/passkeys', device.copy().make(await optionsOf(eve, '/passkeys/options'), 'stolen'));
    expect(told(again)).toEqual(refused);
  });

  it('of a copy, whose counter was seen, and the account learns of it', async () => {
    const bola = await newPerson();
    const own = await addPasskey(bola);
    const copy = own.copy();
    expect((await logIn(own)).answer.status).toBe(200);
    expect(told((await logIn(copy)).answer)).toEqual(refused);
    await until(async () => (await entriesOf(bola)).includes('passkey.copied'));
  });

  it('of one that was removed; what was begun with it is over, and the session that removed it goes on', async () => {
    const bola = await newPerson();
    const own = await addPasskey(bola);
    const { browser } = await logIn(own);
    const [{ id }] = (await bola.get('/passkeys')).body.data;
    expect((await bola.call('DELETE', `/passkeys/${id}`)).status).toBe(204);
    expect([(await browser.get('/me')).status, (await bola.get('/me')).status]).toEqual([401, 200]);
    expect(told((await logIn(own)).answer)).toEqual(refused);
    expect(await entriesOf(bola)).toContain('passkey.removed');
  });

  it('with a certificate, whose list of revoked ones would be fetched', async () => {
    const bola = await newPerson();
    const statement = { fmt: 'packed', attStmt: new Map([['x5c', [new Uint8Array(8)]]]) };
    const options = await optionsOf(bola, '/passkeys/options');
    const made = new Authenticator(origin).make(options, 'Key', { attestation: statement });
    expect(told(await bola.post('/passkeys', made))).toEqual(refused);
  });

  it.each<[string, Lies]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another name', { rpId: 'evil.example' }],
    ['of a device that asked nobody', { unverified: true }],
    ['for a challenge of nobody', { challenge: 'B'.repeat(43) }],
  ])('when a key is made %s', async (_, lies) => {
    const bola = await newPerson();
    const made = new Authenticator(origin).make(await optionsOf(bola, '/passkeys/options'), 'Key', lies);
    expect(told(await bola.post('/passkeys', made))).toEqual(refused);
    expect((await bola.get('/passkeys')).body.data).toEqual([]);
  });

  it('after ten tries, right ones too', async () => {
    const bola = await newPerson();
    const own = await addPasskey(bola);
    for (let at = 0; at < 10; at++) await logIn(own, { forged: true });
    expect((await logIn(own)).answer.status).toBe(429);
  });
});

describe('what else a person does', () => {
  it('signing out everywhere ends sessions that a passkey began; the passkey stays', async () => {
    const ada = await newPerson();
    const device = await addPasskey(ada);
    const { browser } = await logIn(device);
    await ada.post('/auth/log-out-everywhere');
    expect((await browser.get('/me')).status).toBe(401);
    expect((await logIn(device)).answer.status).toBe(200);
  });

  it('who is recovered by an operator has lost what they log in with: passkeys are gone', async () => {
    const ada = await newPerson();
    const device = await addPasskey(ada);
    await duka.get<SecurityService>(SecurityService).recover(ada.email);
    expect((await logIn(device)).answer.status).toBe(401);
  });

  it('who is in no team any more is not let in', async () => {
    const ada = await newPerson();
    const device = await addPasskey(ada);
    await duka
      .get<DataSource>(DataSource)
      .query('UPDATE team_members SET removed_at = now() WHERE email = $1', [ada.email]);
    expect((await logIn(device)).answer.status).toBe(401);
  });

  it('are tied to where the service is published, and are none without a name, whatever host is claimed', async () => {
    const ask = async (service: Duka, host: string): Promise<any> => {
      const headers: [string, string][] = [['Sec-Fetch-Site', 'same-origin']];
      const path = '/dashboard/api/auth/passkey-options';
      const answer = await sendRequest(Number(new URL(service.url).port), { method: 'POST', path, host, headers });
      return answer.status === 200 ? (answer.body as any).options.rpId : answer.status;
    };
    const published = await Duka.start({ PUBLIC_URL: 'https://duka.example/shop' });
    const asked = [
      await ask(published, 'evil.example'),
      await ask(duka, 'localhost:3000'),
      await ask(duka, '127.0.0.1:3000'),
      await ask(duka, 'evil.example'),
      await ask(duka, 'localhost.evil.example'),
    ];
    await published.stop();
    expect(asked).toEqual(['duka.example', 'localhost', 409, 409, 409]);
  });
});
