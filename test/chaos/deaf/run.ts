import { setTimeout as sleep } from 'node:timers/promises';
import { type Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { conclude, option } from '../command-line';
import { listenForEvents } from '../listener';
import { openWallets, type Server } from '../load';
import { setStage, type Stage } from '../stage';
import { RedisServer } from '../webhooks/redis-server';

const SECONDS = '0,3,10,60,300';
const STOPPED_MS = 30_000;
/** From the end of an outage until an event of after it has arrived. */
const GOES_ON_MAX_MS = 10_000;
const GIVE_UP_MS = 60_000;
const ANSWER_MAX_MS = 2_000;
const POLL_MS = 50;

interface Event {
  readonly data: { readonly object: { readonly transaction_id: string } };
}

/**
 * `npm run test:chaos:deaf`: after each outage of PostgreSQL, of Redis and of itself the worker delivers on within ten seconds, and
 * nobody starts it again. On both kinds of queues, at the same time. `--seconds=3,10`: how long the outages last.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  if (!RedisServer.isInstalled) console.log('SKIPPED: queues on Redis, as there is no redis-server on this machine.');
  const legs = [pass(lifetime, null)];
  if (RedisServer.isInstalled) legs.push(pass(lifetime, await RedisServer.start(lifetime)));
  await conclude(lifetime, (await Promise.all(legs)).flat(), 'No worker went deaf.');
});

/** What went wrong with the queues on one of the two. */
async function pass(lifetime: Lifetime, redis: RedisServer | null): Promise<string[]> {
  const stage = await setStage(lifetime, redis === null ? {} : { REDIS_URL: redis.url });
  const { service, worker } = stage;
  const arrived = new Set<string>();
  const url = await listenForEvents<Event>(lifetime, ({ data }) => arrived.add(data.object.transaction_id));
  await service.listen(url, ['wallet.credited']);
  const [wallet] = (await openWallets(service, 1, 1)) as [string];
  const wrong: string[] = [];
  for (const [name, outage] of outages(stage, redis)) {
    await outage();
    const ms = await untilDelivered(service, wallet, arrived);
    const told = `queues on ${redis === null ? 'PostgreSQL' : 'Redis'}, ${name}`;
    console.log(`${told.padEnd(60)}${ms === null ? 'deaf' : `goes on after ${(ms / 1_000).toFixed(1)} s`}`);
    if (ms === null || ms > GOES_ON_MAX_MS) wrong.push(`${told}: ${ms ?? `more than ${GIVE_UP_MS}`} ms`);
    // Throws when it ended by itself.
    await worker.untilReady();
  }
  return wrong;
}

function outages({ worker, wire }: Stage, redis: RedisServer | null): [name: string, outage: () => Promise<unknown>][] {
  const seconds = (option('seconds') ?? SECONDS).split(',').map(Number);
  const away = (who: string, stop: () => Promise<unknown>, start: () => Promise<unknown>) =>
    seconds.map((each): [string, () => Promise<unknown>] => [
      `${who} away for ${each} s`,
      async () => {
        await stop();
        await sleep(each * 1_000);
        await start();
      },
    ]);
  return [
    ...away(
      'PostgreSQL',
      () => wire.goAway(),
      () => wire.comeBack(),
    ),
    ['worker stopped for 30 s', () => worker.pause(STOPPED_MS)],
    ...(redis === null
      ? []
      : [
          ...away(
            'Redis',
            () => redis.stop(),
            () => redis.start(),
          ),
          ['CLIENT KILL TYPE normal', () => redis.killClients()] as [string, () => Promise<unknown>],
          ['Redis stopped for 30 s', () => redis.pause(STOPPED_MS)] as [string, () => Promise<unknown>],
        ]),
  ];
}

/** Makes an event, as soon as that is possible, and waits for it. Returns the milliseconds; null when it does not come. */
async function untilDelivered(server: Server, wallet: string, arrived: ReadonlySet<string>): Promise<number | null> {
  const since = performance.now();
  for (let id: string | null = null; performance.now() - since < GIVE_UP_MS; await sleep(POLL_MS)) {
    id ??= await credit(server, wallet).catch(() => null);
    if (id !== null && arrived.has(id)) return Math.round(performance.now() - since);
  }
  return null;
}

async function credit({ url, key }: Server, wallet: string): Promise<string | null> {
  const response = await fetch(`${url}/v4/sandbox/wallets/${wallet}/credit`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1 }),
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
  });
  return response.ok ? ((await response.json()) as { id: string }).id : null;
}
