import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Bank, call, openBank, post } from './bank';
import { type HistoryType, writeHistory } from './history';
import type { Outcome } from './load';
import { CONNECTIONS, InvalidRun, type Timing, validated } from './measured';
import { Pgbench } from './pgbench';
import type { Listening, Partner, Service } from './service';
import { openBusyWallet, readStatements, type StatementRun } from './statements';
import { type TransferCosts, type TransferLoad, Transfers } from './transfers';
import { peakMemoryMb } from './usage';

/** Lists are timed one by one, not under pressure. */
const LIST_CONNECTIONS = 2;
const WALLETS = 1_000;
/** One transaction per transfer, over as many connections as were fastest. */
const UNBATCHED = { LEDGER_BATCH_MAX: '1', LEDGER_WRITERS: '16' };

/** Long enough for a turn to be a small part of it. */
const BATCH_ROWS = 10_000;
/** Of the batch before it: a worker that has just started is slower, as every other load has its warm-up. */
const WARM_UP_ROWS = 5_000;
const BATCH_POLL_MS = 50;
/** Of a long round: the purchases beside them take longer than one batch. */
const LONG_BATCHES = 4;
const QUICK_SECONDS_MAX = 5;
/** Purchases of an account beside a batch of another. */
const NEIGHBOURS_PER_SECOND = 50;

const CARDS = 200;
const AUTHORIZATIONS_PER_SECOND = 500;
/** That the address thinks about each. */
const ENDPOINT_MS = 5;
const CARDHOLDER = {
  first_name: 'Ada',
  last_name: 'Obi',
  email: 'ada@example.com',
  phone: '+2348031234567',
  date_of_birth: '1990-04-21',
  address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' },
  identity: { type: 'passport', number: 'A01234567' },
};

interface BatchSeen {
  readonly status: string;
  readonly counts: { readonly successful: number };
}

export const MEASUREMENTS = [
  'pgbench',
  'rawPost',
  'transfers',
  'unbatched',
  'hot',
  'paced',
  'memory',
  'rawGet',
  'wallet',
  'thousand',
  'million',
  'purchases',
  'pacedPurchases',
  'conversions',
  'payouts',
  'pacedPayouts',
  'batchRows',
  'withoutBatch',
  'besideBatch',
  'tenThousandLines',
  'hundredThousandLines',
  'statementFirstByte',
  'askedAuthorizations',
  'thousandPurchases',
  'millionPurchases',
] as const;
/** In the order of a round: each stands beside what it is compared with. */
export type Measurement = (typeof MEASUREMENTS)[number];

/** One number for each measurement, taken as often as it is asked for. NaN: this machine cannot. */
export class Measurements implements Record<Measurement, () => Promise<number>> {
  /** Of each load of transfers. */
  readonly costs: [Measurement, TransferCosts][] = [];
  private readonly transferLoad: Transfers;
  private readonly prepared = new Map<string, Promise<unknown>>();
  private peakPerSecond = NaN;
  private peakPurchasesPerSecond = NaN;
  private peakPayoutsPerSecond = NaN;
  private firstByteMs = NaN;

  private constructor(
    private readonly service: Service,
    private readonly timing: Timing,
    private readonly client: Client,
    private readonly on: { readonly api: Listening; readonly bank: Bank },
  ) {
    this.transferLoad = new Transfers(service, client, on.bank, timing);
  }

  static async prepare(service: Service, timing: Timing): Promise<Measurements> {
    const client = new Client({ connectionString: service.database.url });
    client.on('error', () => undefined);
    await client.connect();
    const api = await service.startApi();
    return new Measurements(service, timing, client, { api, bank: await openBank(service, api.port, WALLETS) });
  }

  async pgbench(): Promise<number> {
    const pgbench = await this.once('pgbench', () =>
      Pgbench.prepare(this.service.processes, this.service.database.url),
    );
    return pgbench ? pgbench.perSecond(this.timing.seconds) : NaN;
  }

