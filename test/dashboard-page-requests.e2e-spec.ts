import { describeInBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { fillAccount, startDashboard, type Visitor } from './support/dashboard-visitor';
import type { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const CARD = '4111111111111111';

describeInBrowser('the request log, and the one story of an id', () => {
  let duka: Duka;
  let ada: Visitor;
  let secret: string;
  let wallet: string;
  let payment: string;
  let refused: string;
  let transfer: string;

  startDashboard({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }, async (started) => {
    ({ duka, ada } = started);
    await fillAccount(ada);
    const scopes = { scopes: null, expires_at: null, allowed_ips: null };
    ({ secret } = await ada.call('POST', '/keys', { name: 'Shop', livemode: false, ...scopes }));
    const api = duka.api(secret);
    const [one, two] = [await api.wallet(500_000), await api.wallet()];
    wallet = one;
    transfer = (await api.transfer(wallet, two, 125_050)).headers.get('request-id')!;
    const asked = await api.post('/api/v1/payments', { amount: 150_000, currency: 'NGN' });
    payment = asked.body.id;
    const wrong = { from_wallet: wallet, to_wallet: 'nobody', amount: 5, narration: `card ${CARD}`, pin: '98761' };
    const answer = await api.post('/v4/wallets/transfer', wrong, { key: 'order-7' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    refused = answer.headers.get('request-id')!;
    await until(async () => (await ada.call('GET', '/request-log?livemode=false&status=4xx')).data.length > 0);
  });

  const part = (title: string) => ada.page.getByRole('region', { name: title, exact: true });
  const rows = () => ada.page.getByRole('table', { name: 'Requests' }).getByRole('row').allInnerTexts();

  it('is not filled by its own pages, and is filtered in the address', async () => {
    await ada.see('/test/requests');
    const before = (await rows()).length;
    for (const page of ['wallets', 'transactions', 'requests']) await ada.see(`/test/${page}`);
    await ada.see('/test/requests');
    const shown = await rows();
    expect(shown).toHaveLength(before);
    expect(shown.join()).not.toContain('the dashboard');
    await ada.page.getByLabel('Status').selectOption('4xx');
    await ada.fill({ 'Part of the path': 'transfer' });
    await ada.at(/status=4xx/);
    await ada.at(/path=transfer/);
    await until(async () => (await rows()).length === 2);
    await ada.see('/test/requests?by=dashboard&method=POST');
    await ada.row('the dashboard').first().waitFor();
  });

  it('shows how requests went, and opens a group of errors', async () => {
    await ada.see('/test/requests');
    const figures = part('How it has been going');
    await figures.getByText('Refused (4xx)').waitFor();
    await figures.getByText('The same as a table').click();
    const [, newest] = await figures.getByRole('row').allInnerTexts();
    expect(newest).toMatch(/\d+\s+1\s+0\s+[\d,]+ ms/);
    await ada.press('Group the errors');
    await ada.click(ada.page.getByRole('table', { name: 'Errors by route' }).getByRole('link').first());
    await ada.at(/error_code=[a-z_]+/);
    const code = new URL(ada.page.url()).searchParams.get('error_code')!;
    const found = (await ada.call('GET', `/request-log?livemode=false&error_code=${code}`)).data.length;
    await until(async () => (await rows()).length === found + 1);
    expect(await seriousFindings(ada.page)).toEqual([]);
  });

  it('shows why a request failed, both sides of it, and the command that sends it again', async () => {
    await ada.see('/test/requests?status=4xx');
    await ada.click(ada.page.getByRole('link', { name: 'POST /v4/wallets/transfer' }).first());
    await ada.at(new RegExp(`/test/requests/${refused}$`));
    const alert = ada.page.getByRole('alert').filter({ hasText: 'Why it failed' });
    const link = alert.getByRole('link');
    expect(await link.getAttribute('href')).toMatch(/^\/docs\/errors#[a-z_]+$/);
    expect((await alert.innerText()).length).toBeGreaterThan('Why it failed'.length + 30);
    await part('Request').getByText('order-7').waitFor();
    await part('Answer').getByText('application/problem+json').waitFor();
    await part('Answer').getByText('"recovery"').waitFor();
    const curl = await part('Send it again').getByRole('group').innerText();
    expect(curl).toContain(`curl -X POST '${duka.url}/v4/wallets/transfer'`);
    expect(curl).toContain('Authorization: Bearer $DUKA_KEY');
    expect(curl).toContain('Idempotency-Key: order-7');
    const page = await ada.page.locator('main').innerText();
    for (const hidden of [CARD, '98761', secret]) expect(page).not.toContain(hidden);
    expect((await fetch(`${duka.url}${(await link.getAttribute('href'))!.split('#')[0]}`)).status).toBe(200);
  });

  it('leads from a request to what it made, and back', async () => {
    await ada.see(`/test/requests/${transfer}`);
    const made = part('What it made or changed').getByRole('link', { name: /^txn_/ }).first();
    const id = await made.innerText();
    await ada.click(made);
    await ada.at(new RegExp(`/transactions/${id}$`));
    await ada.click(ada.page.locator('.facts').getByRole('link', { name: transfer }));
    await ada.at(new RegExp(`/requests/${transfer}$`));
    await ada.see(`/test/payments/${payment}`);
    await ada.click(ada.page.locator('.facts').getByRole('link', { name: /^req_/ }));
    await ada.click(part('What it made or changed').getByRole('link', { name: payment }));
    await ada.at(new RegExp(`/payments/${payment}$`));
  });

  it('tells amounts of a timeline as money, and links its requests', async () => {
    const { made } = await ada.call('GET', `/request-log/${transfer}?livemode=false`);
    await ada.see(`/test/transactions/${made.find((one: string) => one.startsWith('txn_'))}`);
    const story = await part('Timeline').innerText();
    expect(story).toContain('NGN 1,250.50');
    expect(story).not.toMatch(/125050|currency:/);
    await part('Timeline').getByText('transaction.successful').first().click();
    await part('Timeline').getByRole('link', { name: transfer }).first().waitFor();
  });

  it('links a payment and its transaction both ways', async () => {
    await ada.call('POST', `/test/v4/sandbox/payments/${payment}/complete`, { status: 'successful' });
    await until(async () => (await ada.call('GET', `/test/api/v1/payments/${payment}`)).transaction_id !== null);
    await ada.see(`/test/payments/${payment}`);
    await ada.click(ada.page.locator('.facts').getByRole('link', { name: /^txn_/ }));
    await ada.page.getByRole('heading', { name: 'payment', level: 1 }).waitFor();
    await ada.click(ada.page.locator('.facts').getByRole('link', { name: payment }));
    await ada.at(new RegExp(`/payments/${payment}$`));
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in %s colours, and fits 360 pixels',
    async (colours) => {
      await ada.page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
      for (const page of ['requests', `requests/${refused}`, `requests/${transfer}`]) {
        await ada.page.setViewportSize({ width: 1_280, height: 900 });
        await ada.see(`/test/${page}`);
        expect(await seriousFindings(ada.page)).toEqual([]);
        await ada.page.setViewportSize({ width: 360, height: 740 });
        expect([page, await sidewaysPixels(ada.page)]).toEqual([page, 0]);
      }
    },
  );
});
