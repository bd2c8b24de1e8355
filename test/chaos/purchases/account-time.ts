import { setTimeout as sleep } from 'node:timers/promises';
import { timeOf } from '../../../src/core/http/ids';
import type { Fleet } from './fleet';
import type { Operator } from './operator';

const TICK_MS = 500;
const STEP_SECONDS = 20;
const LEAP_SECONDS = 120;
const LEAPS_MAX = 300;
/** An attempt that has not reached the operator after this time was made by a process that is dead. */
const ON_ITS_WAY_MS = 5_000;

const UNANSWERED = `SELECT id FROM purchase_attempts WHERE ended_at IS NULL`;
const RUNNING = `SELECT count(*)::int AS running FROM purchases p JOIN transactions t USING (account_id, livemode, id) WHERE t.status IN ('pending', 'processing')`;

/**
 * Moves the account's clock, so that requeries of hours take seconds. What takes milliseconds would then take minutes of
 * that clock, as it never does: while an attempt is on its way to the operator, the clock stands still.
 */
export class AccountTime {
  /** Seconds that it was moved. */
  passed = 0;
  private holders = 0;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly fleet: Fleet,
    private readonly operator: Operator,
  ) {}

  /** Moves it by small steps until `finish`. */
  start(): void {
    this.running = this.flow();
  }

  /** While `work` is done, time passes as everywhere: what is due soon is left to the workers. */
  async standStill<T>(work: () => Promise<T>): Promise<T> {
    this.holders++;
    try {
      return await work();
    } finally {
      this.holders--;
    }
  }

  /** Moves it until every purchase is final, or for a day; returns how many are not. */
  async finish(): Promise<number> {
    this.isOver = true;
    await this.running;
    let open = await this.open();
    for (let leap = 0; open > 0 && leap < LEAPS_MAX; leap++) {
      await this.advance(LEAP_SECONDS);
      open = await this.open();
    }
    return open;
  }

  private async flow(): Promise<void> {
    for (; !this.isOver; await sleep(TICK_MS)) if (this.holders === 0) await this.advance(STEP_SECONDS);
  }

  private async advance(seconds: number): Promise<void> {
    while (await this.isSomethingOnItsWay()) await sleep(TICK_MS);
    const api = this.fleet.apis[Math.floor(Math.random() * this.fleet.apis.length)]!;
    // A process that dies meanwhile has moved the clock or not: either will do.
    const response = await this.fleet
      .request(api, '/v4/sandbox/clock/advance', { body: { seconds } })
      .catch(() => null);
    if (response?.ok) this.passed += seconds;
    else await sleep(TICK_MS);
  }

  private async isSomethingOnItsWay(): Promise<boolean> {
    const { rows } = await this.fleet.db.query<{ id: string }>(UNANSWERED);
    return rows.some(
      ({ id }) => !this.operator.book.entries.has(id) && Date.now() - timeOf(id).getTime() < ON_ITS_WAY_MS,
    );
  }

  private async open(): Promise<number> {
    const { rows } = await this.fleet.db.query<{ running: number }>(RUNNING);
    return rows[0]!.running;
  }
}
