import { DataSource } from 'typeorm';
import { type Currency, displayMoney } from '../src/core/money/money';
import { SealService } from '../src/modules/ledger/seal.service';
import { Verifications } from '../src/modules/ledger/verifications';
import { CommandLine } from './support/command-line';
import { type Browser, newOwner } from './support/dashboard';
import { Duka, type TestAccount } from './support/duka';

let duka: Duka;
let operator: Browser;
let account: TestAccount;
let naira: string;

beforeAll(async () => {
  duka = await Duka.start();
  operator = await newOwner(duka);
  await duka.setOperator(operator.email, true);
  await operator.stepUp();
  account = await duka.account();
  naira = await account.api.wallet(10_000_000);
  const dollars = await account.api.wallet(100_000, 'USD');
  const { body: quote } = await account.api.post('/v4/quotes', {
    from_currency: 'USD',
    to_currency: 'NGN',
    amount: 1_000,
  });
  const order = { quote_id: quote.id, from_wallet: dollars, to_wallet: naira };
  expect((await account.api.post('/v4/conversions', order)).status).toBe(201);
  const airtime = { wallet_id: naira, phone: '+2348000000111', amount: 10_000 };
  expect((await account.api.post('/v4/airtime/purchase', airtime)).status).toBe(202);
});
afterAll(() => duka.stop());

const query = (sql: string): Promise<any[]> => duka.get<DataSource>(DataSource).query(sql);
const money = (amount: string | bigint, currency: Currency) => displayMoney({ amount: BigInt(amount), currency });
const PLATFORM = '00000000-0000-0000-0000-000000000000';

describe('the books', () => {
  it('are what the ledger sums up to, and nothing together', async () => {
    const { status, body } = await operator.get('/operators/books');
    expect(status).toBe(200);
    const rows = await query(`
      SELECT currency, livemode, sum(available + held) AS sum,
             sum(available + held) FILTER (WHERE account_id <> '${PLATFORM}') AS customers,
             sum(available + held) FILTER (WHERE account_id = '${PLATFORM}') AS platform
        FROM ledger_accounts GROUP BY 1, 2 ORDER BY 2 DESC, 1`);
    expect(rows.length).toBeGreaterThan(1);
    const told = body.data.map(({ accounts: _, ...book }: any) => book);
    expect(told).toEqual(
      rows.map(({ currency, livemode, customers, platform }) => ({
        livemode,
        currency,
        customers: String(customers ?? 0),
        platform: String(platform ?? 0),
        sum: '0',
        customers_display: money(customers ?? 0n, currency),
        platform_display: money(platform ?? 0n, currency),
        sum_display: money(0n, currency),
        balanced: true,
      })),
    );
    const [{ held }] = await query(`SELECT sum(held) AS held FROM ledger_accounts WHERE currency = 'NGN'`);
    const ngn = body.data.find(({ currency, livemode }: any) => currency === 'NGN' && !livemode);
    const wallets = ngn.accounts.find(({ name, platform }: any) => name === 'wallet' && !platform);
    expect([wallets.held_display, BigInt(held) > 0n]).toEqual([money(held, 'NGN'), true]);
    const [source] = await query(`
      SELECT sum(available) AS sum, count(*)::integer AS count FROM ledger_accounts
       WHERE currency = 'NGN' AND starts_with(name, 'sandbox_source:')`);
    expect(ngn.accounts.filter(({ name }: any) => name.startsWith('sandbox_source'))).toEqual([
      expect.objectContaining({ name: 'sandbox_source', platform: true, count: source.count }),
    ]);
    expect(ngn.accounts.find(({ name }: any) => name === 'sandbox_source').balance_display).toBe(
      money(source.sum, 'NGN'),
    );
  });

  it('say sums that no number holds to the last digit', async () => {
    await duka.asOwner(`INSERT INTO ledger_accounts (account_id, id, name, currency, livemode, available) VALUES
      ('${PLATFORM}', gen_random_uuid(), 'treasury', 'KES', true, 9007199254740993),
      ('${PLATFORM}', gen_random_uuid(), 'opening', 'KES', true, -9007199254740994)`);
    const { data } = (await operator.get('/operators/books')).body;
    await duka.asOwner(`DELETE FROM ledger_accounts WHERE currency = 'KES' AND livemode`);
    const kes = data.find(({ currency, livemode }: any) => currency === 'KES' && livemode);
    expect(kes).toMatchObject({ sum: '-1', sum_display: 'KES -0.01', balanced: false });
    expect(kes.accounts.map(({ balance_display }: any) => balance_display)).toEqual([
      'KES -90,071,992,547,409.94',
      'KES 90,071,992,547,409.93',
    ]);
    expect(kes.accounts.map(({ balance }: any) => balance)).toEqual(['-9007199254740994', '9007199254740993']);
  });

  it('tell how far they are sealed', async () => {
    const before = (await operator.get('/operators/books')).body.seal;
    const [{ open }] = await query(`SELECT count(*)::integer AS open FROM ledger_batches WHERE position IS NULL`);
    expect(before).toMatchObject({ unsealed: open, unsealed_more: false });
    expect(Date.now() - Date.parse(before.unsealed_since)).toBeLessThan(600_000);
    await duka.get<SealService>(SealService).seal();
    const [head] = await query(
      `SELECT position, encode(chain, 'hex') AS chain FROM ledger_batches WHERE position IS NOT NULL
        ORDER BY position DESC LIMIT 1`,
    );
    expect((await operator.get('/operators/books')).body.seal).toMatchObject({
      head: `${head.position}:${head.chain}`,
      position: head.position,
      unsealed: 0,
      unsealed_since: null,
    });
  });
});

