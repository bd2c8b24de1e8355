import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { CALL_TIMEOUT_MS } from '../../../src/providers/client';
import { NONSENSE } from '../../contracts/nonsense';
import type { Manner, Plan } from './deeds';
import { type Entry, type Inquiry, OrderBook, type Topup } from './order-book';
import { isAskedTwice } from './orders';

export type Call = 'sell' | 'find';

const DRIP_MS = 30;
const DRIP_BYTES = 4;
const PAIR_MAX_MS = 200;
/** The caller's time-out began before the call arrived. */
const LATENCY_MS = 1_000;

/** Whoever really delivers airtime, on a port of this machine. Its order book is right; its answers are as the plan says. */
export class Operator {
  readonly book: OrderBook;
  /** Requeries by the process that made them. */
  readonly requeries = new Map<string, number>();
  /** Calls that waited for an answer until the service's time-out. */
  timeOuts = 0;
  /** By process and call. */
  private readonly ambushes = new Map<string, () => void>();
  private nonsense = 0;
  /** Requeries that wait for their twin. */
  private readonly inquiries = new Map<string, { readonly found: Inquiry; readonly pair: () => void }>();

  private constructor(
    private readonly server: Server,
    plan: Plan,
  ) {
    this.book = new OrderBook(plan);
  }

  static async start(lifetime: Lifetime, plan: Plan): Promise<Operator> {
    // Idle connections stay: no request of a run is lost for a reason that is not in the plan.
    const server = createServer({ keepAliveTimeout: 600_000 });
    const operator = new Operator(server, plan);
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) =>
        void operator.serve(request, response).catch(() => response.destroy()),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await lifetime.own(Promise.resolve(), async () => {
      operator.hangUp();
      server.close();
    });
    return operator;
  }

  /** Where a process of the service reaches it; each has its own address, so that it is known who asks. */
  addressFor(process: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${process}/`;
  }

  /** Resolves when it has the next such request of a process and has not answered. It will not. */
  next(process: string, call: Call): Promise<void> {
    return new Promise((strike) => this.ambushes.set(`${process} ${call}`, strike));
  }

  /** Ends every answer that still hangs. */
  hangUp(): void {
    this.server.closeAllConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [process = '', seller = '', , reference] = request.url!.slice(1).split('/');
    if (request.method === 'POST') {
      const entry = this.book.take(
        seller,
        (await json(request)) as { reference: string; msisdn: string; amount: string },
      );
      entry.story.push(`${process} orders, answer: ${entry.deed.answer}`);
      return this.isAmbushed(process, 'sell') ? undefined : this.answer(response, entry, entry.deed.answer);
    }
    this.requeries.set(process, (this.requeries.get(process) ?? 0) + 1);
    const found = await this.inquire(reference!);
    found?.entry.story.push(`${process} asks, answer: ${found.manner}`);
    if (this.isAmbushed(process, 'find')) return;
    if (found === null) send(response, 404, { error: 'unknown_reference', reference });
    else this.answer(response, found.entry, found.manner);
  }

  /** Two requeries of an order that is asked about twice are answered together, and alike. */
  private async inquire(reference: string): Promise<Inquiry | null> {
    const first = this.inquiries.get(reference);
    if (first !== undefined) {
      first.pair();
      return first.found;
    }
    const found = this.book.inquire(reference);
    if (found === null || !isAskedTwice(found.entry.index)) return found;
    await new Promise<void>((pair) => {
      this.inquiries.set(reference, { found, pair });
      setTimeout(pair, PAIR_MAX_MS);
    });
    this.inquiries.delete(reference);
    return found;
  }

  private isAmbushed(process: string, call: Call): boolean {
    const strike = this.ambushes.get(`${process} ${call}`);
    strike?.();
    return this.ambushes.delete(`${process} ${call}`);
  }

  private answer(response: ServerResponse, entry: Entry, manner: Manner): void {
    const { reference } = entry;
    const topup = this.book.topupOf(entry);
    if (manner === 'not_found' || (manner === 'truth' && topup === null)) {
      entry.denials++;
      return send(response, 404, { error: 'unknown_reference', reference });
    }
    this.manners[manner](response, topup ?? { reference, status: 'pending' });
  }

  private keepWaiting(response: ServerResponse): void {
    const since = performance.now();
    response.on('close', () => {
      if (performance.now() - since >= CALL_TIMEOUT_MS - LATENCY_MS) this.timeOuts++;
    });
  }

  private readonly manners: Readonly<
    Record<Exclude<Manner, 'not_found'>, (response: ServerResponse, topup: Topup) => void>
  > = {
    truth: (response, topup) => send(response, 200, topup),
    pending: (response, { reference }) => send(response, 200, { reference, status: 'pending' }),
    error: (response, { reference }) => send(response, 500, { error: 'internal', reference }),
    bad_gateway: (response) => void response.writeHead(502).end('<html>Bad gateway</html>'),
    garbage: (response, topup) => NONSENSE[this.nonsense++ % NONSENSE.length]!(response, topup),
    silence: (response) => this.keepWaiting(response),
    tear: (response) => void response.socket?.destroy(),
    tear_midway: (response, topup) => {
      const text = JSON.stringify(topup);
      response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, -5), () => response.destroy());
    },
    drip: (response, topup) => drip(response, JSON.stringify(topup), () => response.end()),
    drip_and_tear: (response, topup) => drip(response, JSON.stringify(topup).slice(0, -1), () => response.destroy()),
  };
}

function drip(response: ServerResponse, text: string, end: () => void): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  let sent = 0;
  const drops = setInterval(() => {
    if (sent < text.length) response.write(text.slice(sent, (sent += DRIP_BYTES)));
    else end();
  }, DRIP_MS);
  response.on('close', () => clearInterval(drops));
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
