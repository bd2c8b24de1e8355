import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { runMigrations } from '../src/migrations/migrations';
import { newId } from '../src/core/http/ids';
import { Reservations } from '../src/core/extension/reservations';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { TEAMS } from '../src/extensions/extensions.module';
import { Duka } from './support/duka';
import { risk } from './support/guide-limit/team';
import { until } from './support/recurring-probe';
import { PRICE, Shopper } from './support/shopper';
import { expectShown } from './support/shown-in-guide';

const guide = readFileSync('docs/guides/count-a-daily-limit.md', 'utf8');

describe('the guide to limits', () => {
  expectShown(guide, 'risk', 'test/support/guide-limit');
});

describe('the limit of the guide: ten purchases', () => {
  let duka: Duka;
  let twin: Duka | undefined;
  let shopper: Shopper;
  let spending: Reservations;

  beforeAll(async () => {
    TEAMS.push(risk);
    duka = await Duka.start({ WORKER_IN_API: true });
    await runMigrations(duka.env);
    spending = new Reservations(duka.app.get(DataSource), 'risk_spending');
  });
  afterAll(async () => {
    await twin?.app.close();
    await duka.stop();
  });

  beforeEach(async () => {
    shopper = await Shopper.in(duka);
  });

  const sql = (statement: string, values: unknown[] = []): Promise<any> =>
    duka.app.get(DataSource).query(statement, values);
  const used = async (): Promise<number> => {
    const [row] = await sql(`SELECT sum(used)::int AS used FROM risk_spending WHERE account_id = $1`, [
      shopper.owner.accountId,
    ]);
    return row.used / PRICE;
  };
  const states = (): Promise<Record<string, number>> =>
    sql(`SELECT state, count(*)::int AS count FROM risk_spending_reservations WHERE account_id = $1 GROUP BY state`, [
      shopper.owner.accountId,
    ]).then((rows) => Object.fromEntries(rows.map(({ state, count }: any) => [state, count])));
  const sweep = (): Promise<void> => duka.get<RecurringJobs>(RecurringJobs).run('extensions.sweep');
  const buyMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => shopper.buy({ allow_duplicate: true })));

  it('lets exactly ten of a hundred pass that come at once, at two processes', async () => {
    twin = await duka.twin();
    await shopper.fund(100 * PRICE);
    const all = (await Promise.all([buyMany(50), ...Array.from({ length: 50 }, () => buyAt(twin!.url))])).flat();
    const keptWaiting = () => all.filter(({ status }) => status === 503).length;
    // Who was kept waiting is told to try again.
    while (keptWaiting() > 0)
      all.splice(0, all.length, ...all.filter(({ status }) => status !== 503), ...(await buyMany(keptWaiting())));
    const codes = Map.groupBy(all, ({ status, body }) => `${status} ${body.code ?? body.status}`);
    expect(Object.fromEntries([...codes].map(([code, answers]) => [code, answers.length]))).toEqual({
      '201 successful': 10,
      '422 blocked_by_hook': 90,
    });
    expect(await used()).toBe(10);
    await until(async () => (await states()).confirmed === 10);
    // Whoever was kept waiting has given back what it had reserved.
    const { released: _, ...others } = await states();
    expect(others).toEqual({ confirmed: 10 });
  });

  it('gives back what the books refuse, and what the provider refuses', async () => {
    const poor = await shopper.account.api.wallet();
    expect((await shopper.buy({ wallet_id: poor })).status).toBe(402);
    expect((await shopper.steer('outcome=failed')).body.status).toBe('failed');
    await until(async () => (await used()) === 0);
    expect(await states()).toEqual({ released: 2 });
    await shopper.fund(100 * PRICE);
    expect((await buyMany(12)).filter(({ status }) => status === 201)).toHaveLength(10);
  });

  it('gives back what a process left behind that was killed between gate and posting', async () => {
    const dying = fork('test/support/dying-process.ts', [JSON.stringify(duka.env)], {
      execArgv: ['-r', './bench/typescript.cjs'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [url] = (await once(dying, 'message')) as [string];
    const standsStill = once(dying, 'message');
    const hungUp = buyAt(url).catch(() => 'hung up');
    await standsStill;
    expect([await used(), await states()]).toEqual([1, { reserved: 1 }]);
    dying.kill('SIGKILL');
    expect(await hungUp).toBe('hung up');
    await sweep();
    expect(await used()).toBe(1);
    await sql(`UPDATE hook_jobs SET due_at = now() WHERE status = 'open'`);
    await sweep();
    await until(async () => (await used()) === 0);
    expect(await states()).toEqual({ released: 1 });
  });

  it('counts nothing for a dry run, and says what it would say', async () => {
    await shopper.fund(100 * PRICE);
    expect((await shopper.buy({ dry_run: true })).status).toBe(200);
    await buyMany(10);
    expect((await shopper.buy({ dry_run: true })).body.code).toBe('blocked_by_hook');
    expect(await used()).toBe(10);
  });

  it('counts a payment once and gives it back once, in whatever order it is told', async () => {
    const of = () => ({ ...shopper.owner, objectId: newId() });
    const [first, late] = [of(), of()];
    const share = { key: 'k', amount: 6n, limit: 10n };
    expect(await Promise.all([spending.reserve(first, share), spending.reserve(first, share)])).toEqual([true, true]);
    expect(await spending.reserve(of(), share)).toBe(false);
    expect(await spending.reserve(of(), { ...share, amount: 11n, key: 'other' })).toBe(false);
    expect(await spending.used(first, 'k')).toBe(6n);
    await spending.confirm(first);
    await Promise.all([spending.release(first), spending.release(first)]);
    await spending.confirm(first);
    expect(await spending.used(first, 'k')).toBe(0n);
    expect(await spending.reserve(first, share)).toBe(false);
    // The gate was given up, told as refused, and only then came through.
    await spending.release(late);
    expect(await spending.reserve(late, share)).toBe(false);
    expect(await spending.used(late, 'k')).toBe(0n);
  });

  it('counts nothing when a release overtakes a reservation that waits', async () => {
    const [mine, blocker] = [1, 2].map(() => ({ ...shopper.owner, objectId: newId() }));
    const share = { key: 'wait', amount: 1n, limit: 10n };
    await spending.reserve(blocker!, share);
    const runner = duka.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query(`SELECT FROM risk_spending WHERE key = 'wait' FOR UPDATE`);
    const reserved = spending.reserve(mine!, share);
    await until(async () => (await duka.waiting()) !== 0);
    await spending.release(mine!);
    await runner.commitTransaction();
    await runner.release();
    expect(await reserved).toBe(false);
    expect(await spending.used(mine!, 'wait')).toBe(1n);
  });

  async function buyAt(url: string): Promise<{ status: number; body: any }> {
    const body = JSON.stringify({ phone: '+2348031234567', amount: PRICE, allow_duplicate: true });
    const headers = { authorization: `Bearer ${shopper.account.key}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v4/airtime/purchase`, { method: 'POST', body, headers });
    return { status: response.status, body: await response.json() };
  }
});
