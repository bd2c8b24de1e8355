import type { Wire } from '../cards/wire';

/** How a request is known again, and what it may be refused for. */
interface Known {
  readonly key: string;
  readonly refusals?: readonly string[];
}

/** Whoever holds the key of a live account. */
export class Client {
  constructor(
    readonly wire: Wire,
    /** Uuid of the account. */
    readonly account: string,
    readonly key: string,
  ) {}

  /** Sends a request until it is answered; null when it was refused. */
  post(path: string, body: object | undefined, { key, refusals = [] }: Known): Promise<any> {
    const headers = { authorization: `Bearer ${this.key}`, 'idempotency-key': key, prefer: 'wait=1' };
    return this.wire.ask({ method: 'POST', path, headers, body, refusals });
  }

  get(path: string): Promise<any> {
    return this.wire.ask({ method: 'GET', path, headers: { authorization: `Bearer ${this.key}` } });
  }
}
