import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Client } from 'pg';
import { AppModule } from '../src/app.module';
import { Env } from '../src/core/config/env';
import type { Caller } from '../src/core/http/caller';
import { encodeId, newId } from '../src/core/http/ids';
import { SealService } from '../src/modules/ledger/seal.service';
import { checkOfHead } from '../src/modules/ledger/ledger-checks';
import { DepositsService } from '../src/modules/wallets/deposits.service';
import { WalletChangesService } from '../src/modules/wallets/wallet-changes.service';
import { TransfersService } from '../src/modules/wallets/transfers.service';
import { brokenChecks, expectBooksToBalance, IN_PIECES } from './support/books';
import { createTestDatabase, type TestDatabase } from './support/database';

const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
const NO_ORIGIN = { requestId: null, idempotencyKey: null };

let database: TestDatabase;
let app: INestApplicationContext;
let superuser: Client;

/** What the books hold: two wallets, two deposits, five transfers each way, one at a time so that each is a batch. */
async function keepBooks(): Promise<void> {
  const { id: accountId } = await app.get(WalletChangesService).openAccount('Shop');
  const caller: Caller = { accountId, livemode: false, keyId: newId(), scopes: null, requestId: newId() };
  const own = { currency: 'NGN', label: null, reference: null, lowBalanceThreshold: null, metadata: {} } as const;
  const wallets = [0, 1].map(() => app.get(WalletChangesService).create(caller, own, NO_CLAIM));
  const [a, b] = (await Promise.all(wallets)).map(({ made }) => made);
  for (const wallet of [a!, b!]) {
    const deposit = { wallet, amount: 100_000n, source: 'sandbox_source', reference: newId(), metadata: {} } as const;
    await app.get(DepositsService).deposit(deposit, NO_CLAIM, NO_ORIGIN);
  }
  for (let i = 0; i < 10; i++) {
    const [from, to] = i % 2 === 0 ? [a!, b!] : [b!, a!];
    const order = {
      fromWallet: encodeId('wal', from.id),
      toWallet: encodeId('wal', to.id),
      amount: 1_000n + BigInt(i),
      reference: `order-${i}`,
      narration: null,
      metadata: {},
    };
    await app.get(TransfersService).transfer(caller, order, NO_CLAIM);
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  const env = Object.assign(new Env(), {
    DATABASE_URL: database.url,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
  app = await NestFactory.createApplicationContext(AppModule.register(env), { logger: false, abortOnError: false });
  superuser = new Client({ connectionString: database.url });
  await superuser.connect();
  await keepBooks();
  await app.get(SealService).seal();
  await superuser.query(
    `CREATE SCHEMA kept; ${TABLES.map((table) => `CREATE TABLE kept.${table} AS TABLE ${table}`).join(';')}`,
  );
});

afterAll(async () => {
  await app.close();
  await superuser.end();
  await database.drop();
});

const TABLES = [
  'ledger_entries',
  'ledger_batches',
  'ledger_accounts',
  'ledger_holds',
  'transactions',
  'transfers',
  'claims',
  'events',
  'wallets',
];

/** Puts everything back as it was before a test tampered with it. */
afterEach(async () => {
  await superuser.query(TABLES.map((table) => `TRUNCATE ${table}; INSERT INTO ${table} TABLE kept.${table}`).join(';'));
});

/** In pieces of a few rows it is the same. */
async function found(): Promise<string[]> {
  const [atOnce, inPieces] = [await brokenChecks(database.url), await brokenChecks(database.url, [], IN_PIECES)];
  expect(inPieces.map(({ check }) => check)).toEqual(atOnce.map(({ check }) => check));
  return atOnce.map(({ check }) => check);
}

/** An entry in the middle of a wallet's history. */
const MIDDLE = `SELECT batch_id FROM ledger_entries WHERE seq = 4 AND account_id <> '00000000-0000-0000-0000-000000000000' LIMIT 1`;
/** The newest entries of all: nothing follows them that would no longer fit. */
const LAST = `SELECT id FROM ledger_batches ORDER BY position DESC LIMIT 1`;

describe('untouched books', () => {
  it('pass every check', () => expectBooksToBalance(database.url));

  it('are sealed without a gap', async () => {
    const { rows } = await superuser.query(
      `SELECT count(*)::int AS batches, max(position)::int AS last, count(chain)::int AS links FROM ledger_batches`,
    );
    expect(rows).toEqual([{ batches: 12, last: 12, links: 12 }]);
  });
});

describe('sealing', () => {
  it('gives a batch that commits late a later position', async () => {
    const early = '01900000-0000-7000-8000-000000000000';
    await superuser.query(`CREATE TABLE IF NOT EXISTS ledger_batches_1 PARTITION OF ledger_batches
      FOR VALUES FROM ('01900000-0000-7000-8000-000000000000') TO ('01910000-0000-7000-8000-000000000000')`);
    await superuser.query(`INSERT INTO ledger_batches (id, digest) VALUES ($1, $2)`, [early, Buffer.alloc(32, 1)]);
    await app.get(SealService).seal();
    const { rows } = await superuser.query(`SELECT position::int FROM ledger_batches WHERE id = $1`, [early]);
    expect(rows).toEqual([{ position: 13 }]);
    expect(await found()).toEqual(['entries_match_their_batch']);
  });

  it('is done by one at a time', async () => {
    await superuser.query('UPDATE ledger_batches SET position = NULL, chain = NULL');
    await Promise.all(Array.from({ length: 8 }, () => app.get(SealService).seal()));
    await app.get(SealService).seal();
    await expectBooksToBalance(database.url);
  });

  it('leaves sealed batches as they are', async () => {
    const heads = async () =>
      (await superuser.query('SELECT id, position, chain FROM ledger_batches ORDER BY id')).rows;
    const before = await heads();
    await app.get(SealService).seal();
    expect(await heads()).toEqual(before);
  });
});

const ENTRIES = 'entries_match_their_batch';
const CHAIN = 'batches_are_chained';

describe('what a superuser changes is found', () => {
  const cases: [what: string, change: string, checks: string[]][] = [
    [
      'the amount of an entry',
      `UPDATE ledger_entries SET amount = amount + 1 WHERE batch_id = (${MIDDLE})`,
      [ENTRIES, 'postings_balance', 'balances_equal_entries', 'balances_continue', 'transactions_equal_entries'],
    ],
    [
      'the owner of an entry that moved nothing else',
      `UPDATE ledger_entries SET posting_id = gen_random_uuid() WHERE batch_id = (${LAST})`,
      [ENTRIES, 'postings_balance', 'transfers_are_complete'],
    ],
    [
      'the time of an entry, by less than is shown',
      `UPDATE ledger_entries SET created_at = created_at + interval '3 microseconds' WHERE batch_id = (${LAST})`,
      [ENTRIES],
    ],
    [
      'an entry that is put in, with balances to match',
      `
      INSERT INTO ledger_entries SELECT account_id, ledger_account_id, created_at, seq + 1, batch_id, posting_id, NULL, 5, available_after + 5, held_after, bucket
        FROM ledger_entries WHERE batch_id = (${LAST});
      UPDATE ledger_accounts a SET seq = seq + 1, available = available + 5 WHERE id IN (SELECT ledger_account_id FROM ledger_entries WHERE batch_id = (${LAST}))`,
      [ENTRIES, 'postings_balance', 'books_balance'],
    ],
    [
      'an entry that is taken out',
      `DELETE FROM ledger_entries WHERE batch_id = (${MIDDLE}) AND amount < 0`,
      [
        ENTRIES,
        'postings_balance',
        'balances_equal_entries',
        'entries_are_in_sequence',
        'balances_continue',
        'transactions_equal_entries',
        'transfers_are_complete',
      ],
    ],
    [
      'the order of two entries',
      `UPDATE ledger_entries SET seq = CASE seq WHEN 2 THEN 3 ELSE 2 END WHERE seq IN (2, 3)`,
      [ENTRIES, 'balances_continue'],
    ],
    [
      'a whole posting with its batch',
      `
      DELETE FROM ledger_entries WHERE batch_id = (${MIDDLE}); DELETE FROM ledger_batches b WHERE position = 5`,
      [CHAIN],
    ],
    [
      'the digest, made to match an edit',
      `
      UPDATE ledger_entries SET transaction_id = NULL WHERE batch_id = (${LAST});
      UPDATE ledger_batches SET digest = sha256('whatever') WHERE id = (${LAST})`,
      [CHAIN, ENTRIES],
    ],
    [
      'the order of two batches',
      `
      UPDATE ledger_batches SET position = CASE position WHEN 4 THEN 5 ELSE 4 END WHERE position IN (4, 5)`,
      [CHAIN],
    ],
    [
      'the id of a batch',
      `
      WITH moved AS (UPDATE ledger_batches SET id = uuid_v7_floor(now()) WHERE id = (${LAST}))
      UPDATE ledger_entries SET batch_id = uuid_v7_floor(now()) WHERE batch_id = (${LAST})`,
      [CHAIN],
    ],
    [
      'a balance',
      `UPDATE ledger_accounts SET available = available + 1 WHERE name = 'wallet' AND seq > 0`,
      ['balances_equal_entries', 'books_balance'],
    ],
    [
      'a ledger account that is there twice',
      `
      INSERT INTO ledger_accounts (account_id, id, name, currency, livemode, place)
      SELECT account_id, id, name, currency, livemode, place + 1 FROM ledger_accounts WHERE name = 'wallet' LIMIT 1`,
      ['ledger_accounts_are_there_once'],
    ],
    [
      'a credit limit that nobody set',
      `UPDATE ledger_accounts SET credit_limit = 5, lowest = -5 WHERE name = 'wallet'`,
      ['credit_limits_are_kept'],
    ],
    [
      'a transfer without its record',
      `DELETE FROM transactions WHERE type = 'transfer_in'`,
      ['transactions_equal_entries', 'transfers_are_complete', 'credits_are_announced'],
    ],
    [
      'a record without its transfer',
      `DELETE FROM transfers`,
      ['transfer_transactions_have_transfers', 'claims_have_their_resource'],
    ],
    [
      'a transfer without its event',
      `DELETE FROM events WHERE type = 'transfer.successful'`,
      ['transfers_are_complete'],
    ],
    [
      'a transfer that is announced twice',
      `INSERT INTO events SELECT account_id, livemode, uuid_v7_floor(now()), type, object_type, object_id FROM events WHERE type = 'transfer.successful' LIMIT 1`,
      ['transfers_are_complete'],
    ],
    ['a reference that nobody claims', `DELETE FROM claims WHERE value = 'order-3'`, ['references_are_claimed_once']],
    [
      'a hold without money',
      `
      INSERT INTO ledger_holds (account_id, id, ledger_account_id, amount, updated_at)
      SELECT account_id, gen_random_uuid(), id, 5, now() FROM ledger_accounts WHERE name = 'wallet' LIMIT 1`,
      ['open_holds_equal_held'],
    ],
    [
      'a wallet that changes its currency',
      `UPDATE ledger_accounts SET currency = 'USD' WHERE name = 'wallet' AND seq > 0`,
      ['wallets_have_ledger_accounts', 'postings_in_two_currencies_are_conversions'],
    ],
    [
      'a right to change entries',
      `GRANT UPDATE (amount) ON ledger_entries TO duka_app`,
      ['application_cannot_rewrite_history'],
    ],
  ];

  it.each(cases)('%s', async (what, change, checks) => {
    await superuser.query(change);
    const broken = await found();
    await superuser.query('REVOKE UPDATE (amount) ON ledger_entries FROM duka_app');
    expect(broken).toEqual(expect.arrayContaining(checks));
  });

  it('a chain that was made anew, by whoever noted its head', async () => {
    const {
      rows: [head],
    } = await superuser.query(
      `SELECT position || ':' || encode(chain, 'hex') AS noted FROM ledger_batches WHERE id = (${LAST})`,
    );
    const check = checkOfHead(head.noted)!;
    expect(await brokenChecks(database.url, [check])).toEqual([]);
    await superuser.query(`UPDATE ledger_batches SET digest = sha256(id::text::bytea), position = NULL, chain = NULL`);
    await app.get(SealService).seal();
    expect((await brokenChecks(database.url, [check])).map(({ check: name }) => name)).toEqual([
      ENTRIES,
      'chain_has_the_noted_head',
    ]);
  });

  it('of many heads that were noted, in the log, too, those that the chain does not have', async () => {
    await app.get(SealService).seal();
    const { rows } = await superuser.query<{ position: string; chain: string }>(
      `SELECT position, encode(chain, 'hex') AS chain FROM ledger_batches WHERE position <= 3 ORDER BY position`,
    );
    const logged = rows.map((head) => `Nov 26 duka[1]: ${JSON.stringify({ level: 30, context: 'seal', ...head })}`);
    const check = checkOfHead(['{"context":"http"}', ...logged].join('\n'))!;
    expect((await brokenChecks(database.url, [check])).map(({ check: name }) => name)).not.toContain(check.name);
    const noted = [
      `${rows[0]!.position}:${rows[0]!.chain}`,
      `${rows[1]!.position}:${rows[0]!.chain}`,
      `99999:${rows[0]!.chain}`,
    ];
    const broken = await brokenChecks(database.url, [checkOfHead(noted.join('\n'))!]);
    expect(broken.find(({ check: name }) => name === check.name)).toMatchObject({
      found: 2,
      sample: [{ position: Number(rows[1]!.position) }, { position: 99_999 }],
    });
    expect(checkOfHead('nothing\nof the kind')).toBeNull();
  });

  it('takes away nothing from the application, which may not do it at all', async () => {
    for (const change of [
      'UPDATE ledger_entries SET amount = 1',
      'DELETE FROM ledger_entries',
      'UPDATE ledger_batches SET digest = NULL',
      'DELETE FROM events',
    ]) {
      await superuser.query('SET ROLE duka_app');
      await expect(superuser.query(change)).rejects.toThrow('permission denied');
      await superuser.query('RESET ROLE');
    }
  });
});
