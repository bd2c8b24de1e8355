import { readFileSync } from 'node:fs';
import { newId } from '../../src/core/http/ids';
import { MONNIFY, type MonnifySettings } from '../../src/extensions/monnify/monnify';
import { balanceOf, findingOf, MonnifyPayouts, nameOf, placedOf } from '../../src/extensions/monnify/monnify-payouts';
import { ASK_AGAIN, CODES, REASONS, STATES } from '../../src/extensions/monnify/monnify-reasons';
import type { PayoutItem } from '../../src/modules/payouts/payouts.provider';
import type { Order } from '../../src/modules/purchases/purchases.provider';
import { parseJson } from '../../src/providers/http';
import { No, NONSENSE } from '../pretended/monnify/answers';
import { Company } from '../pretended/monnify/company';
import { outside } from './outside';
import { providerContract } from './provider-contract';
import type { Deed, Ending, Rig } from './rig';

const settingsOfDocs: Omit<MonnifySettings, 'secretKey'> = {
  url: 'http://127.0.0.1:9/',
  apiKey: 'MK_TEST_DOCS',
  sourceAccount: '1',
  contractCode: '1',
  emailDomain: 'pay.example.com',
  banks: [],
  bvn: undefined,
};

const never = new AbortController().signal;
const FLOAT = 100_000_000_000n;

const settingsOf = (company: Company): MonnifySettings =>
  MONNIFY.read({ ...company.settings }).values as MonnifySettings;
const payoutsOf = (company: Company) => new MonnifyPayouts(settingsOf(company), outside());

let accounts = 0;
const orderOf = (reference: string): Order<PayoutItem> => ({
  reference,
  accountId: newId(),
  livemode: true,
  purchaseId: newId(),
  amount: 150_050n,
  currency: 'NGN',
  item: {
    bankCode: '058',
    accountNumber: `${1_000_000_000 + accounts++}`,
    bankName: 'GTBank',
    accountName: 'ADA OBI',
    narration: null,
  },
  options: {},
  providerReference: null,
  scenario: null,
});

const fixture = (name: string): Buffer => readFileSync(`test/pretended/monnify/fixtures/${name}.json`);
const recorded = (name: string, status = 200) => ({ status, body: parseJson(fixture(name).toString()) });

const ENDED: Readonly<Record<Ending, string>> = { delivered: 'SUCCESS', failed: 'FAILED', reversed: 'REVERSED' };

async function rig(): Promise<Rig<PayoutItem>> {
  const company = await new Company().listen();
  let orders = 0;
  const order = (deed: Deed) => {
    const made = orderOf(newId());
    company.plan(made.reference, deed, { kind: orders++ });
    return made;
  };
  return {
    provider: payoutsOf(company),
    order,
    begun: (reference) => company.begun(reference),
    sales: (reference) => company.transfers.times.get(reference) ?? 0,
    booked: (reference) => {
      const { amount, fee } = company.transfers.all.get(reference)!;
      return { asked: amount, taken: amount + fee };
    },
    later: {
      order: () => {
        const made = orderOf(newId());
        company.plan(made.reference, 'delivers', { outcome: { status: 'PENDING', description: '' } });
        return made;
      },
      end: (reference, how) => company.end(reference, ENDED[how]),
      endings: ['delivered', 'failed', 'reversed'],
    },
    expireTokens: () => company.expireTokens(),
    kindsOfNonsense: NONSENSE.length,
    callbacks: {
      own: (reference) => company.signed(company.transferEvent(reference)),
      foreign: (reference) => company.signed(company.transferEvent(reference), 'another'),
    },
    close: () => company.stop(),
  };
}

providerContract('Monnify, payouts, over HTTP', rig as () => Promise<Rig>);

