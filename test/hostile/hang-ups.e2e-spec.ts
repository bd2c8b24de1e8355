import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { AnsweredRequests } from '../../src/core/http/request-observer';
import type { Caller } from '../../src/core/http/caller';
import { newId } from '../../src/core/http/ids';
import { registry } from '../../src/core/metrics/metrics';
import { RequestLog } from '../../src/core/request-log/request-log';
import { Browser, newOwner } from '../support/dashboard';
import { Duka } from '../support/duka';
import { until } from '../support/recurring-probe';

let duka: Duka;
let ada: Browser;
let secret: string;
let from: string;
let to: string;

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  secret = (await ada.post('/keys', { name: 'k', livemode: false })).body.secret;
  [from, to] = [await duka.api(secret).wallet(500_000), await duka.api(secret).wallet()];
});
afterAll(() => duka.stop());

const inFlight = async () => (await registry.getSingleMetric('http_requests_in_flight')!.get()).values[0]!.value;
const timed = async (status: number) =>
  (await registry.getSingleMetric('http_request_duration_seconds')!.get()).values
    .filter(({ labels, metricName }: any) => metricName?.endsWith('_count') && labels.status === status)
    .reduce((sum, { value }) => sum + value, 0);
const received = async () => (await duka.api(secret).balance(to)).available;

/** Runs while nobody can post to the paying wallet: who asks for it meanwhile waits for the answer. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: duka.env.DATABASE_URL });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM ledger_accounts FOR UPDATE');
  try {
    await work();
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

function transferBytes(path: string, headers: Record<string, string>, amount: number): string {
  // Each is meant: without a key they would look like one that was sent again.
  const body = JSON.stringify({ from_wallet: from, to_wallet: to, amount, allow_duplicate: true });
  const all = {
    Host: '127.0.0.1',
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...headers,
  };
  return `POST ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}

/** Sends the bytes, a connection each, and hangs up as soon as all their requests are being handled. */
async function hangUpOn(packets: readonly string[], requests: number): Promise<void> {
  const before = await inFlight();
  const sockets = await Promise.all(
    packets.map(
      (bytes) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(Number(new URL(duka.url).port), '127.0.0.1', () =>
            socket.write(bytes, () => resolve(socket)),
          ).on('error', reject);
        }),
    ),
  );
  await until(async () => (await inFlight()) === before + requests);
  for (const socket of sockets) socket.resetAndDestroy();
  await until(async () => (await inFlight()) === before);
}

const logged = async (by = 'programs') => {
  await duka.get<RequestLog>(RequestLog).flush();
  const query = `livemode=false&limit=100&method=POST&path=/v4/wallets/transfer&by=${by}`;
  return (await ada.get(`/request-log?${query}`)).body.data;
};

it('what was done for a client that hung up is counted and logged, with what became of it', async () => {
  const [gone, had] = [await timed(499), await received()];
  await whileLocked(() =>
    hangUpOn(Array(20).fill(transferBytes('/v4/wallets/transfer', { Authorization: `Bearer ${secret}` }, 7)), 20),
  );
  await until(async () => (await received()) === had + 20 * 7 && (await timed(499)) === gone + 20);
  const rows = await logged();
  expect(rows).toHaveLength(20);
  for (const row of rows)
    expect(row).toMatchObject({
      status: 499,
      handled_status: 201,
      error_code: null,
      ip: '127.0.0.1',
      key_last4: secret.slice(-4),
    });
  expect(await inFlight()).toBe(0);
});

it('so is what waited behind another answer of the same connection', async () => {
  const before = (await logged()).length;
  const had = await received();
  const bytes = transferBytes('/v4/wallets/transfer', { Authorization: `Bearer ${secret}` }, 3).repeat(5);
  await whileLocked(() => hangUpOn([bytes], 5));
  await until(async () => (await received()) === had + 15);
  await until(async () => (await logged()).length === before + 5);
  expect((await logged()).slice(0, 5)).toMatchObject(Array(5).fill({ status: 499, handled_status: 201 }));
});

it('a refusal that nobody waited for is no deed, and is logged with its code', async () => {
  const before = (await logged('dashboard')).length;
  const audited = (await ada.get('/audit-log')).body.data.length;
  await whileLocked(() =>
    hangUpOn([transferBytes('/dashboard/api/test/v4/wallets/transfer', sessionHeaders(), 1_000_000_000)], 1),
  );
  await until(async () => (await logged('dashboard')).length === before + 1);
  expect((await logged('dashboard'))[0]).toMatchObject({
    status: 499,
    handled_status: 402,
    error_code: 'insufficient_funds',
  });
  expect((await ada.get('/audit-log')).body.data).toHaveLength(audited);
});

const sessionHeaders = (): Record<string, string> => ({
  Cookie: `session=${ada.token}`,
  'Sec-Fetch-Site': 'same-origin',
});

it('what a person did at the dashboard and did not wait for is in the audit log', async () => {
  const had = await received();
  const deeds = async () =>
    (await ada.get('/audit-log')).body.data.filter(
      ({ action }: { action: string }) => action === 'POST /v4/wallets/transfer',
    );
  const before = (await deeds()).length;
  await whileLocked(() =>
    hangUpOn(Array(3).fill(transferBytes('/dashboard/api/test/v4/wallets/transfer', sessionHeaders(), 5)), 3),
  );
  await until(async () => (await received()) === had + 15);
  await until(async () => (await deeds()).length === before + 3);
});

it('a request whose address is not known any more takes no other with it out of the log', async () => {
  const answered = duka.get<AnsweredRequests>(AnsweredRequests);
  let caller: Caller | undefined;
  answered.listen((request) => (caller ??= request.caller));
  await duka.api(secret).get(`/v4/wallets/${to}`);
  const before = (await logged()).length;
  const reply = { statusCode: 200, elapsedTime: 1, hasHeader: () => false };
  for (const ip of [undefined, '127.0.0.1']) {
    const url = '/v4/wallets/transfer';
    answered.tell(
      { id: newId(), method: 'POST', ip, headers: {}, raw: { url }, routeOptions: { url }, caller } as never,
      reply as never,
      200,
    );
  }
  const rows = await logged();
  expect(rows.length).toBe(before + 2);
  expect(rows.slice(0, 2).map(({ ip }: { ip: string | null }) => ip)).toEqual(['127.0.0.1', null]);
});
