/**
 * Asks somebody outside, and waits no longer than `timeoutMs`, also for one that does not heed its signal. Throws what the
 * asked throws, or a `TimeoutError`. What comes after the time-out is lost: whoever needs it asks again.
 */
export async function within<T>(timeoutMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  signal.addEventListener('abort', stop);
  // One that throws at once must not leave the listener behind.
  const answered = (async () => ask(signal))();
  answered.catch(() => undefined);
  try {
    return await Promise.race([answered, timedOut]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits for work of our own to end, but not longer. A timer that is cleared costs a tenth of a signal that is aborted. */
export async function waitUpTo(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
