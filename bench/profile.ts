import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Profiler } from 'node:inspector';
import type { Timing } from './measured';

/** Shares of the time in which the main thread was busy, by layer. */
export type Budget = ReadonlyMap<string, number>;

/**
 * What a frame belongs to, by its file; the first that fits. A frame of any other file, or of the engine, belongs to what
 * called it.
 */
const OF_FILE: readonly (readonly [layer: string, file: RegExp])[] = [
  ['Fastify', /node_modules\/(@?fastify|find-my-way|secure-json-parse|light-my-request)/],
  ['Nest', /node_modules\/(@nestjs\/|rxjs|iterare)/],
  ['keys', /modules\/accounts\/api-key/],
  ['rate limits', /http\/rate-limiter/],
  ['validation', /node_modules\/class-|http\/(validation|json-body|body-parsers|dto|fields|idempotency-key)/],
  ['request log', /core\/request-log|modules\/request-logs/],
  ['log line', /node_modules\/(pino|sonic-boom|@pinojs)|core\/logging/],
  ['metrics', /node_modules\/prom-client|core\/metrics/],
  ['tracing', /node_modules\/@opentelemetry|core\/tracing/],
  ['idempotency', /core\/idempotency/],
  ['ids', /http\/ids|node:internal\/crypto/],
  ['other HTTP of Duka', /src\/core\/http/],
  ['events', /core\/outbox|modules\/transactions/],
  ['ledger', /modules\/ledger/],
  ['rows to statements', /database\/(bulk|rows|batcher)/],
  ['PostgreSQL client', /node_modules\/(pg|typeorm)|core\/database/],
  ['queue', /node_modules\/(bullmq|ioredis|@ioredis|pg-boss|msgpackr)|core\/queue/],
  ['HTTP client', /node_modules\/undici/],
  ['webhooks', /modules\/webhooks/],
  ['extension points', /core\/extension/],
  ['providers', /src\/providers/],
  ['the resource', /src\/modules/],
];

/** Node's own files belong to the client that called them, and else to the server. */
const CLIENTS: ReadonlySet<string> = new Set(['PostgreSQL client', 'queue', 'HTTP client', 'log line', 'ids']);
const SERVER = 'sockets and HTTP of Node';
const GARBAGE = 'garbage';
const ENGINE = 'the engine';
const OTHER = 'other';

export const LAYERS: readonly string[] = [SERVER, ...OF_FILE.map(([layer]) => layer), OTHER, ENGINE, GARBAGE];

/** A profile of the process whose inspector listens there: of the measured time, or until the signal. */
export async function profileOf(
  port: number,
  { warmUpSeconds, seconds }: Timing,
  signal?: AbortSignal,
): Promise<Profiler.Profile> {
  await sleep(warmUpSeconds * 1_000);
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await once(socket, 'open');
  let count = 0;
  const ask = async <T>(method: string, params: object = {}): Promise<T> => {
    const id = ++count;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [message] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(message.data) as { id?: number; result: T };
      if (answer.id === id) return answer.result;
    }
  };
  await ask('Profiler.enable');
  await ask('Profiler.setSamplingInterval', { interval: 500 });
  await ask('Profiler.start');
  if (signal) await once(signal, 'abort');
  else await sleep(seconds * 1_000);
  const { profile } = await ask<{ profile: Profiler.Profile }>('Profiler.stop');
  socket.close();
  return profile;
}

export function budgetOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Budget {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const layers = new Map<number, string>();
  const descend = (id: number, above: string): void => {
    const node = byId.get(id)!;
    const layer = layerOf(node.callFrame, above);
    layers.set(id, layer);
    for (const child of node.children ?? []) descend(child, layer);
  };
  descend(nodes[0]!.id, OTHER);
  const spent = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const layer = layers.get(id)!;
    // What is not the last of the samples lasted until the next.
    if (layer !== IDLE) spent.set(layer, (spent.get(layer) ?? 0) + (timeDeltas[i + 1] ?? 0));
  }
  const busy = [...spent.values()].reduce((sum, us) => sum + us, 0);
  return new Map([...spent].map(([layer, us]) => [layer, us / busy]));
}

const IDLE = 'idle';

function layerOf({ url, functionName }: Profiler.Profile['nodes'][number]['callFrame'], above: string): string {
  if (functionName === '(idle)') return IDLE;
  if (functionName === '(garbage collector)') return GARBAGE;
  if (functionName === '(program)') return ENGINE;
  const fitting = OF_FILE.find(([, file]) => file.test(url));
  if (fitting) return fitting[0];
  if (url.startsWith('node:') && !CLIENTS.has(above)) return SERVER;
  return above;
}
