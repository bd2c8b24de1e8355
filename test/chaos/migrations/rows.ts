import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const ACCOUNTS = 200;
const PLATFORM = '00000000-0000-0000-0000-000000000000';
const SESSIONS = 3;

/** Rows of a table: one for each `every`th transaction, from its number `i`, its time `t`, its id `id` and a digest `h`. */
interface Rows {
  readonly every: number;
  readonly columns: string;
  readonly values: string;
  /** More rows than one each. */
  readonly join?: string;
  /** Only of the last months. */
  readonly months?: number;
}

/** Of wallet, customer or card `n`. */
const named = (kind: string, n: string): string => `md5('${kind}' || ${n})::uuid`;
const account = (n: string): string => named('account', `(${n}) % ${ACCOUNTS}`);

/** In the schema of 0019, and in every later one. Each transaction has two entries, a claim and an event. */
const tables = (wallets: number): Record<string, Rows> => {
  const w = `(i * 7919 % ${wallets})`;
  const owner = account(w);
  const wallet = named('wallet', w);
  const holder = `(i / 20 % ${wallets / 5})`;
  const ofHolder = account(holder);
  const card = named('card', holder);
  return {
    transactions: {
      every: 1,
      columns: `account_id, livemode, id, wallet_id, type, direction, status, amount, fee, currency, source_id,
        counterparty_id, balance_before, balance_after, reference, recipient, reverses, metadata, updated_at,
        completed_at`,
      values: `${owner}, true, id, ${wallet}, CASE WHEN i % 10 < 6 THEN 'transfer_out' WHEN i % 10 = 6 THEN 'payment'
          ELSE 'airtime_purchase' END, 'debit', CASE WHEN i % 50 = 0 THEN 'failed' ELSE 'successful' END, 1000 + i % 9000,
        0, 'NGN', id, NULL, 100000, 90000, CASE WHEN i % 5 < 2 THEN 'order-' || i END,
        CASE WHEN i % 10 > 6 THEN '+23480' || i % 100000000 END, CASE WHEN i % 10000 = 1 THEN load.id_of(i - 1) END,
        CASE WHEN i % 5 = 0 THEN jsonb_build_object('order', i) ELSE '{}' END, t, t`,
    },
    transfers: {
      every: 4,
      columns: `account_id, livemode, id, from_wallet_id, to_wallet_id, to_account_id, debit_transaction_id,
        credit_transaction_id, amount, fee, currency, metadata`,
      values: `${owner}, true, id, ${wallet}, ${wallet}, ${owner}, id, id, 1000, 0, 'NGN', '{}'`,
    },
    claims: {
      every: 1,
      columns: 'account_id, livemode, kind, value, fingerprint, resource, resource_id, created_at',
      values: `${owner}, true, 'key', h, decode(h, 'hex'), 'txn', id, t`,
    },
    ledger_entries: {
      every: 1,
      columns: `account_id, ledger_account_id, created_at, seq, batch_id, posting_id, transaction_id, amount,
        available_after, held_after, bucket`,
      values: `side.account_id, side.ledger_account_id, t, i, id, id, id, side.amount, 90000, 0, 'available'`,
      join: `LATERAL (VALUES (${owner}, ${wallet}, -1000), ('${PLATFORM}', ${named('platform', 'i % 16')}, 1000))
        AS side (account_id, ledger_account_id, amount)`,
    },
    events: {
      every: 1,
      columns: 'account_id, livemode, id, type, object_type, object_id, snapshot, idempotency_key',
      values: `${owner}, true, id, 'transaction.successful', CASE WHEN i % 10000 = 0 THEN 'whk' ELSE 'txn' END, id,
        CASE WHEN i % 10 = 0 THEN '{"status": "successful", "amount": 1000}' END::json, h`,
    },
    ledger_batches: {
      every: 5,
      columns: 'id, digest, position, chain',
      values: `id, decode(h, 'hex'), i, decode(h, 'hex')`,
    },
    purchases: {
      every: 5,
      columns: `account_id, livemode, id, product, network, wallet_id, total, item, route, options, queued, attempts,
        checks, not_known, review`,
      values: `${owner}, true, id, 'airtime', 'ng/mtn', ${wallet}, 1000, '{"phone": "+2348012345678"}', 'airtime', '[]',
        false, 1, 0, 0, CASE WHEN i % 100000 = 0 THEN 'unknown' END`,
    },
    purchase_attempts: {
      every: 5,
      columns: `account_id, livemode, id, purchase_id, number, provider, started_at, ended_at, outcome,
        provider_reference`,
      values: `${owner}, true, id, id, 1, 'sandbox', t, t, 'delivered', h`,
    },
    purchase_checks: {
      every: 20,
      columns: 'account_id, livemode, id, purchase_id, provider, outcome',
      values: `${owner}, true, id, id, 'sandbox', 'delivered'`,
    },
    hook_jobs: {
      every: 10,
      columns: `account_id, livemode, event_id, handler, event_type, operation, object_type, object_id, causes, status,
        attempts, due_at`,
      values: `${owner}, true, id, 'loyalty', 'transaction.successful', 'observe', 'txn', id, '[]', 'done', 1, NULL`,
    },
    webhook_deliveries: {
      every: 4,
      columns: `account_id, livemode, id, endpoint_id, event_id, event_type, status, attempts, completed_at`,
      values: `${owner}, true, id, ${named('endpoint', w)}, id, 'transaction.successful', 'delivered', 1, t`,
    },
    webhook_attempts: {
      every: 4,
      columns: 'account_id, livemode, id, delivery_id, number, url, code, http_status, duration_ms',
      values: `${owner}, true, id, id, 1, 'https://shop.example/hooks', 'ok', 200, 120`,
    },
    payments: {
      every: 10,
      columns: `account_id, livemode, id, status, amount, fee, currency, wallet_id, gateways, options, metadata,
        breakdown, amount_received, transaction_id, expires_at, checks, version, updated_at`,
      // Those that the load makes have not arrived: what is told of them changes with the schema.
      values: `${owner}, true, id, CASE WHEN load.is_new(i) THEN 'pending' WHEN i % 10000 = 0 THEN 'reversed'
          ELSE 'successful' END, 5000, 100, 'NGN', ${wallet}, 'card', '[]', CASE WHEN i % 50 = 0 THEN
          jsonb_build_object('order', i) ELSE '{}' END, '{}', CASE WHEN NOT load.is_new(i) THEN 5000 END,
        CASE WHEN NOT load.is_new(i) THEN id END, t, 1, 1, t`,
    },
    payment_checks: {
      every: 10,
      columns: 'account_id, livemode, id, payment_id, gateway, call, outcome',
      values: `${owner}, true, id, id, 'sandbox_card', 'query', 'paid'`,
    },
    payment_callbacks: {
      every: 10,
      columns: 'account_id, livemode, id, payment_id, gateway, says',
      values: `${owner}, true, id, id, 'sandbox_card', 'paid'`,
    },
    card_transactions: {
      every: 20,
      columns:
        'account_id, livemode, id, card_id, type, status, amount, cleared, currency, merchant, made_at, updated_at',
      values: `${ofHolder}, true, id, ${card}, 'authorization', 'settled', 500, 500, 'USD',
        '{"name": "Shop", "mcc": "5411"}', t, t`,
    },
    card_clearings: {
      every: 20,
      columns: 'account_id, livemode, id, card_id, card_transaction_id, kind, amount',
      values: `${ofHolder}, true, id, ${card}, id, 'clearing', 500`,
    },
    issuer_calls: {
      every: 50,
      columns: 'account_id, livemode, id, card_id, issuer, call, outcome',
      values: `${ofHolder}, true, id, ${card}, 'sandbox', 'update', 'done'`,
    },
    card_transitions: {
      every: 100,
      columns: 'account_id, livemode, id, card_id, from_status, to_status, actor',
      values: `${ofHolder}, true, id, ${card}, 'active', 'frozen', 'account'`,
    },
    bill_validations: {
      every: 50,
      columns: `account_id, livemode, id, biller_code, customer, min_amount, max_amount, currency, provider, expires_at`,
      values: `${owner}, true, id, 'ikeja-electric', h, 100, 100000, 'NGN', 'sandbox', t`,
    },
    audit_log: {
      every: 50,
      columns: 'account_id, id, user_id, actor, action, detail',
      values: `${owner}, id, ${named('user', `(${w} % 2000)`)}, 'person',
        CASE WHEN i % 10000 = 0 THEN 'team.joined' ELSE 'key.created' END, '{}'`,
    },
    request_log: {
      every: 1,
      columns: 'account_id, livemode, id, method, path, route, status, duration_ms, replayed, ip',
      values: `${owner}, true, id, 'POST', '/v4/wallets/transfer', '/v4/wallets/transfer', 201, 12, false, '192.0.2.1'`,
      months: 2,
    },
    sessions: {
      every: 100,
      columns: 'account_id, id, user_id, token_hash, ip, created_at, last_seen_at, ended_at',
      values: `${owner}, id, ${named('user', `(${w} % 2000)`)}, decode(h || h, 'hex'), '192.0.2.1', t, t,
        CASE WHEN i % 1000 > 0 THEN t END`,
    },
    purchase_resolutions: {
      every: 10_000,
      columns: 'account_id, livemode, purchase_id, person, outcome, note',
      values: `${owner}, true, id, 'Ada', 'delivered', 'seen'`,
    },
  };
};

