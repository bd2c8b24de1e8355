import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module';
import { Env } from '../src/core/config/env';
import { APPLICATION_ROLE, dataSourceOptions } from '../src/core/database/options';
import { createHttpApp } from '../src/core/http/configure-http';
import { describeApi } from '../src/core/openapi/document';
import { ApiKeysService } from '../src/modules/accounts/api-keys.service';
import { WalletChangesService } from '../src/modules/wallets/wallet-changes.service';
import { TEAMS } from '../src/extensions/extensions.module';
import { allMigrations } from '../src/migrations/migrations';
import { createTestDatabase, type TestDatabase } from './support/database';
import { growth } from './support/guide-module/team';
import { expectShown } from './support/shown-in-guide';

const guide = readFileSync('docs/guides/add-a-module.md', 'utf8');

/** The line of the guide: the service as it is after its steps. */
TEAMS.push(growth);

describe('the guide to modules', () => {
  expectShown(guide, 'growth', 'test/support/guide-module');

  it('names files that exist', () => {
    const named = [...guide.matchAll(/`((?:src|test|docs)\/[\w./-]+\.\w+)`/g)]
      .map(([, file]) => file!)
      .filter((file) => !file.includes('growth'));
    expect(named.length).toBeGreaterThan(0);
    for (const file of named) expect(readFileSync(file, 'utf8').length).toBeGreaterThan(0);
  });
});

describe('the module of the guide', () => {
  let database: TestDatabase;
  let env: Env;
  let app: NestFastifyApplication;
  let ran: string[];

  /** As `npm run migrate` does it, on a server that runs the release before. */
  async function migrate(change: (dataSource: DataSource) => Promise<unknown>): Promise<void> {
    const options = { ...dataSourceOptions(env, 'owner'), migrations: allMigrations() };
    const dataSource = await new DataSource(options).initialize();
    await change(dataSource);
    await dataSource.destroy();
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = {
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'silent',
      RATE_LIMIT_TEST: 0,
      RATE_LIMIT_LIVE: 0,
    };
    env = Object.assign(new Env(), settings, { SHUTDOWN_NOTICE_SECONDS: 0 });
    await migrate(async (dataSource) => (ran = (await dataSource.runMigrations()).map(({ name }) => name)));
    app = await createHttpApp(AppModule.register(env), env);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  async function account(scopes: string[] | null = null) {
    const { id: accountId } = await app.get(WalletChangesService).openAccount('Shop');
    const { secret } = await app
      .get(ApiKeysService)
      .create({ accountId, livemode: false, name: 'Test', scopes, allowedIps: null, expiresAt: null });
    return (path: string, body?: object) => call(path, secret, body);
  }

  async function call(path: string, key: string, body?: object): Promise<{ status: number; body: any }> {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch((await app.getUrl()) + path, {
      method: body ? 'PUT' : 'GET',
      headers,
      body: body && JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  it('has its table made after those of the service', async () => {
    expect(ran).toEqual(['GrowthContacts1763500000001']);
    const rights: { right: string }[] = await app
      .get(DataSource)
      .query(
        `SELECT "right" FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS "right" WHERE has_table_privilege($1, 'growth_contacts', "right")`,
        [APPLICATION_ROLE],
      );
    expect(rights.map(({ right }) => right)).toEqual(['SELECT', 'INSERT', 'UPDATE']);
  });

  it('answers on its routes', async () => {
    const ask = await account();
    const saved = await ask('/v4/contacts/08031234567', { name: 'Ada' });
    expect([saved.status, saved.body.code]).toEqual([400, 'invalid_phone_number']);
    for (const name of ['Ada', 'Ada B.']) {
      const { status, body } = await ask('/v4/contacts/+234 803 123 4567', { name });
      expect([status, body]).toEqual([
        200,
        { object: 'contact', phone: '+2348031234567', name, livemode: false, updated_at: expect.any(String) },
      ]);
    }
    await ask('/v4/contacts/+2348051234567', { name: 'Bola' });
    const first = (await ask('/v4/contacts?limit=1')).body;
    expect(first).toMatchObject({ object: 'list', data: [{ name: 'Ada B.' }], has_more: true });
    expect((await ask(`/v4/contacts?limit=1&cursor=${first.next_cursor}`)).body).toMatchObject({
      data: [{ name: 'Bola' }],
      has_more: false,
    });
  });

  it('is as closed as every other', async () => {
    const [ask, other, reader] = [await account(), await account(), await account(['contacts:read'])];
    await ask('/v4/contacts/+2348031234567', { name: 'Ada' });
    expect((await other('/v4/contacts')).body.data).toEqual([]);
    expect((await call('/v4/contacts', '')).status).toBe(401);
    expect((await reader('/v4/contacts')).status).toBe(200);
    expect((await reader('/v4/contacts/+2348031234567', { name: 'Ada' })).body.code).toBe('insufficient_scope');
    expect((await ask('/v4/contacts/+2348031234567', { name: 'Ada', colour: 'red' })).body).toMatchObject({
      code: 'unknown_field',
      param: '/colour',
    });
  });

  it('stands in the OpenAPI document', () => {
    const { paths } = describeApi(app);
    expect([paths['/v4/contacts']!.get!.operationId, paths['/v4/contacts/{phone}']!.put!.operationId]).toEqual([
      'list_contacts',
      'save_contact',
    ]);
  });

  it('can be taken out again', async () => {
    await migrate((dataSource) => dataSource.undoLastMigration());
    expect(await app.get(DataSource).query(`SELECT to_regclass('growth_contacts') AS name`)).toEqual([{ name: null }]);
  });
});
