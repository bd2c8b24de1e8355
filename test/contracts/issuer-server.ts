import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { IssuerDeed } from './issuer-contract';

interface MadeCard {
  readonly reference: string;
  readonly status: 'issued' | 'refused';
  readonly reason?: string;
  readonly id?: string;
  state: string;
}

/** Answers that mean nothing about the card, each of them once. */
const NONSENSE: readonly ((response: ServerResponse, reference: string) => void)[] = [
  (response) => response.writeHead(502).end('<html>Bad gateway</html>'),
  (response, reference) => send(response, 500, { reference, status: 'refused', reason: 'document_rejected' }),
  (response) =>
    send(response, 200, { reference: 'another', status: 'issued', id: 'x', last4: '1111', expires: '2030-01' }),
  (response, reference) => send(response, 200, { reference, status: 'refused', reason: 'a reason of next year' }),
  (response, reference) =>
    send(response, 200, { reference, status: 'issued', id: 'x', last4: '4000001234567899', expires: '2030-01' }),
  (response) => void response.socket!.destroy(),
];

/** The imaginary issuer of the example, on a port of this machine. It does what the test wants, the first time that a card is ordered. */
export class IssuerServer {
  readonly made = new Map<string, number>();
  private readonly plans = new Map<string, IssuerDeed>();
  private readonly cards = new Map<string, MadeCard>();
  private nonsense = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<IssuerServer> {
    const server = createServer();
    const issuer = new IssuerServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void issuer.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return issuer;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v2/`;
  }

  plan(reference: string, deed: IssuerDeed): void {
    this.plans.set(reference, deed);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'GET' ? {} : ((await json(request)) as Record<string, string>);
    const [, , , reference = body.reference!, part] = request.url!.split('/').map(decodeURIComponent);
    if (request.method === 'POST' && part === undefined) return this.order(reference, response);
    const card = this.cards.get(reference);
    if (card === undefined) return send(response, 404, { reference, reason: 'unknown_reference' });
    if (this.plans.get(reference) === 'locks_us_out')
      return send(response, 200, { reference, status: 'refused', reason: 'account_suspended' });
    if (part === 'page') return send(response, 200, { reference, url: `https://issuer.example/show/${card.id}` });
    if (part === 'state') return this.tell(card, body.state!, response);
    return send(response, 200, answerOf(card));
  }

  private order(reference: string, response: ServerResponse): void {
    const deed = this.cards.has(reference) ? 'issues' : (this.plans.get(reference) ?? 'issues');
    const card = this.cards.get(reference) ?? this.make(reference, deed);
    if (deed === 'stays_silent' || deed === 'locks_us_out') return;
    if (deed === 'talks_nonsense') return NONSENSE[this.nonsense++ % NONSENSE.length]!(response, reference);
    return send(response, 200, answerOf(card));
  }

  private make(reference: string, deed: IssuerDeed): MadeCard {
    const card: MadeCard =
      deed === 'refuses'
        ? { reference, status: 'refused', reason: 'document_rejected', state: 'none' }
        : { reference, status: 'issued', id: `card-${this.made.size}`, state: 'active' };
    if (deed !== 'refuses') this.made.set(reference, (this.made.get(reference) ?? 0) + 1);
    this.cards.set(reference, card);
    return card;
  }

  private tell(card: MadeCard, state: string, response: ServerResponse): void {
    if (card.state === 'terminated' && state !== 'terminated')
      return send(response, 409, { reference: card.reference, reason: 'card_closed' });
    card.state = state;
    return send(response, 200, { reference: card.reference, state });
  }
}

const answerOf = (card: MadeCard) => ({ ...card, last4: '4242', expires: '2030-09' });

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
