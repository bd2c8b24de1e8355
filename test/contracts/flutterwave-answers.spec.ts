import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkedOf, FLUTTERWAVE, majorOf, minorOf, roundedMinor } from '../../src/extensions/flutterwave/flutterwave';
import { FlutterwaveGateway, heardOf } from '../../src/extensions/flutterwave/gateway';
import {
  chargebacksOf,
  refundOf,
  refundResultOf,
  refundsOf,
  settledOf,
} from '../../src/extensions/flutterwave/refunds';
import { attemptsOf, findingOf, receivedOf, standingOf, startOf } from '../../src/extensions/flutterwave/transactions';
import { type CompanyAnswer, parseJson } from '../../src/providers/http';
import { Company } from '../pretended/flutterwave/company';
import { gatewayOf, never } from './flutterwave-rig';
import { orderOf } from './gateway-orders';
import { outside } from './outside';

type Row = Record<string, unknown>;

const fixture = (name: string, status = 200): CompanyAnswer & { readonly body: { readonly data: Row } } => ({
  status,
  body: parseJson(readFileSync(join(__dirname, `../pretended/flutterwave/fixtures/${name}.json`), 'utf8')) as {
    data: Row;
  },
});
const rowsOf = (name: string) => fixture(name).body.data as unknown as Row[];
const naira = (transaction: string) => ({ transaction, currency: 'NGN' as const });
const nothing = { refunds: [], chargebacks: [] };

describe('answers of the documentation of Flutterwave', () => {
  it('to an opening', () => {
    expect(startOf(fixture('hosted-link'))).toEqual({
      outcome: 'started',
      gatewayReference: 'f524c1196ffda5556341',
      pageUrl: 'https://api.flutterwave.com/v3/hosted/pay/f524c1196ffda5556341',
    });
  });

  it.each([
    ['verify', 'LiveCardTest', { gatewayReference: '288200108', amount: 10_000n, fee: 140n }],
    // Of 2,500 they keep 35, and 2.63 of taxes.
    ['verify-by-reference', 'txref-DI0NzMx13', { gatewayReference: '8415006', amount: 250_000n, fee: 3_763n }],
  ])('to a question for a transaction: %s', (name, reference, came) => {
    const found = findingOf(fixture(name), reference) as { attempt: Row };
    expect(settledOf(receivedOf(found.attempt)!, nothing)).toEqual({ outcome: 'successful', currency: 'NGN', ...came });
    expect(findingOf(fixture(name), 'pay_1')).toMatchObject({ outcome: 'unknown' });
  });

  it('to a question for several transactions, of which some have one reference', () => {
    const rows = rowsOf('transactions');
    const attempts = attemptsOf(rows, 'm0ckaham-1578002686748');
    expect(attempts.map(({ id }) => id)).toEqual(['989226', '989223']);
    expect(standingOf(attempts, true)).toEqual({ outcome: 'processing' });
    const paid = attemptsOf(rows, 'Flutterwave-Pages919998081709');
    expect(paid.map(receivedOf)).toEqual([
      { gatewayReference: '989207', amount: 100_000n, currency: 'NGN', fee: 6_400n },
    ]);
  });

  it('to a request for a refund', () => {
    const answer = fixture('refund-create');
    expect(refundOf(answer, naira('5708'), 500_000n)).toEqual({ outcome: 'accepted', gatewayReference: '8612' });
    expect(refundOf(answer, naira('5709'), 500_000n)).toMatchObject({ outcome: 'unknown' });
    expect(refundOf(answer, naira('5708'), 5_000n)).toMatchObject({ outcome: 'unknown' });
  });

  it('to a question for chargebacks', () => {
    const rows = rowsOf('chargebacks');
    expect(chargebacksOf(rows, naira('1554166'))).toEqual([{ id: '1390', amount: 10_000n }]);
    expect(chargebacksOf(rows, naira('1'))).toEqual([]);
  });

  it.each([
    ['no-transaction', 400, 'not_known'],
    ['no-transaction', 500, 'unknown'],
    ['error-key', 401, 'unknown'],
    ['error-field', 400, 'unknown'],
    ['error-timeout', 503, 'unknown'],
  ])('that are errors, to a question: %s with %i', (name, status, outcome) => {
    expect(findingOf(fixture(name, status), 'pay_1')).toMatchObject({ outcome });
    expect(refundOf(fixture(name, status), naira('1'), 1n)).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    ['error-field', 400, 'not_started'],
    ['error-key', 401, 'unknown'],
    ['error-timeout', 503, 'unknown'],
  ])('that are errors, to an opening: %s with %i', (name, status, outcome) => {
    expect(startOf(fixture(name, status))).toMatchObject({ outcome });
  });

  it.each([
    ['successful', { claims: 'successful' }],
    ['failed', {}],
  ])('callbacks: %s', (name, claims) => {
    const { body } = fixture(`event-charge-${name}`);
    expect(heardOf(body)).toEqual({ reference: 'WOOC_1_TEST', says: 'charge_completed', ...claims });
    const came = receivedOf(body.data);
    expect(came).toMatchObject(name === 'failed' ? { fee: 140_000n } : { amount: 10_000n, fee: 140n });
  });
});

