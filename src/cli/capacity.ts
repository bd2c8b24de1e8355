import { InvalidArgumentError } from 'commander';
import type { Lifetime } from '../core/process/lifetime';
import measured from './costs.json';
import { DukaCommand } from './commands';
import { count } from './options';

interface Cost {
  readonly postgresUs: number;
  readonly walBytes: number;
  readonly diskBytes: number;
}

interface RequestCost extends Cost {
  readonly apiUs: number;
  /** What one process and one PostgreSQL reached on that machine, and in batches of how many. */
  readonly perSecond: number;
  readonly batch: number;
}

/** What one of each takes, in µs of CPU and bytes, as `npm run bench:costs` measured it. */
export interface Costs {
  readonly measured: string;
  readonly machine: string;
  readonly transfer: RequestCost;
  readonly purchase: RequestCost;
  readonly delivery: Cost & { readonly workerUs: number };
  /** How long a process's connection to the ledger is taken by a batch, and by each posting of it. */
  readonly lane: { readonly batchUs: number; readonly postingUs: number };
  readonly memory: { readonly apiMb: number; readonly workerMb: number };
  /** A transfer between cells: so many local ones of CPU, WAL and disk, and so many postings. */
  readonly across: { readonly factor: number; readonly postings: number };
}

export const COSTS: Costs = measured;

export interface Demand {
  /** In the busiest second. */
  readonly transfers: number;
  readonly purchases: number;
  /** Share of the transfers that meet between two cells. */
  readonly across: number;
  /** Deliveries of webhooks for each of them. */
  readonly deliveries: number;
  /** What an average second has of the busiest one. */
  readonly average: number;
  /** Cores and MB of WAL a second of one cell's PostgreSQL. */
  readonly cores: number;
  readonly wal: number;
}

export interface Capacity {
  readonly apiProcesses: number;
  readonly workers: number;
  /** Of each cell. */
  readonly lanes: number;
  readonly cells: number;
  readonly postgresCores: number;
  readonly walMbPerSecond: number;
  readonly diskGbPerMonth: number;
  readonly connections: number;
  readonly memoryGb: number;
}

/** Of what works in turn: beyond it those wait long who come in a bad moment. */
const BUSY_MAX = 0.6;
const POSTINGS_OF_A_PURCHASE = 2;
const SECONDS_OF_A_MONTH = 30 * 86_400;
/** Pool, reads, ledger, metrics; of a worker also those that claim and record deliveries, and the queue's. */
const [API_CONNECTIONS, WORKER_CONNECTIONS] = [14, 20];
/** Of a cell: see the setting LANES. */
const LANES_MAX = 16;

/** Postings a second of one process, in batches as they were measured. */
export const laneRate = ({ lane, transfer: { batch } }: Costs): number =>
  (batch * 1e6) / (lane.batchUs + batch * lane.postingUs);

export function capacityFor(demand: Demand, costs: Costs): Capacity {
  const { transfers, purchases, across, deliveries, average } = demand;
  // A transfer between cells as so many local ones.
  const local = transfers * (1 + across * (costs.across.factor - 1));
  const told = (transfers + purchases) * deliveries;
  const sum = (cost: keyof Cost): number =>
    local * costs.transfer[cost] + purchases * costs.purchase[cost] + told * costs.delivery[cost];
  const unitsFor = (us: number): number => Math.max(1, Math.ceil(us / 1e6 / BUSY_MAX));
  const workers = unitsFor(told * costs.delivery.workerUs);
  const postings = transfers * (1 + across * (costs.across.postings - 1)) + purchases * POSTINGS_OF_A_PURCHASE;
  // A process has one connection to the ledger, which carries one batch after the other.
  const apiProcesses = Math.max(
    unitsFor(local * costs.transfer.apiUs + purchases * costs.purchase.apiUs),
    Math.ceil(postings / (laneRate(costs) * BUSY_MAX)),
  );
  const postgresCores = unitsFor(sum('postgresUs'));
  const walMbPerSecond = sum('walBytes') / 1e6;
  const memoryMb = apiProcesses * costs.memory.apiMb + workers * costs.memory.workerMb;
  const cells = Math.max(
    Math.ceil(postgresCores / demand.cores),
    Math.ceil(walMbPerSecond / demand.wal),
    Math.ceil(apiProcesses / LANES_MAX),
  );
  return {
    apiProcesses,
    workers,
    lanes: 2 ** Math.ceil(Math.log2(Math.ceil(apiProcesses / cells))),
    cells,
    postgresCores,
    walMbPerSecond,
    diskGbPerMonth: (sum('diskBytes') * average * SECONDS_OF_A_MONTH) / 1e9,
    connections: apiProcesses * API_CONNECTIONS + workers * WORKER_CONNECTIONS,
    memoryGb: memoryMb / 1024,
  };
}

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

