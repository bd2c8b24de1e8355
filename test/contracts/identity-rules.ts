import { isNativeError } from 'node:util/types';
import { asFindResult, asVerifyResult } from '../../src/modules/cards/customers/identity-client';
import type { IdentityProvider, VerificationOrder } from '../../src/modules/cards/identity.provider';

/** A provider of identities whose other side is in the hands of the test. */
export interface IdentityRig {
  readonly provider: IdentityProvider;
  /** A person whom nobody was asked about yet: one who is known, or whose document is somebody else's. */
  readonly order: (person: 'known' | 'other') => VerificationOrder;
  /** From now on nothing that the other side answers makes sense. Absent: it cannot be made so. */
  readonly talkNonsense?: () => void;
}

export type IdentityRule = (rig: IdentityRig) => Promise<void>;

const never = (): AbortSignal => new AbortController().signal;

/** What every provider of identities keeps to. `identity-contract.spec.ts` breaks each by a provider of its own. */
export const IDENTITY_RULES = {
  'knows who is known': async ({ provider, order }) => {
    const answer = await provider.verify(order('known'), never());
    // What the service could not read it would not take.
    expect(asVerifyResult(answer)).toEqual(answer);
    expect(answer.outcome).toBe('verified');
  },

  'rejects who is not, with a reason': async ({ provider, order }) => {
    const answer = await provider.verify(order('other'), never());
    expect(asVerifyResult(answer)).toEqual(answer);
    expect(answer).toMatchObject({ outcome: 'rejected', message: expect.stringMatching(/\S/) });
  },

  'says of no number in what it says': async ({ provider, order }) => {
    const one = order('other');
    expect(JSON.stringify(await provider.verify(one, never()))).not.toContain(one.person.identity.number);
  },

  'verifies once for one reference, and says the same each time': async ({ provider, order }) => {
    const one = order('known');
    const first = await provider.verify(one, never());
    const verify = () => provider.verify(structuredClone(one), never());
    for (const again of await Promise.all([verify(), verify()])) expect(again).toEqual(first);
    const other = await provider.verify(order('known'), never());
    expect(other).not.toMatchObject({ providerReference: (first as { providerReference: string }).providerReference });
  },

  'finds what became of a reference': async ({ provider, order }) => {
    for (const person of ['known', 'other'] as const) {
      const { person: _, ...ref } = order(person);
      const said = await provider.verify({ ...ref, person: _ }, never());
      const found = await provider.find(ref, never());
      expect(asFindResult(found)).toEqual(found);
      expect(found).toEqual(said);
    }
  },

  'knows no reference that nobody asked about': async ({ provider, order }) => {
    expect(await provider.find(order('known'), never())).toEqual({ outcome: 'not_known' });
  },

  'claims nothing after nonsense': async ({ provider, order, talkNonsense }) => {
    if (!talkNonsense) return;
    const one = order('known');
    await provider.verify(one, never());
    talkNonsense();
    expect(await outcomeOf(provider.verify(order('known'), never()))).toBe('unknown');
    expect(await outcomeOf(provider.find(one, never()))).toBe('unknown');
  },
} satisfies Record<string, IdentityRule>;

/** A provider that throws an error has answered `unknown`. */
async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  try {
    return asFindResult(await answer).outcome;
  } catch (error) {
    expect(isNativeError(error)).toBe(true);
    return 'unknown';
  }
}

/** Every provider of identities passes it, wherever it lives. `make` is called for each rule. */
export function identityContract(name: string, make: () => Promise<IdentityRig> | IdentityRig): void {
  describe(`the provider of identities ${name}`, () => {
    it.each(Object.entries<IdentityRule>(IDENTITY_RULES))('%s', async (_, rule) => rule(await make()));
  });
}
