import type { Measurement as LedgerMeasurement } from './measurements';
import type { DashboardMeasurement } from './dashboard-measurements';
import type { WebhookMeasurement } from './webhook-measurements';

export type Measurement = LedgerMeasurement | WebhookMeasurement | DashboardMeasurement;

/** Figures that are measured and kept together. */
export const GROUPS = ['ledger', 'purchases', 'money', 'webhooks', 'dashboard'] as const;
export type Group = (typeof GROUPS)[number];

/** A row of the table: what is measured, what it is divided by, and what must come out. */
export interface Figure {
  readonly group: Group;
  readonly name: string;
  readonly what: string;
  readonly measured: Measurement;
  /** Without it the measured number itself is the figure. */
  readonly reference?: Measurement;
  /** Of the two numbers. */
  readonly unit: string;
  readonly better: 'more' | 'less';
  readonly hold: number;
  readonly aim: number;
}

export const FIGURES: readonly Figure[] = [
  {
    group: 'ledger',
    name: 'transfer',
    what: 'Transfers, random wallets ÷ pgbench TPC-B-like',
    measured: 'transfers',
    reference: 'pgbench',
    unit: '/s',
    better: 'more',
    hold: 1.3,
    aim: 2,
  },
  {
    group: 'ledger',
    name: 'fastify',
    what: 'Transfers, random wallets ÷ raw Fastify, same JSON POST',
    measured: 'transfers',
    reference: 'rawPost',
    unit: '/s',
    better: 'more',
    hold: 0.25,
    aim: 0.35,
  },
  {
    group: 'ledger',
    name: 'batching',
    what: 'Transfers, random wallets ÷ batching off, same HTTP stack',
    measured: 'transfers',
    reference: 'unbatched',
    unit: '/s',
    better: 'more',
    hold: 3,
    aim: 6,
  },
  {
    group: 'ledger',
    name: 'hot',
    what: 'Transfers from one hot wallet ÷ random wallets',
    measured: 'hot',
    reference: 'transfers',
    unit: '/s',
    better: 'more',
    hold: 0.9,
    aim: 1.1,
  },
  {
    group: 'ledger',
    name: 'latency',
    what: 'Transfer p99 at half of the peak rate',
    measured: 'paced',
    unit: 'ms',
    better: 'less',
    hold: 12,
    aim: 8,
  },
  {
    group: 'ledger',
    name: 'wallet',
    what: '`GET /v4/wallets/:id` ÷ raw Fastify GET',
    measured: 'wallet',
    reference: 'rawGet',
    unit: '/s',
    better: 'more',
    hold: 0.5,
    aim: 0.7,
  },
  {
    group: 'ledger',
    name: 'list',
    what: '`GET /v4/transactions?limit=20` p99, 1,000,000 transactions ÷ 1,000',
    measured: 'million',
    reference: 'thousand',
    unit: 'ms',
    better: 'less',
    hold: 1.5,
    aim: 1.1,
  },
  {
    group: 'ledger',
    name: 'memory',
    what: 'Most memory of the API under the transfers',
    measured: 'memory',
    unit: 'MB',
    better: 'less',
    hold: 240,
    aim: 200,
  },
  {
    group: 'purchases',
    name: 'purchase',
    what: 'Airtime purchases, instant sandbox provider ÷ transfers',
    measured: 'purchases',
    reference: 'transfers',
    unit: '/s',
    better: 'more',
    hold: 0.6,
    aim: 0.8,
  },
  {
    group: 'purchases',
    name: 'purchase-latency',
    what: 'Purchase p99 at half of the peak rate',
    measured: 'pacedPurchases',
    unit: 'ms',
    better: 'less',
    hold: 40,
    aim: 15,
  },
  {
    group: 'purchases',
    name: 'purchase-list',
    what: '`GET /v4/transactions?type=airtime_purchase` p99, 1,000,000 purchases ÷ 1,000',
    measured: 'millionPurchases',
    reference: 'thousandPurchases',
    unit: 'ms',
    better: 'less',
    hold: 1.5,
    aim: 1.1,
  },
  {
    group: 'money',
    name: 'conversion',
    what: 'Conversions ÷ transfers',
    measured: 'conversions',
    reference: 'transfers',
    unit: '/s',
    better: 'more',
    hold: 0.7,
    aim: 0.9,
  },
  {
    group: 'money',
    name: 'batch',
    what: 'Rows of a batch ÷ single purchases',
    measured: 'batchRows',
    reference: 'purchases',
    unit: '/s',
    better: 'more',
    hold: 1.2,
    aim: 1.5,
  },
  {
    group: 'money',
    name: 'neighbours',
    what: 'p99 of purchases of another account, 50 a second, beside a batch ÷ without one',
    measured: 'besideBatch',
    reference: 'withoutBatch',
    unit: 'ms',
    better: 'less',
    hold: 2,
    aim: 1.3,
  },
  {
    group: 'money',
    name: 'payout',
    what: 'Payout p99 at half of the peak rate',
    measured: 'pacedPayouts',
    unit: 'ms',
    better: 'less',
    hold: 40,
    aim: 15,
  },
  {
    group: 'money',
    name: 'statement',
    what: 'First byte of a statement of 100,000 transactions, the slowest of all formats',
    measured: 'statementFirstByte',
    unit: 'ms',
    better: 'less',
    hold: 200,
    aim: 50,
  },
  {
    group: 'money',
    name: 'statement-memory',
    what: 'Most memory of an API that makes statements of 100,000 transactions ÷ of 10,000',
    measured: 'hundredThousandLines',
    reference: 'tenThousandLines',
    unit: 'MB',
    better: 'less',
    hold: 1.5,
    aim: 1.1,
  },
  {
    group: 'money',
    name: 'authorization',
    what: 'p99 of 500 authorizations a second, asked of an endpoint that takes 5 ms, over those that nobody is asked about',
    measured: 'askedAuthorizations',
    unit: 'ms',
    better: 'less',
    hold: 60,
    aim: 20,
  },
  {
    group: 'webhooks',
    name: 'delivery',
    what: 'Webhooks delivered ÷ bare BullMQ worker that only posts, same receiver',
    measured: 'delivered',
    reference: 'bare',
    unit: '/s',
    better: 'more',
    hold: 0.5,
    aim: 0.8,
  },
  {
    group: 'webhooks',
    name: 'delivery-latency',
    what: 'Commit to first byte at the receiver, p95 at half of the peak rate',
    measured: 'halfLoad',
    unit: 'ms',
    better: 'less',
    hold: 120,
    aim: 50,
  },
  {
    group: 'webhooks',
    name: 'dead-endpoint',
    what: 'The same at 99 healthy endpoints, 1 dead with 500,000 deliveries due ÷ all 100 healthy',
    measured: 'oneDead',
    reference: 'hundred',
    unit: 'ms',
    better: 'less',
    hold: 1.2,
    aim: 1.05,
  },
  {
    group: 'webhooks',
    name: 'dead-jobs',
    what: 'Most jobs in the queue meanwhile',
    measured: 'jobs',
    unit: '',
    better: 'less',
    hold: 5_000,
    aim: 500,
  },
  {
    group: 'webhooks',
    name: 'dead-start',
    what: 'A worker starts beside such an endpoint, until its first messages arrived',
    measured: 'start',
    unit: 's',
    better: 'less',
    hold: 5,
    aim: 2,
  },
  {
    group: 'webhooks',
    name: 'delivery-memory',
    what: 'Most memory of a worker with 100,000 deliveries queued',
    measured: 'backlog',
    unit: 'MB',
    better: 'less',
    hold: 220,
    aim: 180,
  },
  {
    group: 'dashboard',
    name: 'dashboard-list',
    what: 'A page of the list of transactions, p95 with 1,000,000 of them',
    measured: 'dashboardList',
    unit: 'ms',
    better: 'less',
    hold: 300,
    aim: 100,
  },
  {
    group: 'dashboard',
    name: 'dashboard-find',
    what: 'Search over everything, p95 with 1,000,000 transactions',
    measured: 'dashboardFind',
    unit: 'ms',
    better: 'less',
    hold: 300,
    aim: 100,
  },
  {
    group: 'dashboard',
    name: 'dashboard-home',
    what: 'Home with its chart of 30 days, p95 with 1,000,000 transactions',
    measured: 'dashboardHome',
    unit: 'ms',
    better: 'less',
    hold: 300,
    aim: 100,
  },
];

