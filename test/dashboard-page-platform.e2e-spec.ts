import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { DataSource } from 'typeorm';
import { FloatBookings } from '../src/modules/purchases/float-bookings';
import { Client } from '../src/providers/client';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { PASSWORD, Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';

const REFRESHED_MS = 60_000;
const IMAGES = join(__dirname, '../docs/images');
const EMAIL = 'olu@example.com';
const PAGES = ['providers', 'fees', 'going-live'] as const;
/** Nobody is asked with real money until an operator says whom. */
const LIVE_ROUTES = `
  INSERT INTO provider_routes (product, network, livemode, provider, position)
  VALUES ('airtime', 'mtn', true, 'acme', 1), ('airtime', '*', true, 'acme', 2), ('airtime', '*', true, 'zenith', 1)`;

const FLOATS = `
  INSERT INTO provider_floats (provider, currency, balance, at, floor)
  VALUES ('vtpass', 'NGN', 123456789050, now(), 200000000000), ('reloadly', 'NGN', 5000000, now(), NULL)`;

describeInBrowser('the platform at the dashboard, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let olu: Visitor;

  beforeAll(async () => {
    duka = await Duka.start();
    browser = await openBrowser();
    const first = await Visitor.of(browser, duka.url);
    await first.signUp(EMAIL);
    await first.close();
    await duka.setOperator(EMAIL, true);
    for (const rows of [LIVE_ROUTES, FLOATS]) await duka.get<DataSource>(DataSource).query(rows);
    await duka
      .get<FloatBookings>(FloatBookings)
      .reconcile('vtpass', 'NGN', {
        from: new Date('2026-01-01'),
        to: new Date('2100-01-01'),
        lines: ['fee-1', 'fee-2'].map((reference) => ({ reference, amount: 123_456n })),
      });
    await called('acme', { delivered: 18, unknown: 2 }, true);
    await called('sandbox', { delivered: 18, unknown: 1 }, false);
    olu = await Visitor.of(browser, duka.url);
    await olu.open('/log-in');
    await olu.logIn(EMAIL);
    await olu.at(/\/dashboard\/test$/);
  });

  afterAll(async () => {
    await browser?.close();
    await duka?.stop();
  });

  afterEach(() => expect(olu.faults.errors.splice(0)).toEqual([]));

  async function called(provider: string, outcomes: Record<string, number>, livemode: boolean): Promise<void> {
    const client = duka.get<Client>(Client);
    for (const [outcome, calls] of Object.entries(outcomes)) {
      for (let at = 0; at < calls; at++)
        client.count({ product: 'airtime', provider, livemode, call: 'purchase', outcome, milliseconds: 40 });
    }
    await client.flush();
  }

  const table = (name: string): Locator => olu.page.getByRole('table', { name, exact: true });
  const row = (of: string, text: string): Locator => table(of).getByRole('row').filter({ hasText: text }).first();

  it('is not offered to the owner of an account, and refused to them by its address', async () => {
    const owner = await Visitor.of(browser, duka.url);
    await owner.signUp('ada@example.com');
    const offered = await owner.pagesOffered();
    for (const page of ['Providers', 'Fees', 'Going live']) expect(offered).not.toContain(page);
    expect(await owner.page.getByText('Platform').count()).toBe(0);
    for (const page of PAGES) {
      await owner.see(`/test/${page}`);
      await owner.page.getByRole('alert').getByText('insufficient_role').first().waitFor();
      expect(await owner.page.getByRole('table').count()).toBe(0);
      expect(await owner.button('Add a fee').count()).toBe(0);
    }
    await owner.close();
  });

  it('is in the navigation of an operator', async () => {
    expect((await olu.pagesOffered()).slice(-6)).toEqual([
      'Providers',
      'Fees',
      'Catalogue',
      'Books',
      'Positions',
      'Going live',
    ]);
  });

  it('sets a fee, after the password, and shows it in the list', async () => {
    await olu.see('/test/fees');
    await olu.press('Add a fee');
    const form = olu.dialog();
    await form.getByLabel('Product').selectOption('airtime');
    await olu.fill({ Tier: 'gold', 'Flat (NGN)': '12.50', Percent: '1.5', 'At most': '2,000' }, form);
    await form.getByText('A payment of NGN 10,000.00 would cost NGN 162.50.').waitFor();
    await olu.fill({ 'Example amount': '1000000' }, form);
    await form.getByText('A payment of NGN 1,000,000.00 would cost NGN 2,000.00.').waitFor();
    await olu.press('Set fee', form);
    const proof = olu.page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.locator('input[name=password]').fill(PASSWORD);
    await olu.press('Confirm', proof);
    await olu.told('The fee is set.');
    await row('Fees', 'gold').getByText('NGN 12.50').waitFor();
    expect(await row('Fees', 'gold').innerText()).toMatch(
      /airtime\s+gold\s+NGN\s+NGN 12\.50\s+1\.50 %\s+NGN 2,000\.00/,
    );
  });

  it('takes amounts by the places of their currency, and nothing else', async () => {
    await olu.see('/test/fees');
    await olu.press('Add a fee');
    const form = olu.dialog();
    await form.getByLabel('Currency').selectOption('XOF');
    await olu.fill({ 'Flat (XOF)': '12.50' }, form);
    await form.getByText('An amount, such as 50 or 50.50').waitFor();
    expect(await olu.button('Set fee', form).isDisabled()).toBe(true);
    await olu.fill({ 'Flat (XOF)': '12', Percent: '100.01' }, form);
    await form.getByText('From 0 to 100, such as 1.5').waitFor();
    await olu.fill({ Percent: '0' }, form);
    await form.getByText('A payment of XOF 10,000 would cost XOF 12.').waitFor();
    await form.getByLabel('Currency').selectOption('NGN');
    await form.getByLabel('Product').selectOption('bills');
    await form.getByText('There is a rule for this already: it is replaced.').waitFor();
    await olu.page.keyboard.press('Escape');
  });

  it('changes a fee to nothing, which is free', async () => {
    await olu.press('Change airtime, gold, NGN');
    const form = olu.dialog();
    expect(await form.getByLabel('Percent').inputValue()).toBe('1.50');
    await olu.fill({ 'Flat (NGN)': '0', Percent: '0', 'At most': '' }, form);
    await olu.press('Set fee', form);
    await row('Fees', 'gold').getByText('Free').waitFor();
    expect((await olu.call('GET', '/operators/fees')).data).toContainEqual({
      product: 'airtime',
      tier: 'gold',
      currency: 'NGN',
      flat: 0,
      basis_points: 0,
      cap: null,
    });
  });

  it('shows how providers are doing, live first, and who was not asked', async () => {
    await olu.see('/test/providers');
    expect(await olu.page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Live', 'Test']);
    expect(await row('Providers, Live', 'acme').innerText()).toMatch(
      /airtime\s+acme\s+20\s+10\.0 %\s+Unhealthy\s+40 ms/,
    );
    expect(await row('Providers, Live', 'zenith').innerText()).toMatch(/not asked/);
    // One call too few to say so.
    expect(await row('Providers, Test', 'sandbox').innerText()).toMatch(/19\s+5\.3 %\s+40 ms/);
    await olu.click(olu.page.locator('summary', { hasText: 'Outcomes, Live' }));
    expect(await row('Outcomes, Live', 'unknown').innerText()).toMatch(
      /airtime\s+acme\s+purchase\s+unknown\s+2\s+40 ms/,
    );
  });

  it('reads them again by itself, for the time that the address says', async () => {
    await olu.click(olu.page.getByRole('link', { name: '5 minutes' }));
    await olu.at(/\/providers\?minutes=5$/);
    await called('zenith', { delivered: 3 }, true);
    await row('Providers, Live', 'zenith').getByText('3', { exact: true }).waitFor({ timeout: REFRESHED_MS });
  });

  it('switches a route off and on, once it is said what happens', async () => {
    const route = () =>
      olu
        .call('GET', '/operators/providers')
        .then(({ routes }) => routes.find((one: any) => one.provider === 'acme' && one.network === 'mtn').enabled);
    await olu.press('Switch off: acme for airtime, mtn, live');
    await olu.dialog().getByText('What is under way is still settled by it.').waitFor();
    await olu.dialog().getByText('Nobody else is asked for this').waitFor();
    await olu.press('Switch off', olu.dialog());
    await olu.told('acme is switched off.');
    await olu.button('Switch on: acme for airtime, mtn, live').waitFor();
    expect(await route()).toBe(false);
    await olu.press('Switch on: acme for airtime, mtn, live');
    await olu.press('Switch on', olu.dialog());
    await olu.button('Switch off: acme for airtime, mtn, live').waitFor();
    expect(await route()).toBe(true);
    await olu.press('Switch off: acme for airtime, any network, live');
    expect(await olu.dialog().innerText()).not.toContain('Nobody else');
    await olu.page.keyboard.press('Escape');
  });

  it('goes through the list of live mode when that is wanted, and not before', async () => {
    await olu.see('/test/going-live');
    await olu.page.getByText('Not checked yet.').waitFor();
    expect(await table('Checklist').count()).toBe(0);
    await olu.press('Check now');
    await table('Checklist').waitFor();
    expect(await row('Checklist', 'metrics').innerText()).toMatch(/missing\s+METRICS_TOKEN is not set/);
    await row('Checklist', 'airtime/zenith').getByText('A live route names airtime/zenith').waitFor();
    await olu.page.getByText(/^\d of \d items: missing\. Checked at .* UTC\.$/).waitFor();
  });

  it('shows what live providers lack, and our money there as people write it', async () => {
    const vtpass = row('Live providers', 'vtpass');
    await vtpass.waitFor();
    expect(await vtpass.innerText()).toMatch(/not there\s+VTPASS_URL, VTPASS_API_KEY, .*\s+no route/);
    expect(await table('Live providers').innerText()).not.toMatch(/sandbox/);
    expect(await row('Our money there', 'vtpass').innerText()).toMatch(
      /vtpass\s+NGN 1,234,567,890\.50\s+.*\s+NGN 0\.00\s+NGN 2,000,000,000\.00\s+low/,
    );
    expect(await row('Our money there', 'reloadly').innerText()).toMatch(/NGN 50,000\.00\s.*none\s+not known/s);
    // Three products, one float.
    expect(await table('Our money there').getByRole('row').count()).toBe(3);
  });

  it('closes a difference with a reason', async () => {
    expect(await row('Differences', 'fee-1').innerText()).toMatch(
      /vtpass\s+not in the books\s+fee-1\s+NGN 0\.00\s+NGN 1,234\.56/,
    );
    await olu.press('Explain fee-1');
    await olu.fill({ Reason: 'their fee of January' }, olu.dialog());
    await olu.press('Explain', olu.dialog());
    await olu.told('The difference is explained.');
    await row('Differences', 'fee-1').waitFor({ state: 'detached' });
    await row('Differences', 'fee-2').waitFor();
    const { data } = await olu.call('GET', '/operators/live/differences');
    expect(data.map(({ reference }: any) => reference)).toEqual(['fee-2']);
  });

  it('fits a window at once when that gets narrow: nothing slides to its place, which takes long on a busy machine', async () => {
    await olu.page.setViewportSize({ width: 1_280, height: 900 });
    await olu.see('/test/fees');
    await olu.page.getByRole('table').first().waitFor();
    await olu.page.evaluate(() =>
      (globalThis as any).document.querySelector('#main').style.setProperty('transition-duration', '600s'),
    );
    await olu.page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(olu.page)).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in %s colours, also at 360 pixels',
    async (colours) => {
      await olu.page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
      for (const page of PAGES) {
        await olu.page.setViewportSize({ width: 1_280, height: 900 });
        await olu.see(`/test/${page}`);
        await olu.page.getByRole('table').first().waitFor();
        if (page === 'going-live') {
          await olu.press('Check now');
          await table('Checklist').waitFor();
        }
        expect([page, await seriousFindings(olu.page)]).toEqual([page, []]);
        if (process.env.DASHBOARD_IMAGES)
          await olu.page.screenshot({ path: join(IMAGES, `dashboard-${page}-${colours}.png`) });
        await olu.page.setViewportSize({ width: 360, height: 740 });
        expect([page, await seriousFindings(olu.page), await sidewaysPixels(olu.page)]).toEqual([page, [], 0]);
      }
      await olu.press('Explain fee-2');
      await olu.dialog().getByLabel('Reason').waitFor();
      expect(await seriousFindings(olu.page)).toEqual([]);
      await olu.see('/test/fees');
      await olu.press('Add a fee');
      await olu.dialog().getByText('would cost').waitFor();
      expect(await seriousFindings(olu.page)).toEqual([]);
    },
  );
});
