import { LiveStreams } from '../src/modules/dashboard-api/live/streams.service';
import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

describeInBrowser('pages that are live', () => {
  let duka: Duka;
  let ada: Visitor;
  let wallet: string;

  startDashboard({}, async (started) => {
    ({ duka, ada } = started);
    wallet = (await ada.call('GET', '/test/v4/wallets')).data[0].id;
    await credit();
  });

  const credit = (more = 5_000_000) => ada.call('POST', `/test/v4/sandbox/wallets/${wallet}/credit`, { amount: more });
  let amount = 10_000;
  /** Each is another one: of the same twice the service thinks that it is meant once. */
  const buy = (phone: string): Promise<{ id: string }> =>
    ada.call('POST', '/test/v4/airtime/purchase', { wallet_id: wallet, phone, amount: (amount += 100) });
  const streams = (): number => duka.get<LiveStreams>(LiveStreams).size;
  const control = (text: string | RegExp) => ada.page.getByRole('button', { name: text });
  /** Lets time pass for the page, with an answer after every second: what it asks for is answered on the way, too. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await ada.page.clock.runFor(1_000);
      await ada.page.evaluate(() => fetch('/dashboard/api/me'));
    }
  };
  const isLive = () => control(/^Following\./).waitFor();

  it('count what is new in a list, and show it at its top when they are asked to', async () => {
    await ada.see('/test/transactions');
    await isLive();
    const rows = ada.page.getByRole('table', { name: 'Transactions' }).getByRole('row');
    const before = await rows.count();
    await buy('+2348000000100');
    await buy('+2348000000100');
    await ada.button('2 new').waitFor();
    expect(await rows.count()).toBe(before);
    await ada.press('2 new');
    await until(async () => (await rows.count()) === before + 2);
    expect(await ada.button(/ new$/).count()).toBe(0);
  });

  it('change a row where it stands, and count nothing that the filters leave out', async () => {
    const { id } = await buy('+2348000000111');
    await ada.see('/test/transactions?status=processing');
    await isLive();
    await buy('+2348000000100');
    await ada.call('POST', `/test/v4/sandbox/transactions/${id}/settle`, { status: 'failed' });
    await ada.see('/test/transactions');
    const running = await buy('+2348000000111');
    await ada.press('1 new');
    const row = ada.page.getByRole('row').filter({ hasText: 'processing' });
    await row.first().waitFor();
    await ada.call('POST', `/test/v4/sandbox/transactions/${running.id}/settle`, { status: 'successful' });
    await until(async () => (await row.count()) === 0);
  });

  it('show what became of one thing, without asking again and again', async () => {
    const { id } = await buy('+2348000000111');
    const followed = async () => (await ada.call('GET', '/test/v4/events?order=asc&limit=100')).data;
    await until(async () => (await followed()).some(({ data }: any) => data.object.id === id));
    await ada.page.clock.install();
    await ada.see(`/test/transactions/${id}`);
    await isLive();
    // What happened while the page was read is told, and deliveries, which are no events, may be on their way.
    await pass(18);
    const asked: string[] = [];
    ada.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // As long as a stream may be silent.
    await pass(12);
    expect(asked).toContain('/dashboard/api/me');
    expect(asked.filter((path) => path.includes(id))).toEqual([]);
    await ada.call('POST', `/test/v4/sandbox/transactions/${id}/settle`, { status: 'successful' });
    await ada.page.getByText('successful').first().waitFor();
  });

  it('keep the home up to date', async () => {
    await ada.see('/test');
    await isLive();
    const text = () => ada.page.getByRole('main').innerText();
    const before = await text();
    await credit(1_234_500);
    await until(async () => (await text()) !== before);
  });

  it('rest while paused, say so, and then show what they missed', async () => {
    await ada.page.clock.install();
    await ada.see('/test/events');
    await isLive();
    await control(/^Following\./).click();
    await control(/^Paused\./).waitFor();
    await until(() => streams() === 0);
    await credit();
    await pass(10);
    expect(await ada.button(/ new$/).count()).toBe(0);
    await control(/^Paused\./).click();
    await ada.button(/^\d+ new$/).waitFor();
  });

  it('rest while the tab is hidden', async () => {
    await isLive();
    const hide = (state: string) =>
      ada.page.evaluate((to) => {
        const { document } = globalThis as any;
        Object.defineProperty(document, 'visibilityState', { value: to, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await hide('hidden');
    await until(() => streams() === 0);
    await hide('visible');
    await until(() => streams() === 1);
  });

  it('say since when they are not live, and come back by themselves', async () => {
    await ada.page.route('**/dashboard/api/stream*', (route) => route.abort());
    duka.get<LiveStreams>(LiveStreams).beforeApplicationShutdown();
    await control(/^Not followed since \d\d:\d\d\./).waitFor();
    Object.assign(duka.get<LiveStreams>(LiveStreams), { isStopping: false });
    await ada.page.unrouteAll();
    await isLive();
  });

  it('tell in a bell what needs somebody, until it is read', async () => {
    await ada.see('/test');
    await isLive();
    await ada.call('PATCH', `/test/v4/wallets/${wallet}`, { low_balance_threshold: 900_000_000 });
    await ada.page.getByRole('button', { name: 'Notifications: 1 unread' }).click();
    const bell = ada.page.getByRole('dialog', { name: 'Notifications' });
    await bell.getByText('Wallet is below its threshold').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await ada.page.emulateMedia({ colorScheme });
      expect(await seriousFindings(ada.page)).toEqual([]);
    }
    await ada.press('Mark all read', bell);
    await ada.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await bell.getByRole('link', { name: wallet }).click();
    await ada.at(new RegExp(`/wallets/${wallet}$`));
  });

  it('ask who it is when the session ended elsewhere', async () => {
    const { body } = { body: await ada.call('GET', '/sessions') };
    expect(body).toHaveLength(1);
    await ada.see('/test');
    await isLive();
    await ada.call('POST', '/auth/log-out');
    await ada.at(/\/dashboard\/log-in/);
    await ada.logIn('ada@example.com');
    await ada.at(/\/dashboard\/test/);
  });

  it.each(['light', 'dark'] as const)('are for everybody, in %s', async (colorScheme) => {
    await ada.page.emulateMedia({ colorScheme });
    await ada.see('/test/events');
    await isLive();
    await credit();
    await ada.button(/^\d+ new$/).waitFor();
    expect(await seriousFindings(ada.page)).toEqual([]);
    await ada.page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysPixels(ada.page)).toBe(0);
    await ada.page.setViewportSize({ width: 1_280, height: 900 });
  });
});
