import type { Client } from 'pg';
import { decodeId, encodeId } from '../src/core/http/ids';
import { type Bank, post } from './bank';
import { connectionsFor, InvalidRun, type Timing, validated } from './measured';
import type { Outcome } from './load';
import type { Requests } from './requests';
import type { Listening, Service } from './service';
import { cpuSecondsOf, cpuSecondsOfFamily } from './usage';

/** What a load took besides time. Everything but the latencies and the batch is per transfer, purchase, payout or conversion. */
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
  readonly kind?: 'transfer' | 'purchase' | 'payout' | 'conversion';
  /** One wallet that pays every transfer; drawn at random without it. */
  readonly from?: string;
  readonly ratePerSecond?: number;
}

export interface TransferRun extends Outcome {
  readonly costs: TransferCosts;
}

const sold = (type: string): string =>
  `SELECT count(*) FROM transactions WHERE type = '${type}' AND status = 'successful' AND balance_before IS NOT NULL`;

const RECORDED = {
  transfer: 'SELECT count(*) FROM transfers',
  purchase: sold('airtime_purchase'),
  payout: sold('payout'),
  conversion: 'SELECT count(*) FROM conversions',
};

/** More than a machine converts in a second. */
const QUOTES_PER_SECOND = 8_000;

/** Of the sandbox, as the service writes them but for their minute: a load would use them up too late. */
const INSERT_QUOTES = `
  INSERT INTO quotes (account_id, livemode, id, side, from_currency, to_currency, rate, sell_amount, buy_amount, fee, breakdown, expires_at)
  SELECT $1, false, uuidv7(), 'sell', 'NGN', 'USD', '0.00064', 100000, 64, 0, '[{"by": "fee_table", "kind": "fee", "amount": 0}]',
         now() + interval '1 hour' FROM generate_series(1, $2) RETURNING id`;

/** Puts transfers, purchases, payouts or conversions on an API and counts what they cost the processes and the disk. */
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
    const requests = { ...(await this.prepared(kind, port)), port, key: partner.key, wallets, from } as Requests;
    const before = await this.counters(kind, port, pid);
    const outcome = await this.service.processes.load({
      ...this.timing,
      requests,
      connections: connectionsFor(ratePerSecond),
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

  /** What a load needs beside wallets. */
  private async prepared(kind: keyof typeof RECORDED, port: number): Promise<Partial<Requests>> {
    if (kind !== 'conversion') return { kind };
    const { key, accountId } = this.bank.partner;
    const { id: to } = await post<{ id: string }>(port, key, '/v4/wallets', { currency: 'USD' });
    const seconds = this.timing.warmUpSeconds + this.timing.seconds;
    const { rows } = await this.client.query<{ id: string }>(INSERT_QUOTES, [
      decodeId('acct', accountId),
      Math.ceil(seconds * QUOTES_PER_SECOND),
    ]);
    return { kind, to, quotes: rows.map(({ id }) => encodeId('qte', id)) };
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
