import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expectBooksToBalance } from './support/books';
import { buildWhenStale, CommandLine, node } from './support/command-line';

let line: CommandLine;
const duka = (...command: string[]) => line.duka(...command);

beforeAll(async () => {
  buildWhenStale();
  line = await CommandLine.start();
});

afterAll(() => line.drop());

describe('npm run duka', () => {
  let account: { id: string; test_wallet: string; live_wallet: string };
  let by: string[];

  beforeAll(async () => {
    account = (await duka('account:create', '--name', 'Shop')).json;
  });

  it('opens an account with a wallet in each mode', () => {
    expect(account).toMatchObject({ name: 'Shop', live_enabled: false, id: expect.stringMatching(/^acct_/) });
    expect(account.test_wallet).not.toBe(account.live_wallet);
  });

  it('lists the settings without a database, and fails when one is wrong', () => {
    const env = (settings: Record<string, string>) => node(['dist/src/cli/duka.js', 'env', '--json'], settings);
    const { status, stdout } = env({ PORT: '4000', DATABASE_URL: 'postgres://root:hunter2@127.0.0.1:1/none' });
    expect([status, stdout.includes('hunter2')]).toEqual([0, false]);
    expect(JSON.parse(stdout).settings).toContainEqual({
      name: 'PORT',
      team: null,
      value: '4000',
      from: 'environment',
      default: '3000',
      secret: false,
    });
    const wrong = env({ PORT: 'http' });
    expect([wrong.status, JSON.parse(wrong.stdout).faults]).toEqual([1, [expect.stringMatching(/^PORT /)]]);
  });

  it('says who still calls what is retired', async () => {
    expect(await duka('api:deprecated', '--days', '7')).toMatchObject({ status: 0, json: { retired: [] } });
    expect((await duka('api:deprecated', '--days', 'many')).status).toBe(2);
  });

  it('makes live keys only after live mode is enabled', async () => {
    const create = [
      'key:create',
      '--account',
      account.id,
      '--mode',
      'live',
      '--scopes',
      'wallets:read',
      '--allow-ip',
      '10.0.0.0/8,::1',
      '--expires',
      '2199-01-31',
    ];
    by = await line.person('ada@example.com', true);
    expect(await duka(...create, ...by)).toMatchObject({
      status: 1,
      json: { error: { code: 'live_mode_not_enabled' } },
    });
    expect(await duka('account:enable-live', '--account', account.id, ...by)).toMatchObject({
      status: 1,
      json: { error: { code: 'not_ready_for_live' } },
    });
    expect(await duka('account:enable-live', '--account', account.id, '--force', ...by)).toMatchObject({
      status: 0,
      json: { live_enabled: true },
    });
    expect(await duka('account:require-key', '--account', account.id, ...by)).toMatchObject({
      status: 0,
      json: { require_idempotency_key: true },
    });
    expect(await duka('account:require-key', '--account', account.id, '--off', ...by)).toMatchObject({
      status: 0,
      json: { require_idempotency_key: false },
    });
    const { status, json } = await duka(...create, ...by);
    expect(status).toBe(0);
    expect(json).toMatchObject({
      secret: expect.stringMatching(/^sk_live_/),
      livemode: true,
      scopes: ['wallets:read'],
      allowed_ips: ['10.0.0.0/8', '::1'],
      expires_at: '2199-01-31T00:00:00.000Z',
    });
    expect(await duka('key:revoke', '--key', json.id, ...by)).toMatchObject({
      status: 0,
      json: { id: json.id, revoked_at: expect.any(String) },
    });
  });

  it('deposits once per reference, in the mode of the wallet', async () => {
    for (const [wallet, livemode] of [
      [account.live_wallet, true],
      [account.test_wallet, false],
    ] as const) {
      const deposit = (amount: string) =>
        duka('wallet:deposit', '--wallet', wallet, '--amount', amount, '--reference', 'bank-1', ...by);
      expect((await deposit('2500')).json).toMatchObject({
        amount: 2_500,
        currency: 'NGN',
        livemode,
        replayed: false,
        available: 2_500,
      });
      expect((await deposit('2500')).json).toMatchObject({ replayed: true, available: 2_500 });
      expect(await deposit('2501')).toMatchObject({ status: 1, json: { error: { code: 'duplicate_reference' } } });
    }
  });

  it('writes down who ordered what, and why', async () => {
    const by = ['--person', 'Olu Ade', '--reason', 'bank statement 7'];
    const { json } = await duka(
      'wallet:deposit',
      '--wallet',
      account.test_wallet,
      '--amount',
      '700',
      '--reference',
      'bank-7',
      ...by,
    );
    const rows = await line.audited();
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.live_enabled', 'key.created', 'key.revoked']),
    );
    expect(rows.at(-1)).toMatchObject({
      action: 'wallet.deposited',
      actor: 'operator Olu Ade',
      target: json.transaction_id,
      detail: { reason: 'bank statement 7', wallet_id: account.test_wallet, amount: 700, reference: 'bank-7' },
    });
  });

  it('proves the books, and says so when they are wrong', async () => {
    expect(await duka('verify:ledger')).toMatchObject({ status: 0, json: { ok: true } });
    const superuser = new Client({ connectionString: line.url });
    await superuser.connect();
    await superuser.query(`UPDATE ledger_accounts SET available = available + 1 WHERE name = 'opening'`);
    const { status, json } = await duka('verify:ledger');
    await superuser.query(`UPDATE ledger_accounts SET available = available - 1 WHERE name = 'opening'`);
    await superuser.end();
    expect(status).toBe(1);
    expect(json.checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ check }: { check: string }) => check)).toEqual([
      'books_balance',
      'balances_equal_entries',
    ]);
    await expectBooksToBalance(line.url);
  });

  it.each([
    [
      'an amount with a fraction',
      ['wallet:deposit', '--wallet', 'wal_00000000000000000000000000', '--amount', '1.5', '--reference', 'x'],
      2,
      /minor units/,
    ],
    ['an id of another kind', ['key:revoke', '--key', 'wal_00000000000000000000000000'], 2, /key_/],
    [
      'a time that has passed',
      ['key:create', '--account', 'acct_00000000000000000000000000', '--mode', 'test', '--expires', '2001-01-01'],
      2,
      /time to come/,
    ],
    ['an unknown command', ['wallet:burn'], 2, /unknown command/],
    ['a missing option', ['account:create'], 2, /--name/],
  ])('refuses %s', async (_what, command, status, message) => {
    const refused = await duka(...command);
    expect(refused.status).toBe(status);
    expect(refused.stderr).toMatch(message);
  });

  it('says what is missing when there is neither a server nor a sandbox', () => {
    const { status, stderr } = node(['dist/src/cli/duka.js', 'verify:ledger'], {
      DATA_DIR: join(tmpdir(), 'duka-nowhere'),
    });
    expect(status).toBe(1);
    expect(stderr).toContain('set DATABASE_URL, or make one with npm start');
  });

  it.each([
    ['done', 0, ['verify:ledger']],
    ['refused', 1, ['key:revoke', '--key', 'key_00000000000000000000000000']],
    ['not understood', 2, ['wallet:burn']],
  ])('ends as a process of its own as it does here: %s', async (_how, status, words) => {
    const ended = line.process(...words);
    expect(ended.status).toBe(status);
    expect(await duka(...words)).toEqual(ended);
  });

  it('ends as a process with 3 while a second person is to order the same', () => {
    const order = ['--wallet', account.live_wallet, '--amount', '5000001', '--reference', 'bank-9', ...by];
    expect(line.process('wallet:deposit', ...order)).toMatchObject({ status: 3, json: { settled: false } });
  });

  it('names an unknown wallet as every route does', async () => {
    const unknown = [
      'wallet:deposit',
      '--wallet',
      'wal_00000000000000000000000000',
      '--amount',
      '5',
      '--reference',
      'x',
    ];
    expect(await duka(...unknown)).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found', param: '/wallet_id' } },
    });
  });
});
