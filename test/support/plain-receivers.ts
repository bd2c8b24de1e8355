import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import type { LookupAddress } from 'node:dns';

/** Listens on every address of this machine, and counts who comes. */
export class Canary {
  hits = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** On one of the ports that live mode allows. */
  static async start(): Promise<Canary> {
    for (let port = 9_999; port >= 8_000; port--) {
      const server = net.createServer((socket) => socket.destroy());
      const isFree = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false)).listen({ port, host: '::' }, () => resolve(true));
      });
      if (!isFree) continue;
      const canary = new Canary(server, port);
      server.on('connection', () => canary.hits++);
      return canary;
    }
    throw new Error('no port from 8000 to 9999 is free');
  }

  async stop(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }
}

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine. `answer` says what it does; without it, 204. */
export class PlainReceiver {
  private static readonly running = new Set<PlainReceiver>();
  readonly requests: Received[] = [];
  /** All that ever connected. */
  readonly sockets: Socket[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.sockets.push(socket));
    PlainReceiver.running.add(this);
  }

  static async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((receiver) => receiver.stop()));
  }

  static async start(
    answer: RequestListener = (_, response) => response.writeHead(204).end(),
    port = 0,
  ): Promise<PlainReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const { method = '', url = '', headers } = request;
          receiver.requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
          answer(request, response);
        });
    });
    const receiver = new PlainReceiver(server);
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return receiver;
  }

  /** What speaks no HTTP: each connection is given to `talk`. */
  static async raw(talk: (socket: Socket) => void): Promise<PlainReceiver> {
    const server = net.createServer((socket) => talk(socket.on('error', () => undefined)));
    const receiver = new PlainReceiver(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async stop(): Promise<void> {
    PlainReceiver.running.delete(this);
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** DNS as a test wants it: `answers` are given one after the other, the last for ever. */
export class PlannedLookup {
  readonly asked: string[] = [];

  constructor(private readonly answers: readonly (readonly string[])[]) {}

  async resolve(name: string): Promise<LookupAddress[]> {
    const addresses = this.answers[Math.min(this.asked.push(name), this.answers.length) - 1]!;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
}

/** Connections to the public address `at` arrive at this machine; `reached` says to which addresses any were made. */
export function internetWith(at: string): { readonly reached: string[] } {
  const reached: string[] = [];
  const connect = net.connect;
  const redirect = (address: string): string => {
    reached.push(address);
    return address === at ? '127.0.0.1' : address;
  };
  jest.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
    const { lookup, host } = options;
    if (lookup === undefined || net.isIP(host ?? '') !== 0) return connect({ ...options, host: redirect(host!) });
    const redirected: net.LookupFunction = (name, how, answer) =>
      lookup(name, how, (error, found, family) => {
        if (typeof found === 'string') return answer(error, redirect(found), family);
        return answer(
          error,
          found.map(({ address, family: version }) => ({ address: redirect(address), family: version })),
        );
      });
    return connect({ ...options, lookup: redirected });
  }) as typeof net.connect);
  return { reached };
}
