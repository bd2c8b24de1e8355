import type { DemoOptions } from './demo';
import { type Deed, type DemoShop, QUICK, SLOW, SURE, waiting } from './demo-sales';
import type { MovedTime } from './moved-time';

const AT_ONCE = 96;
/** The time stands still while deeds of several requests are done: one after the other, they would take too long. */
const SLOW_AT_ONCE = 24;
const STEP_ROWS = 250;
/** Of all transactions. */
const SLOW_ROWS = 0.08;
/** Purchases that wait for money. */
const WAITING = 6;
const HOUR_MS = 3_600_000;

/** A month in steps: within each the time goes on from deed to deed. */
export class DemoMonth {
  private made = 0;

  constructor(
    private readonly shop: DemoShop,
    private readonly time: MovedTime,
    private readonly options: DemoOptions,
  ) {}

  async live(): Promise<void> {
    const { transactions, says } = this.options;
    const steps = Math.max(1, Math.round(transactions / STEP_ROWS));
    const startsAt = this.time.now;
    // The rest of the run, in which what is doubtful is done, is later than all of this.
    const lengthMs = realNow() - startsAt - HOUR_MS;
    let told = 0;
    for (const does of SURE) await does(this.shop);
    for (let step = 0; step < steps; step++) {
      const [from, to] = [startsAt + (lengthMs * step) / steps, startsAt + (lengthMs * (step + 1)) / steps];
      const wanted = (transactions * (step + 1)) / steps - this.made;
      await this.run(SLOW, wanted * SLOW_ROWS, SLOW_AT_ONCE, [from, from]);
      await this.run(QUICK, wanted * (1 - SLOW_ROWS), AT_ONCE, [from, to]);
      const percent = Math.floor(((step + 1) / steps) * 10) * 10;
      if (percent > told) says(`${percent} %: ${this.made.toLocaleString('en')} transactions`);
      told = Math.max(told, percent);
    }
    for (let i = 0; i < WAITING; i++) await waiting(this.shop, new Date(realNow() + 24 * HOUR_MS), i % 2 === 0);
  }

  private async run(
    deeds: readonly Deed[],
    rows: number,
    atOnce: number,
    [from, to]: readonly [number, number],
  ): Promise<void> {
    const chosen: Deed[] = [];
    for (let sum = 0; sum < rows;) {
      const deed = this.shop.draw.shared(deeds);
      chosen.push(deed);
      sum += deed.rows;
    }
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let deed = chosen[next++]; deed; deed = chosen[next++]) {
        this.time.advanceTo(from + ((to - from) * next) / chosen.length);
        await deed.does(this.shop);
        this.made += deed.rows;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }
}

/** Whatever time of day the process believes in. */
const realNow = (): number => performance.timeOrigin + performance.now();
