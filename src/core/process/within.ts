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
