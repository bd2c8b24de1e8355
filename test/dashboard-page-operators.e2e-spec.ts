import type { Browser, Locator } from 'playwright-core';
import { DataSource } from 'typeorm';
import { Client } from '../src/providers/client';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { Shopper } from './support/shopper';

const ABOVE = 200_000;
const LIVE_ROUTES = `
  INSERT INTO provider_routes (product, network, livemode, provider, position)
  VALUES ('airtime', 'mtn', true, 'acme', 1), ('airtime', 'mtn', true, 'zenith', 2)`;

/** Something does not work: switched, told, reviewed by two, back. */
describeInBrowser('the day of two operators, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let bola: Visitor;
  let partner: Visitor;
  let payer: Payer;
  let payment: string;
  let incident: string;
  let account: string;
  let provider: string;

  beforeAll(async () => {
    duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: `NGN:${ABOVE}` });
    browser = await openBrowser();
    const signedUp = async (email: string) => {
      const visitor = await Visitor.of(browser, duka.url);
      await visitor.signUp(email);
      return visitor;
    };
    ada = await signedUp('ada@example.com');
    bola = await signedUp('bola@example.com');
    partner = await signedUp('chidi@example.com');
    for (const email of ['ada@example.com', 'bola@example.com']) await duka.setOperator(email, true);
    await duka.get<DataSource>(DataSource).query(LIVE_ROUTES);
    payer = await Payer.of(duka);
    ({ id: payment } = await payer.asked({ amount: ABOVE + 2 }));
    await payer.complete(payment, 'underpaid');
    const { id: small } = await payer.asked({ amount: 5_000 });
    await payer.complete(small, 'underpaid');
  });

  afterAll(async () => {
    await browser?.close();
    await duka?.stop();
  });

  afterEach(() => {
    for (const { faults } of [ada, bola, partner]) expect(faults.errors.splice(0)).toEqual([]);
  });

  const bar = (visitor: Visitor): Locator => visitor.page.getByRole('status').filter({ hasText: 'Airtime is slow' });
  const review = () => `/test/reviews/${payment}?account=${payer.account.id}&of=test`;

  it('a provider is down: it is switched off, and partners are told', async () => {
    await ada.see('/test/providers');
    await ada.press('Switch off: acme for airtime, mtn, live');
    await ada.press('Switch off', ada.dialog());
    await ada.prove();
    await ada.told('acme is switched off.');
    await ada.click(ada.page.getByRole('link', { name: 'Tell partners of acme for airtime, mtn, live' }));
    const form = ada.dialog();
    await form.getByLabel('Title').waitFor();
    expect(await form.getByLabel('airtime').isChecked()).toBe(true);
    expect(await form.getByLabel('Networks').inputValue()).toBe('mtn');
    await ada.fill({ Title: 'Airtime is slow', Note: 'Another way is used from now on.' }, form);
    await ada.press('Tell everybody', form);
    await ada.at(/\/test\/incidents\/inc_\w+$/);
    await ada.page.getByRole('heading', { level: 1, name: 'Airtime is slow' }).waitFor();
    incident = new URL(ada.page.url()).pathname.replace('/dashboard', '');
    await ada.page.getByText('airtime, mtn').waitFor();
    await ada.page.getByText('· ada@example.com').waitFor();
  });

  it('partners read it on every page, close it, and see it again when there is news', async () => {
    await partner.see('/test/wallets');
    await bar(partner).getByText('Another way is used from now on.').waitFor();
    expect(await partner.page.getByText('ada@example.com').count()).toBe(0);
    expect(await seriousFindings(partner.page)).toEqual([]);
    await partner.press('Close: Airtime is slow');
    await bar(partner).waitFor({ state: 'detached' });
    await partner.see('/test/wallets');
    await partner.page.waitForLoadState('networkidle');
    expect(await bar(partner).count()).toBe(0);
    await bola.see(incident);
    await bola.page.getByLabel('State').selectOption('monitoring');
    await bola.fill({ Note: 'It is quick again; we look on.' });
    await bola.press('Add the note');
    await bola.prove();
    await bola.told('The note is added.');
    await partner.see('/test/events');
    await bar(partner).getByText('It is quick again; we look on.').waitFor();
  });

  it('without a log-in it is read at /status', async () => {
    const stranger = await Visitor.of(browser, duka.url);
    await stranger.page.goto(`${duka.url}/status`);
    await stranger.page.getByRole('heading', { level: 1, name: 'One open incident' }).waitFor();
    await stranger.page.getByText('Another way is used from now on.').waitFor();
    for (const colours of ['light', 'dark'] as const) {
      await stranger.page.emulateMedia({ colorScheme: colours });
      expect(await seriousFindings(stranger.page)).toEqual([]);
    }
    await stranger.page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(stranger.page)).toBe(0);
    expect(stranger.faults.errors).toEqual([]);
    await stranger.close();
  });

  it('what waits is found by a filter, and one person proposes', async () => {
    await ada.see('/test/reviews');
    await ada.page.getByText('2 wait for a person').waitFor();
    await ada.page.getByLabel('Kind').selectOption('purchase');
    await ada.page.getByText('Nothing waits for a person.').waitFor();
    await ada.page.getByLabel('Kind').selectOption('payment');
    await ada.click(ada.row('NGN 2,000.02').getByRole('link', { name: 'payment' }));
    await ada.at(/\/reviews\/pay_\w+\?.*account=acct_/);
    await ada.page.getByText('NGN 2,000.01').waitFor();
    await ada.page.getByText('Two people must say the same.').waitFor();
    expect(await ada.button('Propose').isDisabled()).toBe(true);
    await ada.page.getByRole('radio', { name: 'accept received' }).check();
    await ada.fill({ Reason: 'page 4 of their statement' });
    await ada.press('Propose');
    await ada.told('It is proposed: somebody else must approve it.');
    await ada.page.getByText('you cannot approve yourself').waitFor();
    // Nor by sending it once more.
    await ada.page.getByRole('radio', { name: 'accept received' }).check();
    await ada.fill({ Reason: 'once more' });
    await ada.press('Propose');
    await ada.page.getByRole('alert').getByText('somebody else must confirm it').waitFor();
    expect((await payer.get(payment)).status).toBe('processing');
  });

  it('the other one sees who proposed it and why, and approves', async () => {
    await bola.see('/test/reviews');
    await bola.row('NGN 2,000.02').getByText('proposed', { exact: true }).waitFor();
    await bola.see(review());
    await bola.page.getByText('ada@example.com: accept received').waitFor();
    await bola.page.getByText('page 4 of their statement').waitFor();
    expect(await bola.page.getByRole('radio', { name: 'accept received' }).isChecked()).toBe(true);
    await bola.fill({ Reason: 'seen it, too' });
    await bola.press('Approve');
    await bola.told('It is decided.');
    await bola.page.getByText('Decided: nobody waits any more').waitFor();
    expect((await payer.get(payment)).status).toBe('successful');
    await bola.see('/test/reviews');
    await bola.page.getByText('One waits for a person').waitFor();
  });

  it('an account is found by a part of its name, and somebody of it is signed out', async () => {
    await bola.see('/test/accounts');
    await bola.fill({ 'Name, id or e-mail': 'chidi@' });
    await bola.row('chidi@example.com').getByRole('link', { name: 'Corner Shop' }).waitFor();
    await bola.row('ada@example.com').waitFor({ state: 'detached' });
    await bola.click(bola.row('chidi@example.com').getByRole('link', { name: 'Corner Shop' }));
    await bola.at(/\/test\/accounts\/acct_\w+$/);
    account = new URL(bola.page.url()).pathname.replace('/dashboard', '');
    await bola.page.getByText('duka -- account:enable-live --account acct_').waitFor();
    await bola.press('End sessions of chidi@example.com');
    await bola.fill({ Reason: 'their laptop is lost' }, bola.dialog());
    await bola.press('End sessions', bola.dialog());
    await bola.told('The sessions are ended.');
    // Their page is told by its stream, and leaves by itself.
    await partner.at(/\/log-in/);
    await partner.logIn('chidi@example.com');
    await partner.at(/\/dashboard\/test/);
    partner.faults.errors.splice(0);
  });

  it('a provider over time leads from a code to its orders', async () => {
    const shopper = await Shopper.in(duka);
    await shopper.steer('outcome=failed');
    await duka.get<Client>(Client).flush();
    await bola.see('/test/providers');
    await bola.click(bola.page.getByRole('link', { name: 'sandbox', exact: true }).first());
    await bola.at(/\/providers\/\w+\/sandbox\?of=test$/);
    await bola.see('/test/providers/airtime/sandbox?of=test');
    await bola.page.getByRole('table', { name: 'Periods' }).waitFor();
    await bola.click(bola.page.getByRole('table', { name: 'Codes' }).getByRole('link').first());
    await bola.page.getByRole('table', { name: 'Orders' }).getByRole('link').first().waitFor();
    provider = bola.page.url().split('/dashboard')[1]!;
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in %s colours, also at 360 pixels',
    async (colours) => {
      await ada.page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
      for (const path of [
        '/test/reviews',
        review(),
        '/test/incidents',
        incident,
        '/test/accounts',
        account,
        provider,
      ]) {
        await ada.page.setViewportSize({ width: 1_280, height: 900 });
        await ada.see(path);
        expect([path, await seriousFindings(ada.page)]).toEqual([path, []]);
        await ada.page.setViewportSize({ width: 360, height: 740 });
        expect([path, await seriousFindings(ada.page), await sidewaysPixels(ada.page)]).toEqual([path, [], 0]);
      }
      await ada.page.setViewportSize({ width: 1_280, height: 900 });
    },
  );

  it('it is back: the route is switched on, the incident ended, and the bar goes', async () => {
    await ada.see('/test/providers');
    await ada.press('Switch on: acme for airtime, mtn, live');
    await ada.press('Switch on', ada.dialog());
    await ada.told('acme is switched on.');
    await ada.see(incident);
    await ada.page.getByLabel('State').selectOption('resolved');
    await ada.fill({ Note: 'It works.' });
    await ada.press('End the incident');
    await ada.told('The incident is over.');
    expect(await ada.page.getByRole('button', { name: 'Add the note' }).count()).toBe(0);
    await partner.see('/test/events');
    await partner.page.waitForLoadState('networkidle');
    expect(await bar(partner).count()).toBe(0);
    expect(await (await fetch(`${duka.url}/status`)).text()).toContain('Everything works');
  });

  it('is refused to partners, whatever address they know', async () => {
    for (const path of ['/test/reviews', review(), '/test/incidents', incident]) {
      await partner.see(path);
      await partner.page.getByRole('alert').getByText('insufficient_role').first().waitFor();
    }
    partner.faults.errors.splice(0);
  });
});
