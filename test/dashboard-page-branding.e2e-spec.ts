import type { Browser } from 'playwright-core';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { png } from './support/pictures';

const YELLOW = 'rgb(255, 238, 0)';

describeInBrowser('the checkout page as an owner makes it', () => {
  let duka: Duka;
  let browser: Browser;
  let ada: Visitor;

  startDashboard({}, (started) => {
    ({ duka, browser, ada } = started);
  });

  const preview = (scheme: string) => ada.page.getByRole('figure', { name: `Preview, ${scheme}` });
  const upload = async (buffer: Buffer, button: RegExp) => {
    const chooser = ada.page.waitForEvent('filechooser');
    await ada.press(button);
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  };

  it('shows what is chosen before it is saved, and then to payers', async () => {
    await ada.see('/test/branding');
    await preview('light').getByText('Pay Corner Shop').waitFor();
    await ada.fill({ Name: 'Ada & Daughters', Colour: '#FFEE00' });
    for (const scheme of ['light', 'dark']) {
      await preview(scheme).getByText('Pay Ada & Daughters').waitFor();
      const style = await preview(scheme)
        .getByText('Continue')
        .evaluate((one: any) => {
          const { backgroundColor, color } = (globalThis as any).getComputedStyle(one);
          return [backgroundColor, color];
        });
      expect(style).toEqual([YELLOW, 'rgb(0, 0, 0)']);
    }
    await ada.press('Save');
    await ada.prove();
    await ada.told('Saved.');
    const { checkout_url } = await ada.call('POST', '/test/api/v1/payments', { amount: 1_000, currency: 'NGN' });
    const payer = await (await browser.newContext()).newPage();
    await payer.goto(duka.url + new URL(checkout_url).pathname);
    expect(await payer.locator('h1').innerText()).toBe('Pay Ada & Daughters');
    const button = payer.getByRole('button', { name: 'Continue' });
    expect(await button.evaluate((one: any) => (globalThis as any).getComputedStyle(one).backgroundColor)).toBe(YELLOW);
    await payer.context().close();
  });

  it('has a logo, which can be another one or none, and says why a file is none', async () => {
    await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), /^Choose a file$/);
    await ada.page.getByText('must be a whole PNG, JPEG or WebP file').first().waitFor();
    await upload(png(32, 40_000), /^Choose a file$/);
    await ada.page.getByText('at most 32 kB').last().waitFor();
    await upload(png(), /^Choose a file$/);
    await ada.told('The logo is saved.');
    const logo = preview('light').locator('img');
    await logo.waitFor();
    expect(await logo.evaluate((image: any) => image.decode().then(() => image.naturalWidth))).toBe(32);
    for (const colorScheme of ['light', 'dark'] as const) {
      await ada.page.emulateMedia({ colorScheme });
      expect(await seriousFindings(ada.page)).toEqual([]);
    }
    await ada.page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(ada.page)).toBe(0);
    await ada.press('Remove the logo');
    await ada.press('Remove', ada.dialog());
    await ada.told('Removed.');
    await ada.button('Choose a file').waitFor();
    expect(await logo.count()).toBe(0);
  });
});
