import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../src/core/process/ports';
import { expectClient } from './support/client-cases';
import { ClientPackage, type Command, expectGuide } from './support/client-package';
import { ClientRunner } from './support/client-runner';
import { Duka } from './support/duka';
import { findOnPath } from './support/programs';

interface Language {
  /** Of its folder in `clients` and of its guide. */
  readonly name: string;
  readonly needs: string;
  readonly isThere: () => boolean;
  readonly env: Record<string, string>;
  /** Of the files that its guide shows: `buy.py`. */
  readonly ending: string;
  /** Makes the runner, and says how it is started. */
  readonly runner: (installed: ClientPackage) => Promise<[string, ...string[]]>;
  readonly command: Command;
  /** What else holds for the package. */
  readonly expectPackage: (installed: () => ClientPackage) => void;
}

const SUPPORT = join(process.cwd(), 'test/support');
const PROGRAMS = ['buy', 'wait', 'list', 'receive'];

/** A test by another program, or a line that says that it is missing. */
const itWith = (program: string, name: string, run: () => Promise<unknown>): void =>
  findOnPath(program) === null ? it.skip(`${name} (needs ${program})`, () => undefined) : it(name, run);

const PYTHON: Language = {
  name: 'python',
  needs: 'python3 with venv',
  // Debian has `venv` in a package of its own.
  isThere: () => findOnPath('python3') !== null && spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0,
  env: { PIP_NO_INDEX: 'true' },
  ending: '.py',
  runner: async () => ['.venv/bin/python', join(SUPPORT, 'client-runner.py')],
  command: (name) => ['.venv/bin/python', `${name}.py`],
  expectPackage: (installed) => {
    itWith('mypy', 'has types that are true, also of what its guide shows', () => {
      const settings = ['--config-file=duka/clients/python/pyproject.toml', '--cache-dir=/dev/null'];
      // Not of what receives: Debian's mypy takes 15 s to tell its event from all others.
      const files = ['duka/clients/python/src/duka', 'buy.py', 'wait.py', 'list.py'];
      return installed().run('mypy', [...settings, ...files], { MYPYPATH: 'duka/clients/python/src' });
    });

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
      expect(await installed().run('.venv/bin/python', ['-c', look])).toBe(
        '__init__.py cancellation.py client.py errors.py pages.py py.typed resources.py types.py version.py webhooks.py wire.py\n',
      );
    });
  },
};

const [, MODULE] = /^module (\S+)$/m.exec(readFileSync('clients/go/go.mod', 'utf8')) as unknown as [string, string];

