import { runProcess } from '../../../src/core/process/lifetime';
import { freePort } from '../../../src/core/process/ports';
import { Member } from '../cards/member';
import { conclude, figure } from '../command-line';
import { Load, openWallets } from '../load';
import { balances } from '../reckoning';
import { Service } from '../service';
import { Receiver } from '../webhooks/receiver';
import { untilNothingWaits, verdictsOf } from '../webhooks/reckoning';
import { RedisServer } from '../webhooks/redis-server';
import { balance } from './balancer';
import { openPool } from '../open-pool';

const WALLETS = 50;
/** More than all orders of a run together: nothing is refused. */
const OPENING_BALANCE = 1_000_000_000_000;
const RATE = 50;
const BACKLOG_MAX_MS = 60_000;

/**
 * `npm run test:chaos:rolling`: two APIs behind a balancer and two workers, of which each is stopped and started again in turn, ROUNDS
 * times (50), while clients pay: no request fails, and every event arrives. Queues on Redis, where there is one.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const rounds = figure('ROUNDS', 50);
  const redis = RedisServer.isInstalled ? await RedisServer.start(lifetime) : null;
  const settings = { WORKER_IN_API: 'false', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
  const service = await Service.start(lifetime, { ...settings, ...(redis && { REDIS_URL: redis.url }) });
  const receiver = await Receiver.start(lifetime);
  receiver.trust(await service.listen(receiver.url));
  await service.end('SIGTERM');
  const member = async (name: string, script: string, port?: string): Promise<Member> => {
    const PORT = port ?? String(await freePort());
    return new Member(name, service.program(script, `${name}.log`), { ...service.env, PORT, WORKER_PORT: PORT });
  };
  // The first where the service itself was, which is asked for balances.
  const apis = [await member('api-1', 'main.js', service.env.PORT), await member('api-2', 'main.js')];
  const members = [...apis, await member('worker-1', 'worker.js'), await member('worker-2', 'worker.js')];
  await lifetime.own(Promise.resolve(), () => Promise.all(members.map((each) => each.end())));
  await Promise.all(members.map((each) => each.untilReady()));
  const balancer = await balance(
    lifetime,
    service,
    apis.map((api) => api.url),
  );
  await balancer.untilAllUp();
  const wallets = await openWallets(service, WALLETS, OPENING_BALANCE);
  const opening = await balances(service);
  const begunAt = performance.now();
  const load = new Load(
    { url: balancer.url, key: service.key },
    wallets,
    () => (RATE * (performance.now() - begunAt)) / 1_000,
  );
  load.start();
  await load.nextSuccess();
  const wrong: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const since = performance.now();
    for (const each of members) {
      const code = await each.restart('SIGTERM');
      if (code !== 0) wrong.push(`round ${round}: ${each.name} was stopped and ended with ${code}:\n${each.lastWords}`);
      await each.untilReady();
      await balancer.untilAllUp();
    }
    const { unanswered, unavailable, accepted } = load;
    const seconds = Math.round((performance.now() - since) / 1_000);
    console.log(`round ${round}: ${seconds} s, ${accepted.size} paid, ${unanswered.length + unavailable} failed`);
  }
  await load.finish();
  const db = await openPool(lifetime, service.databaseUrl);
  const backlogMs = await untilNothingWaits(db, performance.now(), BACKLOG_MAX_MS);
  const sources = { service, db, load, receiver, opening, backlogMaxMs: BACKLOG_MAX_MS };
  for (const { what, found, isRight } of await verdictsOf(sources, backlogMs)) {
    console.log(`${what.padEnd(60)}${found}`);
    if (!isRight) wrong.push(`${what}: ${found}`);
  }
  wrong.push(...Array.from(load.faults, ([what, count]) => `${count} × ${what}`));
  for (const { code } of load.unanswered) wrong.push(`a request was not answered: ${code}`);
  if (load.unavailable > 0) wrong.push(`${load.unavailable} requests were answered 503`);
  const counted = `${load.requests} requests, ${rounds * members.length} processes stopped and started`;
  await conclude(lifetime, wrong, `Nothing failed: ${counted}; slowest answer ${Math.round(load.slowestMs)} ms.`);
});
