import { randomUUID } from 'node:crypto';
import { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module';
import { Env } from '../../src/core/config/env';
import { createHttpApp } from '../../src/core/http/configure-http';
import { Endings } from '../../src/core/resources/endings';
import { decodeId, encodeId } from '../../src/core/http/ids';
import { ApiKeysService, type NewApiKey } from '../../src/modules/accounts/api-keys.service';
import { DepositsService } from '../../src/modules/wallets/deposits.service';
import { WalletsService } from '../../src/modules/wallets/wallets.service';
import { WalletChangesService } from '../../src/modules/wallets/wallet-changes.service';
import { Api } from './api';
import { expectBooksToBalance, expectIdsInSlots } from './books';
import { expectNoStoredCardNumbers } from './card-numbers';
import { createTestDatabase, type TestDatabase } from './database';
import { becomeCell, CELL_SECRET, isAmongCells, isOfOneProcess, OtherCell, SECRETS_KEY } from './other-cell';

export interface TestAccount {
  readonly id: string;
  /** With a test key. */
  readonly api: Api;
  readonly key: string;
}

/** The whole service on a database of its own, listening on a free port. */
export class Duka {
  private constructor(
    readonly env: Env,
    private readonly database: TestDatabase,
    public app: NestFastifyApplication,
    private address: string,
    private readonly other: OtherCell | null = null,
  ) {}

  private chosen: string | null = null;

  /** Where it is asked. */
  get url(): string {
    return this.other === null || isOfOneProcess('test') ? this.ownUrl : (this.chosen ?? this.other.url);
  }

  /** Of its own process, where people sign up: what is of people is replicated between cells, and here nothing does that. */
  get ownUrl(): string {
    return this.chosen ?? this.address;
  }

  set url(address: string) {
    this.chosen = address;
  }

  /** `place`: a database that is there already, and a port that was promised to others. */
  static async start(
    settings: Partial<Env> = {},
    place: { database?: TestDatabase; port?: number } = {},
  ): Promise<Duka> {
    const database = place.database ?? (await createTestDatabase());
    const isCell =
      isAmongCells && place.database === undefined && settings.DATABASE_URL === undefined && !isOfOneProcess('file');
    const env = Object.assign(new Env(), {
      DATABASE_URL: database.url,
      SECRETS_KEY,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_TEST: 0,
      RATE_LIMIT_LIVE: 0,
      RATE_LIMIT_OPEN: 0,
      SHUTDOWN_NOTICE_SECONDS: 0,
      // A run with one connection finds what takes a second one while it holds the first.
      ...(process.env.DATABASE_POOL_SIZE && { DATABASE_POOL_SIZE: Number(process.env.DATABASE_POOL_SIZE) }),
      // One with many lanes, what takes the platform for one account.
      ...(process.env.LANES && { LANES: Number(process.env.LANES) }),
      ...(isCell && { CELL_SECRET }),
      ...settings,
    });
    const other = isCell ? await OtherCell.start(env, listen) : null;
    if (other !== null) await becomeCell(database, 'own', other.url);
    const app = await listen(env, { port: place.port });
    const address = await app.getUrl();
    await other?.follow(address);
    return new Duka(env, database, app, address, other);
  }

  /** Stops the service as a deployment would and starts it again on the same data. */
  async restart(): Promise<void> {
    await this.app.close();
    await this.reopen();
  }

  /** Starts a service that was closed. */
  async reopen(port = 0): Promise<void> {
    if (this.other !== null) await this.asOwner(`UPDATE cells SET epoch = epoch + 1 WHERE name = 'own'`);
    this.app = await listen(this.env, { port });
    this.address = await this.app.getUrl();
    this.chosen = null;
    await this.other?.follow(this.address);
  }

  /** A second process of the same deployment, or the service of another schema of the database. Stop it first. */
  async twin(settings: Partial<Env> = {}): Promise<Duka> {
    const env = Object.assign(new Env(), this.env, settings);
    const url = new URL(this.database.url);
    url.searchParams.set('options', `-c search_path=${env.DATABASE_SCHEMA}`);
    const app = await listen(env);
    return new Duka(env, { url: url.href, drop: async () => undefined }, app, await app.getUrl());
  }

  expectBooks(): Promise<void> {
    return expectBooksToBalance(this.database.url);
  }

  /** Stops, and holds that the books balance, that ids say where they are kept, and that no card number was kept. */
  async stop(): Promise<void> {
    await this.other?.stop();
    await this.app.close();
    await this.expectBooks();
    await expectIdsInSlots(this.database.url);
    await expectNoStoredCardNumbers(this.env);
    await this.database.drop();
  }

  /** Rows of every table that money moves: equal before and after means that nothing was written. */
  async totals(): Promise<Record<string, string>> {
    const tables = [
      'transfers',
      'conversions',
      'quotes',
      'transactions',
      'ledger_entries',
      'ledger_batches',
      'ledger_holds',
      'claims',
      'events',
    ];
    const counts = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ');
    const [row] = await this.app
      .get(DataSource)
      .query(`SELECT ${counts}, (SELECT sum(available + held) FROM ledger_accounts) AS balance`);
    return row;
  }

  get<T>(type: Parameters<INestApplicationContext['get']>[0]): T {
    return this.app.get(type, { strict: false }) as T;
  }

  /** A new account with a test key that may do everything. */
  async account(name = 'Shop'): Promise<TestAccount> {
    const { id } = await this.app.get(WalletChangesService).openAccount(name);
    const key = await this.key({ accountId: id });
    return { id: encodeId('acct', id), api: new Api(() => this.url, key), key };
  }

  /** The secret of a new key. Live keys need no ceremony here. */
  async key({ accountId, ...wanted }: Partial<NewApiKey> & { accountId: string }): Promise<string> {
    const id = decodeId('acct', accountId) ?? accountId;
    if (wanted.livemode) await this.enableLive(id);
    const settings = {
      livemode: false,
      name: randomUUID(),
      scopes: null,
      allowedIps: null,
      expiresAt: null,
      ...wanted,
    };
    return (await this.app.get(ApiKeysService).create({ accountId: id, ...settings })).secret;
  }

  /** What the command line does: the service itself has no right to. */
  async enableLive(accountId: string): Promise<void> {
    await this.asOwner('UPDATE accounts SET live_enabled = true WHERE id = $1', [
      decodeId('acct', accountId) ?? accountId,
    ]);
  }

  /** Real money, as an operator brings it: minor units into a wallet of any account. The sandbox has none. */
  async fund(walletId: string, amount: bigint): Promise<void> {
    const wallet = (await this.app.get(WalletsService).findAny(decodeId('wal', walletId)!))!;
    await this.app
      .get(DepositsService)
      .deposit(
        { wallet, amount, source: 'opening', reference: null, metadata: {} },
        { key: null, fingerprint: Buffer.alloc(32) },
        { requestId: null, idempotencyKey: null },
      );
  }

  async setOperator(email: string, operator: boolean): Promise<void> {
    await this.asOwner('UPDATE users SET operator = $2 WHERE email = $1', [email, operator]);
  }

  /** A statement with the rights of the database's owner, whom nothing is forbidden. */
  async asOwner(statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      return (await client.query(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** How many sessions wait for a lock. Asked from outside: within a transaction PostgreSQL tells of the first look. */
  async waiting(statement = ''): Promise<number> {
    const rows = await this.asOwner(
      `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
      [statement],
    );
    return rows.length;
  }

  api(key: string | null): Api {
    return new Api(() => this.url, key);
  }
}

interface Listening {
  readonly port?: number;
  readonly prepare?: (app: NestFastifyApplication) => void;
}

async function listen(env: Env, { port = 0, prepare }: Listening = {}): Promise<NestFastifyApplication> {
  const app = await createHttpApp(AppModule.register(env), env);
  prepare?.(app);
  // Tests that wait for others say so: for all else an answer that is not final comes when this process knows no more.
  app.get(Endings).isWatching = false;
  await app.listen(port, '127.0.0.1');
  return app;
}
