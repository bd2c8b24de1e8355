// What a browser must fetch before the first page works, gzipped as a server would: the scripts that the page names.
// Fails above the budget, and where the first page is no part of them: it would load after another round trip.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 180_000;
const FIRST_PAGES = ['src/main.tsx', 'src/shell/mode-layout.tsx', 'src/pages/home/home-page.tsx'];

const quiet = process.argv.includes('--quiet');
const dist = join(import.meta.dirname, '..', 'dist');
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const files = [...page.matchAll(/(?:src|modulepreload"[^>]*href)="\/dashboard\/([\w./-]+\.js)"/g)].map(
  ([, file]) => file,
);
let total = 0;
for (const file of files) {
  const bytes = gzipSync(readFileSync(join(dist, file)), { level: 6 }).length;
  total += bytes;
  if (!quiet) console.log(`${String(bytes).padStart(8)}  ${file}`);
}
if (!quiet) console.log(`${String(total).padStart(8)}  first JavaScript, gzip bytes (at most ${BUDGET_BYTES})`);
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const late = FIRST_PAGES.filter((key) => manifest[key] && !files.includes(manifest[key].file));
if (late.length > 0 || total > BUDGET_BYTES) {
  for (const key of late) console.error(`${key} has a chunk of its own, which the page does not name.`);
  if (total > BUDGET_BYTES)
    console.error(`The first JavaScript is ${total} bytes, over its budget of ${BUDGET_BYTES}.`);
  process.exit(1);
}
