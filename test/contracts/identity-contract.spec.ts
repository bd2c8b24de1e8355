import { newId } from '../../src/core/http/ids';
import { asFindResult, asVerifyResult } from '../../src/modules/cards/customers/identity-client';
import type { IdentityProvider, VerificationOrder, VerifyResult } from '../../src/modules/cards/identity.provider';
import { cardholder } from '../support/cardholder';
import { IDENTITY_RULES, identityContract, type IdentityRig } from './identity-rules';

/** The other side, without a network between. */
class Side {
  readonly decided = new Map<string, VerifyResult>();
  isMad = false;
}

const MISMATCH = { code: 'identity_mismatch', message: 'Somebody else.', recovery: 'caller_must_fix' } as const;
const NONSENSE = { outcome: 'unknown', code: 'nonsense' } as const;

/** Passes the whole contract. */
const rightProvider = (side: Side): IdentityProvider => ({
  verify: async ({ reference, person }) => {
    if (side.isMad) return NONSENSE;
    const isKnown = person.identity.number.endsWith('000');
    const providerReference = `p_${reference}`;
    const said: VerifyResult = isKnown
      ? { outcome: 'verified', providerReference }
      : { outcome: 'rejected', providerReference, ...MISMATCH };
    side.decided.set(reference, said);
    return said;
  },
  find: async ({ reference }) => {
    if (side.isMad) return NONSENSE;
    return side.decided.get(reference) ?? { outcome: 'not_known' };
  },
});

function order(person: 'known' | 'other'): VerificationOrder {
  const { first_name: firstName, last_name: lastName, date_of_birth: dateOfBirth, ...rest } = cardholder();
  const { email, phone, address } = rest;
  const identity = { type: 'nin', number: person === 'known' ? '12345678000' : '12345678902' };
  const who = { firstName, lastName, dateOfBirth, email, phone, address, identity };
  return { reference: newId(), accountId: newId(), livemode: true, person: who };
}

function rigOf(change: (right: IdentityProvider, side: Side) => Partial<IdentityProvider>): IdentityRig {
  const side = new Side();
  const right = rightProvider(side);
  return { provider: { ...right, ...change(right, side) }, order, talkNonsense: () => (side.isMad = true) };
}

identityContract('that is right', () => rigOf(() => ({})));

describe('the contract finds a provider that', () => {
  it.each<[keyof typeof IDENTITY_RULES, string, (right: IdentityProvider, side: Side) => Partial<IdentityProvider>]>([
    ['knows who is known', 'rejects all', () => ({ verify: async () => ({ ...MISMATCH, ...rejected }) })],
    [
      'knows who is known',
      'proves them to a tier that there is not',
      () => ({ verify: async () => ({ outcome: 'verified', providerReference: 'p', tier: 4 as never }) }),
    ],
    [
      'rejects who is not, with a reason',
      'knows everybody',
      () => ({ verify: async () => ({ outcome: 'verified', providerReference: 'p' }) }),
    ],
    [
      'says of no number in what it says',
      'repeats the number',
      () => ({ verify: async ({ person }) => ({ ...MISMATCH, ...rejected, message: person.identity.number }) }),
    ],
    [
      'verifies once for one reference, and says the same each time',
      'verifies anew each time',
      () => ({ verify: async () => ({ outcome: 'verified', providerReference: newId() }) }),
    ],
    ['finds what became of a reference', 'forgets', () => ({ find: async () => ({ outcome: 'not_known' }) })],
    [
      'knows no reference that nobody asked about',
      'makes things up',
      () => ({ find: async () => ({ outcome: 'verified', providerReference: 'p' }) }),
    ],
    [
      'claims nothing after nonsense',
      'takes nonsense for a rejection',
      (right, side) => ({
        find: async (ref, signal) => (side.isMad ? { ...MISMATCH, ...rejected } : right.find(ref, signal)),
      }),
    ],
  ])('breaks "%s": %s', async (rule, _, change) => {
    await expect(IDENTITY_RULES[rule](rigOf(change))).rejects.toThrow('expect');
  });
});

const rejected = { outcome: 'rejected', providerReference: 'p' } as const;

describe('what an adapter returns', () => {
  it.each([
    [null, 'unparsable_answer'],
    [{ outcome: 'verified' }, 'unparsable_answer'],
    [{ outcome: 'verified', providerReference: '' }, 'unparsable_answer'],
    [{ outcome: 'verified', providerReference: 7 }, 'unparsable_answer'],
    [{ outcome: 'not_known' }, 'unparsable_answer'],
    [{ outcome: 'unknown', code: 'timeout' }, 'timeout'],
  ])('%j is unknown', (value, code) => {
    expect(asVerifyResult(value)).toEqual({ outcome: 'unknown', code });
  });

  it.each([0, 4, 1.5, -1, '2', null, true])('with the tier %j is unknown', (tier) => {
    const unreadable = { outcome: 'unknown', code: 'unparsable_answer' };
    expect(asVerifyResult({ outcome: 'verified', providerReference: 'p', tier })).toEqual(unreadable);
  });

  it.each([1, 2, 3] as const)('may say that a person is proven to tier %d', (tier) => {
    const answer = { outcome: 'verified', providerReference: 'p', tier } as const;
    expect(asVerifyResult(answer)).toEqual(answer);
  });

  it('may be a rejection without a word, or a reference that nobody knows', () => {
    expect(asVerifyResult({ outcome: 'rejected' })).toEqual({
      outcome: 'rejected',
      providerReference: null,
      code: 'identity_rejected',
      message: '',
      recovery: 'none',
    });
    expect(asFindResult({ outcome: 'not_known' })).toEqual({ outcome: 'not_known' });
  });
});
