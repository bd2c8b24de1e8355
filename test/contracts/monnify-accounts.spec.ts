import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { newId } from '../../src/core/http/ids';
import { MONNIFY, type MonnifySettings } from '../../src/extensions/monnify/monnify';
import { MonnifyAccounts, openedOf, refusalOf } from '../../src/extensions/monnify/monnify-accounts';
import { timeOf } from '../../src/extensions/monnify/monnify-time';
import { arrivalOf, confirmationOf, pageOf, refundOf } from '../../src/extensions/monnify/monnify-transactions';
import { accountReferenceOf } from '../../src/modules/virtual-accounts/bank-client';
import type {
  AccountOrder,
  Arrival,
  TransferQuestion,
} from '../../src/modules/virtual-accounts/virtual-accounts.provider';
import { fieldsOf } from '../../src/providers/answers';
import { parseJson } from '../../src/providers/http';
import { Company } from '../pretended/monnify/company';
import { outside } from './outside';
import { type BankRig, virtualAccountContract } from './virtual-account-rules';

const never = new AbortController().signal;
const settingsOf = (company: Company): MonnifySettings =>
  MONNIFY.read({ ...company.settings }).values as MonnifySettings;
const bankOf = (company: Company) => new MonnifyAccounts(settingsOf(company), outside());

const orderOf = (changed: Partial<AccountOrder> = {}): AccountOrder => {
  const accountId = newId();
  const reference = accountReferenceOf({ accountId, id: newId() });
  const plain = { kind: 'permanent', currency: 'NGN', amount: null, label: null, expiresAt: null } as const;
  return { reference, accountId, livemode: true, ...plain, ...changed };
};

const questionOf = ({ accountId, reference }: AccountOrder, providerReference: string): TransferQuestion => ({
  providerReference,
  account: reference,
  accountId,
  livemode: true,
});

const fixture = (name: string): Buffer => readFileSync(`test/pretended/monnify/fixtures/${name}.json`);
const recorded = (name: string, status = 200) => ({ status, body: parseJson(fixture(name).toString()) });

async function rig(): Promise<BankRig> {
  const company = await new Company().listen();
  // The contract pays less than what Monnify gives back.
  company.collections.refundMin = 1n;
  return {
    bank: bankOf(company),
    order: orderOf,
    pay: async ({ reference }, amount) => {
      const { reference: providerReference } = company.collections.pay(reference, amount);
      return { providerReference, account: reference, amount, currency: 'NGN' };
    },
    callback: ({ providerReference }: Arrival) =>
      company.signed(company.collections.event(company.collections.payments.get(providerReference)!)),
    kept: ({ amount }) => amount / 100n,
    otherCallback: () => company.signed(company.transferEvent(null)),
    expireTokens: () => company.expireTokens(),
    talkNonsense: () => (company.madAbout = '/'),
    close: () => company.stop(),
  };
}

virtualAccountContract('Monnify, reserved accounts, over HTTP', rig);

