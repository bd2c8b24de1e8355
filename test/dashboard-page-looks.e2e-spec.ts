import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { fillAccount, startDashboard, Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const IMAGES = join(__dirname, '../docs/images');
/** DASHBOARD_IMAGES=1 writes what docs/dashboard.md shows. */
const takesImages = Boolean(process.env.DASHBOARD_IMAGES);
const PAGES = [
  '',
  'transactions',
  'wallets',
  'cards',
  'cards/customers',
  'cards/transactions',
  'cards/disputes',
  'payments',
  'refunds',
  'payouts',
  'batches',
  'batches/new',
  'beneficiaries',
  'virtual-accounts',
  'conversions',
  'reports',
  'keys',
  'webhooks',
  'webhooks/catalogue',
  'signature-checker',
  'events',
  'requests',
  'sandbox',
  'team',
  'branding',
  'audit-log',
  'security',
] as const;

describeInBrowser('the looks of the dashboard', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  /** Pages of one thing each. */
  let details: string[];

  startDashboard({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, async (started) => {
    ({ duka, browser, ada } = started);
    details = await fillAccount(ada);
    const card = details.find((page) => page.startsWith('cards/'))!;
    const [{ id: used }] = (await ada.call('GET', `/test/v4/${card}/transactions`)).data;
    const holder = (await ada.call('GET', `/test/v4/${card}`)).customer_id;
    const taken = { kind: 'clearing', card_transaction_id: used };
    await ada.call('POST', `/test/v4/sandbox/${card}/simulate`, taken);
    const evidence = { reason: 'not_received', evidence: { text: 'It never came.' } };
    const dispute = (await ada.call('POST', `/test/v4/card-transactions/${used}/disputes`, evidence)).id;
    details.push(`card-transactions/${used}`, `receipts/${used}`);
    details.push(`cards/customers/${holder}`, `cards/disputes/${dispute}`);
    if (takesImages) mkdirSync(IMAGES, { recursive: true });
  });

  /** Amounts of which a part cannot be seen. */
  const cutFigures = (): Promise<string[]> =>
    ada.page
      .locator('#main .amount, #main .balance, #main td.numeric > div')
      .evaluateAll((figures: any[]) =>
        figures
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
          .map((one) => one.textContent),
      );

  /** Buttons of the bar at the top that lie beside the window. */
  const buttonsBeside = (): Promise<string[]> =>
    ada.page
      .locator('header button, header a')
      .evaluateAll((buttons: any[]) =>
        buttons
          .filter(
            (one) => one.className !== 'skip' && one.getBoundingClientRect().right > (globalThis as any).innerWidth,
          )
          .map((one) => one.ariaLabel ?? one.textContent),
      );

  describe.each(['light', 'dark'] as const)('in %s colours', (colours) => {
    beforeAll(async () => {
      await ada.page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
      await ada.page.setViewportSize({ width: 1_280, height: 900 });
    });

    it('no page has a serious finding of axe', async () => {
      const findings: Record<string, string[]> = {};
      for (const page of [...PAGES, ...details]) {
        await (colours === 'light' ? ada.see(`/test/${page}`) : ada.go(`/test/${page}`));
        if (page === '') await ada.page.locator('.chart svg').first().waitFor();
        expect(await ada.page.locator('html').getAttribute('data-mantine-color-scheme')).toBe(colours);
        const serious = await seriousFindings(ada.page);
        if (serious.length > 0) findings[page] = serious;
        if (takesImages) await ada.page.screenshot({ path: join(IMAGES, `dashboard-${nameOf(page)}-${colours}.png`) });
      }
      expect(findings).toEqual({});
    });
  });

  it('neither have the pages before the log-in, a dialog, and the locked live mode', async () => {
    const stranger = await Visitor.of(browser, duka.url);
    for (const page of ['/sign-up', '/log-in', '/invite?token=x', '/nowhere']) {
      await stranger.open(page);
      expect(await seriousFindings(stranger.page)).toEqual([]);
    }
    expect(stranger.faults.errors).toEqual([]);
    await stranger.close();
    await ada.see('/live');
    expect(await seriousFindings(ada.page)).toEqual([]);
    await ada.see('/test/keys');
    await ada.press('New key');
    await ada.click(ada.dialog().getByRole('switch', { name: 'Limit what it may do' }));
    await ada.dialog().getByText('wallets:read').waitFor();
    expect(await seriousFindings(ada.page)).toEqual([]);
  });

  it('the policy of every page lets in no script but its own files', async () => {
    const policy = (await fetch(`${duka.url}/dashboard/test/keys`)).headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    // What it stops is told as an error of the page: the other tests hold that there is none.
    await ada.page.evaluate(() => {
      const script = (globalThis as any).document.createElement('script');
      script.textContent = 'globalThis.wasRun = true';
      (globalThis as any).document.head.append(script);
    });
    expect(await ada.page.evaluate(() => (globalThis as any).wasRun ?? false)).toBe(false);
    expect(ada.faults.errors.splice(0)).toEqual([expect.stringContaining('Content Security Policy')]);
  });

  it.each([
    [768, 1_024],
    [360, 740],
  ])('fits a window of %i pixels, and cuts no figure in it', async (width, height) => {
    await ada.page.setViewportSize({ width, height });
    const wide: string[] = [];
    for (const page of [...PAGES, ...details]) {
      await ada.go(`/test/${page}`);
      const pixels = await sidewaysPixels(ada.page);
      if (pixels > 0) wide.push(`${page}: ${pixels}`);
      wide.push(...(await cutFigures()).map((figure) => `${page}: ${figure}`));
      wide.push(...(await buttonsBeside()).map((button) => `${page}: ${button}`));
      if (takesImages && PICTURED.has(nameOf(page)))
        await ada.page.screenshot({ path: join(IMAGES, `dashboard-${nameOf(page)}-${width}.png`) });
    }
    expect(wide).toEqual([]);
    if (width >= 768) return;
    await ada.press('Open the menu');
    await ada.button('Log out').waitFor();
    await ada.click(ada.page.getByRole('link', { name: 'Webhooks' }));
    await ada.page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  });

  it('is used with the keyboard alone', async () => {
    const typist = await Visitor.of(browser, duka.url);
    const { keyboard } = typist.page;
    await typist.open('/sign-up');
    for (const text of ['Bola Ade', 'Kiosk', 'bola2@example.com', 'a long sentence about palm wine 42']) {
      await keyboard.type(text);
      await keyboard.press('Tab');
    }
    await keyboard.press('Enter');
    await typist.at(/\/dashboard\/test$/);
    await typist.button('Send test money').waitFor();
    await keyboard.press('Tab');
    await expectFocus(typist, 'Skip to the page');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await expectFocus(typist, 'Send test money');
    await keyboard.press('Enter');
    await typist.button('Send', typist.dialog()).waitFor();
    for (let tabs = 0; tabs < 6 && (await focusOf(typist)) !== 'Send'; tabs++) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await typist.dialog().getByText('Sent NGN 2,500.00').waitFor();
    await keyboard.press('Escape');
    await typist.dialog().waitFor({ state: 'hidden' });
    await expectFocus(typist, 'Send test money');
    expect([typist.clicks, typist.faults.errors]).toEqual([0, []]);
    await typist.close();
  });
});

/** Pages whose pictures are taken in narrow windows, too. */
const PICTURED = new Set(['home', 'transactions', 'transaction', 'wallet', 'payouts', 'card', 'webhook', 'sandbox']);

const nameOf = (page: string): string => (page === '' ? 'home' : page.replace(/s\/[a-z]{3}_.*/, '').replace('/', '-'));

const focusOf = (visitor: Visitor): Promise<string> =>
  visitor.page.evaluate(() => (globalThis as any).document.activeElement?.innerText?.trim() ?? '');

async function expectFocus(visitor: Visitor, text: string): Promise<void> {
  await until(async () => (await focusOf(visitor)) === text, 3).catch(() => undefined);
  expect((await focusOf(visitor)).slice(0, 40)).toBe(text);
}
