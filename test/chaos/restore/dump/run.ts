import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Lifetime, runProcess } from '../../../../src/core/process/lifetime';
import { encodeId, timeOf } from '../../../../src/core/http/ids';
import { conclude, figure } from '../../command-line';
import { Load, openWallets } from '../../load';
import { Service } from '../../service';
import { GuardedServer } from '../server';

const SETTINGS = { DATABASE_POOL_SIZE: '20', WORKER_IN_API: 'true', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
const LOOK_MS = 200;
const GIVE_UP_MS = 120_000;
const TYPE = 'transfer.successful';
/** Of dump and restore together, however much there is. */
const DUMP_AND_RESTORE_MAX_MS = 15 * 60_000;
const ROWS = 'SELECT coalesce(sum(n_tup_ins), 0)::bigint AS count FROM pg_stat_user_tables';

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

// `npm run test:restore:dump`: pg_dump of a busy database, pg_restore on a fresh server, and every event is delivered. HISTORY_ROWS: so
// many rows are there before anybody listens.
runProcess(async (lifetime) => {
  const [transfers, historyRows] = [figure('TRANSFERS', 2_000), figure('HISTORY_ROWS', 1)];
  const received = { first: new Map<string, number>(), second: new Map<string, number>() };
  let now = received.first;
  const receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    now.set(id, (now.get(id) ?? 0) + 1);
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await lifetime.own(Promise.resolve(), async () => void receiver.close());

  const first = await openServer(lifetime);
  const service = await Service.start(lifetime, SETTINGS, first.url);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { key } = service;
  const wallets = await openWallets(service, 50, 10_000_000_000);
  await live(service, wallets, await connect(lifetime, first.url), historyRows);
  const since = new Date();
  await ask(service, key, '/v4/webhooks', { url, events: [TYPE] });
  const load = new Load(service, wallets);
  load.start();
  const answered = async (count: number): Promise<void> => {
    while (load.accepted.size < count) await sleep(LOOK_MS);
  };
  await answered(transfers / 2);
  const { cursor } = await follow(service, key, since);
  await answered(transfers);
  const dumpMs = await timed(() => first.dump());
  await answered(load.accepted.size + transfers / 2);
  await load.finish();
  await service.end('SIGKILL');
  await first.end();

  const second = await openServer(lifetime);
  const restoreMs = await timed(() => second.load(first.dumped));
  const client = await connect(lifetime, second.url);
  const restoredRows = await rowsOf(client);
  const idsOf = async (condition: string): Promise<string[]> => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT e.id FROM events e WHERE e.type = $1 AND ${condition}`,
      [TYPE],
    );
    return rows.filter(({ id }) => timeOf(id) >= since).map(({ id }) => encodeId('evt', id));
  };
  const deliveries = 'webhook_deliveries d WHERE d.account_id = e.account_id AND d.event_id = e.id';
  const all = await idsOf('true');
  const owed = await idsOf(`NOT EXISTS (SELECT 1 FROM ${deliveries})`);
  const done = await idsOf(`EXISTS (SELECT 1 FROM ${deliveries} AND d.status = 'delivered')`);
  now = received.second;
  const restored = await Service.start(lifetime, SETTINGS, second.url);
  const missing = (): string[] => all.filter((id) => !received.first.has(id) && !received.second.has(id));
  const unsent = (): string[] => owed.filter((id) => !received.second.has(id));
  for (const until = performance.now() + GIVE_UP_MS; performance.now() < until; await sleep(LOOK_MS))
    if (missing().length === 0 && unsent().length === 0) break;
  const { seen } = await follow(restored, key, since, cursor);
  const before = (await follow(restored, key, since)).seen.length - seen.length;
  const twice = await idsOf('e.id IN (SELECT event_id FROM webhook_deliveries GROUP BY event_id HAVING count(*) > 1)');
  let books = '';
  const verifyMs = await timed(async () => void (books = await restored.duka('verify:ledger')));

  const facts = {
    'rows in the dump': restoredRows,
    'seconds to dump, beside the load': Math.round(dumpMs / 1_000),
    'seconds to restore': Math.round(restoreMs / 1_000),
    'seconds to verify the books': Math.round(verifyMs / 1_000),
    'events in the dump that the endpoint was to hear of': all.length,
    'of these without a delivery in it': owed.length,
    'delivered by the first server, and again by the second': all.filter(
      (id) => received.first.has(id) && received.second.has(id),
    ).length,
    'read behind the cursor': seen.length,
  };
  for (const [name, value] of Object.entries(facts)) console.log(name.padEnd(60) + String(value).padStart(10));
  const wrong = Object.entries({
    'never delivered': missing().length + unsent().length,
    'delivered in the dump, and sent again': done.filter((id) => received.second.has(id)).length,
    'with two deliveries': twice.length,
    'not read behind the cursor, or twice': all.length - before - new Set(seen).size,
    'no event was owed: nothing was proved': Number(owed.length === 0),
    'books that do not balance': Number(!books.includes('The books are in order')),
    'fewer rows than were asked for': Number(restoredRows < historyRows),
    'dump and restore together took longer than 15 minutes': Number(dumpMs + restoreMs > DUMP_AND_RESTORE_MAX_MS),
  }).filter(([, count]) => count !== 0);
  await conclude(
    lifetime,
    wrong.map(([what, count]) => `${count} × ${what}`),
    'Every event of the dump was delivered.',
  );
});

async function openServer(lifetime: Lifetime): Promise<GuardedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'duka-dump-'));
  chmodSync(folder, 0o755);
  await lifetime.own(Promise.resolve(), async () => rmSync(folder, { recursive: true, force: true }));
  return lifetime.own(GuardedServer.start(folder), (started) => started.end());
}

async function connect(lifetime: Lifetime, connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  // The first server ends before its clients do.
  client.on('error', () => undefined);
  await client.connect();
  await lifetime.own(Promise.resolve(), () => client.end());
  return client;
}

const rowsOf = async (client: Client): Promise<number> =>
  Number((await client.query<{ count: string }>(ROWS)).rows[0]!.count);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** Transfers until there are so many rows. */
async function live(service: Service, wallets: readonly string[], client: Client, rows: number): Promise<void> {
  const load = new Load(service, wallets);
  load.start();
  while ((await rowsOf(client)) < rows) await sleep(LOOK_MS);
  await load.finish();
}

async function ask<T>({ url }: Service, key: string, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': path },
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** To the end of what there is, behind a cursor. */
async function follow(
  service: Service,
  key: string,
  since: Date,
  after?: string,
): Promise<{ seen: string[]; cursor: string }> {
  const seen: string[] = [];
  for (let cursor = after; ;) {
    const query = new URLSearchParams({ order: 'asc', limit: '100', type: TYPE, created_gte: since.toISOString() });
    if (cursor !== undefined) query.set('after', cursor);
    const page = await ask<Page>(service, key, `/v4/events?${query.toString()}`);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    if (!page.has_more) return { seen, cursor };
  }
}
