import type { Browser, Route } from 'playwright-core';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';
import { removeTransactions, SEEDED, type Seeded, seedTransactions, seedWallets } from './support/many-wallets';

const TOTAL = SEEDED + 1;

describeInBrowser('an account with 301 wallets', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let seeded: Seeded;
  let account: string;
  let own: string;

  beforeAll(async () => {
    duka = await Duka.start();
    browser = await openBrowser();
    ada = await Visitor.of(browser, duka.url);
    await ada.signUp('ada@example.com');
    account = (await ada.call('GET', '/me')).account.id;
    own = (await ada.call('GET', '/test/v4/wallets')).data[0].id;
    // What Home reckons is kept for minutes: nothing looks while only a part is there.
    await ada.page.goto('about:blank');
    seeded = await seedWallets(duka, account);
    const [float, dollars] = seeded.wallets as [string, string];
    const sold = { accountId: account, type: 'airtime_purchase', count: 4 };
    await seedTransactions(duka, { ...sold, walletId: float, currency: 'NGN', amount: 120_000_000 });
    await seedTransactions(duka, { ...sold, walletId: dollars, currency: 'EUR', type: 'bill_payment', amount: 100 });
    await seedTransactions(duka, {
      ...sold,
      walletId: float,
      currency: 'NGN',
      type: 'data_purchase',
      status: 'failed',
      amount: 100,
    });
    await seedTransactions(duka, {
      ...sold,
      walletId: float,
      currency: 'NGN',
      type: 'payout',
      status: 'processing',
      amount: 100,
    });
    await seedTransactions(duka, {
      ...sold,
      count: 1,
      walletId: float,
      currency: 'NGN',
      amount: 120_000_000,
      daysAgo: 40,
    });
    await seedTransactions(duka, { ...sold, walletId: seeded.wallets[1]!, currency: 'USD', amount: 62_500 });
    await duka.asOwner(`UPDATE transactions SET failure = '{"code": "operator_unavailable"}' WHERE status = 'failed'`);
  });

  afterAll(async () => {
    await browser?.close();
    if (duka && seeded) {
      await removeTransactions(duka, account);
      await seeded.remove();
    }
    await duka?.stop();
  });

  afterEach(() => expect(ada.faults.errors.splice(0)).toEqual([]));

  const row = (label: string) =>
    ada.page.getByRole('row').filter({ has: ada.page.getByRole('link', { name: label, exact: true }) });

  it('is whole on Home: sums of all wallets, reasons of failure, what is under way, and how much is not shown', async () => {
    await ada.page.setViewportSize({ width: 1_440, height: 900 });
    await ada.see('/test');
    const balances = ada.page.getByRole('region', { name: 'Balances' });
    await balances.getByText('NGN, 298 wallets').waitFor();
    await balances.getByText(/^NGN 135,456,789,4\d\d\.\d\d$/).waitFor();
    await balances.getByText('NGN 126,456,789,012.34 held').waitFor();
    await balances.getByText('USD, 2 wallets').waitFor();
    const glance = ada.page.getByRole('region', { name: 'At a glance' });
    await glance.getByText('75.0 %').waitFor();
    await glance.getByText('operator unavailable').waitFor();
    expect(await glance.locator('.counts').first().innerText()).toMatch(/Transactions processing\s+4\b/);
    await glance.getByText('100.0 % before').waitFor();
    await ada.page.getByText(`The fullest wallets, 12 of ${TOTAL}`).waitFor();
    // At NGN 4,800,000.00 a week of NGN 12 bn, and USD 2,504.00 of USD 5,000.00.
    await row('Float').getByText('over a year').waitFor();
    await row('Dollars 1').getByText('13 days').waitFor();
  });

  it('sets a period beside the one before, and says what was sold', async () => {
    const moved = ada.page.getByRole('region', { name: 'In and out' });
    await moved.getByText('▲ 300.0 % · NGN 1,200,000.00 before').waitFor();
    const sales = ada.page.getByRole('table', { name: 'Sales by product and network' });
    await sales.getByRole('row').filter({ hasText: 'bill payment' }).getByText('EUR 4.00').waitFor();
    await ada.page.getByLabel('Period').selectOption('7d');
    await ada.page.waitForURL(/period=7d/);
    await moved.getByText('new · NGN 0.00 before').first().waitFor();
    await ada.see('/test');
  });

  it('opens its chart on the currency with most money, with an axis that is short', async () => {
    await ada.page.locator('.chart svg text', { hasText: /m$/ }).first().waitFor();
    expect(await ada.page.getByLabel('Currency').inputValue()).toBe('NGN');
    const texts = (await ada.page.locator('.chart svg text').allTextContents()).map((text) => text.trim());
    const amounts = texts.filter((text) => !/^\d\d-\d\d$/.test(text));
    expect(amounts).toEqual(expect.arrayContaining(['0', '6m']));
    for (const amount of amounts) expect(amount).toMatch(/^\d(\.\d)?m?$/);
  });

  it.each([360, 768, 1_440])('cuts and wraps no amount in a window of %i pixels', async (width) => {
    await ada.page.setViewportSize({ width, height: 900 });
    for (const page of ['/test', `/test/wallets?q=${'x'.repeat(20)}`, `/test/wallets/${seeded.wallets[3]}`]) {
      await ada.see(page);
      await ada.page.getByText('NGN 123,456,789,012.34').first().waitFor({ timeout: 15_000 });
      expect([page, await cutAmounts(ada), await sidewaysPixels(ada.page)]).toEqual([page, [], 0]);
      if (width !== 768) expect([page, await seriousFindings(ada.page)]).toEqual([page, []]);
    }
  });

  it('finds a wallet in its list by label, and says how many it does not show', async () => {
    await ada.page.setViewportSize({ width: 1_280, height: 900 });
    await ada.see('/test/wallets');
    await ada.page.getByText(`20 of ${TOTAL}`).waitFor();
    await ada.press('Load more');
    await ada.page.getByText(`40 of ${TOTAL}`).waitFor();
    await ada.page.getByLabel('Label, reference or id').fill('float');
    await ada.at(/q=float/);
    await ada.row('Float').waitFor();
    await until(async () => (await ada.page.getByRole('row').count()) === 2);
  });

  it('credits a wallet that is far down, which the service finds', async () => {
    await ada.see('/test/sandbox');
    const tool = ada.page.getByRole('region', { name: 'Credit a wallet' });
    await tool.getByText(`20 of ${TOTAL} below`).waitFor();
    await tool.getByLabel('Search for “Wallet”').fill('float');
    const picker = tool.getByRole('combobox', { name: 'Wallet' });
    await picker.locator('option', { hasText: 'Float' }).waitFor({ state: 'attached' });
    await picker.selectOption({ label: 'Float · NGN 12,000,000,000.00' });
    await tool.getByLabel('Search for “Wallet”').fill('');
    expect(await picker.inputValue()).toBe(seeded.wallets[0]);
    await ada.press('More wallets', tool);
    await tool.getByText(`40 of ${TOTAL} below`).waitFor();
    expect(await picker.inputValue()).toBe(seeded.wallets[0]);
  });

  it('issues a card from a dollar wallet, though hundreds are newer', async () => {
    await ada.see('/test/cards');
    await ada.press('Issue a card');
    const picker = ada.dialog().getByLabel('Loaded from');
    await picker.locator('option', { hasText: 'Dollars 2' }).waitFor({ state: 'attached' });
    expect(await picker.locator('option').allInnerTexts()).toEqual([
      'Dollars 2 · USD 10,000.00',
      'Dollars 1 · USD 5,000.00',
    ]);
    await ada.page.keyboard.press('Escape');
  });

  it('keeps the next page of a list that is read again while it comes', async () => {
    const page = Promise.withResolvers<Route>();
    const isLive = Promise.all([/\/api\/notices/, /\/api\/stream/].map((url) => ada.page.waitForResponse(url)));
    await ada.see('/test/wallets');
    await ada.page.getByText(`20 of ${TOTAL}`).waitFor();
    await isLive;
    await ada.page.route(/\/api\/wallets\?.*cursor=/, (route) => page.resolve(route), { times: 1 });
    await ada.press('Load more');
    const next = await page.promise;
    await ada.call('POST', `/test/v4/sandbox/wallets/${own}/credit`, { amount: 100 });
    // What is read again at once with the list.
    await ada.page.waitForResponse(/\/dashboard\/api\/notices/);
    await next.continue();
    await ada.page.getByText(`40 of ${TOTAL}`).waitFor();
  });
});

/** Amounts that are cut, that wrap, or that reach beyond what holds them. */
function cutAmounts({ page }: Visitor): Promise<string[]> {
  return page.evaluate(() => {
    const { document, innerWidth } = globalThis as any;
    const amounts = [...document.querySelectorAll('.balance, .amount, .facts dd')].filter((element: any) =>
      /\d\.\d\d$/.test(element.innerText),
    );
    if (amounts.length === 0) return ['no amount is shown'];
    const isWhole = (element: any) => {
      const holders = [element, element.closest('.mantine-Card-root, td, dd')].filter(Boolean);
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getBoundingClientRect();
      const lines = new Set([...range.getClientRects()].map(({ top }: any) => Math.round(top))).size;
      return (
        lines === 1 &&
        left >= 0 &&
        right <= innerWidth &&
        holders.every(({ scrollWidth, clientWidth }: any) => scrollWidth <= clientWidth)
      );
    };
    return amounts.filter((element: any) => !isWhole(element)).map((element: any) => element.innerText);
  });
}
