import { randomUUID } from 'node:crypto';
import { type Answer, expectDocumented } from './contract';

export interface CallOptions {
  readonly headers?: Record<string, string>;
  /** `Idempotency-Key`. */
  readonly key?: string;
}

/** Calls the service as a partner would. Every answer is held against the OpenAPI document. */
export class Api {
  constructor(
    private readonly url: () => string,
    readonly secret: string | null,
  ) {}

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, undefined, options);
  }

  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, body, options);
  }

  patch(path: string, body: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('PATCH', path, body, options);
  }

  async call(method: string, path: string, body?: unknown, { headers = {}, key }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(this.url() + path, {
      method,
      headers: {
        ...(this.secret && { authorization: `Bearer ${this.secret}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    };
    expectDocumented(method, path, answer);
    return answer;
  }

  /** A change that is sent twice with one key, its first answer lost: takes effect, then is answered as it is now. */
  async twice(method: string, path: string, body?: unknown): Promise<Answer> {
    const key = randomUUID();
    const [first, again] = [await this.call(method, path, body, { key }), await this.call(method, path, body, { key })];
    const isReplay = (answer: Answer) => answer.headers.get('idempotent-replayed') === 'true';
    const other = await this.post('/v4/wallets', { currency: 'NGN' }, { key });
    const seen = [first.status, isReplay(first), again.status, isReplay(again), other.body.code];
    if (JSON.stringify(seen) !== JSON.stringify([200, false, 200, true, 'idempotency_key_reused']))
      throw new Error(`${path}: ${JSON.stringify([seen, first.body, again.body])}`);
    const { status } = (await this.get(`/v4/idempotency/${key}`)).body;
    if (status !== 'completed') throw new Error(`${path}: ${key} is ${status}`);
    return again;
  }

  /** With a key of its own, unless one is given: the same transfer may come again. */
  transfer(
    from: string,
    to: string,
    amount: number,
    { key = randomUUID(), ...more }: { key?: string; [field: string]: unknown } = {},
  ): Promise<Answer> {
    return this.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount, ...more }, { key });
  }

  // What most tests begin with; each throws unless it succeeds.

  async wallet(amount = 0, currency = 'NGN'): Promise<string> {
    const { id } = await this.made('/v4/wallets', { currency });
    if (amount > 0) await this.credit(id, amount);
    return id;
  }

  async credit(walletId: string, amount: number): Promise<void> {
    await this.made(`/v4/sandbox/wallets/${walletId}/credit`, { amount });
  }

  async balance(walletId: string): Promise<{ available: number; held: number; ledger: number }> {
    const { available, held, ledger } = (await this.get(`/v4/wallets/${walletId}`)).body.balance;
    return { available, held, ledger };
  }

  /** Every row of a list, page by page. */
  async all(path: string): Promise<any[]> {
    const rows: any[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await this.get(cursor ? `${path}&cursor=${cursor}` : path);
      rows.push(...body.data);
      cursor = body.next_cursor;
    }
    return rows;
  }

  private async made(path: string, body: object): Promise<any> {
    const answer = await this.post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
