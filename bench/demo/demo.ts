import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client } from 'pg';
import { AppModule } from '../../src/app.module';
import type { Env } from '../../src/core/config/env';
import { CannotStart } from '../../src/core/errors/cannot-start';
import { createHttpApp } from '../../src/core/http/configure-http';
import { encodeId } from '../../src/core/http/ids';
import { Endings } from '../../src/core/resources/endings';
import { ApiKeysService } from '../../src/modules/accounts/api-keys.service';
import { ROLES } from '../../src/modules/dashboard-api/roles';
import { TeamService } from '../../src/modules/dashboard-api/team.service';
import { SealService } from '../../src/modules/ledger/seal.service';
import { WalletChangesService } from '../../src/modules/wallets/wallet-changes.service';
import { DemoApi } from './demo-api';
import { Draw } from './demo-draw';
import { type DemoShop, doubtfulPayment, doubtfulPurchase } from './demo-sales';
import { DemoMonth } from './demo-month';
import { furnish } from './demo-shop';
import { MovedTime } from './moved-time';

export interface DemoOptions {
  /** About so many: a deed makes one or two. */
  readonly transactions: number;
  readonly wallets: number;
  /** Half payments, half purchases. */
  readonly reviews: number;
  readonly password: string;
  readonly says: (line: string) => void;
}

export interface Demo {
  readonly accountId: string;
  readonly emails: readonly string[];
  /** Of the account's first test key. */
  readonly key: string;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
const RELAY_MS = 1_500;
const SEED = 20_261_125;
const KEYS = ['Till Lagos', 'Till Abuja', 'Back office', 'Night batch'];
const NAMES = { owner: 'Ada Obi', admin: 'Bola Ade', developer: 'Chidi Eze', finance: 'Dayo Musa', support: 'Efe Ojo' };

/** The month of an account's life, made by the service itself at another time of day. Throws `CannotStart`. */
export async function seedDemo(env: Env, options: DemoOptions): Promise<Demo> {
  await requireNoLiveAccount(env.DATABASE_URL!);
  await makePastPartitions(env.DATABASE_URL!);
  const time = new MovedTime(Date.now() - DAYS * DAY_MS);
  try {
    return await atWork(settings(env, false), async (app) => {
      const { id: accountId } = await app.get(WalletChangesService).openAccount('Demo Stores Nigeria');
      const keys = await Promise.all(KEYS.map((name) => makeKey(app, accountId, name)));
      const api = new DemoApi(await app.getUrl(), keys);
      const shop = await furnish(api, new Draw(SEED), options);
      await new DemoMonth(shop, time, options).live();
      time.end();
      await doubtful(shop, options.reviews);
      await app.get(SealService).seal();
      await api.close();
      const emails = await invite(app, accountId, options.password);
      return { accountId: encodeId('acct', accountId), emails, key: keys[0]! };
    });
  } finally {
    time.end();
  }
}

/** Endpoints that answer, that fail and that nobody is behind, with what was sent to them. */
export async function seedDeliveries(env: Env, { key }: Demo, count: number): Promise<void> {
  let calls = 0;
  const receiver = createServer((_request, answer) => {
    calls++;
    answer.statusCode = calls % 7 === 0 ? 500 : 200;
    answer.end(calls % 7 === 0 ? 'out of order' : 'thanks');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  // The planner knows nothing yet of tables that were filled a moment ago.
  await asOwner(env.DATABASE_URL!, 'ANALYZE');
  await atWork(settings(env, true), async (app) => {
    // Events that no endpoint asked for are passed over in one go, as long as there is no endpoint.
    await sleep(RELAY_MS);
    const api = new DemoApi(await app.getUrl(), [key]);
    const at = (url: string, events: readonly string[]) => api.post('/v4/webhooks', { url, events });
    await at(`http://127.0.0.1:${port}/hooks`, ['*']);
    await at(`http://127.0.0.1:${port}/gone`, ['transaction.failed', 'transaction.successful']);
    await at('http://127.0.0.1:9/nobody', ['*']);
    const wallets = (await api.get('/v4/wallets?currency=NGN&limit=100')).body.data;
    for (let sent = 0; sent < count; sent++)
      await api.post(`/v4/sandbox/wallets/${wallets[sent % wallets.length]!.id}/credit`, { amount: 100_000 + sent });
    for (let waited = 0; calls < count && waited < 100; waited++) await sleep(100);
    await app.get(SealService).seal();
    await api.close();
  });
  receiver.closeAllConnections();
  await new Promise((closed) => receiver.close(closed));
}

const settings = (env: Env, worker: boolean): Env =>
  Object.assign(Object.create(Object.getPrototypeOf(env) as object), env, {
    // What is doubtful is so on purpose.
    LOG_LEVEL: 'silent',
    PORT: 0,
    RATE_LIMIT_TEST: 0,
    RATE_LIMIT_OPEN: 0,
    SHUTDOWN_NOTICE_SECONDS: 0,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: true,
    WORKER_IN_API: worker,
  }) as Env;

async function atWork<T>(env: Env, work: (app: NestFastifyApplication) => Promise<T>): Promise<T> {
  const app = await createHttpApp(AppModule.register(env), env);
  try {
    // What is not final at once stays so: nobody is waited for.
    app.get(Endings).isWatching = false;
    await app.listen(0, '127.0.0.1');
    return await work(app);
  } finally {
    await app.close();
  }
}

async function makeKey(app: NestFastifyApplication, accountId: string, name: string): Promise<string> {
  const wanted = { accountId, livemode: false, name, scopes: null, allowedIps: null, expiresAt: null };
  return (await app.get(ApiKeysService).create(wanted)).secret;
}

/** One of each role. */
async function invite(app: NestFastifyApplication, accountId: string, password: string): Promise<string[]> {
  const emails: string[] = [];
  for (const role of ROLES) {
    const name = NAMES[role];
    const email = `${role}.${accountId.slice(-6)}@demo.example`;
    const account = { id: accountId, name: 'Demo Stores Nigeria' };
    const { token } = await app.get(TeamService).add(account, { email, name, role }, 'The seed');
    const answer = await fetch(`${await app.getUrl()}/dashboard/api/auth/accept-invite`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ token, password }),
    });
    if (!answer.ok) throw new Error(`${email} could not join: ${answer.status} ${await answer.text()}`);
    emails.push(email);
  }
  return emails;
}

