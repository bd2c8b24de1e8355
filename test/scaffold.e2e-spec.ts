import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followUp, scaffold, type Wanted } from '../src/cli/new';
import { commandsOf } from './support/guide-commands';

/** What the guides have their readers make, and what else there is: hyphens, and teams that are there already. */
const WANTED: readonly Pick<Wanted, 'kind' | 'name' | 'team'>[] = [
  { kind: 'provider', name: 'quick-top', team: 'quick-top' },
  { kind: 'gateway', name: 'my-pay', team: 'money-team' },
  { kind: 'hook', name: 'day-gate', team: 'money-team' },
  ...globSync('docs/guides/*.md')
    .sort()
    .flatMap((guide) => commandsOf(readFileSync(guide, 'utf8'))),
  { kind: 'provider', name: 'late', team: 'growth' },
];
const FOLDERS = ['src', 'test', 'public', 'bench', 'docs', 'scripts', 'clients', 'dashboard/src/api'];
const isSetting = (file: string): boolean => /^(\.env\.example|\.gitignore|.*\.(json|js|cjs|ts)|\.swcrc)$/.test(file);

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
  const parts = [...FOLDERS, ...readdirSync('.').filter(isSetting)];
  // What a build leaves in a client may vanish meanwhile, as another test builds it.
  const filter = (path: string) => !/\/(?:dist|node_modules)$/.test(path);
  for (const part of parts) cpSync(part, join(root, part), { recursive: true, filter });
  // No test of an extension looks at pages.
  for (const pages of ['dashboard', 'docs'])
    writeFileSync(join(root, `scripts/build-${pages}.mjs`), 'process.exitCode = 0;\n');
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'), 'dir');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('duka new', () => {
  const specs: string[] = [];

  it('says what it would make, and makes nothing', () => {
    const { made: files } = made(WANTED[0]!, true);
    expect(files).toContain('src/extensions/quick-top/quick-top-airtime.ts');
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
    expect(() => made(WANTED[0]!)).toThrow(/Nothing is overwritten, and there is already .*quick-top-airtime\.ts/);
    expect(() => made({ kind: 'module', name: 'wallets', team: 'growth' })).toThrow('a module called wallets already');
  });

  it('has the pages, .env.example and the OpenAPI document say what is there now', () => {
    followUp(root);
    expect(run('scripts/quote-sources.mjs', '--check')).toEqual({ status: 0, output: '' });
    expect(run('dist/src/cli/openapi.js', '--check')).toEqual({ status: 0, output: '' });
    expect(readFileSync(join(root, '.env.example'), 'utf8')).toMatch(/^FASTEL_KEY=$/m);
    expect(readFileSync(join(root, 'docs/api/openapi.json'), 'utf8')).toContain('"/v4/vouchers/{id}"');
  });

  it('leaves what the linter, the compiler and the rules of the architecture find in order', () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'lint'], { cwd: root, encoding: 'utf8' });
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });

  it('makes what is green at once, and leaves green what looks at all settings', () => {
    specs.push('test/settings-list.spec.ts');
    const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '-w', '1'];
    const { status, output } = run(...jest, ...specs);
    expect([status, output.match(/^(?:PASS|FAIL) .*? (\S+spec\.ts)/gm)?.length, status === 0 ? '' : output]).toEqual([
      0,
      specs.length,
      '',
    ]);
  });
});