describe('what Flutterwave says', () => {
  it.each([
    [400, 'tx_ref is required', 'unknown'],
    [400, 'Duplicate transaction reference', 'unknown'],
    [400, 'A payment with this link already exists', 'unknown'],
    [400, 'currency is not supported', 'not_started'],
    [401, 'currency is not supported', 'unknown'],
    [403, 'currency is not supported', 'unknown'],
    [404, 'currency is not supported', 'unknown'],
    [500, 'currency is not supported', 'unknown'],
  ])('at an opening, %i "%s", is %s', (status, message, outcome) => {
    expect(startOf({ status, body: { status: 'error', message, data: null } })).toMatchObject({ outcome });
  });

  it('of no transaction counts only in its own words', () => {
    const found = (status: number, body: object) => findingOf({ status, body }, 'pay_1');
    const words = { status: 'error', message: 'No transaction was found for this id' };
    const others = { status: 'error', message: 'Transaction not found.' };
    for (const status of [400, 404])
      expect([found(status, words), found(status, others)]).toEqual(Array(2).fill({ outcome: 'not_known' }));
    for (const [status, body] of [
      [200, words],
      [500, words],
      [404, { ...words, status: 'success' }],
      [404, { message: words.message }],
      [404, { status: 'error', message: 'Not found' }],
      [400, { status: 'error', message: 'Your account has been suspended' }],
    ] as const)
      expect(found(status, body)).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    ['pending', false, { outcome: 'processing' }],
    ['pending', true, { outcome: 'processing' }],
    ['failed', false, { outcome: 'awaiting' }],
    ['failed', true, { outcome: 'failed', about: 'order', code: 'payment_declined' }],
    ['cancelled', true, { outcome: 'unknown' }],
    ['toString', true, { outcome: 'unknown' }],
  ])('of a try that is %s, when the order is over: %s', (status, isOver, standing) => {
    expect(standingOf([{ status }], isOver)).toMatchObject(standing);
    expect(standingOf([{ status }, { status: 'failed' }, { status: 'odd' }], isOver)).toMatchObject({
      outcome: 'unknown',
    });
  });

  it.each([
    ['complete', 'refunded'],
    ['completed-bank-transfer', 'refunded'],
    ['completed-momo', 'refunded'],
    ['completed-mpgs', 'refunded'],
    ['completed-offline', 'refunded'],
    ['completed-preauth', 'refunded'],
    ['successful', 'refunded'],
    ['completed', 'accepted'],
    ['pending-momo', 'accepted'],
    ['processing', 'accepted'],
    ['failed', 'not_refunded'],
    ['reversed', 'unknown'],
    ['COMPLETED', 'unknown'],
    ['toString', 'unknown'],
  ])('of a refund that is %s', (status, outcome) => {
    const refund = { id: '1', transaction: '2', status, amount: 1n, comment: null };
    expect(refundResultOf(refund)).toMatchObject({ outcome });
  });

  const row = { id: 1, amount_refunded: 5, status: 'completed', comment: 'rfd_1', transaction_id: 2 };

  it.each([
    ['{"source":"availablebalance","disburse_status":"successful"}', 'successful'],
    [{ disburse_status: 'successful' }, 'successful'],
    ['{"disburse_status":"pending"}', 'completed'],
    ['{"disburse_status"', 'completed'],
    [null, 'completed'],
  ])('of a refund that is completed, with %j', (meta, status) => {
    expect(refundsOf([{ ...row, meta }], naira('2'))).toMatchObject([{ status }]);
  });

  it.each([
    ['transaction_id', 'comment'],
    ['tx_id', 'comments'],
    ['TransactionId', 'comment'],
  ])('of refunds is found under %s and %s', (transaction, comment) => {
    const { transaction_id: _, comment: __, ...rest } = row;
    expect(refundsOf([{ ...rest, [transaction]: '2', [comment]: 'rfd_1' }], naira('2'))).toEqual([
      { id: '1', transaction: '2', status: 'completed', amount: 500n, comment: 'rfd_1' },
    ]);
  });

  it('of a refund or a chargeback that is not understood is not passed over', () => {
    for (const change of [
      { id: 0 },
      { amount_refunded: 0 },
      { amount_refunded: '1e3' },
      { status: 7 },
      { transaction_id: null },
    ])
      expect(() => refundsOf([{ ...row, ...change }], naira('2'))).toThrow('not understood');
    const lost = { id: 1, amount: 5, status: 'lost', transaction_id: 2 };
    for (const change of [
      { id: 0 },
      { amount: -5 },
      { status: 'escalated' },
      { status: null },
      { transaction_id: null },
    ])
      expect(() => chargebacksOf([{ ...lost, ...change }], naira('2'))).toThrow('not understood');
    expect(chargebacksOf([{ ...lost, transaction_id: 3, status: 'escalated' }], naira('2'))).toEqual([]);
  });
});

