import { referenceOf, requestIdOf } from '../../src/extensions/vtpass/request-id';
import {
  findingOf,
  OF_EARLIER,
  OF_ORDER,
  REFUSALS,
  resultOf,
  resultOfEarlier,
  roundedKobo,
  type Sale,
} from '../../src/extensions/vtpass/vtpass-answers';
import { customerOf } from '../../src/extensions/vtpass/vtpass-bills';
import { goodsOf } from '../../src/extensions/vtpass/vtpass-goods';
import { plansOf } from '../../src/extensions/vtpass/vtpass-plans';
import { newId } from '../../src/core/http/ids';
import type { BillItem } from '../../src/modules/bills/bills.provider';
import { readPlans } from '../../src/modules/data/plan-file.dto';
import { fieldsOf } from '../../src/providers/answers';
import { billItem, fixture, pinItem } from './vtpass-orders';

const recheckAfterMs = 86_400_000;
const SALE: Sale = { requestId: 'R', tellsAmount: false, goodsOf: () => ({}) };
/** The sale that an answer of the documentation is about. */
const saleOf = (body: unknown, more: Partial<Sale> = {}): Sale => ({
  ...SALE,
  requestId: String(fieldsOf(body).requestId),
  ...more,
});
const billSale = (body: unknown, item: BillItem): Sale =>
  saleOf(body, { tellsAmount: item.category === 'electricity', goodsOf: (given) => goodsOf(item, given) });

