import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { newId } from '../../src/core/http/ids';
import { createTestDatabase } from './database';

const ROOT = join(__dirname, '../..');
/** Of a command's second to start, a quarter is spent on compiling. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');

export function node(args: string[], settings: Record<string, string> = {}) {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...settings,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** `npm run duka -- <command> --json` on a database of its own. */
export class CommandLine {
  private constructor(
    readonly url: string,
    readonly drop: () => Promise<void>,
  ) {}

  static async start(): Promise<CommandLine> {
    const database = await createTestDatabase();
    const build = node(['scripts/build-when-stale.mjs']);
    if (build.status !== 0) throw new Error(build.stdout + build.stderr);
    return new CommandLine(database.url, () => database.drop());
  }

  /** On what there is already, built and running. */
  static on(url: string): CommandLine {
    return new CommandLine(url, async () => undefined);
  }

  readonly duka = (...command: string[]) => {
    const { status, stdout, stderr } = node(['dist/src/cli/duka.js', ...command, '--json'], { DATABASE_URL: this.url });
    return { status, stderr, json: stdout && JSON.parse(stdout) };
  };

  async query(statement: string, values: unknown[] = []): Promise<any[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Somebody with a log-in; the options that make them the one who orders. */
  async person(email: string, operator: boolean): Promise<string[]> {
    await this.query(
      `INSERT INTO users (id, email, name, password_hash, proven, operator) VALUES ($1, $2, $2, '', true, $3)`,
      [newId(), email, operator],
    );
    return ['--person', email, '--reason', 'bank statement 7'];
  }

  audited(): Promise<any[]> {
    return this.query('SELECT action, actor, user_id AS "userId", target, detail FROM audit_log ORDER BY id');
  }
}
