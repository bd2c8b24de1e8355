import { Client } from 'pg';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CellMove, type SlotMove } from '../src/cli/cell-move';
import { arrangeCells } from '../src/cli/cells';
import { LOCK_SLOTS } from '../src/core/cells/cells';
import { Env } from '../src/core/config/env';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../src/core/database/embedded-postgres';
import { decodeId, slotNumber, slotOf } from '../src/core/http/ids';
import { freePort } from '../src/core/process/ports';
import { runMigrations } from '../src/migrations/migrations';
import { Relay } from '../src/modules/webhooks/relay.service';
import { Api } from './support/api';
import { acquire, type Belongings } from './support/belongings';
import { CELL_SECRET } from './support/other-cell';
import { Duka, type TestAccount } from './support/duka';
import { fence } from './support/fence';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';

const folder = mkdtempSync(join(tmpdir(), 'duka-move-'));
const folders = { a: join(folder, 'a'), b: join(folder, 'b') };
const urls = { a: '', b: '' };
let a: Duka;
let b: Duka;
let env: Env;

const at = (duka: Duka, { key }: TestAccount): Api => new Api(() => duka.url, key);
const walletOf = async (api: Api): Promise<string> => (await api.get('/v4/wallets?limit=1')).body.data[0].id;

/** The slot of an account from a to b. */
function moveOf({ id }: TestAccount, more: Partial<SlotMove> = {}): SlotMove {
  const slot = slotNumber(slotOf(decodeId('acct', id)!));
  return {
    slots: { from: slot, to: slot },
    source: urls.a,
    target: urls.b,
    control: urls.a,
    followed: urls.a,
    ...more,
  };
}

/** What a partner sees of all that the account has. */
async function shown(api: Api, own: Belongings): Promise<unknown[]> {
  const paths = [
    ...[own.wal, own.usd].flatMap((id) => [`/v4/wallets/${id}`, `/v4/wallets/${id}/entries?limit=100`]),
    '/v4/wallets?limit=100',
    '/v4/transactions?limit=100',
    `/v4/wallets/transfers/${own.trf}`,
    `/v4/payments/${own.pay}`,
    `/v4/cards/${own.crd}`,
    `/v4/customers/${own.cus}`,
    '/v4/events?limit=100',
    `/v4/batches/${own.bat}`,
    `/v4/beneficiaries/${own.ben}`,
  ];
  const answers = [];
  for (const path of paths) {
    const { status, body } = await api.get(path);
    answers.push({
      path,
      status,
      body: JSON.parse(
        JSON.stringify(body, (key, value) => (/cursor|request_id|^version$|^updated_at$/.test(key) ? null : value)),
      ),
    });
  }
  return answers;
}

/** Clients of a shop, one for each payee: they send transfers to any cell, each until it is done. More would leave the move no processor. */
class Load {
  static readonly AMOUNT = 7;
  static readonly MONEY = 1_000_000;
  /** Of their debits. */
  readonly done: string[] = [];
  readonly answers: number[] = [];
  private isEnding = false;
  private clients: Promise<void>[] = [];

  private constructor(
    private readonly apis: readonly Api[],
    readonly wallet: string,
    private readonly payees: readonly string[],
  ) {}

  static async on(shop: TestAccount, dukas: readonly Duka[], payees: readonly string[]): Promise<Load> {
    const wallet = await shop.api.wallet();
    await shop.api.credit(wallet, Load.MONEY);
    return new Load(
      dukas.map((duka) => at(duka, shop)),
      wallet,
      payees,
    );
  }

  begin(): void {
    this.clients = this.payees.map((payee, n) => this.client(payee, n));
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.clients);
  }

  private async client(payee: string, n: number): Promise<void> {
    for (let i = n; !this.isEnding; i++) {
      const key = randomUUID();
      for (let tries = i; ; tries++) {
        const api = this.apis[tries % this.apis.length]!;
        const { status, body } = await api.transfer(this.wallet, payee, Load.AMOUNT, { key });
        this.answers.push(status);
        if (status === 201 || status === 202) this.done.push(body.transactions.debit);
        if (status !== 503) break;
      }
    }
  }
}