describe('the request id', () => {
  /** A reference made at a time. */
  const madeAt = (time: string): string => {
    const hex = Date.parse(time).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7c3a-9b1e-0123456789ab`;
  };
  const REFERENCE = madeAt('2026-11-25T10:05:27Z');

  it('begins with the minute of the reference in Lagos, is alphanumeric, and leads back', () => {
    expect(requestIdOf(REFERENCE)).toMatch(/^202611251105[0-9a-z]{25}$/);
    expect(requestIdOf(REFERENCE)).toBe(requestIdOf(REFERENCE));
    const highest = 'ffffffff-ffff-7fff-bfff-ffffffffffff'.replace('ffffffff-ffff', '0fffffff-ffff');
    for (const one of [REFERENCE, newId(), highest]) expect(referenceOf(requestIdOf(one))).toBe(one);
  });

  it('is another on the next day in Lagos, an hour before it is one in UTC', () => {
    const minutes = ['2026-12-31T22:59:59Z', '2026-12-31T23:00:00Z'].map((time) =>
      requestIdOf(madeAt(time)).slice(0, 12),
    );
    expect(minutes).toEqual(['202612312359', '202701010000']);
  });

  it.each(['ELAET1RA7PC06250-12S5962-2102P', '', '2025112511050', `202511251106${'0'.repeat(25)}`, 'z'.repeat(37)])(
    'is none of ours: %s',
    (requestId) => expect(referenceOf(requestId)).toBeNull(),
  );

  it('is none of another minute than the reference has', () => {
    const own = requestIdOf(REFERENCE);
    expect(referenceOf(`202611251106${own.slice(12)}`)).toBeNull();
    expect(() => requestIdOf('order-1')).toThrow('UUIDv7');
  });
});

describe('what VTpass answers', () => {
  it.each([
    ['requery-airtime', 2_000n, 1_930n, '17415980564672211596777904'],
    ['pay-data', 10_000n, 9_600n, '17415991578739548187285972'],
    ['requery-dstv', 185_000n, 182_225n, '17416009779459629327738818'],
    ['pay-startimes', 90_000n, 87_750n, '17416109662586688933191823'],
  ])('is understood as the documentation has it: %s', (name, deliveredAmount, cost, providerReference) => {
    const body = fixture(name);
    const delivery = { outcome: 'delivered', providerReference, cost, recheckAfterMs };
    expect(resultOf({ status: 200, body }, saleOf(body))).toEqual(delivery);
    expect(findingOf({ status: 200, body }, saleOf(body, { tellsAmount: true }))).toEqual({
      ...delivery,
      deliveredAmount,
    });
  });

  it('brings meter tokens, which are secret', () => {
    const body = fixture('pay-electricity-prepaid');
    expect(resultOf({ status: 200, body }, billSale(body, billItem()))).toEqual({
      outcome: 'delivered',
      providerReference: '17416102247366731230557150',
      deliveredAmount: 200_000n,
      cost: 197_000n,
      details: { receipt_number: '40532461' },
      secrets: { tokens: [{ kind: 'credit', value: '26362054405982757802', units: '79.9 kWh' }] },
      recheckAfterMs,
    });
    expect(goodsOf(billItem(), fixture('pay-electricity-eko'))?.secrets).toEqual({
      tokens: [
        { kind: 'credit', value: '42167939781206619049', units: '16666.666' },
        { kind: 'bonus', value: '62881559799402440206', units: '50' },
      ],
    });
  });

  it('brings no token for a bill that is paid afterwards', () => {
    const body = fixture('requery-electricity-postpaid');
    const item = billItem({ serviceType: 'postpaid', itemCode: 'postpaid' });
    expect(resultOf({ status: 200, body }, billSale(body, item))).toEqual({
      outcome: 'delivered',
      providerReference: '17416036339772775385163300',
      deliveredAmount: 200_000n,
      cost: 197_000n,
      details: { receipt_number: '0971120581015673' },
      recheckAfterMs,
    });
  });

  it.each([
    ['pay-waec-result', 'waec-result', [{ serial: 'WRN123456790', pin: '098765432112' }]],
    ['pay-waec-registration', 'waec-registration', [{ serial: '', pin: '0100070365657400875' }]],
    ['pay-jamb', 'jamb', [{ serial: '', pin: '3678251321392432' }]],
  ])('brings PINs, which are secret: %s', (name, biller, pins) => {
    const body = fixture(name);
    const result = resultOf({ status: 200, body }, billSale(body, pinItem({ biller })));
    expect(result).toMatchObject({ outcome: 'delivered', secrets: { pins } });
    expect(result).not.toHaveProperty('deliveredAmount');
  });

  it('brings PINs that stand in a text only', () => {
    const purchased_code = 'Serial No:WRN182135587, pin: 373820665258||Serial No:WRN182135588, pin: 373827897584';
    expect(goodsOf(pinItem({ quantity: 2 }), { purchased_code })?.secrets).toEqual({
      pins: [
        { serial: 'WRN182135587', pin: '373820665258' },
        { serial: 'WRN182135588', pin: '373827897584' },
      ],
    });
  });

  it('is not done while what was bought is missing', () => {
    const body = { ...fixture('pay-electricity-prepaid'), token: 'N/A', purchased_code: '' };
    const accepted = { outcome: 'accepted', providerReference: '17416102247366731230557150' };
    expect(resultOf({ status: 200, body }, billSale(body, billItem()))).toEqual(accepted);
    const pins = fixture('pay-waec-result');
    const two = resultOf({ status: 200, body: pins }, billSale(pins, pinItem({ quantity: 2 })));
    expect(two).toEqual({ outcome: 'accepted', providerReference: '1582290782154' });
  });

  it('proves nothing without a name of theirs, as in answers of 2019', () => {
    const body = fixture('pay-electricity-eko');
    expect(resultOf({ status: 200, body }, billSale(body, billItem()))).toEqual({
      outcome: 'unknown',
      code: 'unreadable_answer',
    });
  });

  const withStatus = (status: unknown, code = '000') => ({
    status: 200,
    body: {
      code,
      requestId: 'R',
      content: { transactions: { status, transactionId: 'T', amount: '10', total_amount: '9.675' } },
    },
  });

  it.each([
    ['initiated', 'accepted', 'accepted'],
    ['pending', 'accepted', 'accepted'],
    ['delivered', 'delivered', 'delivered'],
    ['failed', 'not_delivered', 'not_delivered'],
    ['reversed', 'not_delivered', 'reversed'],
    ['resolved', 'unknown', 'unknown'],
    ['Delivered', 'unknown', 'unknown'],
    [undefined, 'unknown', 'unknown'],
  ])('of code 000 and status %s: %s when it is sent, %s when it is asked about', (status, sent, asked) => {
    expect(resultOf(withStatus(status), SALE).outcome).toBe(sent);
    expect(findingOf(withStatus(status), SALE).outcome).toBe(asked);
  });

  it('costs the nearest kobo, where the commission leaves less', () => {
    expect(resultOf(withStatus('delivered'), SALE)).toMatchObject({ cost: 968n });
    expect(roundedKobo(fieldsOf(fixture('balance').contents).balance)).toBe(108_182n);
    expect(['19.3', 20, '0', '1e9', '-5', 5n, null, '1,000'].map(roundedKobo)).toEqual([
      1_930n,
      2_000n,
      0n,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('is under way: 099', () => {
    expect(resultOf({ status: 200, body: { code: '099', requestId: 'R' } }, SALE)).toEqual({ outcome: 'accepted' });
    expect(resultOf(withStatus('pending', '099'), SALE)).toEqual({ outcome: 'accepted', providerReference: 'T' });
    expect(resultOf(withStatus('delivered', '099'), SALE)).toEqual({ outcome: 'accepted', providerReference: 'T' });
  });

  it('is a reversal: 040', () => {
    const body = fieldsOf(fixture('callback-reversed').data);
    expect(findingOf({ status: 200, body }, saleOf(body))).toMatchObject({
      outcome: 'reversed',
      code: 'reversed_by_provider',
    });
    expect(findingOf(withStatus('delivered', '040'), SALE).outcome).toBe('unknown');
  });

  const said = (code: string, status = 200) => ({
    status,
    body: { code, response_description: 'X', content: { errors: [] } },
  });

  it.each(Object.entries(REFUSALS))('is a refusal of what is sent: %s', (code, refusal) => {
    expect(resultOf(said(code), SALE)).toEqual({ outcome: 'not_delivered', ...refusal });
    expect(resultOf(said(code, 500), SALE)).toMatchObject({ outcome: 'unknown' });
  });

  it('is a refusal of our key, by a sentence too', () => {
    const sentence = { status: 401, body: 'Invalid Credentials.' };
    expect(resultOf(sentence, SALE)).toMatchObject({ outcome: 'not_delivered', code: 'provider_credentials_refused' });
    expect(findingOf(sentence, SALE)).toEqual({ outcome: 'unknown', code: 'code_087' });
    expect(resultOf({ ...sentence, status: 200 }, SALE).outcome).toBe('unknown');
  });

  it('ends what was sent before only with words about it', () => {
    const codes = [...Object.keys(REFUSALS), ...Object.keys(OF_EARLIER)];
    const ended = codes.filter((code) => findingOf(said(code), SALE).outcome !== 'unknown');
    expect(ended.sort()).toEqual(Object.keys(OF_ORDER).sort());
    expect(findingOf(said('016'), SALE)).toMatchObject({ outcome: 'not_delivered', about: 'order' });
    expect(findingOf(said('087', 401), SALE)).toEqual({ outcome: 'unknown', code: 'code_087' });
  });

  it('is an order that VTpass never had: 015, and nothing else', () => {
    expect(findingOf(said('015'), SALE)).toEqual({ outcome: 'not_known' });
    expect(resultOf(said('015'), SALE)).toEqual({ outcome: 'unknown', code: 'code_015' });
    for (const status of [201, 401, 404, 500]) expect(findingOf(said('015', status), SALE).outcome).toBe('unknown');
  });

  it.each([
    ['014', { outcome: 'unknown', code: 'request_id_taken' }],
    ['019', { outcome: 'not_delivered', code: 'likely_duplicate' }],
    ['085', { outcome: 'not_delivered', code: 'request_out_of_date' }],
  ])('is about an earlier order, of which a requery tells: %s', (code, otherwise) => {
    expect(resultOf(said(code), SALE)).toEqual({ outcome: 'unknown', code: `code_${code}` });
    expect(resultOfEarlier(code, { outcome: 'not_known' })).toMatchObject(otherwise);
    const unsure = { outcome: 'unknown', code: 'timeout' } as const;
    expect(resultOfEarlier(code, unsure)).toEqual(unsure);
    expect(resultOfEarlier(code, { outcome: 'accepted' })).toEqual({ outcome: 'accepted' });
    const found = findingOf(withStatus('reversed'), SALE);
    expect(resultOfEarlier(code, found)).toMatchObject({ outcome: 'not_delivered', code: 'reversed_by_provider' });
  });

  it.each(['001', '020', '025', '026', '044', '083', '089', '999', '__proto__'])('is not understood: %s', (code) => {
    expect(resultOf(said(code), SALE).outcome).toBe('unknown');
    expect(findingOf(said(code), SALE).outcome).toBe('unknown');
  });
});

describe('who a customer is', () => {
  const UNSAID = {
    address: null,
    arrears: null,
    minAmount: null,
    maxAmount: null,
    currentPlan: null,
    renewalAmount: null,
  };

  it('as the documentation has it', () => {
    const found = (name: string) => customerOf({ status: 200, body: fixture(name) });
    expect(found('verify-meter')).toEqual({
      ...UNSAID,
      outcome: 'found',
      customerName: 'TESTMETER1',
      address: 'ABULE EGBA BU ABULE',
    });
    expect(found('verify-smartcard')).toEqual({ ...UNSAID, outcome: 'found', customerName: 'TEST METER' });
    expect(found('verify-meter-wrong')).toEqual({ outcome: 'not_found' });
    expect(found('verify-smartcard-bouquets')).toEqual({
      ...UNSAID,
      outcome: 'found',
      customerName: 'Mr  DsTEST',
      currentPlan: 'dstv10, dstv5, dstv9',
      renewalAmount: 250_000n,
    });
  });

  const told = (content: object, code = '000', status = 200) => customerOf({ status, body: { code, content } });

  it('with what is owed, by the catalogue’s codes', () => {
    const content = {
      Customer_Name: 'A',
      Customer_Arrears: '52388.8',
      Min_Purchase_Amount: 0,
      Minimum_Amount: '7.49',
      Current_Bouquet_Code: 'dstv79',
    };
    expect(told(content, '020')).toMatchObject({ arrears: 5_238_880n, minAmount: 749n, currentPlan: 'dstv-compact' });
    expect(told({ Customer_Name: 'A', Current_Bouquet_Code: 'UNKNOWN', Renewal_Amount: 0 })).toMatchObject({
      currentPlan: null,
      renewalAmount: null,
    });
  });

  it('or nobody, or nobody knows', () => {
    expect(told({ Customer_Name: 'A', WrongBillersCode: true })).toEqual({ outcome: 'not_found' });
    expect(told({ Customer_Name: 'A', WrongBillersCode: 'true', error: 'Try again' })).toEqual({
      outcome: 'not_found',
    });
    expect(told({ Customer_Name: 'A', WrongBillersCode: false })).toMatchObject({ outcome: 'found' });
    expect(told({ error: 'The Smartcard Number you entered may be invalid', WrongBillersCode: 'true' })).toEqual({
      outcome: 'not_found',
    });
    expect(told({ error: 'The Smartcard Number you entered may be invalid' })).toEqual({ outcome: 'not_found' });
    const unavailable = [
      told({ error: 'Try again' }),
      told({}),
      told({ Customer_Name: 'A' }, '030'),
      told({ Customer_Name: 'A' }, '000', 500),
      told({ Customer_Name: 'A' }, '087', 401),
    ];
    for (const one of unavailable) expect(one).toEqual({ outcome: 'unavailable' });
  });
});

describe('plans', () => {
  it('of the documentation become rows of a file that can be imported', () => {
    const { plans, left } = plansOf('mtn-data', fixture('variations-mtn-data'))!;
    expect(readPlans(plans)).toHaveLength(plans.length);
    expect(
      plans.map(({ plan_code, data_bytes, validity, price, type }) => [
        plan_code,
        data_bytes,
        validity.quantity,
        validity.unit,
        price,
        type,
      ]),
    ).toEqual([
      ['mtn-data.mtn-10mb-100', 104_857_600, 24, 'hour', 10_000, 'direct'],
      ['mtn-data.mtn-100mb-1000', 1_610_612_736, 30, 'day', 100_000, 'direct'],
      ['mtn-data.mtn-25gb-sme-10000', 26_843_545_600, 1, 'month', 1_000_000, 'sme'],
      ['mtn-data.mtn-165gb-sme-50000', 177_167_400_960, 2, 'month', 5_000_000, 'sme'],
      ['mtn-data.mtn-4-5tb-450000', 4_947_802_324_992, 12, 'month', 45_000_000, 'direct'],
      ['mtn-data.mtn-120gb-22000', 128_849_018_880, 1, 'month', 2_200_000, 'direct'],
      ['mtn-data.mtn-100gb-20000', 107_374_182_400, 2, 'month', 2_000_000, 'direct'],
    ]);
    expect(left.map(({ variation }) => variation)).toEqual([
      'mtn-xtratalk-300',
      'mtn-xtradata-200',
      'mtn-xtratalk-300',
    ]);
  });

  it.each([
    [
      { variation_code: 'a', name: '1GB + 1GB Night - 2 Days', variation_amount: '500.00', fixedPrice: 'Yes' },
      /how much/,
    ],
    [{ variation_code: 'a', name: '1GB', variation_amount: '500.00', fixedPrice: 'Yes' }, /how long/],
    [{ variation_code: 'a', name: '1GB - 0 days', variation_amount: '500.00', fixedPrice: 'Yes' }, /how long/],
    [{ variation_code: 'A B', name: '1GB - 2 Days', variation_amount: '500.00', fixedPrice: 'Yes' }, /code/],
    [{ variation_code: 'a', name: '1GB - 2 Days', variation_amount: '0.00', fixedPrice: 'Yes' }, /price/],
    [{ variation_code: 'a', name: '1GB - 2 Days', variation_amount: '500.00', fixedPrice: 'No' }, /price/],
    [{ variation_code: 7 }, /no code/],
    [null, /no code/],
  ])('that cannot be read without a doubt are left out: %j', (row, why) => {
    const body = { response_description: '000', content: { varations: [row] } };
    expect(plansOf('glo-data', body)).toEqual({
      plans: [],
      left: [expect.objectContaining({ why: expect.stringMatching(why) })],
    });
  });

  it.each([null, {}, { response_description: '012' }, { response_description: '000', content: {} }])(
    'are none in %j',
    (body) => expect(plansOf('mtn-data', body)).toBeNull(),
  );
});
