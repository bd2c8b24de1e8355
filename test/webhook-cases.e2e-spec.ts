import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { Webhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import { MockAgent } from 'undici';
import type { Env } from '../src/core/config/env';
import { decodeId } from '../src/core/http/ids';
import { Resources } from '../src/core/resources/resources';
import { DeliveryRuns } from '../src/modules/webhooks/delivery/deliveries.processor';
import { WebhookSender } from '../src/modules/webhooks/delivery/webhook-sender.service';
import { ATTEMPT_DELAYS_MS } from '../src/modules/webhooks/delivery/outcome';
import type { Received } from './support/receiver';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';
import { WebhookBench } from './support/webhook-bench';

const DAY_SECONDS = 86_400;

describe('webhooks with queues on PostgreSQL', () => behaves({}));
describeWithRedis('webhooks with queues on Redis', (url) => behaves({ REDIS_URL: url }));

function behaves(settings: Partial<Env>): void {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.start(settings);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());

  it('carries the trace of the request that caused the event', async () => {
    await bench.credit();
    await until(() => bench.receiver.received.length === 1);
    const { headers, body } = bench.receiver.received[0]!;
    const request = decodeId('req', body.request.id)!.replaceAll('-', '');
    expect(headers.traceparent).toMatch(new RegExp(`^00-${request}-[0-9a-f]{16}-00$`));
  });

  it('signs with both secrets for a day after a rotation, and then with the new one', async () => {
    const { api } = bench.account;
    const made = (await api.post(`/v4/webhooks/${bench.receiver.publicId}/rotate-secret`)).body.secret;
    const opens = (secret: string, { text, headers }: Received): boolean => {
      try {
        return new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined;
      } catch {
        return false;
      }
    };
    for (const [seconds, both] of [
      [0, true],
      [DAY_SECONDS - 60, true],
      [61, false],
    ] as const) {
      if (seconds > 0) await bench.receiver.pass(seconds);
      const before = bench.receiver.received.length;
      await bench.credit();
      await until(() => bench.receiver.received.length > before);
      const last = bench.receiver.received.at(-1)!;
      expect([opens(made, last), opens(bench.receiver.secret, last)]).toEqual([true, both]);
    }
  });

  it('leaves out of a message what would make it larger than 20 kB', async () => {
    const { api } = bench.account;
    const transfers = await bench.listen({ events: ['transfer.successful'] });
    await bench.credit(1_000);
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, 'x'.repeat(500)]));
    const { body: transfer } = await api.transfer(bench.wallet, await api.wallet(), 10, { metadata });
    await until(() => transfers.received.length === 1);
    const [{ text, body }] = transfers.received as [Received];
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(transfers.verify(transfers.received[0]!)).toEqual(body);
    expect(body.data).toEqual({ object: { ...transfer, metadata: {} }, omitted: ['metadata'] });
    expect((await api.get(`/v4/events/${body.id}`)).body.data.object.metadata).toEqual(metadata);
  });

  it('gives up on a message that cannot be made, and does not blame the endpoint', async () => {
    const { id } = await bench.receiver.state();
    const present = jest
      .spyOn(bench.duka.get<Resources>(Resources), 'present')
      .mockRejectedValue(new Error('nobody can show it'));
    try {
      await bench.credit();
      for (let attempts = 1; attempts < ATTEMPT_DELAYS_MS.length; attempts++) {
        await bench.attempted(attempts);
        await bench.receiver.pass(Math.ceil((ATTEMPT_DELAYS_MS[attempts]! / 1_000) * 1.2) + 1);
      }
      await bench.ended();
    } finally {
      present.mockRestore();
    }
    const { id: delivery, ...rest } = await bench.delivery();
    expect(rest).toMatchObject({ status: 'exhausted', attempts: 10, last_code: 'not_made' });
    expect((await bench.receiver.attempts(delivery))[0]).toMatchObject({ code: 'not_made', http_status: null });
    expect(bench.receiver.received).toHaveLength(0);
    expect(await bench.receiver.state()).toMatchObject({ id, status: 'enabled', failing_since: null });
  });

  it.each(['57014', '42P01', 'ERR_INVALID_URL', 'UND_ERR_SOCKET'])(
    'counts an attempt when what shows the object fails by itself: %s',
    async (code) => {
      const present = jest
        .spyOn(bench.duka.get<Resources>(Resources), 'present')
        .mockRejectedValueOnce(Object.assign(new Error('nobody can show it'), { code }));
      await bench.credit();
      await bench.attempted(1);
      present.mockRestore();
      expect(await bench.delivery()).toMatchObject({ status: 'retrying', last_code: 'not_made' });
    },
  );

  it.each(['57P01', '53300', '40P01', 'ECONNRESET'])('counts none when the database is away: %s', async (code) => {
    const { receiver } = bench;
    const present = jest
      .spyOn(bench.duka.get<Resources>(Resources), 'present')
      .mockRejectedValueOnce(Object.assign(new Error('away'), { code }));
    await bench.credit();
    await until(() => present.mock.results[0]?.type === 'return');
    present.mockRestore();
    await receiver.sql('UPDATE webhook_deliveries SET leased_until = now() WHERE endpoint_id = $1', [receiver.id]);
    await bench.ended();
    expect(await bench.delivery()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('makes no attempt while no connection of the pool is free', async () => {
    const { duka, receiver } = bench;
    const runs = duka.get<DeliveryRuns>(DeliveryRuns);
    const [post, failed] = [runs.post.bind(runs), Promise.withResolvers<unknown>()];
    const starved = jest.spyOn(runs, 'post').mockImplementationOnce(async (claimed) => {
      const pool = duka.get<DataSource>(DataSource);
      const taken = Array.from({ length: duka.env.DATABASE_POOL_SIZE }, () => pool.createQueryRunner());
      const connecting = taken.map((one) => one.connect());
      try {
        await Promise.all(connecting);
        return await post(claimed);
      } catch (error) {
        failed.resolve(error);
        throw error;
      } finally {
        // One that came after its release would be kept for good.
        await Promise.allSettled(connecting);
        await Promise.all(taken.map((one) => one.release()));
      }
    });
    await bench.credit();
    expect(await failed.promise).toMatchObject({ message: 'timeout exceeded when trying to connect' });
    starved.mockRestore();
    await receiver.sql('UPDATE webhook_deliveries SET leased_until = now() WHERE endpoint_id = $1', [receiver.id]);
    await bench.ended();
    expect(await bench.delivery()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('delivers live events by the queue of live mode, to addresses that anybody may reach', async () => {
    const { account, duka } = bench;
    const live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
    const world = new MockAgent({ connections: 1 });
    world.disableNetConnect();
    const posted: string[] = [];
    world
      .get('https://1.1.1.1')
      .intercept({ path: '/events', method: 'POST' })
      .reply(204, ({ body }) => {
        posted.push(body as string);
        return '';
      });
    Object.assign(duka.get<WebhookSender>(WebhookSender), { guarded: world });
    const add = jest.spyOn(duka.get<Queue>(getQueueToken('webhooks-live')), 'addBulk');
    const { body: endpoint } = await live.post('/v4/webhooks', {
      url: 'https://1.1.1.1/events',
      events: ['wallet.created'],
    });
    await live.wallet();
    const deliveries = async () => (await live.get(`/v4/webhooks/${endpoint.id}/deliveries`)).body.data;
    await until(async () => (await deliveries())[0]?.status === 'delivered');
    expect(JSON.parse(posted[0]!)).toMatchObject({ livemode: true, type: 'wallet.created' });
    expect(add).toHaveBeenCalled();
    // What a row says is not believed: a local receiver is not told live events, though test mode may have it.
    await bench.receiver.sql('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [
      decodeId('whk', endpoint.id),
      (await bench.receiver.state()).url,
    ]);
    await live.wallet();
    await until(async () => (await deliveries())[0]?.last_code === 'url_refused');
    expect(bench.receiver.received).toHaveLength(0);
  });

  it('mixes the order of events up where a test endpoint asked for it', async () => {
    const mixed = await bench.listen({ events: ['wallet.credited'], faults: 'out_of_order' });
    for (let i = 0; i < 12; i++) await bench.credit();
    await until(async () => (await mixed.deliveries()).length === 12);
    const planned: { event_id: string }[] = await mixed.sql(
      'SELECT event_id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY next_attempt_at',
      [mixed.id],
    );
    const events = planned.map(({ event_id: event }) => event);
    expect(events).not.toEqual(events.toSorted());
    await mixed.pass(11);
    await until(() => mixed.received.length === 12);
    expect(new Set(mixed.received.map(({ headers }) => headers['webhook-id'])).size).toBe(12);
  });

  it('sends no more messages per second than an endpoint may have', async () => {
    await bench.receiver.sql('UPDATE webhook_endpoints SET per_second_max = 5 WHERE id = $1', [bench.receiver.id]);
    await bench.credit();
    await bench.ended();
    for (let i = 0; i < 6; i++) await bench.credit();
    await until(
      async () => (await bench.receiver.deliveries()).filter(({ status }) => status === 'delivered').length === 7,
    );
    const [{ ms }] = await bench.receiver.sql(
      `SELECT extract(epoch FROM max(uuid_extract_timestamp(a.id)) - min(uuid_extract_timestamp(a.id))) * 1000 AS ms
         FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1 AND d.id > $2`,
      [bench.receiver.id, (await bench.delivery()).id],
    );
    // Six messages are five gaps of 200 ms; what one of them takes may shorten that.
    expect(Number(ms)).toBeGreaterThan(700);
    expect((await bench.receiver.deliveries()).map(({ attempts }) => attempts)).toEqual(Array(7).fill(1));
  });
}
