import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Processes } from './processes';

const DEBIAN = '/usr/lib/postgresql';
const SCALE = 50;

export const HOW_TO_GET_PGBENCH = 'pgbench is not installed (Debian and Ubuntu: apt-get install postgresql-contrib)';

/** pgbench's own TPC-B-like transfer, in a database of its own beside ours: what this machine and server can do. */
export class Pgbench {
  private constructor(
    private readonly processes: Processes,
    private readonly program: string,
    private readonly server: URL,
  ) {}

  /** Makes its database; null where there is no pgbench. */
  static async prepare(processes: Processes, serverUrl: string): Promise<Pgbench | null> {
    const program = findProgram();
    if (!program) return null;
    const client = new Client({ connectionString: serverUrl });
    await client.connect();
    await client.query('CREATE DATABASE pgbench');
    const pgbench = new Pgbench(processes, program, new URL(serverUrl));
    await pgbench.call(['--initialize', '--quiet', '-s', String(SCALE)]);
    // Else the pages of 5,000,000 new rows would be written out while something is measured.
    await client.query('CHECKPOINT');
    await client.end();
    return pgbench;
  }

  /** Transactions per second of 32 clients, with the statements prepared. */
  async perSecond(seconds: number): Promise<number> {
    const printed = await this.call([
      '-M',
      'prepared',
      '-c',
      '32',
      '-j',
      '2',
      '-s',
      String(SCALE),
      '-T',
      String(seconds),
    ]);
    const failed = /failed transactions: (\d+)/.exec(printed)?.[1];
    const tps = Number(/^tps = ([\d.]+)/m.exec(printed)?.[1]);
    if ((failed !== undefined && failed !== '0') || !(tps > 0)) throw new Error(`pgbench: ${printed}`);
    return tps;
  }

  async version(): Promise<string> {
    return (await this.processes.run(this.program, ['--version'])).trim();
  }

  private call(args: readonly string[]): Promise<string> {
    const { hostname: PGHOST, port: PGPORT, username: PGUSER, password } = this.server;
    const env = {
      PATH: process.env.PATH,
      PGHOST,
      PGPORT,
      PGUSER,
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: 'pgbench',
    };
    return this.processes.run(this.program, args, { env });
  }
}

/** On PATH, else where Debian keeps it, newest first. */
function findProgram(): string | undefined {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env.PATH ?? '').split(':'), ...debian.map((version) => join(DEBIAN, version, 'bin'))];
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}
