import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { isOperator, operatorOf, priceOf } from '../../src/extensions/reloadly/operators';
import { callbackOf } from '../../src/extensions/reloadly/reloadly';
import { acceptanceOf, OF_ORDER, REFUSALS, reportOf, resultOf, statusOf } from '../../src/extensions/reloadly/topups';
import { minorOf } from '../../src/providers/decimals';
import { parseJson } from '../../src/providers/http';
import { isNetwork, operatorIds } from '../../src/providers/operator-ids';

const TRANSACTION = { transactionId: 1, customIdentifier: 'r', status: 'REFUNDED' };

function signed(body: Buffer, secret: string) {
  const timestamp = '1763626421';
  const signature = createHmac('sha256', secret).update(`${body.toString()}:${timestamp}`).digest('hex');
  return { body, headers: { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': timestamp } };
}

const FIXTURES = 'test/pretended/reloadly/fixtures';
const told = (name: string): unknown => parseJson(readFileSync(`${FIXTURES}/${name}.json`, 'utf8'));
const naira = { reference: '0199a0c4-0000-7000-8000-000000000001', currency: 'NGN', providerReference: null } as const;
const dollars = { ...naira, currency: 'USD' } as const;
const sold = {
  outcome: 'delivered',
  providerReference: '5100231',
  deliveredAmount: 105_000n,
  details: { operator_reference: '88120:OrderConfirmed' },
};
const unreadable = { outcome: 'unknown', code: 'unreadable_answer' };
const ok = (name: string) => ({ status: 200, body: told(name) });
const READ: Readonly<Record<string, [unknown, unknown]>> = {
  'topup-naira-float': [resultOf(ok('topup-naira-float'), naira), { ...sold, cost: 101_850n }],
  'topup-dollar-float': [resultOf(ok('topup-dollar-float'), naira), { ...sold, cost: 71n, costCurrency: 'USD' }],
  'topup-of-dollars': [
    resultOf(ok('topup-of-dollars'), dollars),
    { ...sold, providerReference: '5100232', deliveredAmount: 1_000n, cost: 971n },
  ],
  'topup-pin': [
    resultOf(ok('topup-pin'), dollars),
    {
      ...sold,
      providerReference: '5100233',
      deliveredAmount: 1_000n,
      cost: 971n,
      secrets: { pin: '111122223333444', serial: '400811' },
    },
  ],
  'topup-processing': [resultOf(ok('topup-processing'), naira), { outcome: 'accepted', providerReference: '5100231' }],
  'topup-async': [acceptanceOf(ok('topup-async'), naira), { outcome: 'accepted', providerReference: '5100231' }],
  'status-successful': [statusOf(ok('status-successful'), naira), { ...sold, cost: 101_850n }],
  'status-processing': [statusOf(ok('status-processing'), naira), { outcome: 'accepted' }],
  'status-refunded': [
    statusOf(ok('status-refunded'), naira),
    expect.objectContaining({ outcome: 'not_delivered', about: 'order', code: 'topup_failed' }),
  ],
  'status-failed': [
    statusOf(ok('status-failed'), naira),
    expect.objectContaining({ outcome: 'not_delivered', about: 'order', code: 'invalid_recipient' }),
  ],
  // The row has no `balanceInfo`: 1,050 less a discount of 31.50.
  'report-one': [reportOf(ok('report-one'), naira), { ...sold, cost: 101_850n }],
  'report-none': [reportOf(ok('report-none'), naira), { outcome: 'not_known' }],
  'error-recipient': [
    resultOf({ status: 400, body: told('error-recipient') }, naira),
    expect.objectContaining({ outcome: 'not_delivered', code: 'invalid_recipient', retryElsewhere: false }),
  ],
  'error-reference-used': [
    resultOf({ status: 400, body: told('error-reference-used') }, naira),
    { outcome: 'unknown', code: 'reference_already_used' },
  ],
  'error-token': [resultOf({ status: 401, body: told('error-token') }, naira), unreadable],
  'error-spring': [statusOf({ status: 404, body: told('error-spring') }, naira), unreadable],
  operator: [
    operatorOf(ok('operator')),
    {
      id: '341',
      name: 'MTN Nigeria',
      isAirtime: true,
      sellsLocalAmounts: true,
      localCurrency: 'NGN',
      senderCurrency: 'USD',
    },
  ],
  webhook: [
    callbackOf(signed(readFileSync(`${FIXTURES}/webhook.json`), 'secret'), 'secret'),
    { outcome: 'genuine', reference: naira.reference, says: 'successful' },
  ],
};

describe('an example of the documentation', () => {
  it.each(Object.entries(READ))('is understood: %s', (_, [read, meant]) => {
    expect(read).toEqual(meant);
  });

  it('is read whatever example there is', () => {
    const files = readdirSync(FIXTURES).filter((file) => file.endsWith('.json'));
    expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(Object.keys(READ).sort());
  });
});

describe('what Reloadly says', () => {
  it.each(Object.entries(REFUSALS))('refuses an order that is sent with %s, below 500 only', (errorCode, refusal) => {
    const refused = { outcome: 'not_delivered', ...refusal };
    for (const status of [400, 403, 404, 409, 429])
      expect(resultOf({ status, body: { errorCode } }, naira)).toEqual(refused);
    for (const status of [200, 301, 500, 503])
      expect(resultOf({ status, body: { errorCode } }, naira)).toEqual(unreadable);
    for (const read of [statusOf, reportOf])
      expect(read({ status: 400, body: { errorCode } }, naira)).toEqual(unreadable);
  });

  it('says why an operator failed in the words of refusals of the order, never in those about us', () => {
    const failed = (code: string) =>
      statusOf({ status: 200, body: { code, status: 'FAILED', transaction: null } }, naira);
    for (const code of Object.keys(REFUSALS))
      expect(failed(code)).toMatchObject({ code: OF_ORDER[code]?.code ?? 'topup_failed', about: 'order' });
    expect(failed('toString')).toMatchObject({ code: 'topup_failed' });
  });

  it('is about our transaction, or about nothing', () => {
    const status = ok('status-successful');
    expect(statusOf(status, { ...naira, providerReference: '5100231' })).toMatchObject({ outcome: 'delivered' });
    expect(statusOf(status, { ...naira, providerReference: '5100230' })).toEqual(unreadable);
    expect(statusOf(status, { ...naira, reference: 'other' })).toEqual(unreadable);
    expect(reportOf(ok('report-one'), { ...naira, reference: 'other' })).toEqual(unreadable);
  });

  it('takes the cost in the currency of the float, and none that is none', () => {
    const topup = told('topup-naira-float') as { balanceInfo: object };
    const resultWith = (balanceInfo: object | null, more: object = {}) => {
      const result = resultOf({ status: 200, body: { ...topup, ...more, balanceInfo } }, naira);
      return result.outcome === 'delivered' ? result : null;
    };
    const costOf = (...told: Parameters<typeof resultWith>) => resultWith(...told)!.cost;
    expect(costOf(topup.balanceInfo)).toBe(101_850n);
    expect(resultWith(topup.balanceInfo)).not.toHaveProperty('costCurrency');
    const abroad = { cost: 101_850n, costCurrency: 'USD' };
    expect(resultWith({ ...topup.balanceInfo, currencyCode: 'USD' })).toMatchObject(abroad);
    for (const currencyCode of ['CAD', null]) expect(costOf({ ...topup.balanceInfo, currencyCode })).toBeUndefined();
    // Said in naira, and not how much: the amount less the discount.
    expect(costOf({ currencyCode: 'NGN' })).toBe(101_850n);
    expect(costOf({ currencyCode: 'USD' })).toBeUndefined();
    expect(costOf({ ...topup.balanceInfo, cost: 0 })).toBeUndefined();
    expect(costOf({ ...topup.balanceInfo, cost: '-3' })).toBeUndefined();
    expect(costOf(null, { fee: '10.00001' })).toBe(102_851n);
    expect(costOf(null, { discountCurrencyCode: 'USD' })).toBeUndefined();
    expect(costOf(null, { discount: null })).toBeUndefined();
  });

  it('counts in five places: what arrived is rounded down, what it cost up', () => {
    expect(minorOf('19.30', 'NGN')).toEqual({ down: 1_930n, up: 1_930n });
    expect(minorOf('9.45298', 'USD')).toEqual({ down: 945n, up: 946n });
    expect(minorOf('505.43', 'XOF')).toEqual({ down: 505n, up: 506n });
    expect(minorOf('993.81000', 'USD')).toEqual({ down: 99_381n, up: 99_381n });
    expect(minorOf(5_025, 'XOF')).toEqual({ down: 5_025n, up: 5_025n });
    for (const none of ['1e9', '-1', '', '.5', '1.', null, undefined, true, '9'.repeat(16)])
      expect(minorOf(none, 'NGN')).toBeNull();
  });

  it('names operators by country, and networks by slug', () => {
    const operator = operatorOf(ok('operator'));
    if (!isOperator(operator)) throw new Error('no operator');
    expect(isNetwork('MTN Nigeria', 'mtn')).toBe(true);
    expect(isNetwork('Cell C South Africa', 'cell-c')).toBe(true);
    expect(isNetwork('AirtelTigo Ghana', 'airtel')).toBe(false);
    expect(isNetwork('9Mobile (Etisalat) Nigeria', 't2')).toBe(false);
    expect(priceOf(operator, { amount: 5n, currency: 'USD' })).toEqual({ amount: '0.05', useLocalAmount: false });
    expect(priceOf(operator, { amount: 5n, currency: 'XOF' })).toBeNull();
    expect(priceOf(operator, { amount: 5n, currency: 'NGN' })).toEqual({ amount: '0.05', useLocalAmount: true });
    const notLocal = { ...operator, sellsLocalAmounts: false };
    expect(priceOf(notLocal, { amount: 5n, currency: 'NGN' })).toBeNull();
    expect(priceOf({ ...notLocal, senderCurrency: 'NGN' }, { amount: 5n, currency: 'NGN' })).toEqual({
      amount: '0.05',
      useLocalAmount: false,
    });
    expect(operatorOf({ status: 503, body: { errorCode: 'COUNTRY_NOT_SUPPORTED' } })).toMatchObject({
      outcome: 'unknown',
    });
    expect([...operatorIds('RELOADLY_OPERATORS', ['NG/mtn=341', 'mtn-1gb=345'])]).toEqual([
      ['NG/mtn', '341'],
      ['mtn-1gb', '345'],
    ]);
  });

  it('is signed over the bytes and the time, and believed nowhere', () => {
    const body = Buffer.from(
      JSON.stringify({ type: 'airtime_transaction.status', data: { transaction: TRANSACTION } }),
    );
    const callback = signed(body, 'secret');
    expect(callbackOf(callback, 'secret')).toEqual({ outcome: 'genuine', reference: 'r', says: 'refunded' });
    expect(callbackOf(callback, undefined)).toEqual({ outcome: 'forged' });
    const later = { ...callback.headers, 'x-reloadly-request-timestamp': '1' };
    expect(callbackOf({ body, headers: later }, 'secret')).toEqual({ outcome: 'forged' });
    const giftCard = Buffer.from(JSON.stringify({ type: 'giftcard_transaction.status', data: TRANSACTION }));
    expect(callbackOf(signed(giftCard, 'secret'), 'secret')).toEqual({ outcome: 'other' });
  });
});
