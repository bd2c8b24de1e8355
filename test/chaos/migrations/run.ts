import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedLease } from '../../../src/core/database/embedded-lease';
import { type Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { conclude, option } from '../command-line';
import { Business, Work } from './rows';
import { schemaOf } from './schema';
import { freePort } from '../../../src/core/process/ports';

/** The first schema that serves with months that are kept and months that go. */
const FIRST = 19;
/** After so long a migration is killed, each time that it is run again; then it is let alone. */
const KILL_AFTER_MS = [300, 1_000, 3_000];
const LONGEST_WAIT_MS = 1_000;
const CAPACITY_MS = 5_000;
const SHARE_OF_CAPACITY = 0.5;
const CALM_MS = 2_000;

/**
 * `npm run test:migrations`: a database of 0019 with a business of years in it, at work, gets each later migration, one
 * at a time, each killed with -9 and run again. `--rows=<transactions>`, `--months=<months>`, `--until=<number>`.
 */
runProcess(async (lifetime) => {
  const [rows, months] = [Number(option('rows') ?? 10_000_000), Number(option('months') ?? 36)];
  const folder = mkdtempSync(join(tmpdir(), 'duka-migrations-'));
  chmodSync(folder, 0o711);
  await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();

  // Filled without waiting for the disk; what is measured is durable.
  const hasty = await EmbeddedLease.take({ dataDir: folder, port, durable: false });
  await migrate(hasty.url, FIRST);
  const business = new Business(hasty.url, rows, months);
  const filledFrom = performance.now();
  const all = await business.fill();
  console.log(`${rows} transactions in ${months} months, ${all} rows: filled in ${seconds(filledFrom)} s`);
  await hasty.release();
  const { url } = await lifetime.own(EmbeddedLease.take({ dataDir: folder, port }), (lease) => lease.release());
  const client = await lifetime.own(connect(url), (it) => it.end());

  const capacity = new Work(business);
  await capacity.start();
  await sleep(CAPACITY_MS);
  await capacity.end();
  const perSecond = ((capacity.done * 1_000) / CAPACITY_MS) * SHARE_OF_CAPACITY;
  console.log(`at most ${(capacity.done * 1_000) / CAPACITY_MS} transfers a second, ${perSecond} beside migrations`);
  const work = await lifetime.own(begin(business, perSecond), (it) => it.end());
  await sleep(CALM_MS);
  console.log(`slowest transfer without a migration: ${Math.round(work.slowestMs)} ms\n`);

  console.log('| Migration | Seconds | Last run | Killed | Tries | Stopped others | Slowest transfer |');
  console.log('|---|--:|--:|--:|--:|--:|--:|');
  const [until, progress] = [Number(option('until') ?? Infinity), new Progress(work)];
  while (!(await migrate(url, until, progress.hear))) continue;
  progress.tell();
  const wrong = [...progress.wrong, ...(await halfMade(client))];
  await work.end();
  wrong.push(...Array.from(work.faults, ([what, count]) => `${count} × ${what}`));
  if (until === Infinity) wrong.push(...(await differences(lifetime, client, url)));
  await conclude(lifetime, wrong, 'All as it should be.');
});

const seconds = (from: number): string => ((performance.now() - from) / 1_000).toFixed(1);

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function begin(business: Business, perSecond: number): Promise<Work> {
  const work = new Work(business);
  await work.start(perSecond);
  return work;
}

/** All migrations up to a number, in a process of their own; false if it was killed. */
async function migrate(url: string, until: number, hear?: Progress['hear']): Promise<boolean> {
  const args = ['-r', './bench/typescript.cjs', join(__dirname, 'one.ts'), String(until), ...(hear ? ['paced'] : [])];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, DATABASE_URL: url, REDIS_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const [, what, name] = /^(begins|ends) (\w+)$/.exec(line) ?? [];
    if (what && name) hear?.(what, name, () => child.kill('SIGKILL'));
  }
  const [code, signal] = (await exit) as [number | null, string | null];
  if (code === 0 || signal === 'SIGKILL') return code === 0;
  throw new Error(`the migrations ended with ${code ?? signal}`);
}

/** Which migration runs, what it has done to others, and when it is to be killed. */
class Progress {
  readonly wrong: string[] = [];
  private name = '';
  /** Of its first run, of the one that comes to its end, and that end. */
  private firstAt = 0;
  private begunAt = 0;
  private endedAt = 0;
  /** More than one where it gave up a lock. */
  private tries = 0;
  private killed = 0;
  private timer?: NodeJS.Timeout;

  constructor(private readonly work: Work) {}

  readonly hear = (what: string, name: string, kill: () => void): void => {
    if (what === 'ends') {
      clearTimeout(this.timer);
      this.endedAt = performance.now();
    } else if (name === this.name && this.tries > 0) this.tries++;
    else this.begin(name, kill);
  };

  private begin(name: string, kill: () => void): void {
    if (name !== this.name) {
      this.tell();
      this.work.forget();
      this.killed = 0;
      this.firstAt = performance.now();
    }
    this.name = name;
    this.tries = 1;
    this.begunAt = performance.now();
    const after = KILL_AFTER_MS[this.killed];
    if (after === undefined) return;
    this.timer = setTimeout(() => {
      this.killed++;
      this.tries = 0;
      kill();
    }, after);
  }

  tell(): void {
    if (this.name === '') return;
    const [stopped, slowest] = [Math.round(this.work.stoppedMs), Math.round(this.work.slowestMs)];
    const title = `${this.name.slice(-4)} ${this.name.slice(0, -13)}`;
    const [all, last] = [this.firstAt, this.begunAt].map((from) => ((this.endedAt - from) / 1_000).toFixed(1));
    const cells = [title, all, last, this.killed, this.tries, `${stopped} ms`, `${slowest} ms`];
    console.log(`| ${cells.join(' | ')} |`);
    if (stopped > LONGEST_WAIT_MS) this.wrong.push(`${title} stopped others for ${stopped} ms`);
  }
}

/** Indexes that a killed process left. */
async function halfMade(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ index: string }>(
    'SELECT indexrelid::regclass::text AS index FROM pg_index WHERE NOT indisvalid',
  );
  return rows.map(({ index }) => `left invalid: ${index}`);
}

/** What is otherwise in a database that was migrated without rows, at once. */
async function differences(lifetime: Lifetime, client: Client, url: string): Promise<string[]> {
  await client.query('CREATE DATABASE fresh');
  const address = new URL(url);
  address.pathname = 'fresh';
  await migrate(address.href, Infinity);
  const fresh = await lifetime.own(connect(address.href), (it) => it.end());
  const [here, there] = [await schemaOf(client), await schemaOf(fresh)];
  return [
    ...[...here].filter((line) => !there.has(line)).map((line) => `only in the filled one: ${line}`),
    ...[...there].filter((line) => !here.has(line)).map((line) => `only in the fresh one: ${line}`),
  ];
}
