import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROTECTIONS } from './protections';

const ROOT = join(__dirname, '../..');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the protections that test:mutations breaks', () => {
  it.each(PROTECTIONS)('stands in the code as the list has it: $what', ({ file, from, to, test }) => {
    expect({ file, times: textOf(file).split(from).length - 1 }).toEqual({ file, times: 1 });
    expect(to).not.toBe(from);
    expect({ test, exists: existsSync(join(ROOT, test)) }).toEqual({ test, exists: true });
  });

  it('are all in the table of docs/reliability.md, each noticed', () => {
    const table = textOf('docs/reliability.md').split('test:mutations -- --write: ')[1]!;
    const shown = table
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| Protection'))
      .map((line) => line.slice(2).split(' | ')[0]!.trim());
    expect(shown).toEqual(PROTECTIONS.map(({ what }) => what));
    expect(table).not.toContain('**none**');
  });
});
