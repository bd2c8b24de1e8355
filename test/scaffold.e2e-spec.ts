import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scaffold, type Wanted } from '../src/cli/new';

/** One of each kind: of a team that is named as it is, of a new one, and of one that is there already. */
const WANTED: readonly Pick<Wanted, 'kind' | 'name' | 'team'>[] = [
  { kind: 'provider', name: 'quick-top', team: 'quick-top' },
  { kind: 'gateway', name: 'my-pay', team: 'money-team' },
  { kind: 'issuer', name: 'cardsmith', team: 'money-team' },
  { kind: 'hook', name: 'night-gate', team: 'money-team' },
  { kind: 'filter', name: 'night-fee', team: 'night' },
  { kind: 'module', name: 'vouchers', team: 'promo' },
  { kind: 'provider', name: 'late', team: 'promo' },
];
const PARTS = [
  'src',
  'test',
  'public',
  'bench',
  'package.json',
  'jest.config.js',
  'tsconfig.json',
  'ormconfig.ts',
  '.oxfmtrc.json',
  '.swcrc',
  'docs',
];

const OF_THE_EXAMPLES = /topup|paylink|cardlab|parcel|acme|imaginary|#region|\bExample(Airtime|Issuer|Gate|Fee)/gi;

let root: string;
const made = (wanted: (typeof WANTED)[number], isDryRun = false): { made: string[]; changed: string[] } =>
  scaffold({ ...wanted, root, isDryRun }).json as { made: string[]; changed: string[] };

/** A command in the copy, by the tools of this project. */
function run(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'duka-scaffold-'));
  for (const part of PARTS) cpSync(part, join(root, part), { recursive: true });
  // No test of an extension looks at the dashboard's page.
  mkdirSync(join(root, 'scripts'));
  writeFileSync(join(root, 'scripts/build-dashboard.mjs'), '');
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'), 'dir');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('duka new', () => {
  const specs: string[] = [];

  it('says what it would make, and makes nothing', () => {
    const { made: files } = made(WANTED[0]!, true);
    expect(files).toContain('src/extensions/quick-top/quick-top/quick-top-client.ts');
    expect(files.filter((file) => existsSync(join(root, file)))).toEqual([]);
  });

  it.each(WANTED)('makes a $kind with its test, and changes only the list of teams or the folder', (wanted) => {
    const { made: files, changed } = made(wanted);
    specs.push(...files.filter((file) => file.endsWith('spec.ts')));
    const own = `src/extensions/${wanted.team}/`;
    expect(files.filter((file) => !file.startsWith(own) && !file.startsWith('test/'))).toEqual([]);
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatch(new RegExp(`^(src/extensions/extensions.module.ts|${own}.+[.]module[.]ts)$`));
    const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    expect(text.match(OF_THE_EXAMPLES)).toBeNull();
  });

  it('overwrites nothing', () => {
    expect(() => made(WANTED[0]!)).toThrow(/Nothing is overwritten, and there is already .*quick-top-client\.ts/);
    expect(() => made({ kind: 'module', name: 'wallets', team: 'promo' })).toThrow('a module called wallets already');
  });

  it('makes what compiles', () => {
    expect(run('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.')).toEqual({ status: 0, output: '' });
  }, 300_000);

  it('makes what is green at once', () => {
    const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '-w', '1'];
    const { status, output } = run(...jest, ...specs);
    expect([status, output.match(/^(?:PASS|FAIL) .*? (\S+spec\.ts)/gm)?.length, status === 0 ? '' : output]).toEqual([
      0,
      specs.length,
      '',
    ]);
  }, 300_000);
});
