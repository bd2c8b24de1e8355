import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const NOTHING = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';

/**
 * One keep-alive connection with one request on its way at a time. Reads no more of HTTP than the answers of the
 * servers measured here need: on two cores, what the load generator spends is missing from the servers.
 */
export class Connection {
  private readonly socket: Socket;
  private received: Buffer = NOTHING;

  /** A connection that is lost ends the process: what was measured by then would mean nothing. */
  constructor(
    port: number,
    private readonly onAnswer: (answer: Answer) => void,
  ) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk: Buffer) => this.read(chunk));
    this.socket.on('end', () => {
      throw new Error(`the server on port ${port} closed a connection`);
    });
  }

  send(request: string): void {
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.socket.removeAllListeners('end').destroy();
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.received.toString('latin1', 0, headEnd);
    const bodyStart = headEnd + HEAD_END.length;
    const bodyEnd = bodyStart + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.received.length < bodyEnd) return;
    const body = this.received.subarray(bodyStart, bodyEnd);
    this.received = NOTHING;
    this.onAnswer({ status: Number(head.slice(9, 12)), body });
  }
}
