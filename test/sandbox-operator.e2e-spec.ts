import { newId } from '../src/core/http/ids';
import { delivered, FIRST, orderFor, PROCESSING, refused, SECOND, TestOperator } from './support/operator';

let world: TestOperator;
const sell: TestOperator['sell'] = (...order) => world.sell(...order);
const find: TestOperator['find'] = (...order) => world.find(...order);
const advance: TestOperator['advance'] = (...step) => world.advance(...step);

beforeAll(async () => {
  world = await TestOperator.start();
});
afterAll(() => world.stop());

describe('an outcome that is final at once', () => {
  it.each([
    ['100', delivered({ deliveredAmount: 10_001n })],
    ['102', refused('invalid_recipient')],
    ['103', refused('recipient_barred')],
    ['104', expect.objectContaining({ code: 'operator_unavailable', retryElsewhere: true })],
    ['106', refused('declined')],
    ['114', delivered({ deliveredAmount: 5_000n })],
    ['999', delivered()],
  ])('%s is sold and found alike without a word to the database', async (tail, answer) => {
    const order = orderFor(tail);
    await sell(orderFor('100'));
    const query = jest.spyOn(world.dataSource, 'query');
    expect(await sell(order)).toEqual(answer);
    expect(await sell(order)).toEqual(await sell(order));
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
    expect(await find(order)).toEqual(await sell(order));
  });

  it('has a reference of the operator that is its own', async () => {
    const sold = (await Promise.all([sell(orderFor('100')), sell(orderFor('100'))])) as { providerReference: string }[];
    const references = sold.map(({ providerReference }) => providerReference);
    expect(new Set(references).size).toBe(2);
  });

  it('tells no amount where no phone is topped up', async () => {
    expect(await sell(orderFor('', { item: { customer: '1111111111111' } }))).toMatchObject({
      outcome: 'delivered',
      details: { operator_reference: expect.any(String) },
    });
    expect(await sell(orderFor('', { item: { customer: '1111111111111' } }))).not.toHaveProperty('deliveredAmount');
  });
});

describe('an outcome that comes later', () => {
  it.each([
    ['107', 'Error', refused('declined')],
    ['108', 'TimeoutError', delivered()],
    ['109', 'TimeoutError', { outcome: 'unknown', code: 'timeout' }],
    ['110', expect.stringContaining('<html>'), delivered()],
    ['111', PROCESSING, PROCESSING],
  ])('%s is told by the first requery', async (tail, first, later) => {
    const order = orderFor(tail);
    expect(await sell(order)).toEqual(first);
    expect(await sell(order)).toEqual(first);
    expect(await find(order)).toEqual(later);
    await advance(order, 365 * 86_400);
    expect(await find(order)).toEqual(later);
  });

  it.each([
    ['200', PROCESSING, delivered()],
    ['202', PROCESSING, refused('invalid_recipient')],
    ['208', 'TimeoutError', delivered()],
    ['214', PROCESSING, delivered({ deliveredAmount: 5_000n })],
  ])('%s waits 20 s by the clock of its account', async (tail, first, later) => {
    const [order, other] = [orderFor(tail), orderFor(tail)];
    expect([await sell(order), await sell(other)]).toEqual([first, first]);
    await advance(order, 8);
    expect(await find(order)).toEqual(PROCESSING);
    await advance(order, 12);
    expect(await find(order)).toEqual(later);
    expect(await find(other)).toEqual(PROCESSING);
    expect(await sell(order)).toEqual(first);
  });

  it('is taken back after the delay', async () => {
    const order = orderFor('312');
    expect(await sell(order)).toEqual(delivered({ recheckAfterMs: 300_000 }));
    await advance(order, 100);
    const { recheckAfterMs } = (await find(order)) as { recheckAfterMs: number };
    expect(recheckAfterMs).toBeGreaterThan(100_000);
    expect(recheckAfterMs).toBeLessThanOrEqual(200_000);
    await advance(order, 200);
    expect(await find(order)).toMatchObject({ outcome: 'reversed', code: 'reversed_by_operator' });
    expect(await sell(orderFor('112'))).toEqual(delivered({ recheckAfterMs: 0 }));
  });

  it('is the same for every process, from the moment that the clock was moved', async () => {
    const order = orderFor('100', { scenario: 'outcome=delivered; then=reversed; delay=48h; callback=once' });
    const twin = world.twin();
    await sell(order);
    expect(await twin.find(FIRST, order)).toEqual(delivered());
    await advance(order, 48 * 3_600);
    expect(await find(order)).toMatchObject({ outcome: 'reversed' });
    expect(await twin.find(FIRST, order)).toMatchObject({ outcome: 'reversed' });
  });

  it('does not make a purchase wait again at the next provider', async () => {
    const order = orderFor('205');
    expect(await sell(order)).toEqual(PROCESSING);
    await advance(order, 20);
    expect(await find(order)).toMatchObject({ code: 'operator_unavailable', retryElsewhere: true });
    const next = { ...order, reference: newId() };
    expect(await sell(next, SECOND)).toEqual(delivered());
    expect(await find(next, SECOND)).toEqual(delivered());
    expect(await sell({ ...next, purchaseId: newId(), reference: newId() }, SECOND)).toEqual(PROCESSING);
  });

  it('is not known for an order that never arrived', async () => {
    for (const order of [orderFor('108'), orderFor('200'), orderFor('100', { scenario: 'outcome=processing' })])
      expect(await find(order)).toEqual({ outcome: 'not_known' });
  });

  it('is the one of the header', async () => {
    const order = orderFor('100', { scenario: 'outcome=garbage; then=failed; code=odd_thing; delay=3s' });
    expect(await sell(order)).toMatch('<html>');
    expect(await find(order)).toEqual(PROCESSING);
    await advance(order, 3);
    expect(await find(order)).toEqual({
      outcome: 'not_delivered',
      about: 'order',
      code: 'odd_thing',
      message: 'The operator refused.',
      recovery: 'none',
      retryElsewhere: false,
    });
  });
});
