import { UnitOfWork } from '../src/core/database/unit-of-work';
import { newId } from '../src/core/http/ids';
import { type Order, ProviderOutage } from '../src/modules/purchases/purchases.provider';
import { assertScenario } from '../src/modules/purchases/sandbox/plan';
import { delivered, FIRST, orderFor, PROCESSING, refused, SECOND, TestOperator } from './support/operator';
import { until } from './support/recurring-probe';

let world: TestOperator;
const sell: TestOperator['sell'] = (...order) => world.sell(...order);
const find: TestOperator['find'] = (...order) => world.find(...order);

beforeAll(async () => {
  world = await TestOperator.start();
});
afterAll(() => world.stop());

describe('a tester', () => {
  const settle = (order: Order, as: 'successful' | 'failed' | 'reversed') =>
    new UnitOfWork(world.dataSource).run((tx) => world.operator.settle(tx, order, as));

  it.each([
    ['successful', delivered()],
    ['failed', refused('declined')],
  ] as const)('settles as %s', async (as, found) => {
    const order = orderFor('111');
    await sell(order);
    await settle(order, as);
    expect(await find(order)).toEqual(found);
    expect(await find({ ...order, reference: newId(), purchaseId: newId() })).toEqual({ outcome: 'not_known' });
  });

  it('takes back what left no trace', async () => {
    const order = orderFor('100');
    await sell(order);
    await settle(order, 'reversed');
    expect(await find(order)).toMatchObject({ outcome: 'reversed' });
  });

  it('refuses headers that cannot be read before anything is bought', () => {
    expect(() => assertScenario('outcome=lost')).toThrow('outcome must be one of');
    assertScenario(null);
    assertScenario('outcome=failed');
  });
});

describe('an outage', () => {
  it('loses what is sent to a provider that is down, of this account only', async () => {
    const order = orderFor('100');
    await world.operator.setOutage(order.accountId, FIRST, 'down');
    await expect(world.operator.sell(FIRST, order)).rejects.toThrow(ProviderOutage);
    await expect(world.operator.find(FIRST, order)).rejects.toThrow(ProviderOutage);
    expect(await sell({ ...order, reference: newId() }, SECOND)).toEqual(delivered());
    expect(await sell(orderFor('100'))).toEqual(delivered());
    await world.operator.clearOutages(order.accountId);
    expect(await find(order)).toEqual({ outcome: 'not_known' });
    expect([await sell(order), await find(order)]).toEqual([delivered(), delivered()]);
  });

  it('does not undo what was sold before', async () => {
    const [plain, slow] = [orderFor('100'), orderFor('208')];
    const { accountId } = plain;
    const later = { ...slow, accountId };
    await Promise.all([sell(plain), sell(later)]);
    await world.operator.setOutage(accountId, FIRST, 'down');
    await expect(world.operator.sell(FIRST, later)).rejects.toThrow(ProviderOutage);
    await world.operator.setOutage(accountId, FIRST, 'none');
    expect(await find(plain)).toEqual(delivered());
    expect(await find(later)).toEqual(PROCESSING);
  });

  it('takes every other call of a flaky provider', async () => {
    const { accountId } = orderFor('100');
    await world.operator.setOutage(accountId, FIRST, 'flaky');
    const outcomes: unknown[] = [];
    for (let i = 0; i < 4; i++) outcomes.push(await sell(orderFor('100', { accountId })));
    expect(outcomes).toEqual(['Error', delivered(), 'Error', delivered()]);
  });

  it('of a slow provider leaves the outcome open until it is over', async () => {
    const order = orderFor('100');
    await world.operator.setOutage(order.accountId, FIRST, 'slow');
    expect(await sell(order)).toEqual({ outcome: 'unknown', code: 'slow_answer' });
    expect(await find(order)).toEqual({ outcome: 'unknown', code: 'slow_answer' });
    await world.operator.setOutage(order.accountId, FIRST, 'none');
    expect(await find(order)).toEqual(delivered());
    await world.operator.setOutage(order.accountId, FIRST, 'slow');
    await expect(world.operator.sell(FIRST, order, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('is known to another process after a moment', async () => {
    const order = orderFor('100');
    const twin = world.twin();
    expect(await sell(order)).toEqual(delivered());
    await twin.setOutage(order.accountId, FIRST, 'down');
    await until(async () => (await sell({ ...order, reference: newId() })) === 'Error', 30);
  });
});

it('sells nothing real', async () => {
  await expect(world.operator.sell(FIRST, orderFor('100', { livemode: true }))).rejects.toThrow('nothing real');
});
