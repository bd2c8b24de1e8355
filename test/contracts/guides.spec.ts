import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { scaffold } from '../../src/cli/new';
import { commandsOf } from '../support/guide-commands';

/** The test whose call each guide shows or speaks of. */
const GUIDES = {
  'add-a-provider': 'example-provider.spec.ts',
  'add-a-payment-gateway': 'gateway-example.spec.ts',
  'add-a-card-issuer': 'example-issuer.spec.ts',
};
const LINES_MAX = 200;

describe.each(Object.entries(GUIDES))('the guide %s', (name, spec) => {
  const guide = readFileSync(`docs/guides/${name}.md`, 'utf8');
  const [command] = commandsOf(guide);
  const { made } = scaffold({ ...command!, root: process.cwd(), isDryRun: true }).json as { made: string[] };

  it('can be read in one go', () => {
    expect(guide.split('\n').length).toBeLessThanOrEqual(LINES_MAX);
  });

  it('lists every file that its command makes, and no other', () => {
    const rows = [...guide.matchAll(/^\| `([\w.-]+\/[\w./-]+)` \|/gm)].map(([, file]) => file!);
    expect(rows.sort()).toEqual(made.toSorted());
  });

  it('names files that exist, or that its command makes', () => {
    const named = [...guide.matchAll(/`((?:src|test)\/[\w./-]+|[a-z-]+(?:\.spec|\.e2e-spec)?\.(?:ts|json))`/g)];
    const there = [...made, ...readdirSync('test/contracts'), ...globSync('{src,test}/**/*.ts')];
    const isThere = (file: string) => there.some((one) => one === file || one.endsWith(`/${file}`)) || existsSync(file);
    expect(named.map(([, file]) => file!).filter((file) => !isThere(file))).toEqual([]);
  });

  it('shows the rig of the example and declarations of its files, and no code beside', () => {
    const quotes = guide.match(/^`[\w./-]+`: `[\w.]+`.*\n\n```ts$/gm)!;
    expect(quotes).toHaveLength(guide.match(/^```ts$/gm)!.length);
    expect(quotes).toContain(`\`test/contracts/${spec}\`: \`rig\`\n\n\`\`\`ts`);
  });
});
