import { readdirSync, readFileSync } from 'node:fs';
import { balancesOf, callbackOf, callbackUrl } from '../../src/extensions/dtone/dtone';
import { fittingOf, operatorOf, type Product, productOf } from '../../src/extensions/dtone/products';
import {
  ERRORS,
  listingOf,
  REASONS,
  refusalOf,
  resultOf,
  transactionOf,
} from '../../src/extensions/dtone/transactions';
import type { Currency } from '../../src/core/money/money';
import { callbackOf as requestOf } from '../../src/providers/answers';
import { parseJson } from '../../src/providers/http';

const FIXTURES = 'test/pretended/dtone/fixtures';
const told = (name: string): unknown => parseJson(readFileSync(`${FIXTURES}/${name}.json`, 'utf8'));
const naira = { reference: '0199a0c4-0000-7000-8000-000000000001', currency: 'NGN', providerReference: null } as const;
const dollars = { ...naira, currency: 'USD' } as const;
const made = (name: string) => ({ status: 201, body: told(name) });
const listed = (body: unknown, total?: string, status = 200) => ({
  status,
  body,
  headers: total === undefined ? {} : { 'x-total': total },
});

const accepted = { outcome: 'accepted', providerReference: '2237512891' };
const sold = {
  outcome: 'delivered',
  providerReference: '2237512891',
  deliveredAmount: 105_000n,
  cost: 68n,
  costCurrency: 'USD',
  details: { operator_reference: '88120' },
  recheckAfterMs: 172_800_000,
};
// Of a product of fixed value nothing is told but that it arrived.
const soldFixed = {
  outcome: 'delivered',
  providerReference: '2237512891',
  cost: 361n,
  details: { operator_reference: '88121' },
  recheckAfterMs: 172_800_000,
};
const unreadable = { outcome: 'unknown', code: 'unreadable_answer' };
const refused = (code: string) => expect.objectContaining({ outcome: 'not_delivered', code });
const mtn = { id: '1301', name: 'MTN Nigeria' };
const side = (unit: string, min: unknown, max = min, increment?: unknown) => ({ unit, min, max, increment });

const callback = (key: string) => {
  const [, search] = callbackUrl('https://duka.example.com', naira.reference, key).split('?');
  return requestOf(readFileSync(`${FIXTURES}/callback.json`), { raw: { rawHeaders: [], url: `/x?${search}` } });
};

