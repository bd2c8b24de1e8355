import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as a pretended company sees it. */
export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** As it came. */
  readonly text: string;
  /** Its JSON or form; null where it is neither. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** A movement of our money there, as the company's statement has it. */
export interface StatementLine {
  readonly reference: string;
  /** Minor units that it went down by; negative: up. */
  readonly amount: bigint;
}

/** A request that is not answered as it should be. */
export interface Failure {
  /** With a page that says nothing; null: not at all. */
  readonly status: number | null;
  /** What it asked for was done all the same; else it was not even read. */
  readonly isDone: boolean;
}

/** A company on a port of this machine, which behaves as its documentation says. */
export abstract class Pretended {
  /** What it was asked, in order. */
  readonly heard: Heard[] = [];
  /** Where it calls back, when it does by itself: the address of Duka. */
  callbackUrl: string | null = null;
  /** How a request fails; null: it does not. */
  breaks: () => Failure | null = () => null;
  /** Ends with a slash. */
  url = '';
  private readonly unanswered: ServerResponse[] = [];
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));

  /** What an operator sets to speak with it. */
  abstract get settings(): Readonly<Record<string, string>>;

  protected abstract answer(heard: Heard, response: ServerResponse): void | Promise<void>;

  /** 0: a free port. */
  async listen(port = 0): Promise<this> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
    return this;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** On whoever waits for an answer that never comes. */
  hangUp(): void {
    for (const response of this.unanswered.splice(0)) response.destroy();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const said = await text(request);
    const { pathname, searchParams } = new URL(request.url!, 'http://here');
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const heard: Heard = {
      method: request.method!,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      text: said,
      body: isForm ? Object.fromEntries(new URLSearchParams(said)) : jsonOf(said),
    };
    this.heard.push(heard);
    const failure = this.breaks();
    try {
      if (failure === null) return await this.answer(heard, response);
      if (failure.isDone) {
        const unheard = new ServerResponse(request);
        await this.answer(heard, unheard);
        unheard.emit('close');
      }
      if (failure.status === null) this.unanswered.push(response);
      else send(response, failure.status, '<html><body>Try again later</body></html>');
    } catch (error) {
      send(response, 500, { message: String(error) });
    }
  }
}

function jsonOf(said: string): Record<string, unknown> | null {
  try {
    return JSON.parse(said) as Record<string, unknown>;
  } catch {
    return null;
  }
}

export function send(response: ServerResponse, status: number, body: object | string): void {
  const said = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(said);
}
