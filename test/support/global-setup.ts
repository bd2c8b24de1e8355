import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hasBrowser } from './browser';
import { startServers, stopAbandonedServers, stopServers } from './servers';

export default async function globalSetup(): Promise<void> {
  await stopAbandonedServers();
  if (hasBrowser) buildDashboard();
  // jest calls no teardown when its set-up fails or when it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stopServers().finally(() => process.exit(1)));
  }
  await startServers().catch(async (error: unknown) => {
    await stopServers();
    throw error;
  });
}

/** The page as it is in the sources now. Once, before there are workers: two who build it at a time would spoil it. */
function buildDashboard(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build-dashboard.mjs', '--when-stale'], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
}
