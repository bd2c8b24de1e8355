import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writePage } from '../../bench/page';
import { type Protection, PROTECTIONS } from './protections';

// `npm run test:mutations`: each protection is broken once in a copy of the project, and a test must notice.
// `-- --only=csrf` for those whose name contains a word; `-- --write` puts the table into docs/reliability.md.
const PROJECT = join(__dirname, '../..');
const PAGE = join(PROJECT, 'docs/reliability.md');

/** For all of their tests together, too, before anything is broken. */
const TIMEOUT_MS = 900_000;
/** Of a single test: without its protection, some wait for what never comes. */
const TEST_TIMEOUT_MS = 60_000;

interface Verdict {
  readonly protection: Protection;
  /** Null: no test noticed. */
  readonly noticed: { readonly failed: number; readonly of: number } | null;
}

const word =
  process.argv
    .find((argument) => argument.startsWith('--only='))
    ?.slice('--only='.length)
    .toLowerCase() ?? '';
const chosen = PROTECTIONS.filter(({ what }) => what.toLowerCase().includes(word));
if (chosen.length === 0) throw new Error(`no protection is named so: ${word}`);
const copy = mkdtempSync(join(tmpdir(), 'duka-mutations-'));
process.once('SIGINT', () => process.exit(1));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
copyProject();
const began = Date.now();
const verdicts = breakEach();
const missed = verdicts.filter(({ noticed }) => noticed === null).length;
const rows = verdicts.map(
  ({ protection: { what, file, test }, noticed }) =>
    `| ${what} | \`${file}\` | \`${test}\` | ${noticed ? `${noticed.failed} of ${noticed.of}` : '**none**'} |`,
);
const table = ['| Protection | Broken in | Noticed by | Tests that fail |', '|---|---|---|--:|', ...rows].join('\n');
process.stdout.write(
  `\n${table}\n\n${verdicts.length - missed} of ${verdicts.length} noticed, in ${Math.ceil((Date.now() - began) / 60_000)} min.\n`,
);
if (process.argv.includes('--write') && word === '') writePage(PAGE, 'test:mutations', table);
process.exitCode = missed === 0 ? 0 : 1;

function breakEach(): Verdict[] {
  // What is red before anything is broken notices nothing.
  const { status, output } = runTests([...new Set(chosen.map(({ test }) => test))]);
  if (status !== 0) throw new Error(`these tests are red on the unbroken code:\n${output}`);
  return chosen.map((protection) => {
    const noticed = failuresWithout(protection);
    process.stdout.write(
      `${noticed ? `noticed (${noticed.failed} of ${noticed.of})` : 'MISSED'}  ${protection.what}\n`,
    );
    return { protection, noticed };
  });
}

function failuresWithout({ what, file, from, to, test }: Protection): Verdict['noticed'] {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const { status, output } = runTests([test]);
    if (status === 0) return null;
    const [, failed = 0, of = 0] = (/^Tests: +(\d+) failed,.*?(\d+) total/m.exec(output) ?? []).map(Number);
    // A suite that cannot start proves nothing about the protection.
    if (failed === 0 || (failed === of && of > 1)) {
      process.stderr.write(`${what}: ${test} did not run:\n${output}\n`);
      return null;
    }
    return { failed, of };
  } finally {
    writeFileSync(path, text);
  }
}

function runTests(tests: readonly string[]): { status: number | null; output: string } {
  const command = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--forceExit',
    `--testTimeout=${TEST_TIMEOUT_MS}`,
    '--runTestsByPath',
    ...tests,
  ];
  const { status, stderr } = spawnSync(process.execPath, command, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    timeout: TIMEOUT_MS,
  });
  return { status, output: stderr.slice(-8_000) };
}

/** What git knows of the project, as it is in the work tree, beside the installed packages. */
function copyProject(): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(Boolean);
  for (const folder of new Set(files.map((file) => dirname(file)))) mkdirSync(join(copy, folder), { recursive: true });
  for (const file of files) cpSync(join(PROJECT, file), join(copy, file));
  for (const packages of ['node_modules', 'dashboard/node_modules'])
    symlinkSync(join(PROJECT, packages), join(copy, packages));
}