const READ: Readonly<Record<string, [unknown, unknown]>> = {
  balances: [
    balancesOf({ status: 200, body: told('balances') }),
    [
      { unit: 'USD', available: '993.81' },
      { unit: 'EUR', available: 12 },
    ],
  ],
  lookup: [operatorOf({ status: 200, body: told('lookup') }, 'mtn'), { id: '1301' }],
  'product-ranged': [
    productOf(told('product-ranged')),
    {
      id: '20001',
      operator: mtn,
      isFixed: false,
      isData: false,
      destination: side('NGN', 50, 50_000, 1),
      source: side('USD', '0.04', '33.34'),
      modes: ['SOURCE_AMOUNT', 'DESTINATION_AMOUNT'],
    },
  ],
  'product-fixed': [
    productOf(told('product-fixed')),
    {
      id: '6035',
      operator: { id: '1596', name: 'Claro Ecuador' },
      isFixed: true,
      isData: false,
      destination: side('USD', 3),
      source: side('USD', '3.6'),
      modes: [],
    },
  ],
  'product-data': [
    productOf(told('product-data')),
    expect.objectContaining({ id: '20004', isFixed: true, isData: true, destination: side('NGN', 1_050) }),
  ],
  'transaction-confirmed': [resultOf(made('transaction-confirmed'), naira), accepted],
  'transaction-submitted': [resultOf(made('transaction-submitted'), naira), accepted],
  'transaction-completed': [resultOf(made('transaction-completed'), naira), sold],
  'transaction-adjusted': [resultOf(made('transaction-adjusted'), naira), { ...sold, deliveredAmount: 100_050n }],
  'transaction-fixed': [resultOf(made('transaction-fixed'), dollars), soldFixed],
  'transaction-pin': [
    resultOf(made('transaction-pin'), dollars),
    { ...soldFixed, secrets: { pin: '111122223333444', serial: '400811' } },
  ],
  'transaction-declined': [resultOf(made('transaction-declined'), naira), refused('invalid_recipient')],
  'transaction-rejected': [
    transactionOf({ status: 200, body: told('transaction-rejected') }, naira),
    expect.objectContaining({ outcome: 'not_delivered', about: 'order', code: 'provider_float_empty' }),
  ],
  'transaction-reversed': [
    transactionOf({ status: 200, body: told('transaction-reversed') }, naira),
    expect.objectContaining({ outcome: 'reversed', code: 'reversed_by_provider' }),
  ],
  transactions: [listingOf(listed(told('transactions'), '1'), naira), sold],
  'transactions-none': [listingOf(listed(told('transactions-none'), '0'), naira), { outcome: 'not_known' }],
  callback: [
    callbackOf(callback('secret'), 'secret'),
    { outcome: 'genuine', reference: naira.reference, says: 'completed' },
  ],
  'error-external-id': [
    resultOf({ status: 400, body: told('error-external-id') }, naira),
    { outcome: 'unknown', code: 'reference_already_used' },
  ],
  'error-number': [resultOf({ status: 400, body: told('error-number') }, naira), refused('invalid_recipient')],
  'error-balance': [resultOf({ status: 400, body: told('error-balance') }, naira), refused('provider_float_empty')],
  'error-not-found': [listingOf(listed(told('error-not-found'), undefined, 404), naira), { outcome: 'not_known' }],
  'error-unauthorized': [resultOf({ status: 401, body: told('error-unauthorized') }, naira), unreadable],
  'error-unexpected': [resultOf({ status: 500, body: told('error-unexpected') }, naira), unreadable],
};

describe('an example of an answer', () => {
  it.each(Object.entries(READ))('is understood: %s', (_name, [read, meant]) => {
    expect(read).toEqual(meant);
  });

  it('is read whatever example there is', () => {
    const files = readdirSync(FIXTURES).filter((file) => file.endsWith('.json'));
    expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(Object.keys(READ).sort());
  });
});

/** Section *API Error Codes*: what is not in the table refuses nothing. */
const DOCUMENTED = [
  1000400, 1000401, 1000404, 1000429, 1003001, 1003002, 1003003, 1003101, 1003201, 1003301, 1005003, 1005004, 1005005,
  1005006, 1005503, 1006001, 1006003, 1006009, 1006503, 1007001, 1007002, 1007004, 1007005, 1007007, 1007500, 1008004,
  1009001, 1009503,
];
const REFUSING = [1000400, 1000429, 1003001, 1003002, 1003003, 1005003, 1005004, 1005005, 1005006, 1006001, 1006009];