  async rawPost(): Promise<number> {
    const {
      bank: { partner, wallets },
    } = this.on;
    const { port } = await this.rawFastify();
    const requests = { kind: 'transfer', port, key: partner.key, wallets } as const;
    const expected = { status: 201, text: '"status":"successful"' };
    return (await this.load({ requests, connections: CONNECTIONS.peak, expected })).perSecond;
  }

  async transfers(): Promise<number> {
    this.peakPerSecond = (await this.transfer('transfers', this.on.api)).perSecond;
    return this.peakPerSecond;
  }

  async unbatched(): Promise<number> {
    const api = await this.once('unbatched', () => this.service.startApi(UNBATCHED));
    return (await this.transfer('unbatched', api)).perSecond;
  }

  async hot(): Promise<number> {
    return (await this.transfer('hot', this.on.api, { from: this.on.bank.wallets[0] })).perSecond;
  }

  /**
   * p99 in milliseconds at half of the rate that the same round reached. What others have written is on the disk before:
   * where a checkpoint of it is under way, commits wait for the disk.
   */
  async paced(): Promise<number> {
    await this.client.query('CHECKPOINT');
    return (await this.transfer('paced', this.on.api, { ratePerSecond: this.peakPerSecond / 2 })).p99Ms;
  }

  async purchases(): Promise<number> {
    this.peakPurchasesPerSecond = (await this.transfer('purchases', this.on.api, { kind: 'purchase' })).perSecond;
    return this.peakPurchasesPerSecond;
  }

  async pacedPurchases(): Promise<number> {
    return (
      await this.transfer('pacedPurchases', this.on.api, {
        kind: 'purchase',
        ratePerSecond: this.peakPurchasesPerSecond / 2,
      })
    ).p99Ms;
  }

  async conversions(): Promise<number> {
    return (await this.transfer('conversions', this.on.api, { kind: 'conversion' })).perSecond;
  }

  async payouts(): Promise<number> {
    this.peakPayoutsPerSecond = (await this.transfer('payouts', this.on.api, { kind: 'payout' })).perSecond;
    return this.peakPayoutsPerSecond;
  }

  async pacedPayouts(): Promise<number> {
    const load = { kind: 'payout', ratePerSecond: this.peakPayoutsPerSecond / 2 } as const;
    return (await this.transfer('pacedPayouts', this.on.api, load)).p99Ms;
  }

  async tenThousandLines(): Promise<number> {
    return (await this.statement(10_000)).peakMemoryMb;
  }

  async hundredThousandLines(): Promise<number> {
    const run = await this.statement(100_000);
    this.firstByteMs = run.firstByteMs;
    return run.peakMemoryMb;
  }

  async statementFirstByte(): Promise<number> {
    return this.firstByteMs;
  }

  /** Rows of airtime that one worker carries out in a second, from the first that begins to the last that ended. */
  async batchRows(): Promise<number> {
    return this.batch(1, async ({ began, ended }) => {
      await ended;
      return (BATCH_ROWS * 1_000) / (performance.now() - (await began));
    });
  }

  async withoutBatch(): Promise<number> {
    return this.neighbours();
  }

  /** Of purchases of another account, while a worker carries a batch out. */
  async besideBatch(): Promise<number> {
    return this.batch(this.timing.seconds > QUICK_SECONDS_MAX ? LONG_BATCHES : 1, async ({ began, ended }) => {
      await began;
      let isOver = false;
      void ended.then(() => (isOver = true));
      const p99Ms = await this.neighbours();
      if (isOver) throw new InvalidRun('the batch ended before the purchases beside it did');
      await ended;
      return p99Ms;
    });
  }

