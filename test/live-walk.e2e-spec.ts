import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import type { Currency } from '../src/core/money/money';
import { VtpassData } from '../src/extensions/vtpass/vtpass-data';
import { PlanImportService } from '../src/modules/data/plan-import.service';
import { LedgerAccountsService } from '../src/modules/ledger/accounts.service';
import { gatewayReferenceOf } from '../src/modules/payments/gateway-client';
import { FloatBookings } from '../src/modules/purchases/float-bookings';
import { RequestLog } from '../src/core/request-log/request-log';
import { Floats } from '../src/providers/floats';
import { Journal } from '../src/providers/journal';
import { Requeries } from '../src/providers/requeries';
import { Company as Monnify } from './pretended/monnify/company';
import { Company as Paystack } from './pretended/paystack/company';
import { Company as SmileId } from './pretended/smileid/company';
import { Company as Stripe } from './pretended/stripe/company';
import { Company as Vtpass } from './pretended/vtpass/company';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { cardholder } from './support/cardholder';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';
import { dumpOf, formsOf } from './support/secrets-kept';

const ROUTES = `
  INSERT INTO provider_routes (product, network, livemode, provider, position)
  VALUES ('airtime', '*', true, 'vtpass', 1), ('data', '*', true, 'vtpass', 1), ('bills', '*', true, 'vtpass', 1),
         ('payment', 'NGN', true, 'paystack', 1), ('payout', '*', true, 'monnify', 1),
         ('payout', '044', true, 'paystack', 1),
         ('virtual_accounts', '*', true, 'monnify', 1), ('cards', '*', true, 'stripe', 1),
         ('identity', '*', true, 'smileid', 1)`;
const FUNDS = 100_000_000;
/** VTpass delivers it after five seconds, and calls back. */
const SLOW_METER = '201000000000';
const ACCOUNT = { code: '058', account_number: '0123456789' };

// Everything that is sold, paid in and paid out in live mode, through the public API, with the companies that this
// service has adapters for: each is a server of its own. Queues, callbacks and requeries run as they do in production.
const [vtpass, paystack, monnify, stripe] = [new Vtpass(), new Paystack(), new Monnify(), new Stripe()];
const companies = [vtpass, paystack, monnify, stripe, new SmileId()];
/** What Duka answered to whoever asked: customers, payers, companies. */
const answered: string[] = [];
/** Tokens and PINs that were bought. */
const goods: string[] = [];
let duka: Duka;
let account: string;
let live: Api;
let wallet: string;
let bookings: FloatBookings;
let paystackOpening: bigint;

beforeAll(async () => {
  await Promise.all(companies.map((company) => company.listen()));
  for (const { settings } of companies) Object.assign(process.env, settings);
  duka = await Duka.start({ WORKER_IN_API: true });
  for (const company of companies) company.callbackUrl = `${duka.url}/`;
  listenIn();
  await duka.get<DataSource>(DataSource).query(ROUTES);
  account = (await duka.account()).id;
  live = duka.api(await duka.key({ accountId: account, livemode: true }));
  wallet = await live.wallet();
  await duka.fund(wallet, BigInt(FUNDS));
  bookings = duka.get<FloatBookings>(FloatBookings);
  paystackOpening = paystack.balance;
  for (const [name, { balance }] of Object.entries({ vtpass, monnify, paystack })) await topUp(name, balance);
  await topUp('stripe', stripe.balance, 'USD');
});
afterAll(async () => {
  jest.restoreAllMocks();
  // Sums the books, too.
  await duka.stop();
  await Promise.all(companies.map((company) => company.stop()));
});

/** To whatever Duka answers. */
function listenIn(): void {
  const real = globalThis.fetch;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (...asked) => {
    const answer = await real(...asked);
    const { url, headers } = answer;
    if (url.startsWith(duka.url)) answered.push(JSON.stringify([...headers]), await answer.clone().text());
    return answer;
  });
}

const topUp = (provider: string, amount: bigint, currency: Currency = 'NGN') =>
  bookings.move({ provider, currency, amount, reference: 'opening', person: 'Ada', reason: 'bank transfer' });
