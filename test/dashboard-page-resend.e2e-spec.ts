import type { Browser, Locator, Route } from 'playwright-core';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { fillAccount, PASSWORD, Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { type Form, moneyForms } from './support/money-forms';
import { until } from './support/recurring-probe';

const LOOK_UP = '**/v4/idempotency/*';
const LOAD = '**/v4/cards/*/fund';

/** The service does it; the page never hears of it. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

const loseRequest = (route: Route): Promise<void> => route.abort();

const TOLD_OF = new Set([
  'a load of a card',
  'a wallet',
  'a payment',
  'a purchase of the sandbox',
  'a payout',
  'a batch',
  'a refund',
]);

describeInBrowser('money is sent once, though answers get lost', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let card: string;
  let shop: string;
  let paid: string;

  beforeAll(async () => {
    duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
    browser = await openBrowser();
    ada = await Visitor.of(browser, duka.url);
    await ada.signUp('ada@example.com');
    const pages = await fillAccount(ada);
    card = pages.find((page) => page.startsWith('cards/'))!;
    shop = pages.find((page) => page.startsWith('wallets/'))!.split('/')[1]!;
    const order = { amount: 150_000, currency: 'NGN', wallet_id: shop };
    paid = (await ada.call('POST', '/test/api/v1/payments', order)).id;
    await ada.call('POST', `/test/v4/sandbox/payments/${paid}/complete`, { status: 'successful' });
    await topUp();
  });

  afterAll(async () => {
    await browser?.close();
    await duka?.stop();
  });

  afterEach(() => ada.page.unrouteAll());

  /** The oldest wallet pays where none is named. */
  async function topUp(): Promise<void> {
    const oldest = (await ada.call('GET', '/test/v4/wallets?limit=100')).data.at(-1).id;
    await ada.call('POST', `/test/v4/sandbox/wallets/${oldest}/credit`, { amount: 100_000 });
  }

  /** The first that is sent there: lists have the same address, and are read whenever something of them was told. */
  async function loseOnce(address: string, lose: (route: Route) => Promise<void>): Promise<void> {
    let isLost = false;
    await ada.page.route(address, (route) => {
      if (isLost || route.request().method() !== 'POST') return route.fallback();
      isLost = true;
      return lose(route);
    });
  }

  const sizeOf = async (path: string): Promise<number> => (await ada.call('GET', `/test/v4/${path}`)).data.length;
  const balance = async (): Promise<number> => (await ada.call('GET', `/test/v4/${card}`)).balance.available;
  const submit = (): Locator => ada.dialog().locator('button[type=submit]');
  const notice = (text: string | RegExp) => ada.page.getByRole('alert').filter({ hasText: text }).first();
  const tool = (title: string) => ada.page.getByRole('region', { name: title, exact: true });
  const inDialog = (page: string, button: string) => async () => {
    await ada.see(page);
    await ada.press(button);
  };

  const FORMS: readonly Form[] = [
    {
      what: 'a load of a card',
      route: LOAD,
      count: async () => (await balance()) / 1_000,
      open: async () => {
        await ada.see(`/test/${card}`);
        await ada.page.getByRole('textbox', { name: 'Amount (USD)' }).fill('10');
      },
      button: () => ada.button('Load the card'),
    },
    {
      what: 'a card',
      route: '**/v4/cards/issue',
      open: inDialog('/test/cards', 'Issue a card'),
      button: submit,
      count: () => sizeOf('cards'),
    },
    {
      what: 'a wallet',
      route: '**/v4/wallets',
      open: inDialog('/test/wallets', 'New wallet'),
      button: submit,
      count: () => sizeOf('wallets?limit=100'),
    },
    {
      what: 'an endpoint',
      route: '**/v4/webhooks',
      button: submit,
      count: () => sizeOf('webhooks'),
      open: async () => {
        await inDialog('/test/webhooks', 'New endpoint')();
        await ada.fill({ Address: 'http://127.0.0.1:9/again' }, ada.dialog());
      },
    },
    {
      what: 'a payment',
      route: '**/api/v1/payments',
      open: inDialog('/test/payments', 'Ask for a payment'),
      button: submit,
      count: async () => (await ada.call('GET', '/test/api/v1/payments')).data.length,
    },
    {
      what: 'test money',
      route: '**/v4/wallets/transfer',
      open: inDialog('/test', 'Send test money'),
      button: submit,
      count: () => sizeOf('transactions?type=transfer_out&limit=100'),
    },
    {
      what: 'a credit of the sandbox',
      route: '**/v4/sandbox/wallets/*/credit',
      open: () => ada.see('/test/sandbox'),
      button: () => ada.button('Credit', tool('Credit a wallet')),
      count: () => sizeOf('transactions?type=deposit&limit=100'),
    },
    {
      what: 'an event of the sandbox',
      route: '**/v4/sandbox/events/trigger',
      open: () => ada.see('/test/sandbox'),
      button: () => ada.button('Trigger', tool('Trigger an event')),
      count: () => sizeOf('events?limit=100'),
    },
    {
      what: 'a purchase of the sandbox',
      route: '**/v4/airtime/purchase',
      open: () => topUp().then(() => ada.see('/test/sandbox')),
      button: () => ada.button('Run +2348000000100'),
      count: () => sizeOf('transactions?type=airtime_purchase&limit=100'),
    },
    {
      what: 'an authorization',
      route: '**/v4/sandbox/cards/*/simulate',
      button: () => ada.button('Simulate', tool('Use a card')),
      count: () => sizeOf(`${card}/transactions`),
      open: async () => {
        await ada.see('/test/sandbox');
        await tool('Use a card').locator('select[name=card]').selectOption(card.split('/')[1]!);
      },
    },
    ...moneyForms(() => ({ ada, shop, paid })),
  ];

  it.each(FORMS)(
    '$what takes effect once, though it is sent again without having heard',
    async ({ route, open, button, count }) => {
      await open();
      const before = await count();
      await ada.page.route(LOOK_UP, loseRequest);
      await loseOnce(route, loseAnswer);
      await button().click();
      await ada.page.getByRole('alert').first().waitFor();
      const answered = ada.page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
      await button().click();
      await answered;
      expect(await count()).toBe(before + 1);
    },
  );

  it('a refund is sent again as it was typed, though the page shows by now that less is left', async () => {
    const { route, open, button, count } = FORMS.find(({ what }) => what === 'a refund')!;
    await open();
    const before = await count();
    await ada.page.route(LOOK_UP, loseRequest);
    await loseOnce(route, loseAnswer);
    const left = ada.page.getByText(/ can still go back/);
    const was = await left.textContent();
    await button().click();
    await ada.page.getByRole('alert').first().waitFor();
    await until(async () => (await left.textContent()) !== was);
    const answered = ada.page.waitForResponse((response) => response.request().method() === 'POST');
    await button().click();
    expect((await answered).status()).toBe(201);
    expect(await count()).toBe(before + 1);
  });

  // What is told is one component's: of forms in pages, in dialogs and in tools.
  it.each(FORMS.filter(({ what }) => TOLD_OF.has(what)))(
    '$what that was done is told, and cannot be sent again by one more click',
    async ({ route, open, button, count }) => {
      await open();
      const before = await count();
      await loseOnce(route, loseAnswer);
      await button().click();
      await notice(/^It was done/).waitFor();
      expect(await button().isDisabled()).toBe(true);
      expect(await count()).toBe(before + 1);
      await ada.press('Go on');
      await notice(/^It was done/).waitFor({ state: 'hidden' });
    },
  );

  async function loadCard(): Promise<void> {
    await ada.see(`/test/${card}`);
    await ada.page.getByRole('textbox', { name: 'Amount (USD)' }).fill('10');
    await ada.press('Load the card');
  }

  it('says that nothing happened, and is sent again with the same key', async () => {
    const before = await balance();
    const keys: (string | undefined)[] = [];
    ada.page.on(
      'request',
      (request) => request.url().endsWith('/fund') && keys.push(request.headers()['idempotency-key']),
    );
    await loseOnce(LOAD, loseRequest);
    await loadCard();
    await notice('Nothing was done').waitFor();
    expect(await balance()).toBe(before);
    await ada.press('Load the card');
    await ada.told('The money is moved.');
    await notice('Nothing was done').waitFor({ state: 'hidden' });
    expect(await balance()).toBe(before + 1_000);
    await ada.press('Load the card');
    await ada.page
      .getByText(`USD ${(before + 2_000) / 100}.00`)
      .first()
      .waitFor();
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
  });

  it('waits while the service is still at it', async () => {
    let asked = 0;
    await loseOnce(LOAD, loseAnswer);
    await ada.page.route(LOOK_UP, (route) =>
      asked++ < 2
        ? route.fulfill({ json: { object: 'resend_check', status: 'in_progress', resource: null, livemode: false } })
        : route.continue(),
    );
    await loadCard();
    await notice('still at it').waitFor();
    expect(await ada.button('Load the card').isDisabled()).toBe(true);
    await notice(/^It was done/)
      .getByRole('link', { name: /^txn_/ })
      .waitFor();
    await ada.press('Go on');
  });

  it('remembers it when the page is loaded anew', async () => {
    const before = await balance();
    await ada.page.route(LOOK_UP, loseRequest);
    await loseOnce(LOAD, loseAnswer);
    await loadCard();
    await notice('It is not known yet whether it was done').waitFor();
    await ada.page.setViewportSize({ width: 360, height: 740 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await ada.page.emulateMedia({ colorScheme });
      expect([await seriousFindings(ada.page), await sidewaysPixels(ada.page)]).toEqual([[], 0]);
    }
    await ada.page.setViewportSize({ width: 1_280, height: 900 });
    await ada.page.unrouteAll();
    await ada.see(`/test/${card}`);
    await notice(/^It was done/).waitFor();
    expect(await balance()).toBe(before + 1_000);
    await ada.press('Go on');
  });

  it('stays with its account: another one in the same tab has a key of its own, and takes nothing away', async () => {
    const { route, open, button } = FORMS.find(({ what }) => what === 'a wallet')!;
    await open();
    await ada.page.route(LOOK_UP, loseRequest);
    await loseOnce(route, loseAnswer);
    const sent = () => ada.page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/wallets'));
    const [lost] = await Promise.all([sent(), button().click()]);
    await notice('It is not known yet whether it was done').waitFor();
    await ada.page.unrouteAll();
    await ada.see('/test');
    await ada.call('POST', '/auth/step-up', { password: PASSWORD });
    await ada.press('Corner Shop: change the account');
    await ada.dialog().getByRole('textbox', { name: 'Open another account' }).fill('Second Shop');
    await ada.press('Open it', ada.dialog());
    await ada.button('Second Shop: change the account').waitFor();
    await open();
    const [other] = await Promise.all([sent(), button().click()]);
    await ada.told('The wallet is open.');
    expect(other.headers()['idempotency-key']).not.toBe(lost.headers()['idempotency-key']);
    await ada.press('Second Shop: change the account');
    await ada.press('Go to Corner Shop', ada.dialog());
    await ada.button('Corner Shop: change the account').waitFor();
    await open();
    await notice(/^It was done/).waitFor();
    await ada.press('Go on');
  });

  it('another amount under the key of a load that came through moves nothing', async () => {
    const before = await balance();
    await ada.page.route(LOOK_UP, loseRequest);
    await loseOnce(LOAD, loseAnswer);
    await loadCard();
    await notice('It is not known yet whether it was done').waitFor();
    await ada.page.getByRole('textbox', { name: 'Amount (USD)' }).fill('11');
    await ada.press('Load the card');
    await ada.page.getByText('idempotency_key_reused').waitFor();
    await ada.page.unrouteAll();
    await notice(/^It was done/)
      .getByRole('link', { name: /^txn_/ })
      .waitFor();
    expect(await balance()).toBe(before + 1_000);
  });
});
