import { PaymentReviewService } from '../src/modules/payments/payment-review.service';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { until } from './support/recurring-probe';
import { reviewer } from './support/reviewers';

let duka: Duka;
let payer: Payer;
let payment: any;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  payer = await Payer.of(duka);
  payment = await payer.asked();
  await payer.start(payment);
});
afterEach(() => jest.restoreAllMocks());

const NET = 98_500;
const CALLBACKS = 400;
const AT_ONCE = 25;

/** Sends `CALLBACKS` callbacks, many at a time; how often each status was the answer. */
async function flood(make: (i: number) => Promise<Response>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let sent = 0; sent < CALLBACKS; sent += AT_ONCE) {
    for (const { status } of await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => make(sent + i))))
      statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

const state = async () => [(await payer.get(payment.id)).status, await payer.balance()];

describe('hundreds of callbacks', () => {
  it('that repeat each other credit once', async () => {
    await payer.decide(payment.id, 'successful');
    expect(await flood(() => payer.call(payer.signed(payment.id)))).toEqual({ 200: CALLBACKS });
    expect(await state()).toEqual(['successful', NET]);
    expect(await payer.events(payment.id)).toEqual(['payment.successful']);
  });

  it('that say something else each time change nothing but what the gateway confirms', async () => {
    const words = ['failed', 'successful', 'reversed', 'processing', 'nonsense'];
    const statuses = await flood(async (i) => {
      if (i === CALLBACKS / 2) await payer.decide(payment.id, 'successful');
      return payer.call(payer.signed(payment.id, words[i % words.length]));
    });
    expect(statuses).toEqual({ 200: CALLBACKS });
    expect(await state()).toEqual(['successful', NET]);
  });

  it('that are forged change nothing, although the money is there', async () => {
    await payer.decide(payment.id, 'successful');
    const right = payer.signed(payment.id);
    const forged = [
      { ...right, headers: { 'content-type': 'application/json' } },
      { ...right, headers: { ...right.headers, 'x-sandbox-signature': '0'.repeat(64) } },
      { ...right, body: Buffer.concat([right.body, Buffer.from(' ')]) },
      payer.signed(payment.id, 'successful', 'sandbox_bank_transfer'),
      { ...right, headers: { ...right.headers, 'x-sandbox-signature': 'zz' } },
    ];
    const query = jest.spyOn(payer.bank, 'query');
    expect(await flood((i) => payer.call(forged[i % forged.length]!))).toEqual({ 401: CALLBACKS });
    expect(query).not.toHaveBeenCalled();
    expect(await state()).toEqual(['pending', 0]);
  });
});

