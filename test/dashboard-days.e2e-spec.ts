import type { Browser } from 'playwright-core';
import { decodeId } from '../src/core/http/ids';
import { describeInBrowser, openBrowser } from './support/browser';
import { PASSWORD, Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { PlainReceiver } from './support/plain-receivers';
import { until } from './support/recurring-probe';

describeInBrowser('a day at the dashboard', () => {
  let duka: Duka;
  let browser: Browser;
  let receiver: PlainReceiver;

  beforeAll(async () => {
    duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
    browser = await openBrowser();
    receiver = await PlainReceiver.start();
  });

  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await duka?.stop();
  });

  const part = ({ page }: Visitor, name: string) => page.getByRole('region', { name, exact: true });

  /** Presses Ctrl-K, and goes where the first hit leads. */
  async function find({ page }: Visitor, text: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type(text);
    await page
      .getByRole('option', { name: /airtime purchase/i })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
  }

  it('of a developer: from the sign-up over a call that fails to its webhook', async () => {
    const ada = await Visitor.of(browser, duka.url);
    await ada.signUp('ada@example.com');
    await ada.click(ada.page.getByRole('link', { name: 'Get an API key' }));
    await ada.press('New key');
    await ada.fill({ Name: 'Till' }, ada.dialog());
    await ada.press('Create key', ada.dialog());
    const api = duka.api((await ada.page.getByRole('group', { name: 'Secret key' }).innerText()).trim());

    const refused = await api.post('/v4/airtime/purchase', { phone: '12345', amount: 10_000 });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await until(async () => (await ada.call('GET', '/request-log?livemode=false&status=4xx')).data.length > 0);
    await ada.see('/test/requests?status=4xx');
    await ada.click(ada.page.getByRole('link', { name: 'POST /v4/airtime/purchase' }).first());
    const why = ada.page.getByRole('alert').filter({ hasText: 'Why it failed' });
    const explained = (await why.getByRole('link').first().getAttribute('href'))!;
    expect(explained).toBe(`/docs/errors#${refused.body.code}`);
    expect(await (await fetch(`${duka.url}/docs/errors`)).text()).toContain(`id="${refused.body.code}"`);

    await ada.see('/test/webhooks');
    await ada.press('New endpoint');
    await ada.fill({ Address: receiver.url }, ada.dialog());
    await ada.press('Register endpoint', ada.dialog());
    await ada.press('I have copied it');
    await ada.see('/test/sandbox');
    const credit = part(ada, 'Credit a wallet');
    await credit.getByLabel('Amount').fill('5000');
    await ada.press('Credit', credit);
    await credit.getByText('NGN 5,000.00: txn_').waitFor();

    const sold = await api.post('/v4/airtime/purchase', { phone: '+2348000000100', amount: 10_000 });
    expect([sold.status, sold.body.status]).toEqual([201, 'successful']);
    await until(() => receiver.requests.some(({ body }) => body.includes(sold.body.id)));
    await ada.see('/test');
    await find(ada, sold.body.id);
    await ada.at(new RegExp(`/test/transactions/${sold.body.id}`));
    const story = part(ada, 'Timeline');
    for (const told of [/POST \/v4\/airtime\/purchase/, /API key Till/, /It ended: successful/, /: HTTP 2\d\d/])
      await story.getByText(told).first().waitFor();
    expect(ada.faults.errors).toEqual([]);
    await ada.close();
  });

  it('of who keeps the books: an amount that is looked for, a statement, a receipt, and money that goes back once somebody else agrees', async () => {
    const ngozi = await Visitor.of(browser, duka.url);
    await ngozi.signUp('ngozi@example.com');
    const made = (path: string, body: object) => ngozi.call('POST', `/test${path}`, body);
    const wallet = (await made('/v4/wallets', { currency: 'NGN', label: 'Shop' })).id;
    await made(`/v4/sandbox/wallets/${wallet}/credit`, { amount: 9_000_000 });
    const amounts = [10_000, 25_050, 123_456];
    for (const amount of amounts)
      await made('/v4/airtime/purchase', { wallet_id: wallet, phone: '+2348000000100', amount, allow_duplicate: true });
    const asked = { amount: 150_000, currency: 'NGN', description: 'Order 1001', wallet_id: wallet };
    const payment = (await made('/api/v1/payments', asked)).id;
    await made(`/v4/sandbox/payments/${payment}/complete`, { status: 'successful' });
    await duka.asOwner(
      `INSERT INTO refund_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 20000)`,
      [decodeId('acct', (await ngozi.call('GET', '/me')).account.id)],
    );
    await ngozi.call('POST', '/auth/step-up', { password: PASSWORD });
    const invited = { name: 'Tunde Bello', email: 'tunde@example.com', role: 'admin' };
    const tunde = await Visitor.of(browser, duka.url);
    await tunde.join((await ngozi.call('POST', '/team', invited)).invite_url);

    await ngozi.see('/test/transactions?q=1,234.56');
    const found = ngozi.page.getByRole('table', { name: /^Found for/ }).getByRole('row');
    await until(async () => (await found.count()) === 2);
    await ngozi.click(found.last().getByRole('link').first());
    await ngozi.at(/\/transactions\/txn_/);
    await ngozi.click(ngozi.page.getByRole('link', { name: 'Receipt' }));
    await ngozi.at(/\/receipts\/txn_/);
    await ngozi.page.getByText('NGN 1,234.56').first().waitFor();

    await ngozi.see(`/test/wallets/${wallet}`);
    const statement = part(ngozi, 'Statement');
    const said = await ngozi.call('GET', `/test/v4/wallets/${wallet}/statement`);
    expect(said.opening + said.total_in - said.total_out).toBe(said.closing);
    const closing = ngozi.page
      .locator('.facts > div')
      .filter({ hasText: /^Closing balance/ })
      .locator('dd');
    expect((await closing.innerText()).replaceAll(/\D/g, '')).toBe(String(said.closing));
    expect(said.closing).toBe((await ngozi.call('GET', `/test/v4/wallets/${wallet}`)).balance.available);
    await statement.getByRole('link', { name: 'Download CSV' }).waitFor();

    await ngozi.see(`/test/payments/${payment}`);
    const refund = ngozi.page.getByRole('form', { name: 'Refund' });
    await ngozi.fill({ 'Refund (NGN)': '500' }, refund);
    await ngozi.press('Refund', refund);
    await ngozi.page.getByText('The refund of NGN 500.00 waits for a second person').waitFor();
    await tunde.see('/test');
    await tunde.press(/^Notifications/);
    await tunde.dialog().getByText('Refund waits for your approval').waitFor();
    await tunde.click(tunde.dialog().getByRole('link', { name: /^txn_/ }));
    await tunde.at(/\/transactions\/txn_/);
    await tunde.press('Approve');
    await tunde.fill({ Reason: 'The goods are back' }, tunde.dialog());
    await tunde.press('Approve', tunde.dialog());
    await tunde.prove();
    await until(async () => (await ngozi.call('GET', `/test/api/v1/payments/${payment}`)).amount_refunded === 50_000);
    await ngozi.page.getByText('The refund of NGN 500.00 was let go by a second person').waitFor();
    expect([...ngozi.faults.errors, ...tunde.faults.errors]).toEqual([]);
    for (const visitor of [ngozi, tunde]) await visitor.close();
  });
});
