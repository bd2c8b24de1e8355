/** Of the orders, those that come when all kills are done. */
const LAST_SHARE = 0.2;
const SLOWER = 20;

/** How fast orders come in: evenly; the last ones ever more slowly, until all kills are done, which need a service at work. */
export class Pace {
  areKillsOver = false;
  private readonly begunAt = performance.now();

  /** `durationMs`: how long all orders take. */
  constructor(
    private readonly orders: number,
    private readonly durationMs: number,
  ) {}

  /** How many may have begun by now. */
  get allowance(): number {
    const inTime = (this.orders * (performance.now() - this.begunAt)) / this.durationMs;
    const last = this.orders * LAST_SHARE;
    const late = inTime - (this.orders - last);
    return this.areKillsOver || late < 0 ? inTime : this.orders - last * Math.exp(-late / (last * SLOWER));
  }
}
