import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { Company as Vtpass } from './pretended/vtpass/company';
import { isAmongCells } from './support/other-cell';
import { until } from './support/recurring-probe';

const EMAIL = 'olu@example.com';
const PAGES = [
  'books?of=test',
  'positions?of=test&in=NGN',
  'catalogue?of=test',
  'catalogue?of=test&list=networks',
  'catalogue?of=test&list=billers',
] as const;

describeInBrowser('the books at the dashboard, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let olu: Visitor;

  const vtpass = new Vtpass();

  beforeAll(async () => {
    await vtpass.listen();
    Object.assign(process.env, vtpass.settings);
    duka = await Duka.start({ WORKER_IN_API: true });
    browser = await openBrowser();
    const { api } = await duka.account();
    const [naira, dollars] = [await api.wallet(10_000_000), await api.wallet(100_000, 'USD')];
    const { body: quote } = await api.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 1_000 });
    await api.post('/v4/conversions', { quote_id: quote.id, from_wallet: dollars, to_wallet: naira });
    olu = await Visitor.of(browser, duka.url);
    await olu.signUp(EMAIL);
    await duka.setOperator(EMAIL, true);
  });

  afterAll(async () => {
    await browser?.close();
    await duka?.stop();
    await vtpass.stop();
  });

  afterEach(() => expect(olu.faults.errors.splice(0)).toEqual([]));

  const table = (name: string): Locator => olu.page.getByRole('table', { name, exact: true });
  const row = (of: string, text: string): Locator => table(of).getByRole('row').filter({ hasText: text }).first();
  const cells = async (of: string, text: string): Promise<string[]> => {
    await row(of, text).waitFor();
    return (await row(of, text).getByRole('cell').allInnerTexts()).map((cell) => cell.trim());
  };

  it('shows what stands in the ledger, of both modes', async () => {
    await olu.see('/test/books');
    expect(await cells('Accounts in NGN', 'wallet')).toContain('NGN 0.00');
    await olu.click(olu.page.getByRole('navigation', { name: 'Mode of the books' }).getByText('Test'));
    await olu.at(/\/books\?of=test$/);
    await row('Accounts in NGN', 'fx_position').waitFor();
    // 10,000,000 and the 15,422.50 that 10 dollars bought.
    expect(await cells('Accounts in NGN', 'wallet')).toContain('NGN 115,422.50');
    expect(await cells('Accounts in NGN', 'fx_position')).toContain('NGN −15,422.50');
    expect(await cells('Accounts in NGN', 'sandbox_source')).toContain('NGN −100,000.00');
    await olu.page.getByRole('region', { name: 'NGN' }).getByText('in order').waitFor();
  });

  it('has the books verified, and says what came of it', async () => {
    await olu.page.getByText('Nobody has verified the books yet.').waitFor();
    await olu.press('Verify the books');
    await olu.prove();
    await olu.told('The books are being verified.');
    await olu.page.getByText(/^in order All \d+ checks hold, proven/i).waitFor();
    expect(await cells('Verifications', EMAIL)).toContainEqual(expect.stringMatching(/^(\d+) of \1$/));
    expect(await olu.button('Verify the books').isEnabled()).toBe(true);
  });

  it('names what is wrong, until it is put right', async () => {
    const spoil = (by: string) =>
      duka.asOwner(`UPDATE ledger_accounts SET available = available ${by} WHERE name = 'wallet' AND currency = 'USD'
        AND available > 0`);
    await spoil('+ 1');
    await olu.press('Verify the books');
    await row('Findings', 'books_balance').waitFor();
    expect(await cells('Findings', 'books_balance')).toEqual([
      'books_balance',
      '1',
      '{"sum":1,"currency":"USD","livemode":false}',
    ]);
    await olu.see('/test/books?of=test');
    await olu.page.getByRole('region', { name: 'USD' }).getByText('not in order').waitFor();
    await spoil('- 1');
    await olu.press('Verify the books');
    await table('Findings').waitFor({ state: 'detached' });
    await olu.page.getByRole('button', { name: 'Copy the head of the chain' }).waitFor();
    await olu.page.getByText(/checks hold, proven/).waitFor();
  });

  it('shows positions, in the currency that is asked for', async () => {
    await olu.see('/test/positions?of=test');
    expect(await cells('Positions', 'long')).toContain('USD 10.00');
    await olu.page.getByLabel('Valued in').selectOption('NGN');
    await olu.at(/\/positions\?of=test&in=NGN$/);
    await row('Positions', 'NGN 15,500.00').waitFor();
    expect(await cells('Positions', 'NGN −15,422.50')).toEqual([
      'NGN',
      'short',
      'NGN 0.00',
      'NGN 0.00',
      'NGN −15,422.50',
      'NGN −15,422.50',
      '–',
      'NGN −15,422.50',
    ]);
    await olu.page.getByText('Together: NGN 77.50').waitFor();
    expect(await cells('Rates of NGN', 'USD in NGN')).toContain('1550');
  });

  it('shows what is sold, by words, and who is asked for it', async () => {
    await olu.see('/test/catalogue?of=test');
    await table('Data plans').waitFor();
    const [plan] = await duka.asOwner(`SELECT plan_code, name FROM data_plans WHERE network = 'glo' LIMIT 1`);
    await olu.page.getByLabel('Name or code').fill(String(plan!.plan_code).toUpperCase());
    await olu.at(/q=/);
    await until(async () => (await table('Data plans').getByRole('row').count()) === 2);
    expect(await cells('Data plans', String(plan!.name))).toContainEqual(expect.stringMatching(/^sandbox/));
    expect(await cells('Data plans', String(plan!.name))).toContain('available');
    await olu.click(olu.page.getByRole('navigation', { name: 'Mode of the providers' }).getByText('Live'));
    await olu.at(/of=live/);
    await row('Data plans', 'no provider').waitFor();
    await olu.see('/test/catalogue?of=test&list=networks');
    expect(await cells('Airtime', 'MTN Nigeria')).toContainEqual(expect.stringMatching(/^NGN [\d.,]+ to NGN [\d.,]+$/));
  });

  it('asks a live provider for its list: first to look at it, then to import it', async () => {
    await olu.see('/test/catalogue?of=live');
    await olu.press('Ask vtpass for its list');
    await olu.press('Only look', olu.dialog());
    await olu.told('vtpass is asked for its list.');
    await row('Lists of providers', 'looked at')
      .getByText(/^It would be: \d+ added, 0 changed/)
      .waitFor();
    await olu.press('Changes of vtpass');
    await olu
      .dialog()
      .getByText(/^\+ mtn-data\./)
      .first()
      .waitFor();
    await olu.page.keyboard.press('Escape');
    await olu.press('Ask vtpass for its list');
    await olu.dialog().getByRole('textbox').fill('abc');
    expect(await olu.button('Import', olu.dialog()).isDisabled()).toBe(true);
    await olu.dialog().getByRole('textbox').fill('5');
    expect(await seriousFindings(olu.page)).toEqual([]);
    await olu.press('Import', olu.dialog());
    await row('Lists of providers', 'imported')
      .getByText(/^\d+ added/)
      .waitFor();
    await olu.page.getByLabel('Name or code').fill('mtn-data.');
    await row('Data plans', 'mtn-data.').waitFor();
  });

  it('stops payments to a biller, with a reason, and allows them again', async () => {
    await olu.see('/test/catalogue?of=test&list=billers&kind=tv');
    await olu.press(/^\d+ items of DStv$/);
    await row('Items', 'dstv-compact').waitFor();
    await olu.page.keyboard.press('Escape');
    await olu.press('Stop payments to DStv');
    await olu.dialog().getByLabel('Reason').fill('Their system is down.');
    await olu.press('Stop payments', olu.dialog());
    await olu.told('DStv can no longer be paid.');
    await row('Billers', 'DStv').getByText('not on sale').waitFor();
    await olu.press('Allow payments to DStv');
    await olu.dialog().getByLabel('Reason').fill('It is back.');
    await olu.press('Allow payments', olu.dialog());
    await row('Billers', 'DStv').getByText('available').waitFor();
  });

  (isAmongCells ? it.skip : it)('knows nothing of cells, where there is one', async () => {
    const asked: string[] = [];
    olu.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.includes('/operators/')) asked.push(`${pathname} ${request.headers()['duka-cell'] ?? ''}`);
    });
    await olu.see('/test/accounts?cell=b');
    await row('Accounts', EMAIL).waitFor();
    expect(asked).toEqual(['/dashboard/api/operators/accounts ']);
    expect(await olu.page.getByLabel('Cell', { exact: true }).count()).toBe(0);
    expect(await olu.pagesOffered()).not.toContain('Cells');
  });

  it('has no serious finding of axe, and no figure that is cut', async () => {
    for (const page of PAGES) {
      for (const colours of ['light', 'dark'] as const) {
        await olu.page.emulateMedia({ colorScheme: colours });
        await olu.see(`/test/${page}`);
        await olu.page.screenshot({
          path: `/tmp/look-${page.replaceAll(/[?&=]/g, '-')}-${colours}.png`,
          fullPage: true,
        });
        expect([page, await seriousFindings(olu.page)]).toEqual([page, []]);
      }
      await olu.page.setViewportSize({ width: 360, height: 740 });
      await olu.page.screenshot({ path: `/tmp/look-${page.replaceAll(/[?&=]/g, '-')}-360.png`, fullPage: true });
      expect([page, await sidewaysPixels(olu.page)]).toEqual([page, 0]);
      await olu.page.setViewportSize({ width: 1_280, height: 900 });
    }
  });
});
