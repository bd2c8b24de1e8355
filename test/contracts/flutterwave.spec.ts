import type { FlutterwaveGateway } from '../../src/extensions/flutterwave/gateway';
import type { GatewayOrder, GivenBack, QueryResult } from '../../src/modules/payments/gateway';
import { Company } from '../pretended/flutterwave/company';
import { NONSENSE } from '../pretended/flutterwave/talk';
import { gatewayOf, never, refundOrderOf } from './flutterwave-rig';
import { expectTwinsSeen, orderOf } from './gateway-orders';
import { gatewayContract } from './gateway-contract';
import type { GatewayDeed, GatewayRig } from './gateway-rules';

async function rig(): Promise<GatewayRig> {
  const server = await new Company().listen();
  server.payments.refundsBegin = 'completed-mpgs';
  let orders = 0;
  return {
    gateway: gatewayOf(server),
    order: (deed: GatewayDeed) => {
      // A payer may try again until the order expires.
      const order = orderOf({ amount: 100_050n, ...(deed === 'declines' && { expiresAt: new Date(Date.now() - 1) }) });
      server.payments.plan(order.reference, deed, deed === 'talks_nonsense' ? orders++ % NONSENSE.length : 0);
      return order;
    },
    refund: (order) => refundOrderOf(server, order),
    callback: ({ reference }) =>
      server.callback({ event: 'charge.completed', data: { tx_ref: reference, status: 'successful' } }),
    isUnsigned: true,
    otherCallback: () => server.callback({ event: 'subscription.cancelled', data: {} }),
    booked: (reference) => server.payments.booked(reference),
    opened: (reference) => server.payments.opened.get(reference) ?? 0,
    kindsOfNonsense: NONSENSE.length,
    close: () => server.stop(),
  };
}

gatewayContract('of Flutterwave, over HTTP', rig);

let server: Company;
let gateway: FlutterwaveGateway;

beforeEach(async () => {
  server = await new Company().listen();
  server.payments.refundsBegin = 'completed-mpgs';
  gateway = gatewayOf(server);
});
afterEach(() => server.stop());

const started = async (deed: GatewayDeed = 'pays', more: Partial<GatewayOrder> = {}): Promise<GatewayOrder> => {
  const order = orderOf(more);
  server.payments.plan(order.reference, deed);
  await gateway.start(order, never);
  return order;
};
const query = (order: GatewayOrder): Promise<QueryResult> => gateway.query(order, never);
const idOf = ({ reference }: GatewayOrder) => String(server.payments.idOf(reference));
const over = (order: GatewayOrder): GatewayOrder => ({ ...order, expiresAt: new Date(0) });
const asked = (path: string, method = 'GET') =>
  server.heard.filter((one) => one.path === path && one.method === method);

