import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { fillAccount, PASSWORD, startDashboard, Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';

const SOON_MS = 15_000;
const SHOP = { name: 'Corner Shop', mcc: '5411', country: 'NG' };

describeInBrowser('cards at the dashboard', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let card: string;
  let paid: string;

  startDashboard({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, async (started) => {
    ({ duka, browser, ada } = started);
    card = (await fillAccount(ada)).find((page) => page.startsWith('cards/'))!;
    const told = { merchant_amount: 1_550_000, merchant_currency: 'NGN', fx_rate: '0.00064516' };
    const { id } = await play({ kind: 'authorization', amount: 1_000, merchant: SHOP });
    const fees = [{ type: 'foreign_transaction', amount: 20 }];
    paid = (await play({ kind: 'clearing', card_transaction_id: id, ...told, fees })).id;
    ada.page.setDefaultTimeout(SOON_MS);
  });

  const play = (body: object) => ada.call('POST', `/test/v4/sandbox/${card}/simulate`, body);
  const part = (name: string): Locator => ada.page.getByRole('region', { name, exact: true });
  const table = (name: string): Locator => ada.page.getByRole('table', { name, exact: true });
  const fact = (name: string): Locator =>
    ada.page
      .locator('.facts > div')
      .filter({ hasText: new RegExp(`^${name}`) })
      .locator('dd');

  it('has a tab for each kind of page, and the navigation one entry for all', async () => {
    await ada.see('/test/cards');
    const tabs = ada.page.getByRole('navigation', { name: 'Cards' });
    for (const [name, address] of [
      ['Customers', /\/cards\/customers$/],
      ['Card transactions', /\/cards\/transactions$/],
      ['Disputes', /\/cards\/disputes$/],
      ['Cards', /\/test\/cards$/],
    ] as const) {
      await ada.click(tabs.getByRole('link', { name, exact: true }));
      await ada.at(address);
      await ada.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      expect(await tabs.locator('[aria-current=page]').allInnerTexts()).toEqual([name]);
      const entry = ada.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Cards' });
      expect(await entry.getAttribute('data-status')).toBe('active');
    }
  });

  it('registers a customer, plays what is found out about them, and gives them a card', async () => {
    await ada.see('/test/cards/customers');
    await ada.press('New customer');
    await ada.fill({ 'First name': 'Bola', 'E-mail': 'bola@example.com' }, ada.dialog());
    await ada.press('Register', ada.dialog());
    await ada.at(/customers\/cus_/);
    await part('KYC').getByText('Nobody vouches for them yet').waitFor();
    await part('KYC').getByLabel('In test mode, play').selectOption('902');
    await ada.press('Send document');
    await ada.told('The document is changed.');
    await ada.press('Verify');
    await part('KYC').getByText('Why they were rejected').waitFor();
    await part('KYC').getByLabel('In test mode, play').selectOption('911');
    await ada.press('Send document');
    await part('KYC').getByText('Nobody vouches for them yet').waitFor();
    await ada.press('Verify');
    await part('KYC').getByText('A number is proven').waitFor();
    await part('KYC').getByText('no limit').first().waitFor();
    await ada.click(ada.page.getByRole('link', { name: 'Issue a card' }));
    await ada.dialog().getByText('For Bola Obi, verified.').waitFor();
    await ada.fill({ Label: 'Travel' }, ada.dialog());
    await ada.press('Issue', ada.dialog());
    await ada.told('The card is active.');
    await ada.see('/test/cards/customers');
    await ada.page.getByLabel('Name, e-mail, phone or id').fill('bola@');
    await ada.at(/q=bola/);
    await ada.row('Bola Obi').getByText('1 card').waitFor();
    await ada.row('Ada Obi').waitFor({ state: 'detached' });
    await ada.see('/test/cards/customers?kyc_status=rejected');
    await ada.page.getByText('No customer matches.').waitFor();
  });

  it('shows the card as a card: what it has, what it was used for, and what of its limits is left', async () => {
    await ada.see(`/test/${card}`);
    const face = part('The card');
    await face.getByText('USD 10.00', { exact: true }).waitFor();
    expect(await face.innerText()).not.toMatch(/\d{8}/);
    await table('Spent by category').getByText('Groceries').waitFor();
    await table('Spent by category').getByText('USD 15.00').waitFor();
    await ada.fill({ 'At most (USD)': '40' });
    await part('Limits').getByLabel('Interval').selectOption('daily');
    await ada.press('Set limit');
    await ada.row('USD 40.00').getByText('USD 25.00 left').waitFor();
    await ada.press('Rename');
    await ada.fill({ Label: 'Adverts of May' }, ada.dialog());
    await ada.press('Save', ada.dialog());
    await ada.page.getByRole('heading', { level: 1, name: 'Adverts of May' }).waitFor();
    await ada.press('Freeze');
    await ada.press('Freeze', ada.dialog());
    await face.getByText('Frozen').waitFor();
    expect(await ada.button('Load the card').count()).toBe(0);
    await ada.fill({ 'Amount (USD)': '1' });
    await ada.press('Take back');
    await face.getByText('USD 9.00', { exact: true }).waitFor();
    await ada.press('Unfreeze');
    await ada.press('Load the card');
    await face.getByText('USD 10.00', { exact: true }).waitFor();
  });

  it('says where the card may pay, and a decline says why and what to do', async () => {
    await ada.see(`/test/${card}`);
    const categories = part('Merchant categories');
    await categories.getByText('All are allowed.').waitFor();
    await categories.getByLabel('Category').fill('nonsense');
    await ada.press('Add', categories);
    await categories.getByText('No category is called so').waitFor();
    await categories.getByLabel('Category').fill('betting and casinos');
    await ada.press('Add', categories);
    await categories.getByText('Betting and casinos (7995)').first().waitFor();
    const countries = part('Countries');
    await countries.getByLabel('Rule').selectOption('allow');
    await countries.getByLabel('Country').fill('ng');
    await ada.press('Add', countries);
    await countries.getByText('Only these').waitFor();
    const { spending_controls: controls } = await ada.call('GET', `/test/v4/${card}`);
    expect(controls).toMatchObject({ blocked_mccs: ['7995'], allowed_countries: ['NG'], limits: [{ amount: 4_000 }] });
    const bet = await play({ kind: 'authorization', amount: 100, merchant: { ...SHOP, name: 'Bets', mcc: '7995' } });
    await ada.see(`/test/card-transactions/${bet.id}`);
    await ada.page.getByText('Declined: The card may not pay merchants of this category.').waitFor();
    await ada.page.getByText('Change the categories on the page of the card.').waitFor();
    expect(await ada.button('Dispute').count()).toBe(0);
    await ada.see(`/test/${card}`);
    await ada.press('Remove Betting and casinos (7995)');
    await categories.getByText('All are allowed.').waitFor();
    await ada.press('Remove Nigeria (NG)');
    await countries.getByText('All are allowed.').waitFor();
  });

  it('finds card transactions, and tells both amounts, rate and fees', async () => {
    await ada.see('/test/cards/transactions?status=settled&merchant=corner&amount_from=9&country=ng');
    await ada.row('Corner Shop').getByRole('link').first().waitFor();
    expect(await ada.row('Corner Shop').count()).toBe(1);
    await ada.click(ada.row('Corner Shop').getByRole('link').first());
    await ada.at(new RegExp(paid));
    expect(await fact('Amount on the card').innerText()).toBe('USD 10.00');
    expect(await fact('Amount at the merchant').innerText()).toBe('NGN 15,500.00');
    expect(await fact('Rate').innerText()).toBe('1 NGN = 0.00064516 USD');
    expect(await fact('Fees of the issuer').innerText()).toBe('foreign transaction USD 0.20');
    await ada.see('/test/cards/transactions?mcc=4511');
    await ada.page.getByText('No card transaction matches.').waitFor();
  });

  it('opens a dispute, shows what it moved, and withdraws it', async () => {
    await ada.see('/test/cards/disputes');
    await ada.page.getByText('No disputes yet').waitFor();
    await ada.see(`/test/card-transactions/${paid}`);
    await ada.press('Dispute');
    await ada.dialog().getByText('Up to USD 10.00').waitFor();
    await ada.dialog().getByLabel('In test mode, play').selectOption('PROVISIONAL WIN');
    await ada.fill({ 'Amount (USD)': '4', Documents: 'https://files.example.com/a.pdf' }, ada.dialog());
    await ada.press('Open the dispute', ada.dialog());
    await ada.at(/disputes\/dsp_/);
    await ada.page.getByRole('heading', { name: 'Dispute: It never came' }).waitFor();
    await table('Money that the dispute moved').getByText('USD 4.00').waitFor();
    expect(await fact('Credited before it is decided').innerText()).toBe('USD 4.00');
    await ada.page.getByRole('link', { name: 'https://files.example.com/a.pdf' }).waitFor();
    const address = new URL(ada.page.url()).pathname.replace('/dashboard', '');
    await ada.press('Withdraw');
    await ada.press('Withdraw', ada.dialog());
    await fact('Status').getByText('withdrawn').waitFor();
    await table('Money that the dispute moved').getByText('Credit taken back, Corner Shop').waitFor();
    await ada.see('/test/cards/disputes?status=withdrawn');
    expect(await ada.row('It never came').getByRole('link').first().getAttribute('href')).toContain(address);
  });

  it('offers who only looks nothing that changes anything', async () => {
    await ada.call('POST', '/auth/step-up', { password: PASSWORD });
    const invited = { name: 'Fela', email: 'fela@example.com', role: 'finance' };
    const { invite_url: link } = await ada.call('POST', '/team', invited);
    const fela = await Visitor.of(browser, duka.url);
    await fela.join(link);
    const { data: holders } = await ada.call('GET', '/customers?livemode=false');
    const pages = [card, `card-transactions/${paid}`, 'cards/customers', `cards/customers/${holders[0].id}`];
    for (const page of pages) {
      await fela.see(`/test/${page}`);
      expect([page, await fela.page.locator('#main form').count()]).toEqual([page, 0]);
      const writes = /^(Rename|Freeze|Terminate|Reveal|Add|Edit|Verify|Dispute|New customer|Issue a card)$/;
      expect([page, await fela.page.locator('#main').getByText(writes).count()]).toEqual([page, 0]);
    }
    expect(fela.faults.errors).toEqual([]);
    await fela.close();
  });

  it('is well to look at in both colours and in a narrow window', async () => {
    const { data: disputes } = await ada.call('GET', '/test/v4/disputes');
    const { data: holders } = await ada.call('GET', '/customers?livemode=false');
    await ada.call('PATCH', `/test/v4/${card}`, {
      label: 'Adverts of all the markets that we are in, for May and June'.padEnd(80, '.'),
      spending_controls: { blocked_mccs: ['7995'], limits: [{ amount: 999_999_999_999, interval: 'monthly' }] },
    });
    const pages = [
      'cards',
      card,
      'cards/customers',
      `cards/customers/${holders[0].id}`,
      'cards/transactions',
      `card-transactions/${paid}`,
      'cards/disputes',
      `cards/disputes/${disputes[0].id}`,
    ];
    const findings: unknown[] = [];
    for (const [width, colorScheme] of [
      [1_280, 'light'],
      [360, 'dark'],
    ] as const) {
      await ada.page.emulateMedia({ colorScheme });
      await ada.page.setViewportSize({ width, height: 900 });
      for (const page of pages) {
        await ada.go(`/test/${page}`);
        findings.push(...(await seriousFindings(ada.page)).map((finding) => [page, finding]));
        const pixels = await sidewaysPixels(ada.page);
        if (pixels > 0) findings.push([page, width, pixels]);
        if (process.env.CARDS_IMAGES) {
          const name = `${page.replaceAll('/', '-').replace(/-(crd|cus|dsp|ctx)_.*/, '-$1')}-${width}.png`;
          await ada.page.screenshot({ path: `${process.env.CARDS_IMAGES}/${name}`, fullPage: true });
        }
      }
    }
    expect(findings).toEqual([]);
  });
});
