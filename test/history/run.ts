import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { Checker, Malformed, type Verdict } from './checker';
import { REASONS } from './contradiction';

const USAGE = 'npm run history -- check <file>: is the history in this file one that a right service can have shown?';

/** Hands over each line, and which is the last. */
async function readLines(path: string, take: (line: string, isLast: boolean) => void): Promise<void> {
  let before: string | null = null;
  const file = createReadStream(path);
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (before !== null) take(before, false);
    before = line;
  }
  if (before !== null) take(before, true);
}

export async function check(path: string): Promise<Verdict> {
  const checker = new Checker();
  await readLines(path, (line, isLast) => checker.take(line, isLast));
  return checker.finish();
}

async function print(path: string, { contradiction, contradictions, counts }: Verdict): Promise<void> {
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  if (contradiction === null) return console.log('Right: everything in it can be explained.');
  const { reason, what, lines } = contradiction;
  console.log(`\nWRONG: ${reason}. ${REASONS[reason]}\n${what}\n`);
  const wanted = new Set(lines);
  let number = 0;
  let from: number | null = null;
  await readLines(path, (line) => {
    if (!wanted.has(++number)) return;
    const { at } = JSON.parse(line) as { at: number };
    from ??= at;
    console.log(`line ${number}, after ${((at - from) / 1_000).toFixed(3)} ms: ${line.slice(0, 600)}`);
  });
  if (contradictions > 1) console.log(`\n${contradictions - 1} more contradictions, which may follow from this one.`);
}

async function main([command, path]: readonly string[]): Promise<number> {
  if (command !== 'check' || path === undefined) {
    console.error(USAGE);
    return 2;
  }
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    console.error(`There is no file ${path}.`);
    return 2;
  }
  try {
    const verdict = await check(path);
    await print(path, verdict);
    return verdict.contradiction === null ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    console.error(`${path}: ${error.message}.`);
    return 2;
  }
}

if (require.main === module) void main(process.argv.slice(2)).then((code) => (process.exitCode = code));
