/** Work that nobody waits for, until the process stops. */
export class WorkUnderWay {
  private readonly all = new Set<Promise<unknown>>();

  /** `work` must not reject. */
  add<T>(work: Promise<T>): Promise<T> {
    this.all.add(work);
    return work.finally(() => this.all.delete(work));
  }

  /** When all has ended, and what was begun meanwhile. */
  async end(): Promise<void> {
    while (this.all.size > 0) await Promise.all(this.all);
  }
}

/** Does something with each of many, so many at a time. */
export async function forEach<T>(all: readonly T[], atATime: number, work: (one: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += atATime) await Promise.all(all.slice(from, from + atATime).map(work));
}
