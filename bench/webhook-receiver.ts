import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeId, timeOf } from '../src/core/http/ids';

/** What came in since the last `begin`. */
export interface Arrivals {
  readonly count: number;
  /** From the first tenth of the messages to the last one: without the beginning and the end. */
  readonly perSecond: number;
  /** From an event to the first byte of its message. */
  readonly p95Ms: number;
}

/** From the measuring process. */
export type Order = 'begin' | 'count' | 'report';

/** Where messages are answered at once, and where nobody answers. */
export interface Ports {
  readonly healthy: number;
  readonly dead: number;
}

let times: number[] = [];
let latenciesMs: number[] = [];

const takeOne: RequestListener = (request, response) => {
  const uuid = decodeId('evt', String(request.headers['webhook-id']));
  times.push(performance.now());
  if (uuid !== null) latenciesMs.push(Date.now() - timeOf(uuid).getTime());
  request.resume().once('end', () => response.writeHead(204).end());
};

const count = (): number => times.length;

function report(): Arrivals {
  const [from, to] = [Math.floor(0.1 * times.length), Math.ceil(0.9 * times.length) - 1];
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return {
    count: times.length,
    perSecond: (to - from) / ((times[to]! - times[from]!) / 1_000),
    p95Ms: sorted[Math.ceil(0.95 * sorted.length) - 1] ?? NaN,
  };
}

function begin(): null {
  times = [];
  latenciesMs = [];
  return null;
}

const ORDERS: Record<Order, () => unknown> = { begin, count, report };

function listen(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

process.on('message', (order: Order) => void process.send!(ORDERS[order]()));
process.once('disconnect', () => process.exit());
void Promise.all([listen(takeOne), listen((request) => void request.resume())]).then(([healthy, dead]) =>
  process.send!({ healthy, dead } satisfies Ports),
);