  /** p99 in milliseconds at a fixed rate, less that of authorizations that nobody is asked about. */
  async askedAuthorizations(): Promise<number> {
    const { api, cards } = await this.once('cards', () => this.issueCards());
    const { port } = api;
    const { key } = this.on.bank.partner;
    const requests = { kind: 'authorization', port, key, cards } as const;
    const expected = { status: 201, text: '"status":"authorized"' };
    const run = async (): Promise<number> =>
      (await this.load({ requests, connections: CONNECTIONS.peak, ratePerSecond: AUTHORIZATIONS_PER_SECOND, expected }))
        .p99Ms;
    const bare = await run();
    const endpoint = createServer((_, response) => {
      setTimeout(() => response.end('{"approve":true}'), ENDPOINT_MS);
    }).listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
    const path = '/v4/cards/authorization-endpoint';
    const headers = { 'content-type': 'application/json' };
    try {
      await call(port, key, path, { method: 'PUT', headers, body: JSON.stringify({ url, default: 'decline' }) });
      return (await run()) - bare;
    } finally {
      await call(port, key, path, { method: 'DELETE' });
      endpoint.close();
    }
  }

  async memory(): Promise<number> {
    return peakMemoryMb(this.on.api.pid);
  }

  async rawGet(): Promise<number> {
    return this.readWallets((await this.rawFastify()).port);
  }

  async wallet(): Promise<number> {
    return this.readWallets(this.on.api.port);
  }

  thousand(): Promise<number> {
    return this.list('deposit', 1_000);
  }

  million(): Promise<number> {
    return this.list('deposit', 1_000_000);
  }

  thousandPurchases(): Promise<number> {
    return this.list('airtime_purchase', 1_000);
  }

  millionPurchases(): Promise<number> {
    return this.list('airtime_purchase', 1_000_000);
  }

  pgbenchVersion(): Promise<string | undefined> {
    const pgbench = this.prepared.get('pgbench') as Promise<Pgbench | null> | undefined;
    return Promise.resolve(pgbench).then((found) => found?.version());
  }

