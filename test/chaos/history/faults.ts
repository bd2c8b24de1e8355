import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LostCommit, PostgresProxy } from '../../support/postgres-proxy';
import type { Member } from '../cards/member';
import { killBackend, killPostmaster, postmasterOf } from '../faults';
import { childrenOf, statOf } from '../process-table';
import type { Service } from '../service';
import type { RedisServer } from '../webhooks/redis-server';

export interface Stage {
  readonly service: Service;
  readonly worker: Member;
  readonly redis: RedisServer;
  /** Between the processes and PostgreSQL. */
  readonly wire: PostgresProxy;
}

interface Fault {
  readonly name: string;
  readonly times: number;
  /** In `--short`. */
  readonly short: number;
  readonly strike: (stage: Stage, isShort: boolean) => Promise<unknown>;
}

/** A second or two in `--short`; else up to half a minute. */
const stopMs = (isShort: boolean): number => randomInt(1_000, isShort ? 2_000 : 30_000);
const CUT_MS = 1_000;
const COMMIT_MAX_MS = 10_000;
const POLL_MS = 10;

/** What strikes while clients work; the faults of chaos/faults.ts wait for its service to answer again. */
const target = (stage: Stage) => ({
  service: stage.service,
  load: { nextSuccess: async () => undefined, unanswered: [], replayed: 0 },
});

const losing =
  (how: LostCommit) =>
  async ({ wire }: Stage): Promise<void> => {
    const before = wire.lost;
    wire.loseCommit(how);
    for (const end = performance.now() + COMMIT_MAX_MS; wire.lost === before; await sleep(POLL_MS))
      if (performance.now() > end) throw new Error('no COMMIT came by');
  };

async function pausePostgres({ service }: Stage, isShort: boolean): Promise<void> {
  const postmaster = await postmasterOf(service.databaseUrl);
  const all = [postmaster, ...childrenOf(postmaster)];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  await sleep(stopMs(isShort));
  for (const pid of all) if (statOf(pid) !== null) process.kill(pid, 'SIGCONT');
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
];
