import type { RequestListener, ServerResponse } from 'node:http';
import type { Env } from '../src/core/config/env';
import { decodeId } from '../src/core/http/ids';
import { DataSource } from 'typeorm';
import { WebhookSender } from '../src/modules/webhooks/delivery/webhook-sender.service';
import { Duka, type TestAccount } from './support/duka';
import { PlainReceiver } from './support/plain-receivers';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';

const EVENTS = 10;
const HEALTHY = 91;
const HOUR_SECONDS = 3_600;
const RETRY_AFTER_SECONDS = 7_200;

/** What a receiver does to its `nth` request, from 1 on. */
type Behaviour = (response: ServerResponse, nth: number) => void;

const fine: Behaviour = (response) => void response.writeHead(204).end();
const first =
  (bad: Behaviour): Behaviour =>
  (response, nth) =>
    (nth <= EVENTS ? bad : fine)(response, nth);

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'errors, three of ten': (response, nth) => void response.writeHead(nth % 10 < 3 ? 500 : 204).end(),
  'hangs at first': first(() => undefined),
  'resets at first': first((response) => void response.socket?.resetAndDestroy()),
  'overwhelmed at first': first(
    (response) => void response.writeHead(429, { 'retry-after': String(RETRY_AFTER_SECONDS) }).end(),
  ),
  'elsewhere at first': first((response) => void response.writeHead(302, { location: '/elsewhere' }).end()),
  talkative: (response) => void response.writeHead(200).end('a'.repeat(2_000_000)),
  'slow at first': first((response) => void response.writeHead(200, { 'content-length': 1_000 }).write('a')),
  gone: (response) => void response.writeHead(410).end(),
  dead: () => undefined,
};

describe('a hundred subscribers, nine of them bad, with queues on PostgreSQL', () => behaves({}));
describeWithRedis('a hundred subscribers, nine of them bad, with queues on Redis', (url) =>
  behaves({ REDIS_URL: url }),
);

function behaves(settings: Partial<Env>): void {
  let duka: Duka;
  let accounts: TestAccount[];
  let healthy: Receiver[];
  const bad = new Map<string, { readonly receiver: PlainReceiver; readonly id: string }>();

  const sql = (text: string, values: unknown[]): Promise<any[]> => duka.get<DataSource>(DataSource).query(text, values);
  const deliveriesOf = (name: string) =>
    sql('SELECT * FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id', [bad.get(name)!.id]);
  const attemptsOf = (name: string) =>
    sql(
      'SELECT a.* FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1 ORDER BY a.id',
      [bad.get(name)!.id],
    );
  const messagesOf = (name: string): Set<unknown> =>
    new Set(bad.get(name)!.receiver.requests.map(({ headers }) => headers['webhook-id']));
  /** Each arrived, or waits for a later hour: an hour that passes while one is only due would be lost on it. */
  const rests = async (name: string): Promise<boolean> => {
    const { now } = (await accounts[0]!.api.get('/v4/sandbox/clock')).body;
    return (await deliveriesOf(name)).every(
      ({ leased_until: lease, next_attempt_at: next }) => lease === null && (next === null || next > new Date(now)),
    );
  };
  const settled = (name: string, status: string) =>
    until(async () => (await deliveriesOf(name)).every((one) => one.status === status), 60);

  beforeAll(async () => {
    duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, ...settings });
    duka.get<WebhookSender>(WebhookSender).timeoutMs = 1_000;
    accounts = [await duka.account(), await duka.account()];
    const [one, other] = accounts as [TestAccount, TestAccount];
    const healthyOf = (account: TestAccount, count: number) =>
      Promise.all(Array.from({ length: count }, () => Receiver.of(duka, account, { events: ['wallet.credited'] })));
    healthy = [...(await healthyOf(one, HEALTHY - 50)), ...(await healthyOf(other, 50))];
    for (const [name, behave] of Object.entries(BEHAVIOURS)) {
      let nth = 0;
      const answer: RequestListener = (_, response) => behave(response, ++nth);
      const receiver = await PlainReceiver.start(answer);
      const { body } = await one.api.post('/v4/webhooks', { url: receiver.url, events: ['wallet.credited'] });
      bad.set(name, { receiver, id: decodeId('whk', body.id)! });
    }
    for (const { api } of accounts) {
      const { id } = (await api.get('/v4/wallets')).body.data[0];
      for (let i = 0; i < EVENTS; i++) await api.credit(id, 100);
    }
  });
  afterAll(async () => {
    await Promise.all([...healthy.map((receiver) => receiver.close()), PlainReceiver.stopAll()]);
    await duka.stop();
  });

  it('every event arrives at all healthy ones, while one is dead and others misbehave', async () => {
    const isComplete = ({ received }: Receiver) =>
      new Set(received.map(({ headers }) => headers['webhook-id'])).size === EVENTS;
    await until(() => healthy.every(isComplete), 60);
    for (const receiver of healthy) expect(receiver.verify(receiver.received[0]!)).toEqual(receiver.received[0]!.body);
  });

  it('disables the one that is gone after its first answer', async () => {
    await until(
      async () =>
        (await sql('SELECT status FROM webhook_endpoints WHERE id = $1', [bad.get('gone')!.id]))[0].status ===
        'disabled',
    );
    await settled('gone', 'disabled');
    expect((await attemptsOf('gone')).every(({ code }) => code === 'gone')).toBe(true);
  });

  it('keeps little of a long answer', async () => {
    await settled('talkative', 'delivered');
    for (const { response_body: body } of await attemptsOf('talkative')) expect(body.length).toBe(16_384);
  });

  it('waits by the clock as long as it is asked to, and not a second less', async () => {
    await until(async () => (await attemptsOf('overwhelmed at first')).length === EVENTS, 60);
    const [{ earliest }] = await sql(
      `SELECT min(extract(epoch FROM d.next_attempt_at - uuid_extract_timestamp(a.id))) AS earliest
         FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id WHERE d.endpoint_id = $1`,
      [bad.get('overwhelmed at first')!.id],
    );
    expect(Math.abs(Number(earliest) - RETRY_AFTER_SECONDS)).toBeLessThan(5);
    const { api } = accounts[0]!;
    await api.post('/v4/sandbox/clock/advance', { seconds: RETRY_AFTER_SECONDS - 120 });
    await until(
      async () => (await deliveriesOf('elsewhere at first')).every(({ status }) => status === 'delivered'),
      60,
    );
    expect(await attemptsOf('overwhelmed at first')).toHaveLength(EVENTS);
    await api.post('/v4/sandbox/clock/advance', { seconds: 200 });
    await settled('overwhelmed at first', 'delivered');
  });

  it.each([
    ['errors, three of ten', 'http_error'],
    ['hangs at first', 'timeout'],
    ['resets at first', 'connection_failed'],
    ['elsewhere at first', 'redirect'],
    ['slow at first', 'timeout'],
  ])('brings everything in the end to the one that %s', async (name, code) => {
    for (
      let hours = 0;
      hours < 12 && (await deliveriesOf(name)).some(({ status }) => status !== 'delivered');
      hours++
    ) {
      await until(() => rests(name), 60);
      await accounts[0]!.api.post('/v4/sandbox/clock/advance', { seconds: HOUR_SECONDS });
    }
    await settled(name, 'delivered');
    expect(messagesOf(name).size).toBe(EVENTS);
    expect((await attemptsOf(name)).some((attempt) => attempt.code === code)).toBe(true);
    expect(bad.get(name)!.receiver.requests.every(({ url }) => url === '/hook')).toBe(true);
  });
}
