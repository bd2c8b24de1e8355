import { setTimeout as delay } from 'node:timers/promises';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import type { Env } from '../config/env';
import { Readiness } from './readiness';

/**
 * Ends the process on SIGTERM or SIGINT: not ready at once, then requests in flight, batches and jobs finish, then
 * `release` (for what the app itself lives on). Whatever is left when the grace is over is cut, and the exit code is 1.
 */
export function stopOnSignals(
  app: INestApplicationContext,
  { SHUTDOWN_GRACE_SECONDS }: Env,
  release: () => Promise<unknown> = async () => undefined,
): void {
  let isStopping = false;
  const stop = async (signal: string): Promise<void> => {
    // A terminal and npm both send the signal: the second one must not cut the first one's work.
    if (isStopping) return;
    isStopping = true;
    const log = new Logger('shutdown');
    log.log(`${signal}: finishing what is under way`);
    app.get(Readiness, { strict: false }).stop();
    const isDone = await Promise.race([succeeds(() => app.close(), log), delay(SHUTDOWN_GRACE_SECONDS * 1000, false)]);
    const isReleased = await succeeds(release, log);
    process.exit(isDone && isReleased ? 0 : 1);
  };
  const onSignal = (signal: string) => void stop(signal);
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

async function succeeds(work: () => Promise<unknown>, log: Logger): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log.error(error);
    return false;
  }
}
