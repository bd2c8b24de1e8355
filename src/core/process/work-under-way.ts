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

/**
 * Waits for work of our own to end, but not longer. A timer that is cleared costs a tenth of a signal that is aborted.
 */
export async function waitUpTo(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Asks somebody outside, and waits no longer than `timeoutMs`, also for one that does not heed its signal. Throws what
 * the asked throws, or a `TimeoutError`. What comes after the time-out is lost: whoever needs it asks again.
 */
export async function within<T>(timeoutMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not `AbortSignal.timeout`: its timer runs on after the answer, and until then both outlive every collection.
  const limit = new AbortController();
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const reason = new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError');
    limit.abort(reason);
    reject(reason);
  }, timeoutMs);
  try {
    const answered = ask(limit.signal);
    answered.catch(() => undefined);
    return await Promise.race([answered, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Goes on with a value, at once when it is there already: on the path of every request a promise costs more than most
 * of what it waits for.
 */
export const whenThere = <T, R>(value: T | Promise<T>, goOn: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(goOn) : goOn(value);

/** Does something with each of many, so many at a time: the next is begun when one has ended. */
export async function forEach<T>(
  all: readonly T[],
  atATime: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const rest = all.values();
  const goOn = async (): Promise<void> => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(atATime, all.length) }, goOn));
}

/**
 * Work of the same key, one after the other in this process. Only a courtesy that spares retries: between processes
 * the database decides.
 */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = mine.catch(() => undefined);
    this.last.set(key, ended);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === ended) this.last.delete(key);
    }
  }
}