/** Section *Transaction Status*, and what it is called here. */
const STATUSES = {
  REJECTED: 'topup_failed',
  'REJECTED-INVALID-CREDIT-PARTY': 'invalid_recipient',
  'REJECTED-BARRED-CREDIT-PARTY': 'recipient_barred',
  'REJECTED-INELIGIBLE-CREDIT-PARTY': 'recipient_not_eligible',
  'REJECTED-INVALID-DEBIT-PARTY': 'provider_account_locked',
  'REJECTED-BARRED-DEBIT-PARTY': 'provider_account_locked',
  'REJECTED-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT': 'recipient_limit_reached',
  'REJECTED-LIMITATIONS-ON-CREDIT-PARTY-QUANTITY': 'recipient_limit_reached',
  'REJECTED-OPERATOR-CURRENTLY-UNAVAILABLE': 'operator_unavailable',
  'REJECTED-INSUFFICIENT-BALANCE': 'provider_float_empty',
  CANCELLED: 'topup_failed',
  DECLINED: 'topup_failed',
  'DECLINED-INVALID-CREDIT-PARTY': 'invalid_recipient',
  'DECLINED-BARRED-CREDIT-PARTY': 'recipient_barred',
  'DECLINED-INELIGIBLE-CREDIT-PARTY': 'recipient_not_eligible',
  'DECLINED-INVALID-DEBIT-PARTY': 'provider_account_locked',
  'DECLINED-BARRED-DEBIT-PARTY': 'provider_account_locked',
  'DECLINED-LIMITATIONS-ON-OPERATOR-AMOUNT': 'provider_limit_reached',
  'DECLINED-LIMITATIONS-ON-CREDIT-PARTY-AMOUNT': 'recipient_limit_reached',
  'DECLINED-LIMITATIONS-ON-CUSTOMER-AMOUNT': 'provider_limit_reached',
  'DECLINED-LIMITATIONS-ON-OPERATOR-QUANTITY': 'provider_limit_reached',
  'DECLINED-LIMITATIONS-ON-CREDIT-PARTY-QUANTITY': 'recipient_limit_reached',
  'DECLINED-LIMITATIONS-ON-CUSTOMER-QUANTITY': 'provider_limit_reached',
  'DECLINED-DUPLICATED-TRANSACTION': 'recently_recharged',
  'DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE': 'operator_unavailable',
  // Of the sandbox, and one that nobody knows.
  'DECLINED-EXCEPTION': 'topup_failed',
  'DECLINED-toString': 'topup_failed',
};
const CLASS_IDS: Readonly<Record<string, number>> = { REJECTED: 3, CANCELLED: 4, DECLINED: 9 };

