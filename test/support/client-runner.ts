import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { createInterface } from 'node:readline';

/** A call of clients/cases.json, filled in. Names are those of clients/operations.mjs, with their words joined by `_`. */
export interface Call {
  /** `api_key`, `base_url` and perhaps `timeout_ms` and `max_retries`. */
  readonly client: Record<string, unknown>;
  /** `card_transactions` */
  readonly resource: string;
  /** `create_dispute` */
  readonly name: string;
  /** Ids of the path, then the body or the query where the operation has one; null where none is given. */
  readonly arguments: unknown[];
  /** `idempotency_key`, `headers`, `wait`, `dry_run`, `timeout_ms`, `max_retries`, `abort_after_ms`. */
  readonly options: Record<string, any>;
  /** The answer; all rows of a list, gone through; or the first page of it. */
  readonly take: 'answer' | 'items' | 'page';
}

export interface Message {
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly secrets: string[];
  readonly tolerance_seconds?: number;
}

/**
 * What was got, or why there is nothing: of a call `kind` (api, connection, timeout, aborted, untyped), `code`, `status`, `message`,
 * `retryable`, `recovery`, `param`, `errors`, `resource_id`, `request_id`, `retry_after`, `idempotency_key`; of a message `reason`.
 */
export type Told = { readonly got: any } | { readonly failed: Record<string, any> };

/** A client of some language, as the table sees it. */
export interface Tried {
  call(call: Call): Promise<Told>;
  /** The event. */
  verify(message: Message): Promise<Told>;
  /**
   * The events come in a sequence of their indexes. `[accepted, newer]` of each: by one `EventOrder`, and by `isNewer`
   * beside copies of the newest objects so far.
   */
  order(events: unknown[], sequence: number[]): Promise<Told>;
}

/**
 * A program that does with the client of its language what it is told: it reads `{"do": "call" | "verify" | "order", …}`,
 * a line of JSON each, and answers with a line `{"got": …}` or `{"failed": {…}}`.
 */
export class ClientRunner implements Tried {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<unknown[]>;

  constructor(program: string, args: readonly string[], options: { cwd: string; env?: Record<string, string> }) {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env };
    this.child = spawn(program, args, { cwd: options.cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = on(createInterface(this.child.stdout!), 'line', { close: ['close'] });
  }

  call(call: Call): Promise<Told> {
    return this.ask({ do: 'call', ...call });
  }

  verify(message: Message): Promise<Told> {
    return this.ask({ do: 'verify', ...message });
  }

  order(events: unknown[], sequence: number[]): Promise<Told> {
    return this.ask({ do: 'order', events, sequence });
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  private async ask(what: object): Promise<Told> {
    this.child.stdin!.write(`${JSON.stringify(what)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`the runner ended at ${JSON.stringify(what)}`);
    return JSON.parse(String(value[0])) as Told;
  }
}
