import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Lifetime, runProcess } from '../../../src/core/process/lifetime';
import { conclude, option } from '../command-line';
import { Load, openWallets } from '../load';
import type { Program } from '../program';
import { balances, reckon } from '../reckoning';
import { Service } from '../service';
import { Receiver } from '../webhooks/receiver';
import { untilNothingWaits, verdictsOf } from '../webhooks/reckoning';
import { missingPrograms, PatroniCluster } from './cluster';
import { openPool } from '../open-pool';

const WALLETS = 50;
/** More than all orders of a run together: nothing is refused. */
const OPENING_BALANCE = 1_000_000_000_000;
/** Longer than Patroni's `ttl` and an election. */
const PATIENCE_MS = 40_000;
const BETWEEN_MS = 3_000;
const LOOK_MS = 200;
/** In the log of the worker. */
const SEALED = '"context":"seal"';
/** That all events arrive is judged here, not how fast: the machine runs a cluster beside it. */
const BACKLOG_MAX_MS = 300_000;
const COST_ROUNDS = 3;
const COST_MS = 10_000;

/** How the primary ends. */
const STRIKES = ['machine', 'server', 'switchover'] as const;
type Strike = (typeof STRIKES)[number];

/**
 * `npm run ha-drill`: under load the primary of a Patroni cluster is lost again and again, and what was answered is there,
 * once.
 * `--direct`: by several hosts in DATABASE_URL instead of HAProxy. `--kills=20`. `--rate=40`: transfers a second.
 * `--strike=machine`: Patroni and PostgreSQL killed; `server`: PostgreSQL only; `switchover`: planned.
 * `--asynchronous`: what is lost then. `--cost`: no kills, but what `synchronous_mode` costs.
 */
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const missing = missingPrograms();
  if (missing.length > 0)
    throw new Error(`apt-get install --no-install-recommends patroni etcd-server haproxy (${missing.join()})`);
  const has = (flag: string): boolean => process.argv.includes(`--${flag}`);
  const strike = (option('strike') ?? 'machine') as Strike;
  if (!STRIKES.includes(strike)) throw new Error(`--strike is one of ${STRIKES.join(', ')}`);
  const cluster = await PatroniCluster.start(lifetime);
  const drill = await Drill.start(lifetime, cluster, has('direct'));
  if (has('cost')) return conclude(lifetime, await drill.cost(), 'That is what it costs.');
  const kills = parseInt(option('kills') ?? '20', 10);
  await conclude(lifetime, await drill.run(strike, kills, !has('asynchronous')), 'What was answered is there, once.');
});

class Drill {
  private constructor(
    private readonly cluster: PatroniCluster,
    private readonly service: Service,
    private readonly worker: Program,
    private readonly receiver: Receiver,
    private readonly db: Pool,
    private readonly wallets: readonly string[],
  ) {}

  static async start(lifetime: Lifetime, cluster: PatroniCluster, isDirect: boolean): Promise<Drill> {
    const receiver = await Receiver.start(lifetime);
    const settings = {
      ...(isDirect && { DATABASE_URL: cluster.directUrl }),
      PATIENCE_MS: String(PATIENCE_MS),
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      WORKER_IN_API: 'false',
    };
    const service = await Service.start(lifetime, settings, cluster.url);
    const db = await openPool(lifetime, cluster.url);
    const worker = service.program('worker.js');
    await lifetime.own(Promise.resolve(), () => worker.end('SIGKILL'));
    // It seals, and logs the heads.
    worker.launch({ ...service.env, LOG_LEVEL: 'info' });
    receiver.trust(await service.listen(receiver.url));
    const wallets = await openWallets(service, WALLETS, OPENING_BALANCE);
    while (!service.logs.includes(SEALED) && worker.collapses.length === 0) await sleep(LOOK_MS);
    if (worker.collapses.length > 0) throw new Error(`the worker ended:\n${worker.lastWords}`);
    return new Drill(cluster, service, worker, receiver, db, wallets);
  }

