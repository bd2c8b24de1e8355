import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { DataSource } from 'typeorm';
import { Webhook } from 'standardwebhooks';
import { decodeId, encodeId } from '../../src/core/http/ids';
import {
  EndpointChangesService,
  type SecretResult,
} from '../../src/modules/webhooks/endpoints/endpoint-changes.service';
import type { NewEndpoint } from '../../src/modules/webhooks/endpoints/webhook-endpoint.entity';
import type { Duka, TestAccount } from './duka';

/** What came in. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: any;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A partner's HTTP server that listens to events of an account. */
export class Receiver {
  readonly received: Received[] = [];
  /** Requests that were not answered yet, at once: the most so far. */
  inFlightMax = 0;
  reply: (request: Received, count: number) => Reply | Promise<Reply> = () => ({ status: 200 });
  private inFlight = 0;
  private readonly server: Server;
  private endpoint!: SecretResult;

  private constructor(
    private readonly duka: Duka,
    private readonly account: TestAccount,
  ) {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async of(duka: Duka, account: TestAccount, wanted: Partial<NewEndpoint> = {}): Promise<Receiver> {
    const receiver = new Receiver(duka, account);
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.server.address() as AddressInfo;
    const settings = {
      url: `http://127.0.0.1:${port}/events`,
      events: ['*'],
      description: null,
      includeSecrets: false,
      metadata: {},
      faults: null,
      headers: {},
      inFlightMax: 8,
      perSecondMax: null,
      ...wanted,
    };
    const caller: any = { accountId: decodeId('acct', account.id)!, livemode: false, scopes: null, requestId: null };
    const claim = { key: null, fingerprint: Buffer.alloc(32) };
    receiver.endpoint = await duka
      .get<EndpointChangesService>(EndpointChangesService)
      .create(caller, settings as NewEndpoint, claim);
    return receiver;
  }

  get id(): string {
    return this.endpoint.endpoint.id;
  }

  get publicId(): string {
    return encodeId('whk', this.id);
  }

  /** The one that it was made with. */
  get secret(): string {
    return this.endpoint.secret!;
  }

  /** What a partner's own code would throw for. */
  verify({ text, headers }: Received): unknown {
    return new Webhook(this.secret).verify(text, headers as Record<string, string>);
  }

  /** Those of one type, oldest first. */
  of(type: string): Received[] {
    return this.received.filter(({ body }) => body.type === type);
  }

  /** Rows of deliveries, oldest first. */
  deliveries(type = '%'): Promise<any[]> {
    return this.sql(
      `SELECT d.*, extract(epoch FROM next_attempt_at - now()) * 1000 - coalesce(c.offset_ms, 0) AS wait_ms
         FROM webhook_deliveries d LEFT JOIN test_clocks c USING (account_id) WHERE endpoint_id = $1 AND event_type LIKE $2 ORDER BY d.id`,
      [this.id, type],
    );
  }

  attempts(deliveryId: string): Promise<any[]> {
    return this.sql('SELECT * FROM webhook_attempts WHERE delivery_id = $1 ORDER BY id', [deliveryId]);
  }

  async state(): Promise<any> {
    return (await this.sql('SELECT * FROM webhook_endpoints WHERE id = $1', [this.id]))[0];
  }

  sql(statement: string, values: unknown[] = []): Promise<any> {
    return this.duka.app.get(DataSource, { strict: false }).query(statement, values);
  }

  async pass(seconds: number): Promise<void> {
    const { status } = await this.account.api.post('/v4/sandbox/clock/advance', { seconds });
    if (status !== 200) throw new Error('the clock stands still');
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const received = { headers: request.headers, text, body: JSON.parse(text) };
    // Somebody had this port before, and is still looked for.
    if (received.body.account_id !== this.account.id) return void response.writeHead(404).end();
    this.received.push(received);
    this.inFlightMax = Math.max(this.inFlightMax, ++this.inFlight);
    const { status, headers = {}, body = '' } = await this.reply(received, this.received.length);
    this.inFlight--;
    response.writeHead(status, headers).end(body);
  }
}
