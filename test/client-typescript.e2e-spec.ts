import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectClient } from './support/client-cases';
import { ClientPackage, expectGuide } from './support/client-package';
import { TypeScriptClient } from './support/client-typescript';
import { Duka } from './support/duka';

let duka: Duka;
let installed: ClientPackage;
let client: TypeScriptClient;

beforeAll(async () => {
  installed = await ClientPackage.install({
    language: 'typescript',
    files: { 'package.json': '{ "type": "module" }' },
    env: { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_offline: 'true' },
  });
  client = new TypeScriptClient(await import(join(installed.folder, 'node_modules/@duka/client/dist/index.js')));
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
});
afterAll(async () => {
  await duka?.stop();
  installed.remove();
});

expectClient(
  () => client,
  () => duka,
);

describe('the package', () => {
  const manifest = () =>
    JSON.parse(readFileSync(join(installed.folder, 'node_modules/@duka/client/package.json'), 'utf8'));
  const PROGRAMS = ['buy.ts', 'wait.ts', 'list.ts', 'receive.ts'];

  /** Of the guide, held to the types of the package and made into JavaScript. */
  async function compiled(): Promise<void> {
    for (const name of PROGRAMS) installed.write(name);
    // What must not compile.
    writeFileSync(
      join(installed.folder, 'wrong.ts'),
      `import { Duka, DukaError, type WebhookEvent } from '@duka/client';
       const duka = new Duka({ apiKey: '', baseUrl: '' });
       // @ts-expect-error amounts are numbers
       void duka.airtime.purchase({ phone: '', amount: '1' });
       // @ts-expect-error a dry run has no id
       export const id: string = (await duka.airtime.purchase({ phone: '', amount: 1 }, { dryRun: true })).id;
       // @ts-expect-error there is no such code
       DukaError.is(null, 'insufficient_fun');
       export const label = (event: WebhookEvent) => (event.type === 'wallet.credited' ? event.data.object.label : null);
       // @ts-expect-error a wallet has no phone
       export const phone = (event: WebhookEvent) => (event.type === 'wallet.credited' ? event.data.object.phone : null);`,
    );
    const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    const roots = ['--typeRoots', join(process.cwd(), 'node_modules/@types')];
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    await installed.run(process.execPath, [tsc, ...flags, ...roots, ...PROGRAMS, 'wrong.ts']);
  }

  /** This one, and the one that the machine has beside it. */
  async function nodes(): Promise<string[]> {
    const found = (await installed.run('bash', ['-c', 'which -a node || true'])).trim().split('\n');
    return [...new Set([process.execPath, ...found.filter((path) => !path.includes('node_modules'))])].filter(Boolean);
  }

  it('needs nothing, and has its types with it', async () => {
    expect(manifest().dependencies).toBeUndefined();
    const files = await installed.run('bash', ['-c', 'cd node_modules/@duka/client && find . -type f | sort']);
    expect(files).toContain('./dist/index.d.ts');
    expect(files).not.toMatch(/src|generate\.mjs|tsconfig/);
    expect(await installed.run('grep', ['-rhoE', "from '[^']*'", 'node_modules/@duka/client/dist'])).not.toMatch(
      /from '[^.]/,
    );
  });

  beforeAll(compiled);

  expectGuide(
    () => installed,
    () => duka,
    async () => (await nodes()).map((node) => (name) => [node, `${name}.js`]),
  );

  it('is made from the OpenAPI document as it is', async () => {
    await installed.run(process.execPath, [join(process.cwd(), 'clients/typescript/generate.mjs'), '--check']);
  });
});
