import type { Route } from 'playwright-core';
import { decodeId } from '../src/core/http/ids';
import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { describeInBrowser } from './support/browser';
import { PASSWORD, startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';
import { reviewer } from './support/reviewers';

describeInBrowser('the sandbox of the dashboard, in a browser', () => {
  let duka: Duka;
  let ada: Visitor;

  startDashboard({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, (started) => {
    ({ duka, ada } = started);
  });

  /** The tool of the simulator with this heading. */
  const tool = (title: string) => ada.page.getByRole('region', { name: title, exact: true });

  it('credits a wallet', async () => {
    await ada.see('/test/sandbox');
    await tool('Credit a wallet').getByLabel('Amount').fill('50000');
    await ada.press('Credit', tool('Credit a wallet'));
    await tool('Credit a wallet').getByText('NGN 50,000.00: txn_').waitFor();
  });

  it('opens a USD wallet, and credits it', async () => {
    await ada.see('/test/wallets');
    await ada.press('New wallet');
    await ada.dialog().getByLabel('Currency').selectOption('USD');
    await ada.press('Open wallet', ada.dialog());
    await ada.see('/test/sandbox');
    const wallet = tool('Credit a wallet').getByLabel('Wallet');
    await wallet.selectOption({ label: await wallet.locator('option').filter({ hasText: 'USD' }).innerText() });
    await ada.press('Credit', tool('Credit a wallet'));
    await tool('Credit a wallet').getByText('USD 10,000.00: txn_').waitFor();
  });

  it('tries every scenario that the service serves, and shows how it ended', async () => {
    const account = await duka.account();
    const scenarios = (await account.api.get('/v4/sandbox/scenarios')).body;
    await ada.see('/test/sandbox');
    const runs = ada.page.getByRole('button', { name: /^Run / });
    const count = await runs.count();
    const served = [
      scenarios.phones.outcomes,
      scenarios.bill_customers,
      scenarios.payments,
      scenarios.cardholders,
    ].flat().length;
    const ofHeader = scenarios.header.outcomes.flatMap(({ then_values }: any) =>
      then_values.length > 0 ? then_values : [''],
    );
    expect(count).toBe(served + ofHeader.length);

    // Many wait a second for what does not end: all at once, but for those of the header, which are about one phone.
    const { outcomes } = scenarios.phones;
    for (const { phone } of outcomes) await ada.press(`Run ${phone}`);
    const afterHeader = outcomes.length + ofHeader.length;
    for (let at = afterHeader; at < count; at++) await ada.click(runs.nth(at));
    for (const { phone, final } of outcomes) {
      const end = ada.page.getByRole('group', { name: phone, exact: true });
      await end.getByText(final.error_code === null ? /txn_/ : `refused ${final.error_code}`).waitFor();
    }
    for (let at = outcomes.length; at < count; at++) {
      if (at < afterHeader) await ada.click(runs.nth(at));
      const end = ada.page.getByRole('group', {
        name: (await runs.nth(at).getAttribute('aria-label'))!.slice('Run '.length),
        exact: true,
      });
      await end
        .first()
        .getByText(/(txn|pay|crd)_|refused/)
        .first()
        .waitFor();
    }
    console.log(`scenarios tried from the page: ${count}`);
  });

  it('settles a purchase that runs', async () => {
    await ada.page.getByRole('group', { name: '+2348000000111', exact: true }).waitFor();
    // Others end by themselves; newer ones push it off the first page of the list.
    await ada.see('/test/transactions?q=%2B2348000000111');
    await ada.click(
      ada.page
        .getByRole('table', { name: /^Found for/ })
        .getByRole('link')
        .first(),
    );
    await ada.press('Settle');
    await ada.told('Settled.');
    await ada.page
      .getByText('transaction.successful')
      .or(ada.page.getByText('transaction completed'))
      .first()
      .waitFor();
  });

  it('moves the clock, takes a provider down and triggers an event', async () => {
    await ada.see('/test/sandbox');
    await ada.press('Advance', tool('Clock'));
    await ada.told(/^The clock shows/);
    await ada.page.getByText(/^Test mode: its clock is at /).waitFor();
    await ada.press('Set', tool('Provider outage'));
    await tool('Provider outage').getByText('sandbox is now: down.').waitFor();
    // It matters on every page.
    await ada.see('/test/wallets');
    await ada.page.getByText(/^Test mode: its clock is at .+ · sandbox is down$/).waitFor();
    await ada.click(ada.page.getByRole('link', { name: 'Sandbox', exact: true }).last());
    await tool('Provider outage').getByLabel('Outage').selectOption('none');
    await ada.press('Set', tool('Provider outage'));
    await tool('Provider outage').getByText('sandbox is now: none.').waitFor();
    await ada.page.getByText(/^Test mode: its clock is at [^·]+$/).waitFor();
    await ada.press('Trigger', tool('Trigger an event'));
    await tool('Trigger an event').getByText('evt_').waitFor();
  });

  it('finds a magic value by what it does, and offers what runs to be settled', async () => {
    await ada.see('/test/sandbox');
    await ada.page.getByLabel('Search the magic values').fill('operator_unavailable');
    const runs = ada.page.getByRole('button', { name: /^Run / });
    await until(async () => (await runs.count()) < 10, 10);
    expect(await runs.count()).toBeGreaterThan(0);
    await ada.page.getByRole('region', { name: 'The header' }).waitFor({ state: 'detached' });
    const { id } = await ada.call('POST', '/test/v4/airtime/purchase', { phone: '+2348000000111', amount: 7_700 });
    await ada.see('/test/sandbox');
    const offered = ada.page.locator(`#running-transactions option[value="${id}"]`);
    await offered.waitFor({ state: 'attached' });
    expect(await offered.textContent()).toBe('airtime purchase · NGN 77.00 · +2348000000111');
  });

  it('freezes a wallet, which then pays nothing', async () => {
    await ada.see('/test/wallets');
    await ada.click(ada.row('NGN wallet').getByRole('link').first());
    await ada.press('Freeze');
    await ada.press('Freeze', ada.dialog());
    await ada.told('The wallet is frozen.');
    await ada.see('/test/sandbox');
    await ada.press('Run +2348000000100');
    // Which of the two depends on whether the default wallet was looked up a moment ago.
    const refusal = /refused (not_found You have no active wallet in NGN|wallet_frozen)/;
    await ada.page.getByText(refusal).waitFor();
    await ada.see('/test/wallets');
    await ada.click(ada.row('NGN wallet').getByRole('link').first());
    await ada.press('Unfreeze');
    await ada.told('The wallet pays again.');
  });

  it('issues a card, limits, uses, freezes and reveals it', async () => {
    const [wallets, list] = [/\/api\/wallets\?/, Promise.withResolvers<void>()];
    await ada.page.route(wallets, async (route) => {
      await list.promise;
      await route.continue();
    });
    await ada.see('/test/cards');
    await ada.press('Issue a card');
    await ada.fill({ Label: 'Adverts' }, ada.dialog());
    // It is not known yet what the card is loaded from.
    expect(await ada.button('Issue', ada.dialog()).isDisabled()).toBe(true);
    list.resolve();
    await ada.press('Issue', ada.dialog());
    await ada.page.unroute(wallets);
    await ada.told('The card is active.');
    await ada.click(ada.row('Adverts').getByRole('link').first());
    await ada.fill({ 'At most (USD)': '10' });
    await ada.press('Set limit');
    await ada.row('USD 10.00').waitFor();
    const address = ada.page.url();

    await ada.see('/test/sandbox');
    await tool('Use a card').locator('select[name=card]').selectOption({ label: 'Adverts' });
    await ada.press('Simulate', tool('Use a card'));
    await tool('Use a card').getByText('authorized').waitFor();
    await tool('Use a card').getByLabel('Amount (USD)').fill('11');
    await ada.press('Simulate', tool('Use a card'));
    await tool('Use a card').getByText('spending_limit').waitFor();

    await ada.page.goto(address);
    await ada.press('Reveal');
    await ada.dialog().locator('input[name=password]').fill(PASSWORD);
    await ada.press('Confirm', ada.dialog());
    expect(await ada.page.getByRole('link', { name: /^Show number/ }).getAttribute('href')).toContain('/cards/reveal/');
    await ada.press('Freeze');
    await ada.press('Freeze', ada.dialog());
    await ada.told('The card is frozen.');
    await ada.page.getByRole('table', { name: 'Changes of state' }).getByText('frozen').first().waitFor();
  });

  it('asks for a payment and completes it', async () => {
    await ada.see('/test/payments');
    await ada.press('Ask for a payment');
    await ada.press('Create', ada.dialog());
    expect(
      await ada
        .dialog()
        .getByRole('link', { name: /^Open it/ })
        .getAttribute('href'),
    ).toContain('/checkout/');
    await ada.see('/test/payments');
    const id = await ada.row('NGN 5,000.00').getByRole('link').first().innerText();
    await ada.see('/test/sandbox');
    await tool('Complete a payment').getByLabel('Payment').fill(id);
    await ada.press('Complete', tool('Complete a payment'));
    await tool('Complete a payment').getByText('successful').last().waitFor();
  });

  it('shows what came of a payment that was paid wrongly, and what a person decided', async () => {
    const { id } = await ada.call('POST', '/test/api/v1/payments', { amount: 150_000, currency: 'NGN' });
    await ada.call('POST', `/test/v4/sandbox/payments/${id}/complete`, { status: 'underpaid' });
    await ada.see(`/test/payments/${id}`);
    await ada.page.getByText('waits for a person').waitFor();
    const { account } = await ada.call('GET', '/me');
    const key = { accountId: decodeId('acct', account.id)!, livemode: false, id: decodeId('pay', id)! };
    await duka
      .get<PaymentReviewService>(PaymentReviewService)
      .resolve(key, { outcome: 'accept_received', person: reviewer('olu'), note: 'statement of today' });
    await ada.see(`/test/payments/${id}`);
    await ada.page.getByText('accepted: what came in counts').waitFor();
    await ada.page.getByText('NGN 1,499.99').first().waitFor();
  });

  it('counts ages by the moved clock, and offers a replay until its present', async () => {
    const seconds = 3 * 86_400;
    await ada.call('POST', '/test/v4/sandbox/clock/advance', { seconds });
    const { id } = await ada.call('POST', '/test/v4/webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['*'] });
    await ada.call('POST', '/test/v4/wallets', { currency: 'GHS' });
    while ((await ada.call('GET', `/test/v4/webhooks/${id}`)).health.last_failure_at === null);
    await ada.see('/test/webhooks');
    await ada.page.getByText(/^(now|\d+ (second|minute)s? ago)$/).waitFor();
    await ada.open(`/test/webhooks/${id}`);
    await ada.page.getByText('Replay events').click();
    const until = ada.page.getByLabel('Before (UTC)');
    while (Date.parse(`${await until.inputValue()}Z`) < Date.now() + seconds * 1_000) await ada.page.waitForTimeout(50);
  });

  it('tells each recipe to its end, and goes on where a step had no answer', async () => {
    await ada.see('/test/sandbox');
    const told: Record<string, string[]> = {};
    const moved: number[] = [];
    const aheadBy = async (): Promise<number> => (await ada.call('GET', '/test/v4/sandbox/clock')).offset_seconds;
    const recipes = ada.page.getByRole('region', { name: 'Recipes' }).getByRole('region');
    const titles = await recipes.evaluateAll((all: any[]) => all.map((one) => one.getAttribute('aria-label')));
    for (const title of titles) {
      const recipe = tool(title);
      const isCut = title.startsWith('A payment that is given back') || title.includes('is confirmed');
      if (isCut) await ada.page.route('**/refunds', (route) => route.abort(), { times: 1 });
      // The clock moves, and the page does not hear of it.
      const lose = (route: Route) => route.fetch().then(() => route.abort());
      if (isCut) await ada.page.route('**/clock/advance', lose, { times: 1 });
      const ahead = await aheadBy();
      await recipe.getByRole('button', { name: 'Run' }).click();
      if (isCut) await recipe.getByRole('button', { name: 'Go on' }).click();
      const steps = await recipe.getByRole('listitem').count();
      const results = recipe
        .getByRole('listitem')
        .filter({ has: ada.page.locator('.tone:not(:has-text("processing")), .id, time') });
      await until(async () => (await results.count()) === steps);
      told[title] = await recipe.locator('li .tone').allTextContents();
      moved.push((await aheadBy()) - ahead);
      await ada.page.unrouteAll();
    }
    expect(moved[0]).toBe(moved[1]);
    expect(told).toEqual({
      'Airtime that is confirmed an hour later': ['processing', 'successful'],
      'Airtime that fails an hour later': ['processing', 'failed'],
      'A payout that the bank returns': ['successful', 'reversed'],
      'A payment that is given back': ['pending', 'successful', 'successful'],
      'A payment of which too little arrives': ['pending', 'processing', 'needs review'],
      'A card, from its issue to a dispute': ['active', 'authorized', 'settled', 'under_review'],
    });
  });

  it('resets the sandbox', async () => {
    await ada.see('/test/sandbox');
    await ada.press('Reset the sandbox');
    await ada.press('Reset the sandbox', ada.dialog());
    await ada.told('The sandbox is reset.');
    await ada.see('/test/wallets');
    await ada.row('NGN wallet').getByText('NGN 0.00').first().waitFor();
  });
});
