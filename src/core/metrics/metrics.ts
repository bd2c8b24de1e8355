import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
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

export const requestLogDropped = new Counter({
  name: 'request_log_dropped_total',
  help:
    'Requests that the request log of the dashboard does not have, because too many waited, the database was ' +
    'away, or the account has had its share of the day.',
  registers: [registry],
});

/** Scrapers give up after ten seconds, as a rule; sources are asked side by side. */
const SOURCE_TIMEOUT_MS = 2_000;

interface Sample {
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** A gauge that whoever knows its figures reads anew at each scrape. Answers the function by which they say how. */
export function sampledGauge(
  name: string,
  help: string,
  labelNames: string[] = [],
): (read: () => Promise<readonly Sample[]>) => void {
  let source: () => Promise<readonly Sample[]> = async () => [];
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      // A source that is away, or hangs, must not take the other metrics with it: its figures are then missing.
      const samples = await within(SOURCE_TIMEOUT_MS, source).catch(() => []);
      this.reset();
      // Without labels it would say 0.
      if (labelNames.length === 0) this.remove();
      for (const { labels, value } of samples) this.set(labels, value);
    },
  });
  return (read) => {
    source = read;
  };
}

export const provideQueueDepths = sampledGauge('queue_jobs', 'Jobs of a queue by state.', ['queue', 'state']);

/** CPU, memory, event loop and garbage collection of this process. Begun when they are first asked for: it costs. */
export function measureProcess(): void {
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined)
    collectDefaultMetrics({ register: registry });
}