/** What there is one of for each wallet, customer and so on. `n` counts them. */
const things = (wallets: number, isLatest: boolean): readonly (readonly [count: number, statement: string])[] => [
  [ACCOUNTS, `INSERT INTO accounts (id, name) SELECT ${account('n')}, 'Shop ' || n`],
  [
    wallets,
    `INSERT INTO wallets (account_id, livemode, id, currency) SELECT ${account('n')}, true, ${named('wallet', 'n')},
      'NGN'`,
  ],
  [
    wallets,
    `INSERT INTO ledger_accounts (account_id, id, name, currency, livemode, status, available)
     SELECT ${account('n')}, ${named('wallet', 'n')}, 'wallet', 'NGN', true,
            ${isLatest ? `'active'` : `CASE WHEN n % 1000 = 0 THEN 'frozen' ELSE 'active' END`}, 1000000`,
  ],
  [
    16,
    `INSERT INTO ledger_accounts (account_id, id, name, currency, livemode)
     SELECT '${PLATFORM}'::uuid, ${named('platform', 'n')}, 'clearing:' || n, 'NGN', true`,
  ],
  [
    wallets / 5,
    `INSERT INTO customers (account_id, livemode, id, first_name, last_name, email, phone, date_of_birth, address,
       identity_type, identity_number, identity_masked, updated_at)
     SELECT ${account('n')}, true, ${named('customer', 'n')}, 'Ada', 'Obi', 'ada@example.com', '+2348012345678',
            '1990-01-01', '{}', 'passport', 'x', '***', now()`,
  ],
  [
    wallets / 5,
    `INSERT INTO cards (account_id, livemode, id, customer_id, wallet_id, transaction_id, brand, currency, status,
       issuer, issuer_options, name_on_card, billing_address, spending_controls, metadata, updated_at)
     SELECT ${account('n')}, true, ${named('card', 'n')}, ${named('customer', 'n')}, ${named('wallet', 'n')},
            ${named('card', 'n')}, 'visa', 'USD', 'pending', 'sandbox', '{}', 'ADA OBI', '{}', '{}',
            CASE WHEN n % 5 = 0 THEN jsonb_build_object('staff', n) ELSE '{}' END, now()`,
  ],
  [
    2_000,
    `INSERT INTO users (id, email, name, password_hash)
     SELECT ${named('user', 'n')}, n || '@example.com', 'Ada', 'x'`,
  ],
  [
    2_000,
    `INSERT INTO team_members (account_id, id, user_id, email, name, role)
     SELECT ${account('n')}, ${named('member', 'n')}, ${named('user', 'n')}, n || '@example.com', 'Ada', 'admin'`,
  ],
  [
    1_000,
    `INSERT INTO api_keys (account_id, id, livemode, name, last4, hash)
     SELECT ${account('n')}, ${named('key', 'n')}, true, 'key', 'abcd', sha256(n::text::bytea)`,
  ],
  [
    ACCOUNTS,
    `INSERT INTO webhook_endpoints (account_id, livemode, id, url, events, secret)
     SELECT ${account('n')}, true, ${named('endpoint', 'n')}, 'https://shop.example/hooks', '{*}', 'x'`,
  ],
];

