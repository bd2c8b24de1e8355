/**
 * Work that nobody waits for, until the process stops. It is counted, not kept: a set would hand what it held to the
 * old heap each time that it makes room.
 */
export class WorkUnderWay {
  private running = 0;
  private allEnded: (() => void)[] = [];

  get size(): number {
    return this.running;
  }

  /** `work` must not reject. */
  add<T>(work: Promise<T>): Promise<T> {
    this.running++;
    return work.finally(() => {
      this.running--;
      if (this.running === 0) this.allEnded.splice(0).forEach((resolve) => resolve());
    });
  }

  /** When all has ended, and what was begun meanwhile. */
  async end(): Promise<void> {
    while (this.running > 0) await new Promise<void>((resolve) => this.allEnded.push(resolve));
  }
}
