import type { Answer } from './support/contract';
import { Browser, newMember, newOwner, SessionTime } from './support/dashboard';
import { Duka } from './support/duka';

const STOPS_WITHIN_MS = 1_000;

let duka: Duka;
let time: SessionTime;
let ada: Browser;
let live: Browser;

beforeAll(async () => {
  duka = await Duka.start();
  time = new SessionTime(duka);
  [ada, live] = [await newOwner(duka), await newOwner(duka)];
  await duka.enableLive((await live.get('/me')).body.account.id);
});
afterAll(() => duka.stop());

const create = (browser: Browser, more: object = {}): Promise<Answer> =>
  browser.post('/keys', { name: 'Shop', livemode: false, ...more });
const reads = async (secret: string): Promise<number> => (await duka.api(secret).get('/v4/account')).status;

/** How long a key went on working from now on. */
async function lastsMs(secret: string): Promise<number> {
  const start = Date.now();
  for (let last = start; ; last = Date.now()) {
    const sentAt = Date.now();
    if ((await reads(secret)) === 401) return last - start;
    last = sentAt;
  }
}

describe('a key', () => {
  it('is shown once, works, and is listed without its secret', async () => {
    const { status, body } = await create(ada, {
      scopes: ['account:read'],
      allowed_ips: ['127.0.0.0/8'],
      expires_at: '2030-01-01T00:00:00.000Z',
    });
    expect([status, Object.keys(body), body.secret]).toEqual([
      201,
      ['key', 'secret'],
      expect.stringMatching(/^sk_test_/),
    ]);
    const facts = {
      name: 'Shop',
      livemode: false,
      prefix: 'sk_test_',
      last4: body.secret.slice(-4),
      scopes: ['account:read'],
      allowed_ips: ['127.0.0.0/8'],
      expires_at: '2030-01-01T00:00:00.000Z',
      revoked_at: null,
    };
    expect(body.key).toMatchObject({ ...facts, last_used_at: null });
    expect(await reads(body.secret)).toBe(200);
    expect((await duka.api(body.secret).get('/v4/wallets')).body.code).toBe('insufficient_scope');
    const { body: listed } = await ada.get('/keys?livemode=false');
    expect(listed.data[0]).toMatchObject({ ...facts, id: body.key.id });
    expect(JSON.stringify(listed)).not.toContain(body.secret);
    expect((await ada.get('/keys?livemode=true')).body.data).toEqual([]);
  });

  it('tells when it was last used', async () => {
    const { key, secret } = (await create(ada)).body;
    await reads(secret);
    for (;;) {
      const { last_used_at: at } = (await ada.get('/keys')).body.data.find(({ id }: { id: string }) => id === key.id);
      if (at !== null) break;
    }
  });

  it.each([
    [{ scopes: ['everything:write'] }, '/scopes'],
    [{ scopes: [] }, '/scopes'],
    [{ allowed_ips: ['10.0.0.0/99'] }, '/allowed_ips'],
    [{ allowed_ips: 'any' }, '/allowed_ips'],
    [{ expires_at: 'soon' }, '/expires_at'],
    [{ name: '' }, '/name'],
    [{ livemode: 'true' }, '/livemode'],
  ])('is not made with %j', async (wanted, param) => {
    const { status, body } = await create(ada, wanted);
    expect([status, body.param]).toEqual([400, param]);
  });

  it('that is revoked stops within a second', async () => {
    const { key, secret } = (await create(ada)).body;
    expect(await reads(secret)).toBe(200);
    expect((await ada.post(`/keys/${key.id}/revoke`)).body).toMatchObject({
      id: key.id,
      revoked_at: expect.any(String),
    });
    expect(await lastsMs(secret)).toBeLessThan(STOPS_WITHIN_MS);
    expect((await ada.post(`/keys/${key.id}/roll`, { overlap_seconds: 0 })).body.code).toBe('invalid_state_transition');
  });

  it('that is rolled works beside the new one, for as long as was said', async () => {
    const { key, secret } = (await create(ada, { scopes: ['account:read'] })).body;
    const rolled = await ada.post(`/keys/${key.id}/roll`, { overlap_seconds: 2 });
    expect([rolled.status, rolled.body.key.scopes, rolled.body.key.id === key.id]).toEqual([
      201,
      ['account:read'],
      false,
    ]);
    expect([await reads(secret), await reads(rolled.body.secret)]).toEqual([200, 200]);
    expect(await lastsMs(secret)).toBeLessThan(2_000 + STOPS_WITHIN_MS);
    expect(await reads(rolled.body.secret)).toBe(200);
  });

  it('that is rolled without overlap stops like a revoked one', async () => {
    const { key, secret } = (await create(ada)).body;
    expect(await reads(secret)).toBe(200);
    await ada.post(`/keys/${key.id}/roll`, { overlap_seconds: 0 });
    expect(await lastsMs(secret)).toBeLessThan(STOPS_WITHIN_MS);
  });

  it('is not rolled beyond its own end', async () => {
    const ends = new Date(Date.now() + 3_600_000).toISOString();
    const { key } = (await create(ada, { expires_at: ends })).body;
    await ada.post(`/keys/${key.id}/roll`, { overlap_seconds: 604_800 });
    expect((await ada.get('/keys')).body.data.find(({ id }: { id: string }) => id === key.id).expires_at).toBe(ends);
  });

  it('of another account does not exist', async () => {
    const { key, secret } = (await create(ada)).body;
    const stranger = await newOwner(duka);
    const answers = [
      await stranger.post(`/keys/${key.id}/revoke`),
      await stranger.post(`/keys/${key.id}/roll`, { overlap_seconds: 0 }),
      await stranger.post('/keys/key_x/revoke'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await stranger.get('/keys')).body.data).toEqual([]);
    expect(await reads(secret)).toBe(200);
  });
});

