import 'reflect-metadata';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCommandEnv } from '../../src/cli/sandbox';
import type { Env } from '../../src/core/config/env';
import { EmbeddedLease } from '../../src/core/database/embedded-lease';
import { findEmbeddedPostgres } from '../../src/core/database/embedded-postgres';
import { CannotStart } from '../../src/core/errors/cannot-start';
import { type Lifetime, runProcess } from '../../src/core/process/lifetime';
import { runMigrations } from '../../src/migrations/migrations';
import { seedDeliveries, seedDemo } from './demo';

const USAGE = `npm run seed:demo [-- options]: one account with a month behind it, in the database of DATABASE_URL or in the sandbox.
  --transactions=<n>  about so many; 100000 without it
  --wallets=<n>       301 without it
  --password=<text>   of everybody who can log in; "kola nuts and palm wine at dawn" without it`;

const DELIVERIES = 200;
const REVIEWS = 80;
const LEAST = { transactions: 100, wallets: 10 };

runProcess(async (lifetime) => {
  lifetime.endWithParent();
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '100000' },
      wallets: { type: 'string', default: '301' },
      password: { type: 'string', default: 'kola nuts and palm wine at dawn' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) console.log(USAGE);
  else await seed(lifetime, values);
  await lifetime.end(0);
});

interface Wanted {
  readonly transactions: string;
  readonly wallets: string;
  readonly password: string;
}

async function seed(lifetime: Lifetime, wanted: Wanted): Promise<void> {
  const [transactions, wallets] = [Number(wanted.transactions), Number(wanted.wallets)];
  if (!(transactions >= LEAST.transactions && wallets >= LEAST.wallets)) throw new CannotStart(USAGE);
  const begun = performance.now();
  const says = (line: string) =>
    console.log(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  const env = await databaseOf(lifetime);
  await runMigrations(env);
  const demo = await seedDemo(env, { transactions, wallets, reviews: REVIEWS, password: wanted.password, says });
  says('webhooks are delivered');
  await seedDeliveries(env, demo, DELIVERIES);
  says('done');
  console.log(`\nAccount   ${demo.accountId}\nTest key  ${demo.key}\nPassword  ${wanted.password}`);
  for (const email of demo.emails) console.log(`Log-in    ${email}`);
  console.log('\nThe books are checked by: npm run duka -- verify:ledger');
}

/** As the command line finds it; where there is no sandbox yet, one is made. */
async function databaseOf(lifetime: Lifetime): Promise<Env> {
  const env = loadCommandEnv();
  if (env.DATABASE_URL) return env;
  const { DATA_DIR: dataDir } = env;
  if (!existsSync(dataDir)) mkdirSync(join(dataDir), { recursive: true });
  env.DATABASE_URL =
    findEmbeddedPostgres(dataDir)?.url ??
    (await lifetime.own(EmbeddedLease.take({ dataDir }), (lease) => lease.release())).url;
  return env;
}
