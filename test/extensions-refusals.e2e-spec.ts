import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Filter, OnHook } from '../src/core/extension/decorators';
import type {
  AfterPayment,
  BeforePayment,
  OnErrorContext,
  PaymentContext,
  PaymentRefused,
  Verdict,
} from '../src/core/extension/points';
import { decodeId } from '../src/core/http/ids';
import type { Money } from '../src/core/money/money';
import { RecurringJobs } from '../src/core/queue/recurring-jobs';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import type { Api } from './support/api';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';
import { extendWith } from './support/extension-probe';
import { until } from './support/recurring-probe';
import { FUNDS, PRICE, Shopper } from './support/shopper';

const VETO: Verdict = { veto: true, code: 'too_fast', message: 'Slow down.' };

const asked: BeforePayment[] = [];
const priced: PaymentContext[] = [];
const told: PaymentRefused[] = [];
const after: AfterPayment[] = [];
const errors: OnErrorContext[] = [];
let first: (payment: BeforePayment) => Verdict | Promise<Verdict>;
let second: (payment: BeforePayment) => Verdict | Promise<Verdict>;

@Injectable()
class Probe {
  @OnHook('svc_before_payment', { id: 'test.first' })
  count(payment: BeforePayment): Verdict | Promise<Verdict> {
    asked.push(payment);
    return first(payment);
  }

  @OnHook('svc_before_payment', { id: 'test.second', timeoutMs: 200 })
  check(payment: BeforePayment): Verdict | Promise<Verdict> {
    return second(payment);
  }

  @Filter('svc_transaction_fee', { id: 'test.fee' })
  fee(fee: Money, payment: PaymentContext): Money {
    priced.push(payment);
    return fee;
  }

  /** Bill payments are nobody's business. */
  @OnHook('svc_payment_refused', {
    id: 'test.refused',
    operations: ['transfer', 'airtime_purchase', 'payment', 'card_issue', 'card_funding', 'card_withdrawal'],
  })
  giveBack(payment: PaymentRefused): void {
    told.push(payment);
  }

  @OnHook('svc_after_payment', { id: 'test.after' })
  after(payment: AfterPayment): void {
    after.push(payment);
  }

  @OnHook('svc_on_error', { id: 'test.errors' })
  error(error: OnErrorContext): void {
    errors.push(error);
  }
}

let duka: Duka;
let shopper: Shopper;
let api: Api;
let other: string;

beforeAll(async () => {
  extendWith(Probe);
  duka = await Duka.start({ WORKER_IN_API: true });
});
afterAll(() => duka.stop());

beforeEach(async () => {
  [first, second] = [() => undefined, () => undefined];
  shopper = await Shopper.in(duka);
  api = shopper.account.api;
  other = await api.wallet();
  for (const list of [asked, priced, told, after, errors]) list.length = 0;
});

const sql = (statement: string, values: unknown[] = []): Promise<any> =>
  duka.app.get(DataSource, { strict: false }).query(statement, values);
const notes = (): Promise<{ status: string; objectId: string; wait: number }[]> =>
  sql(
    `SELECT status, object_id AS "objectId", extract(epoch FROM due_at - now())::int AS wait FROM hook_jobs
      WHERE refusal IS NOT NULL AND account_id = $1 ORDER BY event_id`,
    [shopper.owner.accountId],
  );
const sweep = (): Promise<void> => duka.get<RecurringJobs>(RecurringJobs).run('extensions.sweep');
/** As if its patience were over. */
const outwait = (): Promise<unknown> => sql(`UPDATE hook_jobs SET due_at = now() WHERE status = 'open'`);
const transfer = (amount: number, more: Record<string, unknown> = {}) =>
  api.transfer(shopper.wallet, other, amount, more);
/** What was told of the payments of this case. Of one before, the observer may be told only now. */
const ended = (): AfterPayment[] => after.filter(({ objectId }) => asked.some((gate) => gate.objectId === objectId));
/** The one that was told, once it is noted that it was. */
const refused = async (): Promise<PaymentRefused> => {
  await until(() => told.length > 0);
  await until(async () => (await notes()).every(({ status }) => status === 'done'));
  expect(told).toHaveLength(1);
  return told[0]!;
};

