import { readFileSync, writeFileSync } from 'node:fs';

/** Puts a result of `npm run <command> -- --write` in the place of the last one. Throws when the page has no such place. */
export function writePage(page: string, command: string, result: string): void {
  const { before, after, begin, end } = placeOf(page, command);
  writeFileSync(page, `${before}${begin}\n\n${result}\n\n${end}${after}`);
}

/** The last result, which is there now. */
export const readPage = (page: string, command: string): string => placeOf(page, command).result.trim();

function placeOf(page: string, command: string) {
  const [begin, end] = ['begin', 'end'].map((which) => `<!-- npm run ${command} -- --write: ${which} -->`) as [
    string,
    string,
  ];
  const [before, rest] = readFileSync(page, 'utf8').split(begin);
  const [result, after] = rest?.split(end) ?? [];
  if (result === undefined || after === undefined) throw new Error(`${page} has no lines ${begin} and ${end}`);
  return { before, result, after, begin, end };
}
