import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedLease } from '../../../src/core/database/embedded-lease';
import { Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { conclude, option } from '../command-line';
import { Load, openWallets } from '../load';
import { Program } from '../program';
import { freePort } from '../../../src/core/process/ports';

const ROOT = join(__dirname, '../../..');
const PHASE_MS = 3_000;
const GIVE_UP_MS = 30_000;

/** A build of a commit, and what it is called in the table. */
interface Build {
  readonly name: string;
  readonly folder: string;
}

interface Passage {
  readonly migrations: string;
  readonly requests: number;
  readonly failed: readonly string[];
  readonly migrateMs: number;
  readonly slowestMs: number;
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/**
 * `npm run test:upgrade`: under load the new build's migrations run beside the old build, then both serve, then the new one alone.
 * `--from=<commit>`: the old build, else the last release, else the commit before; the new one is this checkout.
 * `--each=<number>`: instead, each migration from that number on, the commit before it against the commit that brought it.
 */
runProcess(async (lifetime) => {
  const cache = mkdtempSync(join(tmpdir(), 'duka-upgrade-'));
  chmodSync(cache, 0o755);
  await lifetime.own(Promise.resolve(), async () => rmSync(cache, { recursive: true, force: true }));
  const each = option('each');
  const pairs =
    each === undefined
      ? [{ name: 'this checkout', old: option('from') ?? lastRelease(), now: null }]
      : commitsOfMigrations(Number(each));
  const wrong: string[] = [];
  let requests = 0;
  console.log('| New | Migrations | Requests | Failed | Migrating | Slowest answer |\n|---|---|--:|--:|--:|--:|');
  for (const { name, old, now } of pairs) {
    const told = await pass(build(cache, old), now === null ? { name, folder: ROOT } : build(cache, now)).catch(
      (error: unknown) => String(error).split('\n')[0]!,
    );
    if (typeof told === 'string') {
      console.log(`| ${name} | not run | | | | |`);
      wrong.push(`${name}: not run: ${told}`);
      continue;
    }
    requests += told.requests;
    const { migrations, failed, migrateMs, slowestMs } = told;
    const cells = [name, migrations, told.requests, failed.length, `${migrateMs} ms`, `${slowestMs} ms`];
    console.log(`| ${cells.join(' | ')} |`);
    wrong.push(...failed.map((line) => `${name}: ${line}`));
  }
  await conclude(lifetime, wrong, `Nothing failed: ${requests} requests to old and new builds at once.`);
});

function lastRelease(): string {
  const tag = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')[0];
  return tag || 'HEAD~1';
}

/** Each migration with the commit that brought it and the one before. */
function commitsOfMigrations(first: number): { name: string; old: string; now: string }[] {
  const added = git('log', '--reverse', '--diff-filter=A', '--format=%h', '--name-only', '--', 'src/migrations/*.ts');
  const commits = new Map<string, string[]>();
  let commit = '';
  for (const line of added.split('\n').filter(Boolean)) {
    if (!line.includes('/')) commit = line;
    else if (Number(/\/(\d{4})-/.exec(line)?.[1]) >= first) commits.set(commit, [...(commits.get(commit) ?? []), line]);
  }
  return [...commits].map(([now, files]) => ({
    name: files.map((file) => /(\d{4}-[\w-]+)\.ts/.exec(file)![1]).join(', '),
    old: `${now}^`,
    now,
  }));
}

/** Compiles a commit beside the packages of this checkout. */
function build(cache: string, commit: string): Build {
  const hash = git('rev-parse', commit);
  const folder = join(cache, hash);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    execFileSync('sh', ['-c', `git archive ${hash} | tar -x -C ${folder}`], { cwd: ROOT });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    // Its types were checked when it was made.
    const compiler = [
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--noCheck',
      '--incremental',
      'false',
    ];
    execFileSync(process.execPath, compiler, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  return { name: commit, folder };
}

async function pass(old: Build, now: Build): Promise<Passage> {
  // Everything of one passage ends with it.
  const own = new Lifetime(() => undefined);
  try {
    return await passWith(own, old, now);
  } finally {
    await own.end(0);
  }
}

async function passWith(own: Lifetime, old: Build, now: Build): Promise<Passage> {
  const folder = mkdtempSync(join(tmpdir(), 'duka-upgrade-db-'));
  chmodSync(folder, 0o711);
  await own.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  const lease = await own.own(EmbeddedLease.take({ dataDir: folder, port: await freePort() }), (it) => it.release());
  const env = (port: number): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    DATABASE_URL: lease.url,
    REDIS_URL: '',
    SECRETS_KEY,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_TEST: '0',
    PORT: String(port),
    WORKER_PORT: '0',
  });
  const run = ({ folder: at }: Build, ...[script, ...args]: string[]): string =>
    execFileSync(process.execPath, [join(at, 'dist/src', script!), ...args], { env: env(0), encoding: 'utf8' });
  const start = async (build: Build): Promise<Running> => {
    const port = await freePort();
    const [api, worker] = ['main.js', 'worker.js'].map(
      (script) => new Program(script, join(folder, `${script}.${port}.log`), join(build.folder, 'dist/src')),
    ) as [Program, Program];
    await own.own(Promise.resolve(), () => Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]));
    api.launch(env(port));
    worker.launch(env(port));
    await untilReady(`http://127.0.0.1:${port}`, api);
    return { url: `http://127.0.0.1:${port}`, end: () => Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]) };
  };

  run(old, 'cli/migrate.js');
  const { id } = JSON.parse(run(old, 'cli/duka.js', 'account:create', '--name', 'Upgrade', '--json')) as { id: string };
  const made = run(old, 'cli/duka.js', 'key:create', '--account', id, '--mode', 'test', '--json');
  const { secret: key } = JSON.parse(made) as { secret: string };
  const before = await start(old);
  const serving = [before];
  let turn = 0;
  // As a balancer does: each request to the next of those that serve.
  const balancer = {
    key,
    get url() {
      return serving[turn++ % serving.length]!.url;
    },
  };
  const load = new Load(balancer, await openWallets(balancer, 20, 100_000_000));
  load.start();
  await sleep(PHASE_MS);

  const migratedFrom = performance.now();
  const migrations = await migrate(now, env(0));
  const migrateMs = Math.round(performance.now() - migratedFrom);
  await sleep(PHASE_MS);
  const after = await start(now);
  serving.push(after);
  await sleep(PHASE_MS);
  serving.shift();
  // What it was sent before.
  await sleep(100);
  await before.end();
  await sleep(PHASE_MS);
  await load.finish();
  const failed = [
    ...Array.from(load.faults, ([what, count]) => `${count} × ${what}`),
    ...load.unanswered.map(({ code }) => code),
    ...(load.unavailable > 0 ? [`${load.unavailable} × 503`] : []),
  ];
  try {
    run(now, 'cli/duka.js', 'verify:ledger', '--json');
  } catch (error) {
    failed.push(`verify:ledger: ${(error as { stdout: string }).stdout.slice(0, 500)}`);
  }
  return { migrations, requests: load.requests, failed, migrateMs, slowestMs: Math.round(load.slowestMs) };
}

interface Running {
  readonly url: string;
  readonly end: () => Promise<unknown>;
}

/** How many migrations ran. */
async function migrate({ folder }: Build, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'dist/src/cli/migrate.js')], { env });
  return /(\d+) migrations? applied/.exec(stdout)?.[1] ?? '0';
}

async function untilReady(url: string, api: Program): Promise<void> {
  for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(50)) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    if (api.collapses.length > 0) break;
  }
  throw new Error(`not ready: ${api.lastWords.split('\n').at(-1)}`);
}

const SECRETS_KEY = randomBytes(32).toString('base64');
