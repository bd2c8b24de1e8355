import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedLease } from '../../src/core/database/embedded-lease';
import type { Lifetime } from '../../src/core/process/lifetime';
import { freePort } from '../../src/core/process/ports';
import { Program } from './program';

const BUILD = join(__dirname, '../../dist/src');
const POLL_MS = 20;
const GIVE_UP_MS = 60_000;

/** The built service as servers run it: an API process of its own on a durable PostgreSQL of its own. */
export class Service {
  private readonly api: Program;
  private launches = 0;
  /** The account that pays, by its key. */
  key: string;

  private constructor(
    private readonly folder: string,
    readonly databaseUrl: string,
    private readonly port: number,
    private readonly settings: NodeJS.ProcessEnv,
  ) {
    this.api = this.program('main.js');
  }

  /** `settings` count more than those that every run has. `databaseUrl`: a server of the caller's. */
  static async start(lifetime: Lifetime, settings: NodeJS.ProcessEnv = {}, databaseUrl?: string): Promise<Service> {
    const folder = mkdtempSync(join(tmpdir(), 'duka-chaos-'));
    // PostgreSQL runs as a user of its own when this is run by root.
    chmodSync(folder, 0o711);
    await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
    // The launcher of `npm start`: it is what starts a killed server again.
    const embedded = async (): Promise<EmbeddedLease> =>
      lifetime.own(EmbeddedLease.take({ dataDir: folder, port: await freePort() }), (lease) => lease.release());
    const service = new Service(folder, databaseUrl ?? (await embedded()).url, await freePort(), settings);
    service.run(['cli/migrate.js']);
    const { id } = JSON.parse(service.run(['cli/duka.js', 'account:create', '--name', 'Chaos', '--json'])) as {
      id: string;
    };
    const made = service.run(['cli/duka.js', 'key:create', '--account', id, '--mode', 'test', '--json']);
    service.key = (JSON.parse(made) as { secret: string }).secret;
    await lifetime.own(Promise.resolve(), () => service.end('SIGTERM'));
    service.launch();
    await service.untilReady();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Another process of the service, to be launched with `env`. */
  program(script: string, logFile = `${script}.log`): Program {
    return new Program(script, join(this.folder, logFile));
  }

  /** Every other API also runs the workers, so that kills hit sealing and schedules, too. */
  launch(): void {
    this.api.launch({ ...this.env, WORKER_IN_API: String(this.launches++ % 2 === 1), ...this.settings });
  }

  /** Sends the API a signal and waits for its end; returns its exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null> {
    return this.api.end(signal);
  }

  /** Resolves with exit code or signal when the API ends by itself, as it is meant to. */
  untilEnded(): Promise<string> {
    return this.api.untilEnded();
  }

  /** The API stands still, and goes on. */
  pause(ms: number): Promise<void> {
    return this.api.pause(ms);
  }

  async untilReady(): Promise<void> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(POLL_MS)) {
      if ((await this.readiness()) === '200') return;
      if (this.api.collapses.length > 0) break;
    }
    throw new Error(`the API is not ready:\n${this.lastWords}`);
  }

  /** `200`, or the status with its reason, or what became of the connection. On a connection of its own, as a balancer asks. */
  async readiness(): Promise<string> {
    try {
      const response = await fetch(`${this.url}/readyz`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(5_000),
      });
      const { detail } = (await response.json()) as { detail?: string };
      return [response.status, detail].filter(Boolean).join(' ');
    } catch (error) {
      return codeOf(error);
    }
  }

  get lastWords(): string {
    return this.api.lastWords;
  }

  /** Sends events to `url`; returns the secret that they are signed with. */
  async listen(url: string, events: readonly string[] = ['transfer.successful']): Promise<string> {
    const response = await fetch(`${this.url}/v4/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events }),
    });
    if (!response.ok) throw new Error(`/v4/webhooks: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { secret: string }).secret;
  }

  /** A file beside its logs. */
  keep(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return join(this.folder, name);
  }

  /** What its processes logged. */
  get logs(): string {
    const files = readdirSync(this.folder).filter((name) => name.endsWith('.log'));
    return files.map((name) => readFileSync(join(this.folder, name), 'utf8')).join('');
  }

  /** What a command of `duka` printed, whatever its exit code. */
  async duka(...args: string[]): Promise<string> {
    const script = join(BUILD, 'cli/duka.js');
    const command = promisify(execFile)(process.execPath, [script, ...args], { env: this.env });
    return (await command.catch((error: unknown) => error as { stdout: string })).stdout;
  }

  private run([script, ...args]: string[]): string {
    return execFileSync(process.execPath, [join(BUILD, script!), ...args], { env: this.env, encoding: 'utf8' });
  }

  /** Nothing of the caller's environment counts. */
  get env(): NodeJS.ProcessEnv {
    const given = {
      PATH: process.env.PATH,
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: '',
      PORT: String(this.port),
      WORKER_PORT: '0',
    };
    return { ...given, SECRETS_KEY, LOG_LEVEL: 'warn', RATE_LIMIT_TEST: '0', ...this.settings };
  }
}

const SECRETS_KEY = randomBytes(32).toString('base64');

/** What `fetch` says of a request that was not answered: the code of the socket's error. */
export function codeOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string; message: string } };
  return cause?.code ?? cause?.message ?? name;
}
