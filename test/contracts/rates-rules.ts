import { isNativeError } from 'node:util/types';
import { asRateResult } from '../../src/modules/conversions/provided-rates';
import type { RatesProvider } from '../../src/modules/conversions/rates.provider';
import type { Pair } from '../../src/modules/conversions/rates.service';

/** A provider of rates whose other side is in the hands of the test. */
export interface RatesRig {
  readonly provider: RatesProvider;
  /** One whose rate it knows. */
  readonly pair: Pair;
  /** From now on nothing that the other side answers makes sense. Absent: it cannot be made so. */
  readonly talkNonsense?: () => void;
}

export type RatesRule = (rig: RatesRig) => Promise<void>;

const never = (): AbortSignal => new AbortController().signal;
const said = async ({ provider, pair }: RatesRig, way: Pair = pair): Promise<{ rate: string; asOf: Date }> => {
  const answer = await provider.mid(way, never());
  // What the service could not read it would not take.
  expect(asRateResult(answer)).toEqual(answer);
  expect(answer.outcome).toBe('said');
  return answer as { rate: string; asOf: Date };
};

/** What every provider of rates keeps to. `rates-contract.spec.ts` breaks each by a provider of its own. */
export const RATES_RULES = {
  'says a decimal number above 0': async (rig) => {
    expect(Number((await said(rig)).rate)).toBeGreaterThan(0);
  },

  'says since when, which is not in the future': async (rig) => {
    expect((await said(rig)).asOf.getTime()).toBeLessThanOrEqual(Date.now());
  },

  'says the same of the way back, but for rounding': async (rig) => {
    const { livemode, base, quote } = rig.pair;
    const [there, back] = [await said(rig), await said(rig, { livemode, base: quote, quote: base })];
    expect(Math.abs(Number(there.rate) * Number(back.rate) - 1)).toBeLessThan(0.02);
  },

  'claims nothing after nonsense': async ({ provider, pair, talkNonsense }) => {
    if (!talkNonsense) return;
    talkNonsense();
    expect(await outcomeOf(provider.mid(pair, never()))).toBe('unknown');
  },
} satisfies Record<string, RatesRule>;

/** A provider that throws an error has answered `unknown`. */
async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  try {
    return asRateResult(await answer).outcome;
  } catch (error) {
    expect(isNativeError(error)).toBe(true);
    return 'unknown';
  }
}

/** Every provider of rates passes it, wherever it lives. `make` is called for each rule. */
export function ratesContract(name: string, make: () => Promise<RatesRig> | RatesRig): void {
  describe(`the provider of rates ${name}`, () => {
    it.each(Object.entries<RatesRule>(RATES_RULES))('%s', async (_, rule) => rule(await make()));
  });
}
