import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LostCommit } from '../../support/postgres-proxy';
import { ask, killBackend, killPostmaster, postmasterOf } from '../faults';
import { childrenOf, statOf } from '../process-table';
import type { Stage } from '../stage';
import type { RedisServer } from '../webhooks/redis-server';
import type { Disk } from './disk';

export interface Struck extends Stage {
  readonly redis: RedisServer;
  /** Of PostgreSQL; null: it has none of its own. */
  readonly disk: Disk | null;
  /** By how many milliseconds the clocks of the processes are off. */
  readonly clockFile: string;
  /** Of the API when it is launched next. */
  readonly settings: NodeJS.ProcessEnv;
}

interface Fault {
  readonly name: string;
  readonly times: number;
  /** In `--short`. */
  readonly short: number;
  readonly strike: (stage: Struck, isShort: boolean) => Promise<unknown>;
  /** Of PostgreSQL, that can be filled. */
  readonly needsDisk?: true;
}

/** A second or two in `--short`; else up to half a minute. */
const stopMs = (isShort: boolean): number => randomInt(1_000, isShort ? 2_000 : 30_000);
const CUT_MS = 1_000;
const COMMIT_MAX_MS = 10_000;
const POLL_MS = 10;
const [DISK_MAX_MS, DISK_POLL_MS] = [60_000, 200];
const DISK_FULL = 'No space left on device';
/** It starts within 60; what it dies of is what so many readers at once make it hold. */
const [HEAP_MB, READERS, MEMORY_MAX_MS] = [80, 200, 60_000];
const HOUR_MS = 3_600_000;

/** What strikes while clients work; the faults of chaos/faults.ts wait for its service to answer again. */
const target = (stage: Struck) => ({
  service: stage.service,
  load: { nextSuccess: async () => undefined, unanswered: [], replayed: 0 },
});

const losing =
  (how: LostCommit) =>
  async ({ wire }: Struck): Promise<void> => {
    const before = wire.lost;
    wire.loseCommit(how);
    for (const end = performance.now() + COMMIT_MAX_MS; wire.lost === before; await sleep(POLL_MS))
      if (performance.now() > end) throw new Error('no COMMIT came by');
  };

async function pausePostgres({ service }: Struck, isShort: boolean): Promise<void> {
  const postmaster = await postmasterOf(service.databaseUrl);
  const all = [postmaster, ...childrenOf(postmaster)];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  await sleep(stopMs(isShort));
  for (const pid of all) if (statOf(pid) !== null) process.kill(pid, 'SIGCONT');
}

const jumping =
  (ms: number) =>
  async ({ clockFile }: Struck, isShort: boolean): Promise<void> => {
    writeFileSync(clockFile, String(ms));
    await sleep(stopMs(isShort));
    writeFileSync(clockFile, '0');
  };

/** Until a client of the service was refused for it, or PostgreSQL ended; then for a while. */
const fillingDisk =
  (isForWal: boolean) =>
  async ({ disk, service }: Struck, isShort: boolean): Promise<void> => {
    const refusals = (): number => service.logs.split(DISK_FULL).length;
    const before = refusals();
    // In place, and into the room that its files have, PostgreSQL writes on for a while; for its log it is made to need a new one.
    const isRefused = (): Promise<boolean> =>
      ask(service.databaseUrl, isForWal ? 'SELECT pg_switch_wal()' : 'SELECT').then(
        () => refusals() > before,
        () => true,
      );
    disk!.fill();
    try {
      for (const end = performance.now() + DISK_MAX_MS; !(await isRefused()); await sleep(DISK_POLL_MS))
        if (performance.now() > end) throw new Error('the full disk was not noticed');
      await sleep(stopMs(isShort));
    } finally {
      disk!.free();
    }
    await service.untilReady();
  };

