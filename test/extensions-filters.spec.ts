import { setImmediate as nextTurn } from 'node:timers/promises';
import { Filter } from '../src/core/extension/decorators';
import type { FeeContext, Filtered, FormatContext, GatewayChoice, ValueOf } from '../src/core/extension/points';
import { samplePayment } from '../src/core/extension/testing';
import type { Money } from '../src/core/money/money';
import { benchOf, never, throwsAtWaiting } from './support/extension-bench';

const NGN = (amount: bigint): Money => ({ amount, currency: 'NGN' });

/** Filters of the fee, each as a function under an id; `order` is their priority. */
function fees(
  filters: Record<string, (fee: Money, context: FeeContext, signal: AbortSignal) => unknown>,
  options: object = {},
): object[] {
  return Object.entries(filters).map(([name, run], priority) => {
    class Probe {
      @Filter('svc_transaction_fee', { id: `test.${name}`, priority, ...options })
      fee(fee: Money, context: FeeContext, signal: AbortSignal): Money {
        return run(fee, context, signal) as Money;
      }
    }
    return new Probe();
  });
}

const feeOf = async (extensions: object[], before = 100n): Promise<Filtered<Money> & { errors: string[] }> => {
  const { points, errors } = benchOf(...extensions);
  return { ...(await points.filter('svc_transaction_fee', NGN(before), samplePayment())), errors: await errors() };
};

describe('filters', () => {
  it('pass a value on in order and say who changed it', async () => {
    const filters = fees({
      double: ({ amount }) => NGN(amount * 2n),
      same: (fee) => ({ ...fee }),
      add: async ({ amount }) => NGN(amount + 1n),
    });
    expect(await feeOf(filters.reverse())).toEqual({
      value: NGN(201n),
      changes: [
        { by: 'test.double', before: 100, after: 200 },
        { by: 'test.add', before: 200, after: 201 },
      ],
      errors: [],
    });
  });

  it('answer without a promise as long as no handler makes one', async () => {
    const { points } = benchOf(...fees({ one: () => NGN(1n), two: () => NGN(2n) }));
    expect(points.filter('svc_transaction_fee', NGN(0n), samplePayment())).toMatchObject({ value: NGN(2n) });
    expect(benchOf().points.filter('svc_transaction_fee', NGN(0n), samplePayment())).toEqual({
      value: NGN(0n),
      changes: [],
    });
  });

  it.each<[string, (fee: Money, context: FeeContext, signal: AbortSignal) => unknown]>([
    ['invalid_result', () => NGN(-1n)],
    ['invalid_result', () => ({ amount: 1, currency: 'NGN' })],
    ['invalid_result', () => NGN(2n ** 53n)],
    ['invalid_result', () => ({ amount: 1n, currency: 'USD' })],
    ['invalid_result', () => undefined],
    ['invalid_result', async () => null],
    [
      'threw',
      () => {
        throw new Error('on purpose');
      },
    ],
    [
      'threw',
      async () => {
        throw new Error('on purpose');
      },
    ],
    ['threw', throwsAtWaiting],
    ['threw', (fee) => Object.assign(fee, { amount: 0n })],
    ['threw', (_, { draft }) => Object.assign(draft.metadata, { free: 'yes' })],
    ['timed_out', never],
  ])('leave a bad one out (%s), and the last good value stays', async (code, bad) => {
    const filters = fees({ good: () => NGN(5n), bad, next: ({ amount }) => NGN(amount + 1n) }, { timeoutMs: 20 });
    expect(await feeOf(filters)).toEqual({
      value: NGN(6n),
      changes: [
        { by: 'test.good', before: 100, after: 5 },
        { by: 'test.next', before: 5, after: 6 },
      ],
      errors: [`test.bad ${code}`],
    });
  });

  it('get a copy: what the caller handed over stays his, and stays changeable', async () => {
    const context = samplePayment({ draft: { metadata: { a: '1' } } });
    const { points } = benchOf(...fees({ one: () => NGN(1n) }));
    await points.filter('svc_transaction_fee', NGN(0n), context);
    Object.assign(context.draft.metadata, { a: '2' });
    expect(context.draft.metadata).toEqual({ a: '2' });
  });

  it('see an aborted signal when their time is over', async () => {
    let seen!: AbortSignal;
    await feeOf(fees({ slow: (_fee, _context, signal) => ((seen = signal), never()) }, { timeoutMs: 10 }));
    expect(seen.aborted).toBe(true);
    expect(String(seen.reason)).toContain('longer than 10 ms');
  });

  it('are recorded and not applied in shadow mode', async () => {
    const shadow = fees({ shadow: () => NGN(0n) }, { mode: 'shadow' });
    expect(await feeOf([...shadow, ...fees({ real: ({ amount }) => NGN(amount - 1n) }, { priority: 20 })])).toEqual({
      value: NGN(99n),
      changes: [
        { by: 'test.shadow', before: 100, after: 0, shadow: true },
        { by: 'test.real', before: 100, after: 99 },
      ],
      errors: [],
    });
  });

  it('run only for the operations that they name', async () => {
    const { points } = benchOf(...fees({ transfers: () => NGN(1n) }, { operations: ['transfer'] }));
    expect(points.isEmpty('svc_transaction_fee', 'bill_payment')).toBe(true);
    expect(points.isEmpty('svc_transaction_fee', 'transfer')).toBe(false);
    expect(await points.filter('svc_transaction_fee', NGN(0n), samplePayment())).toEqual({
      value: NGN(0n),
      changes: [],
    });
    expect(await points.filter('svc_transaction_fee', NGN(0n), samplePayment({ operation: 'transfer' }))).toMatchObject(
      { value: NGN(1n) },
    );
  });

  it('do not filter what they reach themselves', async () => {
    const inner: unknown[] = [];
    const filters = fees({
      loop: async ({ amount }, context) => {
        await nextTurn();
        if (inner.length < 3) inner.push(await bench.points.filter('svc_transaction_fee', NGN(7n), context));
        return NGN(amount + 1n);
      },
    });
    const bench = benchOf(...filters);
    expect(await bench.points.filter('svc_transaction_fee', NGN(1n), samplePayment())).toMatchObject({
      value: NGN(2n),
    });
    expect(inner).toEqual([{ value: NGN(7n), changes: [] }]);
  });

  it('are switched off when they go on failing, and tried again after a while', async () => {
    let now = 1_000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    let runs = 0;
    let isBroken = true;
    const { points, errors } = benchOf(...fees({ broken: () => (runs++, isBroken ? NGN(-1n) : NGN(1n)) }));
    const run = () => points.filter('svc_transaction_fee', NGN(9n), samplePayment()) as Filtered<Money>;
    for (let i = 0; i < 8; i++) expect(run().value).toEqual(NGN(9n));
    expect(runs).toBe(5);
    expect((await errors()).at(-1)).toBe('test.broken switched_off');
    now += 30_000;
    run();
    run();
    expect(runs).toBe(6);
    now += 30_000;
    isBroken = false;
    expect([run().value, run().value]).toEqual([NGN(1n), NGN(1n)]);
    expect(runs).toBe(8);
    isBroken = true;
    for (let i = 0; i < 4; i++) run();
    isBroken = false;
    expect([run().value, runs]).toEqual([NGN(1n), 13]);
    clock.mockRestore();
  });
});