describe('payments through Flutterwave', () => {
  it('sends what Flutterwave needs to know, in major units', async () => {
    const options = { payment_options: 'card,ussd', other: 1 };
    const customer = { email: 'ada@example.com', name: 'Ada', phone: '+2348031234567' };
    const expiresAt = new Date(Date.now() + 3_605_000);
    const order = orderOf({ amount: 100_050n, description: 'Shoes', options, customer, expiresAt });
    expect(await gateway.start(order, never)).toMatchObject({
      outcome: 'started',
      gatewayReference: expect.stringMatching(/^flwlnk-\w+$/),
      pageUrl: expect.stringMatching(/^https:\/\/checkout\.flutterwave\.com\/v3\/hosted\/pay\/flwlnk-\w+$/),
    });
    const [{ body, headers, method, path }] = server.heard as [(typeof server.heard)[0]];
    expect([method, path, headers.authorization]).toEqual(['POST', '/v3/payments', `Bearer ${server.key}`]);
    expect(body).toEqual({
      tx_ref: order.reference,
      amount: '1000.50',
      currency: 'NGN',
      redirect_url: order.returnUrl,
      session_duration: 60,
      payment_options: 'card,ussd',
      customer: { email: 'ada@example.com', name: 'Ada', phonenumber: '+2348031234567' },
      customizations: { description: 'Shoes' },
    });
  });

  it.each([
    [{ amount: 100_000n }, '1000'],
    [{ amount: 100_005n }, '1000.05'],
    [{ amount: 1_000n, currency: 'XOF' as const }, '1000'],
  ])('writes %j as %s', async (more, amount) => {
    const order = await started('pays', more);
    expect(server.heard[0]!.body).toMatchObject({ amount });
    expect(await query(order)).toMatchObject({ outcome: 'successful', ...more });
  });

  it.each([
    [-1, 1],
    [90, 90],
    [5_000, 1_440],
  ])('lets a page that has %i minutes be open for %i', async (minutes, told) => {
    await started('pays', { expiresAt: new Date(Date.now() + minutes * 60_000 + 5_000) });
    expect(server.heard[0]!.body).toMatchObject({ session_duration: told });
  });

  it('opens nothing for a payer without an address, unless there is one for them', async () => {
    const order = orderOf({ customer: null });
    expect(await gateway.start(order, never)).toMatchObject({ outcome: 'not_started', code: 'payer_email_missing' });
    expect(server.heard).toEqual([]);
    expect(await gatewayOf(server, 'payers@example.com').start(order, never)).toMatchObject({ outcome: 'started' });
    expect(server.heard[0]!.body).toMatchObject({ customer: { email: 'payers@example.com' } });
  });

  it('opens another page by the same reference where the answer was lost: it is paid once all the same', async () => {
    const order = await started('waits');
    const another = gatewayOf(server);
    expect(await another.query(order, never)).toEqual({ outcome: 'not_known' });
    expect(await another.start(order, never)).toMatchObject({ outcome: 'started' });
    server.payments.attempt(order.reference, 'successful');
    const paid = { outcome: 'successful', amount: 100_000n, gatewayReference: idOf(order) };
    expect([await another.query(order, never), await query(order)]).toEqual(
      Array(2).fill(expect.objectContaining(paid)),
    );
  });

  it('says that nobody has tried yet, where it knows that the page is open', async () => {
    const order = await started('waits');
    expect(await query(order)).toEqual({ outcome: 'awaiting' });
    expect(await query(over(order))).toEqual({ outcome: 'awaiting' });
  });

  it('waits for another try of the payer until the order expires', async () => {
    const order = await started('declines');
    expect(await query(order)).toEqual({ outcome: 'awaiting' });
    server.payments.attempt(order.reference, 'pending');
    expect([await query(order), await query(over(order))]).toEqual(Array(2).fill({ outcome: 'processing' }));
    server.payments.transactions.pop();
    expect(await query(over(order))).toMatchObject({ outcome: 'failed', about: 'order', code: 'payment_declined' });
  });

  it.each([
    ['first', true],
    ['latest', false],
  ])('counts the try that is paid, be it the %s or not that Flutterwave tells of', async (_, tellsTheFirst) => {
    server.payments.tellsTheFirst = tellsTheFirst;
    const order = await started('declines');
    server.payments.attempt(order.reference, 'successful');
    server.payments.attempt(order.reference, 'pending');
    server.payments.attempt(order.reference, 'failed');
    for (const one of [order, over(order)])
      expect(await query(one)).toMatchObject({
        outcome: 'successful',
        gatewayReference: idOf(order),
        amount: 100_000n,
      });
  });

  it('finds the paid try where Flutterwave lists those of everybody, page by page', async () => {
    server.payments.listsAreFiltered = false;
    const order = await started('declines');
    server.payments.attempt(order.reference, 'successful');
    server.payments.attempt(order.reference, 'failed');
    const other = await started('waits');
    for (let i = 0; i < 25; i++) server.payments.attempt(other.reference, 'failed');
    expect(await query(order)).toMatchObject({ outcome: 'successful', gatewayReference: idOf(order) });
    expect(asked('/v3/transactions').map((one) => one.query.get('page'))).toEqual(['1', '2']);
  });

  it('says of a failed try alone that the payment failed only where all tries are told', async () => {
    const order = await started('declines');
    jest.spyOn(server.payments, 'list').mockImplementation((_, response) => {
      response.end(
        JSON.stringify({ status: 'success', message: '', meta: { page_info: { total_pages: 0 } }, data: [] }),
      );
    });
    expect(await query(order)).toEqual({ outcome: 'awaiting' });
    expect(await query(over(order))).toEqual({ outcome: 'unknown', code: 'attempts_untold' });
  });

  it('believes no list that the transaction itself does not confirm', async () => {
    const order = await started('declines');
    server.payments.attempt(order.reference, 'successful');
    server.payments.attempt(order.reference, 'failed');
    jest.spyOn(server.payments, 'verifyById').mockImplementation((_, response) => {
      const data = { ...server.payments.transactions[0], amount: 1_000 };
      response.end(JSON.stringify({ status: 'success', message: '', data }));
    });
    expect(await query(order)).toMatchObject({ outcome: 'unknown' });
  });

  it.each([
    [{ amount: 40_000n }, { amount: 40_000n, currency: 'NGN' }],
    [{ amount: 250_000n }, { amount: 250_000n, currency: 'NGN' }],
    [
      { amount: 1_099n, currency: 'USD' as const },
      { amount: 1_099n, currency: 'USD' },
    ],
    [
      { amount: 600n, currency: 'XOF' as const },
      { amount: 600n, currency: 'XOF' },
    ],
  ])('says what arrived, not what was asked for: %j', async (more, came) => {
    const order = await started('waits');
    server.payments.attempt(order.reference, 'successful', more);
    expect(await query(order)).toMatchObject({ outcome: 'successful', ...came });
  });

  it('claims nothing of money in a currency that it cannot count', async () => {
    const order = await started('waits');
    server.payments.attempt(order.reference, 'successful', { currency: 'MWK' as 'NGN' });
    expect(await query(order)).toMatchObject({ outcome: 'unknown' });
  });

  it.each(['success', 'SUCCESSFUL', 'cancelled', 'completed', 'constructor'])(
    'takes a transaction of ours that is "%s" for unknown',
    async (status) => {
      const order = await started('waits');
      server.payments.attempt(order.reference, status);
      expect(await query(order)).toMatchObject({ outcome: 'unknown' });
      expect(await query(over(order))).toMatchObject({ outcome: 'unknown' });
    },
  );

  it('takes a fee from what is settled, and none where the payer bore it on top', async () => {
    expect(await query(await started())).toMatchObject({ amount: 100_000n, fee: 1_400n });
    server.payments.feeIsOnTop = true;
    expect(await query(await started())).toMatchObject({ amount: 100_000n, fee: 0n });
  });

  it('asks for what went back of this transaction, and for no more', async () => {
    const order = await started();
    await query(order);
    for (const path of ['/v3/refunds', '/v3/chargebacks'])
      expect(asked(path).map((one) => one.query.get('id'))).toEqual([idOf(order)]);
  });

  it('tells of refunds made at the dashboard and of lost chargebacks, and of nothing else', async () => {
    const order = await started();
    const { id } = server.payments.giveBack(order.reference, 40_000n);
    server.payments.giveBack(order.reference, 10_000n, 'completed');
    server.payments.giveBack(order.reference, 10_000n, 'failed');
    for (const status of ['initiated', 'declined', 'won']) server.payments.chargeBack(order.reference, 5_000n, status);
    const lost = server.payments.chargeBack(order.reference, 5_000n, 'lost');
    const accepted = server.payments.chargeBack(order.reference, 6_000n, 'accepted');
    expect(await query(order)).toEqual({
      outcome: 'reversed',
      code: 'reversed',
      message: 'Money of the payment went back.',
      gatewayReference: idOf(order),
      amount: 100_000n,
      currency: 'NGN',
      reversals: [
        { gatewayReference: String(id), amount: 40_000n },
        { gatewayReference: `chargeback-${String(lost.id)}`, amount: 5_000n },
        { gatewayReference: `chargeback-${String(accepted.id)}`, amount: 6_000n },
      ],
    });
  });

  it('leaves out what went back of other payments', async () => {
    server.payments.listsAreFiltered = false;
    const [order, other] = [await started(), await started()];
    for (let i = 0; i < 25; i++) server.payments.giveBack(other.reference, 10n);
    server.payments.chargeBack(other.reference, 10n, 'lost');
    expect(await query(order)).toMatchObject({ outcome: 'successful' });
    server.payments.giveBack(order.reference, 500n);
    expect(((await query(order)) as GivenBack).reversals).toHaveLength(1);
  });
});

