import { randomInt } from 'node:crypto';
import type { CallbackRequest } from '../../../src/providers/answers';
import { count } from '../cards/wire';

/** Who calls back. */
export interface Caller {
  readonly name: string;
  /** Where it calls: below `/callbacks/`. */
  readonly path: string;
  /** As it calls back about an order; forged: as somebody else does. */
  callback(order: string, isForged: boolean): CallbackRequest;
}

/** Callbacks beside those that companies send by themselves: to any of the processes. */
export class Callbacks {
  forged = 0;
  repeated = 0;
  /** Answers that must not be. */
  readonly wrong = new Map<string, number>();

  constructor(private readonly urls: readonly string[]) {}

  /** Ends with a slash. */
  anyUrl(): string {
    return `${this.urls[randomInt(this.urls.length)]!}/`;
  }

  /** Null: nobody listened, as where a process was killed. */
  async post(path: string, { body, headers, query = {} }: CallbackRequest): Promise<Response | null> {
    const search = new URLSearchParams(query as Record<string, string>).toString();
    const init = { method: 'POST', body: new Uint8Array(body), headers: headers as Record<string, string> };
    return fetch(`${this.anyUrl()}callbacks/${path}${search && `?${search}`}`, init).catch(() => null);
  }

  async call(caller: Caller, order: string, isForged: boolean): Promise<void> {
    const answer = await this.post(caller.path, caller.callback(order, isForged));
    await answer?.arrayBuffer().catch(() => null);
    if (isForged) this.forged++;
    else this.repeated++;
    if (answer === null || answer.status === 503 || answer.status === (isForged ? 401 : 200)) return;
    count(this.wrong, `${isForged ? 'a forged' : 'an own'} callback of ${caller.name} was answered ${answer.status}`);
  }

  /** The same, twice at once. */
  async repeat(caller: Caller, order: string): Promise<void> {
    await Promise.all([this.call(caller, order, false), this.call(caller, order, false)]);
  }
}