describe('the id of a payment', () => {
  it('is known to gates and filters before it is made, and stands in what is told afterwards', async () => {
    const owner = await CardOwner.of(duka);
    const card = await owner.card();
    const bought = (await shopper.buy()).body.id;
    const moved = (await transfer(100)).body.id;
    const funded = (await owner.act(card.id, 'fund', { amount: 500 })).body.id;
    const withdrawn = (await owner.act(card.id, 'withdraw', { amount: 500 })).body.id;
    const requested = (await api.post('/api/v1/payments', { amount: 100_000, currency: 'NGN' })).body.id;
    expect(asked.map(({ operation, objectType }) => [operation, objectType])).toEqual([
      ['card_issue', 'txn'],
      ['airtime_purchase', 'txn'],
      ['transfer', 'trf'],
      ['card_funding', 'txn'],
      ['card_withdrawal', 'txn'],
      ['payment', 'pay'],
    ]);
    const [issue] = await owner.api.all('/v4/transactions?type=card_issue');
    const made = [issue.id, bought, moved, funded, withdrawn, requested];
    expect(asked.map(({ objectId }) => objectId)).toEqual(made.map((id) => decodeId(id.slice(0, 3), id)));
    for (const { objectId } of priced) expect(asked.map((gate) => gate.objectId)).toContain(objectId);
    await until(() => ended().length === 5);
    for (const { objectId, requestId } of ended())
      expect(asked.find((gate) => gate.objectId === objectId)!.requestId).toBe(requestId);
    expect(told).toEqual([]);
    expect(await sql(`SELECT 1 FROM hook_jobs WHERE refusal IS NOT NULL`)).toEqual([]);
  });

  it('of a dry run is never used, and nobody hears that it came to nothing', async () => {
    second = () => VETO;
    await transfer(100, { dry_run: true });
    await shopper.buy({ dry_run: true });
    expect(new Set(asked.map(({ objectId }) => objectId)).size).toBe(2);
    expect(await notes()).toEqual([]);
  });
});

describe('svc_payment_refused', () => {
  it('is told when money is missing after the gates: with the id, the request and the code of the answer', async () => {
    const { status, headers } = await shopper.buy({ amount: FUNDS * 2 });
    expect(status).toBe(402);
    expect(await refused()).toEqual({
      operation: 'airtime_purchase',
      ...shopper.owner,
      objectType: 'txn',
      objectId: asked[0]!.objectId,
      requestId: decodeId('req', headers.get('request-id')!),
      eventId: expect.any(String),
      code: 'insufficient_funds',
      stage: 'posting',
      attempt: 1,
    });
  });

  it.each([
    ['vetoes', () => VETO, 'blocked_by_hook'],
    ['fails', () => Promise.reject(new Error('on purpose')), 'service_unavailable'],
    ['is slow', () => new Promise<undefined>(() => undefined), 'service_unavailable'],
  ])('is told when a later gate %s', async (_, answer, code) => {
    second = answer;
    expect((await transfer(100)).body.code).toBe(code);
    expect(await refused()).toMatchObject({ objectId: asked[0]!.objectId, code, stage: 'gate' });
  });

  it('is not told when the first gate vetoes: nobody let it pass', async () => {
    first = () => VETO;
    expect((await transfer(100)).status).toBe(422);
    expect(await notes()).toEqual([]);
  });

  it('is told when the first gate fails, which may have counted', async () => {
    first = () => Promise.reject(new Error('on purpose'));
    expect((await transfer(100)).status).toBe(503);
    expect(await refused()).toMatchObject({ objectId: asked[0]!.objectId, stage: 'gate' });
  });

  it.each([
    ['transfer', 'trf', (key: string) => api.transfer(shopper.wallet, other, 1, { key })],
    ['purchase', 'txn', (key: string) => shopper.buy({}, { 'idempotency-key': key })],
    ['payment', 'pay', (key: string) => api.post('/api/v1/payments', { amount: 100_000, currency: 'NGN' }, { key })],
  ] as const)('is told of the twin of a %s that lost the race, by its own id', async (_, prefix, send) => {
    second = () => until(() => asked.length === 2) as Promise<undefined>;
    const key = randomUUID();
    const answers = await Promise.all([send(key), send(key)]);
    const [made] = new Set(answers.map(({ body }) => decodeId(prefix, body.id)));
    const loser = asked.find(({ objectId }) => objectId !== made)!;
    expect(await refused()).toMatchObject({ objectId: loser.objectId, requestId: loser.requestId, code: 'replayed' });
  });

  it('is not told of a replay, which asks nobody', async () => {
    const key = randomUUID();
    await transfer(100, { key });
    await transfer(100, { key });
    expect(asked).toHaveLength(1);
    expect(await notes()).toEqual([]);
  });

  it('is told when the books fail unexpectedly', async () => {
    const broken = jest.spyOn(duka.get<LedgerService>(LedgerService), 'require').mockRejectedValue(new Error('no'));
    expect((await transfer(100)).status).toBe(500);
    broken.mockRestore();
    expect(await refused()).toMatchObject({ code: 'internal_error', stage: 'posting' });
    await until(() => errors.length > 0);
    expect(errors[0]).toMatchObject({ objectType: 'trf', objectId: asked[0]!.objectId });
  });

  it('is told of each of the payments to a card that was changed meanwhile', async () => {
    const owner = await CardOwner.of(duka);
    const card = await owner.card();
    asked.length = 0;
    second = async () => {
      if (asked.length === 1) await owner.act(card.id, 'freeze');
    };
    expect((await owner.act(card.id, 'fund', { amount: 500 })).body.code).toBe('card_not_active');
    await until(() => told.length === 1);
    expect(told).toMatchObject([{ objectId: asked[0]!.objectId, code: 'overtaken' }]);
  });

  it('leaves no note where nobody wants to hear of the operation', async () => {
    const seen: number[] = [];
    second = async () => void seen.push((await notes()).length);
    await transfer(1);
    await api.post('/v4/bills/pay', { biller_code: 'bet9ja', customer_identifier: '1212121212', amount: 50_000 });
    expect(asked.map(({ operation }) => operation)).toEqual(['transfer', 'bill_payment']);
    expect(seen).toEqual([1, 0]);
  });
});