describe('amounts of Flutterwave', () => {
  it('are exact where they are money that moved, and the nearest where they are fees', () => {
    expect([minorOf('19.30', 'NGN'), minorOf(19, 'NGN'), minorOf('5', 'XOF')]).toEqual([1_930n, 1_900n, 5n]);
    for (const odd of ['19.305', '1e3', '-1', '', 0, null, undefined, [], '5.5.5'])
      expect(minorOf(odd, 'NGN')).toBeNull();
    expect(roundedMinor('2462.375', 'NGN')).toBe(246_238n);
    expect(roundedMinor('0.0049999999', 'NGN')).toBe(0n);
    expect(roundedMinor('10.5', 'XOF')).toBe(11n);
    for (const odd of [null, undefined, '-1', '1e-7', {}]) expect(roundedMinor(odd, 'NGN')).toBeNull();
    expect([majorOf(1_000n, 'NGN'), majorOf(1_010n, 'NGN'), majorOf(1_000n, 'UGX')]).toEqual(['10', '10.10', '1000']);
  });

  it.each([
    [{ amount_settled: '98.6' }, 140n],
    [{ amount_settled: '98.6', app_fee: '1.4' }, 140n],
    [{ amount_settled: null, app_fee: '1.4' }, 140n],
    [{ amount_settled: 100, app_fee: '1.4', charged_amount: '101.4' }, 0n],
    [{ amount_settled: null, app_fee: '1.4', charged_amount: '101.4' }, undefined],
    [{ amount_settled: 101, app_fee: null }, undefined],
    [{ amount_settled: 0, app_fee: 100 }, undefined],
    [{}, undefined],
  ])('leave a fee: %j', (more, fee) => {
    const attempt = { id: 1, amount: 100, currency: 'NGN', charged_amount: 100, ...more };
    expect(receivedOf(attempt)?.fee).toBe(fee);
  });
});