async function doubtful(shop: DemoShop, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await (i % 2 === 0 ? doubtfulPayment(shop) : doubtfulPurchase(shop));
}

async function requireNoLiveAccount(url: string): Promise<void> {
  const [{ count }] = (await asOwner(url, 'SELECT count(*)::int AS count FROM accounts WHERE live_enabled')) as [
    { count: number },
  ];
  if (count > 0)
    throw new CannotStart(
      `${count} account${count === 1 ? '' : 's'} of this database may move real money: nothing is made up here.`,
    );
}

/** `ensure_monthly_partitions` looks ahead only. */
const PAST_PARTITIONS = `
  DO $$
  DECLARE
    parent partitioned_tables;
    lower timestamptz := date_trunc('month', (now() - interval '${DAYS + 1} days') AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
    upper timestamptz;
    child text;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ensure_monthly_partitions'));
    WHILE lower < now() LOOP
      upper := lower + interval '1 month';
      FOR parent IN SELECT * FROM partitioned_tables LOOP
        child := parent.name || to_char(lower AT TIME ZONE 'UTC', '_YYYY_MM');
        CONTINUE WHEN to_regclass(child) IS NOT NULL;
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', child, parent.name);
        IF parent.key_type = 'uuid' THEN
          EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            parent.name, child, uuid_v7_floor(lower), uuid_v7_floor(upper));
        ELSE
          EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent.name, child, lower, upper);
        END IF;
      END LOOP;
      lower := upper;
    END LOOP;
  END $$`;

const makePastPartitions = (url: string): Promise<unknown> => asOwner(url, PAST_PARTITIONS);

async function asOwner(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
