import type { Browser, CDPSession } from 'playwright-core';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';

const EMAIL = 'ada@example.com';

/** A phone beside the browser that asks its owner for a finger, and has always got it. */
async function plugIn(visitor: Visitor): Promise<{ device: CDPSession; authenticatorId: string }> {
  const device = await visitor.page.context().newCDPSession(visitor.page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { device, authenticatorId };
}

describeInBrowser('safety at the dashboard, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let phone: { device: CDPSession; authenticatorId: string };

  beforeAll(async () => {
    duka = await Duka.start();
    browser = await openBrowser();
    // Browsers tie passkeys to names, not to addresses.
    duka.url = duka.url.replace('127.0.0.1', 'localhost');
    ada = await Visitor.of(browser, duka.url);
    phone = await plugIn(ada);
    await ada.signUp(EMAIL);
  });

  afterAll(async () => {
    await browser?.close();
    await duka?.stop();
  });

  afterEach(() => expect(ada.faults.errors.splice(0)).toEqual([]));

  it('a passkey is added after the password, and stands in the list', async () => {
    await ada.see('/test/security');
    await ada.page.getByText('No passkey yet.').waitFor();
    await ada.press('Add a passkey');
    await ada.fill({ Name: 'Ada’s phone' }, ada.dialog());
    await ada.press('Continue', ada.dialog());
    await ada.prove();
    await ada.told('The passkey is yours.');
    await ada.row('Ada’s phone').getByText('never').waitFor();
    const { credentials } = await phone.device.send('WebAuthn.getCredentials', phone);
    expect(credentials).toEqual([expect.objectContaining({ isResidentCredential: true, rpId: 'localhost' })]);
  });

  it('it lets its owner in, back to where they were, and proves once more who they are', async () => {
    await ada.press('Log out');
    await ada.at(/\/log-in$/);
    await ada.open('/test/security');
    expect(ada.page.url()).toContain('/log-in?next=');
    await ada.press('Log in with a passkey');
    await ada.at(/\/dashboard\/test\/security$/);
    await ada
      .row('Ada’s phone')
      .getByText(/ago|now/)
      .first()
      .waitFor();
    await ada.press('Rename Ada’s phone');
    await ada.fill({ Name: 'Old phone' }, ada.dialog());
    await ada.press('Rename', ada.dialog());
    await ada.press('Use a passkey');
    await ada.told('Renamed.');
    await ada.row('Old phone').waitFor();
  });

  it('a device that has none says so in words', async () => {
    const stranger = await Visitor.of(browser, duka.url);
    await plugIn(stranger);
    await stranger.open('/log-in');
    await stranger.press('Log in with a passkey');
    await stranger.page.getByText(/The device did not answer/).waitFor();
    await stranger.close();
  });

  it('removed, it lets nobody in', async () => {
    await ada.press('Remove Old phone');
    await ada.press('Remove', ada.dialog());
    await ada.page.getByText('No passkey yet.').waitFor();
    await ada.press('Log out');
    await ada.at(/\/log-in$/);
    await ada.press('Log in with a passkey');
    await ada.page.getByText('The passkey was not accepted').waitFor();
    await ada.logIn(EMAIL);
    await ada.at(/\/dashboard\/test$/);
  });

  it('another account is opened from the name in the header, and a page of it knows nothing of the first', async () => {
    const { data } = await ada.call('GET', '/test/v4/wallets');
    await ada.press('Corner Shop: change the account');
    await ada.dialog().getByRole('textbox', { name: 'Open another account' }).fill('Second Shop');
    await ada.press('Open it', ada.dialog());
    await ada.prove();
    await ada.button('Second Shop: change the account').waitFor();
    await ada.page.goto(`${duka.url}/dashboard/test/wallets/${data[0].id}`);
    await ada.page.getByText('It is not in Second Shop.').waitFor();
  });

  it('a page that was left open on one account does nothing in another, and is loaded anew', async () => {
    const other = await ada.page.context().newPage();
    await other.goto(`${duka.url}/dashboard/test/team`);
    await other.getByRole('button', { name: 'Second Shop: change the account' }).click();
    await other.getByRole('button', { name: 'Go to Corner Shop' }).click();
    await other.getByRole('button', { name: 'Corner Shop: change the account' }).waitFor();
    // Whatever it asks next is refused, and it finds out why.
    await ada.page.getByRole('link', { name: 'API keys' }).click();
    await ada.button('Corner Shop: change the account').waitFor();
    await other.close();
  });

  it('somebody with an account of their own joins with the password that they have, and goes back and forth', async () => {
    const bola = await Visitor.of(browser, duka.url);
    await bola.signUp('bola@example.com');
    await ada.see('/test/team');
    await ada.press('Invite');
    await ada.fill({ Name: 'Bola Ade', 'E-mail': 'bola@example.com' }, ada.dialog());
    await ada.dialog().getByLabel('Role').selectOption('finance');
    await ada.press('Invite', ada.dialog());
    await ada.prove();
    await bola.join((await ada.page.getByRole('group', { name: 'Invitation' }).innerText()).trim());
    await bola.button('Corner Shop: change the account').click();
    await bola.dialog().getByText('finance').waitFor();
    await bola.page.getByRole('button', { name: /^Go to/ }).click();
    await bola.dialog().waitFor({ state: 'detached' });
    await bola.see('/test/team');
    await bola.page.getByLabel(/^Role of/).waitFor();
    await bola.close();
  });

  it.each(['light', 'dark'] as const)('nothing serious for axe, and no scrolling sideways (%s)', async (scheme) => {
    await ada.page.emulateMedia({ colorScheme: scheme });
    await ada.page.setViewportSize({ width: 360, height: 800 });
    for (const path of ['security', 'team', 'audit-log']) {
      await ada.see(`/test/${path}`);
      expect([path, await seriousFindings(ada.page), await sidewaysPixels(ada.page)]).toEqual([path, [], 0]);
    }
    await ada.page.setViewportSize({ width: 1_280, height: 900 });
  });
});