const GO: Language = {
  name: 'go',
  needs: 'go',
  isThere: () => findOnPath('go') !== null,
  env: { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
  ending: '/main.go',
  runner: async (installed) => {
    cpSync(join(SUPPORT, 'client-runner-go'), join(installed.folder, 'runner'), { recursive: true });
    await installed.run('go', ['build', '-o', 'bin/', './...']);
    return ['bin/runner'];
  },
  command: (name) => [`bin/${name}`],
  expectPackage: (installed) => {
    itWith('go-staticcheck', 'has nothing that staticcheck finds, as what its guide shows', () =>
      installed().run('go-staticcheck', ['./...', MODULE]),
    );

    it('is formatted, vetted, and needs nothing', async () => {
      const files = globSync(['clients/go/*.go', 'test/support/client-runner-go/*.go']).map((file) => `duka/${file}`);
      const shown = PROGRAMS.map((name) => `${name}/main.go`);
      expect(await installed().run('gofmt', ['-l', ...files, ...shown])).toBe('');
      await installed().run('go', ['vet', './...', MODULE]);
      const modules = await installed().run('go', ['list', '-m', 'all']);
      expect(modules.replace(/ => \S+/, '')).toBe(`shop\n${MODULE} v0.1.0\n`);
    });
  },
};

const PHP: Language = {
  name: 'php',
  needs: 'php with its curl extension, and composer',
  isThere: () => spawnSync('bash', ['-c', 'command -v composer && php -r "curl_version();"']).status === 0,
  env: { COMPOSER_HOME: '/nonexistent', COMPOSER_CACHE_DIR: '/dev/null', COMPOSER_ALLOW_SUPERUSER: '1' },
  ending: '.php',
  runner: async (installed) => {
    const port = await freePort();
    // PHP's own server says nothing on its output: when it accepts is said here.
    const receive = `
      (until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.05; done; echo listening on ${port}) &
      exec php -S 127.0.0.1:${port} receive.php 2>/dev/null`;
    writeFileSync(join(installed.folder, 'receive.sh'), receive);
    return ['php', join(SUPPORT, 'client-runner.php')];
  },
  command: (name) => (name === 'receive' ? ['bash', 'receive.sh'] : ['php', `${name}.php`]),
  expectPackage: (installed) => {
    it('needs nothing, and has what it is made of with it', async () => {
      const listed = (folder: string): Promise<string> => installed().run('ls', [folder]);
      expect(await listed('vendor/duka')).toBe('client\n');
      expect(await listed('vendor')).toBe('autoload.php\ncomposer\nduka\n');
      expect(await listed('vendor/duka/client')).toBe('LICENSE\nREADME.md\ncomposer.json\nsrc\n');
      expect(await listed('vendor/duka/client/src/Generated')).toContain('Types.php\n');
    });

    it('names no class and no shape in its declarations and PHPDoc that is nowhere', async () => {
      const shapes = await installed().run('php', [join(SUPPORT, 'client-shapes.php')]);
      expect(shapes).toMatch(/^\d{3} shapes\n$/);
    });

    it('shows its key to nobody, sends empty objects as such, and no line breaks in headers', async () => {
      const { key, api } = await duka.account();
      writeFileSync(
        join(installed().folder, 'own.php'),
        `<?php
        require __DIR__ . '/vendor/autoload.php';
        $duka = new Duka\\Duka(apiKey: getenv('DUKA_KEY'), baseUrl: getenv('DUKA_URL'));
        var_dump($duka);
        print_r($duka);
        echo json_encode($duka->wallets->create(['currency' => 'NGN', 'metadata' => []])['metadata']), "\\n";
        try {
            $duka->account->get(new Duka\\CallOptions(headers: ['x-one' => "1\\r\\nx-two: 2"]));
        } catch (InvalidArgumentException $error) {
            echo $error;
        }`,
      );
      const told = await installed().run('php', ['own.php'], { DUKA_KEY: key, DUKA_URL: duka.url });
      expect(told).toContain('The header x-one has a control character.');
      expect(told).not.toContain(key);
      expect((await api.get('/v4/wallets')).body.data).toHaveLength(2);
    });
  },
};

const LANGUAGES = [PYTHON, GO, PHP].map((language) => ({ ...language, isHere: language.isThere() }));

let duka: Duka;
/** Begun while the service starts. */
const installations = new Map<string, Promise<[ClientPackage, ClientRunner]>>();

async function installed({ name, env, ending, runner }: Language): Promise<[ClientPackage, ClientRunner]> {
  const found = await ClientPackage.install({ language: name, env });
  for (const program of PROGRAMS) found.write(program + ending);
  const [program, ...args] = await runner(found);
  return [found, new ClientRunner(program, args, { cwd: found.folder })];
}

beforeAll(async () => {
  const here = LANGUAGES.filter(({ isHere }) => isHere);
  if (here.length === 0) return;
  for (const language of here) {
    const installation = installed(language);
    // Told by the tests of the language.
    installation.catch(() => undefined);
    installations.set(language.name, installation);
  }
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
});
afterAll(() => duka?.stop());

for (const language of LANGUAGES)
  if (language.isHere) describe(language.name, () => expectLanguage(language));
  else it.skip(`${language.name} (needs ${language.needs})`, () => undefined);

function expectLanguage({ name, command, expectPackage }: Language): void {
  let found: ClientPackage;
  let runner: ClientRunner;

  beforeAll(async () => {
    [found, runner] = await installations.get(name)!;
  });
  afterAll(() => {
    runner?.stop();
    found?.remove();
  });

  expectClient(
    () => runner,
    () => duka,
  );
  expectGuide(
    () => found,
    () => duka,
    () => [command],
  );
  expectPackage(() => found);

  it('is made from the OpenAPI document as it is', async () => {
    await found.run(process.execPath, [join(process.cwd(), `clients/${name}/generate.mjs`), '--check']);
  });
}
