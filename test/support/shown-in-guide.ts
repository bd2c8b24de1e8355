import { readdirSync, readFileSync } from 'node:fs';

/** Holds a guide, by its text, to the code that it shows of a team, which lies in `folder`. */
export function expectShown(guide: string, team: string, folder: string): void {
  /** Blocks of code under the names of their files. */
  const blocks = [...guide.matchAll(/^`src\/extensions\/([^`/]+)\/([^`]+)`\n\n```ts\n(.*?)^```$/gms)];
  const shown = blocks.filter(([, of]) => of === team).map(([, , file, code]) => [file!, code!] as const);

  it('shows every file of the example, and no other', () => {
    expect(new Set(shown.map(([file]) => file))).toEqual(new Set(readdirSync(folder)));
  });

  it.each(shown)('shows %s as it is, but for where it lies', (file, code) => {
    expect(code).toBe(readFileSync(`${folder}/${file}`, 'utf8').replaceAll("'../../../src/", "'../../"));
  });
}