describe('refunds through Flutterwave', () => {
  const refund = (...[wanted]: Parameters<FlutterwaveGateway['refund']> | [ReturnType<typeof refundOrderOf>]) =>
    gateway.refund(wanted, never);

  it('asks for a part in major units, with our reference as the comment', async () => {
    const order = await started();
    const wanted = refundOrderOf(server, order, 1_050n);
    expect(await refund(wanted)).toMatchObject({ outcome: 'refunded', amount: 1_050n });
    const [{ body }] = asked(`/v3/transactions/${idOf(order)}/refund`, 'POST') as [(typeof server.heard)[0]];
    expect(body).toEqual({ amount: '10.50', comments: wanted.reference });
  });

  it('gives back once, whoever asks again', async () => {
    const wanted = refundOrderOf(server, await started(), 100_000n);
    const first = await refund(wanted);
    for (const another of [gateway, gatewayOf(server), gatewayOf(server)])
      expect(await another.refund(wanted, never)).toEqual(first);
    expect(server.payments.refunds.map(({ amount }) => amount)).toEqual([100_000n]);
  });

  it('gives back once also where a list takes the id for that of the refund', async () => {
    server.payments.idIsOfRefund = true;
    const wanted = refundOrderOf(server, await started());
    const first = await refund(wanted);
    expect(first).toMatchObject({ outcome: 'refunded' });
    expect([await refund(wanted), await gateway.findRefund(wanted, never)]).toEqual([first, first]);
    expect(server.payments.refunds).toHaveLength(1);
  });

  it('asks for none as long as one of as much does not tell whose it is', async () => {
    const order = await started();
    server.payments.giveBack(order.reference, 1_000n, 'processing', null);
    const wanted = refundOrderOf(server, order);
    await expect(refund(wanted)).rejects.toThrow('whose it is');
    await expect(gateway.findRefund(wanted, never)).rejects.toThrow('whose it is');
    expect(server.payments.refunds).toHaveLength(1);
    expect(await refund(refundOrderOf(server, order, 2_000n))).toMatchObject({ outcome: 'refunded' });
    server.payments.refunds[0]!.status = 'failed';
    expect(await refund(wanted)).toMatchObject({ outcome: 'refunded' });
  });

  it('knows the refund that it was told of before, and makes no other should it not be listed', async () => {
    const order = await started();
    const { id } = server.payments.giveBack(order.reference, 1_000n, 'processing', null);
    const wanted = { ...refundOrderOf(server, order), gatewayReference: String(id) };
    const accepted = { outcome: 'accepted', gatewayReference: String(id) };
    expect([await gateway.findRefund(wanted, never), await refund(wanted)]).toEqual([accepted, accepted]);
    server.payments.refunds.pop();
    await expect(gateway.findRefund(wanted, never)).rejects.toThrow('not listed');
    await expect(refund(wanted)).rejects.toThrow('not listed');
    expect(server.payments.refunds).toEqual([]);
  });

  it('cannot say what became of a refund that was made twice', async () =>
    expectTwinsSeen(gateway, refundOrderOf(server, await started()), server.payments.refunds));

  it('waits for a refund that takes its time', async () => {
    server.payments.refundsBegin = 'completed';
    const order = await started();
    const wanted = refundOrderOf(server, order);
    const accepted = { outcome: 'accepted', gatewayReference: expect.stringMatching(/^\d+$/) };
    expect(await refund(wanted)).toEqual(accepted);
    expect(await query(order)).toMatchObject({ outcome: 'successful' });
    expect(await gateway.findRefund(wanted, never)).toEqual(accepted);
    expect(await gateway.findRefund(wanted, never)).toMatchObject({ outcome: 'refunded', amount: 1_000n });
    expect(await query(order)).toMatchObject({ outcome: 'reversed', reversals: [{ reference: wanted.reference }] });
    expect(server.payments.refunds).toHaveLength(1);
  });

  it('concludes nothing from a refusal: its words are not documented', async () => {
    const order = await started();
    server.payments.giveBack(order.reference, 100_000n);
    const wanted = refundOrderOf(server, order);
    expect(await refund(wanted)).toMatchObject({ outcome: 'unknown' });
    expect(await gateway.findRefund(wanted, never)).toEqual({ outcome: 'not_known' });
  });

  it('asks for none of what is no transaction of the payment: it would not find it again', async () => {
    const [order, other] = [await started(), await started()];
    const wanted = refundOrderOf(server, order);
    const wrong = [
      { ...wanted, paymentReference: 'flwlnk-01j8hkejppgm821xv8mfxfpgrb' },
      { ...wanted, paymentReference: idOf(other) },
      { ...wanted, currency: 'MWK' },
    ];
    for (const one of wrong) {
      await expect(refund(one)).rejects.toThrow('not ');
      await expect(gateway.findRefund(one, never)).rejects.toThrow('not ');
    }
    expect(server.payments.refunds).toEqual([]);
  });

  it('does not take the words of another for its refund', async () => {
    const order = await started();
    server.payments.giveBack(order.reference, 1_000n, 'completed-mpgs', 'rfd_of_somebody');
    const wanted = refundOrderOf(server, order);
    expect(await gateway.findRefund(wanted, never)).toEqual({ outcome: 'not_known' });
    expect(await refund(wanted)).toMatchObject({ outcome: 'refunded' });
    expect(server.payments.refunds).toHaveLength(2);
  });
});

