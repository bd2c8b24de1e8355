import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from '../cards/shop';
import { Latencies } from '../latencies';

const BUYERS = 2;
const PAUSE_MS = 20;
const AMOUNT = 10_000;

/** Clients of another account, who buy one thing after the other and see how long each takes. */
export class Buyers {
  /** Transactions by their ids, with what each cost. */
  readonly bought = new Map<string, number>();
  private begun = 0;
  private isOver = false;
  readonly latencies = new Latencies();
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly shop: Shop) {}

  get wallet(): string {
    return this.shop.wallets.NGN[0]!;
  }

  start(): void {
    this.running = Promise.all(Array.from({ length: BUYERS }, () => this.work()));
  }

  async finish(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async work(): Promise<void> {
    for (; !this.isOver; await sleep(PAUSE_MS)) {
      const phone = `+23480399${String(this.begun++).padStart(5, '0')}`;
      const since = performance.now();
      const body = { phone, network: 'mtn', amount: AMOUNT, wallet_id: this.wallet };
      const made = await this.shop.post('/v4/airtime/purchase', body);
      this.latencies.add(performance.now() - since);
      if (made !== null) this.bought.set(made.id, made.total);
    }
  }
}
