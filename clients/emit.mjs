// What every generator does with what it made.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const shown = (path) => relative(ROOT, path).replaceAll('\\', '/');

/**
 * Writes `files`, text by name, into `folder`; with --check only says which of them are stale. Where all of the folder is
 * made (`isWhole`), nothing else stays in it.
 */
export function emit(folder, files, { isWhole = false } = {}) {
  const there = existsSync(folder) ? readdirSync(folder) : [];
  const others = isWhole ? there.filter((name) => !(name in files)) : [];
  const isFresh = (name) => there.includes(name) && readFileSync(join(folder, name), 'utf8') === files[name];
  const stale = [...Object.keys(files).filter((name) => !isFresh(name)), ...others];
  if (process.argv.includes('--check')) {
    if (stale.length === 0) return;
    console.error(`Stale in ${shown(folder)}: ${stale.join(', ')}. Run: node ${shown(process.argv[1])}`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of others) rmSync(join(folder, name));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
