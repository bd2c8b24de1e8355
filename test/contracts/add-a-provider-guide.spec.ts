import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'src/extensions/example/airtime-provider';
const guide = readFileSync('docs/guides/add-a-provider.md', 'utf8');

/** A block of code under the name of its file. */
const shown = new Map(
  [...guide.matchAll(/^`(src\/[^`]+)`\n\n```(?:ts|json)\n(.*?)^```$/gms)].map(([, file, code]) => [file!, code!]),
);

describe('the guide to providers', () => {
  it('shows every file of the example, and no other', () => {
    expect([...shown.keys()].sort()).toEqual(
      readdirSync(FOLDER)
        .map((file) => `${FOLDER}/${file}`)
        .sort(),
    );
  });

  it.each([...shown])('shows %s as it is', (file, code) => {
    expect(code).toBe(readFileSync(file, 'utf8'));
  });

  it('names files that exist', () => {
    const named = [...guide.matchAll(/`([a-z-]+(?:\.spec)?\.ts)`/g)].map(([, file]) => file!);
    expect(readdirSync('test/contracts')).toEqual(expect.arrayContaining(named));
    expect(named.length).toBeGreaterThan(0);
  });

  it('shows the call that the example makes', () => {
    expect(readFileSync('test/contracts/example-provider.spec.ts', 'utf8')).toContain(
      /^providerContract\('.+?', rig/m.exec(guide)![0],
    );
  });
});
