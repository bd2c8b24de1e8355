import { decodeId } from '../src/core/http/ids';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import { brokenChecks } from './support/books';
import { CardOwner } from './support/cardholder';
import { CommandLine } from './support/command-line';
import type { Answer } from './support/contract';
import { Duka, type TestAccount } from './support/duka';
import { Shopper, TOTAL } from './support/shopper';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('a credit line', () => {
  let duka: Duka;
  let second: Duka;
  let line: CommandLine;
  let shop: TestAccount;
  let ada: string[];

  beforeAll(async () => {
    duka = await Duka.start();
    second = await duka.twin();
    line = CommandLine.on(duka.env.DATABASE_URL!);
    shop = await duka.account();
    ada = await line.person('ada@example.com', true);
  });
  afterAll(async () => {
    await second.stop();
    await duka.stop();
  });

  const lend = (wallet: string, limit: number, ...more: string[]) =>
    line.duka('wallet:credit-limit', '--wallet', wallet, '--limit', `${limit}`, ...more);
  const shown = async (wallet: string, { api } = shop) => {
    const { body } = await api.get(`/v4/wallets/${wallet}`);
    return { limit: body.credit_limit, ...body.balance };
  };
  const refused = ({ status, body }: Answer) => [status, body.code];

  it('lets a wallet pay beyond what it has, up to the limit and no further', async () => {
    const [a, b] = [await shop.api.wallet(100), await shop.api.wallet()];
    expect(await shown(a)).toMatchObject({ limit: 0, credit_available: 0 });
    const before = new Date().toISOString();
    expect(await lend(a, 500)).toMatchObject({
      status: 0,
      json: { wallet_id: a, livemode: false, credit_limit: 500, available: 100, credit_available: 500 },
    });
    expect(await shown(a)).toEqual({ limit: 500, available: 100, held: 0, ledger: 100, credit_available: 500 });
    expect((await shop.api.transfer(a, b, 450)).status).toBe(201);
    expect(await shown(a)).toEqual({ limit: 500, available: -350, held: 0, ledger: -350, credit_available: 150 });

    const much = await shop.api.transfer(a, b, 151);
    expect(refused(much)).toEqual([402, 'insufficient_funds']);
    expect(much.body.detail).toBe(`${a} has -350 available and 150 of credit left; this needs 151.`);
    expect(refused(await shop.api.transfer(a, b, 151, { dry_run: true }))).toEqual([402, 'insufficient_funds']);
    expect((await shop.api.transfer(a, b, 150, { dry_run: true })).status).toBe(200);
    expect((await shop.api.transfer(a, b, 150)).status).toBe(201);
    expect(await shown(a)).toMatchObject({ available: -500, credit_available: 0 });

    const { body: statement } = await shop.api.get(`/v4/wallets/${a}/entries`);
    expect(statement.data.map((entry: any) => entry.balance_after)).toEqual([-500, -350, 100]);
    const { body: transactions } = await shop.api.get(`/v4/transactions?wallet_id=${a}&limit=1`);
    expect(transactions.data[0]).toMatchObject({ balance_before: -350, balance_after: -500 });
    const then = (await shop.api.get(`/v4/wallets/${a}?at=${before}`)).body;
    expect([then.credit_limit, then.balance.credit_available]).toEqual([0, 0]);
  });

  it('is told: by an event with a version of its own, and in events about money', async () => {
    const [a, b] = [await shop.api.wallet(100), await shop.api.wallet()];
    const { version } = (await shop.api.get(`/v4/wallets/${a}`)).body;
    await lend(a, 500);
    await shop.api.transfer(a, b, 300);
    await shop.api.transfer(b, a, 50);
    const { body } = await shop.api.get('/v4/events?limit=100');
    const told = body.data.filter(({ data }: any) => data.object.id === a).reverse();
    expect(told.map(({ type, data: { object } }: any) => [type, object.credit_limit, object.balance])).toEqual([
      ['wallet.created', 0, { available: 0, held: 0, ledger: 0, credit_available: 0 }],
      ['wallet.credited', 0, { available: 100, held: 0, ledger: 100, credit_available: 0 }],
      ['wallet.updated', 500, { available: 100, held: 0, ledger: 100, credit_available: 500 }],
      ['wallet.credited', 500, { available: -150, held: 0, ledger: -150, credit_available: 350 }],
    ]);
    expect(told[2].data.object.version).toBe(version + 1);
    const sample = await shop.api.post('/v4/sandbox/events/trigger', { type: 'wallet.unfrozen' });
    expect(sample.status).toBe(201);
    expect(Object.keys(sample.body.data.object.balance)).toEqual(['available', 'held', 'ledger', 'credit_available']);
  });

  it('that was lowered below its use lets nothing through, either: what arrives in a batch stays', async () => {
    const { api } = shop;
    const [a, b, x] = [await api.wallet(), await api.wallet(), await api.wallet(200)];
    await lend(a, 200);
    expect((await api.transfer(a, b, 100)).status).toBe(201);
    await lend(a, 20);
    const through = (back: number) => ({
      kind: 'transfer',
      on_error: 'all_or_nothing',
      items: [
        { from_wallet: x, to_wallet: a, amount: back, reference: `back-${back}` },
        { from_wallet: x, to_wallet: a, amount: 10, reference: `in-${back}` },
        { from_wallet: a, to_wallet: b, amount: 10, reference: `out-${back}` },
      ],
    });
    const { status, body } = await api.post('/v4/batches', through(60));
    expect([status, body.code, body.param]).toEqual([402, 'insufficient_funds', '/items/2/from_wallet']);
    expect(await shown(a)).toMatchObject({ available: -100 });
    expect((await api.post('/v4/batches', through(90))).status).toBe(201);
    expect(await shown(a)).toMatchObject({ available: -10, credit_available: 10 });
  });

  it('may be lowered below its use: then nothing leaves until it is paid back, and money still arrives', async () => {
    const buyer = await Shopper.in(duka);
    const { account, wallet } = buyer;
    await lend(wallet, 10_000);
    const rest = await account.api.wallet();
    expect((await account.api.transfer(wallet, rest, 100_000)).status).toBe(201);
    const { body: held } = await buyer.steer('outcome=timeout; then=failed');
    expect(await shown(wallet, account)).toMatchObject({
      available: -TOTAL,
      held: TOTAL,
      ledger: 0,
      credit_available: 250,
    });
    expect(refused(await account.api.post(`/v4/wallets/${wallet}/close`))).toEqual([409, 'invalid_state_transition']);

    expect(await lend(wallet, 1_000)).toMatchObject({
      status: 0,
      json: { credit_limit: 1_000, available: -TOTAL, credit_available: 0 },
    });
    expect(refused(await account.api.transfer(wallet, rest, 1))).toEqual([402, 'insufficient_funds']);
    expect((await account.api.transfer(rest, wallet, 500)).status).toBe(201);
    expect(refused(await account.api.transfer(wallet, rest, 1))).toEqual([402, 'insufficient_funds']);
    // What was held comes back, though that leaves it beyond the limit still.
    await buyer.pass(3_600_000);
    expect((await buyer.get(held.id)).status).toBe('failed');
    expect(await shown(wallet, account)).toMatchObject({ available: 500, held: 0, credit_available: 1_000 });
    expect(refused(await account.api.transfer(wallet, rest, 1_501))).toEqual([402, 'insufficient_funds']);
    expect((await account.api.transfer(wallet, rest, 1_500)).status).toBe(201);
    await lend(wallet, 0);
    expect((await account.api.transfer(rest, wallet, 999)).status).toBe(201);
    expect(refused(await account.api.post(`/v4/wallets/${wallet}/close`))).toEqual([409, 'invalid_state_transition']);
    expect((await account.api.transfer(rest, wallet, 1)).status).toBe(201);
    expect((await account.api.post(`/v4/wallets/${wallet}/close`)).body).toMatchObject({ status: 'closed' });
    expect(await lend(wallet, 5)).toMatchObject({ status: 1, json: { error: { code: 'wallet_closed' } } });
  });

  it('pays for purchases, and starts those that waited for money', async () => {
    const shopper = await Shopper.in(duka);
    const { body: waiting } = await shopper.buy({
      amount: 150_000,
      on_insufficient_funds: 'queue',
      deliver_by: inAnHour(),
    });
    expect(waiting.details.queued).toBe(true);
    await lend(shopper.wallet, 46_249);
    await duka.get<QueuedPurchases>(QueuedPurchases).payAll();
    expect((await shopper.get(waiting.id)).status).toBe('pending');
    await lend(shopper.wallet, 46_250);
    await duka.get<QueuedPurchases>(QueuedPurchases).payAll();
    expect(await shown(shopper.wallet, shopper.account)).toMatchObject({ available: -46_250, credit_available: 0 });
    expect(refused(await shopper.buy({ amount: 10_000, phone: '+2348031234568' }))).toEqual([
      402,
      'insufficient_funds',
    ]);
    // A reset of the sandbox takes test money out: there is none to take.
    expect((await shopper.account.api.post('/v4/sandbox/reset')).status).toBe(200);
    expect(await shown(shopper.wallet, shopper.account)).toMatchObject({ available: -46_250 });
  });

  it('is set by operators only: live ones with a log-in and a reason, and each stands in the audit log', async () => {
    const { json: account } = await line.duka('account:create', '--name', 'Shop');
    expect(await lend(account.live_wallet, 500)).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    expect((await lend(account.live_wallet, 500, ...ada)).status).toBe(0);
    expect((await lend(account.live_wallet, 200, ...ada)).status).toBe(0);
    const entries = (await line.audited()).filter(({ target }) => target === account.live_wallet);
    expect(entries.map(({ action, actor, detail }) => [action, actor, detail.before, detail.after])).toEqual([
      ['wallet.credit_limit_set', 'operator ada@example.com', 0, 500],
      ['wallet.credit_limit_set', 'operator ada@example.com', 500, 200],
    ]);
    for (const limit of ['-1', '1.5', 'x', '9007199254740992']) {
      const { status } = await line.duka('wallet:credit-limit', '--wallet', account.live_wallet, '--limit', limit);
      expect([limit, status]).toEqual([limit, 2]);
    }
    expect(await lend('wal_01kabcdefghjkmnpqrstvwxyz0', 5, ...ada)).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found' } },
    });
  });

  it('is held by the table itself, of wallets only', async () => {
    const wallet = decodeId('wal', await shop.api.wallet(100));
    const owner = await CardOwner.of(duka);
    const card = decodeId('crd', (await owner.card()).id);
    await expect(duka.asOwner('UPDATE ledger_accounts SET available = -1 WHERE id = $1', [wallet])).rejects.toThrow(
      'ledger_accounts_not_overdrawn',
    );
    for (const [set, id] of [
      ['credit_limit = 5, lowest = -5', card],
      ['credit_limit = 5', wallet],
      ['credit_limit = -5', wallet],
    ]) {
      await expect(duka.asOwner(`UPDATE ledger_accounts SET ${set} WHERE id = $1`, [id])).rejects.toThrow(
        'ledger_accounts_credit_limit',
      );
    }
    await expect(
      duka.asOwner(
        `INSERT INTO ledger_entries (account_id, ledger_account_id, created_at, seq, batch_id, posting_id, amount, available_after, held_after, bucket)
         SELECT account_id, id, now(), 9, gen_random_uuid(), gen_random_uuid(), -101, -1, 0, 'available' FROM ledger_accounts WHERE id = $1`,
        [wallet],
      ),
    ).rejects.toThrow('ledger_entries');
  });

  it('holds while it is lowered between debits of two processes; verify:ledger holds each entry against its limit', async () => {
    const [from, to] = [await shop.api.wallet(50), await shop.api.wallet()];
    await lend(from, 1_000);
    const sides = [shop.api, second.api(shop.key)];
    const answers: Answer[] = [];
    const clients = Array.from({ length: 16 }, async (_, c) => {
      for (let i = 0; i < 12; i++) answers.push(await sides[(c + i) % 2]!.transfer(from, to, 7 + ((c * 5 + i) % 11)));
    });
    for (const limit of [700, 300, 900, 100]) await lend(from, limit);
    await Promise.all(clients);
    const paid = answers.filter(({ status }) => status === 201).reduce((sum, { body }) => sum + body.amount, 0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 402]));
    expect(await shown(from)).toMatchObject({ available: 50 - paid, limit: 100 });
    expect((await shop.api.transfer(from, to, 151)).status).toBe(402);
    const above = Math.max(50 - paid, -99);
    if (above > 50 - paid) await shop.api.transfer(to, from, above + paid - 50);
    expect((await shop.api.transfer(from, to, above + 101)).status).toBe(402);
    expect((await shop.api.transfer(from, to, above + 100)).status).toBe(201);
    await duka.expectBooks();

    // Had the limit been lower all along, the entries would show it.
    const lower = (by: number) =>
      duka.asOwner('UPDATE credit_lines SET credit_limit = credit_limit - $2 WHERE ledger_account_id = $1', [
        decodeId('wal', from),
        by,
      ]);
    await lower(99);
    const broken = (await brokenChecks(duka.env.DATABASE_URL!)).map(({ check }) => check);
    await lower(-99);
    expect(broken).toEqual(['nothing_is_overdrawn', 'credit_limits_are_kept']);
  });
});
