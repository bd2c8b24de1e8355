import type { Client } from 'pg';
import type { Bank } from './bank';
import { InvalidRun, type Timing, validated } from './measured';
import type { Outcome } from './load';
import type { Listening, Service } from './service';
import { cpuSecondsOf, cpuSecondsOfFamily } from './usage';

/** What a load took besides time. Everything but the latencies and the batch is per transfer, or per purchase. */
export interface TransferCosts {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly batchSize: number;
  readonly walBytes: number;
  readonly apiCpuUs: number;
  readonly postgresCpuUs: number;
  readonly generatorCpuUs: number;
}

export interface TransferLoad {
  /** Transfers without it. */
  readonly kind?: 'transfer' | 'purchase';
  /** One wallet that pays every transfer; drawn at random without it. */
  readonly from?: string;
  readonly ratePerSecond?: number;
}

export interface TransferRun extends Outcome {
  readonly costs: TransferCosts;
}

const CONNECTIONS = 64;

const RECORDED = {
  transfer: 'SELECT count(*) FROM transfers',
  purchase: `SELECT count(*) FROM transactions WHERE type = 'airtime_purchase' AND status = 'successful' AND balance_before IS NOT NULL`,
};

/** Puts transfers or purchases on an API and counts what they cost the processes and the disk. */
export class Transfers {
  constructor(
    private readonly service: Service,
    private readonly client: Client,
    private readonly bank: Bank,
    private readonly timing: Timing,
  ) {}

  async run(
    { port, pid }: Listening,
    { kind = 'transfer', from, ratePerSecond }: TransferLoad = {},
  ): Promise<TransferRun> {
    const { partner, wallets } = this.bank;
    const before = await this.counters(kind, port, pid);
    const outcome = await this.service.processes.load({
      ...this.timing,
      requests:
        kind === 'transfer'
          ? { kind, port, key: partner.key, wallets, from }
          : { kind, port, key: partner.key, wallets },
      connections: CONNECTIONS,
      ratePerSecond,
      expected: { status: 201, text: '"status":"successful"' },
    });
    const after = await this.counters(kind, port, pid);
    validated(outcome);
    const recorded = after.recorded - before.recorded;
    if (recorded !== outcome.answered)
      throw new InvalidRun(`${outcome.answered} ${kind}s were answered and ${recorded} are recorded`);
    const each = (counter: 'walBytes' | 'apiCpuSeconds' | 'postgresCpuSeconds') =>
      (after[counter] - before[counter]) / outcome.answered;
    const costs = {
      p50Ms: outcome.p50Ms,
      p99Ms: outcome.p99Ms,
      batchSize: (after.postings - before.postings) / (after.batches - before.batches),
      walBytes: each('walBytes'),
      apiCpuUs: each('apiCpuSeconds') * 1e6,
      postgresCpuUs: each('postgresCpuSeconds') * 1e6,
      generatorCpuUs: (outcome.cpuSeconds / outcome.answered) * 1e6,
    };
    return { ...outcome, costs };
  }

  private async counters(kind: keyof typeof RECORDED, port: number, pid: number) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? NaN);
    const { rows } = await this.client.query<{ wal: string; recorded: string }>(
      `SELECT pg_current_wal_lsn() - '0/0' AS wal, (${RECORDED[kind]}) AS recorded`,
    );
    return {
      walBytes: Number(rows[0]!.wal),
      recorded: Number(rows[0]!.recorded),
      batches: metric('ledger_batch_size_count'),
      postings: metric('ledger_batch_size_sum'),
      apiCpuSeconds: cpuSecondsOf(pid),
      postgresCpuSeconds: cpuSecondsOfFamily(this.service.database.pid),
    };
  }
}