describe('a callback', () => {
  it('alone credits nothing: the gateway is asked', async () => {
    await payer.call(payer.signed(payment.id));
    expect(await state()).toEqual(['pending', 0]);
  });

  it('of a gateway that is away is kept, and the sweeper asks until there is an answer', async () => {
    await payer.decide(payment.id, 'successful');
    const away = payer.answering(() => {
      throw new Error('away');
    });
    expect((await payer.call(payer.signed(payment.id))).status).toBe(200);
    expect(await state()).toEqual(['pending', 0]);
    away.mockRestore();
    await payer.advance(30);
    expect(await state()).toEqual(['successful', NET]);
  });

  it('is not lost when the process ends before the gateway was asked', async () => {
    await payer.decide(payment.id, 'successful');
    const { promise: silence, reject: end } = Promise.withResolvers<never>();
    const asked = payer.answering(() => silence);
    const called = payer.call(payer.signed(payment.id));
    await until(() => asked.mock.calls.length > 0);
    asked.mockRestore();
    expect(await state()).toEqual(['pending', 0]);
    // The callback made it due: whoever looks next has it.
    await payer.advance(1);
    expect(await state()).toEqual(['successful', NET]);
    end(new Error('the process ended'));
    await called;
    expect(await state()).toEqual(['successful', NET]);
  });

  it('about nothing of ours is acknowledged, and one to nobody is not', async () => {
    const other = await Payer.of(duka);
    const strange = { ...payer.signed(payment.id) };
    expect((await payer.call(payer.bank.callback('sandbox_card', 'nothing', 'successful'))).status).toBe(200);
    expect(
      (await payer.call(payer.signed(payment.id, 'successful', 'sandbox_bank_transfer'), 'sandbox_bank_transfer'))
        .status,
    ).toBe(200);
    expect((await payer.call(strange, 'nobody')).status).toBe(404);
    expect([await state(), await other.balance()]).toEqual([['pending', 0], 0]);
  });

  it.each<[string, (order: any) => object]>([
    ['another amount', () => ({ outcome: 'successful', gatewayReference: 'g', amount: 99_999n, currency: 'NGN' })],
    ['another currency', () => ({ outcome: 'successful', gatewayReference: 'g', amount: 100_000n, currency: 'USD' })],
    ['nothing', () => ({ outcome: 'successful', gatewayReference: 'g', amount: 0n, currency: 'NGN' })],
  ])('after which the gateway says that it has %s waits for a person, once', async (_, answer) => {
    payer.answering(answer);
    for (let i = 0; i < 3; i++) await payer.call(payer.signed(payment.id));
    expect(await payer.get(payment.id)).toMatchObject({ status: 'processing', needs_review: true });
    expect((await payer.api.get(`/api/v1/payments/${payment.id}/status`)).body.final).toBe(false);
    expect([await payer.balance(), await payer.events(payment.id)]).toEqual([0, ['payment.needs_review']]);
  });

  it.each<[string, object]>([
    ['an amount that is no bigint', { outcome: 'successful', gatewayReference: 'g', amount: 100_000, currency: 'NGN' }],
    ['no reference', { outcome: 'successful', amount: 100_000n, currency: 'NGN' }],
    ['a fourth word', { outcome: 'paid' }],
    ['no object', null as never],
  ])('after which the gateway answers %s is asked again', async (_, answer) => {
    payer.answering(() => answer);
    await payer.call(payer.signed(payment.id));
    expect(await state()).toEqual(['pending', 0]);
  });

  it.each(['failed', 'underpaid'])(
    'after which the gateway says %s of what was paid waits for a person; the credit stays',
    async (outcome) => {
      await payer.complete(payment.id, 'successful');
      await payer.decide(payment.id, outcome);
      await payer.call(payer.signed(payment.id, outcome));
      expect(await payer.get(payment.id)).toMatchObject({ status: 'successful', needs_review: true });
      expect(await payer.balance()).toBe(NET);
    },
  );

  it('after which the gateway has the money twice waits for a person', async () => {
    await payer.complete(payment.id, 'successful');
    payer.answering(() => ({ outcome: 'successful', gatewayReference: 'second', amount: 100_000n, currency: 'NGN' }));
    await payer.call(payer.signed(payment.id));
    expect([(await payer.get(payment.id)).needs_review, await payer.balance()]).toEqual([true, NET]);
  });
});

describe('a person', () => {
  const resolve = (outcome: any, person = 'ada', id = payment.id) =>
    duka
      .get<PaymentReviewService>(PaymentReviewService)
      .resolve(payer.keyOf(id), { outcome, person: reviewer(person), note: 'statement of today' });

  it.each([
    ['accept_requested', 'successful', NET],
    ['failed', 'failed', 0],
  ])('decides %s: it is %s', async (outcome, status, balance) => {
    await payer.complete(payment.id, 'underpaid');
    const listed = await duka.get<PaymentReviewService>(PaymentReviewService).list(100);
    expect(listed).toContainEqual(
      expect.objectContaining({
        id: payer.keyOf(payment.id).id,
        reason: expect.stringContaining('99999'),
        amountReceived: '99999',
      }),
    );
    expect(await resolve(outcome)).toMatchObject({ isSettled: true });
    expect(await state()).toEqual([status, balance]);
    expect((await payer.get(payment.id)).needs_review).toBe(false);
    await expect(resolve(outcome)).rejects.toThrow('not in review');
  });

  it('lets an expired payment be paid after all, or not', async () => {
    await payer.api.post(`/api/v1/payments/${payment.id}/cancel`);
    await payer.complete(payment.id, 'successful');
    await expect(resolve('failed')).rejects.toThrow('cannot be failed');
    await resolve('unchanged');
    expect(await state()).toEqual(['cancelled', 0]);
    await payer.call(payer.signed(payment.id));
    await resolve('accept_received');
    expect(await state()).toEqual(['successful', NET]);
  });

  it('takes a payment back once the money is there again', async () => {
    await payer.complete(payment.id, 'successful');
    await payer.api.transfer(payer.wallet, await payer.api.wallet(), NET);
    await payer.complete(payment.id, 'reversed');
    await expect(resolve('reversed')).rejects.toMatchObject({ details: { code: 'insufficient_funds' } });
    await payer.api.credit(payer.wallet, NET);
    await resolve('reversed', 'bola');
    expect(await state()).toEqual(['reversed', 0]);
  });

  it('needs a second one for a large payment', async () => {
    const large = await payer.asked({ amount: 6_000_000 });
    await payer.complete(large.id, 'underpaid');
    expect(await resolve('accept_requested', 'ada', large.id)).toMatchObject({ isSettled: false });
    await expect(resolve('accept_requested', 'ada', large.id)).rejects.toThrow('has decided');
    expect(await resolve('accept_requested', 'bola', large.id)).toMatchObject({
      isSettled: true,
      payment: { status: 'successful' },
    });
  });
});