describe('reserved accounts of Monnify', () => {
  let company: Company;
  let bank: MonnifyAccounts;

  beforeAll(async () => {
    company = await new Company().listen();
    bank = bankOf(company);
  });
  afterAll(() => company.stop());

  async function paid(amount: bigint) {
    const order = orderOf();
    await bank.open(order, never);
    const payment = company.collections.pay(order.reference, amount);
    return { order, payment, question: questionOf(order, payment.reference) };
  }

  it('asks for one bank, for a customer of its own', async () => {
    const order = orderOf({ label: 'Ada Obi' });
    const opened = await bank.open(order, never);
    expect(opened).toMatchObject({
      outcome: 'opened',
      bank: { code: '50515', name: 'Moniepoint Microfinance Bank' },
      accountNumber: expect.stringMatching(/^\d{10}$/),
    });
    expect(company.heard.at(-1)!.body).toEqual({
      accountReference: order.reference,
      accountName: 'Ada Obi',
      currencyCode: 'NGN',
      contractCode: '1234567890',
      customerEmail: `${order.reference}@pay.example.com`,
      customerName: 'Ada Obi',
      getAllAvailableBanks: false,
      preferredBanks: ['50515'],
    });
  });

  it('sends the verification number only where there is one', async () => {
    const settings = { ...settingsOf(company), bvn: '21212121212' } as MonnifySettings;
    await new MonnifyAccounts(settings, outside()).open(orderOf(), never);
    expect(company.heard.at(-1)!.body).toMatchObject({ bvn: '21212121212' });
  });

  it('opens nothing where Monnify calls the request wrong and has no such account', async () => {
    const settings = { ...settingsOf(company), banks: ['001'] } as MonnifySettings;
    expect(await new MonnifyAccounts(settings, outside()).open(orderOf(), never)).toMatchObject({
      outcome: 'not_opened',
      code: 'account_not_opened',
    });
  });

  it('leaves it open where the refusal may be of the moment', async () => {
    const settings = { ...settingsOf(company), contractCode: '1' } as MonnifySettings;
    expect(await new MonnifyAccounts(settings, outside()).open(orderOf(), never)).toEqual({
      outcome: 'unknown',
      code: 'refused_without_proof',
    });
  });

  it('reads kobo, who paid, and when by the clock of Lagos', async () => {
    const { order, payment, question } = await paid(1_234_567n);
    expect(await bank.find(question, never)).toEqual({
      outcome: 'received',
      providerReference: payment.reference,
      account: order.reference,
      amount: 1_234_567n,
      currency: 'NGN',
      fee: 12_345n,
      payer: { name: 'BENJAMIN CHUKWUEMEKA ONONOGBU', bank: null, accountNumber: '******1070' },
      sessionId: '090405230626180003067844645188',
      arrivedAt: new Date(Math.floor(payment.paidAt.getTime() / 1_000) * 1_000),
    });
  });

  it('waits for what is not booked, and claims nothing of what was not paid', async () => {
    const { payment, question } = await paid(50_000n);
    const outcomes: string[] = [];
    for (const status of ['PENDING', 'ABANDONED', 'FAILED', 'EXPIRED', 'CANCELLED', 'paid', 'REVERSED']) {
      payment.status = status;
      outcomes.push((await bank.find(question, never)).outcome);
    }
    expect(outcomes).toEqual(['awaiting', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'returned']);
  });

  it('gives the whole of a transfer back once, and says so when it is back', async () => {
    const { payment, question } = await paid(50_050n);
    company.collections.refundsEnd = 'PENDING';
    for (let i = 0; i < 2; i++) expect(await bank.giveBack(question, never)).toEqual({ outcome: 'accepted' });
    const [refund, ...others] = [...company.collections.refunds.values()].filter((one) => one.payment === payment);
    expect(others).toEqual([]);
    expect(refund).toMatchObject({ amount: 50_050n, reference: `back-${payment.reference.replaceAll('|', '-')}` });
    expect(await bank.find(question, never)).toMatchObject({ outcome: 'received' });
    refund!.status = 'COMPLETED';
    expect(await bank.find(question, never)).toMatchObject({ outcome: 'returned', amount: 50_050n });
    company.collections.refundsEnd = 'COMPLETED';
  });

  it('leaves it to a person where a transfer went back under another reference than ours, and sends it back no second time', async () => {
    const { payment, question } = await paid(50_000n);
    payment.status = 'REFUNDED';
    const elsewhere = { outcome: 'unknown', code: 'refunded_elsewhere' };
    expect(await bank.find(question, never)).toEqual(elsewhere);
    expect(await bank.giveBack(question, never)).toEqual(elsewhere);
    expect([...company.collections.refunds.values()].filter((one) => one.payment === payment)).toEqual([]);
    payment.status = 'PAID';
    await bank.giveBack(question, never);
    payment.status = 'REFUNDED';
    expect(await bank.find(question, never)).toMatchObject({ outcome: 'returned', amount: 50_000n });
    expect(await bank.giveBack(question, never)).toEqual({ outcome: 'accepted' });
  });

  it('claims nothing while nobody can say whether a transfer went back', async () => {
    const { question } = await paid(50_000n);
    company.madAbout = '/api/v1/refunds';
    expect(await bank.find(question, never)).toMatchObject({ outcome: 'unknown' });
    company.madAbout = null;
    expect(await bank.find(question, never)).toMatchObject({ outcome: 'received' });
  });

  it('says when a refund is refused, or failed', async () => {
    const small = await paid(5_000n);
    expect(await bank.giveBack(small.question, never)).toEqual({ outcome: 'unknown', code: 'refund_refused' });
    const other = await paid(50_000n);
    company.collections.refundsEnd = 'FAILED';
    for (let i = 0; i < 2; i++)
      expect(await bank.giveBack(other.question, never)).toEqual({ outcome: 'unknown', code: 'refund_failed' });
    company.collections.refundsEnd = 'COMPLETED';
    expect(await bank.find(other.question, never)).toMatchObject({ outcome: 'received' });
  });

  it('lists page by page, and leaves out what is not paid into accounts of ours', async () => {
    const order = orderOf();
    await bank.open(order, never);
    const since = new Date(Date.now() - 1);
    for (let i = 0; i < 101; i++) company.collections.pay(order.reference, 100_000n + BigInt(i));
    const first = await bank.list({ livemode: true, accountId: null, since, cursor: null }, never);
    expect(first).toMatchObject({ outcome: 'listed', next: '1' });
    const second = await bank.list({ livemode: true, accountId: null, since, cursor: '1' }, never);
    expect(second).toMatchObject({ outcome: 'listed', next: null });
    const all = [first, second].flatMap((page) => (page.outcome === 'listed' ? page.arrivals : []));
    expect(new Set(all.filter(({ account }) => account === order.reference).map(({ amount }) => amount)).size).toBe(
      101,
    );
    expect(company.heard.at(-1)!.query.get('from')).toBe(`${since.getTime()}`);
  });

  it('calls back, standing alone, when somebody pays into a number', async () => {
    const order = orderOf();
    const opened = await bank.open(order, never);
    const { accountNumber } = opened as { accountNumber: string };
    const heard = await new Company().listen();
    company.callbackUrl = heard.url;
    const body = JSON.stringify({ accountNumber, amount: 250.5 });
    await fetch(new URL('pretend/pay', company.url), { method: 'POST', body });
    for (let i = 0; i < 200 && heard.heard.length === 0; i++) await setTimeout(10);
    company.callbackUrl = null;
    await heard.stop();
    const [callback] = heard.heard;
    expect(callback!.path).toBe('/callbacks/virtual-accounts/monnify');
    const signature = callback!.headers['monnify-signature'] as string;
    const headers = { 'monnify-signature': signature };
    expect(bank.verify({ body: Buffer.from(callback!.text), headers })).toMatchObject({
      outcome: 'genuine',
      arrival: { account: order.reference, amount: 25_050n },
    });
  });

  it('says of its settings what it can', async () => {
    expect((await bank.check(never)).isFine).toBe(true);
    const wrong = { ...settingsOf(company), apiKey: 'MK_PROD_WRONG' } as MonnifySettings;
    expect(await new MonnifyAccounts(wrong, outside()).check(never)).toEqual({
      isFine: false,
      says: 'Monnify refuses MONNIFY_API_KEY or MONNIFY_SECRET_KEY.',
    });
  });

  it('knows only webhooks about reserved accounts', () => {
    const event = (changed: object) => bank.verify(company.signed({ eventType: 'SUCCESSFUL_TRANSACTION', ...changed }));
    const { eventData } = JSON.parse(fixture('webhook-collection').toString()) as { eventData: object };
    expect(event({ eventData })).toEqual({
      outcome: 'genuine',
      arrival: {
        providerReference: 'MNFY|04|20211117112842|000170',
        account: '1636106097661',
        amount: 300_000n,
        currency: 'NGN',
      },
    });
    for (const other of [
      { eventData: { ...eventData, product: { type: 'WEB_SDK', reference: 'x' } } },
      { eventData: { ...eventData, amountPaid: '1e3' } },
      { eventType: 'SUCCESSFUL_DISBURSEMENT', eventData },
      {},
    ])
      expect(event(other)).toEqual({ outcome: 'other' });
  });
});