  /** What is wrong. */
  async run(strike: Strike, kills: number, isSynchronous: boolean): Promise<string[]> {
    if (!isSynchronous) await this.cluster.setSynchronous(false);
    const { cluster, service, receiver, db } = this;
    const opening = await balances(service);
    const begunAt = performance.now();
    const rate = parseInt(option('rate') ?? '40', 10);
    const load = new Load(
      service,
      this.wallets,
      () => (rate * (performance.now() - begunAt)) / 1_000,
      PATIENCE_MS + 5_000,
    );
    load.start();
    const gaps: number[] = [];
    console.log('| | Without an answer | Answered 503 | Not answered | Acknowledged so far |\n|--:|--:|--:|--:|--:|');
    for (let kill = 1; kill <= kills; kill++) {
      await sleep(BETWEEN_MS * (0.5 + Math.random()));
      const before = { unavailable: load.unavailable, unanswered: load.unanswered.length };
      const since = performance.now();
      const victim = await cluster.strike(strike);
      const struckAt = strike === 'switchover' ? since : performance.now();
      await load.nextSuccess();
      const gap = (performance.now() - struckAt) / 1_000;
      gaps.push(gap);
      // Those that wait longest have their answers, too.
      await cluster.bringBack(victim, isSynchronous);
      const figures = [
        `${gap.toFixed(1)} s`,
        load.unavailable - before.unavailable,
        load.unanswered.length - before.unanswered,
        load.accepted.size,
      ];
      console.log(`| ${[kill, ...figures].join(' | ')} |`);
    }
    await load.finish();
    const backlogMs = await untilNothingWaits(db, performance.now(), BACKLOG_MAX_MS);
    gaps.sort((a, b) => a - b);
    print({
      acknowledged: load.accepted.size,
      'slowest answer': `${(load.slowestMs / 1_000).toFixed(1)} s`,
      'without an answer, median': `${gaps[gaps.length >> 1]?.toFixed(1)} s`,
      'without an answer, longest': `${gaps.at(-1)?.toFixed(1)} s`,
    });
    const wrong = Array.from(load.faults, ([what, count]) => `${count} × ${what}`);
    if (this.worker.collapses.length > 0) wrong.push(`the worker ended:\n${this.worker.lastWords}`);
    if (!isSynchronous) return [...wrong, ...(await this.tellLoss(load, opening))];
    const verdicts = await verdictsOf(
      { service, db, load, receiver, opening, backlogMaxMs: BACKLOG_MAX_MS },
      backlogMs,
    );
    print(Object.fromEntries(verdicts.map(({ what, found }) => [what, found])));
    const heads = await this.headsVerdict();
    print({ 'heads that were noted': heads, 'losses that the API noticed': this.noticedLosses });
    return [
      ...wrong,
      ...verdicts.filter(({ isRight }) => !isRight).map(({ what, found }) => `${what}: ${found}`),
      ...(heads === 'all there' ? [] : [`heads: ${heads}`]),
      ...(this.noticedLosses === 0 ? [] : [`losses that the API noticed: ${this.noticedLosses}`]),
    ];
  }

  /** Of a cluster that promises less: only what is wrong beside what is lost. */
  private async tellLoss(load: Load, opening: ReadonlyMap<string, number>): Promise<string[]> {
    const books = await reckon(this.service, load, opening);
    print({
      'acknowledged, and lost': books.lost,
      'done twice': books.duplicated,
      'checks of the books that fail': books.brokenChecks.length,
      'heads that were noted': await this.headsVerdict(),
      'losses that the API noticed': this.noticedLosses,
    });
    return books.duplicated + books.brokenChecks.length > 0 ? [JSON.stringify(books).slice(0, 500)] : [];
  }

  private get noticedLosses(): number {
    return this.service.logs.split('a batch that was acknowledged is gone').length - 1;
  }

  /** What `verify:ledger --heads` finds by the log of the worker. */
  private async headsVerdict(): Promise<string> {
    const file = this.service.keep('heads.log', this.service.logs);
    const { checks } = JSON.parse(await this.service.duka('verify:ledger', '--json', '--heads', file)) as {
      checks: { check: string; found: number }[];
    };
    const { found } = checks.find(({ check }) => check === 'chain_has_the_noted_head')!;
    return found === 0 ? 'all there' : `${found} missing`;
  }

  /** Rates with and without, by turns, at full load. */
  async cost(): Promise<string[]> {
    const load = new Load(this.service, this.wallets);
    load.start();
    const rates: Record<'synchronous' | 'asynchronous', number[]> = { synchronous: [], asynchronous: [] };
    for (let round = 0; round < COST_ROUNDS; round++)
      for (const mode of ['synchronous', 'asynchronous'] as const) {
        await this.cluster.setSynchronous(mode === 'synchronous');
        await sleep(1_000);
        const [before, since] = [load.accepted.size, performance.now()];
        await sleep(COST_MS);
        rates[mode].push(((load.accepted.size - before) * 1_000) / (performance.now() - since));
      }
    await load.finish();
    const sum = (mode: keyof typeof rates): number => rates[mode].reduce((total, rate) => total + rate, 0);
    for (const [mode, each] of Object.entries(rates)) print({ [`${mode}, a second`]: each.map(Math.round).join(' ') });
    print({ 'synchronous ÷ asynchronous': (sum('synchronous') / sum('asynchronous')).toFixed(2) });
    return [];
  }
}

function print(facts: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(60)}${value}`);
}
