// What a browser must fetch before the first page works, gzipped as a server would. Fails above the budget.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 180_000;
const FIRST_PAGES = ['src/main.tsx', 'src/shell/mode-layout.tsx', 'src/pages/home/home-page.tsx'];

const quiet = process.argv.includes('--quiet');
const dist = join(import.meta.dirname, '..', 'dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

/** The chunk of an entry and those that it imports statically; lazy chunks come later and do not count. */
function chunksOf(key, seen = new Set()) {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const next of chunk.imports ?? []) chunksOf(next, seen);
  return seen;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const files = new Set([entry, ...FIRST_PAGES].flatMap((key) => [...chunksOf(key)]));
let total = 0;
for (const file of [...files, 'color-scheme.js']) {
  const bytes = gzipSync(readFileSync(join(dist, file)), { level: 6 }).length;
  total += bytes;
  if (!quiet) console.log(`${String(bytes).padStart(8)}  ${file}`);
}
if (!quiet) console.log(`${String(total).padStart(8)}  first JavaScript, gzip bytes (at most ${BUDGET_BYTES})`);
if (total > BUDGET_BYTES) {
  console.error(`The first JavaScript is ${total} bytes, over its budget of ${BUDGET_BYTES}.`);
  process.exit(1);
}