const OTHERWISE_SINCE: ReadonlySet<string> = new Set(['payments', 'purchase_resolutions']);

/** A business of years: its rows, and statements that work on them whatever the schema. */
export class Business {
  private readonly tables: Record<string, Rows>;
  readonly wallets: number;
  /** Number of the next transaction. */
  private next: number;

  constructor(
    private readonly url: string,
    private readonly rows: number,
    private readonly months: number,
    /** Whether the schema is the latest, which has frozen accounts and some tables otherwise; else it is that of 0019. */
    private readonly isLatest = false,
  ) {
    this.wallets = Math.max(1_000, rows / 100);
    const all = Object.entries(tables(this.wallets));
    this.tables = Object.fromEntries(all.filter(([name]) => !(isLatest && OTHERWISE_SINCE.has(name))));
    this.next = rows;
  }

  get tableNames(): string[] {
    return Object.keys(this.tables);
  }

  /** Spread over the months up to now, in several sessions. Tells how many rows there are. */
  async fill(): Promise<number> {
    const kept = await this.prepare();
    const work = things(this.wallets, this.isLatest).map(
      ([count, statement]) => `${statement} FROM generate_series(0, ${count - 1}) n`,
    );
    const perMonth = Math.ceil(this.rows / this.months);
    for (let month = 0; month < this.months; month++) {
      for (const [table, { every, months = this.months }] of Object.entries(this.tables)) {
        if (month <= this.months - Math.min(months + 1, kept.get(table) ?? Infinity)) continue;
        const [from, to] = [month * perMonth, Math.min((month + 1) * perMonth, this.rows)];
        const numbers = `generate_series(${Math.ceil(from / every)}, ${Math.ceil(to / every) - 1})`;
        work.push(this.insert(table, `${numbers} n, LATERAL (SELECT n::bigint * ${every} AS i) number`));
      }
    }
    const counts = await Promise.all(Array.from({ length: SESSIONS }, () => this.carryOut(work)));
    await this.carryOut(['ANALYZE']);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** As a transfer does it: both balances locked, entries, claim, event, and the transaction, at once. */
  async transfer(client: Client): Promise<void> {
    const [one, other] = [this.next++, this.next++].map((i) => (i * 7919) % this.wallets);
    const ids = `${named('wallet', `${one}`)}, ${named('wallet', `${other}`)}`;
    const number = this.oneMore();
    await client.query('BEGIN');
    await client.query(`SELECT available FROM ledger_accounts WHERE id IN (${ids}) ORDER BY id FOR UPDATE`);
    await client.query(`UPDATE ledger_accounts SET seq = seq + 1, updated_at = now() WHERE id IN (${ids})`);
    for (const table of ['transactions', 'ledger_entries', 'claims', 'events', 'transfers'])
      await client.query(this.insert(table, number));
    await client.query('COMMIT');
  }

  /** A row more in a table. */
  async add(client: Client, table: string): Promise<void> {
    // What people decided moves to another table.
    if (table !== 'purchase_resolutions') await client.query(this.insert(table, this.oneMore()));
  }

  private oneMore(): string {
    return `(VALUES (${this.next++}::bigint)) number (i)`;
  }

  private insert(table: string, numbers: string): string {
    const { columns, values, join } = this.tables[table]!;
    return `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${numbers},
      LATERAL (SELECT load.time_of(i) AS t, load.id_of(i) AS id, md5(i::text) AS h) made ${join ? `, ${join}` : ''}`;
  }

  /** Times and ids of transactions, and the months that are over. Tells how many of them are kept. */
  private async prepare(): Promise<Map<string, number>> {
    const client = await this.connect();
    await client.query(`
      CREATE SCHEMA load;
      CREATE FUNCTION load.is_new(i bigint) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN i >= ${this.rows};
      CREATE FUNCTION load.time_of(i bigint) RETURNS timestamptz LANGUAGE sql STABLE
      RETURN CASE WHEN i >= ${this.rows} THEN now() ELSE
        date_trunc('month', now()) - interval '${this.months - 1} months'
          + (now() - date_trunc('month', now()) + interval '${this.months - 1} months') * (i / ${this.rows}.0) END;
      CREATE FUNCTION load.id_of(i bigint) RETURNS uuid LANGUAGE sql STABLE
      RETURN (lpad(to_hex((extract(epoch FROM load.time_of(i)) * 1000)::bigint), 12, '0') || '7' || left(md5(i::text), 3)
        || '8' || substr(md5(i::text), 5, 15))::uuid;
      DO $$
      DECLARE parent partitioned_tables; lower timestamptz; upper timestamptz;
      BEGIN
        FOR parent IN SELECT * FROM partitioned_tables LOOP
          FOR month IN 1 .. least(${this.months}, coalesce(parent.keep_months, ${this.months})) - 1 LOOP
            lower := date_trunc('month', now()) - make_interval(months => month);
            upper := lower + interval '1 month';
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
              parent.name || to_char(lower, '_YYYY_MM'), parent.name,
              CASE parent.key_type WHEN 'uuid' THEN uuid_v7_floor(lower)::text ELSE lower::text END,
              CASE parent.key_type WHEN 'uuid' THEN uuid_v7_floor(upper)::text ELSE upper::text END);
          END LOOP;
        END LOOP;
      END $$`);
    const { rows } = await client.query<{ name: string; months: number }>(
      'SELECT name, keep_months AS months FROM partitioned_tables WHERE keep_months IS NOT NULL',
    );
    await client.end();
    return new Map(rows.map(({ name, months }) => [name, months]));
  }

  private async carryOut(work: string[]): Promise<number> {
    const client = await this.connect();
    await client.query(`SET synchronous_commit = off; SET work_mem = '64MB'`);
    let count = 0;
    for (let statement = work.shift(); statement; statement = work.shift())
      count += (await client.query(statement)).rowCount ?? 0;
    await client.end();
    return count;
  }

  async connect(name = 'load'): Promise<Client> {
    const client = new Client({ connectionString: this.url, application_name: name });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

const CLIENTS = 8;
const PROBE_MS = 50;

/** How long those wait whom a migration stops. */
const WAITS = `
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - w.waitstart)), 0)::float8 AS seconds
    FROM pg_locks w JOIN pg_stat_activity a USING (pid)
   WHERE NOT w.granted AND a.application_name = 'load'
     AND EXISTS (SELECT FROM pg_stat_activity m WHERE m.application_name = 'duka' AND m.pid = ANY (pg_blocking_pids(w.pid)))`;

/** The relay of a worker, as far as migrations see it: it has read what is decided. */
const RELAY = `
  DO $$
  DECLARE added bigint := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('webhooks.relay'));
    IF to_regproc('event_number') IS NOT NULL THEN
      EXECUTE 'SELECT event_number() - pg_current_xact_id()::text::bigint' INTO added;
    END IF;
    UPDATE relay_position SET xact = added + pg_snapshot_xmin(pg_current_snapshot())::text::bigint, at = now()
     WHERE name = 'webhooks';
  END $$`;

/** Clients that work at a pace beside a relay, and what they have waited for. */
export class Work {
  private isEnding = false;
  private running: Promise<unknown>[] = [];
  done = 0;
  slowestMs = 0;
  stoppedMs = 0;
  readonly faults = new Map<string, number>();

  constructor(private readonly business: Business) {}

  /** Transfers and other rows in a second; as many as there can be without `perSecond`. */
  async start(perSecond = Infinity): Promise<void> {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => this.business.connect()));
    const [probe, relay] = await Promise.all([this.business.connect(), this.business.connect('relay')]);
    this.running = [
      ...clients.map((client, at) => this.work(client, at, perSecond)),
      this.watch(probe),
      this.relay(relay),
    ];
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.running);
  }

