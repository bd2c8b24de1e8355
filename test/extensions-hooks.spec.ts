import { setImmediate as nextTurn } from 'node:timers/promises';
import { OnHook } from '../src/core/extension/decorators';
import { BlockedByHook, GateUnavailable } from '../src/core/extension/point-runner';
import type { BeforePayment, OnErrorContext, Verdict } from '../src/core/extension/points';
import { samplePayment } from '../src/core/extension/testing';
import { benchOf, never, throwsAtWaiting } from './support/extension-bench';

/** Gates, each as a function under an id; the order is that of their priority. */
function gates(
  hooks: Record<string, (context: BeforePayment, signal: AbortSignal) => unknown>,
  options: object = {},
): object[] {
  return Object.entries(hooks).map(([name, run], priority) => {
    class Probe {
      @OnHook('svc_before_payment', { id: `test.${name}`, priority, ...options })
      check(context: BeforePayment, signal: AbortSignal): Verdict {
        return run(context, signal) as Verdict;
      }
    }
    return new Probe();
  });
}

describe('gates', () => {
  const ask = async (extensions: object[], about?: Parameters<typeof samplePayment>[0]): Promise<void> =>
    benchOf(...extensions).points.ask('svc_before_payment', samplePayment(about));

  it('are asked in order until the first veto', async () => {
    const asked: string[] = [];
    const veto = { veto: true, code: 'too_fast', message: 'Ten payments a minute.' };
    const asking = ask(
      gates({
        one: () => void asked.push('one'),
        two: async () => (asked.push('two'), veto),
        three: () => void asked.push('three'),
      }),
    );
    await expect(asking).rejects.toMatchObject({
      by: 'test.two',
      details: { code: 'blocked_by_hook', detail: 'Ten payments a minute. (test.two: too_fast)' },
    });
    await expect(asking).rejects.toThrow(BlockedByHook);
    expect(asked).toEqual(['one', 'two']);
    await ask(gates({ nothing: () => undefined, no: () => ({ veto: false }), later: async () => null }));
  });

  it.each<[string, (context: BeforePayment, signal: AbortSignal) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('on purpose');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('on purpose');
      },
    ],
    ['answers with a thenable that throws', throwsAtWaiting],
    ['is slow', never],
    ['changes its input', ({ draft }) => Object.assign(draft, { amount: 0n })],
    ['answers with a yes', () => true],
    ['vetoes without a reason', () => ({ veto: true })],
    ['vetoes with a code that is none', () => ({ veto: true, code: 'Too Fast', message: 'x' })],
  ])('stay closed when one %s', async (_, run) => {
    const { points, errors } = benchOf(...gates({ bad: run }, { timeoutMs: 20 }));
    const asking = points.ask('svc_before_payment', samplePayment());
    await expect(asking).rejects.toThrow(GateUnavailable);
    await expect(asking).rejects.toMatchObject({ details: { code: 'service_unavailable', kind: 'unavailable' } });
    expect(await errors()).toHaveLength(1);
  });

  it('only watch in shadow mode', async () => {
    const seen: string[] = [];
    const veto = { veto: true, code: 'no', message: 'No.' };
    await ask(
      gates(
        {
          veto: () => (seen.push('veto'), veto),
          slow: () => (seen.push('slow'), never()),
          broken: () => {
            throw new Error('on purpose');
          },
        },
        { mode: 'shadow', timeoutMs: 10 },
      ),
    );
    expect(seen).toEqual(['veto', 'slow']);
  });

  it('refuse what they reach themselves', async () => {
    let calls = 0;
    const loop = async (context: BeforePayment): Promise<void> => {
      await nextTurn();
      if (++calls < 3) await points.ask('svc_before_payment', context);
    };
    const { points } = benchOf(...gates({ loop }));
    await expect(points.ask('svc_before_payment', samplePayment())).rejects.toThrow(GateUnavailable);
    expect(calls).toBe(1);
  });
});

describe('observers of errors', () => {
  const ERROR: OnErrorContext = {
    operation: null,
    accountId: null,
    livemode: null,
    objectType: null,
    objectId: null,
    requestId: null,
    dryRun: false,
    draft: null,
    error: { stage: 'provider', by: 'telco', code: 'timeout', message: 'No answer.' },
  };

  it('are told later, each for itself, and their own faults go no further', async () => {
    let calls = 0;
    class Broken {
      @OnHook('svc_on_error', { id: 'test.a-broken' })
      hear(): void {
        throw new Error(`on purpose, ${++calls}`);
      }
    }
    const { points, errors } = benchOf(new Broken());
    points.tell('svc_on_error', ERROR);
    expect(calls).toBe(0);
    expect(await errors()).toEqual(['telco timeout']);
    expect(calls).toBe(1);
  });

  it('are not told of what they cause', async () => {
    let calls = 0;
    class Loop {
      @OnHook('svc_on_error', { id: 'test.loop' })
      async hear(): Promise<void> {
        calls++;
        await nextTurn();
        if (calls < 3) points.tell('svc_on_error', ERROR);
      }
    }
    const { points, errors } = benchOf(new Loop());
    points.tell('svc_on_error', ERROR);
    expect(await errors()).toEqual(['telco timeout']);
    expect(await errors()).toEqual(['telco timeout']);
    expect(calls).toBe(1);
  });
});