describe('what DT One says', () => {
  it.each(DOCUMENTED)('refuses with %s if the table has it, at a sale and below 500 only', (code) => {
    const body = { errors: [{ code, message: 'x' }] };
    const refusal = ERRORS[code];
    expect(refusal !== undefined).toBe(REFUSING.includes(code));
    const meant = refusal ? { outcome: 'not_delivered', ...refusal } : unreadable;
    const used = { outcome: 'unknown', code: 'reference_already_used' };
    expect(resultOf({ status: 400, body }, naira)).toEqual(code === 1_007_001 ? used : meant);
    for (const status of [404, 429]) expect(resultOf({ status, body }, naira)).toEqual(meant);
    for (const status of [202, 301, 500, 503]) expect(resultOf({ status, body }, naira)).toEqual(unreadable);
    for (const status of [400, 401, 429, 500]) {
      expect(listingOf(listed(body, undefined, status), naira)).toEqual(unreadable);
      expect(transactionOf({ status, body }, naira)).toEqual(unreadable);
    }
    const unknown = code === 1_008_004 ? { outcome: 'not_known' } : unreadable;
    expect(listingOf(listed(body, undefined, 404), naira)).toEqual(unknown);
    expect(transactionOf({ status: 404, body }, naira)).toEqual(unreadable);
  });

  it('refuses with several errors where each of them does', () => {
    const errors = (...codes: unknown[]) => ({ status: 400, body: { errors: codes.map((code) => ({ code })) } });
    expect(refusalOf(errors(1_005_003, 1_000_400))).toEqual(refused('invalid_recipient'));
    expect(refusalOf(errors(1_005_003, 1_009_001))).toBeNull();
    expect(refusalOf(errors('toString'))).toBeNull();
    expect(refusalOf(errors())).toBeNull();
  });

  it.each(Object.entries(STATUSES))('ends a transaction with %s', (message, code) => {
    const [word = ''] = message.split('-');
    const status = { id: 1, message, class: { id: CLASS_IDS[word], message: word } };
    const body = { ...(told('transaction-confirmed') as object), status };
    expect(resultOf({ status: 201, body }, naira)).toEqual(refused(code));
    expect(transactionOf({ status: 200, body }, naira)).toMatchObject({ outcome: 'not_delivered', about: 'order' });
  });

  it('has no reason that the documentation does not name', () => {
    const named = Object.keys(STATUSES).map((status) => status.replace(/^(REJECTED|DECLINED)-/, ''));
    for (const reason of Object.keys(REASONS)) expect(named).toContain(reason);
  });

  it('is about our transaction, or about nothing', () => {
    const answer = { status: 200, body: told('transaction-completed') };
    expect(transactionOf(answer, { ...naira, providerReference: '2237512891' })).toEqual(sold);
    expect(transactionOf(answer, { ...naira, providerReference: '2237512890' })).toEqual(unreadable);
    expect(transactionOf(answer, { ...naira, reference: 'other' })).toEqual(unreadable);
    const two = [told('transaction-completed'), told('transaction-declined')];
    expect(listingOf(listed(two, '2'), naira)).toEqual({ outcome: 'unknown', code: 'sold_more_than_once' });
    expect(listingOf(listed(two, '2'), { ...naira, reference: 'other' })).toEqual(unreadable);
    expect(listingOf(listed([]), naira)).toEqual({ outcome: 'not_known' });
    expect(listingOf(listed([], '3'), naira)).toEqual(unreadable);
  });

  it('tells whoever sells nothing of what was taken back: the requery does', () => {
    expect(resultOf(made('transaction-reversed'), naira)).toEqual({ outcome: 'unknown', code: 'reversed_by_provider' });
  });

  it('costs what is said, with the fee and rounded up, in the currency of the float', () => {
    const sale = told('transaction-fixed') as object;
    const costOf = (wholesale: object | null, currency: Currency = 'USD') => {
      const body = { ...sale, prices: { wholesale, retail: null } };
      const result = resultOf({ status: 201, body }, { ...naira, currency });
      return result.outcome === 'delivered' ? result.cost && [result.cost, result.costCurrency] : result;
    };
    const price = { unit_type: 'CURRENCY', unit: 'USD', amount: '3.6', fee: 0 };
    expect(costOf(price)).toEqual([360n, undefined]);
    expect(costOf({ ...price, amount: '3.60001', fee: '0.1' })).toEqual([371n, undefined]);
    expect(costOf(price, 'NGN')).toEqual([360n, 'USD']);
    expect(costOf({ ...price, unit: 'XOF', amount: '360.5' }, 'NGN')).toEqual([361n, 'XOF']);
    // No currency of ours.
    expect(costOf({ ...price, unit: 'SGD' })).toBeUndefined();
    expect(costOf({ ...price, unit: null })).toBeUndefined();
    expect(costOf({ ...price, amount: 0 })).toBeUndefined();
    expect(costOf({ ...price, amount: -3 })).toBeUndefined();
    expect(costOf({ ...price, fee: 'x' })).toBeUndefined();
    expect(costOf(null)).toBeUndefined();
  });
});

