import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/core/http/ids';
import { findingOf, PaystackGateway, startOf, theirsOf } from '../../src/extensions/paystack/gateway';
import { checkedOf, PAYSTACK } from '../../src/extensions/paystack/paystack';
import { REFUND_REFUSALS, refundOf, refundResultOf, refundsOf } from '../../src/extensions/paystack/refunds';
import { receivedOf, settledOf } from '../../src/extensions/paystack/reversals';
import type { GatewayOrder, RefundOrder } from '../../src/modules/payments/gateway';
import { type CompanyAnswer, parseJson } from '../../src/providers/http';
import { Company } from '../pretended/paystack/company';
import { NONSENSE } from '../pretended/paystack/talk';
import { gatewayContract } from './gateway-contract';
import { expectTwinsSeen, orderOf } from './gateway-orders';
import type { GatewayDeed, GatewayRig } from './gateway-rules';
import { outside } from './outside';

const never = new AbortController().signal;

const fixture = (name: string): CompanyAnswer & { readonly body: { readonly data: Record<string, unknown> } } => ({
  status: 200,
  body: parseJson(readFileSync(join(__dirname, `../pretended/paystack/fixtures/${name}.json`), 'utf8')) as {
    data: Record<string, unknown>;
  },
});

const gatewayOf = ({ url, key: secretKey }: Company, email?: string) =>
  new PaystackGateway({ url, secretKey, email }, outside());

const refundOrderOf = (server: Company, payment: GatewayOrder): RefundOrder => {
  const reference = `rfd_${newId().replaceAll('-', '')}`;
  const id = server.payments.idOf(theirsOf(payment.reference));
  server.payments.notes.set(id, reference);
  const [paymentReference, amount, currency] = [String(id), 1_000n, 'NGN'];
  return { reference, payment, paymentReference, amount, currency, reason: null };
};

const chargeOf = ({ reference }: GatewayOrder) => ({ reference: theirsOf(reference), status: 'success' });

async function rig(): Promise<GatewayRig> {
  const server = await new Company().listen();
  server.payments.refundsBegin = 'processed';
  let orders = 0;
  return {
    gateway: gatewayOf(server),
    order: (deed: GatewayDeed) => {
      // A payer may try again until the order expires.
      const order = orderOf(deed === 'declines' ? { expiresAt: new Date(Date.now() - 1) } : {});
      server.payments.plan(theirsOf(order.reference), deed, deed === 'talks_nonsense' ? orders++ % NONSENSE.length : 0);
      return order;
    },
    refund: (order) => refundOrderOf(server, order),
    callback: (order) => server.callback('charge.success', chargeOf(order)),
    otherCallback: () => server.callback('transfer.success', { reference: 'a_transfer' }),
    booked: (reference) => server.payments.booked(theirsOf(reference)),
    opened: (reference) => server.payments.opened.get(theirsOf(reference)) ?? 0,
    kindsOfNonsense: NONSENSE.length,
    close: () => server.stop(),
  };
}

gatewayContract('of Paystack, over HTTP', rig);

let server: Company;
let gateway: PaystackGateway;

beforeEach(async () => {
  server = await new Company().listen();
  server.payments.refundsBegin = 'processed';
  gateway = gatewayOf(server);
});
afterEach(() => server.stop());

