import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EmbeddedLease } from '../src/core/database/embedded-lease';
import { findEmbeddedPostgres } from '../src/core/database/embedded-postgres';
import type { Lifetime } from '../src/core/process/lifetime';
import { freePort } from '../src/core/process/ports';
import { Processes } from './processes';
import type { RawAnswers } from './raw-fastify';

const PROJECT = join(__dirname, '..');

export interface Listening {
  readonly port: number;
  readonly pid: number;
}

export interface Partner {
  readonly accountId: string;
  readonly key: string;
  /** The wallet that the account starts with. */
  readonly wallet: string;
}

export interface ServiceOptions {
  /** Where profiles of its processes go; without it none are made. */
  readonly profileFolder?: string;
  /** Its database may be that of a cell. */
  readonly isFollowed?: boolean;
  /** The folder of another build of Duka, which has been built. */
  readonly project?: string;
}

/** The service as production runs it, built and migrated, on a durable PostgreSQL of its own. */
export class Service {
  /** Of all processes that are started from now on. */
  settings: NodeJS.ProcessEnv = {};

  private constructor(
    readonly processes: Processes,
    readonly database: { readonly url: string; readonly pid: number },
    private readonly folder: string,
    private readonly options: ServiceOptions,
  ) {}

  static async start(lifetime: Lifetime, options: ServiceOptions = {}): Promise<Service> {
    // Not in the machine's folder for temporary files: where that is memory, a durable commit would cost nothing.
    mkdirSync(join(PROJECT, '.data'), { recursive: true, mode: 0o711 });
    const folder = mkdtempSync(join(PROJECT, '.data', 'bench-'));
    await lifetime.own(Promise.resolve(folder), async () => rmSync(folder, { recursive: true, force: true }));
    const lease = EmbeddedLease.take({ dataDir: folder, isFollowed: options.isFollowed ?? false });
    const { url } = await lifetime.own(lease, (taken) => taken.release());
    const processes = await lifetime.own(Promise.resolve(new Processes()), (started) => started.stopAll());
    const database = { url, pid: findEmbeddedPostgres(folder)!.pid };
    const service = new Service(processes, database, folder, options);
    await service.run('migrate.js', []);
    return service;
  }

  /** One API process with everything on: limits, metrics and a log line for each request. */
  async startApi(settings: NodeJS.ProcessEnv = {}): Promise<Listening> {
    const port = Number(settings.PORT ?? (await freePort()));
    return this.listen(port, this.argsOf('start:api'), { ...settings, PORT: String(port) });
  }

  /** A process that only runs the workers. */
  async startWorker(): Promise<ChildProcess> {
    return this.processes.start(this.argsOf('start:worker'), {
      cwd: this.folder,
      env: this.env(),
      log: join(this.folder, 'worker.log'),
    });
  }

  async startRawFastify(answers: RawAnswers): Promise<Listening> {
    const port = await freePort();
    const script = ['-r', join(__dirname, 'typescript.cjs'), join(__dirname, 'raw-fastify.ts')];
    return this.listen(port, [...script, String(port), JSON.stringify(answers)]);
  }

  async openPartner(name: string): Promise<Partner> {
    const account = await this.duka<{ id: string; test_wallet: string }>(['account:create', '--name', name]);
    const key = await this.duka<{ secret: string }>(['key:create', '--account', account.id, '--mode', 'test']);
    return { accountId: account.id, key: key.secret, wallet: account.test_wallet };
  }

  /** Throws when an invariant of the books is broken. */
  async verifyBooks(): Promise<void> {
    await this.duka(['verify:ledger']);
  }

  /** The settings of whoever works on the same database in this process. */
  environment(): NodeJS.ProcessEnv {
    return { DATABASE_URL: this.database.url, SECRETS_KEY };
  }

  /** As in production, and with a profile where one is wanted. */
  private argsOf(script: 'start:api' | 'start:worker'): string[] {
    const { project = PROJECT, profileFolder } = this.options;
    const profile = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${resolve(profileFolder)}`] : [];
    const { scripts } = JSON.parse(
      readFileSync(join(project, 'package.json'), 'utf8'),
    ) as typeof import('../package.json');
    const [, ...asInProduction] = scripts[script].split(' ');
    return [...profile, ...asInProduction.slice(0, -1), join(project, asInProduction.at(-1)!)];
  }

  private async listen(port: number, args: readonly string[], settings?: NodeJS.ProcessEnv): Promise<Listening> {
    const log = join(this.folder, `${port}.log`);
    const readyUrl = `http://127.0.0.1:${port}/readyz`;
    const child = await this.processes.startServer(args, { cwd: this.folder, env: this.env(settings), log, readyUrl });
    return { port, pid: child.pid! };
  }

  private async duka<T>(command: readonly string[]): Promise<T> {
    return JSON.parse(await this.run('duka.js', [...command, '--json'])) as T;
  }

  private run(program: string, args: readonly string[]): Promise<string> {
    const script = join(this.options.project ?? PROJECT, 'dist', 'src', 'cli', program);
    return this.processes.run(process.execPath, [script, ...args], { cwd: this.folder, env: this.env() });
  }

  /** Neither the caller's environment nor a `.env` of the project counts: two runs must measure the same. */
  private env(settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const shared = {
      PATH: process.env.PATH,
      DATABASE_URL: this.database.url,
      SECRETS_KEY,
      LOG_LEVEL: 'info',
      RATE_LIMIT_TEST: '1000000',
    };
    return { ...shared, REDIS_URL: '', WORKER_PORT: '0', ...this.settings, ...settings };
  }
}

const SECRETS_KEY = randomBytes(32).toString('base64');