describe('what Monnify recorded', () => {
  it('an account, of which one bank counts', () => {
    const order = { reference: 'acct-ref-1' } as AccountOrder;
    const opened = (banks: string[]) => openedOf(recorded('reserved-account'), order, banks);
    expect(opened(['50515', '232', '035'])).toEqual({
      outcome: 'opened',
      providerReference: '17ERLN8RZCZ203H00044',
      bank: { code: '232', name: 'Sterling bank' },
      accountNumber: '2207879758',
      accountName: 'Ada Lovelace Wallet',
    });
    expect(opened([])).toMatchObject({ accountNumber: '1003823063' });
    expect(openedOf(recorded('reserved-account'), orderOf(), [])).toMatchObject({ outcome: 'unknown' });
    expect(openedOf(recorded('reserved-twice', 422), order, [])).toMatchObject({ outcome: 'unknown' });
  });

  it('why there is none', () => {
    expect(refusalOf({ status: 422, code: 'R42' })).toMatchObject({ outcome: 'not_opened', code: 'too_many_accounts' });
    expect(refusalOf({ status: 422, code: '99' })).toMatchObject({ outcome: 'unknown' });
  });

  it('transactions', () => {
    const about = (providerReference: string) => questionOf(orderOf(), providerReference);
    const pending = 'MNFY|17|20260627090811|000340';
    expect(confirmationOf(recorded('transaction-pending'), about(pending))).toEqual({ outcome: 'awaiting' });
    expect(confirmationOf(recorded('transaction-pending'), about('another'))).toMatchObject({ outcome: 'unknown' });
    expect(confirmationOf(recorded('no-transaction', 404), about(pending))).toEqual({ outcome: 'not_known' });
    expect(confirmationOf(recorded('not-permitted', 403), about(pending))).toMatchObject({ outcome: 'unknown' });
    const responseBody = recorded('transaction-facts').body;
    const envelope = { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody };
    const paid = confirmationOf({ status: 200, body: envelope }, about('MNFY|52|20231231115904|002209'));
    expect(paid).toEqual({
      outcome: 'received',
      providerReference: 'MNFY|52|20231231115904|002209',
      account: '202312311050697',
      fee: 1_000n,
      amount: 25_000n,
      currency: 'NGN',
      payer: { name: 'Monnify Limited', bank: null, accountNumber: '******2190' },
      sessionId: '6G8t4MsW1j7dYBTyIlqwjo2AsrAWc8Ey',
      arrivedAt: new Date('2023-12-31T10:59:04Z'),
    });
    const { eventData } = fieldsOf(recorded('webhook-collection').body);
    expect(arrivalOf(fieldsOf(eventData), 'NGN')).toMatchObject({ amount: 300_000n });
    expect(arrivalOf(fieldsOf(eventData), 'USD')).toBeNull();
  });

  it('a page of the search', () => {
    expect(pageOf(recorded('search-page'), 'example.com')).toEqual({ outcome: 'listed', arrivals: [], next: null });
    expect(pageOf(recorded('not-permitted', 403), 'example.com')).toMatchObject({ outcome: 'unknown' });
  });

  it('refunds', () => {
    const ours = { reference: '202100op3456', amount: 10_000n };
    expect(refundOf(recorded('refund'), ours)).toBe('completed');
    expect(refundOf(recorded('refund'), { ...ours, amount: 10_001n })).toBe('unreadable');
    expect(refundOf(recorded('refund'), { ...ours, reference: 'x' })).toBe('unreadable');
    expect(refundOf(recorded('not-permitted', 403), ours)).toBe('none');
    const refused = (status: number, responseCode: string, responseMessage: string) =>
      refundOf({ status, body: { requestSuccessful: false, responseCode, responseMessage } }, ours);
    expect(refused(404, 'R7', 'Refund not found')).toBe('none');
    expect(refused(404, '99', 'No refund was initiated with the supplied refund reference.')).toBe('none');
    expect(refused(429, '99', 'Too many requests')).toBe('unreadable');
    expect(refused(403, '99', 'Access denied')).toBe('unreadable');
    expect(refused(401, '99', 'Invalid token')).toBe('unreadable');
    expect(refundOf({ status: 404, body: null }, ours)).toBe('unreadable');
  });

  it.each([
    ['2026-06-27T08:32:49.000+00:00', '2026-06-27T08:32:49Z'],
    ['2022-11-03T14:13:38.140+0000', '2022-11-03T14:13:38Z'],
    ['2026-06-27T08:32:49Z', '2026-06-27T08:32:49Z'],
    ['2026-06-27T08:32:49-01:30', '2026-06-27T10:02:49Z'],
    ['2021-11-17 11:28:42.615', '2021-11-17T10:28:42Z'],
    ['29/06/2023 01:20:18 PM', '2023-06-29T12:20:18Z'],
    ['30/08/2023 5:13:57 PM', '2023-08-30T16:13:57Z'],
    ['17/03/2021 12:03:32 AM', '2021-03-16T23:03:32Z'],
    ['20/09/2019 11:35:21', '2019-09-20T10:35:21Z'],
  ])('the time %s', (told, meant) => {
    expect(timeOf(told)).toEqual(new Date(meant));
  });

  it.each(['', 'yesterday', '2026-13-01 00:00:00', '45/06/2023 01:20:18 PM', null, 17])('no time: %s', (told) => {
    expect(timeOf(told)).toBeNull();
  });
});
