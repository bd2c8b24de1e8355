import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { decodeId } from '../src/core/http/ids';
import { freePort } from '../src/core/process/ports';
import { TopupServer } from './contracts/topup-server';
import type { Api } from './support/api';
import { buildWhenStale, NODE_COMPILE_CACHE } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';

const ROOT = join(__dirname, '..');
const PHONE = '08031234567';
const CLIENT = { trace: 'ab'.repeat(16), span: 'cd'.repeat(8) };

interface Span {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** What a collector of OTLP over HTTP was sent: the edge of the network. */
const bodies: any[] = [];
const spans = (): Span[] =>
  bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ resource, scopeSpans }: any) => {
      const { stringValue: service } = resource.attributes.find(({ key }: any) => key === 'service.name').value;
      return scopeSpans.flatMap((scope: any) => scope.spans.map((span: object) => ({ ...span, service })));
    }),
  );
const collector = createServer(
  (request, response) =>
    void (async () => {
      if (request.url === '/v1/traces') bodies.push(await json(request));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    })(),
);

const started: ChildProcess[] = [];
let output = '';
let topups: TopupServer;
let duka: Duka;
let account: TestAccount;
let receiver: Receiver;
let live: Api;
let liveKey: string;

function service(script: string, settings: Record<string, string>): void {
  const { port } = collector.address() as AddressInfo;
  const child = spawn(process.execPath, [`dist/src/${script}.js`], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      DATABASE_URL: duka.env.DATABASE_URL,
      SECRETS_KEY: duka.env.SECRETS_KEY,
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      TOPUP_URL: topups.baseUrl,
      TOPUP_KEY: 'topup-secret-of-ours',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  started.push(child);
}

beforeAll(async () => {
  buildWhenStale();
  topups = await TopupServer.start();
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  const [port, workerPort] = [await freePort(), await freePort()];
  service('main', { PORT: String(port) });
  service('worker', { WORKER_PORT: String(workerPort) });
  account = await duka.account();
  liveKey = await duka.key({ accountId: account.id, livemode: true });
  live = duka.api(liveKey);
  receiver = await Receiver.of(duka, account, {
    events: ['transaction.successful'],
    headers: { 'x-our': 'header-of-ours' },
  });
  await duka.asOwner(`INSERT INTO provider_routes (product, network, livemode, provider, position)
    VALUES ('airtime', '*', true, 'example', 1)`);
  const ready = async (at: number) => (await fetch(`http://127.0.0.1:${at}/readyz`).catch(() => null))?.ok === true;
  await until(async () => (await ready(port)) && (await ready(workerPort)), 60);
  // From here on the real process is asked.
  duka.url = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  collector.closeAllConnections();
  collector.close();
  await receiver.close();
  await duka.stop();
  await topups.stop();
});

const buy = async (api: Api, headers: Record<string, string> = {}) => {
  const wallet = await api.wallet(api === live ? 0 : 100_000);
  if (api === live) await duka.fund(wallet, 1_000_000n);
  const answer = await api.post(
    '/v4/airtime/purchase',
    { phone: PHONE, amount: 54_321, wallet_id: wallet },
    { headers },
  );
  expect([answer.status, answer.body.status]).toEqual([201, 'successful']);
  return decodeId('req', answer.headers.get('request-id')!)!.replaceAll('-', '');
};
const traced = async (trace: string, last: string): Promise<Span[]> => {
  const found = () => spans().filter(({ traceId }) => traceId === trace);
  await until(() => found().some(({ name }) => name === last), 60);
  await until(() => found().some(({ kind, service: by }) => kind === 2 && by === 'duka-api'), 20);
  return found();
};
const valueOf = ({ attributes }: Span, wanted: string): unknown =>
  Object.values(attributes.find(({ key }) => key === wanted)?.value ?? {})[0];

it('a purchase and its webhook are one trace, from the request to the receiver', async () => {
  const trace = await buy(account.api, { traceparent: `00-${CLIENT.trace}-${CLIENT.span}-01` });
  const all = await traced(trace, 'webhook attempt');
  const named = (name: string): Span => {
    const [found] = all.filter((span) => span.name === name);
    if (found === undefined) throw new Error(`no ${name} among ${all.map((span) => span.name).join(', ')}`);
    return found;
  };
  const root = named('POST /v4/airtime/purchase');
  expect([root.service, root.parentSpanId ?? '', valueOf(root, 'http.response.status_code')]).toEqual([
    'duka-api',
    '',
    201,
  ]);
  expect(valueOf(root, 'duka.request_id')).toMatch(/^req_/);
  // Whoever called has a trace of their own: linked to, not followed.
  expect(root.links).toMatchObject([{ traceId: CLIENT.trace, spanId: CLIENT.span }]);
  const steps = ['ledger post', 'provider purchase', 'outbox', 'webhook queue', 'webhook delivery', 'webhook attempt'];
  const byId = new Map(all.map((span) => [span.spanId, span]));
  for (const step of steps.map(named)) {
    let top = step;
    while (top.parentSpanId && top !== root) top = byId.get(top.parentSpanId)!;
    expect([step.name, top.name]).toEqual([step.name, root.name]);
  }
  expect(named('webhook delivery').service).toBe('duka-worker');
  const [told] = receiver.received.filter(({ headers }) => String(headers.traceparent).includes(trace));
  expect(told?.headers.traceparent).toBe(`00-${trace}-${named('webhook attempt').spanId}-01`);
  if (process.env.RECORD_TRACE) writeFileSync(process.env.RECORD_TRACE, JSON.stringify(all));
});

it('a company is sent the trace, and the log names it', async () => {
  const trace = await buy(live);
  const all = await traced(trace, 'topup POST');
  const [exchange] = all.filter(({ name }) => name === 'topup POST');
  const sent = topups.requests.find(({ line }) => line.startsWith('POST'))!;
  expect(sent.headers.traceparent).toBe(`00-${trace}-${exchange!.spanId}-01`);
  await until(() => output.includes(`"trace_id":"${trace}"`), 10);
});

it('no span says a secret, a number, an amount or an address', () => {
  const said = JSON.stringify(bodies);
  expect(spans().length).toBeGreaterThan(20);
  const hidden = [
    account.key,
    liveKey,
    receiver.secret,
    duka.env.SECRETS_KEY,
    'topup-secret-of-ours',
    'header-of-ours',
  ];
  for (const text of [...hidden, '8031234567', '54321', '/events', new URL(duka.env.DATABASE_URL!).password])
    expect(said.includes(text) && text !== '' ? text : '').toBe('');
});
