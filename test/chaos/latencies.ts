/** How long something took, in milliseconds. */
export class Latencies {
  private all: number[] = [];

  add(ms: number): void {
    this.all.push(ms);
  }

  /** Of those since the last question: 99 of 100 took no longer. Infinity: there were none. */
  takeP99(): number {
    const sorted = this.all.toSorted((a, b) => a - b);
    this.all = [];
    return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Infinity;
  }
}
