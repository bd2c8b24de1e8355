import type { Locator } from 'playwright-core';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { startDashboard, type Visitor } from './support/dashboard-visitor';
import { PlainReceiver } from './support/plain-receivers';
import { until } from './support/recurring-probe';

describeInBrowser('the pages of webhooks', () => {
  let ada: Visitor;
  let receiver: PlainReceiver;
  let status = 200;
  let endpoint: string;
  let wallet: string;

  startDashboard({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, async (started) => {
    ({ ada } = started);
    receiver = await PlainReceiver.start((_, response) =>
      response.writeHead(status, { 'x-trace': 't-1', 'content-type': 'application/json' }).end('{"ok":false}'),
    );
    wallet = (await ada.call('POST', '/test/v4/wallets', { currency: 'NGN' })).id;
  });

  afterAll(() => receiver?.stop());

  const credit = () => ada.call('POST', `/test/v4/sandbox/wallets/${wallet}/credit`, { amount: 100 });
  const check = (name: string): Locator => ada.dialog().getByRole('checkbox', { name, exact: true });
  const read = () => ada.call('GET', `/test/v4/webhooks/${endpoint}`);
  const deliveries = async () => (await ada.call('GET', `/test/v4/webhooks/${endpoint}/deliveries`)).data;

  it('registers an endpoint for what is ticked', async () => {
    await ada.open('/test/webhooks');
    await ada.press('New endpoint');
    await ada.fill({ Address: receiver.url, Description: 'Till' }, ada.dialog());
    await ada.click(ada.dialog().getByRole('switch', { name: 'All events' }));
    await ada.dialog().getByText('Choose at least one type.').waitFor();
    await ada.fill({ 'Search types': 'wallet' }, ada.dialog());
    await ada.click(check('wallet: all'));
    await ada.fill({ 'Search types': 'card.f' }, ada.dialog());
    await ada.click(check('card.funded'));
    await ada.click(check('card.frozen'));
    await ada.click(check('card.frozen'));
    await ada
      .dialog()
      .getByText(/^8 of \d+ types: card.funded, wallet.\*$/)
      .waitFor();
    expect(await seriousFindings(ada.page)).toEqual([]);
    await ada.press('Register endpoint', ada.dialog());
    await ada.press('I have copied it');
    await ada.click(ada.page.getByRole('link', { name: receiver.url }));
    await ada.at(/whk_\w+$/);
    endpoint = /whk_\w+$/.exec(ada.page.url())![0];
    expect(await read()).toMatchObject({ events: ['card.funded', 'wallet.*'], description: 'Till' });
  });

  it('edits it, and does not show the values of its headers again', async () => {
    await ada.press('Edit');
    expect(await check('card.funded').isChecked()).toBe(true);
    expect(await check('card.frozen').isChecked()).toBe(false);
    await ada.click(check('card.funded'));
    await ada.press('Add a header', ada.dialog());
    await ada.fill({ Name: 'X-Api-Key', Value: 'k-1001', 'Requests a second': '50' }, ada.dialog());
    await ada.press('Save changes', ada.dialog());
    await ada.told('The endpoint is changed.');
    await ada.dialog().waitFor({ state: 'hidden' });
    await ada.page.getByText('50 requests').waitFor();
    expect(await read()).toMatchObject({ events: ['wallet.*'], header_names: ['x-api-key'], max_per_second: 50 });
    await ada.press('Edit');
    await ada.button('Remove x-api-key', ada.dialog()).waitFor();
    expect(await ada.page.content()).not.toContain('k-1001');
    await ada.page.keyboard.press('Escape');
  });

  it('shows how deliveries go, and narrows them by what stands in the address', async () => {
    await credit();
    await until(async () => (await deliveries())[0]?.status === 'delivered');
    expect(receiver.requests[0]!.headers['x-api-key']).toBe('k-1001');
    status = 503;
    await credit();
    await until(async () => (await deliveries())[0]?.last_http_status === 503);
    await ada.see(`/test/webhooks/${endpoint}`);
    await ada.page
      .getByText(/^\d\d(\.\d)? %$/)
      .first()
      .waitFor();
    await ada.page.getByText('Your server answered 503: it failed').waitFor();
    await ada.page.getByText('It fails now').waitFor();
    await ada.page.locator('.chart svg').first().waitFor();
    await ada.page.getByRole('textbox', { name: 'Answer' }).fill('503');
    await ada.at(/http_status=503/);
    await until(async () => (await ada.page.getByRole('row').filter({ hasText: 'wallet.credited' }).count()) === 1);
    await ada.see(`/test/webhooks/${endpoint}?type=wallet.frozen`);
    await ada.page.getByText('No deliveries match.').waitFor();
    expect(await seriousFindings(ada.page)).toEqual([]);
  });

  it('shows an attempt with the headers of both sides, and the event with its deliveries', async () => {
    const [{ id, event_id }] = await deliveries();
    await ada.see(`/test/deliveries/${id}`);
    const sent = ada.page.getByRole('region', { name: 'Sent headers of attempt 1' });
    await sent.getByText('x-api-key').waitFor();
    expect(await sent.innerText()).toContain('••••');
    expect(await ada.page.getByRole('region', { name: 'Answered headers of attempt 1' }).innerText()).toContain('t-1');
    await ada.page
      .getByText(/^in \d+ (second|minute)s? \(/)
      .first()
      .waitFor();
    await ada.click(ada.page.getByRole('link', { name: event_id }));
    await ada.page
      .getByRole('article', { name: `Delivery ${id}` })
      .getByText('HTTP 503')
      .first()
      .waitFor();
    expect(await seriousFindings(ada.page)).toEqual([]);
  });

  it('counts what a disabled endpoint missed, and sends it as it is enabled', async () => {
    await ada.call('POST', `/test/v4/webhooks/${endpoint}/disable`);
    await credit();
    await until(async () => (await deliveries())[0]?.status === 'disabled');
    status = 200;
    const before = receiver.requests.length;
    await ada.see(`/test/webhooks/${endpoint}`);
    await ada.page.getByText('Somebody of your account disabled it.').waitFor();
    await ada.page.getByText(/^It missed [1-9]\d* events?\.$/).waitFor();
    await ada.press('Enable and send what it missed');
    await ada.told('The endpoint is enabled, and gets what it missed.');
    await until(() => receiver.requests.length > before);
    expect((await read()).status).toBe('enabled');
  });

  it('has every type of event with its schema and a sample', async () => {
    await ada.see('/test/webhooks/catalogue?q=card.transaction');
    const types = ada.page.getByRole('navigation', { name: 'Types of events' }).getByRole('link');
    expect(await types.allInnerTexts()).toContain('card.transaction.settled');
    await ada.click(types.filter({ hasText: 'card.transaction.settled' }));
    await ada.at(/type=card.transaction.settled/);
    const sample = JSON.parse(await ada.page.getByRole('group', { name: 'Sample' }).innerText());
    expect(sample).toMatchObject({
      type: 'card.transaction.settled',
      data: { object: { object: 'card_transaction' } },
    });
    const schema = JSON.parse(await ada.page.getByRole('group', { name: 'JSON schema' }).innerText());
    expect(schema.properties).toMatchObject({
      type: { const: 'card.transaction.settled' },
      data: { properties: { object: { properties: { merchant: expect.anything() } } } },
    });
    await ada.see('/test/webhooks/catalogue?type=wallet.credited');
    await ada.page.getByText(/the newest is/).waitFor();
  });

  it('checks a signature with the secret of an endpoint, without showing it', async () => {
    const { headers, body } = receiver.requests.at(-1)!;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
    await ada.see('/test/signature-checker');
    await ada.page.getByLabel('Endpoint').selectOption(endpoint);
    await ada.press('Use its secret');
    await ada.told('The secret is filled in.');
    expect(await ada.page.locator('input[name=secret]').getAttribute('type')).toBe('password');
    await ada.fill({ Headers: lines.join('\n'), 'Raw body': body });
    await ada.press('Check');
    await ada.page.getByText('The signature is right').waitFor();
    await ada.fill({ 'Raw body': `${body} ` });
    await ada.press('Check');
    await ada.page.getByText(/^Broken: A signature is HMAC/).waitFor();
    const { data } = await ada.call('GET', '/audit-log');
    expect(data[0]).toMatchObject({ action: 'webhook.secret_shown', target: endpoint });
  });

  it('fits 360 pixels, in the dark, too', async () => {
    await ada.page.setViewportSize({ width: 360, height: 740 });
    await ada.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    const [{ id, event_id }] = await deliveries();
    const pages = ['catalogue', endpoint].map((page) => `webhooks/${page}`);
    for (const page of [...pages, `deliveries/${id}`, `events/${event_id}`, 'signature-checker']) {
      await ada.go(`/test/${page}`);
      expect([page, await sidewaysPixels(ada.page), await seriousFindings(ada.page)]).toEqual([page, 0, []]);
    }
  });
});