describe('callbacks of Flutterwave', () => {
  const heard = (body: object, hash?: string) => gateway.verify(server.callback(body, hash));
  const told = (order: GatewayOrder, more: object = {}) => ({
    id: 89_074,
    AmountRefunded: 500,
    status: 'completed-mpgs',
    FlwRef: 'flwm3s4m0c1754324273641',
    TransactionId: Number(idOf(order)),
    ...more,
  });

  it('are about payments of ours only, and claim what they say', async () => {
    const { reference } = orderOf();
    const charge = (data: object) => ({ event: 'charge.completed', data });
    const genuine = { outcome: 'genuine', reference, says: 'charge_completed' };
    expect(await heard(charge({ tx_ref: reference, status: 'successful' }))).toEqual({
      ...genuine,
      claims: 'successful',
    });
    expect(await heard(charge({ tx_ref: reference, status: 'failed' }))).toEqual(genuine);
    for (const body of [
      charge({ tx_ref: 'LiveCardTest', status: 'successful' }),
      charge({ status: 'successful' }),
      { event: 'transfer.completed', data: { reference, tx_ref: reference } },
      { event: 'subscription.cancelled', data: {} },
      {},
      [],
    ])
      expect(await heard(body)).toEqual({ outcome: 'other' });
    expect(server.heard).toEqual([]);
  });

  it('of refunds and chargebacks tell the transaction: whose it is, is asked for', async () => {
    const order = await started();
    const { reference } = order;
    const genuine = { outcome: 'genuine', reference };
    expect(await heard(told(order))).toEqual({ ...genuine, says: 'refund_completed_mpgs', claims: 'reversed' });
    expect(await heard(told(order, { status: 'completed' }))).toEqual({ ...genuine, says: 'refund_completed' });
    const chargeback = { id: 22_221, amount: 500, status: 'initiated', stage: 'new' };
    expect(await heard({ event: 'chargeback.initiated', data: { ...chargeback, tx_ref: reference } })).toEqual({
      ...genuine,
      says: 'chargeback_initiated',
    });
    expect(await heard({ event: 'chargeback.lost', data: { ...chargeback, transaction_id: idOf(order) } })).toEqual({
      ...genuine,
      says: 'chargeback_lost',
    });
    expect(await heard({ event: 'chargeback.lost', data: chargeback })).toEqual({ outcome: 'other' });
    expect(asked(`/v3/transactions/${idOf(order)}/verify`)).toHaveLength(3);
  });

  it('are not answered as if nothing had come where nobody can say whose they are', async () => {
    await expect(heard(told(await started(), { TransactionId: 1 }))).rejects.toThrow('what the callback is about');
  });

  it('are forged without the secret, and nobody is asked then', async () => {
    const order = await started();
    const before = server.heard.length;
    for (const hash of ['', 'another', `${server.secretHash} `])
      expect(await heard(told(order), hash)).toEqual({ outcome: 'forged' });
    const none = gatewayOf({
      ...server,
      url: server.url,
      key: server.key,
      secretHash: undefined,
    } as unknown as Company);
    for (const hash of ['', 'undefined', server.secretHash])
      expect(await none.verify(server.callback(told(order), hash))).toEqual({ outcome: 'forged' });
    expect(server.heard).toHaveLength(before);
  });
});
