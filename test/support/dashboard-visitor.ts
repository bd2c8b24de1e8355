import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Env } from '../../src/core/config/env';
import { openBrowser, type PageFaults, watchFaults } from './browser';
import { Duka } from './duka';
import { until } from './recurring-probe';

const WAIT_MS = 60_000;

export const PASSWORD = 'a long sentence about kola nuts 77';

/** Somebody at the dashboard, with a browser profile of their own. Counts their clicks. */
export class Visitor {
  clicks = 0;

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly faults: PageFaults,
    private readonly url: string,
  ) {}

  static async of(browser: Browser, url: string, window = { width: 1_280, height: 900 }): Promise<Visitor> {
    const context = await browser.newContext({ viewport: window, reducedMotion: 'reduce' });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    return new Visitor(context, page, watchFaults(page), url);
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Opens a page by its address, and waits for its heading. Again where the page before was still going elsewhere. */
  async open(path: string): Promise<void> {
    const address = `${this.url}/dashboard${path}`;
    await this.page.goto(address).catch((error: Error) => {
      if (!error.message.includes('is interrupted by another navigation')) throw error;
      return this.page.goto(address);
    });
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Until the address is this. A wait for a navigation fails when another one cuts it; this does not. */
  async at(address: RegExp): Promise<void> {
    await until(() => address.test(this.page.url()));
  }

  /** Opens it and waits until it has read all that it shows. */
  async see(path: string): Promise<void> {
    await this.open(path);
    await this.loaded();
  }

  /** The same from the page that is shown, as a link does it: a third of the time, since the programs are there. */
  async go(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      const router = (globalThis as any).__TSR_ROUTER__;
      return new Promise<void>((resolve) => {
        const stop = router.subscribe('onRendered', () => {
          stop();
          resolve();
        });
        void router.navigate({ to });
      });
    }, path);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    await this.loaded();
  }

  private async loaded(): Promise<void> {
    await this.page.waitForFunction(
      () => (globalThis as any).document.querySelectorAll('[aria-label^="Loading:"]').length === 0,
    );
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  press(name: string | RegExp, within?: Page | Locator): Promise<void> {
    return this.click(this.button(name, within));
  }

  dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Answers the question who it is, which the page asks before what is dangerous. */
  async prove(code?: string): Promise<void> {
    const prompt = this.page.getByRole('dialog', { name: 'Confirm that it is you' });
    await prompt.locator('input[name=password]').fill(PASSWORD);
    if (code !== undefined) await prompt.locator('input[name=code]').fill(code);
    await prompt.locator('button[type=submit]').click();
  }

  /** The row of a table that has the text. */
  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  async fill(fields: Record<string, string>, within: Page | Locator = this.page): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await within.getByRole('textbox', { name: label }).fill(value);
  }

  /** Types what the sign-up wants; the password field is none of the text boxes. */
  async signUp(email: string): Promise<void> {
    await this.open('/sign-up');
    await this.fill({ 'Your name': 'Ada Obi', 'Business or team': 'Corner Shop', 'E-mail': email });
    await this.page.locator('input[name=password]').fill(PASSWORD);
    await this.press('Create account');
    await this.at(/\/dashboard\/test$/);
  }

  async logIn(email: string): Promise<void> {
    await this.fill({ 'E-mail': email });
    await this.page.locator('input[name=password]').fill(PASSWORD);
    await this.press('Log in');
  }

  /** Comes in by the link of an invitation. */
  async join(link: string): Promise<void> {
    const { pathname, search } = new URL(link, this.url);
    await this.open(pathname.replace('/dashboard', '') + search);
    await this.page.locator('input[name=password]').fill(PASSWORD);
    await this.press('Join');
    await this.at(/\/dashboard\/test$/);
  }

  /** Names of the pages that the navigation offers. */
  async pagesOffered(): Promise<string[]> {
    const links = this.page.getByRole('navigation', { name: 'Pages' }).locator('a[href^="/dashboard/"]');
    await links.first().waitFor();
    return links.allInnerTexts();
  }

  /** Calls a route below `/dashboard/api` with the session of the page. */
  async call(method: string, path: string, body?: object): Promise<any> {
    const answer = await this.page.evaluate(
      async ([how, to, text]) => {
        const content = text === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: text };
        const response = await fetch(`/dashboard/api${to}`, { method: how, ...content });
        return { status: response.status, body: await response.json().catch(() => null) };
      },
      [method, path, body && JSON.stringify(body)] as const,
    );
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  /** Until the page says so to everybody, in its live region. */
  told(text: string | RegExp): Promise<void> {
    return this.page.locator('.announcer').getByText(text).first().waitFor();
  }
}