/** With room for little more than its start the API dies of what it is asked. */
async function runOutOfMemory({ service, settings }: Struck): Promise<void> {
  const { NODE_OPTIONS } = settings;
  await service.end('SIGTERM');
  settings.NODE_OPTIONS = `${NODE_OPTIONS} --max-old-space-size=${HEAP_MB}`;
  service.launch();
  let how: string | null = null;
  const ended = service.untilEnded().then((by) => (how = by));
  settings.NODE_OPTIONS = NODE_OPTIONS;
  await Promise.race([service.untilReady(), ended]);
  if (how !== null) throw new Error(`the API did not start in ${HEAP_MB} MB`);
  const end = performance.now() + MEMORY_MAX_MS;
  const read = async (): Promise<void> => {
    while (how === null && performance.now() < end)
      await fetch(`${service.url}/v4/transactions?limit=100`, { headers: { authorization: `Bearer ${service.key}` } })
        .then((answer) => answer.text())
        .catch(() => sleep(POLL_MS));
  };
  await Promise.all(Array.from({ length: READERS }, read));
  // Which V8 ends with SIGABRT, or SIGTRAP.
  if (how === null) throw new Error(`the API had room enough in ${HEAP_MB} MB`);
  service.launch();
  await service.untilReady();
}

export const PLAN: readonly Fault[] = [
  {
    name: 'API, kill -9',
    times: 100,
    short: 1,
    strike: async ({ service }) => {
      await service.end('SIGKILL');
      service.launch();
      await service.untilReady();
    },
  },
  {
    name: 'worker, kill -9',
    times: 100,
    short: 1,
    strike: async ({ worker }) => {
      await worker.kill();
      await worker.untilReady();
    },
  },
  { name: 'PostgreSQL, kill -9', times: 30, short: 1, strike: (stage) => killPostmaster(target(stage)) },
  { name: 'PostgreSQL, a session, kill -9', times: 10, short: 1, strike: (stage) => killBackend(target(stage)) },
  {
    name: 'Redis, kill -9, and empty again',
    times: 30,
    short: 1,
    strike: async ({ redis }) => {
      await redis.stop('SIGKILL');
      await redis.start();
    },
  },
  { name: 'Redis, FLUSHALL', times: 10, short: 1, strike: ({ redis }) => redis.flushAll() },
  { name: 'API, SIGSTOP', times: 10, short: 1, strike: ({ service }, isShort) => service.pause(stopMs(isShort)) },
  { name: 'worker, SIGSTOP', times: 10, short: 1, strike: ({ worker }, isShort) => worker.pause(stopMs(isShort)) },
  { name: 'PostgreSQL, SIGSTOP', times: 10, short: 1, strike: pausePostgres },
  { name: 'Redis, SIGSTOP', times: 10, short: 1, strike: ({ redis }, isShort) => redis.pause(stopMs(isShort)) },
  {
    name: 'all connections to PostgreSQL cut',
    times: 10,
    short: 1,
    strike: async ({ wire, service }) => {
      await wire.goAway();
      await sleep(randomInt(CUT_MS));
      await wire.comeBack();
      await service.untilReady();
    },
  },
  { name: 'COMMIT that never arrives', times: 10, short: 1, strike: losing('never arrives') },
  { name: 'COMMIT that arrives late', times: 10, short: 1, strike: losing('arrives late') },
  { name: 'COMMIT that is not answered', times: 10, short: 1, strike: losing('is not answered') },
  { name: 'disk full', times: 5, short: 0, strike: fillingDisk(false), needsDisk: true },
  { name: 'disk full, log of changes', times: 5, short: 0, strike: fillingDisk(true), needsDisk: true },
  { name: 'API, out of memory', times: 5, short: 0, strike: runOutOfMemory },
  { name: 'clock of API and worker, +1 h', times: 5, short: 0, strike: jumping(HOUR_MS) },
  { name: 'clock of API and worker, -1 h', times: 5, short: 0, strike: jumping(-HOUR_MS) },
  { name: 'clock of API and worker, +3 days', times: 5, short: 1, strike: jumping(72 * HOUR_MS) },
  { name: 'clock of API and worker, -3 days', times: 5, short: 1, strike: jumping(-72 * HOUR_MS) },
];
