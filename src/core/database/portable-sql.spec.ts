import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../..');
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('migrations'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

/** What an engine that spreads tables over servers does not take. The statements of migrations are its operator's. */
const REFUSED: readonly [what: string, pattern: RegExp][] = [
  ['EXISTS of no column', /EXISTS ?\(\s*SELECT FROM/],
  ['a clock in DO UPDATE', /DO UPDATE\s+SET(?:(?!\bUPDATE\b)[^`;])*?\bnow\(\)/],
];

it.each(REFUSED)('no statement has %s', (_, pattern) => {
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
});
