import { asRateResult } from '../../src/modules/conversions/provided-rates';
import type { RateResult, RatesProvider } from '../../src/modules/conversions/rates.provider';
import type { Pair } from '../../src/modules/conversions/rates.service';
import { SandboxRates } from '../../src/modules/conversions/sandbox/sandbox.provider';
import { RATES_RULES, ratesContract, type RatesRig } from './rates-rules';

const PAIR: Pair = { livemode: false, base: 'USD', quote: 'NGN' };

/** The right provider, with something else in its place; `isMad`: its other side talks nonsense. */
function rigOf(change: (right: RatesProvider, isMad: () => boolean) => Partial<RatesProvider>): RatesRig {
  const sandbox = new SandboxRates();
  let mad = false;
  const right: RatesProvider = {
    mid: async (pair) => (mad ? { outcome: 'unknown', code: 'nonsense' } : sandbox.mid(pair)),
  };
  const provider = { ...right, ...change(right, () => mad) };
  return { provider, pair: PAIR, talkNonsense: () => (mad = true) };
}

const says = (rate: string, asOf = new Date()): RateResult => ({ outcome: 'said', rate, asOf });

ratesContract('that is right', () => rigOf(() => ({})));
ratesContract('of the sandbox', () => ({ provider: new SandboxRates(), pair: PAIR }));

it('of the sandbox knows nothing real', async () => {
  await expect(new SandboxRates().mid({ ...PAIR, livemode: true })).rejects.toThrow('real');
});

describe('the contract finds a provider that', () => {
  it.each<[keyof typeof RATES_RULES, string, Parameters<typeof rigOf>[0]]>([
    ['says a decimal number above 0', 'says nothing', () => ({ mid: async () => says('0') })],
    [
      'says since when, which is not in the future',
      'knows the future',
      () => ({ mid: async () => says('1550', new Date(Date.now() + 30_000)) }),
    ],
    ['says the same of the way back, but for rounding', 'knows one way', () => ({ mid: async () => says('1550') })],
    [
      'claims nothing after nonsense',
      'says what it said before',
      (right, isMad) => ({ mid: async (pair, signal) => (isMad() ? says('1550') : right.mid(pair, signal)) }),
    ],
  ])('breaks "%s": %s', async (rule, _, change) => {
    await expect(RATES_RULES[rule](rigOf(change))).rejects.toThrow('expect');
  });
});

describe('what an adapter returns', () => {
  it.each([
    [null, 'unparsable_answer'],
    [says('1e3'), 'unparsable_answer'],
    [says('-1550'), 'unparsable_answer'],
    [{ outcome: 'said', rate: 1550, asOf: new Date() }, 'unparsable_answer'],
    [{ outcome: 'said', rate: '1550' }, 'unparsable_answer'],
    [says('1550', new Date(NaN)), 'unparsable_answer'],
    [says('1550', new Date(Date.now() + 3_600_000)), 'unparsable_answer'],
    [{ outcome: 'unknown', code: 'timeout' }, 'timeout'],
  ])('%j is unknown', (value, code) => {
    expect(asRateResult(value)).toEqual({ outcome: 'unknown', code });
  });
});
