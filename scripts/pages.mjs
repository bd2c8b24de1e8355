// What builds of pages share: each is a package of its own in a folder, with what it is built with installed there.
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newest } from './newest.mjs';

const STAMP = 'dist/.built';
/** npm's own note of what it installed. */
const INSTALLED = 'node_modules/.package-lock.json';

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Builds the pages of `folder` by `commands` of Node, and installs first what that needs. With --when-stale only if one of
 * `inputs` is newer than the last build. The API runs without pages, so whoever starts it goes on when this fails.
 */
export function buildPages({ name, folder, address, inputs, commands }) {
  process.chdir(join(import.meta.dirname, '..', folder));
  if (process.argv.includes('--when-stale') && Math.max(...inputs.map(newest)) <= timeOf(STAMP)) return;
  const orSay = (args) => run(args, `${name} could not be built`, address);
  if (timeOf('package-lock.json') > timeOf(INSTALLED)) {
    console.error(`Installing what ${name.toLowerCase()} is built with…`);
    // Checks need more; they are for those who change it (npm ci in its folder).
    orSay(npm('ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'));
  }
  console.error(`Building ${name.toLowerCase()}…`);
  for (const command of commands) orSay([process.execPath, ...command]);
  writeFileSync(STAMP, '');
}

function run([command, ...args], failure, address) {
  // Whatever the caller runs as, tests included: pages are built without the development code of libraries.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env });
  if (status === 0) return;
  console.error(
    `${failure} (${error?.message ?? `${args[0]} ended with ${status}`}); ${address} says so, everything else works.`,
  );
  process.exit(1);
}

/** npm as npm itself was run, so that no other one on the path is taken. */
function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return [process.execPath, cli, ...args];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', ...args];
}
