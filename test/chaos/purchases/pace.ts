/** Of the orders, those that come when all kills are done. */
const LAST_SHARE = 0.2;
const SLOWER = 10;

/** How fast orders come in: evenly; the last ones, slowly, wait for the kills, which need a service at work. */
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
    const first = this.orders * (1 - LAST_SHARE);
    return this.areKillsOver || inTime < first ? inTime : first + (inTime - first) / SLOWER;
  }
}
