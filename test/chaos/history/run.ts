import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedLease } from '../../../src/core/database/embedded-lease';
import { type Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { freePort } from '../../../src/core/process/ports';
import { Play } from '../../history/play';
import { Recorder } from '../../history/recorder';
import { check } from '../../history/run';
import { brokenChecks } from '../../support/books';
import { conclude, option } from '../command-line';
import { listenForEvents } from '../listener';
import { shuffled } from '../../support/shuffled';
import { setStage } from '../stage';
import { untilNothingWaits } from '../webhooks/reckoning';
import { RedisServer } from '../webhooks/redis-server';
import { Disk } from './disk';
import { PLAN, type Struck } from './faults';
import { openPool } from '../open-pool';

const WALLETS = 6;
const CLIENTS = 8;
/** Between two faults clients do something. */
const ORDERS_BETWEEN = 15;
const ORDERS_MAX_MS = 60_000;
const BACKLOG_MAX_MS = 120_000;
const POLL_MS = 50;

/**
 * `npm run test:chaos:history`: clients record what they sent and heard while everything is killed, stopped and cut, and what
 * they recorded can be explained. `--short`; `--times=3`: of each fault; `--only=<word>`: of those whose name contains it; `--keep=<file>`:
 * keeps the history.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const times = option('times');
  const isShort = process.argv.includes('--short');
  const folder = mkdtempSync(join(tmpdir(), 'duka-history-'));
  await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  const file = option('keep') ?? join(folder, 'history.jsonl');
  const counted = ({ times: full, short }: (typeof PLAN)[number]): number => Number(times ?? (isShort ? short : full));
  const wanted = PLAN.filter((fault) => fault.name.includes(option('only') ?? '') && counted(fault) > 0);
  const stage = await setUp(
    lifetime,
    folder,
    wanted.some(({ needsDisk }) => needsDisk) ? await Disk.mount(lifetime) : null,
  );
  const { service } = stage;
  const recorder = new Recorder(file);
  const play = new Play(recorder, { url: () => service.url, key: service.key, account: 'shop' });
  await service.listen(await listenForEvents(lifetime, (event) => recorder.told('receiver', 'shop', event)), ['*']);
  await play.open(WALLETS);
  play.start(CLIENTS);
  const due = wanted
    .filter(({ needsDisk }) => !needsDisk || stage.disk !== null)
    .flatMap((fault) => Array.from({ length: counted(fault) }, () => fault));
  const struck = new Map<string, number>();
  for (const { name, strike } of shuffled(due, Math.random)) {
    await untilOrdered(play);
    await strike(stage, isShort);
    struck.set(name, (struck.get(name) ?? 0) + 1);
  }
  await untilOrdered(play);
  await play.finish();
  // Throws when it ended by itself.
  await stage.worker.untilReady();
  const db = await openPool(lifetime, service.databaseUrl);
  const backlogMs = await untilNothingWaits(db, performance.now(), BACKLOG_MAX_MS);
  await recorder.end(backlogMs === Infinity ? ['feed'] : ['feed', 'webhooks']);
  const { contradiction, counts } = await check(file);
  for (const [name, count] of [...struck, ...Object.entries(counts)])
    console.log(`${name.padEnd(50)}${String(count).padStart(10)}`);
  for (const { name } of wanted)
    if (!struck.has(name)) console.log(`NOT DONE, as no file system can be mounted: ${name}`);
  const wrong = (await brokenChecks(service.databaseUrl)).map((broken) => `verify:ledger: ${JSON.stringify(broken)}`);
  if (contradiction !== null)
    wrong.push(`${contradiction.reason}: ${contradiction.what} (lines ${contradiction.lines.join()})`);
  if (backlogMs === Infinity) wrong.push(`webhooks still wait; the worker: ${stage.worker.lastWords}`);
  // Or nothing was tried.
  if (counts.unanswered === 0) wrong.push('no request was left without an answer');
  await conclude(lifetime, wrong, 'The history can be explained, and the books are in order.');
});

async function setUp(lifetime: Lifetime, folder: string, disk: Disk | null): Promise<Struck> {
  const redis = await RedisServer.start(lifetime);
  const clockFile = join(folder, 'clock');
  writeFileSync(clockFile, '0');
  const settings: NodeJS.ProcessEnv = {
    REDIS_URL: redis.url,
    NODE_OPTIONS: `--require=${join(__dirname, 'clock.cjs')}`,
    CLOCK_FILE: clockFile,
  };
  const stage = await setStage(lifetime, settings, disk === null ? undefined : await serverOn(lifetime, disk));
  return { ...stage, redis, disk, clockFile, settings };
}

/** Its launcher starts it again when it ends. */
async function serverOn(lifetime: Lifetime, { folder }: Disk): Promise<string> {
  const lease = EmbeddedLease.take({ dataDir: folder, port: await freePort() });
  return (await lifetime.own(lease, (held) => held.release())).url;
}

async function untilOrdered(play: Play): Promise<void> {
  const wanted = play.orders + ORDERS_BETWEEN;
  for (const end = performance.now() + ORDERS_MAX_MS; play.orders < wanted; await sleep(POLL_MS)) {
    if (play.fault !== null) throw play.fault;
    if (performance.now() > end) throw new Error(`clients got nothing done for ${ORDERS_MAX_MS} ms`);
  }
}
