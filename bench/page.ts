import { readFileSync, writeFileSync } from 'node:fs';

/** Puts a result of `npm run <command> -- --write` in the place of the last one. Throws when the page has no such place. */
export function writePage(page: string, command: string, result: string): void {
  const [begin, end] = ['begin', 'end'].map((which) => `<!-- npm run ${command} -- --write: ${which} -->`) as [
    string,
    string,
  ];
  const [before, rest] = readFileSync(page, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${page} has no lines ${begin} and ${end}`);
  writeFileSync(page, `${before}${begin}\n\n${result}\n\n${end}${after}`);
}
