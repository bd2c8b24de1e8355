// The first import of every entry point: on a Node that is too old, the imports after it would fail in words that help
// nobody.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './project';

const { engines } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { engines: { node: string } };

if (!suits(process.versions.node, engines.node)) {
  process.stderr.write(
    `\nDuka needs Node ${engines.node}; this is ${process.versions.node} (${process.execPath}).\n\n`,
  );
  process.exit(1);
}

/** Of what a range may be, `^22.19.0 || >=24.11.0` and its like. */
function suits(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return range.split('||').some((part) => {
    const [, sign, oldest, least] = /^\s*(\^|>=)(\d+)\.(\d+)/.exec(part) ?? [];
    return major === Number(oldest) ? minor >= Number(least) : sign === '>=' && major > Number(oldest);
  });
}
