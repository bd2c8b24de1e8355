import { DataSource } from 'typeorm';
import { decodeId, lowestIdAt, slotOf } from '../src/core/http/ids';
import { EndpointFiguresService } from '../src/modules/webhooks/endpoint-figures.service';
import { newOwner } from './support/dashboard';
import { WebhookBench } from './support/webhook-bench';
import { until } from './support/recurring-probe';

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start({});
});
afterAll(() => bench.stop());
beforeEach(() => bench.begin());
afterEach(() => bench.end());

const path = () => `/v4/webhooks/${bench.receiver.publicId}`;
const change = (body: object) => bench.account.api.patch(path(), body);
const detail = async () => {
  const { data } = (await bench.account.api.get(`${path()}/deliveries`)).body;
  return (await bench.account.api.get(`/v4/webhooks/deliveries/${data[0].id}`)).body;
};

describe('headers that an account sends along', () => {
  it('come with each message, sealed at rest, and are shown by their names only', async () => {
    const { status, body } = await change({ headers: { 'X-Api-Key': 'k-1001', 'x-shop': 'Àkẹ́'.normalize('NFC') } });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect((await change({ headers: { 'X-Api-Key': 'k-1001', 'x-shop': '7' } })).body).toMatchObject({
      header_names: ['x-api-key', 'x-shop'],
    });
    await bench.credit();
    await bench.ended();
    expect(bench.receiver.received[0]!.headers).toMatchObject({ 'x-api-key': 'k-1001', 'x-shop': '7' });
    const [attempt] = (await detail()).attempts;
    expect(attempt.request_headers).toMatchObject({ 'x-api-key': '••••', 'x-shop': '••••' });
    const kept = await bench.duka.asOwner(
      `SELECT encode(headers, 'escape') AS headers, row_to_json(a)::text AS attempt
         FROM webhook_endpoints w JOIN webhook_attempts a ON a.endpoint_id = w.id
        WHERE w.id = '${bench.receiver.id}'`,
    );
    expect(JSON.stringify(kept)).not.toContain('k-1001');
    expect(JSON.stringify((await bench.account.api.get(path())).body)).not.toContain('k-1001');
  });

  it('stay where they are not named, go with null, and when the address moves to another host', async () => {
    await change({ headers: { a: '1', b: '2' } });
    expect((await change({ headers: { A: null, c: '3' } })).body.header_names).toEqual(['b', 'c']);
    const { url } = (await change({ description: 'x' })).body;
    expect((await change({ url: `${url}2` })).body.header_names).toEqual(['b', 'c']);
    expect((await change({ url: 'http://127.0.0.1:9/hooks' })).body.header_names).toEqual([]);
    expect((await change({ url, headers: { d: '4' } })).body.header_names).toEqual(['d']);
  });

  it('are no more than twenty, however they came', async () => {
    const named = (from: number, value: string | null) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`h${from + index}`, value]));
    const before = (await change({ headers: { d: null } })).body.header_names;
    expect(before).toEqual([]);
    expect((await change({ headers: named(0, '1') })).status).toBe(200);
    expect((await change({ headers: { h20: '1' } })).body).toMatchObject({ status: 400, param: '/headers' });
    expect((await change({ headers: { h19: null, h20: '1' } })).body.header_names).toHaveLength(20);
    expect((await change({ headers: named(1, null) })).body.header_names).toEqual(['h0']);
    await change({ headers: { h0: null } });
  });

  it.each([
    [{ 'webhook-signature': 'v1,x' }],
    [{ Host: 'example.com' }],
    [{ 'content-length': '1' }],
    [{ 'x-a': 'a\r\nx-b: c' }],
    [{ 'x a': '1' }],
    [{ 'x-a': '' }],
    [{ 'x-a': '1', 'X-A': '2' }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x-${at}`, '1']))],
    [['x']],
  ])('are refused: %j', async (headers) => {
    const { status, body } = await change({ headers });
    expect([status, body.errors?.[0]?.pointer ?? body.param]).toEqual([400, '/headers']);
  });
});

it('sends no faster than the endpoint may be sent to', async () => {
  expect((await change({ max_in_flight: 2, max_per_second: 4 })).body).toMatchObject({
    max_in_flight: 2,
    max_per_second: 4,
  });
  await bench.credit();
  await bench.ended();
  const times: number[] = [];
  bench.receiver.reply = () => {
    times.push(Date.now());
    return { status: 200 };
  };
  for (let count = 0; count < 4; count++) await bench.credit();
  await until(() => times.length === 4);
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(600);
  for (const wrong of [{ max_per_second: 0 }, { max_in_flight: 101 }, { max_in_flight: 1.5 }])
    expect((await change(wrong)).status).toBe(400);
  expect((await change({ max_per_second: null })).body.max_per_second).toBeNull();
});

describe('an attempt', () => {
  it('shows the headers of both sides, but for what is a secret of the receiver', async () => {
    bench.receiver.reply = () => ({ status: 503, headers: { 'x-trace': 't-1', 'set-cookie': 'a=b' }, body: 'later' });
    await bench.credit();
    await bench.attempted(1);
    const { last_http_status, attempts } = await detail();
    expect(last_http_status).toBe(503);
    expect(attempts[0]).toMatchObject({
      request_headers: {
        'webhook-id': bench.receiver.received[0]!.headers['webhook-id'],
        'webhook-signature': bench.receiver.received[0]!.headers['webhook-signature'],
        'webhook-attempt': '1',
      },
      response_headers: { 'x-trace': 't-1', 'set-cookie': '••••' },
      response_body: 'later',
    });
  });

  it('is found by the type of its event and by what it was answered with', async () => {
    bench.receiver.reply = () => ({ status: 418 });
    await bench.credit();
    await bench.attempted(1);
    const find = async (query: string) => (await bench.account.api.get(`${path()}/deliveries?${query}`)).body;
    expect((await find('http_status=418&type=wallet.*')).data).toHaveLength(1);
    expect((await find('http_status=500')).data).toEqual([]);
    expect((await find('type=card.*')).data).toEqual([]);
    expect([(await find('http_status=99')).code, (await find('type=x')).code]).toEqual(
      Array(2).fill('validation_failed'),
    );
  });

  it('stands with its event, whichever endpoint it was for', async () => {
    const other = await bench.listen({ events: ['wallet.*'] });
    await bench.credit();
    await bench.ended();
    await until(() => other.received.length === 1);
    const { id } = bench.receiver.received[0]!.body;
    const list = async (api = bench.account.api) => (await api.get(`/v4/events/${id}/deliveries`)).body;
    await until(async () => (await list()).data.every(({ completed_at }: any) => completed_at !== null));
    const { data } = await list();
    expect(data.map(({ endpoint_id }: any) => endpoint_id).sort()).toEqual(
      [bench.receiver.publicId, other.publicId].sort(),
    );
    expect(data.map(({ attempts }: any) => attempts.map(({ http_status }: any) => http_status))).toEqual([
      [200],
      [200],
    ]);
    expect((await list((await bench.duka.account()).api)).code).toBe('not_found');
  });
});

describe('an endpoint is told of itself', () => {
  it('that it has a new secret, and others are told, too', async () => {
    const [own, other] = [
      await bench.listen({ events: ['webhook_endpoint.*'] }),
      await bench.listen({ events: ['*'] }),
    ];
    const { body } = await bench.account.api.post(`/v4/webhooks/${own.publicId}/rotate-secret`, {});
    await until(() => own.received.length === 1 && other.received.length === 1);
    expect(own.received[0]!.body).toMatchObject({
      type: 'webhook_endpoint.secret_rotated',
      data: { object: { id: own.publicId, previous_secret_expires_at: body.previous_secret_expires_at } },
    });
    expect(own.received[0]!.text).not.toContain(body.secret);
    // With the old secret still: both sign.
    expect(own.verify(own.received[0]!)).toBeTruthy();
    const { data } = (await bench.account.api.get('/v4/events?type=webhook_endpoint.secret_rotated')).body;
    expect(data).toHaveLength(1);
  });

  it('that it works again, once, after it was warned of', async () => {
    await change({ events: ['wallet.credited', 'webhook_endpoint.*'] });
    bench.receiver.reply = () => ({ status: 500 });
    await bench.credit();
    await bench.attempted(1);
    await bench.receiver.pass(3 * 86_400);
    await bench.attempted(2);
    expect((await bench.receiver.state()).is_down).toBe(true);
    bench.receiver.reply = () => ({ status: 200 });
    await bench.credit();
    await bench.credit();
    await until(() => bench.receiver.of('webhook_endpoint.recovered').length === 1);
    await until(async () => (await bench.receiver.deliveries()).every(({ status }) => status !== 'pending'));
    expect(bench.receiver.of('webhook_endpoint.recovered')).toHaveLength(1);
    expect(bench.receiver.of('webhook_endpoint.recovered')[0]!.body.data.object.failed_since).toEqual(
      expect.any(String),
    );
    expect(await bench.receiver.state()).toMatchObject({ is_down: false, failing_since: null, warned_percent: 0 });
  });

  it('also after it was gone, and enabled again; not after its account disabled it', async () => {
    const recovered = async () =>
      (await bench.account.api.get('/v4/events?type=webhook_endpoint.recovered')).body.data.length as number;
    await bench.account.api.post(`${path()}/disable`);
    await bench.account.api.post(`${path()}/enable`);
    await bench.credit();
    await bench.ended();
    expect(await recovered()).toBe(0);
    bench.receiver.reply = () => ({ status: 410 });
    await bench.credit();
    await until(async () => (await bench.receiver.state()).status === 'disabled');
    bench.receiver.reply = () => ({ status: 200 });
    await bench.account.api.post(`${path()}/enable`);
    await bench.credit();
    await until(async () => (await recovered()) === 1);
  });
});

it('tells what an endpoint missed before it is enabled, and offers the same replay', async () => {
  const missed = async () => (await bench.account.api.get(`${path()}/missed`)).body;
  expect(await missed()).toMatchObject({ object: 'webhook_missed', count: 0, since: null, replay: null });
  bench.receiver.reply = () => ({ status: 410 });
  await bench.credit();
  await until(async () => (await bench.receiver.state()).status === 'disabled');
  await bench.credit();
  await until(async () => (await missed()).count === 2);
  const { replay } = await missed();
  bench.receiver.reply = () => ({ status: 200 });
  const enabled = (await bench.account.api.post(`${path()}/enable`)).body;
  expect(enabled.missed).toMatchObject({ count: 2, replay: { created_gte: replay.created_gte, only: 'failed' } });
  expect((await bench.account.api.post(`${path()}/replay`, replay)).body.count).toBe(2);
  await until(() => bench.receiver.received.length === 3);
});

describe('figures of an endpoint', () => {
  it('count attempts and successes by span, with latencies, and tell the last failure', async () => {
    const ada = await newOwner(bench.duka);
    const made = (await ada.post('/test/v4/webhooks', { url: 'http://127.0.0.1:9/x', events: ['*'] })).body;
    const { id } = made;
    const now = Date.now();
    const hour = 3_600_000;
    const from = new Date(Math.floor(now / hour) * hour - hour);
    const at = (ms: number) => lowestIdAt(new Date(ms)).slice(0, -3) + slotOf(account_id);
    const [{ account_id }] = (await bench.duka.asOwner(
      `SELECT account_id FROM webhook_endpoints WHERE id = '${decodeId('whk', id)}'`,
    )) as [{ account_id: string }];
    // In the first hours of a month, what follows is of the one before.
    const month = lowestIdAt(new Date(new Date(now).toISOString().slice(0, 7)));
    await bench.duka.asOwner(
      `CREATE TABLE webhook_attempts_before PARTITION OF webhook_attempts FOR VALUES FROM (MINVALUE) TO ('${month}')`,
    );
    const insert = (ms: number, code: string, duration: number) =>
      bench.duka.get<DataSource>(DataSource).query(
        `INSERT INTO webhook_attempts (account_id, livemode, id, delivery_id, number, url, code, duration_ms, endpoint_id, http_status)
           VALUES ($1, false, $2, $3, 1, 'http://x', $4, $5, $6, $7)`,
        [account_id, at(ms), decodeId('whk', id), code, duration, decodeId('whk', id), code === 'ok' ? 200 : 503],
      );
    for (let count = 1; count <= 20; count++)
      await insert(from.getTime() + count * 1_000, count === 20 ? 'http_error' : 'ok', count * 10);
    await insert(from.getTime() - 1_000, 'ok', 1);
    await insert(from.getTime() + 30_000, 'not_made', 0);
    const { body } = await ada.get(`/webhooks/${id}/figures?step=hour&from=${from.toISOString()}`);
    expect(body.spans).toHaveLength(2);
    expect(body.spans[0]).toEqual({ from: from.toISOString(), attempts: 20, successful: 19, p50_ms: 100, p95_ms: 190 });
    expect(body.spans[1]).toMatchObject({ attempts: 0, successful: 0, p50_ms: null });
    expect(body.all).toEqual({ attempts: 20, successful: 19, p50_ms: 100, p95_ms: 190 });
    expect(body.last_failure).toMatchObject({ code: 'http_error', http_status: 503, duration_ms: 200, number: 1 });
    const stranger = await newOwner(bench.duka);
    expect((await stranger.get(`/webhooks/${id}/figures?step=hour&from=${from.toISOString()}`)).status).toBe(404);
    for (const wrong of ['step=week&from=2026-01-01', 'step=day', 'step=day&from=x'])
      expect((await ada.get(`/webhooks/${id}/figures?${wrong}`)).status).toBe(400);
    const early = (await ada.get(`/webhooks/${id}/figures?step=hour&from=2020-01-01`)).body;
    expect(early.spans).toHaveLength(92);
  });

  it('are read from an index alone', async () => {
    const source = bench.duka.get<DataSource>(DataSource);
    const query = jest.spyOn(source, 'query');
    const viewer = { accountId: decodeId('acct', bench.account.id)!, livemode: false };
    await bench.duka.get<EndpointFiguresService>(EndpointFiguresService).of(viewer, bench.receiver.id, [new Date()]);
    const [text, values] = query.mock.calls.find(([sql]) => sql.includes('width_bucket'))!;
    query.mockRestore();
    const runner = source.createQueryRunner();
    await runner.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
    const plan = JSON.stringify(await runner.query(`EXPLAIN (FORMAT JSON) ${text}`, values));
    await runner.query('RESET ALL');
    await runner.release();
    expect(plan).toContain('Index Only Scan');
    expect(plan).not.toMatch(/"Node Type":"(Index Scan|Seq Scan|Bitmap Heap Scan)"/);
  });
});
