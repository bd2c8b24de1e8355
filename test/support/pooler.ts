import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/core/process/ports';
import { until } from './recurring-probe';
import { accepts } from './redis-server';

const NOBODY = 65_534;

/** The machine's PgBouncer before a test's PostgreSQL, for its superuser. */
export class Pooler {
  private constructor(
    private readonly folder: string,
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  /** `settings`: lines of its `[pgbouncer]` part. */
  static async start(database: string, ...settings: readonly string[]): Promise<Pooler> {
    const { username, password, hostname, port, pathname } = new URL(database);
    const folder = mkdtempSync(join(tmpdir(), 'duka-pooler-'));
    chmodSync(folder, 0o755);
    const own = String(await freePort());
    writeFileSync(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`);
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr=127.0.0.1',
      `listen_port=${own}`,
      'unix_socket_dir=',
      'auth_type=plain',
      `auth_file=${join(folder, 'users')}`,
      ...settings,
    ];
    writeFileSync(join(folder, 'pooler.ini'), lines.join('\n'));
    // It does not run as root.
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const pooler = spawn('pgbouncer', ['-q', join(folder, 'pooler.ini')], { stdio: 'ignore', ...user });
    await until(() => accepts(Number(own)));
    return new Pooler(folder, pooler, `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`);
  }

  async end(): Promise<void> {
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
    rmSync(this.folder, { recursive: true });
  }
}
