import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { runMigrations } from '../../src/migrations/migrations';
import { Env } from '../../src/core/config/env';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/core/database/embedded-postgres';
import { Duka } from './duka';
import { until } from './recurring-probe';

const TABLES = `
  SELECT c.relname AS name FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_migrations'
   ORDER BY c.relname`;

/** A PostgreSQL that knows nothing of the first one: another cluster, with transaction numbers of its own. */
export class SecondServer {
  private constructor(
    private readonly dataDir: string,
    public url: string,
  ) {}

  static async start(): Promise<SecondServer> {
    // PostgreSQL may run as another user.
    const dataDir = join(mkdtempSync(join(tmpdir(), 'duka-second-')), 'data');
    const { url } = await startEmbeddedPostgres({ dataDir, durable: false });
    await runMigrations(Object.assign(new Env(), { DATABASE_URL: url }));
    return new SecondServer(dataDir, url);
  }

  async stop(): Promise<void> {
    await stopEmbeddedPostgres(this.dataDir, 'immediate');
    rmSync(join(this.dataDir, '..'), { recursive: true, force: true });
  }

  private get kept(): string {
    return join(this.dataDir, '..', 'kept');
  }

  /** Stops it, and keeps what is on its disk now. */
  async keep(): Promise<void> {
    await stopEmbeddedPostgres(this.dataDir);
    execFileSync('cp', ['--archive', this.dataDir, this.kept]);
  }

  /** As a restore by WAL does: the same server, as it was when it was kept, begins another timeline. */
  async goBack(): Promise<void> {
    await stopEmbeddedPostgres(this.dataDir, 'immediate');
    rmSync(this.dataDir, { recursive: true });
    execFileSync('cp', ['--archive', this.kept, this.dataDir]);
    const cluster = join(this.dataDir, 'postgres');
    writeFileSync(join(cluster, 'recovery.signal'), '');
    appendFileSync(join(cluster, 'postgresql.auto.conf'), `restore_command = 'false'\n`);
    ({ url: this.url } = await startEmbeddedPostgres({ dataDir: this.dataDir, durable: false }));
    const client = new Client({ connectionString: this.url });
    await client.connect();
    await until(async () => (await client.query('SELECT pg_is_in_recovery() AS is')).rows[0].is === false);
    await client.end();
  }

  /**
   * What `pg_dump` and `psql` do: all rows, read from one snapshot, written by new transactions. The tables of `early` were
   * read before, and `between` ran after that: a copy of table after table.
   */
  async restore(
    from: string,
    { early = [], between }: { early?: readonly string[]; between?: () => Promise<void> } = {},
  ): Promise<void> {
    const [source, target] = [new Client({ connectionString: from }), new Client({ connectionString: this.url })];
    await Promise.all([source.connect(), target.connect()]);
    try {
      const names = (await source.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
      for (const name of early) await copy(name, source, target);
      await between?.();
      await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      for (const name of names.filter((name) => !early.includes(name))) await copy(name, source, target);
      await source.query('COMMIT');
    } finally {
      await Promise.all([source.end(), target.end()]);
    }
  }

  /** The service on a copy of what was restored. */
  async serve(settings: Partial<Env>): Promise<Duka> {
    const first = process.env.DUKA_TEST_POSTGRES;
    process.env.DUKA_TEST_POSTGRES = this.url;
    try {
      const duka = await Duka.start(settings);
      // Its database is dropped where it was made.
      const stop = duka.stop.bind(duka);
      duka.stop = async () => this.meanwhile(stop);
      return duka;
    } finally {
      process.env.DUKA_TEST_POSTGRES = first;
    }
  }

  private async meanwhile(work: () => Promise<void>): Promise<void> {
    const first = process.env.DUKA_TEST_POSTGRES;
    process.env.DUKA_TEST_POSTGRES = this.url;
    try {
      await work();
    } finally {
      process.env.DUKA_TEST_POSTGRES = first;
    }
  }
}

async function copy(name: string, source: Client, target: Client): Promise<void> {
  await target.query(`DELETE FROM ${name}`);
  // As text: there are numbers that JavaScript does not hold.
  const { rows } = await source.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
  for (let at = 0; at < rows.length; at += 500) {
    const part = rows.slice(at, at + 500).map(({ row }) => row);
    await target.query(`INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`, [
      `[${part.join()}]`,
    ]);
  }
}
