// Run before `npm start`: compiles when a source is newer than the last build, so that other starts take no time.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const STAMP = 'dist/.built';
const INPUTS = ['src', 'ormconfig.ts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];

/** A folder counts too: its time changes when a file in it is removed. */
function newest(path) {
  const stats = statSync(path);
  const inside = stats.isDirectory() ? readdirSync(path).map((name) => newest(join(path, name))) : [];
  return Math.max(stats.mtimeMs, ...inside);
}

process.chdir(join(import.meta.dirname, '..'));
const builtAt = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (Math.max(...INPUTS.map(newest)) > builtAt) {
  console.error('Building…');
  const startedAt = new Date();
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  mkdirSync('dist', { recursive: true });
  writeFileSync(STAMP, '');
  // What was edited during the build is newer than the build.
  utimesSync(STAMP, startedAt, startedAt);
}
