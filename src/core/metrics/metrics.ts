import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PROJECT } from '../process/project';
import { within } from '../process/work-under-way';

/** What `GET /metrics` shows. One per process, like the process that it measures. */
export const registry = new Registry();

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const httpRequestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last of its answer. `route` is the template, or `unmatched`.',
  labelNames: ['method', 'route', 'status'],
  buckets: LATENCY_SECONDS,
  registers: [registry],
});

export const httpRequestsInFlight = new Gauge({
  name: 'http_requests_in_flight',
  help: 'Requests that have not been answered yet.',
  registers: [registry],
});

export const ledgerBatchSize = new Histogram({
  name: 'ledger_batch_size',
  help: 'Postings of one ledger transaction.',
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
  registers: [registry],
});

export const ledgerWaitSeconds = new Histogram({
  name: 'ledger_wait_seconds',
  help: 'Time that a posting waited before its batch was sent.',
  buckets: LATENCY_SECONDS,
  registers: [registry],
});

export const ledgerLostBatches = new Counter({
  name: 'ledger_lost_batches_total',
  help: 'Times that a new connection did not find the batch that was acknowledged last: the database is an older one.',
  registers: [registry],
});

export const requestLogDropped = new Counter({
  name: 'request_log_dropped_total',
  help:
    'Requests that the request log of the dashboard does not have, because too many waited, the database was ' +
    'away, or the account has had its share of the day.',
  registers: [registry],
});

/** Scrapers give up after ten seconds, as a rule; sources are asked side by side. */
const SOURCE_TIMEOUT_MS = 2_000;

export interface Sample {
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** One figure without labels. */
export const sample = (value: number): readonly Sample[] => [{ labels: {}, value }];

interface Gauged {
  readonly help: string;
  readonly labelNames?: string[];
}

type Samples<Name extends string> = Readonly<Record<Name, readonly Sample[]>>;
type Provide<Answer> = (read: () => Promise<Answer>) => void;

let showsService = true;

/**
 * Whether this process shows what is of the whole service. Those with workers do: shown by every process, each figure
 * would be there as often as there are processes, and cost the database as much.
 */
export const showService = (shown: boolean): void => void (showsService = shown);

/**
 * Gauges of the whole service, by name, that whoever knows their figures reads anew at each scrape, once for all of
 * them. Answers the function by which they say how.
 */
export function sampledGauges<Name extends string>(gauges: Readonly<Record<Name, Gauged>>): Provide<Samples<Name>> {
  const [provide, ask] = asked<Samples<Name>>();
  for (const [name, { help, labelNames = [] }] of Object.entries<Gauged>(gauges)) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = await ask();
        this.reset();
        // Without labels it would say 0.
        if (labelNames.length === 0) this.remove();
        for (const { labels, value } of samples?.[name as Name] ?? []) this.set(labels, value);
      },
    });
  }
  return provide;
}

/** A counter of the whole service: whoever knows says at each scrape what has been added since the one before. */
export function sampledCounter(name: string, help: string, labelNames: string[]): Provide<readonly Sample[]> {
  const [provide, ask] = asked<readonly Sample[]>();
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      for (const { labels, value } of (await ask()) ?? []) this.inc(labels, value);
    },
  });
  return provide;
}

/** A source that is told later, and what it says now, once for all who ask at the same time; null: nothing. */
function asked<Answer>(): [provide: Provide<Answer>, ask: () => Promise<Answer | null>] {
  let source: (() => Promise<Answer>) | null = null;
  let answer: Promise<Answer | null> | null = null;
  // A source that is away, or hangs, must not take the other metrics with it: its figures are then missing.
  const read = async (): Promise<Answer | null> =>
    source === null || !showsService ? null : within(SOURCE_TIMEOUT_MS, source).catch(() => null);
  return [(told) => void (source = told), () => (answer ??= read().finally(() => (answer = null)))];
}

/** As `sampledGauges`, of a single one. */
export function sampledGauge(name: string, help: string, labelNames: string[] = []): Provide<readonly Sample[]> {
  const provide = sampledGauges({ [name]: { help, labelNames } });
  return (read) => provide(async () => ({ [name]: await read() }));
}

const build = new Gauge({
  name: 'duka_build_info',
  help: 'Always 1: version of the service, of Node, and whether the process has workers.',
  labelNames: ['version', 'node', 'workers'],
  registers: [registry],
});

/** Once, when it is known what the process is. */
export function tellBuild(hasWorkers: boolean): void {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
  build.reset();
  build.set({ version, node: process.versions.node, workers: String(hasWorkers) }, 1);
}

export const provideQueueDepths = sampledGauge('queue_jobs', 'Jobs of a queue by state.', ['queue', 'state']);

/** CPU, memory, event loop and garbage collection of this process. Begun when they are first asked for: it costs. */
export function measureProcess(): void {
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined)
    collectDefaultMetrics({ register: registry });
}
