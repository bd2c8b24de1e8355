import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { openBank } from '../../../bench/bank';
import { median } from '../../../bench/figures';
import { CONNECTIONS, validated } from '../../../bench/measured';
import type { Requests } from '../../../bench/requests';
import { Service } from '../../../bench/service';
import { Env } from '../../../src/core/config/env';
import { dataSourceOptions } from '../../../src/core/database/options';
import { Partitions } from '../../../src/core/database/partitions';
import { hashApiKey, makeApiKey } from '../../../src/core/http/api-key';
import { newId } from '../../../src/core/http/ids';
import { runProcess } from '../../../src/core/process/lifetime';
import { conclude, figure, isAsBefore } from '../command-line';
import { Business } from '../migrations/rows';

const WALLETS = 1_000;
const TIMING = { warmUpSeconds: 3, seconds: 15 };
/** The middle one counts: a disk and a garbage collector have their moments. */
const ROUNDS = 5;
/** Far below what two cores carry: it is the statements that are compared. */
const PER_SECOND = { transfers: 500, purchases: 100, wallets: 500, 'pages of transactions': 100 };
const SLOWER_MAX = 1.5;
const NOISE_MS = 10;
/** What every list is asked for, where it knows the filter. */
const FILTERS = [
  '',
  'status=successful',
  'status=pending',
  'reference=order-7',
  'created_gte=2025-01-01T00:00:00Z&created_lt=2025-02-01T00:00:00Z',
  'metadata[order]=7',
  'type=airtime_purchase',
  'recipient=%2B2348000000007',
  'amount_gte=9000',
  'direction=credit',
  'needs_review=true',
  'delivery_success=false',
  'order=asc',
];
const SLOW_MS = 1_000;
/** A month that is read in this size is one that has rows. */
const SMALL_BYTES = 100_000;
const READ_THROUGH = `
  SELECT relname AS name, seq_scan AS times, seq_tup_read AS rows FROM pg_stat_user_tables
   WHERE seq_scan > 0 AND pg_relation_size(relid) > ${SMALL_BYTES}
     AND EXISTS (SELECT FROM pg_inherits WHERE inhrelid = relid)
   ORDER BY seq_tup_read DESC`;

interface Described {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly { readonly name: string }[] } }>
  >;
}

/**
 * `npm run test:chaos:months`: a business of MONTHS (36) with TRANSACTIONS (3,050,000: 20 million rows), and no statistics of any of
 * it. Once the daily job has been, no list, no posting and no job reads through a month, and nothing takes longer than before.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const [months, transactions] = [figure('MONTHS', 36), figure('TRANSACTIONS', 3_050_000)];
  const service = await Service.start(lifetime);
  service.settings = { WORKER_IN_API: 'false', RATE_LIMIT_LIVE: '1000000' };
  const client = new Client({ connectionString: service.database.url });
  await client.connect();
  await lifetime.own(Promise.resolve(), () => client.end());

  let api = await service.startApi();
  const { partner, wallets } = await openBank(service, api.port, WALLETS);
  /** Milliseconds of each kind of request. */
  const p99s = async (): Promise<Map<string, number>> => {
    const { port } = api;
    const { key } = partner;
    const paths = wallets.map((id) => `/v4/wallets/${id}`);
    const kinds: Record<keyof typeof PER_SECOND, Requests> = {
      transfers: { kind: 'transfer', port, key, wallets },
      purchases: { kind: 'purchase', port, key, wallets },
      wallets: { kind: 'read', port, key, paths },
      'pages of transactions': {
        kind: 'read',
        port,
        key,
        paths: wallets.map((id) => `/v4/transactions?limit=20&wallet_id=${id}`),
      },
    };
    const measured: Record<string, number[]> = {};
    for (let round = 0; round < ROUNDS; round++)
      for (const [what, requests] of Object.entries(kinds)) {
        const expected =
          requests.kind === 'read' ? { status: 200, text: '"object"' } : { status: 201, text: '"status":"successful"' };
        const ratePerSecond = PER_SECOND[what as keyof typeof PER_SECOND];
        const job = { ...TIMING, requests, connections: CONNECTIONS.peak, ratePerSecond, expected };
        (measured[what] ??= []).push(validated(await service.processes.load(job)).p99Ms);
      }
    console.log(measured);
    return new Map(Object.entries(measured).map(([what, rounds]) => [what, median(rounds)]));
  };
  let worker = await service.startWorker();
  const before = await p99s();
  await service.processes.stop(worker);
  await service.processes.stopById(api.pid);

  const business = new Business(service.database.url, transactions, months, true);
  const rows = await business.fill();
  // Nobody listens: what is measured is not what is sent.
  await client.query('DELETE FROM webhook_endpoints; DELETE FROM pg_statistic');
  // Three years are not written in five minutes elsewhere: what autovacuum and the disk have to do of it is done first.
  await client.query('VACUUM');
  await client.query('CHECKPOINT');
  const env = Object.assign(new Env(), service.environment());
  const dataSource = await new DataSource(dataSourceOptions(env)).initialize();
  await new Partitions(dataSource, env).analyze();
  await dataSource.destroy();
  console.log(`${rows} rows of ${months} months; statistics deleted, and made by the daily job`);

  api = await service.startApi();
  worker = await service.startWorker();
  await client.query('SELECT pg_stat_reset()');
  const after = await p99s();
  const wrong = await readLists(api.port, await keyOfShop(client));
  await service.processes.stop(worker);
  await service.processes.stopById(api.pid);
  const through = await client.query<{ name: string; times: string; rows: string }>(READ_THROUGH);
  wrong.push(...through.rows.map((month) => `${month.name} was read through ${month.times} times, ${month.rows} rows`));
  for (const [what, p99] of after) {
    const usual = before.get(what)!;
    console.log(`${what}: p99 ${usual.toFixed(1)} → ${p99.toFixed(1)} ms`);
    if (!isAsBefore(usual, p99, SLOWER_MAX, NOISE_MS)) wrong.push(`p99 of ${what} is ${p99.toFixed(1)} ms`);
  }
  await conclude(lifetime, wrong, `${rows} rows of ${months} months: no month was read through.`);
});

/** A key of an account that the business has. */
async function keyOfShop(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE accounts SET live_enabled = true WHERE name = 'Shop 7' RETURNING id`,
  );
  const accountId = rows[0]!.id;
  const key = makeApiKey('live', accountId);
  await client.query(
    `INSERT INTO api_keys (account_id, id, livemode, name, last4, hash) VALUES ($1, $2, true, 'Lists', $3, $4)`,
    [accountId, newId(), key.slice(-4), hashApiKey(key)],
  );
  return key;
}

/** Asks for each list, with each filter that it knows. */
async function readLists(port: number, key: string): Promise<string[]> {
  const wrong: string[] = [];
  let asked = 0;
  const { paths } = (await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json()) as Described;
  for (const [path, { get }] of Object.entries(paths)) {
    const known = get?.parameters?.map(({ name }) => name) ?? [];
    if (path.includes('{') || !known.includes('limit')) continue;
    for (const filter of FILTERS.filter((some) => some === '' || known.includes(/^\w+/.exec(some)![0]))) {
      const since = performance.now();
      const { status } = await fetch(`http://127.0.0.1:${port}${path}?limit=20&${filter}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const ms = performance.now() - since;
      asked++;
      if (status !== 200 && status !== 400) wrong.push(`${path}?${filter}: ${status}`);
      if (ms > SLOW_MS) wrong.push(`${path}?${filter}: ${status} after ${ms.toFixed(0)} ms`);
    }
  }
  console.log(`${asked} lists asked for`);
  return wrong;
}
