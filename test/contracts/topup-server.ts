import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { newId } from '../../src/core/http/ids';
import type { CallbackRequest } from '../../src/providers/answers';
import { NONSENSE } from './nonsense';
import type { Deed } from './rig';

interface Topup {
  readonly reference: string;
  readonly status: 'done' | 'refused';
  readonly [fact: string]: string;
}

interface Plan {
  readonly deed: Deed;
  /** Which kind of nonsense it talks. */
  readonly kind: number;
}

/** Reasons of the manual that are about us. An odd number of them: each is sent with either status. */
const ACCOUNT_WORDS = ['account_locked', 'float_empty', 'account_suspended'];

const DRIP_MS = 20;

/** The imaginary top-up service of the example provider, on a port of this machine. It does what the test wants. */
export class TopupServer {
  /** What it was asked, in order: method, address, headers and body. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: unknown }[] =
    [];
  readonly sales = new Map<string, number>();
  /** As it calls back, and as somebody else does. */
  readonly callbacks = {
    own: (reference: string | null) => this.callback(reference, 'secret'),
    foreign: (reference: string) => this.callback(reference, 'another'),
  };
  /** Our float there, in minor units: it goes down by what it charges. */
  float = 7_500_000n;
  /** Of the amount, which it leaves us. */
  commissionPercent = 0n;
  /** Why it refuses, in the words of its manual. */
  refusal = 'barred';
  /** What it does about orders for which nothing is planned. */
  otherwise: Deed = 'delivers';
  private readonly plans = new Map<string, Plan>();
  private readonly topups = new Map<string, Topup>();
  private readonly waiting = new Map<string, () => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TopupServer> {
    const server = createServer();
    const topups = new TopupServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void topups.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return topups;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1/`;
  }

  private readonly parts = new Map<string, bigint>();

  plan(reference: string, deed: Deed, kind = 0): void {
    this.plans.set(reference, { deed, kind });
  }

  /** Only so many minor units of the order will arrive. */
  deliverPart<Of extends { readonly reference: string }>(order: Of, amount: bigint): Of {
    this.parts.set(order.reference, amount);
    return order;
  }

  /** Minor units that it was asked for, and that it charged. */
  booked(reference: string): { asked: bigint; taken: bigint } {
    const asked = this.requests.find(({ body }) => (body as { reference?: string } | null)?.reference === reference)!;
    const { amount } = asked.body as { amount: string };
    return { asked: BigInt(amount), taken: BigInt(this.topups.get(reference)!.charged!) };
  }

  /** As it calls back about a top-up; null: about none of ours. */
  callback(reference: string | null, secret: string): CallbackRequest {
    const body = Buffer.from(JSON.stringify({ reference, status: 'done' }));
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return { body, headers: { 'content-type': 'application/json', 'x-topup-signature': signature } };
  }

  /** Resolves when it is asked about the reference for the next time, and has begun to do what is planned. */
  begun(reference: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(reference, resolve));
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await json(request) : null;
    this.requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    if (request.url?.startsWith('/v1/float')) return send(response, 200, { currency: 'NGN', balance: `${this.float}` });
    if (request.method === 'POST') return this.sell(body as Record<string, string>, response);
    return this.tell(decodeURIComponent(request.url!.replace('/v1/topups/', '')), response);
  }

  private sell({ reference = '', amount = '' }: Record<string, string>, response: ServerResponse): void {
    const plan = this.plans.get(reference) ?? { deed: this.otherwise, kind: 0 };
    this.plans.set(reference, plan);
    if (!this.topups.has(reference)) this.topups.set(reference, this.book(reference, amount, plan.deed));
    this.answer(reference, plan, response);
  }

  private book(reference: string, amount: string, deed: Deed): Topup {
    if (deed === 'refuses') return { reference, status: 'refused', reason: this.refusal };
    this.sales.set(reference, (this.sales.get(reference) ?? 0) + 1);
    const charged = (BigInt(amount) * (100n - this.commissionPercent)) / 100n;
    this.float -= charged;
    const arrives = `${this.parts.get(reference) ?? amount}`;
    return {
      reference,
      status: 'done',
      id: newId(),
      amount: arrives,
      charged: `${charged}`,
      operator_reference: 'MP-1',
    };
  }

  private tell(reference: string, response: ServerResponse): void {
    const { deed, kind } = this.plans.get(reference) ?? { deed: this.otherwise, kind: 0 };
    if (deed === 'locks_us_out') return this.lockOut(reference, kind, response);
    const isItself = deed !== 'goes_dark' && deed !== 'loses_its_mind';
    this.answer(reference, { deed: isItself ? 'delivers' : deed, kind }, response);
  }

  private answer(reference: string, { deed, kind }: Plan, response: ServerResponse): void {
    const topup = this.topups.get(reference);
    if (deed === 'stays_silent' || deed === 'goes_dark' || deed === 'locks_us_out') return this.arrived(reference);
    if (deed === 'drips') return this.drip(reference, response);
    if (deed === 'talks_nonsense' || deed === 'loses_its_mind')
      return NONSENSE[kind % NONSENSE.length]!(response, topup!);
    if (topup === undefined) return send(response, 404, { error: 'unknown_reference', reference });
    send(response, 200, topup);
  }

  /** What it says of us when it is asked about an order that it sold. */
  private lockOut(reference: string, kind: number, response: ServerResponse): void {
    const reason = ACCOUNT_WORDS[kind % ACCOUNT_WORDS.length]!;
    send(response, kind % 2 === 0 ? 200 : 403, { reference, status: 'refused', reason });
  }

  /** The answer is the right one up to its last byte, which never comes. */
  private drip(reference: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(this.topups.get(reference)).slice(0, -1), () => this.arrived(reference));
    const drops = setInterval(() => response.write(' '), DRIP_MS);
    response.on('close', () => clearInterval(drops));
  }

  private arrived(reference: string): void {
    this.waiting.get(reference)?.();
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
