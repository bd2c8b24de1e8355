import type { Locator } from 'playwright-core';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { fillAccount, startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';

describeInBrowser('the search of the dashboard, by keyboard alone', () => {
  let duka: Duka;
  let ada: Visitor;
  let purchase: string;
  let wallet: string;

  const field = (): Locator => ada.page.getByRole('combobox', { name: 'Search' });
  const option = (text: string | RegExp): Locator => ada.page.getByRole('option').filter({ hasText: text });
  const chosen = (): Locator => ada.page.locator('[role=option][aria-selected=true]');
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => ada.page.keyboard.press(key)), Promise.resolve());
  const search = async (text: string) => {
    await press('Control+k');
    await field().waitFor();
    await ada.page.keyboard.type(text);
  };

  startDashboard({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, async (started) => {
    ({ duka, ada } = started);
    const [transaction, shop] = await fillAccount(ada);
    [purchase, wallet] = [transaction!.split('/')[1]!, shop!.split('/')[1]!];
    const { account } = await ada.call('GET', '/me');
    await duka.enableLive(account.id);
  });

  afterEach(async () => {
    // One test that fails leaves nothing to the next.
    await press('Escape');
    expect(ada.faults.errors.splice(0)).toEqual([]);
  });

  it('leads to a page, and opens the form of an action by its address', async () => {
    await ada.see('/test');
    await search('trans');
    await option('Transactions').waitFor();
    await press('Enter');
    await ada.at(/\/test\/transactions$/);
    await search('new key');
    await option('New key').waitFor();
    await press('Enter');
    await ada.at(/\/test\/keys\?new=1$/);
    await ada.page.getByRole('dialog', { name: 'New test key' }).waitFor();
    await press('Escape');
    await ada.at(/\/test\/keys$/);
  });

  it('finds by a part, is moved through by arrows, and remembers what was opened', async () => {
    await search('8000000111');
    await option('+2348000000111').waitFor();
    expect(await option('+2348000000111').innerText()).toContain('NGN 100.00');
    await field().press('Enter');
    await ada.at(new RegExp(`/test/transactions/${purchase}$`));
    // A whole id and Enter at once: it waits for the answer.
    await search(wallet);
    await press('Enter');
    await ada.at(new RegExp(`/test/wallets/${wallet}$`));
    await press('/');
    await ada.page.getByRole('group', { name: 'Recent' }).waitFor();
    const [first, second] = await ada.page.getByRole('group', { name: 'Recent' }).getByRole('option').allInnerTexts();
    expect([first, second].map((text) => text!.split('\n')[0])).toEqual(['Shop', 'airtime purchase']);
    await press('ArrowDown');
    expect(await chosen().innerText()).toBe(second);
    expect(await field().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'));
    await press('ArrowUp', 'ArrowUp');
    expect(await chosen().innerText()).toContain('Sign out');
    await press('Escape');
    await field().waitFor({ state: 'detached' });
  });

  it('lists the keys at ?, goes to pages by g and a letter, never while somebody types, and can be switched off', async () => {
    await ada.see('/test');
    await press('?');
    const keys = ada.page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Request log').waitFor();
    expect(await seriousFindings(ada.page)).toEqual([]);
    await press('Escape');
    await keys.waitFor({ state: 'detached' });
    await press('g', 'w');
    await ada.at(/\/test\/wallets$/);
    await ada.page.getByRole('textbox', { name: 'Label, reference or id' }).focus();
    await ada.page.keyboard.type('g/?t');
    await ada.at(/\/test\/wallets\?q=g%2F%3Ft$/);
    await ada.see('/test/wallets');
    await press('?');
    await keys.getByRole('switch', { name: 'Keys of one letter' }).press('Space');
    await press('Escape');
    await keys.waitFor({ state: 'detached' });
    await press('g', 't', '/');
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
    expect(ada.page.url()).toMatch(/\/test\/wallets$/);
    await ada.page.evaluate(() => (globalThis as any).localStorage.removeItem('duka:keys-off'));
  });

  it('offers what has the id in the other mode, in the search and where the page of it is not found', async () => {
    await ada.see('/live/transactions');
    await search(purchase);
    await ada.page.getByRole('group', { name: 'Transactions in test mode' }).waitFor();
    await press('Enter');
    await ada.at(new RegExp(`/test/transactions/${purchase}$`));
    await ada.page.goto(`${duka.url}/dashboard/live/transactions/${purchase}`);
    await ada.page.getByRole('link', { name: 'It is in test mode: open it there' }).press('Enter');
    await ada.at(new RegExp(`/test/transactions/${purchase}$`));
    // The refusal of the page that looked in the wrong mode.
    ada.faults.errors.splice(0);
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in %s colours, and fits 360 pixels',
    async (colours) => {
      await ada.page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
      await ada.page.setViewportSize({ width: 360, height: 740 });
      await ada.see('/test');
      await search('shop');
      await ada.page.getByRole('group', { name: 'Wallets' }).waitFor();
      expect([await seriousFindings(ada.page), await sidewaysPixels(ada.page)]).toEqual([[], 0]);
      await press('Escape');
    },
  );
});
