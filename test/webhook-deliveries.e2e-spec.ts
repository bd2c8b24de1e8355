import type { Env } from '../src/core/config/env';
import { decodeId } from '../src/core/http/ids';
import { DeliveryRuns } from '../src/modules/webhooks/delivery/deliveries.processor';
import { DeliveryQueue } from '../src/modules/webhooks/delivery/delivery-queue.service';
import { DeliveryRecords } from '../src/modules/webhooks/delivery/delivery-records.service';
import { ATTEMPT_DELAYS_MS } from '../src/modules/webhooks/delivery/outcome';
import type { Received } from './support/receiver';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';
import { WebhookBench } from './support/webhook-bench';

describe('deliveries with queues on PostgreSQL', () => behaves({}));
describeWithRedis('deliveries with queues on Redis', (url) => behaves({ REDIS_URL: url }));

function behaves(settings: Partial<Env>): void {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.start(settings);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());

  it('posts an event to every endpoint that listens to it, signed', async () => {
    const all = await bench.listen({ events: ['*'] });
    const none = await bench.listen({ events: ['transfer.*'] });
    await bench.credit(12_300);
    await until(() => bench.receiver.received.length === 1 && all.received.length === 2);
    expect(new Set(all.received.map(({ body }) => body.type))).toEqual(
      new Set(['transaction.successful', 'wallet.credited']),
    );
    for (const one of [bench.receiver, all]) for (const got of one.received) expect(one.verify(got)).toEqual(got.body);
    expect(await none.deliveries()).toEqual([]);
    expect(() => all.verify(bench.receiver.received[0]!)).toThrow();
    const [{ headers, body }] = bench.receiver.received as [Received];
    expect(body).toEqual((await bench.account.api.get(`/v4/events/${body.id}`)).body);
    expect(headers).toMatchObject({
      'webhook-id': body.id,
      'webhook-event-type': 'wallet.credited',
      'webhook-attempt': '1',
    });
    expect(body.data.object.balance.available).toBe(12_300);
    await bench.ended();
    expect(await bench.delivery()).toMatchObject({
      status: 'delivered',
      attempts: 1,
      last_code: 'ok',
      next_attempt_at: null,
      leased_until: null,
    });
    expect(await bench.receiver.attempts((await bench.delivery()).id)).toMatchObject([
      { number: 1, code: 'ok', http_status: 200, url: expect.stringMatching(/events$/) },
    ]);
  });

  it('tries again by the clock of the account, with the same id, until it succeeds', async () => {
    bench.receiver.reply = (_, count) => ({ status: count < 4 ? 500 : 204, body: `no ${count}` });
    await bench.credit();
    for (const [attempts, seconds] of [
      [1, 6],
      [2, 361],
      [3, 2_161],
    ] as const) {
      await bench.attempted(attempts);
      expect((await bench.delivery()).status).toBe('retrying');
      await bench.receiver.pass(seconds);
    }
    await bench.ended();
    expect(await bench.delivery()).toMatchObject({ status: 'delivered', attempts: 4 });
    expect(new Set(bench.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(bench.receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3', '4']);
    const attempts = await bench.receiver.attempts((await bench.delivery()).id);
    expect(attempts.slice(0, 3).map(({ code, response_body }) => [code, response_body])).toEqual([
      ['http_error', 'no 1'],
      ['http_error', 'no 2'],
      ['http_error', 'no 3'],
    ]);
    expect(attempts[3]).toMatchObject({ code: 'ok', http_status: 204 });
  });

  it('gives up after ten attempts, and not before', async () => {
    bench.receiver.reply = () => ({ status: 500 });
    await bench.credit();
    for (let attempts = 1; attempts < 10; attempts++) {
      await bench.attempted(attempts);
      expect((await bench.delivery()).status).toBe('retrying');
      await bench.receiver.pass(Math.ceil((ATTEMPT_DELAYS_MS[attempts]! / 1_000) * 1.2) + 1);
    }
    await bench.ended();
    expect(await bench.delivery()).toMatchObject({ status: 'exhausted', attempts: 10 });
  });

  it.each([
    ['that is gone', { status: 410 }, 'gone', 'disabled'],
    ['that asks for it', { status: 500, headers: { 'webhook-delivery': 'disable' } }, 'receiver_asked', 'disabled'],
  ] as const)(
    'disables an endpoint %s, tells the others, and records what it is not sent',
    async (_, reply, reason, status) => {
      const other = await bench.listen({ events: ['webhook_endpoint.*'] });
      bench.receiver.reply = () => reply;
      await bench.credit();
      await bench.ended();
      expect((await bench.delivery()).status).toBe(status);
      expect(await bench.receiver.state()).toMatchObject({ status: 'disabled', disabled_reason: reason });
      await until(() => other.received.length === 1);
      expect(other.received[0]!.body).toMatchObject({
        type: 'webhook_endpoint.disabled',
        data: { object: { id: bench.receiver.publicId, status: 'disabled' } },
      });
      await bench.credit();
      await until(async () => (await bench.receiver.deliveries()).length === 2);
      expect((await bench.receiver.deliveries())[1]).toMatchObject({
        status: 'disabled',
        attempts: 0,
        next_attempt_at: null,
      });
      expect(bench.receiver.received).toHaveLength(1);
    },
  );

  describe('an endpoint that was changed while it was asked', () => {
    /** What a message is answered with when the endpoint was changed. */
    const answered = async (status: number, change: () => Promise<void>): Promise<void> => {
      const held = Promise.withResolvers<void>();
      bench.receiver.reply = async () => {
        await held.promise;
        return { status };
      };
      await bench.credit();
      await until(() => bench.receiver.received.length === 1);
      await change();
      held.resolve();
      await bench.attempted(1);
    };
    const path = () => `/v4/webhooks/${bench.receiver.publicId}`;
    const disablings = async () =>
      (await bench.account.api.get('/v4/events?type=webhook_endpoint.disabled')).body.data.length as number;

    it('is not disabled by its old address, and gets the message at the new one', async () => {
      const moved = await bench.listen({ events: ['transfer.*'] });
      const { url } = await moved.state();
      await answered(410, async () => void (await bench.account.api.patch(path(), { url })));
      expect((await bench.delivery()).status).toBe('retrying');
      expect(await bench.receiver.state()).toMatchObject({ url, status: 'enabled', failing_since: null });
      await bench.receiver.pass(7);
      await bench.ended();
      expect(moved.received).toHaveLength(1);
      expect((await bench.delivery()).status).toBe('delivered');
    });

    it('does not fail by its old address', async () => {
      const { url } = await bench.receiver.state();
      await answered(500, async () => void (await bench.account.api.patch(path(), { url: `${url}/new` })));
      expect(await bench.receiver.state()).toMatchObject({ status: 'enabled', failing_since: null });
    });

    it('stays enabled when it was enabled again', async () => {
      await answered(410, async () => {
        await bench.account.api.post(`${path()}/disable`);
        await bench.account.api.post(`${path()}/enable`);
      });
      expect((await bench.delivery()).status).toBe('retrying');
      expect((await bench.receiver.state()).status).toBe('enabled');
      expect(await disablings()).toBe(1);
    });

    it('is told nothing of when it was deleted', async () => {
      let version = 0;
      await answered(410, async () => {
        await bench.account.api.call('DELETE', path());
        ({ version } = await bench.receiver.state());
      });
      expect((await bench.delivery()).status).toBe('disabled');
      expect(await bench.receiver.state()).toMatchObject({ status: 'enabled', version });
      expect(await disablings()).toBe(0);
    });
  });

  it.each([{ status: 410 }, { status: 500, headers: { 'webhook-delivery': 'disable' } }])(
    'takes %j in answer to what was asked for by hand for a failure',
    async (reply) => {
      bench.receiver.reply = () => reply;
      await bench.account.api.post(`/v4/webhooks/${bench.receiver.publicId}/test`);
      await bench.attempted(1);
      expect((await bench.delivery()).status).toBe('retrying');
      expect((await bench.receiver.state()).status).toBe('enabled');
    },
  );

  it('stops when the receiver wants no more of a message, and goes on with the next', async () => {
    bench.receiver.reply = (_, count) =>
      count === 1 ? { status: 500, headers: { 'webhook-delivery': 'abort-message' } } : { status: 200 };
    await bench.credit();
    await bench.ended();
    expect(await bench.delivery()).toMatchObject({ status: 'aborted', attempts: 1 });
    await bench.credit();
    await until(async () => (await bench.receiver.deliveries())[1]?.status === 'delivered');
  });

  it.each([
    ['waits as long as it is asked to', '7200', 7_200],
    ['but ten hours at most', '90000', 36_000],
    ['and no less than planned', '1', 60],
  ])('after 429 or 503 %s', async (_, seconds, expected) => {
    bench.receiver.reply = () => ({ status: 429, headers: { 'retry-after': seconds } });
    await bench.credit();
    await bench.attempted(1);
    const { wait_ms: waitMs } = await bench.delivery();
    expect(Math.abs(Number(waitMs) / 1_000 - expected)).toBeLessThan(30);
  });

  it('sends again what a worker had when it died, once its lease has ended', async () => {
    const post = jest
      .spyOn(bench.duka.get<DeliveryRuns>(DeliveryRuns), 'post')
      .mockRejectedValueOnce(new Error('killed'));
    await bench.credit();
    await until(() => post.mock.calls.length === 1);
    post.mockRestore();
    await bench.duka.get<DeliveryQueue>(DeliveryQueue).sweep();
    expect(bench.receiver.received).toHaveLength(0);
    await bench.receiver.sql('UPDATE webhook_deliveries SET leased_until = now() WHERE endpoint_id = $1', [
      bench.receiver.id,
    ]);
    await bench.ended();
    expect(await bench.delivery()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('gives an endpoint no more at once than it may have, and the others do not wait for it', async () => {
    await bench.receiver.sql('UPDATE webhook_endpoints SET in_flight_max = 2 WHERE id = $1', [bench.receiver.id]);
    const healthy = await bench.listen({ events: ['wallet.credited'] });
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    bench.receiver.reply = async (_, count) => {
      if (count > 1) await held;
      return { status: 200 };
    };
    await bench.credit();
    await bench.ended();
    for (let i = 0; i < 12; i++) await bench.credit();
    await until(() => healthy.received.length === 13);
    expect(bench.receiver.received.length).toBeLessThanOrEqual(3);
    release();
    await until(async () => (await bench.receiver.deliveries()).every(({ status }) => status === 'delivered'));
    expect(bench.receiver.inFlightMax).toBe(2);
    expect((await bench.receiver.deliveries()).map(({ attempts }) => attempts)).toEqual(Array(13).fill(1));
  });

  it('sends an endpoint the next message before it is written what came of the last one', async () => {
    await bench.receiver.sql('UPDATE webhook_endpoints SET in_flight_max = 1 WHERE id = $1', [bench.receiver.id]);
    const records = bench.duka.get<DeliveryRecords>(DeliveryRecords);
    const [write, held] = [records.record.bind(records), Promise.withResolvers<void>()];
    const slow = jest.spyOn(records, 'record').mockImplementation(async (result) => {
      await held.promise;
      return write(result);
    });
    for (let i = 0; i < 3; i++) await bench.credit();
    await until(() => bench.receiver.received.length === 3);
    expect((await bench.receiver.deliveries()).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    held.resolve();
    await until(async () => (await bench.receiver.deliveries()).every(({ status }) => status === 'delivered'));
    slow.mockRestore();
    expect(bench.receiver.inFlightMax).toBe(1);
    expect(bench.receiver.received).toHaveLength(3);
  });

  it('finds what it was woken up for before what it has claimed early', async () => {
    const { duka, receiver } = bench;
    const runs = duka.get<DeliveryRuns>(DeliveryRuns);
    const records = duka.get<DeliveryRecords>(DeliveryRecords);
    const [claim, deaf] = [records.claim.bind(records), jest.spyOn(duka.get<any>(DeliveryQueue), 'add')];
    deaf.mockResolvedValue(undefined);
    for (let i = 0; i < 2; i++) await bench.credit();
    await until(async () => (await receiver.deliveries()).length === 2);
    const second = (await receiver.deliveries())[1].id;
    const due = (when: string) =>
      receiver.sql(`UPDATE webhook_deliveries SET next_attempt_at = ${when} WHERE id = $1`, [second]);
    await due(`now() + interval '1 hour'`);
    const job = { accountId: decodeId('acct', bench.account.id)!, livemode: false, endpointId: receiver.id };
    const early = jest.spyOn(records, 'claim').mockImplementationOnce(async (wanted) => {
      const claimed = await claim(wanted);
      await due('now()');
      await runs.run(job);
      return claimed.map((each) => ({ ...each, dueAt: new Date(each.dueAt.getTime() + 60_000) }));
    });
    try {
      await runs.run(job);
      await until(() => receiver.received.length === 2);
    } finally {
      early.mockRestore();
      deaf.mockRestore();
    }
  });

  it('hurts test receivers as they asked', async () => {
    const twice = await bench.listen({ events: ['wallet.credited'], faults: 'duplicate' });
    const forged = await bench.listen({ events: ['wallet.credited'], faults: 'bad_signature' });
    const later = await bench.listen({ events: ['wallet.credited'], faults: 'delayed' });
    await bench.credit();
    await until(
      () => twice.received.length === 2 && forged.received.length === 1 && bench.receiver.received.length === 1,
    );
    expect(twice.received.map((one) => (twice.verify(one) as any).id)).toEqual(
      Array(2).fill(bench.receiver.received[0]!.body.id),
    );
    expect(() => forged.verify(forged.received[0]!)).toThrow('No matching signature');
    expect(later.received).toHaveLength(0);
    await later.pass(61);
    await until(() => later.received.length === 1);
  });
}
