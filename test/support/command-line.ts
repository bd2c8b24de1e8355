import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { duka } from '../../src/cli/duka';
import { newId } from '../../src/core/http/ids';
import { Lifetime } from '../../src/core/process/lifetime';
import { createTestDatabase } from './database';
import { CELL_SECRET, isAmongCells, isOfOneProcess } from './other-cell';

const ROOT = join(__dirname, '../..');
/** Of the second that a command takes to start, a quarter is spent on compiling. */
export const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

export function node(args: string[], settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, SECRETS_KEY, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** For tests that start processes of the service: its build is that of the sources. */
export function buildWhenStale(): void {
  const { status, stdout, stderr } = node(['scripts/build-when-stale.mjs']);
  if (status !== 0) throw new Error(stdout + stderr);
}

let before: Promise<unknown> = Promise.resolve();

/**
 * `npm run duka -- <words>` as far as it runs in this process: from the words and the environment to what is written
 * and the exit code. One after the other, since each has the environment and the output for itself.
 */
export function command(words: readonly string[], settings: Record<string, string>) {
  const done = before.then(() => runAlone(words, { PATH: process.env.PATH, SECRETS_KEY, ...settings }));
  before = done.catch(() => undefined);
  return done;
}

async function runAlone(words: readonly string[], env: NodeJS.ProcessEnv) {
  let [stdout, stderr, status] = ['', '', null as number | null];
  const own = process.env;
  process.env = env;
  const spies = [
    jest.spyOn(console, 'log').mockImplementation((text) => void (stdout += `${text}\n`)),
    jest.spyOn(console, 'error').mockImplementation((text) => void (stderr += `${text}\n`)),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((stderr += String(text)), true)),
  ];
  try {
    await new Lifetime((code) => (status = code)).run((lifetime) => duka(lifetime, words));
  } finally {
    process.env = own;
    for (const spy of spies) spy.mockRestore();
  }
  return { status, stdout, stderr };
}

/** `npm run duka -- <command> --json` on a database of its own. */
export class CommandLine {
  private constructor(
    readonly url: string,
    readonly drop: () => Promise<void>,
    private readonly settings: Record<string, string> = {},
  ) {}

  static async start(): Promise<CommandLine> {
    const database = await createTestDatabase();
    return new CommandLine(database.url, () => database.drop());
  }

  /** On what there is already. */
  static on(url: string): CommandLine {
    return new CommandLine(url, async () => undefined, isAmongCells && !isOfOneProcess('file') ? { CELL_SECRET } : {});
  }

  readonly duka = async (...words: string[]) =>
    answerOf(await command([...words, '--json'], { DATABASE_URL: this.url, ...this.settings }));

  /** The same as a process of its own, for what only that can prove. */
  readonly process = (...words: string[]) =>
    answerOf(node(['dist/src/cli/duka.js', ...words, '--json'], { DATABASE_URL: this.url, ...this.settings }));

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

export const answerOf = <T extends { stdout: string }>({ stdout, ...ended }: T) => ({
  ...ended,
  json: stdout && JSON.parse(stdout),
});
