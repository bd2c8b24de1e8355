import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

/** What of an answer counts here. */
interface Made {
  readonly id: string;
  readonly status: string;
  readonly data: readonly { readonly id: string }[];
}

interface Answer {
  readonly status: number;
  readonly body: Made;
}

/** The public API as an account's programs call it, from several keys in turn. */
export class DemoApi {
  private readonly pool: Pool;
  private asked = 0;

  constructor(
    url: string,
    private readonly keys: readonly string[],
  ) {
    this.pool = new Pool(url, { connections: 64 });
  }

  async get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** An answer that is no success is thrown. */
  async post(path: string, body: object = {}): Promise<Made> {
    const { status, body: said } = await this.tried(path, body);
    if (status >= 300) throw new Error(`${path} ${JSON.stringify(body)}: ${status} ${JSON.stringify(said)}`);
    return said;
  }

  /** Whatever is answered. */
  async tried(path: string, body: object = {}): Promise<Answer> {
    return this.send('POST', path, body);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async send(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const key = this.keys[this.asked++ % this.keys.length]!;
    const answer = await this.pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        // What is not decided at once stays so: nobody waits for it here.
        prefer: 'wait=0',
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      body: body && JSON.stringify(body),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Made };
  }
}