describe('what was held first', () => {
  it('is told by svc_after_payment alone when the provider refuses', async () => {
    const { body } = await shopper.steer('outcome=failed');
    expect(body.status).toBe('failed');
    await until(() => ended().length > 0);
    expect(ended()).toMatchObject([{ type: 'transaction.failed', objectId: asked[0]!.objectId }]);
    expect(await notes()).toEqual([]);
  });

  it('also when it waited for money in vain', async () => {
    const order = { amount: FUNDS * 2, on_insufficient_funds: 'queue', deliver_by: '2100-01-01T00:00:00Z' };
    const { body } = await shopper.buy(order);
    expect(body.status).toBe('pending');
    expect(await notes()).toEqual([]);
    await api.post(`/v4/transactions/${body.id}/cancel`);
    await until(() => ended().length > 0);
    expect(ended()).toMatchObject([{ type: 'transaction.cancelled', objectId: asked[0]!.objectId }]);
  });
});

describe('a process that goes away between gate and posting', () => {
  it('leaves a note that another process tells, once its patience is over', async () => {
    const twin = await duka.twin();
    const stuck = jest.spyOn(twin.get<LedgerService>(LedgerService), 'require');
    stuck.mockReturnValue(new Promise(() => undefined));
    const request = new AbortController();
    const body = JSON.stringify({ from_wallet: shopper.wallet, to_wallet: other, amount: 100 });
    const headers = { authorization: `Bearer ${shopper.account.key}`, 'content-type': 'application/json' };
    const sent = fetch(`${twin.url}/v4/wallets/transfer`, { method: 'POST', body, headers, signal: request.signal });
    const hungUp = sent.catch(() => 'hung up');
    await until(() => stuck.mock.calls.length === 1);
    await sweep();
    expect(await notes()).toMatchObject([{ status: 'open', objectId: asked[0]!.objectId }]);
    expect((await notes())[0]!.wait).toBeGreaterThan(100);
    request.abort();
    expect(await hungUp).toBe('hung up');
    await outwait();
    await sweep();
    expect(await refused()).toMatchObject({ objectId: asked[0]!.objectId, code: 'interrupted', stage: 'process' });
    await twin.app.close();
  });

  it.each([
    ['transfer', () => transfer(100)],
    ['purchase', () => shopper.buy()],
    ['payment', () => api.post('/api/v1/payments', { amount: PRICE, currency: 'NGN' })],
  ] as const)('a %s that comes after that is not made: never both', async (_, send) => {
    const before = await duka.totals();
    // The sweep of any process; the gate is as slow as a request that hangs.
    second = async () => {
      await outwait();
      await sweep();
      await until(async () => (await notes())[0]!.status !== 'open');
    };
    const { status, body } = await send();
    expect([status, body.code, body.retryable]).toEqual([503, 'service_unavailable', true]);
    expect(await refused()).toMatchObject({ objectId: asked[0]!.objectId, code: 'interrupted' });
    expect(await duka.totals()).toEqual(before);
  });
});
