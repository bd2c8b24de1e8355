import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

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
  help: 'Requests that the request log of the dashboard does not have, because too many waited or the database was away.',
  registers: [registry],
});

export interface QueueDepth {
  readonly queue: string;
  /** `waiting`, `active`, `delayed`, `failed`. */
  readonly state: string;
  readonly jobs: number;
}

let readQueueDepths: () => Promise<readonly QueueDepth[]> = async () => [];

/** Who knows the queues says how to count them; asked at each scrape. */
export function provideQueueDepths(read: () => Promise<readonly QueueDepth[]>): void {
  readQueueDepths = read;
}

new Gauge({
  name: 'queue_jobs',
  help: 'Jobs of a queue by state.',
  labelNames: ['queue', 'state'],
  registers: [registry],
  async collect() {
    // A queue that is away must not take the other metrics with it: its figures are then missing.
    const depths = await readQueueDepths().catch(() => []);
    this.reset();
    for (const { queue, state, jobs } of depths) this.set({ queue, state }, jobs);
  },
});

/** CPU, memory, event loop and garbage collection of this process. Begun by the first API of a process, never by a script. */
export function measureProcess(): void {
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics({ register: registry });
}