interface Started {
  readonly duka: Duka;
  readonly browser: Browser;
  readonly ada: Visitor;
}

/**
 * For the tests of a `describe`: the service, a browser, and Ada, who has signed up; `prepare` takes them. After each test
 * her page must have done nothing wrong.
 */
export function startDashboard(settings: Partial<Env>, prepare: (started: Started) => unknown): void {
  let duka: Duka | undefined;
  let browser: Browser | undefined;
  let ada: Visitor;
  beforeAll(async () => {
    duka = await Duka.start(settings);
    browser = await openBrowser();
    ada = await Visitor.of(browser, duka.url);
    await ada.signUp('ada@example.com');
    await prepare({ duka, browser, ada });
  });
  afterAll(async () => {
    await browser?.close();
    await duka?.stop();
  });
  afterEach(() => expect(ada.faults.errors.splice(0)).toEqual([]));
}

/** Something of everything, made with the session of the page, so that no page is empty. Answers the pages of one thing each. */
export async function fillAccount(visitor: Visitor): Promise<string[]> {
  const made = (path: string, body: object = {}) => visitor.call('POST', `/test${path}`, body);
  const wallet = (await made('/v4/wallets', { currency: 'NGN', label: 'Shop' })).id as string;
  const other = (await made('/v4/wallets', { currency: 'USD', label: 'Cards' })).id as string;
  for (const id of [wallet, other]) await made(`/v4/sandbox/wallets/${id}/credit`, { amount: 5_000_000 });
  // It runs until somebody settles it.
  const { id: purchase } = await made('/v4/airtime/purchase', {
    wallet_id: wallet,
    phone: '+2348000000111',
    amount: 10_000,
  });
  await made('/v4/airtime/purchase', { wallet_id: wallet, phone: '+2348000000100', amount: 25_000 });
  const { id: endpoint } = await made('/v4/webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['*'] });
  await made(`/v4/webhooks/${endpoint}/disable`);
  const { id: payment } = await made('/api/v1/payments', {
    amount: 150_000,
    currency: 'NGN',
    description: 'Order 1001',
  });
  const holder = {
    first_name: 'Ada',
    last_name: 'Obi',
    email: 'ada@example.com',
    phone: '+2348031234567',
    date_of_birth: '1990-04-21',
  };
  const address = { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' };
  const customer = { ...holder, address, identity: { type: 'passport', number: 'A01234567' } };
  const { id: card } = await made('/v4/cards/issue', {
    customer,
    currency: 'USD',
    amount: 2_500,
    funding_wallet_id: other,
    label: 'Adverts',
  });
  const merchant = { name: 'Corner Shop', mcc: '5411', country: 'NG' };
  await made(`/v4/sandbox/cards/${card}/simulate`, { kind: 'authorization', amount: 500, merchant });
  await visitor.call('POST', '/keys', {
    name: 'Till',
    livemode: false,
    scopes: null,
    expires_at: null,
    allowed_ips: null,
  });
  await visitor.call('POST', '/auth/step-up', { password: PASSWORD });
  await visitor.call('POST', '/team', { name: 'Bola Ade', email: 'bola@example.com', role: 'finance' });
  return [
    `transactions/${purchase}`,
    `wallets/${wallet}`,
    `cards/${card}`,
    `payments/${payment}`,
    `webhooks/${endpoint}`,
  ];
}
