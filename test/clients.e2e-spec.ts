import { spawnSync } from 'node:child_process';
import { cpSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expectClient } from './support/client-cases';
import { ClientPackage, expectGuide } from './support/client-package';
import { ClientRunner } from './support/client-runner';
import { Duka } from './support/duka';
import { findOnPath } from './support/programs';

const SUPPORT = join(process.cwd(), 'test/support');

const LANGUAGES = [
  { name: 'Python', needs: 'python3 with venv', has: hasPython(), body: python },
  { name: 'Go', needs: 'go', has: findOnPath('go') !== null, body: go },
];

let duka: Duka;

beforeAll(async () => {
  if (LANGUAGES.every(({ has }) => !has)) return;
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
}, 120_000);
afterAll(() => duka?.stop());

for (const { name, needs, has, body } of LANGUAGES)
  if (has) describe(name, body);
  else it.skip(`${name} (needs ${needs})`, () => undefined);

/** Debian has `venv` in a package of its own. */
function hasPython(): boolean {
  return findOnPath('python3') !== null && spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0;
}

function python(): void {
  let installed: ClientPackage;
  let runner: ClientRunner;
  const own = '.venv/bin/python';

  beforeAll(async () => {
    installed = await ClientPackage.install({ language: 'python', env: { PIP_NO_INDEX: 'true' } });
    runner = new ClientRunner(own, [join(SUPPORT, 'client-runner.py')], { cwd: installed.folder });
    for (const name of ['buy', 'wait', 'list', 'receive']) installed.write(`${name}.py`);
  }, 120_000);
  afterAll(() => {
    runner?.stop();
    installed?.remove();
  });

  expectClient(
    () => runner,
    () => duka,
  );

  expectGuide(
    () => installed,
    () => duka,
    () => [(name) => [own, `${name}.py`]],
  );

  it('needs the standard library of Python 3.9 only, and has its types with it', async () => {
    const look = `
import ast, pathlib, sys, duka
from importlib.metadata import files, requires
for file in sorted(pathlib.Path(duka.__file__).parent.glob("*.py")):
    for node in ast.walk(ast.parse(file.read_text(), feature_version=(3, 9))):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module.split(".")[0] in sys.stdlib_module_names or node.module == "typing_extensions", node.module
        if isinstance(node, ast.Import):
            assert all(name.name.split(".")[0] in sys.stdlib_module_names for name in node.names)
assert requires("duka-client") is None
print(*sorted(file.name for file in files("duka-client") if file.parent.name == "duka"))`;
    expect(await installed.run(own, ['-c', look])).toBe(
      '__init__.py cancellation.py client.py errors.py pages.py py.typed resources.py types.py version.py webhooks.py wire.py\n',
    );
  });

  it('is made from the OpenAPI document as it is', async () => {
    await installed.run(process.execPath, [join(process.cwd(), 'clients/python/generate.mjs'), '--check']);
  });
}

function go(): void {
  let installed: ClientPackage;
  let runner: ClientRunner;
  const env = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

  beforeAll(async () => {
    installed = await ClientPackage.install({ language: 'go', env });
    for (const name of ['buy', 'wait', 'list', 'receive']) installed.write(`${name}/main.go`);
    cpSync(join(SUPPORT, 'client-runner-go'), join(installed.folder, 'runner'), { recursive: true });
    await installed.run('go', ['build', '-o', 'bin/', './...']);
    runner = new ClientRunner('bin/runner', [], { cwd: installed.folder });
  }, 180_000);
  afterAll(() => {
    runner?.stop();
    installed?.remove();
  });

  expectClient(
    () => runner,
    () => duka,
  );

  expectGuide(
    () => installed,
    () => duka,
    () => [(name) => [`bin/${name}`]],
  );

  it('is formatted, vetted, and needs nothing', async () => {
    const files = globSync(['clients/go/*.go', 'test/support/client-runner-go/*.go']).map((file) => `duka/${file}`);
    const shown = ['buy', 'wait', 'list', 'receive'].map((name) => `${name}/main.go`);
    expect(await installed.run('gofmt', ['-l', ...files, ...shown])).toBe('');
    await installed.run('go', ['vet', './...', 'duka.example/duka']);
    expect(await installed.run('go', ['list', '-m', 'all'])).toMatch(/^shop\nduka\.example\/duka v0\.1\.0 => \S+\n$/);
  });

  it('is made from the OpenAPI document as it is', async () => {
    await installed.run(process.execPath, [join(process.cwd(), 'clients/go/generate.mjs'), '--check']);
  });
}