async function everyRow(api: Api, path: string): Promise<any[]> {
  const rows = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor && `&cursor=${cursor}`;
    const { body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${more}`);
    rows.push(...body.data);
    cursor = body.next_cursor;
  }
  return rows;
}

/** Ids of events behind a cursor. */
async function follow(api: Api, place: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = place; ;) {
    const { body } = await api.get(`/v4/events?order=asc&limit=100&after=${after}`);
    ids.push(...body.data.map(({ id }: any) => id));
    after = body.next_cursor;
    if (body.data.length === 0) return ids;
  }
}

/** Until it is let go, somebody is at what the statements lock. */
async function hold(url: string, statements: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statements);
  return () => client.end();
}

describeWithRedis('a slot that moves', (redisUrl) => {
  beforeAll(async () => {
    chmodSync(folder, 0o711);
    for (const name of ['a', 'b'] as const) {
      // A slot may go either way.
      const { url } = await startEmbeddedPostgres({ dataDir: folders[name], durable: false, isFollowed: true });
      urls[name] = url;
      await runMigrations(Object.assign(new Env(), { DATABASE_URL: url }));
    }
    // Each cell has its own queues.
    const redisUrls = [
      redisUrl,
      Object.assign(new URL(redisUrl), { pathname: Number(new URL(redisUrl).pathname.slice(1)) + 8 }).href,
    ];
    const ports = [await freePort(), await freePort()];
    env = Object.assign(new Env(), { CELL_SECRET, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') });
    await arrangeCells(env, [
      { name: 'a', databaseUrl: urls.a, address: `http://127.0.0.1:${ports[0]}` },
      { name: 'b', databaseUrl: urls.b, address: `http://127.0.0.1:${ports[1]}` },
    ]);
    [a, b] = (await Promise.all(
      (['a', 'b'] as const).map((name, i) =>
        Duka.start(
          { CELL_SECRET, WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true, REDIS_URL: redisUrls[i] },
          {
            database: { url: urls[name], drop: () => stopEmbeddedPostgres(folders[name], 'immediate') },
            port: ports[i],
          },
        ),
      ),
    )) as [Duka, Duka];
  });

  afterAll(async () => {
    await a.stop();
    await b.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has all that it had, loses nothing of what happens meanwhile, and goes on', async () => {
    const shop = await a.account();
    await acquire(a, shop.api);
    let neighbour = await a.account();
    // One of the same slot would move along.
    while (slotOf(decodeId('acct', neighbour.id)!) === slotOf(decodeId('acct', shop.id)!))
      neighbour = await a.account();
    const far = await b.account();
    const receiver = await Receiver.of(a, shop);
    const load = await Load.on(shop, [a, b], [await walletOf(neighbour.api), await walletOf(far.api)]);
    let place = '';
    let had = 0;
    // A follower is told of no trial, and of what an open transaction holds up later than a list.
    const listed = (await everyRow(shop.api, '/v4/events')).filter(({ type }) => type !== 'webhook_endpoint.test');
    await until(async () => {
      const { data, next_cursor } = (await shop.api.get(`/v4/events?order=asc&limit=100${place && `&after=${place}`}`))
        .body;
      place = next_cursor;
      had += data.length;
      return had >= listed.length;
    });
    load.begin();
    await until(() => load.done.length > 20);
    const told: string[] = [];
    const report = await CellMove.run(env, moveOf(shop), (line) => told.push(line));
    expect(report).toMatchObject({ from: 'a', to: 'b', accounts: 1 });
    expect(told.join('\n')).toContain('tables are copied');
    const reached = load.done.length;
    await until(() => load.done.length > reached + 20);
    await load.end();

    // Refused writes were asked again until they were done; nothing else was ever answered.
    expect(load.answers.filter((status) => status !== 201 && status !== 202 && status !== 503)).toEqual([]);
    const processing = () => everyRow(at(b, shop), '/v4/transactions?status=processing&type=transfer_out');
    await until(async () => (await processing()).length === 0, 60);
    for (const duka of [a, b]) {
      const api = at(duka, shop);
      const seen = (await everyRow(api, '/v4/transactions?type=transfer_out')).map(
        ({ counterparty_id: _, ...row }) => row,
      );
      expect(seen.filter(({ id }) => load.done.includes(id))).toHaveLength(load.done.length);
      expect(seen.filter(({ amount }) => amount === Load.AMOUNT)).toHaveLength(load.done.length);
      const { available } = (await api.get(`/v4/wallets/${load.wallet}`)).body.balance;
      expect(available).toBe(Load.MONEY - Load.AMOUNT * load.done.length);
    }
    const left = await a.asOwner(
      `SELECT (SELECT count(*)::int FROM transactions WHERE account_id = $1) AS transactions,
              (SELECT count(*)::int FROM events WHERE account_id = $1) AS events,
              (SELECT count(*)::int FROM accounts WHERE id = $1) AS accounts`,
      [decodeId('acct', shop.id)],
    );
    expect(left).toEqual([{ transactions: 0, events: 0, accounts: 0 }]);

    // A follower goes on where it was, and webhooks do.
    const followed = await follow(at(b, shop), place);
    const events = await everyRow(at(b, shop), '/v4/events');
    expect(new Set(events.slice(0, followed.length).map(({ id }) => id))).toEqual(new Set(followed));
    const arrivedAll = () => followed.every((id) => receiver.received.some(({ body }) => body.id === id));
    await until(arrivedAll, 60);
    await a.expectBooks();
    await b.expectBooks();
    await receiver.close();
  });

  it('is the only one that moves from its cell or to the other', async () => {
    const move = moveOf(await a.account());
    const begun = (way: string) =>
      `INSERT INTO slot_moves (id, way, slots, other_cell) VALUES ('${randomUUID()}', '${way}', '[1,2)', 'c')`;
    for (const [duka, way] of [
      [a, 'in'],
      [b, 'in'],
      [b, 'out'],
    ] as const) {
      await duka.asOwner(begun(way));
      await expect(CellMove.run(env, move)).rejects.toThrow(/^Another move of slots of [ab] has not ended/);
      await duka.asOwner(`UPDATE slot_moves SET ended_at = now() WHERE other_cell = 'c'`);
    }
    for (const name of ['a', 'b'] as const) {
      const end = await hold(urls[name], `SELECT pg_advisory_lock(hashtextextended('duka move', 0))`);
      await expect(CellMove.run(env, move)).rejects.toThrow(`A move of slots of ${name} is under way.`);
      await end();
    }
    expect(await b.asOwner('SELECT 1 FROM slot_moves WHERE ended_at IS NULL')).toEqual([]);
  });

  it('has its webhooks told of what the relay read while it stood still, if it stays', async () => {
    const shop = await a.account();
    const receiver = await Receiver.of(a, shop, { events: ['wallet.credited'] });
    const wallet = await walletOf(shop.api);
    const release = await hold(urls.a, `SELECT pg_advisory_lock(hashtext('webhooks.relay'))`);
    await shop.api.credit(wallet, 500);
    const lift = await fence(urls.a, shop);
    await release();
    const isRead = `SELECT NOT EXISTS (SELECT 1 FROM events e, relay_position r WHERE e.xact >= r.xact) AS read`;
    await until(async () => (await a.asOwner(isRead))[0]!.read as boolean);
    expect(await receiver.deliveries()).toEqual([]);
    // It is undone, and so is the one that follows.
    const stopped = CellMove.run(env, moveOf(shop), () => {
      throw new Error('stopped on purpose');
    });
    await expect(stopped).rejects.toThrow('stopped on purpose');
    await until(() => receiver.of('wallet.credited').length > 0);
    expect(await receiver.deliveries()).toHaveLength(1);
    await lift();
    await receiver.close();
  });

  it('has its webhooks told of what was not read before it went', async () => {
    // The numbers there are above those here, and its relay has read on.
    const [reached] = await a.asOwner('SELECT event_number() AS number');
    await b.asOwner('SELECT renew_event_epoch($1)', [reached!.number]);
    const relayed = async () => (await b.asOwner('SELECT xact > first AS behind FROM relay_position'))[0]!.behind;
    await until(relayed as () => Promise<boolean>);
    const reading = jest.spyOn(a.get<Relay>(Relay), 'relayNow').mockResolvedValue();
    const shop = await a.account();
    const receiver = await Receiver.of(a, shop, { events: ['wallet.credited'] });
    await shop.api.credit(await walletOf(shop.api), 500);
    await CellMove.run(env, moveOf(shop));
    reading.mockRestore();
    const deliveries = () =>
      b.asOwner('SELECT is_replay FROM webhook_deliveries WHERE endpoint_id = $1', [receiver.id]);
    await until(() => receiver.of('wallet.credited').length > 0);
    expect(await deliveries()).toEqual([{ is_replay: false }]);
    expect(receiver.of('wallet.credited')).toHaveLength(1);
    await receiver.close();
  });

  it('shows what it showed', async () => {
    const shop = await a.account();
    const own = await acquire(a, shop.api);
    // One that had only just begun, and was not known to the other cell yet: it is undone first.
    const { from } = moveOf(shop).slots;
    await a.asOwner(
      `INSERT INTO slot_moves (id, way, slots, other_cell) VALUES ($1, 'out', int4range($2, $2, '[]'), 'b')`,
      [randomUUID(), from],
    );
    const before = await shown(shop.api, own);
    // Nothing has moved when it fails: what was copied was changed on the other side.
    const tampered = CellMove.run(env, moveOf(shop), async (line) => {
      if (/^(\d+) of \1 /.test(line))
        await b.asOwner(`UPDATE accounts SET name = 'other' WHERE id = $1`, [decodeId('acct', shop.id)]);
    });
    await expect(tampered).rejects.toThrow('The copy differs in accounts');
    expect(await a.asOwner('SELECT 1 FROM slot_moves WHERE ended_at IS NULL')).toEqual([]);
    expect(await shown(shop.api, own)).toEqual(before);
    expect((await shop.api.post('/v4/wallets', { currency: 'NGN' })).status).toBe(201);
    await a.expectBooks();
    await b.expectBooks();
    // Interrupted when the other cell was about to take over: somebody writes an event there for long.
    const first = async () => BigInt((await b.asOwner('SELECT first FROM relay_position'))[0]!.first as string);
    const numbered = await first();
    let end = async () => {};
    const beside = CellMove.run(env, moveOf(shop), async (line) => {
      if (/^(\d+) of \1 /.test(line)) end = await hold(urls.b, 'BEGIN; LOCK TABLE events IN ROW EXCLUSIVE MODE');
    });
    await expect(beside).rejects.toThrow(/lock timeout/);
    expect((await shop.api.post('/v4/wallets', { currency: 'NGN' })).status).toBe(503);
    await end();
    // And again when it had its books open: the next call ends it.
    const release = await hold(urls.a, `SELECT pg_advisory_lock(${LOCK_SLOTS})`);
    await expect(CellMove.run(env, moveOf(shop))).rejects.toThrow(/lock timeout/);
    expect(await first()).toBeGreaterThan(numbered);
    await release();
    await CellMove.run(env, moveOf(shop));
    expect(await shown(at(a, shop), own)).toEqual(await shown(at(b, shop), own));
    expect((await at(a, shop).post('/v4/wallets', { currency: 'NGN' })).status).toBe(201);
    await a.expectBooks();
    await b.expectBooks();
    await expect(CellMove.run(env, moveOf(shop))).rejects.toThrow('does not keep all of these slots');
  });
});
