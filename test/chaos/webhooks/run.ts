import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { conclude } from '../command-line';
import { Load, openWallets } from '../load';
import { Pace } from '../purchases/pace';
import { balances } from '../reckoning';
import { Service } from '../service';
import { Receiver } from './receiver';
import { untilNothingWaits, type Verdict, verdictsOf } from './reckoning';
import { RedisServer } from './redis-server';
import { type Size, SIZES } from './sizes';
import { Strikes } from './strikes';
import { openPool } from '../open-pool';

const WALLETS = 50;
/** More than all orders of a run together: nothing is refused. */
const OPENING_BALANCE = 1_000_000_000_000;
const SERVED_MIN = 0.999;
const POLL_MS = 50;
const TRIES_MAX = 10;
/** For a cache that is in it, too. */
const TOO_SMALL = ['--maxmemory', '20mb', '--maxmemory-policy', 'allkeys-lru'];

// `npm run test:chaos:webhooks`: what happened arrives, whatever is killed, emptied or stopped meanwhile; on both kinds of queues.
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const isShort = process.argv.includes('--short');
  if (process.argv.includes('--evicting'))
    return tell(lifetime, await strike(lifetime, SIZES.evicting, await RedisServer.start(lifetime, ...TOO_SMALL)));
  const size = SIZES[isShort ? 'short' : 'long'];
  const onPostgres = () => strike(lifetime, size, null);
  const onRedis = async () => strike(lifetime, size, await RedisServer.start(lifetime));
  if (!RedisServer.isInstalled) console.log('SKIPPED: queues on Redis, as there is no redis-server on this machine.');
  const legs = RedisServer.isInstalled ? [onPostgres, onRedis] : [onPostgres];
  // Most of a short run is waiting for leases of killed workers to end.
  await tell(lifetime, isShort ? (await Promise.all(legs.map((leg) => leg()))).flat() : await inTurn(legs));
});

function tell(lifetime: Lifetime, verdicts: readonly Verdict[]): Promise<void> {
  const wrong = verdicts.filter(({ isRight }) => !isRight).map(({ what, found }) => `${what}: ${found}`);
  return conclude(lifetime, wrong, 'Every event arrived.');
}

async function inTurn(legs: readonly (() => Promise<Verdict[]>)[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const leg of legs) verdicts.push(...(await leg()));
  return verdicts;
}

/** One run on one kind of queues. */
async function strike(lifetime: Lifetime, size: Size, redis: RedisServer | null): Promise<Verdict[]> {
  const receiver = await Receiver.start(lifetime);
  // The limit is never reached; that it is counted makes every request need what the counters are kept in.
  const settings = {
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    RATE_LIMIT_TEST: '1000000',
    WORKER_IN_API: 'false',
    ...(redis && { REDIS_URL: redis.url }),
  };
  const service = await Service.start(lifetime, settings);
  const db = await openPool(lifetime, service.databaseUrl);
  const worker = service.program('worker.js');
  await lifetime.own(Promise.resolve(), () => worker.end('SIGKILL'));
  const isEvicting = size.workerKills === 0;
  // Else everything waits at once for the worker that comes later.
  if (!isEvicting) worker.launch(service.env);
  const crowding = new AbortController();
  const crowd = isEvicting ? redis!.crowd(crowding.signal) : undefined;
  const wallets = await openWallets(service, WALLETS, OPENING_BALANCE);
  const opening = await balances(service);
  const endpoint = { url: receiver.url, events: ['transfer.successful'], max_in_flight: size.maxInFlight };
  receiver.trust((await post<{ secret: string }>(service, '/v4/webhooks', endpoint)).secret);
  const pace = new Pace(size.events, size.paceMs);
  // Once nothing more goes wrong the rest comes at once.
  const load = new Load(service, wallets, () =>
    pace.areKillsOver ? size.events : Math.min(size.events, pace.allowance),
  );
  load.start();
  const strikes = new Strikes({ service, worker, receiver, load, redis }, size);
  if (!isEvicting) await strikes.run();
  let since = performance.now();
  pace.areKillsOver = true;
  while (load.begun < size.events) await sleep(POLL_MS);
  await load.finish();
  if (isEvicting) {
    worker.launch(service.env);
    since = performance.now();
  }
  const backlogMs = await untilNothingWaits(db, since, size.backlogMaxMs);
  crowding.abort();
  await crowd;
  const verdicts = [
    ...(await verdictsOf({ service, db, load, receiver, opening, backlogMaxMs: size.backlogMaxMs }, backlogMs)),
    ...(isEvicting ? [await evictedVerdict(redis!)] : []),
    ...servedVerdict(strikes),
    ...faultVerdicts(load, strikes),
  ];
  print(
    redis === null ? 'PostgreSQL' : 'Redis',
    {
      events: load.accepted.size,
      'kills of the worker': strikes.workerKills,
      'requests that were sent again': load.resent,
    },
    verdicts,
  );
  return verdicts;
}

/** Else nothing was tried. */
async function evictedVerdict(redis: RedisServer): Promise<Verdict> {
  const evicted = await redis.evicted();
  return { what: 'keys that Redis threw away (some)', found: String(evicted), isRight: evicted > 0 };
}

function servedVerdict({ served }: Strikes): Verdict[] {
  if (served === null) return [];
  const share = 1 - served.failed / served.requests;
  return [
    {
      what: `money routes while Redis was away (at least ${SERVED_MIN * 100} %)`,
      found: `${(share * 100).toFixed(2)} % of ${served.requests}`,
      isRight: share >= SERVED_MIN,
    },
  ];
}

const faultVerdicts = (load: Load, { wrong }: Strikes): Verdict[] => [
  ...Array.from(load.faults, ([what, count]) => ({
    what: 'wrong answer',
    found: `${count} × ${what}`,
    isRight: false,
  })),
  ...wrong.map((found) => ({ what: 'fault', found, isRight: false })),
];

function print(queues: string, facts: Record<string, number>, verdicts: readonly Verdict[]): void {
  console.log(`\nqueues on ${queues}`);
  for (const [name, value] of Object.entries(facts)) console.log(`  ${name.padEnd(60)}${value}`);
  for (const { what, found, isRight } of verdicts) console.log(`${isRight ? '  ' : '! '}${what.padEnd(60)}${found}`);
}

/** As clients do: an answer that says "later" is asked for again. */
async function post<T>({ url, key }: Service, path: string, body: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  for (let tries = 1; ; tries++) {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.ok) return (await response.json()) as T;
    if (response.status !== 503 || tries === TRIES_MAX)
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await sleep(1_000);
  }
}
