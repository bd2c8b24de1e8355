import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * What becomes of a request: it passes; it never arrives; its answer is lost, or half of it; nothing is heard any more,
 * or something without an end; or somebody else answers.
 */
export type Fault =
  | 'pass'
  | 'refuse'
  | 'cut'
  | 'half'
  | 'hang'
  | 'drip'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown };

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly atMs: number;
}

/** A wire to the service that does, request by request, what is planned; what comes behind the plan passes. */
export class FaultyWire {
  readonly requests: Passed[] = [];
  private readonly server: Server;

  private constructor(
    private readonly target: () => string,
    private readonly plan: Fault[],
  ) {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async to(target: () => string, plan: readonly Fault[] = []): Promise<FaultyWire> {
    const wire = new FaultyWire(target, [...plan]);
    wire.server.listen(0, '127.0.0.1');
    await once(wire.server, 'listening');
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    this.requests.push({ method, path, headers, atMs: Date.now() });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fault = this.plan.shift() ?? 'pass';
    if (fault === 'hang') return;
    if (fault === 'drip') return drip(request.socket);
    if (fault === 'refuse') return void request.socket.destroy();
    if (typeof fault === 'object') {
      const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body);
      return void response.writeHead(fault.status, fault.headers).end(text);
    }
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...sent } = headers;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await fetch(this.target() + path, { method, headers: sent as Record<string, string>, body });
    const text = Buffer.from(await answer.arrayBuffer());
    if (fault === 'cut') return void request.socket.destroy();
    const kept = [...answer.headers].filter(
      ([name]) => !/^(connection|transfer-encoding|content-encoding|keep-alive)$/.test(name),
    );
    response.writeHead(answer.status, { ...Object.fromEntries(kept), 'content-length': String(text.length) });
    if (fault === 'pass') return void response.end(text);
    response.write(text.subarray(0, text.length / 2), () => request.socket.destroy());
  }
}

function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nx-on: ');
  const drops = setInterval(() => socket.write('a'), 20);
  socket.once('close', () => clearInterval(drops));
}