describe('payments through Paystack', () => {
  const started = async (deed: GatewayDeed = 'pays', more: Partial<GatewayOrder> = {}): Promise<GatewayOrder> => {
    const order = orderOf(more);
    server.payments.plan(theirsOf(order.reference), deed);
    await gateway.start(order, never);
    return order;
  };
  const idOf = ({ reference }: GatewayOrder) => server.payments.idOf(theirsOf(reference));

  it('sends what Paystack needs to know, in its alphabet of references', async () => {
    const order = orderOf({ description: 'Shoes', options: { channels: ['card', 'bank_transfer'], other: 1 } });
    expect(await gateway.start(order, never)).toMatchObject({
      outcome: 'started',
      pageUrl: expect.stringMatching(/^https:\/\/checkout\.paystack\.com\/\w+$/),
    });
    const [{ body, headers, method, path }] = server.heard as [(typeof server.heard)[0]];
    expect([method, path, headers.authorization]).toEqual(['POST', '/transaction/initialize', `Bearer ${server.key}`]);
    expect(body).toEqual({
      reference: order.reference.replaceAll('_', '-'),
      email: 'ada@example.com',
      amount: '100000',
      currency: 'NGN',
      callback_url: order.returnUrl,
      channels: ['card', 'bank_transfer'],
      metadata: { cancel_action: order.returnUrl, description: 'Shoes' },
    });
    expect(body!.reference).toMatch(/^[A-Za-z0-9.=-]+$/);
  });

  it('opens nothing for a payer without an address, unless there is one for them', async () => {
    const order = orderOf({ customer: null });
    expect(await gateway.start(order, never)).toMatchObject({ outcome: 'not_started', code: 'payer_email_missing' });
    expect(server.heard).toEqual([]);
    expect(await gatewayOf(server, 'payers@example.com').start(order, never)).toMatchObject({ outcome: 'started' });
    expect(server.heard[0]!.body).toMatchObject({ email: 'payers@example.com' });
  });

  it('neither fails nor opens anew what was opened by an answer that was lost', async () => {
    const order = await started('waits');
    const another = gatewayOf(server);
    expect(await another.start(order, never)).toEqual({ outcome: 'unknown', code: 'page_lost' });
    expect(await another.query(order, never)).toEqual({ outcome: 'awaiting' });
    expect(server.payments.opened.get(theirsOf(order.reference))).toBe(1);
  });

  it('waits for another try of the payer until the order expires', async () => {
    const order = await started('declines');
    expect(await gateway.query(order, never)).toEqual({ outcome: 'awaiting' });
    expect(await gateway.query({ ...order, expiresAt: new Date(0) }, never)).toMatchObject({ outcome: 'failed' });
  });

  it('counts what was asked for where payers bear the fee', async () => {
    server.payments.feeIsOnTop = true;
    expect(await gateway.query(await started(), never)).toMatchObject({ outcome: 'successful', amount: 100_000n });
  });

  it.each([
    ['a refund made at the dashboard', null, (id: number) => String(id)],
    ['a chargeback', 358_950, () => 'dispute-358950'],
  ])('tells of %s as of a reversal', async (_, dispute, nameOf) => {
    const order = await started();
    const { id } = server.payments.giveBack(theirsOf(order.reference), 40_000, dispute);
    server.payments.giveBack(theirsOf(order.reference), 10_000, null, 'pending');
    server.payments.giveBack(theirsOf(order.reference), 10_000, null, 'failed');
    expect(await gateway.query(order, never)).toEqual({
      outcome: 'reversed',
      code: 'reversed',
      message: 'Money of the payment went back.',
      gatewayReference: String(idOf(order)),
      amount: 100_000n,
      currency: 'NGN',
      reversals: [{ gatewayReference: nameOf(id), amount: 40_000n }],
    });
  });

  const disputeOf = (order: GatewayOrder, more: object = {}) => ({
    id: 358_950,
    status: 'resolved',
    resolution: 'auto-accepted',
    refund_amount: 100_000,
    transaction: { id: idOf(order) },
    ...more,
  });

  it('finds a chargeback that has no refund, and gives it the same name once it has one', async () => {
    const order = await started();
    server.payments.setStatus(theirsOf(order.reference), 'reversed');
    server.payments.disputes.push(disputeOf(order), disputeOf(order, { id: 3, resolution: 'declined' }));
    const reversals = [{ gatewayReference: 'dispute-358950', amount: 100_000n }];
    expect(await gateway.query(order, never)).toMatchObject({ outcome: 'reversed', reversals });
    server.payments.giveBack(theirsOf(order.reference), 100_000, 358_950);
    expect(await gateway.query(order, never)).toMatchObject({ outcome: 'reversed', reversals });
  });

  it('counts a chargeback once that is both a dispute and a refund', async () => {
    const order = await started();
    server.payments.setStatus(theirsOf(order.reference), 'reversed');
    server.payments.giveBack(theirsOf(order.reference), 60_000, 358_950);
    server.payments.disputes.push(disputeOf(order, { refund_amount: 60_000 }));
    expect(await gateway.query(order, never)).toMatchObject({
      outcome: 'reversed',
      reversals: [{ gatewayReference: 'dispute-358950', amount: 60_000n }],
    });
  });

  it('claims nothing of a reversal that leaves no trace yet', async () => {
    const order = await started();
    server.payments.setStatus(theirsOf(order.reference), 'reversed');
    expect(await gateway.query(order, never)).toEqual({ outcome: 'unknown', code: 'reversed_without_trace' });
    server.payments.disputes.push(disputeOf(order, { resolution: null, status: 'awaiting-merchant-feedback' }));
    server.payments.giveBack(theirsOf(order.reference), 100_000, null, 'processing');
    expect(await gateway.query(order, never)).toMatchObject({ outcome: 'unknown' });
  });

  it('finds its refund where Paystack lists those of all payments, page by page', async () => {
    const [order, other] = [await started(), await started()];
    const wanted = refundOrderOf(server, order);
    const first = await gateway.refund(wanted, never);
    for (let i = 0; i < 70; i++) server.payments.giveBack(theirsOf(other.reference), 10);
    server.payments.refunds.reverse();
    server.payments.listsAreFiltered = false;
    expect(await gateway.findRefund(wanted, never)).toEqual(first);
    expect(await gateway.query(order, never)).toMatchObject({
      reversals: [{ gatewayReference: (first as { gatewayReference: string }).gatewayReference, amount: 1_000n }],
    });
    const lists = server.heard.filter(({ path }) => path === '/refund' && true);
    expect(lists.map(({ query }) => query.get('page')).filter(Boolean)).toEqual(['1', '1', '2', '1', '2']);
  });

  it('names its refund among the reversals, so that it is not taken back twice', async () => {
    const order = await started();
    const wanted = refundOrderOf(server, order);
    await gateway.refund(wanted, never);
    server.payments.giveBack(theirsOf(order.reference), 500);
    const { reversals } = (await gateway.query(order, never)) as unknown as { reversals: object[] };
    expect(reversals.map((one) => 'reference' in one && one.reference)).toEqual([wanted.reference, false]);
  });

  it('refuses a refund of what has gone back already, but not its own that was lost', async () => {
    const order = await started();
    const all = { ...refundOrderOf(server, order), amount: 100_000n };
    const done = await gateway.refund(all, never);
    expect(done).toMatchObject({ outcome: 'refunded', amount: 100_000n });
    expect(await gateway.refund(refundOrderOf(server, order), never)).toMatchObject({
      outcome: 'not_refunded',
      about: 'order',
      code: 'already_reversed',
    });
    // The first list came before its refund was in it.
    const rows = server.payments.refunds.splice(0);
    let lists = 0;
    jest.spyOn(server.payments, 'listRefunds').mockImplementation(({ query }, response) => {
      const data = lists++ === 0 ? [] : rows.filter((one) => one.transaction === Number(query.get('transaction')));
      response.end(JSON.stringify({ status: true, message: 'Refunds retrieved', data }));
    });
    server.payments.refunds.push(...rows);
    expect(await gateway.refund(all, never)).toEqual(done);
    expect(server.payments.refunds).toHaveLength(1);
  });

  it('cannot say what became of a refund that was made twice', async () =>
    expectTwinsSeen(gateway, refundOrderOf(server, await started()), server.payments.refunds));

  it('waits for a refund that takes its time', async () => {
    server.payments.refundsBegin = 'pending';
    const order = await started();
    const wanted = refundOrderOf(server, order);
    const accepted = { outcome: 'accepted', gatewayReference: expect.stringMatching(/^\d+$/) };
    expect(await gateway.refund(wanted, never)).toEqual(accepted);
    expect(await gateway.query(order, never)).toMatchObject({ outcome: 'successful' });
    expect(await gateway.findRefund(wanted, never)).toEqual(accepted);
    expect(await gateway.findRefund(wanted, never)).toMatchObject({ outcome: 'refunded', amount: 1_000n });
    expect(server.payments.refunds).toHaveLength(1);
  });

  it('asks for no refund of what is no transaction there: it would not find it again', async () => {
    const wanted = { ...refundOrderOf(server, await started()), paymentReference: '3ni8kdavz62431k' };
    await expect(gateway.refund(wanted, never)).rejects.toThrow('not the id');
    await expect(gateway.findRefund(wanted, never)).rejects.toThrow('not the id');
    expect(server.payments.refunds).toEqual([]);
  });

  it.each([
    ['pending', 'accepted'],
    ['processing', 'accepted'],
    ['needs-attention', 'accepted'],
    ['processed', 'refunded'],
    ['failed', 'not_refunded'],
    ['reversed', 'unknown'],
    ['toString', 'unknown'],
  ])('takes a refund that is %s as %s', (status, outcome) => {
    expect(refundResultOf({ id: '1', status, amount: 1n, dispute: null, note: null })).toMatchObject({ outcome });
  });

  it.each([
    ['abandoned', 'awaiting'],
    ['ongoing', 'processing'],
    ['pending', 'processing'],
    ['processing', 'processing'],
    ['queued', 'processing'],
    ['failed', 'awaiting'],
    ['Success', 'unknown'],
    ['constructor', 'unknown'],
  ])('takes a transaction that is %s as %s', (status, outcome) => {
    const answer = { status: 200, body: { status: true, message: '', data: { reference: 'r', status } } };
    expect(findingOf(answer, { reference: 'r', isOver: false })).toMatchObject({ outcome });
  });

  it('takes only the word of Paystack that it has no such order', () => {
    const found = (status: number, body: object) => findingOf({ status, body }, { reference: 'r', isOver: true });
    const words = { status: false, message: 'Transaction reference not found.' };
    expect([found(400, words), found(404, words)]).toEqual(Array(2).fill({ outcome: 'not_known' }));
    for (const [status, body] of [
      [500, words],
      [404, { ...words, status: true }],
      [404, { message: words.message }],
      [404, { status: false, message: 'Not found' }],
      [401, { status: false, message: 'Invalid key' }],
    ] as const)
      expect(found(status, body)).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    [400, { type: 'validation_error', code: 'invalid_params' }, 'not_started'],
    [400, { type: 'validation_error', code: 'duplicate_reference' }, 'unknown'],
    [400, { message: 'Duplicate Transaction Reference' }, 'unknown'],
    [400, { type: 'api_error', code: 'unknown' }, 'unknown'],
    [400, { message: 'Invalid key' }, 'unknown'],
    [401, { type: 'validation_error', code: 'invalid_Key' }, 'unknown'],
    [500, { type: 'validation_error', code: 'invalid_params' }, 'unknown'],
  ])('takes an error %i %j at the opening as %s', (status, more, outcome) => {
    expect(startOf({ status, body: { status: false, message: 'x', ...more } }, 'r')).toMatchObject({ outcome });
  });

  it.each(Object.entries(REFUND_REFUSALS))('understands the refusal %s of a refund', (code, refusal) => {
    const order = { reference: 'rfd_1', payment: orderOf() } as RefundOrder;
    const said = (status: number, body: object) => refundOf({ status, body: { status: false, ...body } }, order);
    expect(said(400, { message: 'x', code })).toMatchObject({ outcome: 'not_refunded', about: 'order', ...refusal });
    for (const [status, body] of [
      [500, { code }],
      [400, { code: 'insufficient_balance' }],
      [401, { message: 'Invalid key' }],
    ] as const)
      expect(said(status, body)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('callbacks of Paystack', () => {
  const heard = (event: string, data: object) => gateway.verify(server.callback(event, data));

  it('are about payments of ours only, and claim what they say', () => {
    const { reference } = orderOf();
    const theirs = theirsOf(reference);
    const genuine = { outcome: 'genuine', reference };
    expect(heard('charge.success', { reference: theirs })).toEqual({
      ...genuine,
      says: 'charge_success',
      claims: 'successful',
    });
    expect(heard('refund.processed', { transaction_reference: theirs })).toEqual({
      ...genuine,
      says: 'refund_processed',
      claims: 'reversed',
    });
    expect(heard('refund.needs-attention', { transaction_reference: theirs })).toEqual({
      ...genuine,
      says: 'refund_needs_attention',
    });
    expect(heard('charge.dispute.resolve', { transaction: { reference: theirs } })).toEqual({
      ...genuine,
      says: 'charge_dispute_resolve',
    });
    for (const [event, data] of [
      ['charge.success', { reference: 're4lyvq3s3' }],
      ['charge.success', {}],
      ['transfer.success', { reference: theirs }],
      ['invoice.create', { reference: theirs }],
    ] as const)
      expect(heard(event, data)).toEqual({ outcome: 'other' });
  });

  it('are forged where another key signed them', () => {
    const callback = server.callback('charge.success', chargeOf(orderOf()), 'sk_live_another');
    expect(gateway.verify(callback)).toEqual({ outcome: 'forged' });
  });

  it.each(['charge-success', 'refund-processed', 'refund-needs-attention', 'dispute-resolve'])(
    'of the documentation are read: %s',
    (name) => {
      const text = JSON.stringify(fixture(`event-${name}`).body);
      const [, theirs] = /"(?:transaction_)?reference":"(\w+)"/.exec(text)!;
      const { reference } = orderOf();
      const { event, data } = JSON.parse(text.replaceAll(theirs!, theirsOf(reference))) as Record<string, never>;
      expect(heard(event!, data!)).toMatchObject({ outcome: 'genuine', reference });
      const own = JSON.parse(text) as Record<string, never>;
      expect(heard(own.event!, own.data!)).toEqual({ outcome: 'other' });
    },
  );
});

describe('answers of the documentation of Paystack', () => {
  it('to an opening', () => {
    expect(startOf(fixture('initialize'), 'nms6uvr1pl')).toEqual({
      outcome: 'started',
      gatewayReference: 'nkdks46nymizns7',
      pageUrl: 'https://checkout.paystack.com/nkdks46nymizns7',
    });
  });

  it('to a question for a transaction, whose payer bore the fee', () => {
    const found = findingOf(fixture('verify'), { reference: 're4lyvq3s3', isOver: false });
    const received = receivedOf((found as { paid: Record<string, unknown> }).paid)!;
    expect(settledOf(received, { isReversed: false, refunds: [], disputes: [] })).toEqual({
      outcome: 'successful',
      gatewayReference: '4099260516',
      amount: 30_050n,
      currency: 'NGN',
    });
  });

  it('to a request for a refund', () => {
    const { body } = fixture('refund-create');
    const { reference, payment } = { reference: String(body.data.merchant_note), payment: orderOf() };
    const order = { reference, payment: { ...payment, reference: 'T685312322670591' } } as RefundOrder;
    expect(refundOf(fixture('refund-create'), order)).toEqual({ outcome: 'accepted', gatewayReference: '3018284' });
    expect(refundOf(fixture('refund-create'), { ...order, reference: 'rfd_1' })).toMatchObject({ outcome: 'unknown' });
  });

  it('to a question for refunds', () => {
    const rows = fixture('refund-list').body.data as unknown as Record<string, unknown>[];
    expect(refundsOf(rows, '640672957')).toEqual([
      { id: '742609', status: 'processed', amount: 20_000n, dispute: null, note: 'yada yada' },
    ]);
  });
});

describe('the settings of Paystack', () => {
  it('are a key at least', () => {
    expect(PAYSTACK.read({ PAYSTACK_URL: 'https://api.paystack.co/' })).toEqual({ values: null, faults: [] });
    const { values } = PAYSTACK.read({ PAYSTACK_SECRET_KEY: 'sk_live_1' });
    expect({ ...values }).toEqual({ url: 'https://api.paystack.co/', secretKey: 'sk_live_1' });
    expect(JSON.stringify(values)).not.toContain('sk_live_1');
    const { faults } = PAYSTACK.read({ PAYSTACK_EMAIL: 'payers@example.com' });
    expect(faults).toEqual(['PAYSTACK_SECRET_KEY must be set, as PAYSTACK_EMAIL is']);
  });
});

describe('the check of Paystack', () => {
  it('tells a key and an address that are right from those that are not', async () => {
    expect(await gateway.check(never)).toEqual({
      isFine: true,
      says: 'Paystack takes the key. Balance: NGN 1,000,000.00.',
    });
    const { url } = server;
    const says = async (given: { url: string; secretKey: string }) =>
      new PaystackGateway({ email: undefined, ...given }, outside()).check(never);
    expect(await says({ url, secretKey: 'sk_live_wrong' })).toEqual({
      isFine: false,
      says: 'Paystack does not take the key: look at PAYSTACK_SECRET_KEY.',
    });
    expect(await says({ url: `${url}v9/`, secretKey: server.key })).toEqual({
      isFine: false,
      says: 'What answers there (HTTP 404) does not talk as Paystack does: look at PAYSTACK_URL.',
    });
    expect(await says({ url: 'http://127.0.0.1:1/', secretKey: server.key })).toEqual({
      isFine: false,
      says: expect.stringContaining('Nobody takes connections'),
    });
    server.shutOut = 403;
    expect(await gateway.check(never)).toEqual({ isFine: false, says: expect.stringContaining('HTTP 403') });
  });

  it('sees a key of the test mode', () => {
    expect(checkedOf(fixture('balance'), 'sk_test_1')).toEqual({
      isFine: false,
      says: expect.stringContaining('test mode'),
    });
    expect(checkedOf(fixture('balance'), 'sk_live_1')).toMatchObject({ isFine: true });
  });
});
