import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/core/http/ids';
import { balancesOf, envelopeOf } from '../../src/extensions/paystack/paystack';
import {
  findingOf,
  nameOf,
  PaystackPayouts,
  recipientOf,
  TRANSFER_REFUSALS,
  transferOf,
} from '../../src/extensions/paystack/payouts';
import type { PayoutItem } from '../../src/modules/payouts/payouts.provider';
import type { Order } from '../../src/modules/purchases/purchases.provider';
import { type CompanyAnswer, parseJson } from '../../src/providers/http';
import { Company } from '../pretended/paystack/company';
import { NONSENSE } from '../pretended/paystack/talk';
import { BANKS, NO_SUCH_ACCOUNT, transferFeeOf } from '../pretended/paystack/transfers';
import { outside } from './outside';
import { providerContract } from './provider-contract';
import type { Deed, Rig } from './rig';

const never = new AbortController().signal;

const bodyOf = (name: string): unknown =>
  parseJson(readFileSync(join(__dirname, `../pretended/paystack/fixtures/${name}.json`), 'utf8'));
const fixture = (name: string): CompanyAnswer => ({ status: 200, body: bodyOf(name) });
/** One of the answers that a page of the API reference shows. */
const shown = (name: string, status: number): CompanyAnswer => ({
  status,
  body: (bodyOf(name) as Record<string, { data: unknown }>)[status]!.data,
});

const ITEM: PayoutItem = {
  bankCode: '058',
  bankName: 'Guaranty Trust Bank',
  accountNumber: '0123456789',
  accountName: 'ADAEZE OKAFOR',
  narration: 'Salary of May',
};

const orderOf = (more: Partial<Order<PayoutItem>> = {}): Order<PayoutItem> => ({
  reference: newId(),
  accountId: newId(),
  livemode: true,
  purchaseId: newId(),
  amount: 250_025n,
  currency: 'NGN',
  item: ITEM,
  options: {},
  providerReference: null,
  scenario: null,
  ...more,
});

const payoutsOf = ({ url, key: secretKey }: Company) =>
  new PaystackPayouts({ url, secretKey, email: undefined }, outside());
const eventData = (reference: string | null) => ({ reference, status: 'success' });

async function rig(): Promise<Rig<PayoutItem>> {
  const server = await new Company().listen();
  let orders = 0;
  return {
    provider: payoutsOf(server),
    order: (deed: Deed) => {
      const order = orderOf();
      server.transfers.plan(order.reference, deed, orders++);
      return order;
    },
    begun: (reference) => server.transfers.begun(reference),
    sales: (reference) => server.transfers.sales.get(reference) ?? 0,
    booked: (reference) => {
      const { amount, fee } = server.transfers.all.get(reference)!;
      return { asked: amount, taken: amount + fee };
    },
    later: {
      order: () => {
        const order = orderOf();
        server.transfers.plan(order.reference, 'delivers', 0, 'pending');
        return order;
      },
      end: (reference, how) => server.transfers.setStatus(reference, how === 'delivered' ? 'success' : how),
      endings: ['delivered', 'failed', 'reversed'],
    },
    kindsOfNonsense: NONSENSE.length,
    callbacks: {
      own: (reference) => server.callback('transfer.success', eventData(reference)),
      foreign: (reference) => server.callback('transfer.success', eventData(reference), 'sk_live_another'),
    },
    close: () => server.stop(),
  };
}

providerContract('of Paystack, over HTTP', rig as () => Promise<Rig>);

