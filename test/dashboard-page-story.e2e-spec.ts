import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { fillAccount, startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { findOnPath } from './support/programs';
import { until } from './support/recurring-probe';

const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
const TOKEN = /\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}/;

describeInBrowser('the one story of an id', () => {
  let duka: Duka;
  let ada: Visitor;
  let wallet: string;
  let sold: string;
  let request: string;
  let event: string;
  let card: string;
  let payment: string;

  startDashboard({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, async (started) => {
    ({ duka, ada } = started);
    const details = await fillAccount(ada);
    payment = details.find((path) => path.startsWith('payments/'))!.split('/')[1]!;
    const key = { name: 'Shop', livemode: false, scopes: null, expires_at: null, allowed_ips: null };
    const api = duka.api((await ada.call('POST', '/keys', key)).secret);
    wallet = await api.wallet(5_000_000);
    await api.post('/v4/webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['transaction.*'] });
    const { body, headers } = await api.post('/v4/airtime/purchase', {
      wallet_id: wallet,
      phone: '+2348000000105',
      amount: 1_250_050,
    });
    [sold, request] = [body.id, headers.get('request-id')!];
    await until(async () => (await steps(sold)).some(({ answer }) => answer !== null));
    event = (await steps(sold)).findLast(({ kind }) => kind === 'event').id;
    const cardId = details.find((path) => path.startsWith('cards/'))!.split('/')[1]!;
    card = (await ada.call('GET', `/test/v4/cards/${cardId}/transactions`)).data[0].id;
  });

  const steps = async (id: string): Promise<any[]> => (await ada.call('GET', `/stories/${id}?livemode=false`)).steps;
  const timeline = () => ada.page.getByRole('region', { name: 'Timeline', exact: true });
  const step = (text: string) => timeline().getByRole('listitem').filter({ hasText: text });

  it('is one page from the request to the webhook, whose steps fold open and have addresses', async () => {
    await ada.see(`/test/transactions/${sold}`);
    const whole = await timeline().innerText();
    for (const part of [
      'POST /v4/airtime/purchase',
      'API key Shop …',
      'Airtime purchase',
      'NGN 12,500.50',
      'Money was held',
      'sandbox answered: not delivered',
      'sandbox backup answered: delivered',
      'It ended: successful',
      'transaction.successful',
      'transaction.successful to 127.0.0.1:9: connection failed',
    ])
      expect(whole).toContain(part);
    expect(whole).not.toContain('1250050');
    await step('Money was held').first().locator('summary').click();
    const lines = timeline().getByRole('table', { name: 'Ledger lines' });
    await lines.first().waitFor();
    expect(await lines.getByRole('columnheader').allInnerTexts()).toEqual([
      'Account',
      'Part',
      'Debit',
      'Credit',
      'Balance after',
    ]);
    await step('POST /v4/airtime/purchase').first().locator('summary').click();
    expect(await timeline().getByRole('group', { name: 'As curl' }).innerText()).toContain('/v4/airtime/purchase');
    await step('transaction.successful').first().locator('summary').click();
    await timeline()
      .getByRole('group', { name: `Event ${event}` })
      .waitFor();
    await ada.see(`/test/transactions/${sold}#${event}`);
    await timeline()
      .getByRole('group', { name: `Event ${event}` })
      .waitFor();
  });

  it('is the same story on the pages of the request and the event, which mark their step', async () => {
    for (const [page, id] of [
      [`requests/${request}`, request],
      [`events/${event}`, event],
      [`transactions/${sold}`, sold],
    ] as const) {
      await ada.see(`/test/${page}`);
      expect([page, await timeline().locator('[aria-current=step]').getAttribute('id')]).toEqual([page, id]);
      await step('It ended: successful').first().waitFor();
    }
  });

  it('is told of a payment and of a card transaction, each on its page', async () => {
    await ada.see(`/test/payments/${payment}`);
    await step('Payment asked for').first().waitFor();
    await ada.see(`/test/card-transactions/${card}`);
    await ada.page.getByRole('heading', { name: 'Card authorization', level: 1 }).waitFor();
    await ada.page.locator('.facts').getByText('Corner Shop').first().waitFor();
    await step('Money was held').first().waitFor();
  });

  it('has a receipt to print, black on white and without the page around it, and as a PDF', async () => {
    await ada.see(`/test/transactions/${sold}`);
    await ada.click(ada.page.getByRole('link', { name: 'Receipt' }));
    await ada.at(/\/receipts\/txn_/);
    const receipt = ada.page.getByRole('article', { name: 'Receipt' });
    for (const text of ['Corner Shop', 'NGN 12,500.50', '+2348000000105', sold, ' UTC'])
      expect(await receipt.innerText()).toContain(text);
    await ada.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await ada.page.getByRole('navigation').first().isVisible()).toBe(false);
    expect(await ada.page.getByRole('link', { name: 'Download PDF' }).isVisible()).toBe(false);
    const look = await receipt.evaluate((element) => {
      const { getComputedStyle, document } = globalThis as any;
      return [getComputedStyle(element).color, getComputedStyle(document.body).backgroundColor];
    });
    expect(look).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    await ada.page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    const waiting = ada.page.waitForEvent('download');
    await ada.click(ada.page.getByRole('link', { name: 'Download PDF' }));
    const file = await waiting;
    expect(file.suggestedFilename()).toBe(`${sold}.pdf`);
    const path = await file.path();
    expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-');
    const reader = findOnPath('pdftotext');
    if (reader === null) return;
    const text = spawnSync(reader, ['-layout', path, '-'], { encoding: 'utf8' }).stdout;
    for (const part of ['Corner Shop', 'NGN 12,500.50', sold, 'TEST MODE']) expect(text).toContain(part);
  });

  it('shows a meter token only once somebody revealed it, large, and tells of that', async () => {
    const { id: validation } = await ada.call('POST', '/test/v4/bills/validate', METER);
    const order = { ...METER, amount: 500_000, wallet_id: wallet, validation_id: validation };
    const { id } = await ada.call('POST', '/test/v4/bills/pay', order);
    await ada.see(`/test/receipts/${id}`);
    expect(await ada.page.locator('main').innerText()).not.toMatch(TOKEN);
    await ada.press('Reveal');
    const token = ada.page.locator('.secret-value').first();
    await token.waitFor();
    expect(await token.innerText()).toMatch(TOKEN);
    expect(await token.evaluate((e) => parseFloat((globalThis as any).getComputedStyle(e).fontSize))).toBeGreaterThan(
      20,
    );
    await ada.see(`/test/transactions/${id}`);
    await step('Tokens and PINs were shown').first().waitFor();
    expect(await ada.page.locator('main').innerText()).not.toMatch(TOKEN);
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in %s colours, and fits 360 pixels',
    async (colours) => {
      await ada.page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
      for (const page of [
        `transactions/${sold}#${event}`,
        `requests/${request}`,
        `card-transactions/${card}`,
        `receipts/${sold}`,
      ]) {
        await ada.page.setViewportSize({ width: 1_280, height: 900 });
        await ada.see(`/test/${page}`);
        expect([page, await seriousFindings(ada.page)]).toEqual([page, []]);
        await ada.page.setViewportSize({ width: 360, height: 740 });
        expect([page, await sidewaysPixels(ada.page)]).toEqual([page, 0]);
      }
    },
  );
});
