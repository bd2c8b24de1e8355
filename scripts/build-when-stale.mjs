// Run before `npm start`: compiles when a source is newer than the last build, so that other starts take no time.
// With --pages the dashboard and the documentation are built beside it, at the same time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { newest } from './newest.mjs';

const STAMP = 'dist/.built';
const INPUTS = ['src', 'ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];

async function run(...args) {
  const [status] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return status;
}

async function buildService() {
  const builtAt = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.max(...INPUTS.map(newest)) <= builtAt) return;
  console.error('Building…');
  const startedAt = new Date();
  if ((await run(createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js'), 'build')) !== 0) process.exit(1);
  mkdirSync('dist', { recursive: true });
  writeFileSync(STAMP, '');
  // What was edited during the build is newer than the build.
  utimesSync(STAMP, startedAt, startedAt);
}

process.chdir(join(import.meta.dirname, '..'));
const pages = process.argv.includes('--pages') ? ['dashboard', 'docs'] : [];
await Promise.all([buildService(), ...pages.map((name) => run(`scripts/build-${name}.mjs`, '--when-stale'))]);
