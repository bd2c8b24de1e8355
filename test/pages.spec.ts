import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

const SOURCES = globSync([
  '{src,test,scripts,bench,dashboard/src}/**/*.{ts,cjs,mjs,json}',
  'docs-site/*.mjs',
  '*.{ts,js,cjs,json}',
  '.*.cjs',
]).map((file) => file.replaceAll('\\', '/'));

it('shows files and declarations as they are', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/quote-sources.mjs', '--check'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', ...globSync('docs/*.md')])(
  '%s names files that exist',
  (page) => {
    const named = [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.(?:ts|cjs|mjs))`/g)].map(([, file]) => file!);
    const isThere = (file: string) => SOURCES.some((one) => one === file || one.endsWith(`/${file}`));
    expect(named.filter((file) => !file.includes('NNNN') && !isThere(file))).toEqual([]);
  },
);