describe('positions', () => {
  it('are those of the books, with what came and went today', async () => {
    const { body } = await operator.get('/operators/books/positions?livemode=false&in=NGN');
    const rows = await query(`
      SELECT currency, sum(available)::text AS amount FROM ledger_accounts
       WHERE starts_with(name, 'fx_position') AND NOT livemode GROUP BY 1`);
    expect(rows.length).toBe(2);
    expect(Object.fromEntries(body.data.map((one: any) => [one.currency, one.amount_display]))).toEqual(
      Object.fromEntries(rows.map(({ currency, amount }) => [currency, money(amount, currency)])),
    );
    expect(body.data).toEqual([
      expect.objectContaining({ currency: 'NGN', side: 'short', value_display: 'NGN -15,422.50', rate: null }),
      expect.objectContaining({ currency: 'USD', side: 'long', value_display: 'NGN 15,500.00', rate: '1550' }),
    ]);
    expect(body.value_display).toBe('NGN 77.50');
    expect(body.rates).toContainEqual(expect.objectContaining({ base: 'USD', quote: 'NGN', rate: '1550' }));
  });

  it('begin a day with what there was, by the clocks of the account', async () => {
    // Where it is about noon: nothing is of another day by chance.
    const ahead = 12 - new Date().getUTCHours();
    const zone = `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`;
    await duka.asOwner('UPDATE accounts SET time_zone = $1', [zone]);
    await duka.asOwner(
      `CREATE TABLE long_ago PARTITION OF ledger_entries FOR VALUES FROM ('1990-01-01') TO ('2015-01-01')`,
    );
    const moved = (sign: '+' | '-') =>
      duka.asOwner(`UPDATE ledger_entries SET created_at = created_at ${sign} interval '216000 hours'
        WHERE account_id = '${PLATFORM}'`);
    const shown = async () =>
      (await operator.get('/operators/books/positions?livemode=false&in=NGN')).body.data.map((one: any) => [
        one.currency,
        one.before_display,
        one.taken_display,
        one.given_display,
      ]);
    expect(await shown()).toEqual([
      ['NGN', 'NGN 0.00', 'NGN 0.00', 'NGN -15,422.50'],
      ['USD', 'USD 0.00', 'USD 10.00', 'USD 0.00'],
    ]);
    await moved('-');
    const later = await shown();
    await moved('+');
    await duka.asOwner('DROP TABLE long_ago');
    expect(later).toEqual([
      ['NGN', 'NGN -15,422.50', 'NGN 0.00', 'NGN 0.00'],
      ['USD', 'USD 10.00', 'USD 0.00', 'USD 0.00'],
    ]);
  });

  it('have no sum where a rate is missing', async () => {
    await duka.asOwner(`DELETE FROM fx_rates WHERE 'TND' IN (base, quote)`);
    const { data, value_display, livemode } = (await operator.get('/operators/books/positions?livemode=false&in=TND'))
      .body;
    expect([value_display, livemode, data.map((one: any) => one.value_display)]).toEqual([null, false, [null, null]]);
    expect((await operator.get('/operators/books/positions?in=XYZ')).status).toBe(400);
  });
});

