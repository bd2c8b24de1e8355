import { ConsecutiveBreaker } from 'cockatiel';

const FAILURES_IN_A_ROW = 5;
const OFF_MS = 30_000;

/**
 * Switches a filter off that fails again and again, and tries it once more after a while. Cockatiel's counter without its
 * policy: that one answers with a promise, which a synchronous filter must not cost.
 */
export class FilterBreaker {
  private readonly breaker = new ConsecutiveBreaker(FAILURES_IN_A_ROW);
  private offUntil = 0;

  get isOff(): boolean {
    return this.offUntil > 0 && performance.now() < this.offUntil;
  }

  success(): void {
    this.offUntil = 0;
    this.breaker.success();
  }

  /** True when this failure switched it off. */
  failure(): boolean {
    if (!this.breaker.failure()) return false;
    this.offUntil = performance.now() + OFF_MS;
    return true;
  }
}