describe('payouts by Monnify', () => {
  let company: Company;
  let payouts: MonnifyPayouts;

  beforeAll(async () => {
    company = await new Company().listen();
    payouts = payoutsOf(company);
  });
  afterAll(() => company.stop());

  it('sends what Monnify wants, in naira with kobo, and tells what the float went down by', async () => {
    const order = orderOf('order/1?../2');
    const before = company.transfers.balance;
    expect(await payouts.purchase(order, never)).toEqual({
      outcome: 'delivered',
      providerReference: expect.stringMatching(/^MFDS/),
      deliveredAmount: 150_050n,
      cost: 151_050n,
      details: { session_id: null },
    });
    expect(before - company.transfers.balance).toBe(151_050n);
    const [login, request, summary] = company.heard.slice(-3);
    expect(login!.path).toBe('/api/v1/auth/login');
    expect(request!.text).toContain('"amount":1500.50,');
    expect(request!.body).toEqual({
      amount: 1500.5,
      reference: order.reference,
      narration: 'Payout',
      destinationBankCode: '058',
      destinationAccountNumber: order.item.accountNumber,
      destinationAccountName: 'ADA OBI',
      currency: 'NGN',
      sourceAccountNumber: '9988776655',
    });
    expect(summary!.query.get('reference')).toBe(order.reference);
  });

  it('writes amounts of any size digit by digit', async () => {
    const order = { ...orderOf(newId()), amount: 9_007_199_254_740_991n };
    await payouts.purchase(order, never);
    expect(company.heard.find(({ body }) => body?.reference === order.reference)!.text).toContain('90071992547409.91,');
  });

  it('logs in once, and again when a token is refused', async () => {
    const { logins } = company;
    await payouts.balance('NGN', never);
    expect(company.logins).toBe(logins);
    company.expireTokens();
    await payouts.balance('NGN', never);
    expect(company.logins).toBe(logins + 1);
  });

  it('waits for what is under way, or for a one-time password, until the transfer ends', async () => {
    for (const status of ['PENDING', 'PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED']) {
      const order = orderOf(newId());
      company.plan(order.reference, 'delivers', { outcome: { status, description: '' } });
      expect(await payouts.purchase(order, never)).toEqual({ outcome: 'accepted' });
      expect(await payouts.find(order, never)).toEqual({ outcome: 'accepted' });
      company.transfers.end(order.reference, 'SUCCESS');
      expect(await payouts.find(order, never)).toMatchObject({ outcome: 'delivered', deliveredAmount: order.amount });
    }
  });

  it('tells that a bank returned the money', async () => {
    const order = orderOf(newId());
    const before = company.transfers.balance;
    await payouts.purchase(order, never);
    company.transfers.end(order.reference, 'REVERSED');
    expect(await payouts.find(order, never)).toMatchObject({ outcome: 'reversed', code: 'transfer_reversed' });
    expect(await payouts.purchase(order, never)).toMatchObject({ outcome: 'not_delivered', code: 'transfer_reversed' });
    expect(company.transfers.balance).toBe(before);
  });

  it('does not take a repetition for a refusal: Monnify refuses the reference, and its summary has the transfer', async () => {
    const order = orderOf(newId());
    company.plan(order.reference, 'stays_silent');
    const stop = new AbortController();
    const first = payouts.purchase(order, stop.signal);
    await company.begun(order.reference);
    stop.abort(new Error('took too long'));
    await expect(first).rejects.toThrow('took too long');
    expect(await payouts.purchase(order, never)).toMatchObject({ outcome: 'delivered' });
    expect(company.transfers.times.get(order.reference)).toBe(1);
  });

  it('takes what looks like a twin for neither done nor refused', async () => {
    const first = orderOf(newId());
    await payouts.purchase(first, never);
    const twin = { ...first, reference: newId() };
    expect(await payouts.purchase(twin, never)).toEqual({ outcome: 'unknown', code: 'refused_without_proof' });
    expect(await payouts.find(twin, never)).toEqual({ outcome: 'not_known' });
  });

  it('leaves it open when the float is empty there but a repetition may be under way', async () => {
    const order = orderOf(newId());
    company.plan(order.reference, 'locks_us_out', { no: new No(422, 'D04', 'Insufficient wallet balance') });
    expect(await payouts.purchase(order, never)).toMatchObject({
      outcome: 'not_delivered',
      code: 'provider_float_empty',
      retryElsewhere: true,
    });
    const held = orderOf(newId());
    company.plan(held.reference, 'delivers', { outcome: { status: 'PENDING', description: '' } });
    await payouts.purchase(held, never);
    company.plan(held.reference, 'delivers', { no: new No(422, 'D04', 'Insufficient wallet balance') });
    expect(await payouts.purchase(held, never)).toEqual({ outcome: 'accepted' });
  });

  it.each(['99', 'D05', 'D07', 'D99'])('takes the code %s for no refusal', async (code) => {
    const order = orderOf(newId());
    company.plan(order.reference, 'delivers', { no: new No(422, code, 'Something else') });
    expect(await payouts.purchase(order, never)).toEqual({ outcome: 'unknown', code: 'refused_without_proof' });
  });

  it('knows its float, and the name of an account', async () => {
    expect(await payouts.balance('NGN', never)).toBe(company.transfers.balance);
    expect(company.transfers.balance).toBeLessThan(FLOAT);
    await expect(payouts.balance('KES', never)).rejects.toThrow('could not be read');
    const account = { bankCode: '058', accountNumber: '0123456789', livemode: true };
    expect(await payouts.resolve(account, never)).toEqual({ outcome: 'found', accountName: 'Test Recipient' });
    company.noName = new No(422, '99', 'Invalid account details supplied');
    expect(await payouts.resolve(account, never)).toEqual({ outcome: 'not_found' });
    company.noName = new No(422, '99', 'Account number could not be validated');
    expect(await payouts.resolve(account, never)).toEqual({ outcome: 'unavailable' });
    company.noName = null;
  });

  it('pays naira only', () => {
    expect(payouts.canSell(orderOf('x'))).toBe(true);
    expect(payouts.canSell({ ...orderOf('x'), currency: 'KES' })).toMatchObject({ outcome: 'refused' });
  });

  describe('says of its settings', () => {
    const checkWith = (changed: Partial<MonnifySettings>) =>
      new MonnifyPayouts({ ...settingsOf(company), ...changed } as MonnifySettings, outside()).check(never);

    it('that they are fine', async () => {
      expect(await checkWith({})).toEqual({
        isFine: true,
        says: 'Monnify lets the keys in and shows the balance of the wallet.',
      });
    });

    it('that a key is wrong', async () => {
      expect(await checkWith({ secretKey: 'wrong' })).toEqual({
        isFine: false,
        says: 'Monnify refuses MONNIFY_API_KEY or MONNIFY_SECRET_KEY.',
      });
    });

    it('that the wallet is not ours, in the words of Monnify', async () => {
      expect(await checkWith({ sourceAccount: '1' })).toEqual({
        isFine: false,
        says: 'Monnify lets the keys in, and answers: D01 Supplied account number does not belong to merchant',
      });
    });

    it('that nobody is there, or somebody else', async () => {
      const gone = await new Company().listen();
      const url = gone.url;
      await gone.stop();
      expect((await checkWith({ url })).says).toBe('Nobody accepts connections at MONNIFY_URL.');
      company.madAbout = '/';
      const { isFine } = await checkWith({});
      company.madAbout = null;
      expect(isFine).toBe(false);
    });
  });
});

