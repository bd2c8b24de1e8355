import type { Browser, Locator } from 'playwright-core';
import { decodeId } from '../src/core/http/ids';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { PASSWORD, startDashboard, Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const SOON_MS = 15_000;
const ROWS = ['reference,amount,bank.code,bank.account_number', 'may-1,250000,058,0123456789'];
const BAD_ROWS = ['may-2,oops,058,0123456789', 'may-3,1000,058,12'];

describeInBrowser('payouts, batches and beneficiaries at the dashboard', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let bola: Visitor;

  startDashboard({ WORKER_IN_API: true }, async (started) => {
    ({ duka, browser, ada } = started);
    const { account } = await ada.call('GET', '/me');
    const { data: wallets } = await ada.call('GET', '/test/v4/wallets');
    await ada.call('POST', `/test/v4/sandbox/wallets/${wallets[0].id}/credit`, { amount: 1_234_567_890_12 });
    await duka.asOwner(
      `INSERT INTO payout_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000000)`,
      [decodeId('acct', account.id)],
    );
    await ada.call('POST', '/auth/step-up', { password: PASSWORD });
    const invited = { name: 'Bola Ade', email: 'bola@example.com', role: 'admin' };
    const { invite_url: link } = await ada.call('POST', '/team', invited);
    bola = await Visitor.of(browser, duka.url);
    await bola.join(link);
    for (const { page } of [ada, bola]) page.setDefaultTimeout(SOON_MS);
  });

  afterEach(() => expect([...ada.faults.errors.splice(0), ...bola.faults.errors.splice(0)]).toEqual([]));

  const fact = (visitor: Visitor, name: string): Locator =>
    visitor.page
      .locator('.facts > div')
      .filter({ hasText: new RegExp(`^${name}`) })
      .locator('dd');

  async function chooseAccount(visitor: Visitor, number: string): Promise<void> {
    const dialog = visitor.dialog();
    await dialog.getByLabel('Search for a bank').fill('guaranty');
    const bank = dialog.getByRole('combobox', { name: 'Bank' });
    await bank.locator('option', { hasText: 'Guaranty Trust Bank' }).waitFor({ state: 'attached' });
    await bank.selectOption('058');
    await visitor.fill({ 'Account number': number }, dialog);
  }

  /** Fills the form, and answers the name that the bank says. */
  async function checkPayout(visitor: Visitor, amount: string, reference = ''): Promise<string> {
    await visitor.see('/test/payouts');
    await visitor.press('New payout');
    await chooseAccount(visitor, '0123456789');
    const name = visitor.dialog().getByRole('status').filter({ hasText: 'as the bank says' });
    const said = (await name
      .getByText(/^[A-Z ]+$/)
      .first()
      .textContent())!;
    await visitor.fill({ Amount: amount, Reference: reference }, visitor.dialog());
    await visitor.press('Check it', visitor.dialog());
    await fact(visitor, 'Leaves the wallet').waitFor();
    return said;
  }

  it('keeps somebody once the bank has said the name, and pays them', async () => {
    await ada.see('/test/beneficiaries');
    await ada.page.getByText('Nobody is kept yet').waitFor();
    await ada.press('New beneficiary');
    await chooseAccount(ada, '0000000999');
    await ada.dialog().getByText('account_not_found').waitFor();
    await ada.fill({ 'Account number': '0123456789' }, ada.dialog());
    await ada.dialog().getByText('as the bank says').waitFor();
    await ada.fill({ Label: 'Landlord' }, ada.dialog());
    await ada.press('Keep it', ada.dialog());
    await ada.row('Landlord').getByText('0123456789').waitFor();

    await ada.see('/test/payouts');
    await ada.press('New payout');
    await ada.click(ada.dialog().getByText('A beneficiary'));
    await ada.dialog().getByRole('combobox', { name: 'Beneficiary' }).selectOption({ index: 1 });
    await ada.fill({ Amount: '1,000' }, ada.dialog());
    await ada.press('Check it', ada.dialog());
    await ada.press('Send NGN 1,000.00', ada.dialog());
    await ada.at(/payouts\/txn_/);
    await fact(ada, 'Beneficiary').getByText(/^ben_/).waitFor();
    await ada.see('/test/beneficiaries?q=landlord');
    expect(await ada.row('Landlord').getByText('never').count()).toBe(0);
    await ada.press('Remove');
    await ada.press('Remove', ada.dialog());
    await ada.page.getByText('Nobody matches').waitFor();
  });

  it('shows whom a payout is for and what it costs before it is sent, and what became of it after', async () => {
    const name = await checkPayout(ada, '2500', 'rent-5');
    expect(await fact(ada, 'To').textContent()).toBe(name);
    expect(await fact(ada, 'Fee').textContent()).toMatch(/^NGN \d+\.\d\d$/);
    await ada.press('Send NGN 2,500.00', ada.dialog());
    await ada.at(/\/test\/payouts\/txn_/);
    await ada.page.getByRole('heading', { name: `Payout to ${name}` }).waitFor();
    await fact(ada, 'Status').getByText('successful').waitFor();
    expect(await fact(ada, 'Account').textContent()).toBe('******6789');
    await ada.see('/test/payouts');
    await ada.page.getByLabel('Reference').fill('rent-5');
    await ada.page.keyboard.press('Enter');
    await ada.at(/reference=rent-5/);
    await until(async () => (await ada.row(name).count()) === 1);
    await ada.see('/test/payouts?status=failed');
    await ada.page.getByText('No payout matches.').waitFor();
    await ada.see('/test/payouts?bank=044');
    await ada.page.getByText('No payout matches.').waitFor();
  });

  it('waits for a second person, who is told who asked, and whose decision is told', async () => {
    await checkPayout(ada, '1,000,001');
    await ada.dialog().getByText('until a second person approves it').waitFor();
    await ada.press('Send NGN 1,000,001.00', ada.dialog());
    await ada.page.getByText('It waits for a second person').waitFor();
    await ada.button('Decline').waitFor();
    expect(await ada.button('Approve').count()).toBe(0);
    await bola.see('/test/payouts');
    const waiting = bola.page.getByRole('table', { name: 'What waits for a second person' });
    await waiting.getByText('Ada Obi').waitFor();
    await bola.press('Approve', waiting);
    await bola.dialog().getByText('ada@example.com').waitFor();
    await bola.fill({ Reason: 'Agreed with the landlord' }, bola.dialog());
    await bola.press('Approve', bola.dialog());
    await bola.prove();
    await bola.told('Approved: it goes out.');
    await waiting.waitFor({ state: 'detached' });
    await ada.page.getByText('It was let go by a second person').waitFor();
    expect(await fact(ada, 'Decided by').textContent()).toBe('Bola Ade, bola@example.com');
    expect(await fact(ada, 'Reason').textContent()).toBe('Agreed with the landlord');
  });

  it('declined with a reason, it gives the money back', async () => {
    await checkPayout(ada, '2,000,000');
    await ada.press('Send NGN 2,000,000.00', ada.dialog());
    await ada.at(/payouts\/txn_/);
    const path = new URL(ada.page.url()).pathname.replace('/dashboard', '');
    await bola.see(path);
    await bola.press('Decline');
    await bola.press('Decline', bola.dialog());
    // Not without a reason.
    expect(await bola.dialog().count()).toBe(1);
    await bola.fill({ Reason: 'Not on the list' }, bola.dialog());
    await bola.press('Decline', bola.dialog());
    await bola.page.getByText('It was declined').waitFor();
    await fact(bola, 'Status').getByText('cancelled').waitFor();
    await fact(bola, 'Reason').getByText('Not on the list').waitFor();
  });

  it('has a refund wait in the same list, and shows at its payment who let it go', async () => {
    const { account } = await ada.call('GET', '/me');
    await duka.asOwner(
      `INSERT INTO refund_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000)`,
      [decodeId('acct', account.id)],
    );
    const asked = { amount: 500_000, currency: 'NGN', description: 'Order 1001', reference: 'order-1001' };
    const { id } = await ada.call('POST', '/test/api/v1/payments', asked);
    await ada.call('POST', `/test/v4/sandbox/payments/${id}/complete`, { status: 'successful' });
    await ada.see(`/test/payments/${id}`);
    const form = ada.page.getByRole('form', { name: 'Refund' });
    await ada.fill({ 'Refund (NGN)': '2,000', Reason: 'Returned goods' }, form);
    await ada.press('Refund', form);
    await ada.told('It waits for a second person.');
    const refund = (state: string) => ada.page.getByRole('heading', { name: `The refund of NGN 2,000.00 ${state}` });
    await refund('waits for a second person').waitFor();
    await ada.row('Returned goods').getByText('awaits approval').waitFor();
    await form.getByText('NGN 3,000.00 can still go back').waitFor();
    expect(await ada.button('Approve').count()).toBe(0);
    await bola.see('/test/refunds');
    const waiting = bola.page.getByRole('table', { name: 'What waits for a second person' });
    await waiting.getByRole('link', { name: 'Refund of order-1001' }).waitFor();
    await bola.see('/test/payouts');
    await bola.press('Approve', bola.row('Refund of order-1001'));
    const dialog = bola.page.getByRole('dialog', { name: 'Approve this refund?' });
    await dialog.getByText('to the payer of order-1001, asked for by Ada Obi').waitFor();
    await bola.fill({ Reason: 'The goods are back' }, dialog);
    await bola.press('Approve', dialog);
    await bola.told('Approved: it goes out.');
    await waiting.waitFor({ state: 'detached' });
    await refund('was let go by a second person').waitFor();
    expect(await fact(ada, 'Decided by').textContent()).toBe('Bola Ade, bola@example.com');
    await fact(ada, 'Sent back').getByText('NGN 2,000.00').waitFor();
    const story = ada.page.getByRole('region', { name: 'Timeline' });
    for (const told of ['refund.awaiting_approval', 'refund.successful', 'A person decided: approved'])
      await story.getByText(told).first().waitFor();
  });

  it('checks a batch row by row, starts it once all is well, and has its result as a file', async () => {
    await ada.see('/test/batches');
    await ada.page.getByText('No batches yet').waitFor();
    await ada.click(ada.page.getByRole('link', { name: 'New batch' }));
    const paste = (...rows: string[]) => ada.page.getByRole('textbox', { name: 'CSV' }).fill(rows.join('\n'));
    await paste(...ROWS, ...BAD_ROWS);
    await ada.press('Check it');
    const bad = ada.page.getByRole('table', { name: 'Rows that are not valid' });
    await bad.getByText(/^amount: /).waitFor();
    await bad.getByText(/^bank.account_number: /).waitFor();
    expect(await bad.locator('tbody td:first-child').allTextContents()).toEqual(['2', '3']);
    await ada.page.getByText('It cannot be started').waitFor();
    expect(await ada.button('Start the batch').count()).toBe(0);
    await paste(...ROWS, 'may-2,100000,058,0123456788');
    await ada.press('Check it');
    await ada.page.getByText('It would take NGN 3,6').waitFor();
    await ada.press('Start the batch');
    await ada.at(/\/batches\/bat_/);
    await fact(ada, 'Status').getByText('completed').waitFor();
    await ada.page.getByText('2 successful, of 2 rows.').waitFor();
    await ada.row('may-1').getByRole('link', { name: /^txn_/ }).waitFor();
    const href = await ada.page.getByRole('link', { name: 'Download CSV' }).getAttribute('href');
    const file = await ada.page.evaluate(async (url) => (await fetch(url!)).text(), href);
    expect(file.split('\n')).toHaveLength(4);
    await ada.see('/test/batches?kind=payout');
    await ada.page.getByText('2 of 2 successful').waitFor();
    await ada.page.getByText('payout, checked only').first().waitFor();
  });

  it('pauses a batch, goes on with it and cancels it', async () => {
    const items = [{ phone: '+2348031234567', network: 'mtn', amount: 10_000, reference: 'later-1' }];
    const start_at = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await ada.call('POST', '/test/v4/batches', { kind: 'airtime', items, start_at });
    await ada.see(`/test/batches/${id}`);
    for (const [verb, then] of [
      ['Pause', 'Resume'],
      ['Resume', 'Pause'],
    ] as const) {
      await ada.press(verb);
      await ada.press(verb, ada.dialog());
      await ada.button(then).waitFor();
    }
    await ada.press('Cancel it');
    await ada.press('Cancel it', ada.dialog());
    await fact(ada, 'Status').getByText('cancelled').waitFor();
    expect(await ada.button('Pause').count()).toBe(0);
  });

  it('is well to look at in both colours and in a narrow window', async () => {
    const { data } = await ada.call('GET', '/test/v4/payouts?limit=1');
    const batch = (await ada.call('GET', '/test/v4/batches?limit=1')).data[0].id;
    const payment = (await ada.call('GET', '/test/api/v1/payments?limit=1')).data[0].id;
    const path = `/test/api/v1/payments/${payment}/refunds`;
    const { transaction_id: waits } = await ada.call('POST', path, { amount: 150_000 });
    const approvals = [`payments/${payment}`, `transactions/${waits}`, 'refunds'];
    const pages = [
      ...approvals,
      'payouts',
      `payouts/${data[0].id}`,
      'batches',
      'batches/new',
      `batches/${batch}`,
      'beneficiaries',
    ];
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
      await ada.go('/test/payouts');
      await ada.press('New payout');
      await ada.dialog().getByLabel('Search for a bank').waitFor();
      const found = await seriousFindings(ada.page);
      if (found.length > 0) findings.push(['the form', width, found]);
      await ada.page.keyboard.press('Escape');
    }
    expect(findings).toEqual([]);
  });
});
