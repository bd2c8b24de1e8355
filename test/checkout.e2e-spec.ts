import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { decodeId } from '../src/core/http/ids';
import { BrandingService } from '../src/modules/payments/branding.service';
import { type Language, LANGUAGES, MESSAGES } from '../src/modules/payments/checkout/messages';
import { describeInBrowser, openBrowser, watchFaults } from './support/browser';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { png } from './support/pictures';

/** `SCREENSHOTS=1` renews the pictures of docs/payments.md. */
const SCREENSHOTS = process.env.SCREENSHOTS === '1';
const PHONE = { width: 360, height: 740 };

/** A shop that takes payers back. */
class Shop {
  readonly visits: URL[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Shop> {
    const shop = new Shop(
      createServer((request, response) => {
        if (request.url?.startsWith('/paid')) shop.visits.push(new URL(request.url, 'http://shop.test'));
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!DOCTYPE html><html lang="en"><title>Shop</title><h1>Back at the shop</h1>');
      }),
    );
    await once(shop.server.listen(0, '127.0.0.1'), 'listening');
    return shop;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/paid?cart=7`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describeInBrowser('the checkout page', () => {
  let duka: Duka;
  let payer: Payer;
  let shop: Shop;
  let browser: Browser;
  let page: Page;
  let faults: ReturnType<typeof watchFaults>;

  beforeAll(async () => {
    [duka, shop, browser] = await Promise.all([Duka.start(), Shop.open(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    shop.close();
    await duka.stop();
  });

  beforeEach(async () => {
    payer = await Payer.of(duka, 'Ada’s Shoes');
    page = await (await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })).newPage();
    faults = watchFaults(page);
  });
  afterEach(() => page.context().close());

  const asked = (more: object = {}) =>
    payer.asked({
      amount: 1_250_000,
      description: 'Order 1001: running shoes',
      reference: `order-${Date.now()}`,
      customer: { name: 'Bola Ade' },
      callback_url: shop.url,
      ...more,
    });
  const urlOf = ({ checkout_url }: { checkout_url: string }) => duka.url + new URL(checkout_url).pathname;
  const heading = () => page.locator('h1').innerText();

  /** Nothing serious by axe, and no sideways scrolling. Only here scripts run, in a context of their own past the CSP. */
  async function expectAccessible(name: string, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    const context = await browser.newContext({ viewport: PHONE, bypassCSP: true, colorScheme });
    const copy = await context.newPage();
    await copy.goto(page.url());
    await copy.evaluate(axe.source);
    const { violations } = (await copy.evaluate('axe.run()')) as {
      violations: { id: string; impact: string; nodes: { html: string }[] }[];
    };
    expect(violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await copy.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    await context.close();
    if (SCREENSHOTS) await page.screenshot({ path: `docs/images/checkout-${name}.png`, fullPage: true });
  }

  /** Presses Tab until what is focused has this text, then the key: as somebody without a mouse does it. */
  async function press(text: string, key = 'Enter'): Promise<void> {
    for (let tabs = 0; tabs < 20; tabs++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      const [told] = (await focused.count()) > 0 ? [await focused.innerText()] : [''];
      if (told.trim() !== text) continue;
      await Promise.all([page.waitForNavigation(), page.keyboard.press(key)]);
      return;
    }
    throw new Error(`the keyboard reaches nothing that says "${text}"`);
  }

  /** Reaches the radio buttons and goes down to the one with this value. */
  async function choose(value: string): Promise<void> {
    for (let tabs = 0; tabs < 20 && (await page.locator('input[type=radio]:focus').count()) === 0; tabs++)
      await page.keyboard.press('Tab');
    for (let downs = 0; downs < 20; downs++) {
      if ((await page.locator(':focus').getAttribute('value')) === value) return;
      await page.keyboard.press('ArrowDown');
    }
    throw new Error(`no radio button says ${value}`);
  }

  it('a payer chooses, pays and is back at the shop, with the keyboard alone', async () => {
    const payment = await asked();
    await page.goto(urlOf(payment));
    expect(await heading()).toBe('Pay Ada’s Shoes');
    expect(await page.locator('main').innerText()).toContain('NGN 12,500.00');
    await expectAccessible('choose');
    await choose('sandbox_bank_transfer');
    await press('Continue');
    expect(await heading()).toBe('Bank transfer of the sandbox');
    await expectAccessible('sandbox');
    await choose('successful');
    await press('Let it happen');
    expect(await heading()).toBe('Back at the shop');
    expect(Object.fromEntries(shop.visits.at(-1)!.searchParams)).toEqual({
      cart: '7',
      payment_id: payment.id,
      status: 'successful',
      reference: payment.reference,
    });
    expect((await payer.get(payment.id)).status).toBe('successful');
    await page.goto(urlOf(payment));
    expect(await heading()).toBe('Paid');
    await expectAccessible('paid');
    expect(faults.errors).toEqual([]);
  });

  it.each([
    ['failed', 'failed', 'The payment failed'],
    ['late', 'processing', 'Your payment is being confirmed'],
    ['underpaid', 'processing', 'Your payment is being confirmed'],
  ])('a payment that ends %s leads back as %s', async (outcome, status, told) => {
    const payment = await asked({ gateway: 'sandbox_card' });
    await page.goto(urlOf(payment));
    await press('Pay by card');
    await choose(outcome);
    await press('Let it happen');
    expect([await heading(), shop.visits.at(-1)!.searchParams.get('status')]).toEqual(['Back at the shop', status]);
    await page.goto(urlOf(payment));
    expect(await heading()).toBe(told);
    await expectAccessible(outcome);
    await press('Return to Ada’s Shoes');
    expect(await heading()).toBe('Back at the shop');
  });

  it('a payer gives up', async () => {
    const payment = await asked();
    await page.goto(urlOf(payment));
    await press('Cancel');
    expect([await heading(), shop.visits.at(-1)!.searchParams.get('status')]).toEqual([
      'Back at the shop',
      'cancelled',
    ]);
  });

  it('a payer without a shop to go back to sees how it ended', async () => {
    await page.goto(urlOf(await asked({ callback_url: undefined })));
    await choose('sandbox_card');
    await press('Continue');
    await choose('successful');
    await press('Let it happen');
    expect(await heading()).toBe('Paid');
    await expectAccessible('thanks');
  });

  it('instructions stay on the page while the payer has not paid', async () => {
    const payment = await asked({ gateway: 'sandbox_bank_transfer' });
    await page.goto(urlOf(payment));
    await press('Pay by bank transfer');
    await page.goto(urlOf(payment));
    expect(await page.locator('main').innerText()).toContain('Account number');
    await expectAccessible('instructions');
    await press('I have paid');
    expect(await heading()).toBe('Pay Ada’s Shoes');
  });

  it('what is over says so: expired, unknown', async () => {
    const payment = await asked({ expires_in: 60 });
    await payer.advance(61);
    await page.goto(urlOf(payment));
    expect(await heading()).toBe('This payment has expired');
    await expectAccessible('expired');
    await page.goto(`${duka.url}/checkout/nothing`);
    expect(await heading()).toBe('Payment not found');
    await expectAccessible('unknown');
  });

  it.each(['#ffee00', '#101010', '#777777', '#d6336c'])('shows the looks of the account: %s', async (colour) => {
    const accountId = decodeId('acct', payer.account.id)!;
    const branding = duka.get<BrandingService>(BrandingService);
    await duka.get<UnitOfWork>(UnitOfWork).run(async (tx) => {
      await branding.set(tx, accountId, { name: 'Ada & Daughters', colour });
      await branding.setLogo(tx, accountId, png());
    });
    await page.goto(urlOf(await asked()));
    expect(await heading()).toBe('Pay Ada & Daughters');
    const shown = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one: any, name) => (globalThis as any).getComputedStyle(one)[name], property);
    expect(await page.locator('.brand img').evaluate((image: any) => [image.complete, image.naturalWidth])).toEqual([
      true,
      32,
    ]);
    expect(await shown('button', 'backgroundColor')).toBe(
      `rgb(${[...Buffer.from(colour.slice(1), 'hex')].join(', ')})`,
    );
    await expectAccessible(`colour-${colour.slice(1)}`);
    await expectAccessible(`colour-${colour.slice(1)}-dark`, 'dark');
    expect(faults.errors).toEqual([]);
  });

  it.each(Object.keys(LANGUAGES) as Language[])(
    'speaks %s, also when the payer is back from the gateway',
    async (language) => {
      const { pay, payBy, card, continueToPay, successful, receipt } = MESSAGES[language];
      const payment = await asked({ gateway: 'sandbox_card', callback_url: undefined });
      await page.goto(urlOf(payment));
      await press(LANGUAGES[language]);
      expect(await heading()).toBe(pay.replace('{merchant}', 'Ada’s Shoes'));
      await expectAccessible(`language-${language}`);
      const way = /^[A-Z]{2}/.test(card) ? card : card.toLowerCase();
      await press(payBy.replace('{way}', way));
      expect(await heading()).toBe('Card of the sandbox');
      await page.goto(urlOf(payment));
      await press(continueToPay);
      await choose('successful');
      await press('Let it happen');
      expect([await heading(), await page.locator('html').getAttribute('lang')]).toEqual([successful, language]);
      expect(await page.getByRole('heading', { level: 2 }).innerText()).toBe(receipt);
      await page.goto(`${page.url()}?lang=${language}`);
      await expectAccessible(`receipt-${language}`);
      expect(faults.errors).toEqual([]);
    },
  );

  it('prints a receipt without what can only be pressed', async () => {
    const payment = await asked();
    await payer.complete(payment.id, 'successful');
    await page.goto(urlOf(payment));
    const parts = ['.receipt', '.brand', 'h1', '.test', 'nav', '.button', '.hint'];
    const seen = async () => Promise.all(parts.map((part) => page.locator(part).first().isVisible()));
    expect(await seen()).toEqual([true, true, true, true, true, true, true]);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await seen()).toEqual([true, true, true, true, false, false, false]);
    const paper = await page
      .locator('body')
      .evaluate((body: any) => (globalThis as any).getComputedStyle(body).backgroundColor);
    expect(paper).toBe('rgb(255, 255, 255)');
  });
});
