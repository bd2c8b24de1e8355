import { describeInBrowser } from './support/browser';
import { startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

describeInBrowser('an account with live mode, in a browser', () => {
  let duka: Duka;
  let ada: Visitor;

  startDashboard({}, (started) => {
    ({ duka, ada } = started);
  });

  it('is opened by an operator, and says on every page that the money is real', async () => {
    await ada.see('/live');
    await ada.page.getByRole('heading', { name: 'Live mode is locked' }).waitFor();
    const { account } = await ada.call('GET', '/me');
    await duka.enableLive(account.id);
    for (const page of [
      '',
      '/transactions',
      '/wallets',
      '/cards',
      '/payments',
      '/keys',
      '/webhooks',
      '/events',
      '/requests',
      '/team',
      '/audit-log',
      '/security',
    ]) {
      await ada.see(`/live${page}`);
      await ada.page.getByText('Live: real money').waitFor();
      expect([page, await ada.page.getByRole('heading', { name: 'Live mode is locked' }).count()]).toEqual([page, 0]);
    }
  });

  it('makes a key after the password was given again, and refuses it within a second of its end', async () => {
    await ada.see('/live/keys');
    await ada.press('New key');
    await ada.fill({ Name: 'Production' }, ada.dialog());
    await ada.press('Create key', ada.dialog());
    await ada.prove();
    const secret = (await ada.page.getByRole('group', { name: 'Secret key' }).innerText()).trim();
    expect(secret).toMatch(/^sk_live_/);
    expect((await duka.api(secret).get('/v4/account')).body).toMatchObject({ livemode: true });
    await ada.press('I have copied it');
    await ada.click(ada.page.getByRole('button', { name: 'Revoke Production' }));
    await ada.press('Revoke', ada.dialog());
    await ada.told('The key is revoked.');
    await until(async () => (await duka.api(secret).get('/v4/account')).status === 401, 1);
  });

  it('rolls a key once: both work, and the page says which one took its place', async () => {
    await ada.see('/live/keys');
    await ada.press('New key');
    await ada.fill({ Name: 'Till' }, ada.dialog());
    await ada.press('Create key', ada.dialog());
    const shown = ada.page.getByRole('group', { name: 'Secret key' });
    const old = (await shown.innerText()).trim();
    await ada.press('I have copied it');
    await ada.click(ada.page.getByRole('button', { name: 'Roll Till' }));
    await ada.press('Roll the key', ada.dialog());
    const secret = (await shown.innerText()).trim();
    expect(secret).not.toBe(old);
    for (const key of [old, secret]) expect((await duka.api(key).get('/v4/account')).status).toBe(200);
    await ada.press('I have copied it');
    await ada.page.getByText('rolled', { exact: true }).waitFor();
    expect(await ada.page.getByRole('button', { name: 'Roll Till' }).count()).toBe(1);
    expect(await ada.page.getByRole('button', { name: 'Revoke Till' }).count()).toBe(2);
  });

  it('shows meter tokens masked, and whole where they are asked for after the password was given', async () => {
    const meter = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
    const {
      data: [wallet],
    } = await ada.call('GET', '/test/v4/wallets');
    await ada.call('POST', `/test/v4/sandbox/wallets/${wallet.id}/credit`, { amount: 5_000_000 });
    const validation = await ada.call('POST', '/test/v4/bills/validate', meter);
    const { id } = await ada.call('POST', '/test/v4/bills/pay', {
      ...meter,
      amount: 1_000_000,
      validation_id: validation.id,
    });
    await ada.see(`/test/transactions/${id}`);
    const whole = /\d{4} \d{4} \d{4} \d{4} \d{4}/;
    expect(await ada.page.getByText(whole).count()).toBe(0);
    await ada.press('Reveal');
    await ada.page.getByText(whole).first().waitFor();
    await ada.see('/test/audit-log');
    await ada.row('transaction tokens revealed').waitFor();
  });

  it('knows nothing of the sandbox: what is made here is in live mode only', async () => {
    await ada.see('/live/wallets');
    await ada.press('New wallet');
    await ada.fill({ Label: 'Real float' }, ada.dialog());
    await ada.press('Open wallet', ada.dialog());
    await ada.told('The wallet is open.');
    await ada.row('Real float').waitFor();
    await ada.see('/test/wallets');
    expect(await ada.row('Real float').count()).toBe(0);
    await ada.see('/live/sandbox');
    expect(await ada.button(/^(Credit|Advance|Trigger|Reset)$/).count()).toBe(0);
  });
});