describe('the settings of Flutterwave', () => {
  it('are a key at least', () => {
    expect(FLUTTERWAVE.read({ FLUTTERWAVE_URL: 'https://api.flutterwave.com/v3/' })).toEqual({
      values: null,
      faults: [],
    });
    const { values } = FLUTTERWAVE.read({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK-1-X', FLUTTERWAVE_SECRET_HASH: 'hash' });
    expect({ ...values }).toEqual({
      url: 'https://api.flutterwave.com/v3/',
      secretKey: 'FLWSECK-1-X',
      secretHash: 'hash',
    });
    expect(JSON.stringify(values)).not.toMatch(/FLWSECK-1-X|"hash"/);
    const { faults } = FLUTTERWAVE.read({ FLUTTERWAVE_EMAIL: 'payers@example.com' });
    expect(faults).toEqual(['FLUTTERWAVE_SECRET_KEY must be set, as FLUTTERWAVE_EMAIL is']);
  });
});

describe('asked about a payment, Flutterwave', () => {
  let server: Company;

  beforeEach(async () => {
    server = await new Company().listen();
  });
  afterEach(() => server.stop());

  it.each([0, 1, 2, 3, 4, 5])('speaks of our account, and ends nothing: %i', async (kind) => {
    const [order, gateway] = [orderOf({ expiresAt: new Date(0) }), gatewayOf(server)];
    server.payments.plan(order.reference, 'locks_us_out', kind);
    await gateway.start(order, never);
    expect(await gateway.query(order, never)).toMatchObject({ outcome: 'unknown' });
  });

  it('may say in words that a list is empty', async () => {
    const [order, gateway] = [orderOf(), gatewayOf(server)];
    await gateway.start(order, never);
    const say = (message: string) =>
      jest.spyOn(server.payments, 'listRefunds').mockImplementation((_, response) => {
        response.writeHead(404).end(JSON.stringify({ status: 'error', message, data: null }));
      });
    say('No refunds were found');
    expect(await gateway.query(order, never)).toMatchObject({ outcome: 'successful' });
    for (const words of ['Route not found', 'No permission for refunds', 'Not found']) {
      say(words);
      await expect(gateway.query(order, never)).rejects.toThrow('no list');
    }
  });

  it('may have more than can be read: then nothing is said', async () => {
    const [order, gateway] = [orderOf(), gatewayOf(server)];
    await gateway.start(order, never);
    server.payments.listsAreFiltered = false;
    for (let i = 0; i < 401; i++) server.payments.giveBack(order.reference, 1n);
    await expect(gateway.query(order, never)).rejects.toThrow('more than 20 pages');
  });

  it('tells a key and an address that are right from those that are not', async () => {
    expect(await gatewayOf(server).check(never)).toEqual({
      isFine: true,
      says: 'Flutterwave takes the key. Balance: NGN 1,000,000.00.',
    });
    const says = async (url: string, secretKey: string) =>
      new FlutterwaveGateway({ email: undefined, secretHash: undefined, url, secretKey }, outside()).check(never);
    expect(await says(`${server.url}v3/`, 'FLWSECK-wrong-X')).toEqual({
      isFine: false,
      says: 'Flutterwave does not take the key: look at FLUTTERWAVE_SECRET_KEY.',
    });
    for (const path of ['', 'v9/', 'v3/v3/'])
      expect(await says(`${server.url}${path}`, server.key)).toEqual({
        isFine: false,
        says: expect.stringMatching(/HTTP 404\) is not Flutterwave.*ends in \/v3\/\.$/),
      });
    expect(await says('http://127.0.0.1:1/v3/', server.key)).toEqual({
      isFine: false,
      says: expect.stringContaining('Nobody takes connections'),
    });
    server.shutOut = 403;
    expect(await gatewayOf(server).check(never)).toEqual({ isFine: false, says: expect.stringContaining('HTTP 403') });
  });

  it('does not answer in time', async () => {
    const stop = AbortSignal.abort();
    expect(await gatewayOf(server).check(stop)).toEqual({ isFine: false, says: 'Flutterwave did not answer in time.' });
  });

  it('sees a key of the test mode, and tells balances of ours only', () => {
    expect(checkedOf(fixture('balances'), 'FLWSECK_TEST-1-X')).toEqual({
      isFine: false,
      says: expect.stringContaining('test mode'),
    });
    expect(checkedOf(fixture('balances'), 'FLWSECK-1-X')).toEqual({
      isFine: true,
      says: 'Flutterwave takes the key. Balance: NGN 2,367,840.00.',
    });
  });
});