// Half of the peak rate and the memory under load need the load first, and one statement tells both of its figures.
const NEEDS: Partial<Record<Measurement, Measurement>> = {
  paced: 'transfers',
  memory: 'transfers',
  pacedPurchases: 'purchases',
  pacedPayouts: 'payouts',
  statementFirstByte: 'hundredThousandLines',
  halfLoad: 'delivered',
  hundred: 'delivered',
  oneDead: 'delivered',
  jobs: 'oneDead',
  start: 'oneDead',
};

/** What has to be measured for some of the figures. */
export function measurementsFor(figures: readonly Figure[]): Set<Measurement> {
  const named = figures.flatMap(({ measured, reference }) => [measured, reference, NEEDS[measured]]);
  return new Set(named.filter((name) => name !== undefined));
}

/** All rounds of all measurements. */
export type Rounds = ReadonlyMap<Measurement, readonly number[]>;

export interface Finding extends Figure {
  readonly measuredMedian: number;
  readonly referenceMedian?: number;
  /** The median itself, or that of the rounds' ratios. */
  readonly value: number;
  readonly verdict: 'aim' | 'holds' | 'SHORT' | 'not measured';
}

/** A ratio is taken within a round: a machine that is slower for a minute is slower for both. */
export function findingOf(figure: Figure, rounds: Rounds): Finding {
  const measured = rounds.get(figure.measured) ?? [];
  const reference = figure.reference && (rounds.get(figure.reference) ?? []);
  const [measuredMedian, referenceMedian] = [median(measured), reference && median(reference)];
  const value = reference ? median(measured.map((one, round) => one / (reference[round] ?? NaN))) : measuredMedian;
  return { ...figure, measuredMedian, referenceMedian, value, verdict: verdictOf(figure, value) };
}

function verdictOf({ better, hold, aim }: Figure, value: number): Finding['verdict'] {
  if (Number.isNaN(value)) return 'not measured';
  const reaches = (bound: number) => (better === 'more' ? value >= bound : value <= bound);
  return reaches(aim) ? 'aim' : reaches(hold) ? 'holds' : 'SHORT';
}

/** NaN when one of them is, and of none. */
export function median(values: readonly number[] = []): number {
  if (values.length === 0 || values.some(Number.isNaN)) return NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