  forget(): void {
    this.slowestMs = 0;
    this.stoppedMs = 0;
  }

  private async work(client: Client, at: number, perSecond: number): Promise<void> {
    const pauseMs = (1_000 * CLIENTS) / perSecond;
    const others = this.business.tableNames;
    let due = performance.now() + Math.random() * pauseMs;
    for (let turn = at; !this.isEnding; turn++) {
      await sleep(Math.max(0, due - performance.now()));
      const from = performance.now();
      try {
        await this.business.transfer(client);
        await this.business.add(client, others[turn % others.length]!);
        this.done++;
      } catch (error) {
        await client.query('ROLLBACK');
        this.note(error as Error);
      }
      this.slowestMs = Math.max(this.slowestMs, performance.now() - from);
      due = Math.max(due + pauseMs, performance.now());
    }
    await client.end();
  }

  private note({ message }: Error): void {
    this.faults.set(message, (this.faults.get(message) ?? 0) + 1);
  }

  private async relay(client: Client): Promise<void> {
    for (; !this.isEnding; await sleep(PROBE_MS)) await client.query(RELAY).catch((error: Error) => this.note(error));
    await client.end();
  }

  private async watch(client: Client): Promise<void> {
    for (; !this.isEnding; await sleep(PROBE_MS)) {
      const { rows } = await client.query<{ seconds: number }>(WAITS);
      this.stoppedMs = Math.max(this.stoppedMs, rows[0]!.seconds * 1_000);
    }
    await client.end();
  }
}
