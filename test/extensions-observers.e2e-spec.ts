import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import type { Env } from '../src/core/config/env';
import { OnHook } from '../src/core/extension/decorators';
import { type HookJob, HookJobs, HookRuns } from '../src/core/extension/hook-jobs';
import { decodeId, newId, newIdOf } from '../src/core/http/ids';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { TransfersService } from '../src/modules/wallets/transfers.service';
import type { Api } from './support/api';
import { Duka, type TestAccount } from './support/duka';
import { extendWith, ProbeErrors, ProbeObserver } from './support/extension-probe';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';

const TRIES = 6;
/** More than anybody is told at a time. */
const OWED = 400;

/** Is told only of the rows that a test makes for it. */
@Injectable()
class SlowObserver {
  static told = 0;
  static answer: Promise<void>;

  @OnHook('svc_after_payment', { id: 'test.slow', timeoutMs: 20_000, operations: ['airtime_purchase'] })
  hear(): Promise<void> {
    SlowObserver.told++;
    return SlowObserver.answer;
  }
}

extendWith(ProbeObserver, ProbeErrors, SlowObserver);

describe('observers of payments, with queues on PostgreSQL', () => behaves({}));
describeWithRedis('observers of payments, with queues on Redis', (url) => behaves({ REDIS_URL: url }));

