import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(__dirname, '..');
/** What a release changes, or needs to. */
const PARTS = (
  '.changeset .gitignore CHANGELOG.md LICENSE package.json package-lock.json scripts/release.mjs ' +
  'deploy/helm/duka/Chart.yaml clients/typescript clients/operations.mjs clients/emit.mjs docs/api/openapi.json docs/errors.md ' +
  'clients/go/go.mod docs/sdk-go.md deploy/prometheus/alerts.yml'
).split(' ');

describe('npm run release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duka-release-'));
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const release = (...args: string[]): string =>
    execFileSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  beforeAll(() => {
    for (const part of PARTS) {
      mkdirSync(dirname(join(folder, part)), { recursive: true });
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    git('init', '--quiet', '--initial-branch=main');
    for (const [name, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.com'],
      ['commit.gpgsign', 'false'],
    ])
      git('config', name!, value!);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'all');
    git('tag', 'v0.1.0');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('makes none of nothing', () => {
    expect(() => release('--dry-run')).toThrow(/Nothing to release/);
  });

  it('makes none of what is not committed', () => {
    writeFileSync(
      join(folder, '.changeset/wallets-tell.md'),
      `---\n'duka': minor\n---\n\nWallets tell their colour.\n`,
    );
    expect(() => release('--dry-run')).toThrow(/not committed/);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'colour');
  });

  it('says what it would be', () => {
    expect(release('--dry-run')).toBe('0.2.0:\n- Wallets tell their colour.\n');
    expect(git('tag')).toBe('v0.1.0');
  });

  it('writes the changelog and every manifest, and what is published', () => {
    const told = release('--unsigned', '--module=go.acme.dev/duka');
    expect(told).toContain('deploy/prometheus/alerts.yml has the placeholder https://duka.example.com: --docs-url=…\n');
    expect(told).not.toContain('go.mod');
    expect(read('clients/go/go.mod')).toMatch(/^module go\.acme\.dev\/duka\n/);
    expect(read('docs/sdk-go.md')).toContain('go mod edit -require go.acme.dev/duka@');
    expect(read('docs/sdk-go.md') + read('clients/go/go.mod')).not.toContain('duka.example');
    expect(git('describe')).toBe('v0.2.0');
    expect(git('status', '--porcelain')).toBe('');
    expect(read('CHANGELOG.md')).toMatch(/^## \[0\.2\.0\] - \d{4}-\d\d-\d\d$/m);
    expect(read('clients/typescript/src/generated/resources.gen.ts')).toContain(`VERSION = '0.2.0'`);
    expect(read('CHANGELOG.md')).toContain('\n- Wallets tell their colour.\n');
    expect(readdirSync(join(folder, '.changeset')).filter((name) => name.endsWith('.md'))).toEqual([]);
    for (const file of [
      'package.json',
      'package-lock.json',
      'clients/typescript/package.json',
      'deploy/helm/duka/Chart.yaml',
    ])
      expect(read(file)).toMatch(/version"?: "?0\.2\.0/);
    const made = readdirSync(join(folder, 'release')).sort();
    expect(made).toEqual(['SHA256SUMS', 'duka-0.2.0.cdx.json', 'duka-client-0.2.0.tgz']);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(folder, 'release'), stdio: 'pipe' });
    const { components } = JSON.parse(read('release/duka-0.2.0.cdx.json')) as { components: { name: string }[] };
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'typeorm']));
    expect(names).not.toContain('jest');
  });
});
