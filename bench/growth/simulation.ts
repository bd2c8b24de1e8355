import type { Costs } from '../../src/cli/capacity';

/** What is simulated. Times in µs. */
export interface Setup {
  readonly cells: number;
  readonly lanes: number;
  /** Cores of each cell's PostgreSQL. */
  readonly cores: number;
  readonly batchMax: number;
  /** How long a lane is taken by a batch, by each posting of it, and how much of the latter PostgreSQL's CPU is. */
  readonly lane: Costs['lane'];
  readonly postgresUs: number;
  /** Between two cells, one way. */
  readonly wayUs: number;
  /** Where accounts are. */
  readonly homes: readonly Home[];
  /** Of each account, of all transfers. */
  readonly shares: Float64Array;
  /** Of the transfers, to an account of another cell. */
  readonly across: number;
  readonly perSecond: number;
  readonly transfers: number;
  readonly seed: number;
}

export interface Home {
  readonly cell: number;
  readonly lane: number;
}

export interface Found {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly meanMs: number;
  readonly acrossP99Ms: number;
  /** Of transfers that were paid on the busiest lane. */
  readonly busiestP99Ms: number;
  readonly busiest: Home;
  /** Share of the time that the busiest lane was taken, and the busiest cell's cores were. */
  readonly laneBusy: number;
  readonly coresBusy: number;
  /** Postings of the busiest cell, by those of an average one. */
  readonly hottest: number;
  readonly batch: number;
}

/** What one lane does next for a transfer: all of it, or one of its steps between cells. */
interface Posting {
  readonly begun: number;
  readonly from: Home;
  /** Null: it stays in its cell. */
  readonly to: Home | null;
  readonly step: number;
}

interface Cell {
  /** When each core is free again. */
  readonly cores: Float64Array;
  busyUs: number;
  postings: number;
}

interface Lane {
  readonly cell: Cell;
  waiting: Posting[];
  isBusy: boolean;
  busyUs: number;
  batches: number;
  readonly latencies: number[];
}

/** Hold at the payer's, credit at the payee's, capture at the payer's. */
const LAST_STEP = 2;
/** Before it queues are not yet as they will be. */
const WARM_UP_SHARE = 0.2;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Things to come, the next one first. */
class Agenda {
  private readonly heap: { readonly at: number; readonly happen: () => void }[] = [];

  add(at: number, happen: () => void): void {
    const { heap } = this;
    let i = heap.push({ at, happen }) - 1;
    for (let up = (i - 1) >> 1; i > 0 && heap[up]!.at > at; up = (i - 1) >> 1) {
      [heap[i], heap[up]] = [heap[up]!, heap[i]!];
      i = up;
    }
  }

  next(): { readonly at: number; readonly happen: () => void } | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || heap.length === 0) return first;
    heap[0] = last!;
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const child = left + 1 < heap.length && heap[left + 1]!.at < heap[left]!.at ? left + 1 : left;
      if (child >= heap.length || heap[child]!.at >= heap[i]!.at) return first;
      [heap[i], heap[child]] = [heap[child]!, heap[i]!];
      i = child;
    }
  }
}

/** Transfers arrive by chance; each lane takes whoever waits as one batch, whose CPU is taken from its cell's cores. */
class Simulation {
  private readonly draw: () => number;
  private readonly account: () => number;
  private readonly agenda = new Agenda();
  private readonly cells: readonly Cell[];
  private readonly lanes: readonly Lane[][];
  private readonly acrossLatencies: number[] = [];
  private now = 0;
  private arrived = 0;

  constructor(private readonly setup: Setup) {
    this.draw = random(setup.seed);
    this.account = drawer(setup.shares, this.draw);
    this.cells = Array.from({ length: setup.cells }, () => ({
      cores: new Float64Array(setup.cores),
      busyUs: 0,
      postings: 0,
    }));
    this.lanes = this.cells.map((cell) =>
      Array.from({ length: setup.lanes }, () => ({
        cell,
        waiting: [],
        isBusy: false,
        busyUs: 0,
        batches: 0,
        latencies: [],
      })),
    );
  }

  run(): Found {
    this.agenda.add(0, this.arrive);
    for (let next = this.agenda.next(); next !== undefined; next = this.agenda.next()) {
      this.now = next.at;
      next.happen();
    }
    return this.found();
  }

