import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figures, JOURNEYS } from './figures';
import { Structure } from './structure';

const KEPT = join(__dirname, 'kept.json');
const journey = process.argv.find((argument) => argument.startsWith('--files='))?.slice('--files='.length);

if (journey === undefined) print();
else
  process.stdout.write(`${new Structure().reach(JOURNEYS[journey as keyof typeof JOURNEYS] ?? journey).join('\n')}\n`);

function print(): void {
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, number>;
  const now = figures();
  const width = Math.max(...Object.keys(now).map(({ length }) => length));
  for (const [name, figure] of Object.entries(now)) {
    process.stdout.write(`${name.padEnd(width)}  ${String(figure).padStart(6)}  (kept: ${kept[name] ?? '-'})\n`);
  }
  if (process.argv.includes('--write')) writeFileSync(KEPT, `${JSON.stringify(now, null, 2)}\n`);
}
