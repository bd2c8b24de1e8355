import { shuffled } from '../../support/shuffled';

/** What the operator does with an order, whatever it answers. */
type Fate =
  | 'sells'
  /** Keeps it waiting, and sells when it has been asked about it often enough. */
  | 'sells_later'
  | 'refuses'
  /** Refuses, and another seller may try. */
  | 'passes'
  /** Never has it: it got lost on the way in. */
  | 'loses';

/** How an answer comes. */
export type Manner =
  | 'truth'
  | 'pending'
  | 'not_found'
  | 'error'
  | 'bad_gateway'
  | 'garbage'
  /** Nothing, for ever. */
  | 'silence'
  /** The connection ends without a byte. */
  | 'tear'
  /** It ends within the answer. */
  | 'tear_midway'
  /** Byte by byte, to its end. */
  | 'drip'
  /** Byte by byte, and torn before its end. */
  | 'drip_and_tear';

/** How the operator deals with one order: what it does, how it answers, and how its first requeries are answered before it tells the truth. */
export interface Deed {
  readonly name: string;
  readonly fate: Fate;
  readonly answer: Manner;
  readonly requeries: readonly Manner[];
}

const deed = (name: string, fate: Fate, answer: Manner, ...requeries: Manner[]): Deed => ({
  name,
  fate,
  answer,
  requeries,
});

/** One of each in fifty orders: 30 %. */
const FAULTS: readonly Deed[] = [
  deed('time-out after selling', 'sells', 'silence'),
  deed('torn connection after selling', 'sells', 'tear'),
  deed('torn within the answer', 'sells', 'tear_midway', 'tear'),
  deed('torn connection before selling', 'loses', 'tear'),
  deed('slow drip to the end', 'sells', 'drip', 'drip'),
  deed('slow drip, then torn', 'sells', 'drip_and_tear', 'drip_and_tear'),
  deed('500 after selling', 'sells', 'error', 'error', 'error'),
  deed('502 before selling', 'loses', 'bad_gateway', 'error'),
  deed('garbage after selling', 'sells', 'garbage', 'garbage'),
  deed('garbage, refused', 'passes', 'garbage', 'garbage'),
  deed('in progress, not found once, 500, sold', 'sells', 'pending', 'pending', 'not_found', 'error'),
  deed('in progress, sold at last', 'sells_later', 'pending', 'pending', 'not_found', 'pending'),
  deed('in progress, 500, refused', 'refuses', 'pending', 'pending', 'error'),
  deed('in progress, another seller sells', 'passes', 'pending'),
  deed('500, another seller sells', 'passes', 'error'),
];

const SOUND = deed('sold', 'sells', 'truth');
const REFUSED = deed('refused', 'refuses', 'truth');
const PASSED = deed('another seller sells', 'passes', 'truth');
const SLICE = 50;
const BUSINESS: readonly Deed[] = [REFUSED, REFUSED, PASSED, PASSED, PASSED];
const SOUNDS = Array.from({ length: SLICE - FAULTS.length - BUSINESS.length }, () => SOUND);

/** Of the seller that is asked second: mostly sound. */
const SECOND_HAND: readonly Deed[] = [
  SOUND,
  SOUND,
  SOUND,
  REFUSED,
  PASSED,
  FAULTS[1]!,
  FAULTS[3]!,
  deed('in progress, sold at last', 'sells_later', 'pending', 'pending'),
];

export const FIRST_SELLER = 'chaos';
export const SECOND_SELLER = 'chaos_backup';

/** What the operator does about each order at each seller: the same for the same seed. */
export class Plan {
  private readonly first: readonly Deed[];
  private readonly second: readonly Deed[];

  constructor(
    readonly orders: number,
    readonly seed: number,
  ) {
    const random = randomOf(seed);
    const slices = Array.from({ length: Math.ceil(orders / SLICE) }, () =>
      shuffled([...FAULTS, ...BUSINESS, ...SOUNDS], random),
    );
    this.first = slices.flat().slice(0, orders);
    this.second = this.first.map(() => SECOND_HAND[Math.floor(random() * SECOND_HAND.length)]!);
  }

  of(index: number, seller: string): Deed {
    return (seller === FIRST_SELLER ? this.first : this.second)[index]!;
  }

  /** Orders that are dealt with badly, by how. */
  get faults(): Map<string, number> {
    return new Map(FAULTS.map(({ name }) => [name, this.first.filter((first) => first.name === name).length]));
  }
}

/** mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
