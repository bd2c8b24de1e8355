import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedLease } from '../../src/core/database/embedded-lease';
import type { Lifetime } from '../../src/core/process/lifetime';
import { requireFreePort } from '../../src/core/process/ports';

const BUILD = join(__dirname, '../../dist/src');
const POLL_MS = 20;
const GIVE_UP_MS = 60_000;

/** The built service as servers run it: an API process of its own on a durable PostgreSQL of its own. */
export class Service {
  private api: ChildProcess;
  private launches = 0;
  /** The account that pays, by its key. */
  key: string;

  private constructor(
    private readonly folder: string,
    readonly databaseUrl: string,
    private readonly port: number,
  ) {}

  static async start(lifetime: Lifetime): Promise<Service> {
    const folder = mkdtempSync(join(tmpdir(), 'duka-chaos-'));
    // PostgreSQL runs as a user of its own when this is run by root.
    chmodSync(folder, 0o711);
    await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
    // The launcher of `npm start`: it is what starts a killed server again.
    const { url } = await lifetime.own(EmbeddedLease.take({ dataDir: folder, port: await fixedPort() }), (lease) => lease.release());
    const service = new Service(folder, url, await fixedPort());
    await lifetime.own(Promise.resolve(), () => service.end('SIGTERM'));
    service.run(['cli/migrate.js']);
    const { id } = JSON.parse(service.run(['cli/duka.js', 'account:create', '--name', 'Chaos', '--json'])) as { id: string };
    const made = service.run(['cli/duka.js', 'key:create', '--account', id, '--mode', 'test', '--json']);
    service.key = (JSON.parse(made) as { secret: string }).secret;
    service.launch();
    await service.untilReady();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Every other process also runs the workers, so that kills hit sealing and schedules, too. */
  launch(): void {
    const log = openSync(this.logFile, 'a');
    const env = { ...this.env, WORKER_IN_API: String(this.launches++ % 2 === 1) };
    this.api = spawn(process.execPath, [join(BUILD, 'main.js')], { env, stdio: ['ignore', log, log] });
  }

  /** Sends a signal and waits for the end of the process; returns its exit code, null after a kill. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.api.exitCode === null && this.api.signalCode === null) {
      this.api.kill(signal);
      await once(this.api, 'exit');
    }
    return this.api.exitCode;
  }

  async untilReady(): Promise<void> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(POLL_MS)) {
      if ((await this.readiness()) === '200') return;
      if (this.api.exitCode !== null) break;
    }
    throw new Error(`the API is not ready:\n${this.lastWords}`);
  }

  /** `200`, or the status with its reason, or what became of the connection. On a connection of its own, as a balancer asks. */
  async readiness(): Promise<string> {
    try {
      const response = await fetch(`${this.url}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5_000) });
      const { detail } = (await response.json()) as { detail?: string };
      return [response.status, detail].filter(Boolean).join(' ');
    } catch (error) {
      return codeOf(error);
    }
  }

  get lastWords(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  }

  private get logFile(): string {
    return join(this.folder, 'api.log');
  }

  private run([script, ...args]: string[]): string {
    return execFileSync(process.execPath, [join(BUILD, script!), ...args], { env: this.env, encoding: 'utf8' });
  }

  /** Nothing of the caller's environment counts. */
  private get env(): NodeJS.ProcessEnv {
    const given = { PATH: process.env.PATH, DATABASE_URL: this.databaseUrl, REDIS_URL: '', PORT: String(this.port) };
    return { ...given, SECRETS_KEY, LOG_LEVEL: 'warn', RATE_LIMIT_TEST: '0' };
  }
}

const SECRETS_KEY = randomBytes(32).toString('base64');

/**
 * Below the ports that outgoing connections get: a client that knocks at the port of a dead server often enough
 * would be given that port, reach itself, and keep the server from listening there again.
 */
export async function fixedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (await requireFreePort('127.0.0.1', port).then(() => true, () => false)) return port;
  }
}

/** What `fetch` says of a request that was not answered: the code of the socket's error. */
export function codeOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string; message: string } };
  return cause?.code ?? cause?.message ?? name;
}
