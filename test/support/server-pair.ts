import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { embeddedBinaries, serverSettings, serverUser } from '../../src/core/database/embedded-cluster';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/core/database/embedded-postgres';
import { freePort } from '../../src/core/process/ports';
import { until } from './recurring-probe';

/** A PostgreSQL and its standby, without whose word nothing is committed. */
export class ServerPair {
  private constructor(
    private readonly folder: string,
    private readonly address: URL,
    private readonly ports: { readonly primary: number; readonly standby: number },
  ) {}

  static async start(): Promise<ServerPair> {
    const folder = mkdtempSync(join(tmpdir(), 'duka-pair-'));
    chmodSync(folder, 0o711);
    const [primary, standby] = ['primary', 'standby'].map((name) => join(folder, name)) as [string, string];
    const { url, port } = await startEmbeddedPostgres({ dataDir: primary, durable: false });
    const pair = new ServerPair(folder, new URL(url), { primary: port, standby: await freePort() });
    await stopEmbeddedPostgres(primary);
    mkdirSync(standby, { mode: 0o711 });
    for (const name of ['postgres', 'postgres.password'])
      execFileSync('cp', ['--archive', join(primary, name), join(standby, name)]);
    writeFileSync(join(standby, 'postgres', 'standby.signal'), '');
    await Promise.all([pair.launch('primary'), pair.launch('standby')]);
    const client = await pair.client('primary');
    await until(async () => (await client.query('SELECT 1 FROM pg_stat_replication')).rowCount === 1);
    // From now on, since nothing else is committed meanwhile.
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await client.query('SELECT pg_reload_conf()');
    await until(
      async () => (await client.query('SHOW synchronous_standby_names')).rows[0].synchronous_standby_names === '*',
    );
    await client.end();
    return pair;
  }

  /** Of the database `duka`, on these servers in this order. */
  url(...names: ('primary' | 'standby')[]): string {
    const hosts = names.map((name) => `127.0.0.1:${this.ports[name]}`).join();
    const { username, password, pathname } = this.address;
    return `postgres://${username}:${password}@${hosts}${pathname}`;
  }

  async client(name: 'primary' | 'standby'): Promise<Client> {
    const client = new Client({ connectionString: this.url(name) }).on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** The primary is gone, from one moment to the next. */
  losePrimary(): Promise<void> {
    return stopEmbeddedPostgres(join(this.folder, 'primary'), 'immediate');
  }

  async promoteStandby(): Promise<void> {
    const client = await this.client('standby');
    await client.query('SELECT pg_promote()');
    await client.end();
  }

  async stop(): Promise<void> {
    for (const name of ['primary', 'standby']) await stopEmbeddedPostgres(join(this.folder, name), 'immediate');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async launch(name: 'primary' | 'standby'): Promise<void> {
    const cluster = join(this.folder, name, 'postgres');
    const { postgres } = embeddedBinaries();
    const { password } = this.address;
    const settings = {
      synchronous_commit: 'on',
      primary_conninfo: `host=127.0.0.1 port=${this.ports.primary} user=postgres password=${password}`,
    };
    const [file, args, ids] = serverUser(cluster, postgres).command(postgres, [
      '-D',
      cluster,
      '-p',
      String(this.ports[name]),
      ...serverSettings(false),
      ...Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]),
    ]);
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    spawn(file, args, { ...ids, cwd: '/', detached: true, stdio: ['ignore', log, log] }).unref();
    closeSync(log);
    const answers = () =>
      this.client(name).then(
        (client) => client.end().then(() => true),
        () => false,
      );
    await until(answers);
  }
}