  private readonly arrive = (): void => {
    const { homes, cells, across, transfers, perSecond } = this.setup;
    const from = homes[this.account()]!;
    const to = cells > 1 && this.draw() < across ? this.elsewhere(from) : null;
    this.arrived++;
    this.enter({ begun: this.arrived > transfers * WARM_UP_SHARE ? this.now : -1, from, to, step: 0 });
    if (this.arrived < transfers)
      this.agenda.add(this.now - (Math.log(1 - this.draw()) * 1e6) / perSecond, this.arrive);
  };

  /** Where an account of another cell is, as likely as it is of all transfers. */
  private elsewhere(from: Home): Home {
    for (;;) {
      const home = this.setup.homes[this.account()]!;
      if (home.cell !== from.cell) return home;
    }
  }

  private laneAt({ cell, lane }: Home): Lane {
    return this.lanes[cell]![lane]!;
  }

  private enter(posting: Posting): void {
    const lane = this.laneAt(posting.step === 1 ? posting.to! : posting.from);
    lane.waiting.push(posting);
    if (!lane.isBusy) this.begin(lane);
  }

  private begin(lane: Lane): void {
    const { batchMax, postgresUs, lane: takes } = this.setup;
    const batch = lane.waiting.splice(0, batchMax);
    const { cores } = lane.cell;
    const cpuUs = batch.length * postgresUs;
    let core = 0;
    for (let i = 1; i < cores.length; i++) if (cores[i]! < cores[core]!) core = i;
    cores[core] = Math.max(cores[core]!, this.now) + cpuUs;
    const free = cores[core]! + takes.batchUs + batch.length * (takes.postingUs - postgresUs);
    lane.isBusy = true;
    lane.busyUs += free - this.now;
    lane.batches++;
    lane.cell.busyUs += cpuUs;
    lane.cell.postings += batch.length;
    this.agenda.add(free, () => {
      for (const posting of batch) this.leave(posting);
      lane.isBusy = false;
      if (lane.waiting.length > 0) this.begin(lane);
    });
  }

  private leave(posting: Posting): void {
    const { begun, from, to, step } = posting;
    if (to !== null && step < LAST_STEP) {
      this.agenda.add(this.now + this.setup.wayUs, () => this.enter({ ...posting, step: step + 1 }));
      return;
    }
    if (begun >= 0) (to === null ? this.laneAt(from).latencies : this.acrossLatencies).push(this.now - begun);
  }

  private found(): Found {
    const { cells, now, acrossLatencies } = this;
    const all = this.lanes.flat();
    const busiest = all.reduce((most, lane) => (lane.busyUs > most.busyUs ? lane : most));
    const cell = cells.indexOf(busiest.cell);
    const latencies = Float64Array.from(all.flatMap((lane) => lane.latencies).concat(acrossLatencies)).sort();
    const postings = cells.map((each) => each.postings);
    const total = postings.reduce((sum, count) => sum + count, 0);
    return {
      p50Ms: percentile(latencies, 0.5) / 1_000,
      p99Ms: percentile(latencies, 0.99) / 1_000,
      meanMs: latencies.reduce((sum, us) => sum + us, 0) / latencies.length / 1_000,
      acrossP99Ms: percentile(Float64Array.from(acrossLatencies).sort(), 0.99) / 1_000,
      busiestP99Ms: percentile(Float64Array.from(busiest.latencies).sort(), 0.99) / 1_000,
      busiest: { cell, lane: this.lanes[cell]!.indexOf(busiest) },
      laneBusy: busiest.busyUs / now,
      coresBusy: Math.max(...cells.map(({ busyUs }) => busyUs)) / (now * this.setup.cores),
      hottest: (Math.max(...postings) * cells.length) / total,
      batch: total / all.reduce((sum, { batches }) => sum + batches, 0),
    };
  }
}

export const simulate = (setup: Setup): Found => new Simulation(setup).run();

const percentile = (sorted: Float64Array, share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;

/** Draws an account by its share (Walker's aliases): at once, however many there are. */
function drawer(shares: Float64Array, draw: () => number): () => number {
  const { length } = shares;
  const sum = shares.reduce((total, each) => total + each, 0);
  const odds = shares.map((each) => (each * length) / sum);
  const alias = new Int32Array(length);
  const [small, large] = [[] as number[], [] as number[]];
  odds.forEach((odd, i) => (odd < 1 ? small : large).push(i));
  while (small.length > 0 && large.length > 0) {
    const [less, more] = [small.pop()!, large.at(-1)!];
    alias[less] = more;
    odds[more]! -= 1 - odds[less]!;
    if (odds[more]! < 1) small.push(large.pop()!);
  }
  for (const i of [...small, ...large]) odds[i] = 1;
  return () => {
    const i = Math.floor(draw() * length);
    return draw() < odds[i]! ? i : alias[i]!;
  };
}