describe('a verification', () => {
  const run = () => duka.get<Verifications>(Verifications).verifyOrdered();
  const last = async () => (await operator.get('/operators/books/verifications')).body.data[0];
  const order = () => operator.post('/operators/books/verifications');

  it('is ordered after a fresh proof of identity only, and by operators only', async () => {
    const again = operator.another();
    await again.logIn();
    expect((await again.post('/operators/books/verifications')).body.code).toBe('step_up_required');
    const owner = await newOwner(duka);
    await owner.stepUp();
    for (const path of ['/operators/books', '/operators/books/positions', '/operators/books/verifications'])
      expect([path, (await owner.get(path)).body.code]).toEqual([path, 'insufficient_role']);
    expect((await owner.post('/operators/books/verifications')).body.code).toBe('insufficient_role');
    expect((await operator.get('/operators/books/verifications')).body.data).toEqual([]);
  });

  it('waits for a worker, one at a time, which writes down what it did', async () => {
    expect((await order()).status).toBe(204);
    expect(await last()).toMatchObject({ state: 'waiting', source: 'dashboard', person: operator.email, done: 0 });
    const orders = await Promise.all([order(), order()]);
    expect(orders.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([409, 'invalid_state_transition']),
    );
    // Of two workers one is at it, and the other finds nothing to do.
    const [one, two] = [run(), run()];
    await Promise.all([one, two]);
    const { checks, done, ...ended } = await last();
    expect(ended).toMatchObject({ state: 'in_order', doing: null, findings: [], failure: null });
    expect([done, checks > 40]).toEqual([checks, true]);
    const [{ attempts, names }] = await query(`
      SELECT attempts, (SELECT count(DISTINCT r ->> 'check')::integer FROM jsonb_array_elements(results) r) AS names
        FROM ledger_verifications`);
    expect([attempts, names]).toEqual([1, checks]);
    const { data } = (await operator.get('/audit-log?action=books')).body;
    expect(data.map(({ actor, action, target }: any) => [actor, action, target])).toEqual([
      [operator.email, 'books.verification_ordered', ended.id],
    ]);
  });

  it('names what is wrong with the books', async () => {
    await duka.asOwner(`UPDATE ledger_accounts SET available = available + 1 WHERE name = 'wallet' AND currency = 'USD'
      AND available > 0`);
    await order();
    await run();
    await duka.asOwner(`UPDATE ledger_accounts SET available = available - 1 WHERE name = 'wallet' AND currency = 'USD'
      AND available > 0`);
    const { state, findings } = await last();
    expect([state, findings.map(({ check, found }: any) => [check, found])]).toEqual([
      'not_in_order',
      [
        ['books_balance', 1],
        ['balances_equal_entries', 1],
      ],
    ]);
    expect(JSON.parse(findings[0].sample[0])).toMatchObject({ currency: 'USD', livemode: false, sum: 1 });
  });

  it('that is cut is gone on with where it was, and given up when it never ends', async () => {
    await order();
    await run();
    const kept = `UPDATE ledger_verifications SET ended_at = NULL, lease = gen_random_uuid(),
      leased_until = now() + $1::interval, attempts = $2, results = results - 0 WHERE id = (
        SELECT id FROM ledger_verifications ORDER BY id DESC LIMIT 1)`;
    await duka.asOwner(kept, ['1 minute', 1]);
    await run();
    const { state, checks, done } = await last();
    expect([state, checks - done]).toEqual(['running', 1]);
    await duka.asOwner(kept.replace('results - 0', 'results'), ['-1 second', 1]);
    await run();
    expect(await last()).toMatchObject({ state: 'in_order', done: checks });
    const [{ last: redone }] = await query(`SELECT results -> -1 ->> 'check' AS last FROM ledger_verifications
      ORDER BY id DESC LIMIT 1`);
    expect(redone).toBe('postings_balance');
    await duka.asOwner(kept.replace('results - 0', 'results'), ['-1 second', 5]);
    await run();
    expect(await last()).toMatchObject({ state: 'failed', failure: expect.stringContaining('again and again') });
    expect((await order()).status).toBe(204);
    await run();
  });

  it('that fails is tried again, and at last says why', async () => {
    await duka.asOwner('REVOKE SELECT ON disputes FROM duka_app');
    await order();
    await run();
    expect(await last()).toMatchObject({ state: 'running', failure: null });
    await duka.asOwner(`UPDATE ledger_verifications SET attempts = 4, leased_until = now() WHERE ended_at IS NULL`);
    await run();
    await duka.asOwner('GRANT SELECT ON disputes TO duka_app');
    expect(await last()).toMatchObject({ state: 'failed', failure: 'permission denied for table disputes' });
  });

  it('is left to another worker when its own stops', async () => {
    await order();
    duka.get<Verifications>(Verifications).onModuleDestroy();
    await run();
    expect(await last()).toMatchObject({ state: 'running', done: 0, failure: null });
    expect(await query('SELECT attempts, lease FROM ledger_verifications WHERE ended_at IS NULL')).toEqual([
      { attempts: 0, lease: null },
    ]);
    await duka.restart();
    await run();
    expect((await last()).state).toBe('in_order');
  });

  it('at the command line is shown beside the others', async () => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    expect(await line.duka('verify:ledger')).toMatchObject({ status: 0, json: { ok: true } });
    const { checks, done, ...shown } = await last();
    expect(shown).toMatchObject({ state: 'in_order', source: 'command', person: null, findings: [], failure: null });
    expect([checks > 40, done]).toEqual([true, checks]);
  });
});
