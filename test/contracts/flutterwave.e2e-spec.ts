import { DataSource } from 'typeorm';
import { decodeId } from '../../src/core/http/ids';
import { LedgerAccountsService } from '../../src/modules/ledger/accounts.service';
import { gatewayReferenceOf } from '../../src/modules/payments/gateway-client';
import { Requeries } from '../../src/providers/requeries';
import { Company } from '../pretended/flutterwave/company';
import type { Api } from '../support/api';
import { Duka } from '../support/duka';
import { until } from '../support/recurring-probe';

const AMOUNT = 500_000;
const company = new Company();
let duka: Duka;
let account: string;
let live: Api;
let wallet: string;

beforeAll(async () => {
  await company.listen();
  Object.assign(process.env, company.settings);
  duka = await Duka.start({ WORKER_IN_API: true });
  company.callbackUrl = `${duka.url}/`;
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position)
     VALUES ('payment', 'NGN', true, 'flutterwave', 1)`,
  );
  account = (await duka.account()).id;
  live = duka.api(await duka.key({ accountId: account, livemode: true }));
  wallet = await live.wallet();
});
afterAll(async () => {
  // Sums the books, too.
  await duka.stop();
  await company.stop();
  for (const name of Object.keys(company.settings)) delete process.env[name];
});

const payment = async (id: string) => (await live.get(`/api/v1/payments/${id}`)).body;
const available = async () => (await live.balance(wallet)).available;
const owed = async () =>
  -(await duka.get<LedgerAccountsService>(LedgerAccountsService).platformBalance('gateway:flutterwave', 'NGN', true));

async function asked(): Promise<{ readonly id: string; readonly reference: string; readonly checkout_url: string }> {
  const { status, body } = await live.post('/api/v1/payments', {
    amount: AMOUNT,
    currency: 'NGN',
    wallet_id: wallet,
    customer: { name: 'Ada', email: 'ada@example.com' },
  });
  expect([status, body.available_gateways]).toEqual([201, ['flutterwave']]);
  const key = { accountId: decodeId('acct', account)!, id: decodeId('pay', body.id)! };
  return { id: body.id, checkout_url: body.checkout_url, reference: gatewayReferenceOf(key) };
}

/** As a payer comes to the page of Flutterwave. */
async function choose({ checkout_url: url }: { readonly checkout_url: string }): Promise<void> {
  const form = new URLSearchParams({ gateway: 'flutterwave' });
  const page = `${duka.url}${new URL(url).pathname}/start`;
  const started = await fetch(page, { method: 'POST', redirect: 'manual', body: form });
  expect([started.status, started.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/checkout\.flutterwave\.com\/v3\/hosted\/pay\//),
  ]);
}

/** A payer who fails once, and pays then. */
async function paid(): Promise<{ readonly id: string; readonly reference: string }> {
  const wanted = await asked();
  company.payments.plan(wanted.reference, 'waits');
  await choose(wanted);
  company.payments.attempt(wanted.reference, 'failed');
  company.payments.attempt(wanted.reference, 'successful');
  await until(async () => (await payment(wanted.id)).status === 'successful', 20);
  return wanted;
}

async function makeDue(id: string): Promise<void> {
  const now = `date_trunc('milliseconds', now())`;
  await duka.asOwner(`UPDATE refunds SET next_check_at = ${now} WHERE id = $1`, [decodeId('rfd', id)]);
  await duka.get<Requeries>(Requeries).sweep();
}

describe('a payment through Flutterwave', () => {
  it('is credited by the callback of the try that is paid, and Flutterwave owes us what it settles', async () => {
    const [before, opening] = [await available(), company.balance];
    const { id } = await paid();
    const found = await payment(id);
    expect(found).toMatchObject({ amount_received: AMOUNT, gateway: 'flutterwave', refundable: AMOUNT });
    expect((await available()) - before).toBe(AMOUNT - found.fee);
    expect(company.balance - opening).toBe(493_000n);
    expect(await owed()).toBe(493_000n);
  });

  it('is refunded once, even where Flutterwave neither repeats our reference nor calls back', async () => {
    const { id } = await paid();
    company.payments.tellsComments = false;
    company.callbackUrl = null;
    const { status, body } = await live.post(`/api/v1/payments/${id}/refunds`, { amount: 123_456 });
    expect([status, body.status]).toEqual([202, 'processing']);
    const refund = async () => (await live.get(`/api/v1/payments/${id}/refunds`)).body.data[0];
    await until(async () => {
      await makeDue(body.id);
      return (await refund()).status !== 'processing';
    }, 20);
    expect(await refund()).toMatchObject({ status: 'successful', amount: 123_456, needs_review: false });
    expect(company.payments.refunds.map(({ amount }) => amount)).toEqual([123_456n]);
    expect(await payment(id)).toMatchObject({ amount_refunded: 123_456, needs_review: false });
    company.payments.tellsComments = true;
    company.callbackUrl = `${duka.url}/`;
  });

  it('is taken back where a refund at the dashboard is told of, which names the transaction only', async () => {
    const { id, reference } = await paid();
    const before = await available();
    const refund = company.payments.giveBack(reference, BigInt(AMOUNT));
    const told = {
      id: refund.id,
      AmountRefunded: AMOUNT / 100,
      status: refund.status,
      TransactionId: refund.transaction_id,
    };
    const send = async (secretHash?: string) => {
      const { body, headers } = company.callback(told, secretHash);
      const given = { method: 'POST', body: new Uint8Array(body), headers: headers as Record<string, string> };
      return (await fetch(`${duka.url}/callbacks/flutterwave`, given)).status;
    };
    expect(await send('another')).toBe(401);
    expect((await payment(id)).status).toBe('successful');
    expect(await send()).toBe(200);
    await until(async () => (await payment(id)).status === 'reversed', 20);
    expect(await available()).toBeLessThan(before);
  });
});