const shown = async (id: string) => (await live.get(`/v4/transactions/${id}`)).body;
const becomes = (id: string, status: string) => until(async () => (await shown(id)).status === status, 20);
const available = async () => (await live.balance(wallet)).available;
/** What the wallet lost while something was done. */
async function spentBy<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = await available();
  const done = await work();
  return [done, before - (await available())];
}
const timeline = async (id: string): Promise<string[]> =>
  (await live.get(`/v4/transactions/${id}/timeline`)).body.data.map(({ kind }: { kind: string }) => kind);
/** As if its time had come: no clock of live mode can be moved. Times are kept to the millisecond. */
async function makeDue(table: string, type: Parameters<typeof decodeId>[0], id: string): Promise<void> {
  const now = `date_trunc('milliseconds', now())`;
  await duka.asOwner(`UPDATE ${table} SET next_check_at = ${now} WHERE id = $1`, [decodeId(type, id)]);
  await duka.get<Requeries>(Requeries).sweep();
}

describe('VTpass', () => {
  const validated = async (fields: object): Promise<string> => {
    const { status, body } = await live.post('/v4/bills/validate', fields);
    expect([status, body.customer_name]).toEqual([201, expect.stringContaining('TEST')]);
    return body.id;
  };
  const pay = async (fields: object, validation?: string): Promise<Answer> =>
    live.post('/v4/bills/pay', { wallet_id: wallet, ...fields, ...(validation && { validation_id: validation }) });
  /** The order behind a transaction. */
  const orderOf = (customer: string) => [...vtpass.transactions.values()].find((order) => order.customer === customer)!;
  /** What one delivery took out of our money at VTpass. */
  async function costOf<T>(work: () => Promise<T>): Promise<[T, bigint]> {
    const before = vtpass.balance;
    const done = await work();
    return [done, before - vtpass.balance];
  }
  const bookedBy = async (id: string): Promise<string> => {
    const [row] = await duka.asOwner(
      `SELECT sum(e.amount) AS sum FROM ledger_entries e
         JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
        WHERE a.name = 'provider_float:vtpass' AND e.posting_id IN
          (SELECT posting_id FROM ledger_entries WHERE transaction_id = $1)`,
      [decodeId('txn', id)],
    );
    return row!.sum as string;
  };
  let slow: string;

  it('takes money for a meter before it has the token', async () => {
    const meter = { biller_code: 'ikeja-electric', customer_identifier: SLOW_METER, service_type: 'prepaid' };
    const { status, body } = await pay({ ...meter, amount: 612_345 }, await validated(meter));
    expect([status, body.status, body.details.tokens]).toEqual([202, 'processing', []]);
    expect((await live.balance(wallet)).held).toBe(body.total);
    slow = body.id;
  });

  it('delivers airtime', async () => {
    const phone = '+2348031200001';
    const [[{ status, body }, spent], cost] = await costOf(() =>
      spentBy(() => live.post('/v4/airtime/purchase', { phone, amount: 12_345, wallet_id: wallet })),
    );
    expect([status, body.status, body.provider.name, body.details.delivered_amount]).toEqual([
      201,
      'successful',
      'vtpass',
      12_345,
    ]);
    // 3.5 % of it is left to us: 432.075 kobo, of which VTpass keeps the fraction.
    expect([spent, cost, await bookedBy(body.id)]).toEqual([body.total, 11_913n, '11913']);
  });

  it('delivers a plan that was imported from its list', async () => {
    const { plans, left } = await duka.get<VtpassData>(VtpassData).plans('mtn-data', AbortSignal.timeout(5_000));
    expect([plans.length, left]).toEqual([3, []]);
    await duka.get<PlanImportService>(PlanImportService).import(plans, { dryRun: false });
    const plan_code = 'mtn-data.mtn-100mb-1000';
    const [[{ status, body }, spent], cost] = await costOf(() =>
      spentBy(() => live.post('/v4/data/purchase', { phone: '+2348031200002', plan_code, wallet_id: wallet })),
    );
    expect([status, body.status, body.amount]).toEqual([201, 'successful', 100_000]);
    expect([spent, cost, await bookedBy(body.id)]).toEqual([body.total, 96_000n, '96000']);
  });

  it('changes a bouquet, for its own price where it is for months', async () => {
    const card = { biller_code: 'dstv', customer_identifier: '1212121212', service_type: 'change' };
    const order = { ...card, item_code: 'dstv-compact', quantity: 2, amount: 3_800_000 };
    const validation = await validated(card);
    const [[{ status, body }, spent], cost] = await costOf(() => spentBy(() => pay(order, validation)));
    expect([status, body.status, body.details.customer_name]).toEqual([201, 'successful', 'TEST METER']);
    expect([spent, cost, await bookedBy(body.id)]).toEqual([body.total, 1_556_300n, '1556300']);
  });

  it('sells PINs of exams, which the transaction alone shows', async () => {
    const order = { biller_code: 'waec-result', customer_identifier: '08031200003', quantity: 2, amount: 780_000 };
    const [[{ status, body }, spent], cost] = await costOf(() => spentBy(() => pay(order)));
    expect([status, body.status, body.details.pins.length]).toEqual([201, 'successful', 2]);
    expect([spent, cost, await bookedBy(body.id)]).toEqual([body.total, 160_002n, '160002']);
    const { pins } = (await shown(body.id)).details;
    expect(pins).toEqual(body.details.pins);
    goods.push(...pins.map(({ pin }: { pin: string }) => pin));
    const listed = JSON.stringify((await live.get('/v4/transactions?limit=5')).body);
    for (const { pin } of pins) expect(listed).not.toContain(pin);
  });

  it('sells the PIN of a profile', async () => {
    const profile = { biller_code: 'jamb', customer_identifier: '0123456789', item_code: 'jamb-utme' };
    const { body } = await pay(profile, await validated(profile));
    const { pins } = (await shown(body.id)).details;
    goods.push(pins[0].pin);
    expect([body.status, pins]).toEqual(['successful', [{ serial: '', pin: expect.stringMatching(/^3678\d{12}$/) }]]);
  });

  it('delivers the token of the meter, and says so by itself', async () => {
    await becomes(slow, 'successful');
    const { body } = await live.get(`/v4/transactions/${slow}`);
    expect(body.details.tokens).toEqual([
      { kind: 'credit', value: expect.stringMatching(/^26362054\d{12}$/), units: '79.9 kWh' },
    ]);
    goods.push(body.details.tokens[0].value);
    expect(body.details).toMatchObject({ delivered_amount: 612_345, customer_name: 'TESTMETER1' });
    expect(await timeline(slow)).toContain('provider.callback');
    expect(await bookedBy(slow)).toBe(String(orderOf(SLOW_METER).cost));
    expect((await live.balance(wallet)).held).toBe(0);
    const elsewhere = [await live.get('/v4/transactions?limit=20'), await live.get('/v4/events?limit=100')];
    for (const { body: list } of elsewhere) expect(JSON.stringify(list)).not.toContain(body.details.tokens[0].value);
  });

  it('takes back what it delivered, and the money returns', async () => {
    const phone = '+2348031200004';
    const [id, spent] = await spentBy(async () => {
      const { body } = await live.post('/v4/airtime/purchase', { phone, amount: 30_000, wallet_id: wallet });
      expect(body.status).toBe('successful');
      await vtpass.resolve(orderOf('08031200004').requestId, 'reversed');
      await becomes(body.id, 'reversed');
      return body.id;
    });
    expect(spent).toBe(0);
    expect((await shown(id)).failure).toMatchObject({ code: 'reversed_by_provider', stage: 'provider' });
  });
});

