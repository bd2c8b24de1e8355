import { type Setup, simulate } from '../bench/growth/simulation';

/** One lane that takes a millisecond for each, one by one. */
const ONE: Setup = {
  cells: 1,
  lanes: 1,
  cores: 8,
  batchMax: 1,
  lane: { batchUs: 0, postingUs: 1_000 },
  postgresUs: 0,
  wayUs: 500,
  homes: [{ cell: 0, lane: 0 }],
  shares: Float64Array.of(1),
  across: 0,
  perSecond: 700,
  transfers: 60_000,
  seed: 1,
};
/** Mean time in a queue with arrivals by chance and one server that takes as long for each (M/D/1), in ms. */
const inQueue = (serviceMs: number, busy: number): number => serviceMs + (busy * serviceMs) / (2 * (1 - busy));

it.each([0.3, 0.7, 0.9])('a lane without batches is a queue of the textbook, %d busy', (busy) => {
  const found = simulate({ ...ONE, perSecond: busy * 1_000 });
  expect(found.laneBusy).toBeCloseTo(busy, 1);
  expect(found.meanMs / inQueue(1, busy)).toBeCloseTo(1, 1);
  expect(found).toMatchObject({ batch: 1, hottest: 1, busiest: { cell: 0, lane: 0 } });
});

it('so are the cores of a cell when they are what is short', () => {
  const homes = [0, 1, 2, 3].map((lane) => ({ cell: 0, lane }));
  const found = simulate({ ...ONE, lanes: 4, homes, shares: Float64Array.of(1, 1, 1, 1), cores: 1, postgresUs: 1_000 });
  expect(found.coresBusy).toBeCloseTo(0.7, 1);
  expect(found.meanMs / inQueue(1, 0.7)).toBeCloseTo(1, 1);
});

it('batches carry what one by one would never end', () => {
  const lane = { batchUs: 1_000, postingUs: 100 };
  const slow = simulate({ ...ONE, lane, perSecond: 2_000, transfers: 20_000 });
  const found = simulate({ ...ONE, lane, perSecond: 2_000, transfers: 20_000, batchMax: 200 });
  expect(slow.p99Ms).toBeGreaterThan(1_000);
  expect(found.p99Ms).toBeLessThan(5);
  // Who waits is who came meanwhile: n = 2 × (1 + 0.1 n) a millisecond.
  expect(found.batch).toBeCloseTo(2.5, 0);
});

it('a transfer between cells takes its three postings and the ways between them', () => {
  const homes = [0, 1].map((cell) => ({ cell, lane: 0 }));
  const far = { ...ONE, cells: 2, homes, shares: Float64Array.of(1, 1), across: 1, perSecond: 1, transfers: 2_000 };
  expect(simulate(far).meanMs).toBeCloseTo(3 * 1 + 2 * 0.5, 1);
});

it('accounts are drawn by their shares, and the same again for the same seed', () => {
  const homes = [0, 1, 2].map((cell) => ({ cell, lane: 0 }));
  const skewed = { ...ONE, cells: 3, homes, shares: Float64Array.of(6, 3, 1), perSecond: 1_000, transfers: 30_000 };
  const found = simulate(skewed);
  expect(found.hottest).toBeCloseTo(1.8, 1);
  expect(found.busiest.cell).toBe(0);
  expect(simulate(skewed)).toEqual(found);
  expect(simulate({ ...skewed, seed: 2 }).meanMs).not.toBe(found.meanMs);
});