describe('a live key', () => {
  it('is not made before an operator has opened live mode, also with a step-up', async () => {
    await ada.stepUp();
    expect((await create(ada, { livemode: true })).body.code).toBe('live_mode_not_enabled');
    expect((await ada.get('/live/v4/wallets')).body.code).toBe('live_mode_not_enabled');
  });

  it('needs a step-up, which lasts five minutes, in that session', async () => {
    expect((await create(live, { livemode: true })).body.code).toBe('step_up_required');
    expect((await live.stepUp({ password: 'wrong' })).status).toBe(401);
    expect((await create(live, { livemode: true })).body.code).toBe('step_up_required');
    const { body } = await live.stepUp();
    expect((await live.get('/me')).body.stepped_up_until).toBe(body.stepped_up_until);
    const phone = live.another();
    await phone.logIn();
    expect((await create(phone, { livemode: true })).body.code).toBe('step_up_required');
    const made = await create(live, { livemode: true });
    expect([made.status, made.body.secret]).toEqual([201, expect.stringMatching(/^sk_live_/)]);
    time.pass(301);
    expect((await live.get('/me')).body.stepped_up_until).toBeNull();
    expect((await live.post(`/keys/${made.body.key.id}/roll`, { overlap_seconds: 0 })).body.code).toBe(
      'step_up_required',
    );
    expect((await live.post(`/keys/${made.body.key.id}/revoke`)).status).toBe(200);
  });

  it("is not a developer's to make or to end", async () => {
    const developer = await newMember(duka, live, 'developer');
    await developer.stepUp();
    await live.stepUp();
    const { key } = (await create(live, { livemode: true })).body;
    const answers = [
      await create(developer, { livemode: true }),
      await developer.post(`/keys/${key.id}/revoke`),
      await developer.post(`/keys/${key.id}/roll`, { overlap_seconds: 0 }),
    ];
    expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill('insufficient_role'));
    expect((await create(developer)).status).toBe(201);
  });
});

describe('what needs a step-up of the public API', () => {
  const endpoint = { url: 'https://example.com/hooks', events: ['*'] };

  it('is a webhook address in live mode', async () => {
    const browser = live.another();
    await browser.logIn();
    const codes = async () => [
      (await browser.post('/live/v4/webhooks', endpoint)).body.code,
      (await browser.call('PATCH', '/live/v4/webhooks/whk_x', { url: endpoint.url })).body.code,
      (await browser.post('/live/v4/webhooks/whk_x/rotate-secret', {})).body.code,
    ];
    expect(await codes()).toEqual(Array(3).fill('step_up_required'));
    await browser.stepUp();
    expect(await codes()).not.toContain('step_up_required');
    expect((await ada.another().get('/test/v4/webhooks')).status).toBe(401);
    const plain = live.another();
    await plain.logIn();
    expect((await plain.post('/test/v4/webhooks/whk_x/rotate-secret', {})).status).toBe(404);
  });

  it('is the number of a card, in both modes', async () => {
    const browser = live.another();
    await browser.logIn();
    const codes = async () => [
      (await browser.post('/test/v4/cards/crd_x/reveal')).body.code,
      (await browser.post('/live/v4/cards/crd_x/reveal')).body.code,
    ];
    expect(await codes()).toEqual(['step_up_required', 'step_up_required']);
    await browser.stepUp();
    expect(await codes()).toEqual(['not_found', 'not_found']);
  });
});
