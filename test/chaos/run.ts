import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProcess } from '../../src/core/process/lifetime';
import { conclude } from './command-line';
import { leaveSandbox } from './ctrl-c';
import { type Fault, killApi, killBackend, killPostmaster, stopGracefully, type Target } from './faults';
import { Load, openWallets } from './load';
import { balances, reckon } from './reckoning';
import { Service } from './service';

const WALLETS = 50;
const OPENING_BALANCE = 1_000_000;

/** How often each fault strikes: the whole run, and `--short` for CI. */
const PLAN: readonly { name: string; fault: Fault; times: number; short: number }[] = [
  { name: 'kill -9 API', fault: killApi, times: 20, short: 3 },
  { name: 'kill -9 PostgreSQL backend', fault: killBackend, times: 5, short: 1 },
  { name: 'kill -9 postmaster', fault: killPostmaster, times: 5, short: 1 },
  { name: 'SIGTERM API', fault: stopGracefully, times: 6, short: 2 },
];

// `npm run test:chaos`: what was answered is in the books exactly once, whatever is killed meanwhile.
runProcess(async (lifetime) => {
  const isShort = process.argv.includes('--short');
  const service = await Service.start(lifetime);
  const load = new Load(service, await openWallets(service, WALLETS, OPENING_BALANCE));
  const opening = await balances(service);
  load.start();
  const { stops, recoveries, wrong } = await strikeAll({ service, load }, isShort);
  await load.finish();
  const books = await reckon(service, load, opening);
  wrong.push(...(await leaveSandbox(lifetime)));
  wrong.push(...Array.from(load.faults, ([what, count]) => `${count} × ${what}`));
  if (load.faults.size > 0) wrong.push(service.lastWords);
  for (const [name, found] of Object.entries(books)) {
    if (found !== 0 && JSON.stringify(found) !== '[]') wrong.push(`${name}: ${JSON.stringify(found).slice(0, 500)}`);
  }
  print({
    kills: recoveries.length,
    'graceful stops': stops,
    requests: load.requests,
    answered: load.accepted.size + load.refused.size,
    retried: load.resent,
    '  of these done already': load.replayed,
    '  of these after a 503': load.unavailable,
    lost: books.lost,
    duplicated: books.duplicated,
    'slowest recovery': `${Math.max(...recoveries)} ms`,
  });
  await conclude(lifetime, wrong, 'The books balance.');
});

async function strikeAll(
  target: Target,
  isShort: boolean,
): Promise<{ stops: number; recoveries: number[]; wrong: string[] }> {
  const recoveries: number[] = [];
  const wrong: string[] = [];
  let stops = 0;
  for (const { name, fault, ...counts } of PLAN) {
    const times = isShort ? counts.short : counts.times;
    for (let i = 1; i <= times; i++) {
      await sleep(randomInt(300, 1_000));
      const taken = await fault(target);
      if (taken.recoveryMs === undefined) stops++;
      else recoveries.push(taken.recoveryMs);
      console.log(`${name} ${i}/${times}`.padEnd(36) + [taken.said, ...taken.wrong].join('; '));
      wrong.push(...taken.wrong.map((line) => `${name} ${i}: ${line}`));
    }
  }
  return { stops, recoveries, wrong };
}

function print(facts: Record<string, string | number>): void {
  console.log('');
  for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(24)}${String(value).padStart(10)}`);
}
