import { Client } from 'pg';
import { GLOBAL_TABLES } from '../../src/core/cells/control-cell';
import { Env } from '../../src/core/config/env';
import { addCell, initCell } from '../../src/cli/cells';
import { freePort } from '../../src/core/process/ports';
import { createTestDatabase, type TestDatabase } from './database';
import { Duka } from './duka';
import { CELL_SECRET } from './other-cell';

const NAMES = ['a', 'b', 'c'] as const;
export type CellName = (typeof NAMES)[number];

/** Slots of `b` and `c`; `a`, the control cell, keeps the others. */
const TAKEN = { b: { from: 0x500, to: 0xaff }, c: { from: 0xb00, to: 0xfff } };

/** Three cells, each a service on a database of its own, which all have the same table of slots. */
export class ThreeCells {
  private constructor(
    readonly of: Record<CellName, Duka>,
    private readonly databases: readonly TestDatabase[],
  ) {}

  static async start(settings: Partial<Env> = {}): Promise<ThreeCells> {
    const databases = await Promise.all(NAMES.map(() => createTestDatabase()));
    const ports: number[] = [];
    for (const _ of NAMES) ports.push(await freePort());
    const addresses = ports.map((port) => [`http://127.0.0.1:${port}`]);
    const control = Object.assign(new Env(), { DATABASE_URL: databases[0]!.url });
    await initCell(control, 'a', addresses[0]!);
    await addCell(control, 'b', addresses[1]!, TAKEN.b);
    await addCell(control, 'c', addresses[2]!, TAKEN.c);
    for (const [i, { url }] of databases.entries())
      if (i > 0) await ask(url, `INSERT INTO this_cell (name) VALUES ($1)`, [NAMES[i]]);
    await copyTables(databases);
    const [a, b, c] = await Promise.all(
      databases.map((database, i) => Duka.start({ CELL_SECRET, ...settings }, { database, port: ports[i] })),
    );
    return new ThreeCells({ a: a!, b: b!, c: c! }, databases);
  }

  get all(): Duka[] {
    return NAMES.map((name) => this.of[name]);
  }

  /** Every cell has what the control cell has by now. */
  replicate(): Promise<void> {
    return copyTables(this.databases);
  }

  /** Its service was closed. */
  async restart(name: CellName): Promise<void> {
    await this.of[name].reopen(Number(new URL(this.of[name].url).port));
  }

  async stop(): Promise<void> {
    for (const duka of this.all) await duka.stop();
  }
}

/** What replication does. */
async function copyTables([from, ...others]: readonly TestDatabase[]): Promise<void> {
  const selected = GLOBAL_TABLES.map((table) => `(SELECT coalesce(jsonb_agg(t), '[]') FROM ${table} t) AS ${table}`);
  const [rows] = await ask(from!.url, `SELECT to_jsonb(s)::text AS all FROM (SELECT ${selected.join(', ')}) s`);
  const statements = GLOBAL_TABLES.map(
    (table) =>
      `DELETE FROM ${table}; INSERT INTO ${table} SELECT r.* FROM copied,
         jsonb_populate_recordset(NULL::${table}, copied.rows -> '${table}') AS r;`,
  );
  for (const { url } of others)
    await connected(url, async (client) => {
      await client.query('CREATE TEMPORARY TABLE copied (rows jsonb)');
      await client.query('INSERT INTO copied VALUES ($1)', [(rows as { all: string }).all]);
      // As one who applies what was replicated: constraints between tables were kept where it was written.
      await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statements.join(' ')} COMMIT`);
    });
}

async function ask(url: string, statement: string, values: unknown[] = []): Promise<object[]> {
  return connected(url, async (client) => (await client.query<object>(statement, values)).rows);
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const watching = new Set<(database: string, text: string) => void>();
const { query } = Client.prototype as { query: (...args: unknown[]) => unknown };
// Before there are connections: each keeps the function that it was made with.
Client.prototype.query = function (this: Client, ...args: unknown[]) {
  const [what] = args as [string | { text?: string } | undefined];
  for (const tell of watching) tell(this.database!, typeof what === 'string' ? what : (what?.text ?? ''));
  return query.apply(this, args);
} as typeof Client.prototype.query;

/** By itself, whoever asks for what. */
const OF_THE_PROCESS = /FROM cells ORDER BY/;

/** The statements that this process sends, by database, from now on; what a process reads by itself is left out. */
export function watchStatements(): { of: (duka: Duka) => string[]; end: () => void } {
  const sent: [string, string][] = [];
  const tell = (database: string, text: string) => {
    if (!OF_THE_PROCESS.test(text)) sent.push([database, text]);
  };
  watching.add(tell);
  return {
    of: ({ env }) => {
      const own = new URL(env.DATABASE_URL!).pathname.slice(1);
      return sent.filter(([database]) => database === own).map(([, text]) => text);
    },
    end: () => void watching.delete(tell),
  };
}
