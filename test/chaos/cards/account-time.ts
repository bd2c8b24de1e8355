import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from './shop';

const TICK_MS = 500;
const STEP_SECONDS = 20;
const LEAP_SECONDS = 120;
const LEAPS_MAX = 60;
/** Longer than an authorization lasts. */
const WEEK_SECONDS = 8 * 86_400;

/** Moves the clocks of the accounts, so that what waits for minutes comes within the run. */
export class AccountTime {
  /** Seconds that each was moved. */
  passed = 0;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly shops: readonly Shop[],
    /** What does not stand still yet, in words. */
    private readonly open: () => Promise<string[]>,
  ) {}

  /** By small steps, until `settle`. */
  start(): void {
    this.running = this.flow();
  }

  /** Until nothing waits for an answer any more; returns what still does after two hours. */
  async settle(): Promise<string[]> {
    this.isOver = true;
    await this.running;
    let open = await this.open();
    for (let leap = 0; open.length > 0 && leap < LEAPS_MAX; leap++) {
      await this.advance(LEAP_SECONDS);
      open = await this.open();
    }
    return open;
  }

  /** Until what merchants did not take goes back. */
  async lapse(): Promise<void> {
    await this.advance(WEEK_SECONDS);
  }

  private async flow(): Promise<void> {
    for (; !this.isOver; await sleep(TICK_MS)) await this.advance(STEP_SECONDS);
  }

  private async advance(seconds: number): Promise<void> {
    await Promise.all(this.shops.map((shop) => shop.post('/v4/sandbox/clock/advance', { seconds })));
    this.passed += seconds;
  }
}
