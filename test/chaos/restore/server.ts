import { type ChildProcess, execFile, execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../../../src/core/process/ports';

const SCRIPTS = join(__dirname, '../../../deploy/backup');
const DEBIAN = '/usr/lib/postgresql';
const ASK_MS = 100;
const SLOW_MS = 500;

const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 200
synchronous_standby_names = 'duka_wal'
`;

/** A server of Debian's packages, on a disk that may be lost, whose WAL goes to another disk before anything is acknowledged. */
export class GuardedServer {
  private server?: ChildProcess;
  private receiver?: ChildProcess;

  private constructor(
    private readonly folder: string,
    private readonly bin: string,
    private readonly port: number,
    private readonly user: { uid: number; gid: number },
  ) {}

  /** `folder`: stays the caller's. */
  static async start(folder: string): Promise<GuardedServer> {
    const [version] = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    const server = new GuardedServer(folder, join(DEBIAN, version!, 'bin'), await freePort(), {
      uid: id('-u'),
      gid: id('-g'),
    });
    for (const name of ['disk', 'backups']) {
      mkdirSync(join(folder, name));
      chownSync(join(folder, name), server.user.uid, server.user.gid);
    }
    await server.run(join(server.bin, 'initdb'), '-D', server.data, '-U', 'duka', '--auth=trust', '-E', 'UTF8');
    appendFileSync(join(server.data, 'postgresql.conf'), `${SETTINGS}port = ${server.port}\n`);
    await server.launch();
    await server.run('createdb', '-h', '127.0.0.1', '-p', String(server.port), '-U', 'duka', 'duka');
    return server;
  }

  get url(): string {
    return `postgres://duka@127.0.0.1:${this.port}/duka`;
  }

  private get data(): string {
    return join(this.folder, 'disk', 'data');
  }

  private get backups(): string {
    return join(this.folder, 'backups');
  }

  /** The server and who receives its WAL, as their supervisor would start them. Resolves when it takes connections. */
  async launch(): Promise<void> {
    this.server = this.spawn('server', join(this.bin, 'postgres'), '-D', this.data, '-k', this.data);
    await this.untilItAnswers();
    this.receiver = this.spawn('receiver', join(SCRIPTS, 'receive-wal'), this.backups);
  }

  /** `deploy/backup/backup`. */
  backup(): Promise<string> {
    return this.run(join(SCRIPTS, 'backup'), this.backups);
  }

  /** What a machine that burns leaves: nothing of the server and nothing on its disk. What was received stays. */
  async lose(): Promise<void> {
    // The way to the other disk was slow just then: what did not get there must not have been acknowledged.
    process.kill(-this.receiver!.pid!, 'SIGSTOP');
    await sleep(SLOW_MS);
    await this.end();
    rmSync(join(this.folder, 'disk'), { recursive: true });
  }

  /** `deploy/backup/restore` onto an empty disk; then both are started, to be kept in a new folder. */
  async restore(): Promise<string> {
    mkdirSync(join(this.folder, 'disk'));
    chownSync(join(this.folder, 'disk'), this.user.uid, this.user.gid);
    const said = await this.run(join(SCRIPTS, 'restore'), this.backups, this.data);
    rmSync(this.backups, { recursive: true });
    mkdirSync(this.backups);
    chownSync(this.backups, this.user.uid, this.user.gid);
    await this.launch();
    return said;
  }

  get dumped(): string {
    return join(this.backups, 'duka.dump');
  }

  /** `pg_dump`, while others write. */
  dump(): Promise<string> {
    return this.run(join(this.bin, 'pg_dump'), '--format=custom', `--file=${this.dumped}`, 'duka');
  }

  /** `pg_restore`, after the role that is no part of a dump. */
  async load(file: string): Promise<void> {
    await this.run(join(this.bin, 'psql'), '--dbname=duka', '--command=CREATE ROLE duka_app NOLOGIN');
    await this.run(join(this.bin, 'pg_restore'), '--exit-on-error', '--dbname=duka', file);
  }

  /** Kills what runs, backends included. */
  async end(): Promise<void> {
    const running = [this.server, this.receiver].filter((child) => child !== undefined && child.exitCode === null);
    await Promise.all(
      running.map(async (child) => {
        const ended = once(child!, 'exit');
        process.kill(-child!.pid!, 'SIGKILL');
        await ended;
      }),
    );
    this.server = this.receiver = undefined;
  }

  /** MB of the base backup and of the WAL beside it. */
  size(part: 'base' | 'wal'): number {
    const said = execFileSync('du', ['--summarize', '--block-size=1M', join(this.backups, part)], { encoding: 'utf8' });
    return Number(said.split('\t')[0]);
  }

  private async untilItAnswers(): Promise<void> {
    for (let left = 600; ; left--) {
      const client = new Client({ connectionString: this.url.replace(/duka$/, 'postgres') });
      try {
        await client.connect();
        return;
      } catch (error) {
        if (left === 0) throw error;
        await sleep(ASK_MS);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  private get env(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return { PATH: `${this.bin}:${PATH}`, PGHOST: '127.0.0.1', PGPORT: String(this.port), PGUSER: 'duka' };
  }

  private spawn(name: string, file: string, ...args: string[]): ChildProcess {
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const stdio: StdioOptions = ['ignore', log, log];
    // A group of its own, to be killed as one.
    return spawn(file, args, { ...this.user, env: this.env, cwd: this.folder, stdio, detached: true });
  }

  private async run(file: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(file, args, { ...this.user, env: this.env, cwd: this.folder });
    return stdout.trim();
  }
}
