import type { Env } from '../src/core/config/env';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';
import { WebhookBench } from './support/webhook-bench';

const HOUR = 3_600;
const DAY = 24 * HOUR;

describe('health of endpoints with queues on PostgreSQL', () => behaves({}));
describeWithRedis('health of endpoints with queues on Redis', (url) => behaves({ REDIS_URL: url }));

function behaves(settings: Partial<Env>): void {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.start(settings);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());

  it('disables an endpoint that failed for five days, after two warnings to the others', async () => {
    const other = await bench.listen({ events: ['webhook_endpoint.*'] });
    bench.receiver.reply = () => ({ status: 500 });
    await bench.credit();
    for (const [attempts, seconds] of [
      [1, 13 * HOUR],
      [2, 2 * DAY],
      [3, 2 * DAY],
      [4, DAY],
    ] as const) {
      await bench.attempted(attempts);
      expect((await bench.receiver.state()).status).toBe('enabled');
      await bench.receiver.pass(seconds);
    }
    await until(async () => (await bench.receiver.state()).status === 'disabled');
    await until(() => other.received.length === 3);
    expect(other.received.map(({ body }) => `${body.type} ${body.data.object.percent ?? ''}`).sort()).toEqual([
      'webhook_endpoint.disabled ',
      'webhook_endpoint.failing 50',
      'webhook_endpoint.failing 90',
    ]);
    expect(await bench.receiver.state()).toMatchObject({ disabled_reason: 'failing' });
  });

  it('forgets failures with the next success', async () => {
    bench.receiver.reply = (_, count) => ({ status: count === 1 ? 500 : 200 });
    await bench.credit();
    await bench.attempted(1);
    expect((await bench.receiver.state()).failing_since).not.toBeNull();
    await bench.receiver.pass(7);
    await bench.ended();
    expect(await bench.receiver.state()).toMatchObject({
      failing_since: null,
      last_failure_at: null,
      last_success_at: expect.anything(),
    });
  });
}
