import { createHmac } from 'node:crypto';
import type { Browser, Request } from 'playwright-core';
import { describeInBrowser, openBrowser } from './support/browser';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { PlainReceiver } from './support/plain-receivers';
import { until } from './support/recurring-probe';

const CLICKS_MAX = 6;
const EMAIL = 'ada@example.com';

// One story, in order: each test goes on where the one before ended.
describeInBrowser('the dashboard, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let secret: string;
  let receiver: PlainReceiver;
  let signingSecret: string;

  beforeAll(async () => {
    duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
    browser = await openBrowser();
    receiver = await PlainReceiver.start();
    ada = await Visitor.of(browser, duka.url);
  });

  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await duka?.stop();
  });

  afterEach(() => expect(ada.faults.errors.splice(0)).toEqual([]));

  it('leads from the sign-up to a first transfer in six clicks', async () => {
    await ada.signUp(EMAIL);
    await ada.press('Send test money');
    await ada.press('Send', ada.dialog());
    await ada.dialog().getByText('Sent NGN 2,500.00').waitFor();
    expect(ada.clicks).toBeLessThanOrEqual(CLICKS_MAX);
    console.log(`clicks from the sign-up to the first transfer: ${ada.clicks}`);
    await ada.see('/test');
    await ada.page.getByText('NGN 2,500.00').first().waitFor();
  });

  it('uses what the browser asked for early, instead of asking again', async () => {
    const asked: string[] = [];
    const note = (request: Request) => asked.push(request.url().slice(duka.url.length));
    // What has just happened is followed, and would have the overview read again.
    await ada.press(/^Following/);
    ada.page.on('request', note);
    await ada.page.reload();
    await ada.page.getByRole('heading', { name: 'In and out' }).waitFor();
    ada.page.off('request', note);
    for (const address of ['/dashboard/api/me', '/dashboard/api/overview?livemode=false'])
      expect(asked.filter((url) => url === address)).toEqual([address]);
    await ada.press(/^Paused/);
  });

  it('makes a key, shows it once, with a command that works', async () => {
    await ada.open('/test/keys');
    await ada.press('New key');
    await ada.fill({ Name: 'Till' }, ada.dialog());
    await ada.press('Create key', ada.dialog());
    secret = (await ada.page.getByRole('group', { name: 'Secret key' }).innerText()).trim();
    const command = await ada.page.getByRole('group', { name: 'Try it' }).innerText();
    expect(command).toContain(`curl ${duka.url}/v4/account`);
    expect(command).toContain(secret);
    expect((await duka.api(secret).get('/v4/account')).body.name).toBe('Corner Shop');
    await ada.press('I have copied it');
    await ada.see('/test/keys');
    expect(await ada.page.content()).not.toContain(secret);
    expect(await ada.row('Till').innerText()).toMatch(/sk_test_….{4}/);
  });

  it('rolls a key: both work for a while', async () => {
    await ada.press('Roll Till');
    await ada.press('Roll the key', ada.dialog());
    const next = (await ada.page.getByRole('group', { name: 'Secret key' }).innerText()).trim();
    for (const each of [secret, next]) expect((await duka.api(each).get('/v4/account')).status).toBe(200);
  });

  it('makes no key that is dead on arrival, and takes the scopes of a kind of program at once', async () => {
    await ada.see('/test/keys');
    await ada.press('New key');
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lagos', dateStyle: 'short' }).format();
    await ada.fill({ Name: 'Until tonight', 'Good until the end of': today }, ada.dialog());
    await ada.click(ada.dialog().getByRole('switch', { name: 'Limit what it may do' }));
    await ada.press('Sells airtime, data, bills', ada.dialog());
    await ada.press('Create key', ada.dialog());
    const made = (await ada.page.getByRole('group', { name: 'Secret key' }).innerText()).trim();
    expect((await duka.api(made).get('/v4/transactions')).status).toBe(200);
    const { data } = await ada.call('GET', '/keys?livemode=false');
    const { expires_at, scopes } = data.find(({ name }: any) => name === 'Until tonight');
    // Midnight in Lagos.
    expect(expires_at).toBe(new Date(Date.parse(`${today}T23:00:00Z`)).toISOString());
    expect(scopes.toSorted()).toEqual([
      'events:read',
      'purchases:read',
      'purchases:write',
      'transactions:read',
      'wallets:read',
    ]);
  });

  it('finds a transaction by its reference, and shows its story and its ledger lines', async () => {
    const { data } = (await duka.api(secret).get('/v4/wallets')).body;
    const from = data.find(({ balance }: any) => balance.available > 0).id;
    const to = data.find(({ id }: any) => id !== from).id;
    await duka.api(secret).transfer(from, to, 12_345, { reference: 'order-77' });
    await ada.see('/test/transactions?status=successful&direction=debit');
    await ada.row('transfer out').nth(1).waitFor();
    expect(await ada.row('transfer in').count()).toBe(0);
    await ada.fill({ 'Find by id': 'order-77' });
    await ada.press('Find');
    await ada.at(/\/transactions\?q=order-77$/);
    await ada.click(ada.row('NGN 123.45').getByRole('link').first());
    await ada.page.getByText('Money moved between own accounts').click();
    const lines = ada.page.getByRole('table', { name: 'Ledger lines' });
    await lines.getByRole('row').nth(2).waitFor();
    expect(await lines.getByRole('cell', { name: '123.45', exact: true }).count()).toBe(2);
    await ada.page.getByRole('listitem').filter({ hasText: 'Transfer out' }).first().waitFor();
  });

  it('registers an endpoint, shows its secret, and what was delivered to it', async () => {
    await ada.open('/test/webhooks');
    await ada.press('New endpoint');
    await ada.fill({ Address: receiver.url }, ada.dialog());
    await ada.press('Register endpoint', ada.dialog());
    signingSecret = (await ada.page.getByRole('group', { name: 'Signing secret' }).innerText()).trim();
    expect(signingSecret).toMatch(/^whsec_/);
    await ada.press('I have copied it');
    await ada.click(ada.page.getByRole('link', { name: receiver.url }));
    await ada.press('Send test event');
    await ada.row('delivered').first().waitFor();
    await ada.click(ada.row('delivered').first().getByRole('link').first());
    await ada.page.getByText('HTTP 204').waitFor();
    expect(await ada.page.getByRole('group', { name: 'The event as sent' }).innerText()).toContain(
      'webhook_endpoint.test',
    );
    await ada.press('Send again');
    await ada.told('It is sent again.');
  });

  it('counts before it replays', async () => {
    await ada.open('/test/webhooks');
    await ada.click(ada.page.getByRole('link', { name: receiver.url }));
    await ada.click(ada.page.getByText('Replay events'));
    await ada.page.getByLabel('Which').selectOption('missing');
    await ada.press('Count them');
    await ada.page.getByText(/^[1-9]\d* events would be sent$/).waitFor();
    await ada.press('Replay them');
    await ada.told('The replay has begun.');
  });

  it('tells which rule of a signature a request breaks', async () => {
    const { headers, body } = receiver.requests[0]!;
    const lines = (changes: object) =>
      Object.entries({ ...headers, ...changes })
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join('\n');
    const tell = async (fields: { Headers?: string; 'Raw body'?: string }) => {
      await ada.open('/test/signature-checker');
      await ada.page.locator('input[name=secret]').fill(signingSecret);
      await ada.fill({ Headers: lines({}), 'Raw body': body, ...fields });
      await ada.press('Check');
      return ada.page
        .getByRole('status')
        .filter({ hasText: /Broken|right/ })
        .innerText();
    };
    expect(await tell({})).toMatch(/^The signature is right/);
    expect(await tell({ 'Raw body': JSON.stringify(JSON.parse(body), null, 2) })).toContain('parsed and written again');
    expect(await tell({ Headers: lines({ 'webhook-timestamp': '1614265330' }) })).toContain(
      'Broken: The timestamp is within 5 minutes',
    );
    expect(await tell({ Headers: lines({ 'webhook-signature': 'v2,abc' }) })).toContain(
      'Broken: A signature has the tag v1',
    );
    const alone = createHmac('sha256', Buffer.from(signingSecret.slice(6), 'base64'))
      .update(body)
      .digest('base64');
    expect(await tell({ Headers: lines({ 'webhook-signature': `v1,${alone}` }) })).toContain('over the body alone');
    expect(await tell({ Headers: 'svix-id: 1' })).toContain('There is svix-id; the name here is webhook-id.');
  });

  it('shows the requests of the program, and its errors by kind', async () => {
    await duka.api(secret).get('/v4/wallets/wal_01k00000000000000000000000');
    const link = ada.page.getByRole('link', { name: /^GET \/v4\/wallets\/wal_/ });
    await until(async () => {
      await ada.see('/test/requests?status=4xx');
      return link.isVisible();
    });
    await ada.click(link);
    await ada.page.getByText('/v4/wallets/:id').first().waitFor();
    await ada.see('/test/requests');
    await ada.press('Group the errors');
    await ada.page.getByRole('table', { name: 'Errors by route' }).getByText('not_found').first().waitFor();
  });

  it('revokes a key, which is then refused', async () => {
    await ada.see('/test/keys');
    // The first one: of what it was rolled to, the program knows nothing.
    await ada.click(ada.row('rolled').getByRole('button', { name: 'Revoke Till' }));
    await ada.press('Revoke', ada.dialog());
    await ada.told('The key is revoked.');
    await until(async () => (await duka.api(secret).get('/v4/account')).status === 401);
  });

  it('keeps live mode locked, and says why', async () => {
    await ada.click(ada.page.getByRole('link', { name: 'Live', exact: true }));
    await ada.page.getByRole('heading', { name: 'Live mode is locked' }).waitFor();
    expect(ada.page.url()).toContain('/dashboard/live/keys');
  });

  it('signs out everywhere', async () => {
    const phone = await Visitor.of(browser, duka.url);
    await phone.open('/log-in');
    await phone.logIn(EMAIL);
    await phone.at(/\/dashboard\/test$/);
    await ada.see('/test/security');
    await ada.row('HeadlessChrome').nth(1).waitFor();
    await ada.press('Sign out everywhere');
    await ada.press('Sign out everywhere', ada.dialog());
    await ada.at(/\/log-in/);
    // A page notices by itself that its session has ended, and goes there, too.
    await phone.at(/\/log-in/);
    for (const visitor of [ada, phone]) {
      await visitor.open('/test/keys');
      await visitor.at(/\/log-in\?next=/);
    }
    await phone.close();
  });
});
