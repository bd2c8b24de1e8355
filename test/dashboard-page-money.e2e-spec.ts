import type { Locator } from 'playwright-core';
import { DaysService } from '../src/modules/statements/days.service';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const SOON_MS = 15_000;
const DAY_MS = 86_400_000;

describeInBrowser('a wallet, conversions, virtual accounts, refunds and reports at the dashboard', () => {
  let duka: Duka;
  let ada: Visitor;
  let shop: string;
  let rent: string;
  let payment: string;

  const made = (path: string, body: object = {}) => ada.call('POST', `/test${path}`, body);
  const fact = (name: string): Locator =>
    ada.page
      .locator('.facts > div')
      .filter({ has: ada.page.locator('dt').getByText(name, { exact: true }) })
      .locator('dd')
      .first();
  const region = (name: string): Locator => ada.page.getByRole('region', { name, exact: true });

  startDashboard({ WORKER_IN_API: true }, async (started) => {
    ({ duka, ada } = started);
    ada.page.setDefaultTimeout(SOON_MS);
    shop = (await made('/v4/wallets', { currency: 'NGN', label: 'Shop' })).id;
    rent = (await made('/v4/wallets', { currency: 'NGN', label: 'Rent' })).id;
    await made('/v4/wallets', { currency: 'USD', label: 'Dollars' });
    await made(`/v4/sandbox/wallets/${shop}/credit`, { amount: 123_456_789_012 });
    // It runs until somebody settles it.
    await made('/v4/airtime/purchase', { wallet_id: shop, phone: '+2348000000111', amount: 10_000 });
    const body = { amount: 150_000, currency: 'NGN', description: 'Order 1001', wallet_id: shop };
    payment = (await made('/api/v1/payments', body)).id;
    await made(`/v4/sandbox/payments/${payment}/complete`, { status: 'successful' });
  });

  it('moves money from a wallet, and its statement adds up with the file', async () => {
    await ada.see(`/test/wallets/${shop}`);
    await ada.press('Transfer');
    await ada.dialog().getByRole('combobox', { name: 'To' }).selectOption(rent);
    await ada.fill({ Amount: '1,050.50', Narration: 'Rent of May' }, ada.dialog());
    await ada.press('Send', ada.dialog());
    await ada.told('The money is moved.');
    const statement = region('Statement');
    await statement.getByText('Transfer sent, Rent of May').waitFor();
    await statement.getByText('− NGN 1,050.50').or(statement.getByText('NGN −1,050.50')).first().waitFor();
    const said = await ada.call('GET', `/test/v4/wallets/${shop}/statement`);
    expect(await fact('Opening balance').textContent()).toBe('NGN 0.00');
    expect(said.opening + said.total_in - said.total_out).toBe(said.closing);
    expect((await fact('Closing balance').textContent())!.replaceAll(/\D/g, '')).toBe(String(said.closing));
    await region('Balance over time').locator('svg .recharts-area').first().waitFor();
  });

  it('has each file of the period that is shown', async () => {
    const start = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);
    await ada.see(`/test/wallets/${shop}?from=${start}`);
    for (const [name, begin] of [
      ['Download CSV', /Rent of May/],
      ['Download PDF', /^%PDF/],
    ] as const) {
      const href = (await region('Statement').getByRole('link', { name }).getAttribute('href'))!;
      expect(href).toContain(`from=${start}`);
      expect(await ada.page.evaluate(async (url) => (await fetch(url)).text(), href)).toMatch(begin);
    }
    await ada.see(`/test/wallets/${shop}?from=2020-01-01&to=2020-01-31`);
    await ada.page.getByText('Nothing happened to its money in this period.').waitFor();
  });

  it('tells what is held and for what', async () => {
    await ada.see(`/test/wallets/${shop}`);
    const held = region('Held');
    await held.getByText(/^Held: NGN \d+\.\d\d$/).waitFor();
    await held.getByText('airtime purchase').waitFor();
    expect(await held.getByRole('link', { name: /^txn_/ }).count()).toBe(1);
  });

  it('freezes one direction with a reason, changes it, and ends it', async () => {
    await ada.see(`/test/wallets/${rent}`);
    await ada.press('Freeze');
    await ada.dialog().locator('select[name=direction]').selectOption('credit');
    await ada.fill({ Reason: 'Books are checked' }, ada.dialog());
    const end = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
    await ada.dialog().locator('input[name=until]').fill(end);
    await ada.press('Freeze', ada.dialog());
    await ada.page.getByText(/^takes nothing until .*: Books are checked$/).waitFor();
    await ada.press('Change the freeze');
    await ada.dialog().locator('select[name=direction]').selectOption('both');
    await ada.press('Change the freeze', ada.dialog());
    await ada.page.getByText('neither pays nor takes money: Books are checked').waitFor();
    await ada.press('Unfreeze');
    await fact('State').getByText('active').waitFor();
  });

  it('has a label and a threshold', async () => {
    await ada.see(`/test/wallets/${rent}`);
    await ada.press('Settings');
    await ada.fill({ Label: 'Rent and light', 'Warn below': '2,000' }, ada.dialog());
    await ada.press('Save', ada.dialog());
    await ada.page.getByRole('heading', { name: 'Rent and light' }).waitFor();
    await fact('Warns below').getByText('NGN 2,000.00').waitFor();
  });

  it('converts at a rate that is promised while it counts down', async () => {
    await ada.see('/test/conversions');
    await ada.page.getByText('No conversions yet').waitFor();
    await ada.press('Convert');
    const dialog = ada.dialog();
    await dialog.getByRole('combobox', { name: 'Sell from' }).selectOption(shop);
    await ada.fill({ Amount: '150,000' }, dialog);
    await ada.press('Ask for a quote', dialog);
    await dialog.getByText(/^1 NGN = 0\.\d+ USD$/).waitFor();
    const left = async () => Number(/\d+/.exec((await dialog.getByRole('timer').textContent())!)![0]);
    const first = await left();
    expect(first).toBeGreaterThan(50);
    await until(async () => (await left()) < first);
    expect(await left()).toBeLessThan(first);
    await ada.press('Convert it', dialog);
    await ada.told(/^Converted: USD \d+\.\d\d arrived\.$/);
    await ada
      .row('− NGN 150,000.00')
      .getByText(/^\+ USD/)
      .waitFor();
  });

  it('opens an account number, and shows what arrives at it', async () => {
    await ada.see('/test/virtual-accounts');
    await ada.page.getByText('No account numbers yet').waitFor();
    await ada.press('New account number');
    await ada.dialog().getByRole('combobox', { name: 'Credits' }).selectOption(shop);
    await ada.dialog().getByRole('combobox', { name: 'Kind' }).selectOption('one_time');
    await ada.fill({ Amount: '2,500', Label: 'Order 7' }, ada.dialog());
    await ada.press('Open it', ada.dialog());
    await ada.at(/virtual-accounts\/vac_/);
    await fact('Status').getByText('active').waitFor();
    await ada.press('Pay it');
    const arrivals = region('Arrivals');
    await arrivals.getByText('Ada Obi').waitFor();
    await arrivals.getByText('credited').waitFor();
    await fact('Status').getByText('used').waitFor();
    await ada.see('/test/virtual-accounts?status=active');
    await ada.page.getByText('No account matches.').waitFor();
    await ada.see('/test/virtual-accounts?kind=one_time');
    await ada.row('Order 7').getByText('NGN 2,500.00').waitFor();
  });

  it('gives a part of a payment back, and tells what is left', async () => {
    await ada.see(`/test/payments/${payment}`);
    const refunds = region('Refunds');
    await refunds.getByText('NGN 1,500.00 can still go back').waitFor();
    await ada.fill({ 'Refund (NGN)': '1,500.01', Reason: 'Returned goods' }, refunds);
    await ada.press('Refund', refunds);
    await refunds.getByText('Only NGN 1,500.00 is left').waitFor();
    await ada.fill({ 'Refund (NGN)': '400' }, refunds);
    await ada.press('Refund', refunds);
    await ada.told('The payer has it.');
    await refunds.getByText('NGN 1,100.00 can still go back').waitFor();
    await refunds.getByText('Returned goods').waitFor();
    await ada.see('/test/refunds?status=successful&needs_review=false');
    await ada.row('Returned goods').getByText('NGN 400.00').waitFor();
    await ada.see('/test/refunds?needs_review=true');
    await ada.page.getByText('No refund matches.').waitFor();
  });

  it('makes a report and has its file', async () => {
    await ada.see('/test/reports');
    await ada.page.getByText('No reports yet').waitFor();
    await ada.press('New report');
    const [from, to] = [DAY_MS, 0].map((ago) => new Date(Date.now() - ago).toISOString().slice(0, 10));
    await ada.dialog().locator('input[name=from]').fill(from!);
    await ada.dialog().locator('input[name=to]').fill(to!);
    await ada.press('Make it', ada.dialog());
    const row = ada.row(`transactions, ${from} to ${to}`);
    await row.getByText('ready').waitFor();
    const arrived = ada.page.waitForEvent('download');
    await ada.press('Download', row);
    expect((await arrived).suggestedFilename()).toMatch(/\.csv$/);
  });

  it('has the closed days with their hash', async () => {
    await ada.see(`/test/wallets/${shop}`);
    await region('Closed days').getByText('No day is closed yet').waitFor();
    await duka.get<DaysService>(DaysService).close(new Date(Date.now() + 2 * DAY_MS));
    const days = (await ada.call('GET', `/test/v4/wallets/${shop}/days`)).data;
    await ada.see(`/test/wallets/${shop}`);
    for (const { date, hash } of days)
      expect(await region('Closed days').getByRole('row').filter({ hasText: date }).innerText()).toContain(
        hash.slice(0, 12),
      );
  });

  it('is well to look at in both colours and in a narrow window', async () => {
    const account = (await ada.call('GET', '/test/v4/virtual-accounts')).data[0].id;
    const details = [`wallets/${shop}`, `virtual-accounts/${account}`, `payments/${payment}`];
    const pages = [...details, 'virtual-accounts', 'conversions', 'reports', 'refunds', 'payments'];
    const findings: unknown[] = [];
    for (const [width, colorScheme] of [
      [1_280, 'light'],
      [360, 'dark'],
    ] as const) {
      await ada.page.setViewportSize({ width, height: 900 });
      await ada.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const page of pages) {
        await ada.go(`/test/${page}`);
        const found = [await seriousFindings(ada.page), await sidewaysPixels(ada.page)] as const;
        if (found[0].length + found[1] > 0) findings.push([page, width, ...found]);
      }
    }
    expect(findings).toEqual([]);
  });
});