function textOf(demand: Demand, found: Capacity, costs: Costs): string {
  const { transfer, purchase, delivery, across } = costs;
  const lines: readonly (readonly [what: string, value: string, from: string])[] = [
    ['cells', number(found.cells), `of ${demand.cores} cores and ${demand.wal} MB of WAL a second each`],
    ['lanes', number(found.lanes), 'of each cell: LANES, so that no two processes need the same'],
    [
      'API processes',
      number(found.apiProcesses),
      `${transfer.apiUs} µs a transfer, ${purchase.apiUs} a purchase; at most ${number(laneRate(costs))} postings/s`,
    ],
    ['workers', number(found.workers), `${delivery.workerUs} µs a delivery`],
    [
      'PostgreSQL cores',
      number(found.postgresCores),
      `${transfer.postgresUs} µs a transfer, ${purchase.postgresUs} a purchase, ${delivery.postgresUs} a delivery`,
    ],
    [
      'WAL',
      `${number(found.walMbPerSecond)} MB/s`,
      `${transfer.walBytes} bytes a transfer, ${purchase.walBytes} a purchase, ${delivery.walBytes} a delivery`,
    ],
    [
      'disk a month',
      `${number(found.diskGbPerMonth)} GB`,
      `${transfer.diskBytes} bytes a transfer, ${purchase.diskBytes} a purchase, ${delivery.diskBytes} a delivery`,
    ],
    ['connections', number(found.connections), 'of all processes, each to its cell'],
    ['memory', `${number(found.memoryGb)} GB`, 'of the processes; PostgreSQL as much as is looked at in a day'],
  ];
  const widths = [0, 1].map((i) => Math.max(...lines.map((line) => line[i]!.length)));
  return [
    ...lines.map(([what, value, from]) => `${what.padEnd(widths[0]!)}  ${value.padStart(widths[1]!)}  ${from}`),
    '',
    `Whatever works in turn is busy ${BUSY_MAX * 100} % in the busiest second.`,
    `A transfer between cells counts as ${across.factor}.`,
    `Measured ${costs.measured} on ${costs.machine}. Your machine is another: npm run bench:costs measures it.`,
  ].join('\n');
}

function share(text: string): number {
  const value = /^(?:0(?:\.\d{1,4})?|1)$/.test(text) ? Number(text) : -1;
  if (value < 0) throw new InvalidArgumentError('It takes a share from 0 to 1, such as 0.05.');
  return value;
}

const PER_SECOND_MAX = 10_000_000;

export const capacityCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('capacity', lifetime)
    .description('say what a load needs: processes, lanes, cells, cores, disk; from measured costs')
    .requiredOption('--transfers <number>', 'in the busiest second', count(0, PER_SECOND_MAX))
    .option('--purchases <number>', 'in the busiest second', count(0, PER_SECOND_MAX), 0)
    .option('--across <share>', 'of the transfers, between cells', share, 0)
    .option('--deliveries <number>', 'of webhooks, for each transfer and purchase', count(0, 50), 1)
    .option('--average <share>', 'what an average second has of the busiest one', share, 0.3)
    .option('--cores <number>', 'of the PostgreSQL of a cell', count(1, 1_024), 32)
    .option('--wal <number>', 'MB a second that the disk and the standbys of a cell take', count(1, 10_000), 150)
    .says<Demand>((demand) => {
      const found = capacityFor(demand, COSTS);
      return { text: textOf(demand, found, COSTS), json: { ...found, costs: COSTS } };
    }),
];
