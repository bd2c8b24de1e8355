import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Load } from './load';
import { statOf } from './process-table';
import type { Service } from './service';

export interface Target {
  readonly service: Service;
  readonly load: Pick<Load, 'nextSuccess' | 'unanswered' | 'replayed'>;
}

/** How the service took it. */
interface Taken {
  readonly said: string;
  /** From a kill until a transfer succeeds again. */
  readonly recoveryMs?: number;
  readonly wrong: readonly string[];
}

export type Fault = (target: Target) => Promise<Taken>;

const RECOVERY_MAX_MS = 5_000;
const EXIT_MAX_MS = 15_000;
const POLL_MS = 10;

/** `kill -9` of the API; its supervisor starts it again at once. */
export const killApi: Fault = async (target) => {
  const since = performance.now();
  await target.service.end('SIGKILL');
  target.service.launch();
  return recovery(target, since);
};

/** `kill -9` of the session that PostgreSQL worked for last: most likely the ledger's, within a batch. */
export const killBackend: Fault = (target) =>
  strikePostgres(
    target,
    `
    SELECT pid FROM pg_stat_activity WHERE application_name = 'duka' AND backend_type = 'client backend'
     ORDER BY state = 'active' DESC, query_start DESC LIMIT 1`,
  );

const POSTMASTER = `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`;

export const postmasterOf = async (databaseUrl: string): Promise<number> =>
  (await ask<{ pid: number }>(databaseUrl, POSTMASTER))[0]!.pid;

export async function ask<Row extends object>(url: string, statement: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** `kill -9` of the postmaster. */
export const killPostmaster: Fault = (target) => strikePostgres(target, POSTMASTER);

/** A fast shutdown, as `pg_ctl restart` asks for, and a start by its launcher. */
export const restartPostgres: Fault = (target) => strikePostgres(target, POSTMASTER, 'SIGINT');

async function strikePostgres(target: Target, victim: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<Taken> {
  const client = new Client({ connectionString: target.service.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  const sessions = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  const { rows } = await client.query<{ pid: number }>(victim);
  const since = performance.now();
  process.kill(rows[0]!.pid, signal);
  // Each takes every session along, some a moment later: what still succeeds in one of them proves nothing.
  while (sessions.rows.some(({ pid }) => statOf(pid) !== null)) await sleep(POLL_MS);
  return recovery(target, since);
}

async function recovery({ service, load }: Target, since: number): Promise<Taken> {
  await Promise.all([service.untilReady(), load.nextSuccess()]);
  const recoveryMs = Math.round(performance.now() - since);
  const wrong = recoveryMs > RECOVERY_MAX_MS ? [`away for more than ${RECOVERY_MAX_MS} ms`] : [];
  return { said: `ready again in ${recoveryMs} ms`, recoveryMs, wrong };
}

/** SIGTERM, as a deployment stops a process, and a start of the next. */
export const stopGracefully: Fault = async ({ service, load }) => {
  const wrong: string[] = [];
  const [unansweredBefore, replayedBefore] = [load.unanswered.length, load.replayed];
  const watch = watchReadiness(service);
  await sleep(10 * POLL_MS);
  const since = performance.now();
  const exitCode = await service.end('SIGTERM');
  const ms = Math.round(performance.now() - since);
  const told = await watch.end();
  if (exitCode !== 0) wrong.push(`exit code ${exitCode}`);
  if (ms > EXIT_MAX_MS) wrong.push(`more than ${EXIT_MAX_MS} ms`);
  if (told !== '503 Not ready: stopping.') wrong.push(`/readyz did not say first that it stops, but: ${told}`);
  const cut = load.unanswered
    .slice(unansweredBefore)
    .filter(({ sentAt, code }) => sentAt < since && code !== 'ECONNREFUSED');
  if (cut.length > 0)
    wrong.push(
      `${cut.length} requests of before the signal were cut (${[...new Set(cut.map(({ code }) => code))].join()})`,
    );
  service.launch();
  await Promise.all([service.untilReady(), load.nextSuccess()]);
  // Each client has sent again by now what it got no answer to.
  await sleep(1_000);
  const silent = load.replayed - replayedBefore;
  if (silent > 0) wrong.push(`${silent} requests took effect without an answer`);
  return { said: `ended in ${ms} ms`, wrong };
};

/** Asks again and again; `end` returns the first answer that was not 200. */
function watchReadiness(service: Service): { end(): Promise<string> } {
  let first: string | null = null;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver && first === null; await sleep(POLL_MS)) {
      const answer = await service.readiness();
      if (answer !== '200') first = answer;
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return first ?? 'nothing';
    },
  };
}
