// Builds the dashboard's page into dashboard/dist, and installs what that needs first. With --when-stale only if a source
// is newer than the last build. The API runs without the page, so whoever starts it goes on when this fails.
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newest } from './newest.mjs';

const INPUTS = ['src', 'public', 'index.html', 'vite.config.ts', 'package-lock.json', 'scripts', '../src/vocabulary'];
const STAMP = 'dist/.built';
/** npm's own note of what it installed. */
const INSTALLED = 'node_modules/.package-lock.json';

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function run(command, args) {
  // Whatever the caller runs as, tests included: the page is built without React's development code.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env });
  if (status === 0) return;
  console.error(
    `The dashboard could not be built (${error?.message ?? `${args[0]} ended with ${status}`}); /dashboard says so, everything else works.`,
  );
  process.exit(1);
}

/** npm as npm itself was run, so that no other one on the path is taken. */
function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) run(process.execPath, [cli, ...args]);
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}

process.chdir(join(import.meta.dirname, '..', 'dashboard'));
if (!process.argv.includes('--when-stale') || Math.max(...INPUTS.map(newest)) > timeOf(STAMP)) {
  if (timeOf('package-lock.json') > timeOf(INSTALLED)) {
    console.error('Installing what the dashboard is built with…');
    // The checks of the dashboard need more; they are for those who change it (npm ci in dashboard).
    npm('ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error');
  }
  console.error('Building the dashboard…');
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error']);
  run(process.execPath, ['scripts/first-load.mjs', '--quiet']);
  run(process.execPath, ['scripts/compress.mjs']);
  writeFileSync(STAMP, '');
}