  /** Of the bank's account, by an API that may ask addresses of this machine. */
  private async issueCards(): Promise<{ api: Listening; cards: string[] }> {
    const api = await this.service.startApi({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
    const { key } = this.on.bank.partner;
    const { id: wallet } = await post<{ id: string }>(api.port, key, '/v4/wallets', { currency: 'USD' });
    await post(api.port, key, `/v4/sandbox/wallets/${wallet}/credit`, { amount: 1_000_000_000 });
    const cards: string[] = [];
    while (cards.length < CARDS) {
      const order = { customer: CARDHOLDER, currency: 'USD', amount: 100_000, funding_wallet_id: wallet };
      cards.push((await post<{ id: string }>(api.port, key, '/v4/cards/issue', order)).id);
    }
    return { api, cards };
  }

  /** p99 in milliseconds of purchases of an account that has little to do. */
  private async neighbours(): Promise<number> {
    const { port } = this.on.api;
    const { key, wallet } = await this.once('neighbour', async () => {
      const partner = await this.service.openPartner('Neighbour');
      await post(port, partner.key, `/v4/sandbox/wallets/${partner.wallet}/credit`, { amount: 1_000_000_000 });
      return partner;
    });
    const requests = { kind: 'purchase', port, key, wallets: [wallet] } as const;
    const expected = { status: 201, text: '"status":"successful"' };
    const load = { requests, connections: CONNECTIONS.peak, ratePerSecond: NEIGHBOURS_PER_SECOND, expected };
    return (await this.load(load)).p99Ms;
  }

  /**
   * Has a worker carry batches out, after a smaller one. `began`: when the first did, on the clock of
   * `performance.now()`.
   */
  private async batch<T>(
    batches: number,
    work: (batch: { began: Promise<number>; ended: Promise<unknown> }) => Promise<T>,
  ): Promise<T> {
    const { port } = this.on.api;
    const { key } = this.on.bank.partner;
    const wallet_id = this.on.bank.wallets[0];
    const worker = await this.service.startWorker();
    const place = async (rows: number): Promise<{ began: Promise<number>; ended: Promise<void> }> => {
      const items = Array.from({ length: rows }, (_, i) => ({
        phone: `+2348031${String(i).padStart(6, '0')}`,
        network: 'mtn',
        amount: 5_000,
        reference: randomUUID(),
      }));
      const { id } = await post<{ id: string }>(port, key, '/v4/batches', { kind: 'airtime', wallet_id, items });
      const began = Promise.withResolvers<number>();
      const watch = async (): Promise<void> => {
        for (;;) {
          const { status, counts } = await call<BatchSeen>(port, key, `/v4/batches/${id}`);
          if (status === 'running') began.resolve(performance.now());
          if (status === 'completed' && counts.successful === rows) return;
          if (!['validating', 'running'].includes(status)) throw new InvalidRun(`the batch is ${status}`);
          await sleep(BATCH_POLL_MS);
        }
      };
      return { began: began.promise, ended: watch() };
    };
    try {
      await (
        await place(WARM_UP_ROWS)
      ).ended;
      const placed = await Promise.all(Array.from({ length: batches }, () => place(BATCH_ROWS)));
      return await work({
        began: Promise.race(placed.map(({ began }) => began)),
        ended: Promise.all(placed.map(({ ended }) => ended)),
      });
    } finally {
      await this.service.processes.stop(worker);
    }
  }

  /** Of a wallet of the bank's account with so many transactions. */
  private async statement(lines: number): Promise<StatementRun> {
    const { api, bank } = this.on;
    const { key } = bank.partner;
    const wallet = await this.once(`${lines} lines`, () => openBusyWallet(api.port, key, lines));
    return readStatements(this.service, { key, wallet });
  }

  private async transfer(name: Measurement, api: Listening, load?: TransferLoad): Promise<Outcome> {
    const run = await this.transferLoad.run(api, load);
    this.costs.push([name, run.costs]);
    return run;
  }

  private async readWallets(port: number): Promise<number> {
    const { partner, wallets } = this.on.bank;
    const requests = { kind: 'read', port, key: partner.key, paths: wallets.map((id) => `/v4/wallets/${id}`) } as const;
    const expected = { status: 200, text: '"object":"wallet"' };
    return (await this.load({ requests, connections: CONNECTIONS.peak, expected })).perSecond;
  }

  /** p99 in milliseconds of pages from all over the list of an account with `count` transactions of a type. */
  private async list(type: HistoryType, count: number): Promise<number> {
    const { port } = this.on.api;
    const { partner, paths } = await this.once(`history of ${count} × ${type}`, async () => {
      const owner: Partner = await this.service.openPartner(`${count} × ${type}`);
      return { partner: owner, paths: await writeHistory(this.client, port, owner, { type, count }) };
    });
    const requests = { kind: 'read', port, key: partner.key, paths } as const;
    const expected = { status: 200, text: '"has_more":true' };
    return (await this.load({ requests, connections: LIST_CONNECTIONS, expected })).p99Ms;
  }

  private async load(job: Omit<Parameters<Service['processes']['load']>[0], keyof Timing>): Promise<Outcome> {
    return validated(await this.service.processes.load({ ...this.timing, ...job }));
  }

  private rawFastify(): Promise<Listening> {
    return this.once('raw Fastify', async () => {
      const {
        api: { port },
        bank: {
          partner: { key },
          wallets: [from, to],
        },
      } = this.on;
      const transfer = await post<object>(port, key, '/v4/wallets/transfer', {
        from_wallet: from,
        to_wallet: to,
        amount: 1,
      });
      return this.service.startRawFastify({ transfer, wallet: await call<object>(port, key, `/v4/wallets/${from}`) });
    });
  }

  /** What only some of the measurements need is made when the first of them asks for it. */
  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = (this.prepared.get(name) as Promise<T> | undefined) ?? make();
    this.prepared.set(name, made);
    return made;
  }
}