function behaves(settings: Partial<Env>): void {
  let duka: Duka;
  let account: TestAccount;
  let api: Api;
  let a: string;
  let b: string;

  beforeAll(async () => {
    duka = await Duka.start({ WORKER_IN_API: true, ...settings });
    account = await duka.account();
    api = account.api;
    [a, b] = [await api.wallet(1_000_000), await api.wallet()];
  });
  afterAll(() => duka.stop());

  beforeEach(() => {
    ProbeObserver.told = [];
    ProbeObserver.react = () => undefined;
    ProbeErrors.heard = [];
  });

  const sql = (statement: string, values: unknown[] = []): Promise<any> =>
    duka.app.get(DataSource, { strict: false }).query(statement, values);
  const rows = (): Promise<{ status: string; attempts: number; isDue: boolean | null; wait: number }[]> =>
    sql(
      `SELECT status, attempts, due_at <= now() AS "isDue", round(extract(epoch FROM due_at - now()))::int AS wait FROM hook_jobs ORDER BY event_id DESC`,
    );
  /** Of the process that runs now. */
  const hooks = (): Queue<HookJob> => duka.get<Queue<HookJob>>(getQueueToken('hooks'));
  const jobsOf = async (observer: string): Promise<number> =>
    (await hooks().getJobs(['waiting', 'active', 'delayed'])).filter((job) => job?.data.handler === observer).length;
  const sweep = (): Promise<void> => duka.get<RecurringJobs>(RecurringJobs).run('extensions.sweep');
  const becomeDue = (): Promise<unknown> => sql(`UPDATE hook_jobs SET due_at = now() WHERE status = 'waiting'`);
  /** The newest row, once it has ended. */
  const ended = async (): Promise<Awaited<ReturnType<typeof rows>>[number]> => {
    await until(async () => (await rows())[0]!.status !== 'waiting');
    return (await rows())[0]!;
  };

  it('are told of what took place: the event, and ids', async () => {
    const { body, headers } = await api.transfer(a, b, 100);
    expect(await ended()).toMatchObject({ status: 'done', attempts: 1, isDue: null });
    const [{ id }] = await sql(`SELECT id FROM events WHERE type = 'transfer.successful' ORDER BY id DESC LIMIT 1`);
    expect(ProbeObserver.told).toEqual([
      {
        eventId: id,
        type: 'transfer.successful',
        operation: 'transfer',
        accountId: decodeId('acct', account.id),
        livemode: false,
        objectType: 'trf',
        objectId: decodeId('trf', body.id),
        requestId: decodeId('req', headers.get('request-id')!),
        attempt: 1,
      },
    ]);
  });

  it('are told nothing of what was refused, replayed or only tried', async () => {
    await api.transfer(a, b, 5, { key: 'once' });
    await ended();
    const before = (await rows()).length;
    await api.transfer(a, b, 5, { key: 'once' });
    await api.transfer(a, b, 2_000_000);
    await api.transfer(a, b, 5, { dry_run: true });
    expect(await rows()).toHaveLength(before);
    expect(ProbeObserver.told).toHaveLength(1);
  });

  it('are told again after a failure, later and later, with the same event id, until it is given up', async () => {
    ProbeObserver.react = async () => {
      throw new Error('on purpose');
    };
    await api.transfer(a, b, 100);
    const waits: number[] = [];
    for (let tries = 1; tries < TRIES; tries++) {
      await until(async () => (await rows())[0]!.attempts === tries && ProbeErrors.heard.length === tries);
      waits.push((await rows())[0]!.wait);
      await becomeDue();
      await sweep();
    }
    expect(waits.map((wait, i) => Math.abs(wait - [5, 60, 600, 3_600, 21_600][i]!) <= 5)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(await ended()).toMatchObject({ status: 'given_up', attempts: TRIES });
    await until(() => ProbeErrors.heard.length === TRIES);
    expect(new Set(ProbeObserver.told.map(({ eventId }) => eventId)).size).toBe(1);
    expect(ProbeObserver.told.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(ProbeErrors.heard.map(({ error }) => error.code)).toEqual([
      'threw',
      'threw',
      'threw',
      'threw',
      'threw',
      'given_up',
    ]);
  });

  it('are told by the sweeper when the process died between the commit and the job', async () => {
    // Neither woken nor found on the process's own schedule, until the next one starts.
    jest.spyOn(duka.get<HookJobs>(HookJobs) as any, 'queueDue').mockResolvedValue(undefined);
    await api.transfer(a, b, 100);
    expect((await rows())[0]).toMatchObject({ status: 'waiting', attempts: 0, isDue: true });
    await duka.restart();
    await sweep();
    expect(await ended()).toMatchObject({ status: 'done', attempts: 1 });
    expect(ProbeObserver.told).toHaveLength(1);
  });

  it('are told when the queue forgot the job, of which there is one for all that they are owed', async () => {
    const jobs = duka.get<any>(HookJobs);
    await hooks().pause();
    for (let payment = 0; payment < 10; payment++) {
      await api.transfer(a, b, 100);
      await jobs.queueDue();
    }
    // One, and those of sweeps.
    const waiting = await jobsOf('test.observer');
    expect([waiting > 0, waiting < 6]).toEqual([true, true]);
    await hooks().obliterate({ force: true });
    await hooks().resume();
    expect((await rows())[0]).toMatchObject({ status: 'waiting', attempts: 0 });
    await sweep();
    await until(() => ProbeObserver.told.length === 10);
    expect(await ended()).toMatchObject({ status: 'done', attempts: 1 });
  });

  it('are told again when the process died before it could note that they were', async () => {
    await api.transfer(a, b, 100);
    await ended();
    await sql(`UPDATE hook_jobs SET status = 'waiting', due_at = now() WHERE event_id = $1`, [
      ProbeObserver.told[0]!.eventId,
    ]);
    await sweep();
    expect(await ended()).toMatchObject({ status: 'done', attempts: 2 });
    expect(ProbeObserver.told.map(({ eventId }) => eventId)).toEqual([
      ProbeObserver.told[0]!.eventId,
      ProbeObserver.told[0]!.eventId,
    ]);
  });

  it('are told once by two processes that have the same job', async () => {
    const twin = await duka.twin();
    await hooks().pause();
    await api.transfer(a, b, 1);
    const job: HookJob = { handler: 'test.observer', livemode: false };
    await Promise.all([duka, twin].map((process) => process.get<HookRuns>(HookRuns).run(job)));
    await hooks().resume();
    expect(await ended()).toMatchObject({ status: 'done', attempts: 1 });
    await until(async () => (await hooks().getJobCountByTypes('waiting', 'active')) === 0);
    expect(ProbeObserver.told).toHaveLength(1);
    await twin.app.close();
  });

  it('are not told of what they do themselves', async () => {
    const caller = {
      accountId: decodeId('acct', account.id)!,
      livemode: false,
      keyId: newId(),
      scopes: null,
      requestId: newId(),
    };
    const order = { fromWallet: b, toWallet: a, amount: 1n, reference: 'cashback', narration: null, metadata: {} };
    ProbeObserver.react = async () => {
      await duka
        .get<TransfersService>(TransfersService)
        .transfer(caller, order, { key: null, fingerprint: Buffer.alloc(32) });
    };
    const before = (await rows()).length;
    await api.transfer(a, b, 100);
    expect(await ended()).toMatchObject({ status: 'done' });
    expect((await api.get('/v4/references/cashback')).body.status).toBe('completed');
    expect(await rows()).toHaveLength(before + 1);
  });

  it('are stopped by their signal when their time is over', async () => {
    const signals: AbortSignal[] = [];
    ProbeObserver.react = (_, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    await api.transfer(a, b, 100);
    await until(() => ProbeErrors.heard.length > 0);
    expect(ProbeErrors.heard[0]!.error.code).toBe('timed_out');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('are told while another one is slow, which has a share of the places and one job, however much it is owed', async () => {
    const held = Promise.withResolvers<void>();
    Object.assign(SlowObserver, { told: 0, answer: held.promise });
    const accountId = decodeId('acct', account.id)!;
    const ids = Array.from({ length: OWED }, () => newIdOf(accountId));
    await sql(
      `INSERT INTO hook_jobs (account_id, livemode, event_id, handler, event_type, operation, object_type, object_id, causes)
       SELECT $1, false, id, 'test.slow', 'transaction.successful', 'airtime_purchase', 'txn', id, '[]' FROM unnest($2::uuid[]) AS id`,
      [accountId, ids],
    );
    await sweep();
    await until(() => SlowObserver.told > 0);
    const { body } = await api.transfer(a, b, 100);
    await until(() => ProbeObserver.told.some(({ objectId }) => objectId === decodeId('trf', body.id)));
    // Its own, and those of sweeps.
    expect(await jobsOf('test.slow')).toBeLessThan(8);
    expect(SlowObserver.told).toBeLessThanOrEqual(8);
    held.resolve();
    const done = `SELECT FROM hook_jobs WHERE handler = 'test.slow' AND status = 'done' AND attempts = 1`;
    await until(async () => (await sql(done)).length === OWED, 30);
    expect(SlowObserver.told).toBe(OWED);
  });
}