describe('payouts through Paystack', () => {
  let server: Company;
  let payouts: PaystackPayouts;

  beforeEach(async () => {
    server = await new Company().listen();
    payouts = payoutsOf(server);
  });
  afterEach(() => server.stop());

  const planned = (status: string): Order<PayoutItem> => {
    const order = orderOf();
    server.transfers.plan(order.reference, 'delivers', 0, status);
    return order;
  };

  it('sends what Paystack needs to know, and knows what it cost', async () => {
    const [order, before] = [orderOf(), server.balance];
    const fee = transferFeeOf(order.amount);
    expect(await payouts.purchase(order, never)).toEqual({
      outcome: 'delivered',
      providerReference: expect.stringMatching(/^TRF_/),
      deliveredAmount: 250_025n,
      cost: 250_025n + fee,
      details: { session_id: expect.stringMatching(/^0900\d+$/) },
    });
    expect(before - server.balance).toBe(250_025n + fee);
    const [recipient, transfer, found] = server.heard as [never, never, never];
    expect(recipient).toMatchObject({
      method: 'POST',
      path: '/transferrecipient',
      body: { type: 'nuban', name: 'ADAEZE OKAFOR', account_number: '0123456789', bank_code: '058', currency: 'NGN' },
    });
    const { reference } = order;
    expect(transfer).toMatchObject({
      method: 'POST',
      path: '/transfer',
      body: { source: 'balance', amount: 250_025, currency: 'NGN', reference, reason: 'Salary of May' },
    });
    expect(found).toMatchObject({ method: 'GET', path: `/transfer/verify/${reference}` });
    expect(reference).toMatch(/^[a-z0-9_-]{16,50}$/);
    for (const { headers } of server.heard) expect(headers.authorization).toBe(`Bearer ${server.key}`);
  });

  it.each(['pending', 'otp', 'received'])('waits for a transfer that is %s, and finds it paid', async (status) => {
    const order = planned(status);
    const accepted = { outcome: 'accepted', providerReference: expect.stringMatching(/^TRF_/) };
    expect(await payouts.purchase(order, never)).toEqual(accepted);
    expect(await payouts.find(order, never)).toEqual(accepted);
    server.transfers.setStatus(order.reference, 'success');
    expect(await payouts.find(order, never)).toMatchObject({ outcome: 'delivered', deliveredAmount: 250_025n });
    expect(server.transfers.sales.get(order.reference)).toBe(1);
  });

  it.each([
    ['failed', 'transfer_failed'],
    ['abandoned', 'transfer_not_confirmed'],
    ['blocked', 'transfer_not_approved'],
    ['rejected', 'transfer_not_approved'],
  ])('takes a transfer that is %s as not paid', async (status, code) => {
    const order = planned(status);
    expect(await payouts.purchase(order, never)).toMatchObject({ outcome: 'not_delivered', code });
    expect(await payouts.find(order, never)).toMatchObject({ outcome: 'not_delivered', about: 'order', code });
  });

  it('tells that a bank returned what had arrived, and what had not', async () => {
    const [order, at] = [orderOf(), server.balance];
    await payouts.purchase(order, never);
    server.transfers.setStatus(order.reference, 'reversed');
    expect(await payouts.find(order, never)).toMatchObject({ outcome: 'reversed', code: 'returned_by_bank' });
    expect(await payouts.purchase(order, never)).toMatchObject({ outcome: 'not_delivered', code: 'returned_by_bank' });
    expect(server.balance).toBe(at);
  });

  it.each(['SUCCESS', 'processing?', 'toString', ''])('claims nothing of the status %j', (status) => {
    const data = { reference: 'r', status, transfer_code: 'TRF_1', amount: 1, currency: 'NGN' };
    const answer = { status: 200, body: { status: true, message: '', data } };
    const asked = { reference: 'r', currency: 'NGN' } as const;
    expect(findingOf(answer, asked)).toMatchObject({ outcome: 'unknown' });
    expect(transferOf(answer, asked)).toMatchObject({ outcome: 'unknown' });
  });

  it('claims nothing of a payment in another currency', () => {
    const data = { reference: 'r', status: 'success', transfer_code: 'TRF_1', amount: 1, currency: 'GHS' };
    const answer = { status: 200, body: { status: true, message: '', data } };
    expect(findingOf(answer, { reference: 'r', currency: 'NGN' })).toMatchObject({ outcome: 'unknown' });
  });

  it('takes no refusal for one where the transfer is there all the same', async () => {
    const order = orderOf();
    const first = await payouts.purchase(order, never);
    server.transfers.balance = 0n;
    // It looks at the balance first, at the reference then: nothing of it proves that nothing was paid.
    jest.spyOn(server.transfers, 'initiate').mockImplementation((_, response) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ status: false, message: 'Your balance is not enough to fulfil this request' }));
    });
    expect(await payouts.purchase(order, never)).toEqual(first);
    jest.spyOn(server.transfers, 'createRecipient').mockImplementation((_, response) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ status: false, message: 'Account details are invalid' }));
    });
    expect(await payouts.purchase(order, never)).toEqual(first);
    expect(await payouts.purchase(orderOf(), never)).toMatchObject({ code: 'invalid_recipient' });
  });

  it('takes no refusal for one that Paystack does not confirm', async () => {
    const order = orderOf();
    server.transfers.plan(order.reference, 'refuses');
    jest.spyOn(server.transfers, 'verify').mockImplementation((_, response) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ status: false, message: 'Transfer not found' }));
    });
    expect(await payouts.purchase(order, never)).toEqual({ outcome: 'unknown', code: 'not_confirmed' });
  });

  it('lets another provider try when the balance is too small', async () => {
    server.transfers.balance = 250_025n;
    expect(await payouts.purchase(orderOf(), never)).toMatchObject({
      outcome: 'not_delivered',
      code: 'provider_float_empty',
      retryElsewhere: true,
    });
    expect(server.balance).toBe(250_025n);
  });

  it.each(Object.entries(TRANSFER_REFUSALS))('understands the refusal %s', (code, refusal) => {
    const said = (status: number, about: object) =>
      transferOf({ status, body: { status: false, ...about } }, { reference: 'r', currency: 'NGN' });
    expect(said(400, { message: 'x', code })).toEqual({ outcome: 'not_delivered', ...refusal });
    expect(said(500, { message: 'x', code })).toMatchObject({ outcome: 'unknown' });
    expect(said(400, { message: 'x', code: `${code}_2` })).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    ['Your balance is not enough to fulfil this request', 'provider_float_empty'],
    ['You cannot initiate third party payouts at this time', 'provider_account_locked'],
    ['You cannot initiate third party payouts as a starter business', 'provider_account_locked'],
    ['Recipient specified is invalid', 'invalid_recipient'],
  ])('understands an error without a code: %s', (message, code) => {
    const answer = { status: 400, body: { status: false, message } };
    expect(transferOf(answer, { reference: 'r', currency: 'NGN' })).toMatchObject({ outcome: 'not_delivered', code });
  });

  it('tells whose account it is', async () => {
    const resolve = (bankCode: string, accountNumber: string) =>
      payouts.resolve({ bankCode, accountNumber, livemode: true }, never);
    expect(await resolve('058', '0123456789')).toEqual({ outcome: 'found', accountName: 'ADAEZE OKAFOR' });
    expect(await resolve('058', NO_SUCH_ACCOUNT)).toEqual({ outcome: 'not_found' });
    expect(await resolve('999', '0123456789')).toEqual({ outcome: 'unavailable' });
    const body = { status: true, message: '', data: { account_number: '0123456780', account_name: 'ELSE' } };
    expect(nameOf({ status: 200, body }, '0123456789')).toEqual({ outcome: 'unavailable' });
    expect(nameOf({ status: 429, body: { status: false } }, '0123456789')).toEqual({ outcome: 'unavailable' });
  });

  it('sells where Paystack lists the bank, and asks for the list once a day', async () => {
    const sells = (currency: 'NGN' | 'GHS' | 'KES', bankCode: string) =>
      payouts.canSell({ ...orderOf(), currency, item: { ...ITEM, bankCode } });
    expect(await Promise.all([sells('NGN', '801'), sells('GHS', '040100')])).toEqual([true, true]);
    expect([await sells('NGN', '000'), await sells('NGN', '030'), await sells('GHS', '058')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await sells('KES', '01')).toMatchObject({ outcome: 'refused', message: 'No payouts are made in KES.' });
    // Two banks a page.
    expect(server.heard.filter(({ path }) => path === '/bank')).toHaveLength(Math.ceil((BANKS.length - 1) / 2) + 1);
  });

  it('tries where nobody tells the banks', async () => {
    server.shutOut = 403;
    expect(await payouts.canSell(orderOf())).toBe(true);
    server.shutOut = null;
    expect(await payouts.canSell({ ...orderOf(), item: { ...ITEM, bankCode: '000' } })).toBe(false);
  });

  it('knows its balance', async () => {
    expect(await payouts.balance('NGN', never)).toBe(100_000_000n);
    await expect(payouts.balance('GHS', never)).rejects.toThrow('no balance in GHS');
  });

  it('tells whether its settings are right', async () => {
    expect(await payouts.check(never)).toMatchObject({ isFine: true });
    const wrong = new PaystackPayouts({ url: server.url, secretKey: 'sk_live_2', email: undefined }, outside());
    expect(await wrong.check(never)).toMatchObject({ isFine: false, says: expect.stringContaining('key') });
  });

  it('hears of transfers only', () => {
    const heard = (event: string, data: object) => payouts.verify(server.callback(event, data));
    const { event, data } = bodyOf('event-transfer-reversed') as { event: string; data: object };
    expect(heard(event, data)).toEqual({ outcome: 'genuine', reference: 'jvrjckwenm', says: 'transfer_reversed' });
    expect(heard('charge.success', { reference: newId() })).toEqual({ outcome: 'other' });
  });

  describe('answers of the documentation', () => {
    const asked = { reference: 'acv_9ee55786-2323-4760-98e2-6380c9cb3f67', currency: 'NGN' } as const;

    it('to a request for a recipient', () => {
      expect(recipientOf(fixture('recipient'), '0001234567')).toBe('RCP_t0ya41mp35flk40');
      expect(recipientOf(fixture('recipient'), '0001234568')).toMatchObject({ outcome: 'unknown' });
    });

    it('to a request for a transfer', () => {
      const reference = 'acv_9ee55786-2323-4760-98e2-6380c9cb3f68';
      expect(transferOf(fixture('transfer-initiate'), { ...asked, reference })).toEqual({ outcome: 'exists' });
      expect(transferOf(shown('api-transfers-initiate', 200), { ...asked, reference })).toEqual({ outcome: 'exists' });
      expect(transferOf(fixture('transfer-otp'), { ...asked, reference: 'x8beye1xud' })).toEqual({
        outcome: 'accepted',
        providerReference: 'TRF_1aqrqhoomp0rjro',
      });
      expect(transferOf(shown('api-transfers-initiate', 400), asked)).toMatchObject({
        outcome: 'not_delivered',
        code: 'invalid_recipient',
      });
    });

    it('to a question for a transfer', () => {
      const delivered = {
        outcome: 'delivered',
        providerReference: 'TRF_8opchtrhtjlfz90n',
        deliveredAmount: 100_000n,
        cost: 101_000n,
        details: { session_id: null },
      };
      expect(findingOf(fixture('transfer-verify'), asked)).toEqual(delivered);
      expect(findingOf(shown('api-transfers-verify', 200), asked)).toEqual(delivered);
      expect(findingOf(shown('api-transfers-verify', 404), asked)).toEqual({ outcome: 'not_known' });
      expect(findingOf(fixture('transfer-verify'), { ...asked, reference: 'another' })).toMatchObject({
        outcome: 'unknown',
      });
    });

    it('to questions for a name and for balances', () => {
      expect(nameOf(fixture('resolve-account'), '0001234567')).toEqual({
        outcome: 'found',
        accountName: 'Doe Jane Loren',
      });
      expect(balancesOf(envelopeOf(fixture('balance')))).toEqual([['NGN', 2_910_971_757n]]);
    });
  });
});
