import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What becomes of a COMMIT over which the client loses its connection: the server never gets it, gets it when the client
 * has long been cut off, or carries it out and its answer is lost.
 */
export type LostCommit = 'never arrives' | 'arrives late' | 'is not answered';

/** Longer than a client waits before it tries again. */
export const LATE_MS = 500;
/** In a Bind message behind its type and length: no portal, the ledger's prepared COMMIT. Nothing else has these bytes. */
const BIND_COMMIT = Buffer.from('\0commit\0');
const TYPE_AND_LENGTH = 5;
const COMMITTED = Buffer.from('COMMIT\0');

/** A wire to PostgreSQL that is cut at an exact place. */
export class PostgresProxy {
  /** COMMITs that were lost so far. */
  lost = 0;
  private next: LostCommit | null = null;
  private server: Server;
  private port = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly target: URL) {}

  static async before(databaseUrl: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(new URL(databaseUrl));
    await proxy.comeBack();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.port = String(this.port);
    return url.href;
  }

  /** Loses the next COMMIT of the ledger. */
  loseCommit(how: LostCommit): void {
    this.next = how;
  }

  /** From here on connections are refused, and those that exist are cut. */
  async goAway(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async comeBack(): Promise<void> {
    this.server = createServer((client) => this.join(client)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private join(client: Socket): void {
    const postgres = connect(Number(this.target.port), this.target.hostname);
    this.keep(client).once('close', () => postgres.end());
    this.keep(postgres).once('close', () => client.destroy());
    postgres.on('data', (bytes) => void (client.writable && client.write(bytes)));
    client.on('data', (bytes: Buffer) => {
      const found = this.next === null ? -1 : bytes.indexOf(BIND_COMMIT);
      if (found < 0) postgres.write(bytes);
      else void this.lose(bytes, found - TYPE_AND_LENGTH, { client, postgres });
    });
  }

  private async lose(
    bytes: Buffer,
    commitAt: number,
    { client, postgres }: { client: Socket; postgres: Socket },
  ): Promise<void> {
    const how = this.next;
    this.next = null;
    this.lost++;
    // Everything up to the COMMIT reaches the server in any case, which holds the locks until it hears more.
    client.removeAllListeners('close');
    postgres.removeAllListeners('data').write(bytes.subarray(0, commitAt));
    if (how === 'is not answered') {
      postgres.write(bytes.subarray(commitAt));
      for (let answer = Buffer.alloc(0); !answer.includes(COMMITTED);)
        answer = Buffer.concat([answer, ...(await once(postgres, 'data'))]);
    }
    client.destroy();
    if (how === 'arrives late') {
      await sleep(LATE_MS);
      postgres.write(bytes.subarray(commitAt));
    }
    // Closed in order, so that the server still reads what was sent.
    postgres.resume().end();
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket.setNoDelay());
    return socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
  }
}