describe('Paystack', () => {
  const AMOUNT = 500_000;
  const refunds = async (id: string): Promise<any[]> => (await live.get(`/api/v1/payments/${id}/refunds`)).body.data;
  const payment = async (id: string) => (await live.get(`/api/v1/payments/${id}`)).body;
  const owed = async () =>
    -(await duka.get<LedgerAccountsService>(LedgerAccountsService).platformBalance('gateway:paystack', 'NGN', true));
  /** As Paystack calls a payment. */
  const theirsOf = ({ id }: { id: string }): string =>
    gatewayReferenceOf({ accountId: decodeId('acct', account)!, id: decodeId('pay', id)! }).replaceAll('_', '-');
  let paid: string;

  const asked = async (): Promise<any> => {
    const { status, body } = await live.post('/api/v1/payments', {
      amount: AMOUNT,
      currency: 'NGN',
      wallet_id: wallet,
      customer: { name: 'Ada', email: 'ada@example.com' },
    });
    expect([status, body.available_gateways]).toEqual([201, ['paystack']]);
    return body;
  };
  /** As a payer comes to the page of Paystack; where it leads. */
  const choose = async ({ checkout_url: url }: { checkout_url: string }): Promise<string | null> => {
    const page = duka.url + new URL(url).pathname;
    expect((await fetch(page)).status).toBe(200);
    const form = new URLSearchParams({ gateway: 'paystack' });
    const started = await fetch(`${page}/start`, { method: 'POST', redirect: 'manual', body: form });
    expect(started.status).toBe(303);
    return started.headers.get('location');
  };
  /** The wallet has it without the fee, and Paystack owes us what it does not keep. */
  const expectPaid = async (id: string, before: number) => {
    await until(async () => (await payment(id)).status === 'successful', 20);
    const found = await payment(id);
    expect(found).toMatchObject({ amount_received: AMOUNT, gateway: 'paystack', refundable: AMOUNT, fee: 7_500 });
    expect((await available()) - before).toBe(AMOUNT - found.fee);
    expect(await owed()).toBe(paystack.balance - paystackOpening);
  };

  it('has a payer who pays before the page was told of', async () => {
    const before = await available();
    const wanted = await asked();
    // Back to our own page, which says that it is paid, where the callback was faster than the order.
    expect(await choose(wanted)).toMatch(/^(?:https:\/\/checkout\.paystack\.com|\/checkout)\//);
    await expectPaid(wanted.id, before);
    // 1.5 %, and 100 naira.
    expect(paystack.balance - paystackOpening).toBe(BigInt(AMOUNT) - 17_500n);
  });

  it('has a payer who takes his time, and its callback credits', async () => {
    const before = await available();
    const wanted = await asked();
    const theirs = theirsOf(wanted);
    paystack.payments.plan(theirs, 'waits');
    expect(await choose(wanted)).toMatch(/^https:\/\/checkout\.paystack\.com\//);
    expect([(await payment(wanted.id)).status, await available()]).toEqual(['pending', before]);
    paystack.payments.pay(theirs);
    await expectPaid(wanted.id, before);
    const heard = await duka.asOwner('SELECT says FROM payment_callbacks WHERE payment_id = $1', [
      decodeId('pay', wanted.id),
    ]);
    expect(heard).toEqual([{ says: 'charge_success' }]);
    paid = wanted.id;
  });

  it('gives it back in two parts, each in its own time', async () => {
    const [before, owedBefore] = [await available(), await owed()];
    const parts = [
      await live.post(`/api/v1/payments/${paid}/refunds`, { amount: 123_456, reason: 'One shoe' }),
      await live.post(`/api/v1/payments/${paid}/refunds`, { amount: AMOUNT - 123_456 }),
    ];
    expect(parts.map(({ status, body }) => [status, body.status])).toEqual([
      [202, 'processing'],
      [202, 'processing'],
    ]);
    await until(async () => {
      const open = (await refunds(paid)).filter(({ status }) => status === 'processing');
      for (const { id } of open) await makeDue('refunds', 'rfd', id);
      return open.length === 0;
    }, 20);
    expect((await refunds(paid)).map(({ status, amount }) => [status, amount])).toEqual([
      ['successful', AMOUNT - 123_456],
      ['successful', 123_456],
    ]);
    expect(paystack.payments.refunds.map(({ status, amount }) => [status, amount])).toEqual([
      ['processed', 123_456],
      ['processed', AMOUNT - 123_456],
    ]);
    expect(await payment(paid)).toMatchObject({
      status: 'successful',
      amount_refunded: AMOUNT,
      refundable: 0,
      needs_review: false,
    });
    expect(await available()).toBe(before - AMOUNT);
    expect(owedBefore - (await owed())).toBe(BigInt(AMOUNT));
    expect(await owed()).toBe(paystack.balance - paystackOpening);
  });

  it('gives a part back of its own accord', async () => {
    const wanted = await asked();
    await choose(wanted);
    await until(async () => (await payment(wanted.id)).status === 'successful', 20);
    const { transaction: id, amount } = paystack.payments.giveBack(theirsOf(wanted), 100_000);
    paystack.transfers.balance -= BigInt(amount);
    const { body, headers } = paystack.callback('refund.processed', { id, transaction_reference: theirsOf(wanted) });
    const told = { method: 'POST', headers: headers as Record<string, string>, body: new Uint8Array(body) };
    expect((await fetch(`${duka.url}/callbacks/paystack`, told)).status).toBe(200);
    expect(await payment(wanted.id)).toMatchObject({ status: 'successful', amount_refunded: 100_000 });
    expect(await owed()).toBe(paystack.balance - paystackOpening);
  });
});

describe('Paystack, to banks that are routed to it', () => {
  const bank = { code: '044', account_number: '0123456780' };

  it('says whose account it is, and pays out for a fee that we bear', async () => {
    const { body: resolved } = await live.post('/v4/banks/resolve', { bank_code: '044', account_number: '0123456780' });
    expect(resolved.account_name).toBe('ADAEZE OKAFOR');
    const before = paystack.balance;
    const [{ status, body }, spent] = await spentBy(() =>
      live.post('/v4/payouts', { wallet_id: wallet, amount: 75_025, bank, account_name: 'Adaeze Okafor' }),
    );
    expect([status, body.status, body.provider.name]).toEqual([201, 'successful', 'paystack']);
    expect([spent, before - paystack.balance]).toEqual([body.total, 76_025n]);
    expect(await bookings.inBooks('paystack', 'NGN')).toBe(paystack.balance);
  });

  it('returns what a bank did not take, and says so', async () => {
    const [, spent] = await spentBy(async () => {
      const { body } = await live.post('/v4/payouts', { wallet_id: wallet, amount: 90_000, bank });
      const { reference } = [...paystack.transfers.all.values()].at(-1)!;
      paystack.transfers.setStatus(reference, 'reversed');
      await becomes(body.id, 'reversed');
    });
    expect(spent).toBe(0);
    expect(await bookings.inBooks('paystack', 'NGN')).toBe(paystack.balance);
  });
});

describe('Monnify', () => {
  const referenceOf = (amount: bigint) =>
    [...monnify.transfers.all.values()].find((transfer) => transfer.amount === amount)!.reference;

  it('says whose account it is', async () => {
    const { status, body } = await live.post('/v4/banks/resolve', {
      bank_code: ACCOUNT.code,
      account_number: ACCOUNT.account_number,
    });
    expect([status, body.account_name]).toEqual([201, 'Test Recipient']);
  });

  it('pays out, and its callback is what ends it', async () => {
    monnify.otherwise = { status: 'PENDING', description: '' };
    const order = { wallet_id: wallet, amount: 100_050, bank: ACCOUNT, account_name: 'Recipient Test' };
    const [[{ status, body }, spent], before] = [
      await spentBy(() => live.post('/v4/payouts', { ...order, narration: 'Salary' })),
      monnify.balance,
    ];
    expect([status, body.status, spent]).toEqual([202, 'processing', body.total]);
    await monnify.end(referenceOf(100_050n), 'SUCCESS');
    await becomes(body.id, 'successful');
    expect(await timeline(body.id)).toContain('provider.callback');
    expect(before - monnify.balance).toBe(101_050n);
    expect(await bookings.inBooks('monnify', 'NGN')).toBe(monnify.balance);
  });

  it('pays out at once, and the bank returns the money two days later without a word', async () => {
    monnify.otherwise = { status: 'SUCCESS', description: 'Transaction successful' };
    const [id, spent] = await spentBy(async () => {
      const { status, body } = await live.post('/v4/payouts', { wallet_id: wallet, amount: 200_000, bank: ACCOUNT });
      expect([status, body.status]).toEqual([201, 'successful']);
      monnify.transfers.end(referenceOf(200_000n), 'REVERSED');
      await makeDue('purchases', 'txn', body.id);
      await becomes(body.id, 'reversed');
      return body.id;
    });
    expect(spent).toBe(0);
    expect(await shown(id)).toMatchObject({ failure: { stage: 'provider' }, reversed_by: expect.any(String) });
  });

  it('opens an account, and what a payer sends is credited', async () => {
    const { status, body } = await live.post('/v4/virtual-accounts', { wallet_id: wallet, kind: 'permanent' });
    expect([status, body.status, body.bank.name]).toEqual([201, 'active', 'Moniepoint Microfinance Bank']);
    const before = await available();
    const paid = await fetch(`${monnify.url}pretend/pay`, {
      method: 'POST',
      body: JSON.stringify({ accountNumber: body.account_number, amount: 2_505.5 }),
    });
    expect(paid.status).toBe(200);
    const deposits = async (): Promise<any[]> =>
      (await live.get(`/v4/deposits?virtual_account_id=${body.id}`)).body.data;
    await until(async () => (await deposits())[0]?.status === 'credited');
    expect(await deposits()).toMatchObject([{ amount: 250_550, needs_review: false }]);
    expect((await available()) - before).toBe(250_550);
  });

  it('gives back what is not what its account waits for', async () => {
    const order = { wallet_id: wallet, kind: 'one_time', amount: 200_000, on_underpaid: 'refund' };
    const { body } = await live.post('/v4/virtual-accounts', order);
    const before = await available();
    const sent = { accountNumber: body.account_number, amount: 1_500 };
    await fetch(`${monnify.url}pretend/pay`, { method: 'POST', body: JSON.stringify(sent) });
    const deposits = async (): Promise<any[]> =>
      (await live.get(`/v4/deposits?virtual_account_id=${body.id}`)).body.data;
    await until(async () => {
      const [deposit] = await deposits();
      if (deposit?.status === 'to_be_returned') await makeDue('deposits', 'dep', deposit.id);
      return deposit?.status === 'returned';
    }, 20);
    expect(await deposits()).toMatchObject([{ amount: 150_000, resolution: 'refund_payer', needs_review: false }]);
    expect([...monnify.collections.refunds.values()].map(({ amount, status }) => [amount, status])).toEqual([
      [150_000n, 'COMPLETED'],
    ]);
    expect(await available()).toBe(before);
  });
});

describe('Stripe', () => {
  let dollars: string;
  let card: string;
  /** At Stripe. */
  let theirs: string;

  const room = async (): Promise<[number, number]> => {
    const { balance } = (await live.get(`/v4/cards/${card}`)).body;
    return [balance.available, balance.held];
  };
  const listed = async (): Promise<any[]> => (await live.get(`/v4/cards/${card}/transactions`)).body.data;

  it('issues a card to a customer who was verified', async () => {
    dollars = await live.wallet(0, 'USD');
    await duka.fund(dollars, 100_000n);
    const ada = { ...cardholder(), identity: { type: 'nin', number: '22345678900' } };
    const customer_id = (await live.post('/v4/customers', ada)).body.id;
    const order = { customer_id, currency: 'USD', amount: 5_000, funding_wallet_id: dollars };
    expect((await live.post('/v4/cards/issue', order)).body.code).toBe('customer_not_verified');
    const asked = await live.post(`/v4/customers/${customer_id}/verify`, {}, { headers: { prefer: 'wait=5' } });
    expect([asked.status, asked.body.kyc_status]).toEqual([200, 'verified']);
    const { status, body } = await live.post('/v4/cards/issue', order);
    expect([status, body.status]).toEqual([201, 'active']);
    [card, theirs] = [body.id, [...stripe.cards.keys()][0]!];
    expect(body.last4).toBe(stripe.cards.get(theirs)!.last4);
    expect(await room()).toEqual([5_000, 0]);
  });

  it('asks before each authorization, and clears one above what was held', async () => {
    const meal = (await stripe.network.authorize({ card: theirs, amount: '1200' }))!;
    expect([meal.approved, await room()]).toEqual([true, [3_800, 1_200]]);
    expect((await stripe.network.authorize({ card: theirs, amount: '3801' }))!.approved).toBe(false);
    await stripe.network.capture(meal, { capture_amount: '1500' });
    expect(await room()).toEqual([3_500, 0]);
    const [cleared] = (await listed()).filter(({ status }) => status === 'settled');
    expect(cleared).toMatchObject({ type: 'authorization', amount: 1_200, settled_amount: 1_500 });
  });

  it('gives back a part, and more', async () => {
    const [captured] = [...stripe.network.transactions.keys()];
    await stripe.network.refund(captured!, { refund_amount: '400' });
    expect(await room()).toEqual([3_900, 0]);
    // And something that nobody knows to have been paid.
    await stripe.network.refundUnlinked({ card: theirs, amount: '250' });
    expect(await room()).toEqual([4_150, 0]);
    const [unlinked] = await listed();
    expect(unlinked).toMatchObject({ type: 'refund', amount: 250, original_id: null, merchant: { mcc: '4121' } });
  });

  it('decides a dispute, and what is won is on the card', async () => {
    await stripe.network.forceCapture({ card: theirs, amount: '900' });
    const [unasked] = (await listed()).filter(({ type }) => type === 'clearing');
    const order = { reason: 'fraudulent', evidence: { text: 'Not me.' } };
    const opened = await live.post(`/v4/card-transactions/${unasked.id}/disputes`, order);
    expect([opened.status, opened.body.status, await room()]).toEqual([201, 'under_review', [3_250, 0]]);
    await stripe.decide([...stripe.disputes.keys()][0]!, 'won');
    expect((await live.get(`/v4/disputes/${opened.body.id}`)).body.status).toBe('won');
    expect(await room()).toEqual([4_150, 0]);
  });
});

describe('after all of it', () => {
  it('what each company tells of our money is in the books, to the unit', async () => {
    await duka.get<Floats>(Floats).askAll();
    const floats = (await bookings.list()).filter(({ balance }) => balance !== null);
    expect(floats.map(({ provider, currency, balance, inBooks }) => [provider, currency, balance, inBooks])).toEqual([
      ['monnify', 'NGN', monnify.balance, monnify.balance],
      ['paystack', 'NGN', paystack.balance, paystack.balance],
      ['stripe', 'USD', stripe.balance, stripe.balance],
      ['vtpass', 'NGN', vtpass.balance, vtpass.balance],
    ]);
    // 15.00 cleared, 4.00 of it given back, 2.50 without a word of what for; 9.00 cleared, and won.
    expect(stripe.balance).toBe(1_000_000n - 1_500n + 400n + 250n);
  });

  it('every statement agrees with the books, line by line, but for what is wrong in it', async () => {
    const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
    for (const [name, { statement: lines, balance }] of Object.entries({ vtpass, paystack, monnify, stripe })) {
      const currency = name === 'stripe' ? 'USD' : 'NGN';
      const opening = lines.reduce((sum, { amount }) => sum + amount, balance);
      const told = [{ reference: 'opening', amount: -opening }, ...lines];
      const right = await bookings.reconcile(name, currency, { ...period, lines: told });
      expect([name, right.differences, lines.length > 1]).toEqual([name, [], true]);
      // One line is missing, one is a unit higher, one is of nobody.
      const [gone, higher, ...rest] = lines.filter(({ amount }) => amount !== 0n);
      const wrong = [...rest, { ...higher!, amount: higher!.amount + 1n }, { reference: 'nobody', amount: 1n }];
      const { differences } = await bookings.reconcile(name, currency, { ...period, lines: [told[0]!, ...wrong] });
      expect(differences.map(({ kind, ours, theirs }) => [kind, theirs - ours])).toEqual(
        expect.arrayContaining([
          ['not_in_statement', -gone!.amount],
          ['amount', 1n],
          ['not_in_books', 1n],
        ]),
      );
      expect(differences).toHaveLength(3);
    }
  });

  it('nothing is open, and no person is needed', async () => {
    const [open] = await duka.asOwner(`
      SELECT (SELECT count(*)::int FROM transactions WHERE status IN ('pending', 'processing') OR needs_review) AS transactions,
             (SELECT count(*)::int FROM payments WHERE status IN ('pending', 'processing') OR review IS NOT NULL) AS payments,
             (SELECT count(*)::int FROM refunds WHERE status IN ('pending', 'processing') OR review IS NOT NULL) AS refunds`);
    expect(open).toEqual({ transactions: 0, payments: 0, refunds: 0 });
    expect((await live.balance(wallet)).held).toBe(0);
    await duka.expectBooks();
  });

  it('whoever calls without the secret of a company is not heard', async () => {
    const { body, headers } = paystack.callback('charge.success', { reference: 'x' }, 'sk_live_another');
    const other = monnify.signed(monnify.transferEvent(null), 'another');
    const calls: [string, object, Uint8Array][] = [
      ['paystack', headers, new Uint8Array(body)],
      ['purchases/monnify', other.headers, new Uint8Array(other.body)],
      ['virtual-accounts/monnify', other.headers, new Uint8Array(other.body)],
      ['purchases/vtpass?secret=another', headers, Buffer.from(JSON.stringify(vtpass.callback(null)))],
    ];
    for (const [path, given, bytes] of calls) {
      const request = { method: 'POST', headers: given as Record<string, string>, body: bytes };
      expect([path, (await fetch(`${duka.url}/callbacks/${path}`, request)).status]).toEqual([path, 401]);
    }
  });

  it('no secret of the settings was told to anybody, or kept, and no token or PIN lies about', async () => {
    const secrets = companies.flatMap(({ settings }) =>
      Object.entries(settings).flatMap(([name, value]) => (/KEY|SECRET/.test(name) ? [value] : [])),
    );
    const { MONNIFY_API_KEY, MONNIFY_SECRET_KEY } = monnify.settings;
    secrets.push(Buffer.from(`${MONNIFY_API_KEY}:${MONNIFY_SECRET_KEY}`).toString('base64'));
    expect(secrets).toHaveLength(12);
    await Promise.all([duka.get<Journal>(Journal).flush(), duka.get<RequestLog>(RequestLog).flush()]);
    const exchanges = await Promise.all(
      ['vtpass', 'paystack', 'monnify', 'stripe', 'smileid'].map((name) =>
        duka.get<Journal>(Journal).latest(name, 1_000),
      ),
    );
    expect(exchanges.flat().find(({ call }) => call === 'list')).toMatchObject({ about: null });
    const dump = (await dumpOf((statement) => duka.asOwner(statement))).join();
    // Bytes are there, too.
    const [sealed] = await duka.asOwner(`SELECT encode(box, 'hex') AS hex FROM provider_exchanges LIMIT 1`);
    expect(dump).toContain(sealed!.hex as string);
    const kept = { exchanges, dump, answered };
    for (const [what, all] of Object.entries(kept)) {
      const text = JSON.stringify(all);
      expect([what, text.length > 10_000]).toEqual([what, true]);
      const found = secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
      expect([what, found]).toEqual([what, []]);
    }
    for (const one of exchanges) expect(one.length).toBeGreaterThan(0);
    // Whoever bought them has them from us alone.
    expect(goods).toHaveLength(4);
    const text = JSON.stringify({ ...kept, answered: null });
    expect(goods.filter((one) => formsOf(one).some((form) => text.includes(form)))).toEqual([]);
  });
});
