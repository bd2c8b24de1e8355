import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './service';

/** A transfer that a client wants; its reference is also its `Idempotency-Key`. */
export interface Order {
  readonly reference: string;
  readonly from_wallet: string;
  readonly to_wallet: string;
  readonly amount: number;
}

/** An attempt that got no answer. */
export interface Unanswered {
  /** On the clock of `performance.now()`. */
  readonly sentAt: number;
  /** `ECONNREFUSED` when the service cannot have seen it; anything else leaves that open. */
  readonly code: string;
}

export interface Server {
  readonly url: string;
  readonly key: string;
}

const CLIENTS = 32;
const THINK_MS = 10;
const PACE_MS = 50;
const RESEND_MS = 100;
const ANSWER_TIMEOUT_MS = 20_000;
/** Now and then more than a wallet has left: refusals belong to the load. */
const AMOUNT_MAX = 100_000;

/** Clients that pay to and fro, remember each answer, and send again with the same key whatever got none. */
export class Load {
  /** Reference to order and public id of the transfer, for everything answered with 201. */
  readonly accepted = new Map<string, Order & { readonly id: string }>();
  /** Answered with 402. */
  readonly refused = new Map<string, Order>();
  /** Answers that must not be, by what they were. */
  readonly faults = new Map<string, number>();
  readonly unanswered: Unanswered[] = [];
  /** Requests, resent ones included. */
  requests = 0;
  resent = 0;
  /** Answered 503. */
  unavailable = 0;
  /** Of all answers, on the clock of `performance.now()`. */
  slowestMs = 0;
  /** Had taken effect without an answer. */
  replayed = 0;
  /** Orders that were begun. */
  begun = 0;
  private stopping = false;
  private clients: Promise<unknown> = Promise.resolve();
  private awaiting: ((sentAt: number) => void)[] = [];

  constructor(
    private readonly server: Server,
    private readonly wallets: readonly string[],
    /** How many orders may have been begun by now. */
    private readonly allowance: () => number = () => Infinity,
    private readonly answerMaxMs = ANSWER_TIMEOUT_MS,
  ) {}

  start(): void {
    this.clients = Promise.all(Array.from({ length: CLIENTS }, () => this.pay()));
  }

  /** Resolves when every order has its answer. */
  async finish(): Promise<void> {
    this.stopping = true;
    await this.clients;
  }

  /** Resolves with the next transfer that takes place on a request sent from now on. */
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

  private async pay(): Promise<void> {
    while (!this.stopping) {
      const isAllowed = this.begun < this.allowance();
      if (isAllowed) {
        this.begun++;
        await this.settle(this.order());
      }
      await sleep(randomInt(isAllowed ? THINK_MS : PACE_MS));
    }
  }

  private order(): Order {
    const from = randomInt(this.wallets.length);
    const to = (from + randomInt(1, this.wallets.length)) % this.wallets.length;
    return {
      reference: randomUUID(),
      from_wallet: this.wallets[from]!,
      to_wallet: this.wallets[to]!,
      amount: randomInt(1, AMOUNT_MAX),
    };
  }

  private async settle(order: Order): Promise<void> {
    for (; ; this.resent++) {
      const sentAt = performance.now();
      try {
        const answer = await this.send(order);
        this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
        if (answer.status !== 503) return this.note(order, answer, sentAt);
        this.unavailable++;
      } catch (error) {
        this.unanswered.push({ sentAt, code: codeOf(error) });
      }
      await sleep(RESEND_MS * (0.5 + Math.random()));
    }
  }

  private async send(order: Order): Promise<Answer> {
    this.requests++;
    const response = await fetch(`${this.server.url}/v4/wallets/transfer`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.server.key}`,
        'content-type': 'application/json',
        'idempotency-key': order.reference,
      },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(this.answerMaxMs),
    });
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, replayed: response.headers.has('idempotent-replayed'), body };
  }

  private note(order: Order, { status, replayed, body }: Answer, sentAt: number): void {
    if (status === 201 && body.id) {
      this.accepted.set(order.reference, { ...order, id: body.id });
      if (replayed) this.replayed++;
      else for (const listener of this.awaiting) listener(sentAt);
    } else if (body.code === 'insufficient_funds') {
      this.refused.set(order.reference, order);
    } else {
      const what = `${status} ${body.code}: ${body.detail}`;
      this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
    }
  }
}

interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: { readonly id?: string; readonly code?: string; readonly detail?: string };
}

/** `count` wallets in naira with `balance` in each, in minor units. */
export async function openWallets({ url, key }: Server, count: number, balance: number): Promise<string[]> {
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await post('/v4/wallets', { currency: 'NGN' });
      await post(`/v4/sandbox/wallets/${id}/credit`, { amount: balance });
      return id;
    }),
  );
}
