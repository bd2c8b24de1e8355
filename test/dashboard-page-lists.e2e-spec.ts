import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';

const LIST = '**/dashboard/api/test/v4/transactions?**';
const STALE_MS = 5_500;
const LINE_PX = 80;
const ROWS = 1_220;

describeInBrowser('lists of the dashboard, in a browser', () => {
  let duka: Duka;
  let ada: Visitor;
  let shop: string;
  let purchase: string;

  const made = (path: string, body: object = {}) => ada.call('POST', `/test${path}`, body);
  const table = (): Locator => ada.page.getByRole('table', { name: 'Transactions' });
  const rows = (): Locator => table().getByRole('row');
  /** As if people must look at the purchase. */
  const mark = (needsReview: boolean) =>
    duka
      .get<DataSource>(DataSource)
      .query('UPDATE transactions SET needs_review = $2 WHERE id = $1', [decodeId('txn', purchase), needsReview]);
  const pick = async (filter: string, ...words: string[]) => {
    await ada.click(ada.page.getByRole('button', { name: `${filter}:` }));
    for (const word of words) await ada.page.getByRole('checkbox', { name: word, exact: true }).click();
    await ada.page.keyboard.press('Escape');
  };

  startDashboard({ WORKER_IN_API: true }, async (started) => {
    ({ duka, ada } = started);
    shop = (await made('/v4/wallets', { currency: 'NGN', label: 'Shop' })).id;
    await made(`/v4/sandbox/wallets/${shop}/credit`, { amount: 999_999_999_999 });
    purchase = (await made('/v4/airtime/purchase', { wallet_id: shop, phone: '+2348031234567', amount: 125_050 })).id;
    await made('/v4/airtime/purchase', { wallet_id: shop, phone: '+2348000000100', amount: 25_000 });
  });

  afterEach(async () => {
    // One test that fails leaves nothing to the next.
    await ada.page.unrouteAll({ behavior: 'ignoreErrors' });
    await ada.page.context().setOffline(false);
    expect(ada.faults.errors.splice(0)).toEqual([]);
  });

  it('dims and marks the old rows while another filter loads', async () => {
    await ada.see('/test/transactions');
    await rows().nth(3).waitFor();
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await ada.page.route(LIST, async (route) => {
      await held;
      await route.continue();
    });
    await ada.page.getByLabel('Direction').selectOption('credit');
    const old = ada.page.locator('.rows[aria-busy=true]');
    await old.getByText('These are still the rows of before').waitFor();
    expect(await old.getByRole('row').filter({ hasText: 'airtime purchase' }).count()).toBe(2);
    expect(Number(await table().evaluate((found) => (globalThis as any).getComputedStyle(found).opacity))).toBeLessThan(
      0.6,
    );
    release();
    await old.waitFor({ state: 'detached' });
    expect(await rows().filter({ hasText: 'airtime purchase' }).count()).toBe(0);
    await ada.page.unroute(LIST);
  });

  it('keeps its rows when they cannot be read again, says since when they are old, and tries again', async () => {
    await ada.see('/test/transactions');
    const before = await rows().count();
    await ada.page.route(LIST, (route) => route.fulfill({ status: 503, json: { code: 'away', detail: 'Away.' } }));
    await ada.page.waitForTimeout(STALE_MS);
    await ada.page.evaluate(() => (globalThis as any).dispatchEvent(new Event('visibilitychange')));
    await ada.page.getByText(/^The rows below are from \d+ \w+ \d+, \d\d:\d\d:\d\d UTC\.$/).waitFor();
    expect(await rows().count()).toBe(before);
    await ada.page.unroute(LIST);
    await ada.press('Try again');
    await ada.page.getByText('The rows below are from').waitFor({ state: 'detached' });
    expect(await rows().count()).toBe(before);
  });

  it('has a bar while it is offline, and keeps the page', async () => {
    await ada.see('/test/transactions');
    const before = await rows().count();
    await ada.page.context().setOffline(true);
    await ada.page.getByText('You are offline').waitFor();
    expect(await rows().count()).toBe(before);
    await ada.page.context().setOffline(false);
    await ada.page.getByText('You are offline').waitFor({ state: 'detached' });
  });

  it('applies filters at once, several types too, and has them in the address', async () => {
    await ada.see('/test/transactions');
    await pick('Type', 'airtime purchase', 'transfer out');
    await ada.at(/type=airtime_purchase%2Ctransfer_out$|type=transfer_out%2Cairtime_purchase$/);
    await rows().filter({ hasText: 'deposit' }).first().waitFor({ state: 'detached' });
    expect(await ada.page.getByRole('textbox', { name: 'Amount from' }).isDisabled()).toBe(true);
    await ada.page.getByLabel('Currency').selectOption('NGN');
    await ada.fill({ 'Amount from': '1,250.5' });
    await ada.at(/currency=NGN&amount_from=1%2C250\.5$/);
    await rows().nth(2).waitFor({ state: 'detached' });
    expect(await rows().nth(1).innerText()).toContain('NGN 1,250.50');
    await ada.fill({ 'Amount to': 'a lot' });
    await ada.page.getByText('No amount of NGN').waitFor();
    expect(ada.page.url()).not.toContain('amount_to');
    // The address alone leads there again.
    await ada.see(new URL(ada.page.url()).pathname.replace('/dashboard', '') + new URL(ada.page.url()).search);
    expect(await ada.page.getByRole('textbox', { name: 'Amount from' }).inputValue()).toBe('1,250.5');
    await ada.page.getByRole('button', { name: 'Type: 2 chosen' }).waitFor();
    expect(await rows().count()).toBe(2);
    await ada.press('Clear');
    await ada.at(/transactions$/);
    await rows().nth(3).waitFor();
  });

  it('looks for references and recipients, and takes days in the time zone of the account', async () => {
    await ada.see('/test/transactions');
    await ada.fill({ Recipient: '+2348031234567' });
    await ada.at(/recipient=%2B2348031234567$/);
    await rows().nth(2).waitFor({ state: 'detached' });
    await ada.page.goBack();
    await ada.page.goForward();
    await ada.see('/test/transactions');
    const asked = ada.page.waitForRequest((request) => request.url().includes('/v4/transactions?status'));
    await ada.open('/test/transactions?status=successful&from=2026-07-03&to=2026-07-04');
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get('created_gte'), searchParams.get('created_lt')]).toEqual([
      '2026-07-02T23:00:00.000Z',
      '2026-07-04T23:00:00.000Z',
    ]);
    await ada.page.getByText('by the clocks of Africa/Lagos').waitFor();
  });

  it('finds an amount, and parts of an id, a reference or a number', async () => {
    for (const text of ['1,250.50', purchase.slice(-6), purchase.slice(0, 26), '8031234']) {
      await ada.see(`/test/transactions?q=${encodeURIComponent(text)}`);
      const found = ada.page.getByRole('table', { name: `Found for ${text}` });
      await found.getByRole('row').filter({ hasText: 'NGN 1,250.50' }).waitFor();
    }
  });

  it('has its view as a file, with decimals', async () => {
    await ada.see('/test/transactions?currency=NGN&amount_from=1250&amount_to=2000');
    const saved = ada.page.waitForEvent('download');
    await ada.click(ada.page.getByRole('link', { name: 'Download CSV' }));
    const [titles, line, ...more] = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\n');
    expect(titles).toContain('amount,fee,commission,total,currency');
    expect(line).toMatch(new RegExp(`^${purchase},.*,1250\\.50,`));
    expect(more).toEqual([]);
  });

  it('marks what people must look at, and filters by it', async () => {
    await mark(true);
    await ada.see('/test/transactions');
    await rows().filter({ hasText: 'NGN 1,250.50' }).getByText('needs review').waitFor();
    expect(await table().getByText('needs review').count()).toBe(1);
    await ada.page.getByLabel('Review').selectOption('true');
    await ada.at(/needs_review=true$/);
    await rows().nth(2).waitFor({ state: 'detached' });
    expect(await rows().count()).toBe(2);
    await mark(false);
  });

  it('counts what the filters let through, and adds it up by currency', async () => {
    await ada.see('/test/transactions?type=airtime_purchase');
    await ada.page.getByText('2 match; they add up to:').waitFor();
    const sums = ada.page.getByRole('table', { name: 'Sums of what matches' }).getByRole('row');
    expect((await sums.nth(1).innerText()).replaceAll(/\s+/g, ' ')).toContain('NGN: 2 + NGN 0.00 − NGN 1,500.50');
  });

  it.each(['light', 'dark'] as const)('is two lines a row in a narrow window, in %s colours', async (colorScheme) => {
    await ada.page.setViewportSize({ width: 360, height: 740 });
    await ada.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await ada.see('/test/transactions');
    expect(await ada.page.getByLabel('Direction').isVisible()).toBe(false);
    const heights = await rows().evaluateAll((all) =>
      all.map((row) => (row as any).getBoundingClientRect().height as number),
    );
    expect(Math.max(...heights.slice(1))).toBeLessThanOrEqual(LINE_PX);
    const cut = await table()
      .locator('[data-place=amount]')
      .evaluateAll((all) => all.filter((cell: any) => cell.scrollWidth > cell.clientWidth).length);
    expect([cut, await sidewaysPixels(ada.page)]).toEqual([0, 0]);
    await rows().filter({ hasText: 'NGN 9,999,999,999.99' }).waitFor();
    expect(await seriousFindings(ada.page)).toEqual([]);
    await ada.press('Filters');
    await ada.click(ada.page.getByRole('button', { name: 'Type:' }));
    await ada.page.getByRole('checkbox', { name: 'deposit', exact: true }).waitFor();
    await ada.page.getByLabel('Direction').waitFor();
    expect([await sidewaysPixels(ada.page), await seriousFindings(ada.page)]).toEqual([0, []]);
    await ada.page.setViewportSize({ width: 1_280, height: 900 });
    const lines = await table()
      .locator('td.numeric > div')
      .evaluateAll((all) => all.map((cell: any) => cell.getClientRects().length && cell.offsetHeight));
    expect(Math.max(...lines)).toBeLessThan(30);
  });

  it('reads a long list in a few pages', async () => {
    const { secret } = await ada.call('POST', '/keys', {
      name: 'Till',
      livemode: false,
      scopes: null,
      expires_at: null,
      allowed_ips: null,
    });
    const other = (await made('/v4/wallets', { currency: 'NGN', label: 'Till' })).id;
    for (let i = 0; i < ROWS / 2; i += 10)
      await Promise.all(Array.from({ length: 10 }, (_, n) => duka.api(secret).transfer(shop, other, 100 + i + n)));
    await ada.see('/test/transactions');
    const began = Date.now();
    const drawn = table().locator('tbody tr[data-index]');
    let [read, pages] = [0, 0];
    await ada.page.route(LIST, async (route) => {
      // The first page is looked at again when something new is told of.
      if (new URL(route.request().url()).searchParams.has('cursor')) pages++;
      await route.continue();
    });
    while (read <= ROWS && Date.now() - began < 60_000) {
      await ada.page.evaluate(() => {
        const { document: page, scrollTo } = globalThis as any;
        scrollTo(0, page.body.scrollHeight);
      });
      await ada.page.waitForTimeout(50);
      read = Number(await drawn.last().getAttribute('aria-rowindex'));
    }
    console.log(`${read} rows in ${pages + 1} pages: ${Date.now() - began} ms`);
    expect([read > ROWS, pages + 1]).toEqual([true, 13]);
    expect(await drawn.count()).toBeLessThan(80);
  });
});
