import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Costs } from '../src/cli/capacity';
import { runProcess } from '../src/core/process/lifetime';
import { openBank } from './bank';
import { median } from './figures';
import { describeMachine } from './machine';
import type { Timing } from './measured';
import { Service } from './service';
import { type TransferLoad, type TransferRun, Transfers } from './transfers';
import { peakMemoryMb } from './usage';
import { WebhookMeasurements } from './webhook-measurements';

// `npm run bench:costs`: what one of each costs, into src/cli/costs.json, from which `duka capacity` and `bench:growth` reckon.

const FILE = join(__dirname, '..', 'src', 'cli', 'costs.json');
const WALLETS = 1_000;
const ROUNDS = 3;
const TIMING: Timing = { warmUpSeconds: 2, seconds: 6 };
/** A batch of one after the other: what a lane takes for each besides its postings. */
const ONE_BY_ONE = { LEDGER_BATCH_MAX: '1', LEDGER_WRITERS: '1' };
const GRACE_SECONDS = 60;
/** Times one within a cell, of `npm run bench:cells`: a transfer between two is a hold, a credit and a capture. */
const ACROSS = { factor: 4, postings: 3 };

/** As much as says something. */
const rounded = (value: number): number => Number(value.toPrecision(3));

/** WAL and disk for each row of a table that `work` adds. */
async function perRow(
  client: Client,
  table: string,
  work: () => Promise<unknown>,
): Promise<{ walBytes: number; diskBytes: number }> {
  const counters = async (): Promise<[wal: number, disk: number, rows: number]> => {
    const { rows } = await client.query<Record<'wal' | 'disk' | 'count', string>>(
      `SELECT pg_current_wal_lsn() - '0/0' AS wal, pg_database_size(current_database()) AS disk,
              (SELECT count(*) FROM ${table}) AS count`,
    );
    const { wal, disk, count } = rows[0]!;
    return [Number(wal), Number(disk), Number(count)];
  };
  const before = await counters();
  await work();
  const [wal, disk, rows] = (await counters()).map((value, i) => value - before[i]!) as [number, number, number];
  return { walBytes: wal / rows, diskBytes: disk / rows };
}

/** From the quickest rounds: what a lane takes is longer on a machine that others use. */
function laneOf(inBatches: readonly TransferRun[], alone: readonly TransferRun[]): Costs['lane'] {
  const quickest = (runs: readonly TransferRun[]): TransferRun =>
    runs.toSorted((a, b) => b.perSecond - a.perSecond)[0]!;
  const peak = quickest(inBatches);
  const { batchSize } = peak.costs;
  const aloneUs = 1e6 / quickest(alone).perSecond;
  const postingUs = ((batchSize * 1e6) / peak.perSecond - aloneUs) / (batchSize - 1);
  return { batchUs: rounded(aloneUs - postingUs), postingUs: rounded(postingUs) };
}

runProcess(async (lifetime) => {
  lifetime.graceSeconds = GRACE_SECONDS;
  lifetime.endWithParent();
  const service = await Service.start(lifetime);
  const client = new Client({ connectionString: service.database.url });
  await client.connect();
  const api = await service.startApi();
  const single = await service.startApi(ONE_BY_ONE);
  const transfers = new Transfers(service, client, await openBank(service, api.port, WALLETS), TIMING);
  const runs = { transfer: [], purchase: [], single: [] } as Record<'transfer' | 'purchase' | 'single', TransferRun[]>;
  const disk = { transfer: [], purchase: [] } as Record<'transfer' | 'purchase', number[]>;
  const loads: readonly [kind: 'transfer' | 'purchase', load: TransferLoad][] = [
    ['transfer', {}],
    ['purchase', { kind: 'purchase' }],
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, load] of loads) {
      const counted = kind === 'transfer' ? 'transfers' : 'purchases';
      const spent = await perRow(client, counted, async () => runs[kind].push(await transfers.run(api, load)));
      disk[kind].push(spent.diskBytes);
    }
    runs.single.push(await transfers.run(single));
    console.log(`round ${round + 1} of ${ROUNDS}`);
  }
  await service.verifyBooks();
  const apiMb = peakMemoryMb(api.pid);
  const webhooks = await WebhookMeasurements.prepare(service, { ...TIMING, seconds: 10 });
  await webhooks.delivered();
  const delivered = await perRow(client, 'webhook_attempts', () => webhooks.delivered());
  const [delivery] = webhooks.costs.slice(-1);
  const workerMb = await webhooks.backlog();

  const costOf = (kind: 'transfer' | 'purchase') => {
    const of = (read: (run: TransferRun) => number): number => rounded(median(runs[kind].map(read)));
    return {
      apiUs: of(({ costs }) => costs.apiCpuUs),
      postgresUs: of(({ costs }) => costs.postgresCpuUs),
      walBytes: of(({ costs }) => costs.walBytes),
      diskBytes: rounded(median(disk[kind])),
      perSecond: of(({ perSecond }) => perSecond),
      batch: of(({ costs }) => costs.batchSize),
    };
  };
  const costs: Costs = {
    measured: new Date().toISOString().slice(0, 10),
    machine: await describeMachine(service.database.url, webhooks.queues),
    transfer: costOf('transfer'),
    purchase: costOf('purchase'),
    delivery: {
      workerUs: rounded(delivery!.workerCpuUs),
      postgresUs: rounded(delivery!.postgresCpuUs),
      walBytes: rounded(delivered.walBytes),
      diskBytes: rounded(delivered.diskBytes),
    },
    lane: laneOf(runs.transfer, runs.single),
    memory: { apiMb: rounded(apiMb), workerMb: rounded(workerMb) },
    across: ACROSS,
  };
  const text = `${JSON.stringify(costs, null, 2)}\n`;
  writeFileSync(FILE, text);
  console.log(text);
  await client.end();
  await lifetime.end(0);
});
