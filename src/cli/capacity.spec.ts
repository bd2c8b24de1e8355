import { capacityFor, type Costs, type Demand, laneRate } from './capacity';

/** Round ones, to reckon with by hand. */
const COSTS: Costs = {
  measured: '2026-01-01',
  machine: 'paper',
  transfer: { apiUs: 300, postgresUs: 200, walBytes: 4_000, diskBytes: 3_000, perSecond: 2_000, batch: 20 },
  purchase: { apiUs: 400, postgresUs: 300, walBytes: 8_000, diskBytes: 6_000, perSecond: 1_500, batch: 30 },
  delivery: { workerUs: 200, postgresUs: 100, walBytes: 1_000, diskBytes: 1_000 },
  lane: { batchUs: 1_000, postingUs: 200 },
  memory: { apiMb: 256, workerMb: 128 },
  across: { factor: 6, postings: 3 },
};
const NOTHING: Demand = { transfers: 0, purchases: 0, across: 0, deliveries: 0, average: 0.5, cores: 8, wal: 100 };

it('a process carries a batch in its own time and that of its postings', () => {
  // 20 postings in 1,000 + 20 × 200 µs.
  expect(laneRate(COSTS)).toBe(4_000);
});

it('one of each is there for nothing, too', () => {
  expect(capacityFor(NOTHING, COSTS)).toEqual({
    apiProcesses: 1,
    workers: 1,
    lanes: 1,
    cells: 1,
    postgresCores: 1,
    walMbPerSecond: 0,
    diskGbPerMonth: 0,
    connections: 34,
    memoryGb: 0.375,
  });
});

it('adds up transfers, purchases and what is told of them', () => {
  const found = capacityFor({ ...NOTHING, transfers: 10_000, purchases: 1_000, deliveries: 2 }, COSTS);
  // µs of a second: API 3.0 + 0.4 M, worker 22,000 × 200, PostgreSQL 2.0 + 0.3 + 2.2 M; each ÷ 0.6.
  expect(found).toMatchObject({ apiProcesses: 6, workers: 8, postgresCores: 8, cells: 1 });
  // The power of two that is enough for six.
  expect(found.lanes).toBe(8);
  expect(found.walMbPerSecond).toBeCloseTo(40 + 8 + 22);
  // 30 + 6 + 22 MB a second, half of it on average, for 2,592,000 seconds.
  expect(found.diskGbPerMonth).toBeCloseTo((58 * 0.5 * 2_592_000) / 1_000);
  expect(found.connections).toBe(6 * 14 + 8 * 20);
  expect(found.memoryGb).toBe((6 * 256 + 8 * 128) / 1_024);
});

it('a transfer between cells counts as several, and as three postings', () => {
  const found = capacityFor({ ...NOTHING, transfers: 10_000, across: 0.1 }, COSTS);
  // As 15,000 local ones, in 12,000 postings.
  expect(found).toMatchObject({ apiProcesses: 8, postgresCores: 5, lanes: 8 });
  expect(found.walMbPerSecond).toBeCloseTo(60);
});

it('processes are as many as the ledger has to be written to at a time, if not more', () => {
  const cheap = { ...COSTS, transfer: { ...COSTS.transfer, apiUs: 30 } };
  // 12,000 postings at 4,000 × 0.6; their CPU would be one process's.
  expect(capacityFor({ ...NOTHING, transfers: 12_000 }, cheap)).toMatchObject({ apiProcesses: 5, lanes: 8 });
});

it('cells are as many as the cores or the WAL of one ask for', () => {
  const busy = { ...NOTHING, transfers: 50_000 };
  expect(capacityFor(busy, COSTS)).toMatchObject({ postgresCores: 17, cells: 3 });
  expect(capacityFor({ ...busy, wal: 40 }, COSTS).cells).toBe(5);
  // 25 processes in a cell would need more lanes than there are.
  expect(capacityFor({ ...busy, cores: 64, wal: 1_000 }, COSTS)).toMatchObject({
    apiProcesses: 25,
    cells: 2,
    lanes: 16,
  });
});
