import type { Browser } from 'playwright-core';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { PASSWORD, startDashboard, Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';

const EMAIL = 'ada@example.com';
const NEW_PASSWORD = 'eleven quiet lamps over Lagos';

describeInBrowser('a forgotten password, in a browser', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;

  startDashboard({}, (started) => {
    ({ duka, browser, ada } = started);
  });

  const logIn = async (visitor: Visitor, password: string) => {
    await visitor.fill({ 'E-mail': EMAIL });
    await visitor.page.locator('input[name=password]').fill(password);
    await visitor.press('Log in');
  };

  it('is replaced by the link of a mail, from the log-in to the log-in', async () => {
    const visitor = await Visitor.of(browser, duka.url);
    await visitor.open('/log-in');
    await visitor.click(visitor.page.getByRole('link', { name: 'Forgot your password?' }));
    await visitor.at(/\/forgot-password$/);
    // The address is there before the page, and the one before has such a field, too.
    await visitor.page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await visitor.fill({ 'E-mail': EMAIL });
    await visitor.press('Send me a link');
    await visitor.click(visitor.page.getByRole('link', { name: 'mailbox' }));
    const mail = visitor.page.getByRole('article', { name: 'Choose a new password' });
    await visitor.click(mail.getByRole('link'));
    await visitor.page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    // Nobody reads it over a shoulder, or finds it in the history.
    await visitor.at(/\/reset-password$/);
    await visitor.page.locator('input[name=password]').fill('short one');
    await visitor.press('Change password');
    await visitor.page.getByText('A password needs at least 15 characters.').first().waitFor();
    await visitor.page.locator('input[name=password]').fill(NEW_PASSWORD);
    await visitor.press('Change password');
    await visitor.page.getByText('Your password is changed').waitFor();
    await visitor.click(visitor.page.getByRole('link', { name: 'Log in' }));
    await visitor.at(/\/log-in$/);
    await logIn(visitor, PASSWORD);
    await visitor.page.getByText('The e-mail address, the password or the code is wrong.').waitFor();
    await logIn(visitor, NEW_PASSWORD);
    await visitor.at(/\/dashboard\/test$/);
    await visitor.close();
  });

  it('says the same for an address that nobody has', async () => {
    await ada.open('/forgot-password');
    await ada.fill({ 'E-mail': 'nobody@example.com' });
    await ada.press('Send me a link');
    await ada.page.getByRole('link', { name: 'mailbox' }).waitFor();
  });

  it('says what to do with half a link, and with one that is used up', async () => {
    await ada.open('/reset-password');
    await ada.page.getByText('This link is not whole.').waitFor();
    await ada.open(`/log-in`);
    await ada.open(`/reset-password#token=${'A'.repeat(43)}`);
    await ada.page.locator('input[name=password]').fill(NEW_PASSWORD);
    await ada.press('Change password');
    await ada.page.getByText('There is no such link.').first().waitFor();
    // The browser writes every refused request to its console.
    ada.faults.errors.splice(0);
  });

  it('has a mailbox that says so where there is none', async () => {
    const server = await Duka.start({ PUBLIC_URL: 'https://duka.example' });
    const visitor = await Visitor.of(browser, server.url);
    try {
      await visitor.open('/mailbox');
      await visitor.page.getByText('There is no mailbox here').waitFor();
      await visitor.open('/forgot-password');
      await visitor.fill({ 'E-mail': EMAIL });
      await visitor.press('Send me a link');
      await visitor.page.getByText('This service sends no mail.').waitFor();
    } finally {
      await visitor.close();
      await server.stop();
    }
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in %s colours, also at 360 pixels',
    async (colours) => {
      await ada.page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
      for (const width of [1_280, 360]) {
        await ada.page.setViewportSize({ width, height: 800 });
        for (const path of ['/log-in', '/forgot-password', `/reset-password#token=${'A'.repeat(43)}`, '/mailbox']) {
          await ada.open('/sign-up');
          await ada.see(path);
          expect([path, width, await seriousFindings(ada.page)]).toEqual([path, width, []]);
          expect([path, width, await sidewaysPixels(ada.page)]).toEqual([path, width, 0]);
        }
      }
    },
  );
});
