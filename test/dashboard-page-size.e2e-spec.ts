import type { Browser, Locator } from 'playwright-core';
import { type Demo, seedDemo } from '../bench/demo/demo';
import { TRANSACTION_TYPES } from '../src/vocabulary/products';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';

const PASSWORD = 'kola nuts and palm wine at dawn';
const TRANSACTIONS = 1_200;
const WALLETS = 40;
const REVIEWS = 10;
const FULLEST = 'NGN 129,012,345,678.99';
const STATES = ['pending', 'processing', 'successful', 'failed', 'cancelled', 'reversed'];
/** A row of two lines, with some air. */
const LINE_PX = 80;
describeInBrowser('an account with much behind it, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let demo: Demo;
  let ada: Visitor;

  const table = (): Locator => ada.page.getByRole('table', { name: 'Transactions' });
  const drawn = (): Locator => table().locator('tbody tr[data-index]');
  const scrollTo = (y: number) => ada.page.evaluate((to) => (globalThis as any).scrollTo(0, to), y);

  beforeAll(async () => {
    duka = await Duka.start();
    const wanted = { transactions: TRANSACTIONS, wallets: WALLETS, reviews: REVIEWS, password: PASSWORD };
    demo = await seedDemo(duka.env, { ...wanted, says: () => undefined });
    browser = await openBrowser();
    ada = await Visitor.of(browser, duka.url, { width: 1_440, height: 900 });
    await ada.open('/log-in');
    await ada.fill({ 'E-mail': demo.emails[0]! });
    await ada.page.locator('input[name=password]').fill(PASSWORD);
    await ada.press('Log in');
    await ada.at(/\/dashboard\/test$/);
  });

  afterAll(async () => {
    await browser?.close();
    // Verifies the books.
    await duka?.stop();
  });

  afterEach(() => expect(ada.faults.errors.splice(0)).toEqual([]));

  it('has transactions of every type and state from a whole month, and what waits for people', async () => {
    const [found] = await duka.asOwner(
      `SELECT count(*)::int AS count, array_agg(DISTINCT type) AS types, array_agg(DISTINCT status) AS states,
              extract(day FROM max(updated_at) - min(updated_at))::int AS days, count(*) FILTER (WHERE needs_review)::int AS reviews
         FROM transactions`,
    );
    const { count, types, states, days, reviews } = found as Record<string, any>;
    expect(count).toBeGreaterThan(TRANSACTIONS * 0.85);
    expect(states.toSorted()).toEqual(STATES.toSorted());
    expect(TRANSACTION_TYPES.filter((type) => !types.includes(type))).toEqual(['card_fee']);
    expect(days).toBeGreaterThanOrEqual(28);
    expect(reviews).toBeGreaterThanOrEqual(REVIEWS / 2);
  });

  it('draws the rows in sight only, and reads on while one scrolls', async () => {
    await ada.see('/test/transactions');
    await drawn().first().waitFor();
    expect(await drawn().count()).toBeLessThan(80);
    expect(await table().getAttribute('aria-rowcount')).toBe('-1');
    for (let read = 0; read < 700;) {
      await scrollTo(await ada.page.evaluate(() => (globalThis as any).document.body.scrollHeight));
      const last = await drawn().last().getAttribute('aria-rowindex');
      read = Number(last);
      await ada.page.waitForTimeout(60);
      expect(await drawn().count()).toBeLessThan(80);
    }
    await scrollTo(0);
    await ada.page.waitForFunction(() => (globalThis as any).document.querySelector('tr[data-index="0"]'));
    expect(await drawn().first().getAttribute('aria-rowindex')).toBe('2');
  });

  it('keeps the row that has the focus', async () => {
    await ada.see('/test/transactions');
    await drawn().nth(1).getByRole('link').first().focus();
    const name = await ada.page.evaluate(() => (globalThis as any).document.activeElement.textContent);
    await scrollTo(3_000);
    await ada.page.waitForFunction(
      () => Number((globalThis as any).document.querySelectorAll('tr[data-index]')[3]?.dataset.index) > 20,
    );
    expect(await ada.page.evaluate(() => (globalThis as any).document.activeElement.textContent)).toBe(name);
    await ada.page.keyboard.press('Tab');
    expect(await ada.page.evaluate(() => (globalThis as any).document.activeElement.closest('table') !== null)).toBe(
      true,
    );
  });

  it('remembers which columns somebody wants', async () => {
    await ada.see('/test/transactions');
    await ada.press('Columns');
    await ada.page.getByRole('checkbox', { name: 'Balance after' }).check();
    await ada.page.getByRole('checkbox', { name: 'For', exact: true }).uncheck();
    await ada.page.keyboard.press('Escape');
    const titles = async () => (await table().getByRole('columnheader').allInnerTexts()).join();
    await ada.see('/test/transactions');
    await drawn().first().waitFor();
    expect(await titles()).toBe('Transaction,Type,Status,Amount,Created,Balance after');
    await ada.page.evaluate(() => (globalThis as any).localStorage.clear());
  });

  it('gives a filter a name, another one, and none any more', async () => {
    await ada.see('/test/transactions?status=failed');
    await ada.press('Views');
    await ada.fill({ 'Save this view as': 'What went wrong' });
    await ada.page.getByRole('checkbox', { name: 'Shared with the team' }).check();
    await ada.press('Save view');
    await ada.told('The view is saved.');
    await ada.see('/test/transactions');
    await ada.press('Views (1)');
    expect(await seriousFindings(ada.page)).toEqual([]);
    await ada.click(ada.page.getByRole('link', { name: 'What went wrong' }));
    await ada.at(/transactions\?status=failed$/);
    await ada.press('Rename What went wrong');
    await ada.fill({ 'New name of What went wrong': 'Failures' });
    await ada.press('Rename');
    await ada.page.getByRole('link', { name: 'Failures' }).waitFor();
    await ada.press('Delete Failures');
    await ada.page.getByText('No view has a name yet.').waitFor();
  });

  it.each([360, 768, 1_440])('cuts no figure at %i pixels', async (width) => {
    await ada.page.setViewportSize({ width, height: 900 });
    for (const path of ['/test', '/test/wallets', '/test/transactions']) {
      await ada.see(path);
      if (path !== '/test/transactions') await ada.page.getByText(FULLEST).first().waitFor();
      const cut = await ada.page.evaluate(() => {
        const money = /^[\s+−-]*(?:[A-Z]{3} )?[\d,]+\.\d\d$/;
        const all = [...(globalThis as any).document.querySelectorAll('main *')];
        const figures = all.filter((node: any) => node.children.length === 0 && money.test(node.textContent));
        const isCut = (node: any): boolean => {
          const { right, left, width: wide } = node.getBoundingClientRect();
          const inside = left >= 0 && right <= (globalThis as any).innerWidth + 1;
          return wide > 0 && (!inside || node.scrollWidth > node.clientWidth + 1) && node.clientWidth > 0;
        };
        return { seen: figures.length, cut: figures.filter(isCut).map((node: any) => node.outerHTML) };
      });
      expect([path, cut.cut, await sidewaysPixels(ada.page)]).toEqual([path, [], 0]);
      expect(cut.seen).toBeGreaterThan(0);
    }
  });

  it.each(['light', 'dark'] as const)(
    'has nothing serious for axe in %s colours, in two lines a row',
    async (colors) => {
      await ada.page.setViewportSize({ width: 360, height: 740 });
      await ada.page.emulateMedia({ colorScheme: colors, reducedMotion: 'reduce' });
      await ada.see('/test/transactions');
      await drawn().first().waitFor();
      const heights = await drawn().evaluateAll((all) => all.map((row: any) => row.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThanOrEqual(LINE_PX);
      expect(await seriousFindings(ada.page)).toEqual([]);
    },
  );
});
