import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_TIMEOUT_MS = 30_000;
const RESEND_MS = 150;
/** Of a hundred transfers. */
const ACROSS = 20;
const REFUSED = 10;
const AMOUNT_MAX = 5_000;

/** Somebody with wallets, and where money can be sent. */
export interface Party {
  readonly cell: number;
  readonly key: string;
  readonly wallets: readonly string[];
  /** Takes no money. */
  readonly frozen: string;
}

export interface Told {
  readonly id: string | null;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly isAcross: boolean;
  readonly key: string;
  /** `processing`: what became of it is to be seen. */
  readonly end: 'successful' | 'refused' | 'processing';
}

/** Sends a request wherever it likes, until it is answered. */
export class Wire {
  requests = 0;
  resent = 0;

  constructor(private readonly urls: readonly string[]) {}

  async call(method: string, path: string, key: string, body?: object, idempotencyKey: string = randomUUID()) {
    for (; ; this.resent++) {
      this.requests++;
      try {
        const response = await fetch(this.urls[randomInt(this.urls.length)] + path, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            prefer: 'wait=1',
            ...(body && { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
          },
          body: body && JSON.stringify(body),
          signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        });
        const answer = { status: response.status, body: (await response.json()) as any };
        if (response.status < 500) return answer;
      } catch {
        // Whoever was killed has not answered.
      }
      await sleep(RESEND_MS * (0.5 + Math.random()));
    }
  }
}

/** Clients that pay within their account, across cells and to wallets that take nothing, and remember each answer. */
export class Payers {
  readonly told: Told[] = [];
  readonly faults: string[] = [];
  private isOver = false;

  constructor(
    private readonly wire: Wire,
    private readonly parties: readonly Party[],
  ) {}

  async run(clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.pay()));
  }

  /** Who has begun, ends. */
  stop(): void {
    this.isOver = true;
  }

  private async pay(): Promise<void> {
    while (!this.isOver) {
      await this.transfer();
      await sleep(randomInt(40));
    }
  }

  private async transfer(): Promise<void> {
    const { parties } = this;
    const payer = parties[randomInt(parties.length)]!;
    const from = payer.wallets[randomInt(payer.wallets.length)]!;
    const isAcross = randomInt(100) < ACROSS;
    const others = parties.filter(({ cell }) => (cell !== payer.cell) === isAcross);
    const payee = others[randomInt(others.length)]!;
    const wallets = payee.wallets.filter((wallet) => wallet !== from);
    const to = randomInt(100) < REFUSED ? payee.frozen : wallets[randomInt(wallets.length)]!;
    const amount = randomInt(1, AMOUNT_MAX);
    const reference = randomUUID();
    const order = { from_wallet: from, to_wallet: to, amount, reference };
    const { status, body } = await this.wire.call('POST', '/v4/wallets/transfer', payer.key, order, reference);
    const about = { id: body.id ?? null, from, to, amount, isAcross, key: payer.key };
    if (status === 201) this.told.push({ ...about, end: 'successful' });
    else if (status === 202) this.told.push({ ...about, end: 'processing' });
    else if (['wallet_frozen', 'insufficient_funds'].includes(body.code)) this.told.push({ ...about, end: 'refused' });
    else this.faults.push(`${status} ${body.code}: ${body.detail}`);
  }
}
