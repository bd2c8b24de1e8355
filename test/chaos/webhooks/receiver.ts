import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Lifetime } from '../../../src/core/process/lifetime';

/** Long enough for some messages to be under way whenever a worker is killed. */
const ANSWER_MS_MAX = 40;

interface Body {
  readonly id: string;
  readonly data: { readonly object: { readonly id: string } };
}

/** A message that takes its worker along each time it comes. */
interface Deadly {
  id: string | null;
  left: number;
  readonly strike: () => Promise<void>;
  readonly isOver: () => void;
}

/** A partner's server: verifies each message and remembers under which ids it came. */
export class Receiver {
  /** Ids of events by the transfer that they are about. */
  readonly eventsOf = new Map<string, Set<string>>();
  /** How often each event came. */
  readonly arrivals = new Map<string, number>();
  /** Messages that must not be, by what is wrong with them. */
  readonly faults = new Map<string, number>();
  private verifier?: Webhook;
  private deadly: Deadly | null = null;
  private awaiting: (() => void)[] = [];

  private constructor(private readonly server: Server) {}

  static async start(lifetime: Lifetime): Promise<Receiver> {
    const server = createServer((request, response) => void receiver.take(request, response));
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await lifetime.own(Promise.resolve(), async () => server.close().closeAllConnections());
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  trust(secret: string): void {
    this.verifier = new Webhook(secret);
  }

  /** The next message is not answered: `strike` happens, and again each time it comes, so often. Resolves after the last one. */
  killNext(times: number, strike: () => Promise<void>): Promise<void> {
    return new Promise((isOver) => (this.deadly = { id: null, left: times, strike, isOver }));
  }

  /** Resolves with the next message that is answered. */
  nextArrival(): Promise<void> {
    return new Promise((resolve) => this.awaiting.push(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // Its worker was killed while it sent.
      return;
    }
    const id = this.note(Buffer.concat(chunks).toString(), request);
    if (id !== null && this.isDeadly(id)) return;
    setTimeout(() => response.writeHead(204).end(), Math.random() * ANSWER_MS_MAX);
    for (const resolve of this.awaiting.splice(0)) resolve();
  }

  private note(text: string, { headers }: IncomingMessage): string | null {
    try {
      const { id, data } = this.verifier!.verify(text, headers as Record<string, string>) as Body;
      if (headers['webhook-id'] !== id) this.complain(`webhook-id is not the event's id`);
      const known = this.eventsOf.get(data.object.id) ?? new Set();
      this.eventsOf.set(data.object.id, known.add(id));
      this.arrivals.set(id, (this.arrivals.get(id) ?? 0) + 1);
      return id;
    } catch (error) {
      this.complain((error as Error).message);
      return null;
    }
  }

  private isDeadly(id: string): boolean {
    const { deadly } = this;
    if (deadly === null || (deadly.id ?? id) !== id) return false;
    deadly.id = id;
    deadly.left--;
    if (deadly.left === 0) this.deadly = null;
    void deadly.strike().then(() => deadly.left === 0 && deadly.isOver());
    return true;
  }

  private complain(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
  }
}
