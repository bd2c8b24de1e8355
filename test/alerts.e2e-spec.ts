import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';
import Redis from 'ioredis';
import { Client } from 'pg';
import { freePort } from '../src/core/process/ports';
import { EvictionPolicy } from '../src/core/queue/eviction-policy';
import { Readiness } from '../src/providers/readiness';
import { TopupServer } from './contracts/topup-server';
import type { Api } from './support/api';
import { buildWhenStale, CommandLine, NODE_COMPILE_CACHE } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { findOnPath } from './support/programs';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { startRedis } from './support/redis-server';
import { SecondServer } from './support/second-server';

const ROOT = join(__dirname, '..');
const FILES = join(ROOT, 'deploy/prometheus');
const RULES = readFileSync(join(FILES, 'alerts.yml'), 'utf8');
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
const MONITORING = readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8');

/** `ApiDown` → `api-down`. */
const pageOf = (alert: string): string => alert.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase();
const textOf = (alert: string): string => readFileSync(join(ROOT, `docs/runbooks/${pageOf(alert)}.md`), 'utf8');

describe('what stands in docs', () => {
  it('has a page for each alert, and none for others', () => {
    const pages = readdirSync(join(ROOT, 'docs/runbooks')).map((name) => name.replace(/[.]md$/, ''));
    expect(pages.sort()).toEqual(ALERTS.map(pageOf).sort());
    const addresses = [...RULES.matchAll(/runbook_url: https:\/\/[\w.-]+\/docs\/runbooks\/(\S+)/g)];
    expect(addresses.map(([, page]) => page)).toEqual(ALERTS.map(pageOf));
    for (const alert of ALERTS)
      expect(textOf(alert)).toMatch(new RegExp(`^# ${alert}\n\nSeverity: (critical|warning)[.] `));
    expect(ALERTS.filter((alert) => !MONITORING.includes(`| [${alert}](runbooks/${pageOf(alert)}.md) |`))).toEqual([]);
  });

  it('names only commands that there are', () => {
    const sources = readdirSync(join(ROOT, 'src/cli')).map((file) => readFileSync(join(ROOT, 'src/cli', file), 'utf8'));
    const known = new Set([...sources.join('').matchAll(/new DukaCommand\('([\w:-]+)'/g)].map(([, name]) => name));
    const named = ALERTS.flatMap((alert) => {
      const text = textOf(alert);
      const whole = [...text.matchAll(/npm run (?:--silent )?duka -- ([\w:-]+)/g)];
      const short = [...text.matchAll(/`([a-z-]+:[a-z-]+)`/g)];
      return [...whole, ...short].map(([, name]) => name!);
    });
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });
});

const missing = ['prometheus', 'promtool', 'redis-server'].filter((name) => findOnPath(name) === null).join(', ');
const describeHere = missing === '' ? describe : describe.skip;

/** Longer than the service's own rhythms of 5 s. */
const CUT_SECONDS = 8;
/**
 * The rules in the time of a test: `for` and windows are cut, and what is compared with an age (a metric that ends in
 * `_seconds`) is `CUT_SECONDS` at most. Nothing else is changed. Nobody can wait for statistics to be days old.
 */
const quickened = RULES.replace(/for: [1-9]\d*[mh]/g, 'for: 1s')
  .replace(/\[\d+m\]/g, '[10s]')
  .replace(
    /(_seconds\b[^<>\n]*> )(\d+)/g,
    (_, before: string, than: string) => `${before}${Math.min(Number(than), CUT_SECONDS)}`,
  )
  .replace(/ {6}- alert: StatisticsOld[\s\S]*?(?=\n {6}- alert|\n {2}- name|$)/, '');

/** Names of metrics in PromQL: words that are neither functions, nor of the language, nor labels. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '');
  const words = [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)].map(([word]) => word);
  return words.filter((word) => !['and', 'or', 'unless', 'by', 'on', 'ignoring'].includes(word));
}

describeHere(`Prometheus${missing && ` (needs ${missing} on PATH)`}`, () => {
  const token = 'a-token-of-metrics-of-this-test';
  const folder = mkdtempSync(join(tmpdir(), 'duka-prometheus-'));
  const started: ChildProcess[] = [];
  let topups: TopupServer;
  let redis: Redis;
  let redisUrl: string;
  /** Of its own: a transaction that is forgotten here would hold up the webhooks of every database of its server. */
  let server: SecondServer;
  let duka: Duka;
  let api: ChildProcess;
  let worker: ChildProcess;
  let ports: Record<'api' | 'worker' | 'prometheus', number>;
  let account: TestAccount;
  let receiver: Receiver;
  let live: Api;
  let wallet: string;
  let holder: Client;
  let queues: Queue[];

  const run = (program: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess => {
    const child = spawn(program, args, { cwd: ROOT, env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
    started.push(child);
    return child;
  };
  const service = (script: string, env: NodeJS.ProcessEnv): ChildProcess =>
    run(process.execPath, [`dist/src/${script}.js`], {
      NODE_COMPILE_CACHE,
      DATABASE_URL: duka.env.DATABASE_URL,
      REDIS_URL: redisUrl,
      SECRETS_KEY: duka.env.SECRETS_KEY,
      METRICS_TOKEN: token,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_TEST: '0',
      RATE_LIMIT_LIVE: '0',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      TOPUP_URL: topups.baseUrl,
      TOPUP_KEY: 'secret',
      ...env,
    });
  const ask = async (path: string): Promise<any> => {
    const answer = await fetch(`http://127.0.0.1:${ports.prometheus}/api/v1/${path}`).catch(() => null);
    return answer?.ok ? ((await answer.json()) as { data: any }).data : null;
  };
  const firing = async (): Promise<string[]> =>
    ((await ask('alerts'))?.alerts ?? [])
      .filter(({ state }: any) => state === 'firing')
      .map(({ labels }: any) => labels.alertname);
  /** Those that fired, however briefly. */
  const seen = new Set<string>();
  const fires = (...alerts: string[]): Promise<void> => firesWhile(async () => undefined, ...alerts);
  /** `fault` is made anew at each look: what is under way may mend it. */
  const firesWhile = (fault: () => Promise<unknown>, ...alerts: string[]): Promise<void> =>
    until(async () => {
      await fault();
      for (const alert of await firing()) seen.add(alert);
      return alerts.every((alert) => seen.has(alert));
    }, 60).catch(() => expect([...seen].filter((alert) => alerts.includes(alert))).toEqual(alerts));

  beforeAll(async () => {
    buildWhenStale();
    [topups, redisUrl, server] = await Promise.all([
      TopupServer.start(),
      startRedis() as Promise<string>,
      SecondServer.start(),
    ]);
    redis = new Redis(redisUrl);
    duka = await server.serve({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, REDIS_URL: redisUrl });
    ports = { api: await freePort(), worker: await freePort(), prometheus: await freePort() };
    api = service('main', { PORT: String(ports.api), DATABASE_POOL_SIZE: '2' });
    worker = service('worker', { WORKER_PORT: String(ports.worker), WORKER_DEAF_SECONDS: '12' });
    // As it is shipped, but for addresses and times.
    const config = readFileSync(join(FILES, 'prometheus.yml'), 'utf8')
      .replaceAll('15s', '1s')
      .replace('api:3000', `127.0.0.1:${ports.api}`)
      .replace('worker:3001', `127.0.0.1:${ports.worker}`);
    writeFileSync(join(folder, 'prometheus.yml'), config);
    writeFileSync(join(folder, 'alerts.yml'), quickened);
    writeFileSync(join(folder, 'metrics-token'), token);
    run('prometheus', [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${ports.prometheus}`,
    ]);
    queues = ['recurring', 'requeries'].map(
      (name) => new Queue(name, { connection: { url: redisUrl }, prefix: 'duka' }),
    );
    account = await duka.account();
    const key = await duka.key({ accountId: account.id, livemode: true });
    await until(async () => (await fetch(`http://127.0.0.1:${ports.api}/readyz`).catch(() => null))?.ok === true, 30);
    live = duka.api(key);
    wallet = await live.wallet();
    await duka.fund(wallet, 100_000_000n);
    receiver = await Receiver.of(duka, account, { events: ['wallet.credited'], inFlightMax: 2 });
    await duka.asOwner(`INSERT INTO provider_routes (product, network, livemode, provider, position)
      VALUES ('airtime', '*', true, 'example', 1)`);
    // From here on the real process is asked.
    duka.url = `http://127.0.0.1:${ports.api}`;
  });

  afterAll(async () => {
    for (const child of started) child.kill('SIGCONT');
    for (const child of started) child.kill('SIGKILL');
    await holder?.end();
    await Promise.all(queues.map((queue) => queue.close()));
    redis?.disconnect();
    await receiver?.close();
    await duka?.stop();
    await server?.stop();
    await topups?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes the files as they are shipped', () => {
    const promtool = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FILES, encoding: 'utf8' });
      return { status, said: `${stdout}${stderr}` };
    };
    const checked = [
      promtool('check', 'rules', 'alerts.yml'),
      promtool('check', 'config', join(folder, 'prometheus.yml')),
      promtool('test', 'rules', 'alerts.test.yml'),
    ];
    expect(checked.map(({ status, said }) => (status === 0 ? 'fine' : said))).toEqual(['fine', 'fine', 'fine']);
  });

  it('names metrics that there are, in rules and dashboards', async () => {
    const shown = async (port: number) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
    };
    await until(
      async () => (await fetch(`http://127.0.0.1:${ports.worker}/readyz`).catch(() => null))?.ok === true,
      30,
    );
    const texts = [await shown(ports.api), await shown(ports.worker)];
    const known = new Set(['up']);
    for (const [, name, type] of texts.join('').matchAll(/^# TYPE (\w+) (\w+)/gm)) {
      known.add(name!);
      if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) known.add(`${name}_${part}`);
    }
    await until(async () => (await ask('rules')) !== null, 20);
    const rules = (await ask('rules')).groups.flatMap(({ rules: all }: any) => all);
    const dashboards = readdirSync(join(ROOT, 'deploy/grafana')).map((file) =>
      JSON.parse(readFileSync(join(ROOT, 'deploy/grafana', file), 'utf8')),
    );
    const asked: string[] = [
      ...rules.map(({ query }: any) => query),
      ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }: any) => targets.map(({ expr }: any) => expr))),
      // Left out of the rules of the test.
      'database_statistics_age_seconds',
    ];
    expect(asked.length).toBeGreaterThan(ALERTS.length + 40);
    const named = [...new Set(asked.flatMap(metricsIn))];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const documented = [...MONITORING.matchAll(/^\| (`\w+`[^|]*)/gm)].flatMap(([, cell]) => cell!.match(/\w{5,}/g)!);
    expect(documented.filter((name) => !known.has(name))).toEqual([]);
    const ours = [...known].filter((name) => !/^(?:up|nodejs_.*|process_.*|.*_(?:bucket|sum|count))$/.test(name));
    expect(ours.filter((name) => !documented.includes(name))).toEqual([]);
    // What is of the whole service only a worker shows: sums would count it twice.
    for (const name of ['reviews_waiting', 'ledger_seal_lag_seconds', 'queue_jobs'])
      expect(texts.map((text) => new RegExp(`^${name}[ {]`, 'm').test(text))).toEqual([false, true]);
  });

  it('is quiet while all is well', async () => {
    await account.api.credit((await account.api.get('/v4/wallets')).body.data[0].id, 100);
    await until(() => receiver.received.length === 1, 20);
    await until(async () => (await ask('query?query=min(up)'))?.result[0]?.value[1] === '1', 20);
    await until(async () => (await firing()).length === 0, 20);
    // Every rule was asked again over two seconds of quiet.
    const quietFrom = Date.now();
    const evaluated = async (): Promise<number[]> =>
      ((await ask('rules'))?.groups ?? []).map(({ lastEvaluation }: any) => Date.parse(lastEvaluation));
    await until(async () => Math.min(...(await evaluated())) > quietFrom + 2_000, 60);
    expect(await firing()).toEqual([]);
  });

  it('hears that something is sold below cost', async () => {
    // They charge all that is delivered; the buyer pays less by the commission.
    const buy = (i: number) =>
      live.post('/v4/airtime/purchase', { phone: `+234802120002${i}`, amount: 5_000 + i, wallet_id: wallet });
    let bought = 0;
    await firesWhile(async () => bought < 9 && buy(++bought), 'SoldBelowCost');
  });

  it('hears that a provider fails, what waits for a person, and that our money runs out', async () => {
    topups.otherwise = 'loses_its_mind';
    const buy = (i: number) =>
      live.post('/v4/airtime/purchase', { phone: `+234803120001${i}`, amount: 5_000 + i, wallet_id: wallet });
    // Each is waited for as long as a client waits.
    const buying = Promise.all([1, 2, 3, 4, 5, 6].map(buy));
    await until(async () => (await duka.asOwner(`SELECT FROM purchases WHERE network = 'mtn'`)).length === 6);
    // As after twelve questions, of which the last comes after days.
    const [order] = await duka.asOwner(`SELECT id FROM purchases WHERE network = 'mtn' ORDER BY id LIMIT 1`);
    const giveUp = async (): Promise<void> => {
      await duka.asOwner(`UPDATE purchases SET review = 'no_answer' WHERE id = $1`, [order!.id]);
      await duka.asOwner('UPDATE transactions SET needs_review = true WHERE id = $1', [order!.id]);
    };
    await duka.asOwner(`INSERT INTO provider_floats (provider, currency, balance, at, floor)
      VALUES ('example', 'NGN', 1000, now(), 100000000)
      ON CONFLICT (provider, currency) DO UPDATE SET floor = excluded.floor`);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await duka.get<EvictionPolicy>(EvictionPolicy).look();
    expect(said.mock.calls).toEqual([[expect.objectContaining({ policy: 'allkeys-lru' })]]);
    said.mockRestore();
    const item = (await duka.get<Readiness>(Readiness).list()).find((one) => one.item === 'queue');
    expect(item).toMatchObject({ isReady: false, says: expect.stringContaining('allkeys-lru') });
    await firesWhile(giveUp, 'ProviderErrors', 'BreakerOpen', 'ReviewsWaiting', 'FloatBelowFloor', 'RedisEvicts');
    await buying;
  });

  it('hears of a change of the books, and of an endpoint that does not answer', async () => {
    await until(async () => (await duka.asOwner('SELECT FROM ledger_batches WHERE position IS NULL')).length === 0, 20);
    const change = (to: string) => duka.asOwner(`UPDATE ledger_batches SET digest = ${to} WHERE position = 1`);
    await change(`digest || '\\x00'`);
    expect((await CommandLine.on(duka.env.DATABASE_URL!).duka('verify:ledger')).status).toBe(1);
    await change('substr(digest, 1, length(digest) - 1)');
    receiver.reply = () => new Promise(() => undefined);
    // A row each, as a partner's night without an answer leaves them.
    await duka.asOwner(
      `INSERT INTO webhook_deliveries (account_id, livemode, id, endpoint_id, event_id, event_type, status, is_replay,
                                       next_attempt_at)
       SELECT account_id, livemode, (left(d.id::text, 24) || lpad(to_hex(n), 9, '0') || right(d.id::text, 3))::uuid, endpoint_id, event_id,
              event_type, 'pending', true, now() - interval '1 minute'
         FROM webhook_deliveries d CROSS JOIN generate_series(1, 1100) n WHERE endpoint_id = $1`,
      [receiver.id],
    );
    await fires('BooksBroken', 'DeliveriesLate', 'EndpointBacklog');
  });

  it('hears of a transaction that somebody forgot, and of what waits for it', async () => {
    holder = new Client({ connectionString: duka.env.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT pg_current_xact_id(), pg_advisory_xact_lock(hashtextextended('duka seal', 0))`);
    await holder.query('LOCK TABLE request_log, provider_exchanges, beneficiaries IN ACCESS EXCLUSIVE MODE');
    await account.api.credit((await account.api.get('/v4/wallets')).body.data[0].id, 100);
    // The provider is asked again.
    await duka.asOwner(`UPDATE purchases SET next_check_at = date_trunc('milliseconds', now())`);
    // Five seconds each, by the time limit for locks; two connections.
    const slow = () => Promise.all(Array.from({ length: 8 }, () => account.api.get('/v4/beneficiaries')));
    let isOver = false;
    const asking = (async () => {
      while (!isOver) await slow();
    })();
    await fires(
      'RequestsFail',
      'RequestsSlow',
      'PoolExhausted',
      'RequestLogDropped',
      'JournalDropped',
      'SnapshotOld',
      'RelayLag',
      'SealLag',
    );
    isOver = true;
    await asking;
    await holder.query('ROLLBACK');
  });

  it('hears of a process that is too busy, and of a queue that nobody serves', async () => {
    await Promise.all(queues.map((queue) => queue.pause()));
    await duka.asOwner(`UPDATE purchases SET next_check_at = date_trunc('milliseconds', now())`);
    const busy = (async () => {
      while (!seen.has('EventLoopSlow')) {
        api.kill('SIGSTOP');
        // The fault itself, not a wait for anything.
        await sleep(400);
        api.kill('SIGCONT');
        await until(async () => (await fetch(`http://127.0.0.1:${ports.api}/healthz`).catch(() => null))?.ok === true);
      }
    })();
    await fires('EventLoopSlow', 'RecurringJobLate', 'QueueNotConsumed', 'OrdersNotLookedAt');
    await busy;
  });

  it('hears of processes that are gone, and has heard of every alert', async () => {
    for (const child of [api, worker]) child.kill('SIGKILL');
    await fires('ApiDown', 'WorkerDown', 'FiguresMissing');
    const told = ALERTS.filter((alert) => seen.has(alert));
    expect(told).toEqual(ALERTS.filter((alert) => alert !== 'StatisticsOld'));
  });
});