describe('a product of DT One', () => {
  const ranged = productOf(told('product-ranged'))!;
  const fixed = productOf(told('product-fixed'))!;
  const fitsOf = (products: readonly Product[], amount: bigint, currency: Currency) => {
    const found = fittingOf(products, { amount, currency });
    return found && { id: found.product.id, ...(JSON.parse(JSON.stringify(found.fit)) as object) };
  };

  it('sells an amount in its range, in the currency of the recipient or in that of our account', () => {
    const local = { id: '20001', calculation_mode: 'DESTINATION_AMOUNT' };
    const value = (unit: string, amount: number) => ({ unit_type: 'CURRENCY', unit, amount });
    expect(fitsOf([ranged], 105_000n, 'NGN')).toEqual({ ...local, destination: value('NGN', 1_050) });
    for (const within of [5_000n, 5_000_000n]) expect(fitsOf([ranged], within, 'NGN')).toMatchObject(local);
    // Outside of the range, between its steps, and in a currency that is none of its own.
    for (const without of [4_999n, 5_000_100n, 105_050n]) expect(fitsOf([ranged], without, 'NGN')).toBeNull();
    expect(fitsOf([ranged], 105_000n, 'KES')).toBeNull();
    const source = { id: '20001', calculation_mode: 'SOURCE_AMOUNT', source: value('USD', 10.01) };
    expect(fitsOf([ranged], 1_001n, 'USD')).toEqual(source);
    expect(fitsOf([{ ...ranged, modes: ['DESTINATION_AMOUNT'] }], 1_001n, 'USD')).toBeNull();
    expect(fitsOf([{ ...ranged, modes: ['SOURCE_AMOUNT'] }], 105_000n, 'NGN')).toBeNull();
  });

  it('sells its fixed value, before one with a range does', () => {
    const thousand = { ...fixed, destination: side('NGN', 1_000) };
    expect(fitsOf([ranged, thousand], 100_000n, 'NGN')).toEqual({ id: '6035' });
    expect(fitsOf([ranged, thousand], 100_100n, 'NGN')).toMatchObject({ id: '20001' });
    expect(fitsOf([fixed], 300n, 'USD')).toEqual({ id: '6035' });
    expect(fitsOf([fixed], 360n, 'USD')).toEqual({ id: '6035' });
    expect(fitsOf([fixed], 301n, 'USD')).toBeNull();
  });

  it('is none that needs more than a number, is a PIN, or cannot be read', () => {
    const product = told('product-fixed') as Record<string, unknown>;
    const changed = (changes: object) => productOf({ ...product, ...changes });
    expect(changed({ required_sender_fields: [] })).not.toBeNull();
    const alternatives = [['account_number'], ['mobile_number']];
    expect(changed({ required_credit_party_identifier_fields: alternatives })).not.toBeNull();
    const others = [
      { required_sender_fields: [['first_name']] },
      { required_additional_identifier_fields: [['purchaser_id']] },
      { required_credit_party_identifier_fields: [['mobile_number', 'account_number']] },
      { required_credit_party_identifier_fields: null },
      { type: 'FIXED_VALUE_PIN_PURCHASE' },
      { type: 'toString' },
      { id: 0 },
      { operator: null },
    ];
    for (const other of others) expect(changed(other)).toBeNull();
    expect(productOf(null)).toBeNull();
  });

  it('is of the operator that is identified and called like the network, if there is one', () => {
    const [mtn, airtel] = told('lookup') as [object, object];
    const of = (body: unknown, network = 'mtn', status = 200) => operatorOf({ status, body }, network);
    const unknown = refused('operator_not_found');
    expect(of([mtn, airtel], 'airtel')).toEqual(unknown);
    expect(of([{ ...mtn, identified: 'true' }])).toEqual(unknown);
    expect(of([mtn, { ...mtn, id: 1_399, name: 'MTN Nigeria Bundles' }])).toEqual(unknown);
    expect(of([])).toEqual(unknown);
    expect(of({}, 'mtn')).toEqual({ outcome: 'unknown', code: 'products_not_read' });
    expect(of({ errors: [{ code: 1_005_003 }] }, 'mtn', 400)).toEqual(refused('invalid_recipient'));
    expect(of({ errors: [{ code: 1_000_401 }] }, 'mtn', 401)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a callback of DT One', () => {
  it('is genuine by its address, which is signed for the order that it is about', () => {
    const genuine = callback('secret');
    expect(callbackOf(callback('another'), 'secret')).toEqual({ outcome: 'forged' });
    expect(callbackOf(genuine, undefined)).toEqual({ outcome: 'forged' });
    const forged = ['', genuine.query!.sign!.slice(1), `${genuine.query!.sign!.slice(0, -1)}g`, undefined];
    for (const sign of forged)
      expect(callbackOf({ ...genuine, query: { sign } }, 'secret')).toEqual({ outcome: 'forged' });
    const about = (external_id: unknown) => ({ ...genuine, body: Buffer.from(JSON.stringify({ external_id })) });
    for (const other of ['0199a0c4-0000-7000-8000-000000000002', null, 7, ''])
      expect(callbackOf(about(other), 'secret')).toEqual({ outcome: 'forged' });
    expect(callbackOf(about(naira.reference), 'secret')).toEqual({ outcome: 'genuine', reference: naira.reference });
  });
});
