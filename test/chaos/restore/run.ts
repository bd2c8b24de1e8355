import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProcess } from '../../../src/core/process/lifetime';
import { conclude, figure } from '../command-line';
import { Load, openWallets } from '../load';
import { balances, reckon } from '../reckoning';
import { Service } from '../service';
import { GuardedServer } from './server';

const WALLETS = 50;
const OPENING_BALANCE = 10_000_000_000;
const LOOK_MS = 200;

// `npm run test:restore`: the disk of the database is lost under load, and everything that was acknowledged comes back.
runProcess(async (lifetime) => {
  const transfers = figure('TRANSFERS', 20_000);
  const folder = mkdtempSync(join(tmpdir(), 'duka-restore-'));
  chmodSync(folder, 0o755);
  await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  const server = await lifetime.own(GuardedServer.start(folder), (started) => started.end());
  const service = await Service.start(lifetime, { DATABASE_POOL_SIZE: '20' }, server.url);
  const load = new Load(service, await openWallets(service, WALLETS, OPENING_BALANCE));
  const opening = await balances(service);
  load.start();

  // The backup is as old as backups are: most of it all came later and is in the WAL only.
  const answered = async (count: number): Promise<void> => {
    while (load.accepted.size < count) await sleep(LOOK_MS);
  };
  await answered(transfers / 10);
  console.log(await server.backup());
  await answered(transfers);
  const [base, wal] = [server.size('base'), server.size('wal')];

  const lostAt = performance.now();
  await server.lose();
  const acknowledged = load.accepted.size;
  console.log(await server.restore());
  const restoredAt = performance.now();
  await load.nextSuccess();
  const servesAt = performance.now();
  await answered(acknowledged + 1_000);
  await load.finish();

  const books = await reckon(service, load, opening);
  const wrong = Object.entries(books)
    .filter(([, found]) => found !== 0 && JSON.stringify(found) !== '[]')
    .map(([name, found]) => `${name}: ${JSON.stringify(found).slice(0, 500)}`)
    .concat(Array.from(load.faults, ([what, count]) => `${count} × ${what}`));
  const seconds = (from: number, to: number): string => `${((to - from) / 1_000).toFixed(1)} s`;
  const facts = {
    'transfers acknowledged before the loss': acknowledged,
    'of these lost': books.lost,
    'done twice': books.duplicated,
    'base backup / WAL': `${base} / ${wal} MB`,
    'disk gone → data restored': seconds(lostAt, restoredAt),
    'disk gone → first transfer': seconds(lostAt, servesAt),
  };
  for (const [name, value] of Object.entries(facts)) console.log(name.padEnd(42) + String(value).padStart(16));
  await conclude(lifetime, wrong, 'The books balance.');
});
