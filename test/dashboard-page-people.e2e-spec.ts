import { TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import { describeInBrowser } from './support/browser';
import { startDashboard, Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';

const EMAIL = 'ada@example.com';

describeInBrowser('people of the dashboard, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;
  let recovery: string[];

  startDashboard({}, (started) => {
    ({ duka, browser, ada } = started);
  });

  it('turn on two-step log-in with a code of the secret that they are shown', async () => {
    await ada.see('/test/security');
    await ada.press('Turn it on');
    await ada.prove();
    await ada.page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = (await ada.page.getByRole('group', { name: 'Secret', exact: true }).innerText()).trim();
    await ada.fill({ Code: new TOTP({ secret }).generate() });
    await ada.press('Confirm');
    recovery = (await ada.page.getByRole('group', { name: 'Recovery codes' }).innerText()).trim().split(/\s+/);
    await ada.see('/test/security');
    await ada.page.getByText('It is on: the log-in asks for a code').waitFor();
  });

  it('are asked for a code at the log-in, and led back to where they were', async () => {
    await ada.press('Log out');
    await ada.at(/\/log-in$/);
    await ada.open('/test/webhooks');
    expect(ada.page.url()).toContain('/log-in?next=');
    await ada.logIn(EMAIL);
    await ada.page.getByText('Now enter the code').waitFor();
    await ada.fill({ Code: recovery[0]! });
    await ada.press('Log in');
    await ada.at(/\/dashboard\/test\/webhooks$/);
  });

  it('are told the same for a wrong password as for an unknown address', async () => {
    const stranger = await Visitor.of(browser, duka.url);
    for (const email of [EMAIL, 'nobody@example.com']) {
      await stranger.open('/log-in');
      await stranger.fill({ 'E-mail': email });
      await stranger.page.locator('input[name=password]').fill('not the password at all');
      await stranger.press('Log in');
      await stranger.page.getByText('The e-mail address, the password or the code is wrong.').waitFor();
    }
    await stranger.close();
  });

  it('are invited by a link, come in with their role, and are seen in the audit log', async () => {
    await ada.see('/test/team');
    await ada.press('Invite');
    await ada.fill({ Name: 'Bola Ade', 'E-mail': 'bola@example.com' }, ada.dialog());
    await ada.dialog().getByLabel('Role').selectOption('finance');
    await ada.press('Invite', ada.dialog());
    await ada.prove(recovery[1]);
    const link = (await ada.page.getByRole('group', { name: 'Invitation' }).innerText()).trim();

    const bola = await Visitor.of(browser, duka.url);
    await bola.join(link);
    await bola.see('/test/keys');
    await bola.page.getByText('Your role lacks the permission').first().waitFor();

    await ada.see('/test/team');
    await ada.page.getByLabel('Role of Bola Ade').selectOption('developer');
    await ada.told('The role is changed.');
    await bola.see('/test/keys');
    await bola.page.getByText('No keys in this mode yet.').waitFor();
    await ada.see('/test/audit-log');
    await ada.row('team role changed').waitFor();
    await bola.close();
  });
});
