import { setTimeout as sleep } from 'node:timers/promises';
import { runProcess } from '../../../src/core/process/lifetime';
import { AccountTime } from '../cards/account-time';
import { openThings, reckonBooks } from '../cards/book-reckoning';
import { Findings } from '../cards/findings';
import { Fleet } from '../cards/fleet';
import { Shop } from '../cards/shop';
import { Strikes } from '../cards/strikes';
import { TransferClients } from '../cards/transfer-clients';
import { Wire } from '../cards/wire';
import { conclude } from '../command-line';
import { Pace } from '../purchases/pace';
import { Batches } from './batches';
import { Buyers } from './buyers';
import { Payouts } from './payouts';
import { reckonAccount } from './reckoning';
import { SIZE } from './sizes';
import { openPool } from '../open-pool';

/** How long others buy before there is a batch. */
const CALM_MS = 4_000;
/** How long payouts and transfers take, for each kill. */
const KILL_MS = 5_000;

// `npm run test:chaos:money`: each row of a batch, each payout and each bank transfer counts once, whatever is killed meanwhile.
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const fleet = await Fleet.start(lifetime);
  const {
    service: { databaseUrl, env },
  } = fleet;
  const db = await openPool(lifetime, databaseUrl);
  const wire = new Wire(fleet.urls);
  const shops = await Promise.all(fleet.keys.map((key) => Shop.open(wire, key)));
  const [shop, other] = shops as [Shop, Shop];
  const findings = new Findings();

  const [batches, buyers] = [new Batches(fleet, shop, db), new Buyers(other)];
  const latencies = await carryOut(batches, buyers);
  await batches.reckon(findings);

  const paces = [SIZE.payouts, SIZE.transfers].map((count) => new Pace(count, SIZE.kills * KILL_MS));
  const payouts = new Payouts(shops, db, SIZE.payouts, paces[0]!, env.SECRETS_KEY!);
  const transfers = new TransferClients(shops, SIZE.transfers, paces[1]!, env.SECRETS_KEY!);
  const kills = { operations: SIZE.payouts, apiKills: SIZE.kills, postgresKills: 0 };
  const strikes = new Strikes({ fleet, wire, clients: payouts }, kills);
  const time = new AccountTime(shops, () => openThings(db));
  time.start();
  const killing = strikes.run().finally(() => {
    for (const pace of paces) pace.areKillsOver = true;
  });
  await Promise.all([payouts.run(), transfers.run(), killing]);
  const waiting = await time.settle();
  const told = { batches, buyers, payouts };
  for (const each of shops) await reckonAccount(each, told, false, findings);
  await payouts.contradict();
  // What no callback told of, what is taken back later, and what contradicts itself.
  await time.lapse();
  await transfers.remind();
  await payouts.remind();
  await time.lapse();
  // What a list told of in the last moment is still being asked about.
  waiting.push(...(await time.settle()));
  await payouts.reckon(findings);
  for (const each of shops) await reckonAccount(each, told, true, findings);
  const collapses = await fleet.stop();
  await reckonBooks(db, databaseUrl, findings);

  const lines = {
    ...latencies,
    'rows of batches': batches.rows,
    'processes killed meanwhile': batches.kills,
    'rows that were begun again': batches.again,
    '  that had taken place': batches.unheard.size,
    'purchases beside them': buyers.bought.size,
    payouts: payouts.told.length,
    ...Object.fromEntries(Array.from(payouts.ends, ([end, count]) => [`  ${end}`, count])),
    '  callbacks about payouts': payouts.callbacks,
    'bank transfers': shops.flatMap((each) => each.transfers).length,
    '  for a person': shops.flatMap((each) => each.transfers).filter(({ isHeld }) => isHeld).length,
    '  callbacks': transfers.callbacks,
    'processes killed': strikes.done.length,
    'requests sent again': wire.resent,
    'requests that had taken effect before': wire.replayed,
  };
  for (const [name, value] of Object.entries(lines)) console.log(`${name.padEnd(58)}${String(value).padStart(10)}`);
  const wrong = [
    ...collapses,
    ...Array.from(wire.faults, ([what, times]) => `${times} × ${what}`),
    ...findings.wrong,
    ...waiting.map((what) => `${what} did not end`),
    ...(batches.unheard.size === 0 ? ['no kill struck a row that had taken place: this proves nothing'] : []),
  ];
  if (wire.faults.size > 0) wrong.push(fleet.service.lastWords);
  await conclude(lifetime, wrong, 'Everything happened once.');
});

/** Batches that nobody disturbs, then those with kills; says how long others waited for their purchases meanwhile. */
async function carryOut(batches: Batches, buyers: Buyers): Promise<Record<string, string>> {
  buyers.start();
  await sleep(CALM_MS / 2);
  buyers.latencies.takeP99(); // of processes that have just started
  await sleep(CALM_MS);
  const before = buyers.latencies.takeP99();
  await batches.place(Math.ceil(SIZE.rows / 2));
  await batches.untilEnded();
  const beside = buyers.latencies.takeP99();
  await batches.place(SIZE.rows);
  await batches.strike(SIZE.kills);
  await batches.untilEnded();
  await buyers.finish();
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return {
    'p99 of a purchase of another account, before': ms(before),
    '  beside a batch': ms(beside),
    '  ratio': (beside / before).toFixed(2),
    '  beside batches and kills': ms(buyers.latencies.takeP99()),
  };
}
