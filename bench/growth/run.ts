import { COSTS, laneRate } from '../../src/cli/capacity';
import { type Found, type Home, random, type Setup, simulate } from './simulation';

// `npm run bench:growth`: what a hundred cells would carry, from what one was measured to take. A simulation with a clock of
// its own: who waits for whom is simulated, how long things take is measured, and the network between cells is assumed.

const [CELLS, LANES, CORES, BATCH_MAX] = [100, 4, 16, 200];
const [ACCOUNTS, SLOTS] = [100_000, 4_096];
const ACROSS = 0.05;
/** Between two cells of a region, one way. */
const WAY_US = 500;
/** The p99 of those who are on the busiest lane: beyond it the lane is full. */
const P99_MAX_MS = 50;
/** Seconds that are simulated; how far below what all lanes carry the limit is looked for, and in how many halvings. */
const [SECONDS, RANGE, STEPS] = [1, 128, 7];
const SEED = 20_261_126;

/** The n-th largest account has so much less than the largest: n to the power of this. */
const SKEWS = [0, 0.6, 0.8, 1] as const;
const PLACEMENTS = ['by slot', 'moved'] as const;
type Placement = (typeof PLACEMENTS)[number];

const sharesOf = (skew: number): Float64Array => {
  const weights = Float64Array.from({ length: ACCOUNTS }, (_, i) => (i + 1) ** -skew);
  const sum = weights.reduce((total, each) => total + each, 0);
  return weights.map((each) => each / sum);
};

/** `moved`: each slot where its lane has most room, the largest first, as an operator moves them in the end. */
function homesOf(shares: Float64Array, placement: Placement): Home[] {
  const draw = random(SEED);
  const slots = Array.from(shares, () => Math.floor(draw() * SLOTS));
  const weights = new Float64Array(SLOTS);
  slots.forEach((slot, account) => (weights[slot]! += shares[account]!));
  const cells = Array.from({ length: SLOTS }, (_, slot) => Math.floor((slot * CELLS) / SLOTS));
  if (placement === 'moved') {
    const loads = Array.from({ length: LANES }, () => new Float64Array(CELLS));
    for (const slot of [...weights.keys()].toSorted((a, b) => weights[b]! - weights[a]!)) {
      const ofLane = loads[slot % LANES]!;
      const cell = ofLane.indexOf(Math.min(...ofLane));
      cells[slot] = cell;
      ofLane[cell]! += weights[slot]!;
    }
  }
  return slots.map((slot) => ({ cell: cells[slot]!, lane: slot % LANES }));
}

/** The most that a second may have, and how it then is. */
function limitOf(setup: Omit<Setup, 'perSecond' | 'transfers'>): { perSecond: number; found: Found } {
  const run = (perSecond: number): Found =>
    simulate({ ...setup, perSecond, transfers: Math.ceil(perSecond * SECONDS) });
  let high = CELLS * LANES * (1e6 / setup.lane.postingUs);
  let low = high / RANGE;
  let best: Found | null = null;
  for (let step = 0; step < STEPS; step++) {
    const middle = Math.sqrt(low * high);
    const found = run(middle);
    if (found.busiestP99Ms <= P99_MAX_MS) [low, best] = [middle, found];
    else high = middle;
  }
  return { perSecond: low, found: best ?? run(low) };
}

function whatBreaks(shares: Float64Array, homes: readonly Home[], { busiest, coresBusy, laneBusy }: Found): string {
  if (coresBusy > laneBusy) return 'the cores of a cell';
  const isThere = (account: number): boolean =>
    homes[account]!.cell === busiest.cell && homes[account]!.lane === busiest.lane;
  const onLane = shares.reduce((sum, share, account) => (isThere(account) ? sum + share : sum), 0);
  const largest = shares.findIndex((_, account) => isThere(account));
  const part = shares[largest]! / onLane;
  return part > 0.5 ? `a lane: one account is ${percent(part)} of it` : 'a lane of many accounts';
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

console.log(`${CELLS} cells of ${LANES} lanes and ${CORES} cores, ${number(ACCOUNTS)} accounts, ${percent(ACROSS)} of the transfers between cells.
A lane: ${COSTS.lane.batchUs} µs a batch and ${COSTS.lane.postingUs} µs a posting, ${COSTS.transfer.postgresUs} µs of them PostgreSQL's CPU: ${number(laneRate(COSTS))} postings a second. Measured ${COSTS.measured}.

| Skew | Largest account | Slots | Transfers/s | p50 | p99 | p99 between cells | Busiest cell ÷ mean | Busiest lane | Busiest cores | Breaks first |
|-----:|--:|---|--:|--:|--:|--:|--:|--:|--:|---|`);
for (const skew of SKEWS) {
  const shares = sharesOf(skew);
  for (const placement of PLACEMENTS) {
    const homes = homesOf(shares, placement);
    const { perSecond, found } = limitOf({
      cells: CELLS,
      lanes: LANES,
      cores: CORES,
      batchMax: BATCH_MAX,
      lane: COSTS.lane,
      postgresUs: COSTS.transfer.postgresUs,
      wayUs: WAY_US,
      homes,
      shares,
      across: ACROSS,
      seed: SEED,
    });
    const cells = [
      String(skew),
      percent(shares[0]!),
      placement,
      number(perSecond),
      `${number(found.p50Ms)} ms`,
      `${number(found.p99Ms)} ms`,
      `${number(found.acrossP99Ms)} ms`,
      number(found.hottest),
      percent(found.laneBusy),
      percent(found.coresBusy),
      whatBreaks(shares, homes, found),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