describe('filters of gateways', () => {
  const list: readonly GatewayChoice[] = ['a', 'b', 'c'].map((name) => ({ name, options: {} }));

  const gatewaysOf = async (
    run: (list: readonly GatewayChoice[]) => unknown,
  ): Promise<ValueOf<'svc_payment_gateway'>> => {
    class Probe {
      @Filter('svc_payment_gateway', { id: 'test.gateways' })
      choose(given: readonly GatewayChoice[]): readonly GatewayChoice[] {
        return run(given) as readonly GatewayChoice[];
      }
    }
    return (await benchOf(new Probe()).points.filter('svc_payment_gateway', list, samplePayment())).value;
  };

  it('may reorder, remove and set options', async () => {
    const value = await gatewaysOf(([a, , c]) => [c, { ...a, options: { fast: true } }]);
    expect(value).toEqual([
      { name: 'c', options: {} },
      { name: 'a', options: { fast: true } },
    ]);
    expect(await gatewaysOf(() => [])).toEqual([]);
  });

  it.each<[string, (given: readonly GatewayChoice[]) => unknown]>([
    ['add none', (given) => [...given, { name: 'mine', options: {} }]],
    ['name none twice', (given) => [...given, given[0]]],
    ['return nothing else', () => 'a'],
    ['put holes into it', () => [undefined]],
    ['set options that JSON has not', () => [{ name: 'a', options: { amount: 1n } }]],
    ['set text that cannot be stored', () => [{ name: 'a', options: { text: '\0' } }]],
  ])('may %s', async (_, run) => {
    expect(await gatewaysOf(run)).toEqual(list);
  });
});

describe('the filter of display text', () => {
  const textOf = (run: (text: string, context: FormatContext) => unknown): unknown => {
    class Probe {
      @Filter('svc_currency_format', { id: 'test.format' })
      format(text: string, context: FormatContext): string {
        return run(text, context) as string;
      }
    }
    return (
      benchOf(new Probe()).points.filter('svc_currency_format', 'NGN 1.00', { money: NGN(100n) }) as Filtered<string>
    ).value;
  };

  it('is synchronous, and only plain text is shown', () => {
    expect(textOf((text, { money }) => `${text} (${money.amount} kobo)`)).toBe('NGN 1.00 (100 kobo)');
    for (const bad of [
      1,
      '\0',
      '\ud800',
      'x'.repeat(201),
      Promise.resolve('late'),
      Promise.reject(new Error('late')),
    ]) {
      expect(textOf(() => bad)).toBe('NGN 1.00');
    }
  });
});