describe('what answers about a transfer prove', () => {
  const order = { reference: 'r', amount: 10_000n };
  const summary = (changed: object) => ({
    status: 200,
    body: {
      requestSuccessful: true,
      responseMessage: 'success',
      responseCode: '0',
      responseBody: {
        reference: 'r',
        amount: '100.00',
        currency: 'NGN',
        fee: '10.00',
        transactionReference: 'MFDS1',
        ...changed,
      },
    },
  });
  const refused = (responseCode: string, responseMessage: string, status = 422) => ({
    status,
    body: { requestSuccessful: false, responseMessage, responseCode },
  });

  it('has an outcome for each state that is documented, and for no other', () => {
    const found = Object.keys(STATES).map((status) => [status, findingOf(summary({ status }), order).outcome]);
    expect(Object.fromEntries(found)).toEqual({
      PENDING: 'accepted',
      AWAITING_PROCESSING: 'accepted',
      IN_PROGRESS: 'accepted',
      PENDING_AUTHORIZATION: 'accepted',
      PENDING_BATCH_AUTHORIZATION: 'accepted',
      OTP_EMAIL_DISPATCH_FAILED: 'accepted',
      SUCCESS: 'delivered',
      COMPLETED: 'delivered',
      FAILED: 'not_delivered',
      EXPIRED: 'not_delivered',
      REVERSED: 'reversed',
    });
    for (const status of ['success', 'CANCELLED', 'constructor', '', null])
      expect(findingOf(summary({ status }), order).outcome).toBe('unknown');
  });

  it.each(Object.entries(REASONS))('understands a transfer that failed of: %s', (sentence, refusal) => {
    const failed = summary({ status: 'FAILED', transactionDescription: `${sentence.toUpperCase()}.` });
    expect(findingOf(failed, order)).toEqual({ outcome: 'not_delivered', ...refusal, about: 'order' });
    expect(placedOf(refused('D01', sentence), order)).toEqual(refusal);
  });

  it.each([...ASK_AGAIN])('does not believe a failure of which Monnify wants to be asked again: %s', (sentence) => {
    const failed = summary({ status: 'FAILED', transactionDescription: sentence });
    expect(findingOf(failed, order)).toEqual({ outcome: 'unknown', code: 'failed_without_proof' });
    expect(placedOf(refused('D01', sentence), order)).toBe('unclear');
  });

  it.each(Object.entries(CODES))(
    'understands the refusal %s of a request, which ends none that was sent before',
    (code, refusal) => {
      expect(placedOf(refused(code, 'x'), order)).toEqual(refusal);
      expect(findingOf(refused(code, 'x'), order)).toEqual({ outcome: 'unknown', code: 'not_about_the_order' });
    },
  );

  it('knows a reference that Monnify never heard of by its code or its sentence only', () => {
    expect(findingOf(refused('D02', 'Transaction does not exist.'), order)).toEqual({ outcome: 'not_known' });
    const sentence = 'Could not find disbursement transaction for given reference';
    expect(findingOf(refused('99', sentence, 404), order)).toEqual({ outcome: 'not_known' });
    expect(findingOf(refused('D02', sentence, 500), order).outcome).toBe('unknown');
    expect(findingOf({ status: 404, body: null }, order).outcome).toBe('unknown');
    expect(findingOf(recorded('not-permitted', 403), order).outcome).toBe('unknown');
    expect(findingOf(recorded('forbidden-by-gateway', 403), order).outcome).toBe('unknown');
  });

  it('has no delivery of another amount, in another currency, or without its reference', () => {
    const done = { status: 'SUCCESS' };
    for (const wrong of [{ amount: '99.99' }, { currency: 'USD' }, { transactionReference: '' }, { fee: 'free' }])
      expect(findingOf(summary({ ...done, ...wrong }), order).outcome).toBe('unknown');
  });

  it('reads what the documentation recorded', () => {
    const sent = { reference: 'disb-test-1782549167', amount: 10_000n };
    expect(placedOf(recorded('transfer-success'), sent)).toBe('ended');
    expect(findingOf(recorded('summary-success'), sent)).toEqual({
      outcome: 'delivered',
      providerReference: 'MFDS87620260627093249000027JDW8UZ',
      deliveredAmount: 10_000n,
      cost: 11_000n,
      details: { session_id: null },
    });
    const older = { reference: 'ben9-jlo00hdhdjjdfjoj--i', amount: 2_000n };
    expect(placedOf(recorded('transfer-with-session'), older)).toBe('ended');
    const otp = { reference: 'reference12934', amount: 1_000n };
    expect(placedOf(recorded('transfer-pending-authorization'), otp)).toBe('under_way');
    expect(balanceOf(recorded('wallet-balance'))).toBe(328_459_035_536n);
    expect(balanceOf(recorded('wallet-balance-as-text'))).toBe(491_979_810_136n);
    expect(nameOf(recorded('account-name'), '0123456789')).toEqual({ outcome: 'found', accountName: 'Ada Lovelace' });
    expect(nameOf(recorded('account-name'), '0123456788')).toEqual({ outcome: 'unavailable' });
  });

  it('knows the signature of the documentation, and which transfer a webhook is about', () => {
    const secretKey = '91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y';
    const signature =
      'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c';
    const settings = { ...settingsOfDocs, secretKey };
    const payouts = new MonnifyPayouts(settings, outside());
    const body = fixture('webhook-signed');
    const headers = { 'monnify-signature': signature };
    expect(payouts.verify({ body, headers })).toEqual({ outcome: 'other' });
    expect(payouts.verify({ body: Buffer.concat([body, Buffer.from('\n')]), headers })).toEqual({ outcome: 'forged' });
    const heard = (name: string) =>
      payouts.verify(new Company().signed(JSON.parse(fixture(name).toString()), secretKey));
    expect(heard('webhook-disbursement')).toEqual({
      outcome: 'genuine',
      reference: 'ref1615947809303',
      says: 'successful_disbursement',
    });
    expect(heard('webhook-reversed')).toMatchObject({ says: 'reversed_disbursement' });
    expect(heard('webhook-collection')).toEqual({ outcome: 'other' });
  });
});
