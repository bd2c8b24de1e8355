import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hasBrowser } from './browser';
import { startServers, stopAbandonedServers, stopServers } from './servers';

export default async function globalSetup(): Promise<void> {
  await stopAbandonedServers();
  if (hasBrowser) buildPages('dashboard');
  // Their examples are what is being recorded.
  if (!process.env.RECORD_EXAMPLES) buildPages('docs');
  // jest calls no teardown when its set-up fails or when it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stopServers().finally(() => process.exit(1)));
  }
  await startServers().catch(async (error: unknown) => {
    await stopServers();
    throw error;
  });
  if (process.env.CELLS === '3') await startThirdCell();
}

/** It ends with this process. */
async function startThirdCell(): Promise<void> {
  const cell = fork(join(__dirname, 'third-cell.ts'), { execArgv: ['-r', './bench/typescript.cjs'] });
  cell.unref();
  const [url] = (await once(cell, 'message')) as [string];
  cell.channel!.unref();
  process.env.DUKA_TEST_THIRD_CELL = url;
}

/** Pages as they are in the sources now. Once, before there are workers: two who build them at a time would spoil them. */
function buildPages(name: 'dashboard' | 'docs'): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/build-${name}.mjs`, '--when-stale'], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
}
