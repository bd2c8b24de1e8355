import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Unanswered } from '../load';
import { codeOf } from '../service';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; of callbacks the text that is signed. */
  readonly body?: object | string;
  /** Codes with which it may be refused: then nothing happened. */
  readonly refusals?: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly isReplay: boolean;
  readonly body: any;
}

const RESEND_MS = 150;
const ANSWER_MAX_MS = 30_000;
/** Of requests with a key, one of so many is sent twice at once, to any of the processes. */
const DOUBLED = 15;

/** Between clients and the service: whatever gets no answer is sent again, the same request with the same key. */
export class Wire {
  readonly unanswered: Unanswered[] = [];
  /** Answers that must not be, by what they were. */
  readonly faults = new Map<string, number>();
  /** Answers that may be, by their code. */
  readonly refused = new Map<string, number>();
  /** Requests that change something, resent ones included. */
  requests = 0;
  resent = 0;
  /** Answered 503. */
  unavailable = 0;
  /** Had taken effect before: without an answer, or by a twin. */
  replayed = 0;
  /** Requests that were sent twice at once. */
  twins = 0;
  private awaiting: ((sentAt: number) => void)[] = [];

  constructor(private readonly urls: readonly string[]) {}

  /** Resolves with the body of the answer; null when it was refused. */
  async ask(request: Request): Promise<any> {
    const isDoubled = 'idempotency-key' in request.headers && randomInt(DOUBLED) === 0;
    if (!isDoubled) return this.settle(request);
    this.twins++;
    const [one, other] = await Promise.all([this.settle(request), this.settle(request)]);
    if (one !== null && other !== null && one.id !== other.id)
      this.complain(`${request.method} ${request.path}: two answers to one key, ${one.id} and ${other.id}`);
    return one ?? other;
  }

  /** Resolves with the next change that takes place on a request sent from now on. */
  nextSuccess(): Promise<void> {
    const from = performance.now();
    return new Promise((resolve) => {
      const listener = (sentAt: number): void => {
        if (sentAt < from) return;
        this.awaiting = this.awaiting.filter((other) => other !== listener);
        resolve();
      };
      this.awaiting.push(listener);
    });
  }

  complain(what: string): void {
    count(this.faults, what);
  }

  private async settle(request: Request): Promise<any> {
    for (; ; this.resent++) {
      const sentAt = performance.now();
      try {
        const answer = await this.send(request);
        if (answer.status !== 503 && answer.body.code !== 'request_in_progress')
          return this.noted(request, answer, sentAt);
        this.unavailable++;
      } catch (error) {
        this.unanswered.push({ sentAt, code: codeOf(error) });
      }
      await sleep(RESEND_MS * (0.5 + Math.random()));
    }
  }

  private async send({ method, path, headers, body }: Request): Promise<Answer> {
    if (method === 'POST') this.requests++;
    const response = await fetch(this.urls[randomInt(this.urls.length)]! + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    });
    return {
      status: response.status,
      isReplay: response.headers.has('idempotent-replayed'),
      body: await response.json(),
    };
  }

  private noted({ method, path, refusals = [] }: Request, { status, isReplay, body }: Answer, sentAt: number): any {
    if (status < 300) {
      if (isReplay) this.replayed++;
      if (method === 'POST') for (const listener of this.awaiting) listener(sentAt);
      return body;
    }
    if (refusals.includes(body.code)) count(this.refused, body.code as string);
    else
      this.complain(`${method} ${path.replace(/[a-z]{3}_[0-9a-z]{26}/, '…')}: ${status} ${body.code}: ${body.detail}`);
    return null;
  }
}

export const count = (counts: Map<string, number>, what: string): unknown =>
  counts.set(what, (counts.get(what) ?? 0) + 1);
