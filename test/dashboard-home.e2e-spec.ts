import { decodeId } from '../src/core/http/ids';
import { displayMoney } from '../src/core/money/money';
import { localTime } from '../src/core/text/local-time';
import { Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { setRate } from './support/rates';
import { until } from './support/recurring-probe';
import {
  FLOAT_MINOR,
  FULLEST_MINOR,
  removeTransactions,
  SEEDED,
  type Seeded,
  seedTransactions,
  seedWallets,
} from './support/many-wallets';

let duka: Duka;
let ada: Browser;
let account: string;
let secret: string;
let seeded: Seeded;
let first: string;

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  account = (await ada.get('/me')).body.account.id;
  secret = (await ada.post('/keys', { name: 'k', livemode: false })).body.secret;
  first = (await duka.api(secret).get('/v4/wallets')).body.data[0].id;
  seeded = await seedWallets(duka, account);
});
afterAll(async () => {
  await removeTransactions(duka, account);
  await seeded.remove();
  await duka.stop();
});

const overview = async () => (await ada.get('/overview?livemode=false')).body;
const find = async (query: string, browser = ada) => (await browser.get(`/wallets?livemode=false&${query}`)).body;
const labels = async (query: string) => (await find(query)).data.map(({ label }: { label: string }) => label);

describe('Home', () => {
  it('sums all wallets by currency, most money first, and shows the fullest of each', async () => {
    const { totals, wallets, wallets_total: total } = await overview();
    const shops = Array.from({ length: SEEDED }, (_, at) => at).slice(5);
    const naira = FLOAT_MINOR + FULLEST_MINOR + shops.reduce((sum, at) => sum + at, 0);
    expect(
      totals.map(({ currency, wallets: count, available, held }: any) => [currency, count, available, held]),
    ).toEqual([
      ['NGN', 298, naira, FLOAT_MINOR / 4 + FULLEST_MINOR],
      ['USD', 2, 1_500_000, 0],
      ['EUR', 1, 123_456, 0],
    ]);
    expect(total).toBe(SEEDED + 1);
    expect(wallets).toHaveLength(12);
    const ids = wallets.map(({ id }: { id: string }) => id);
    // Of each currency the fullest, though 295 wallets are newer.
    expect(new Set(ids.slice(0, 3))).toEqual(new Set([seeded.wallets[3], seeded.wallets[2], seeded.wallets[4]]));
    expect(ids).toContain(seeded.wallets[0]);
  });

  it('leaves out what moves between own wallets, and counts what comes from others', async () => {
    const [mine, other] = [await duka.account(), await duka.account()];
    const owner = await newOwner(duka);
    const key = (await owner.post('/keys', { name: 'k', livemode: false })).body.secret;
    const [one, two] = [await duka.api(key).wallet(500_000), await duka.api(key).wallet()];
    const ask = async () => (await owner.get('/overview?livemode=false')).body;
    await duka.api(key).transfer(one, two, 150_000);
    expect((await ask()).days).toMatchObject([{ count: 1, amount_in: 500_000, amount_out: 0 }]);
    const dollars = await duka.api(key).wallet(0, 'USD');
    await setRate(duka, { from: 'USD', to: 'NGN', rate: '1500' });
    const { body: quote } = await duka
      .api(key)
      .post('/v4/quotes', { from_currency: 'NGN', to_currency: 'USD', amount: 150_000 });
    const conversion = { quote_id: quote.id, from_wallet: one, to_wallet: dollars };
    expect((await duka.api(key).post('/v4/conversions', conversion)).status).toBe(201);
    const { id: stranger } = (await mine.api.get('/v4/wallets')).body.data[0];
    await duka.api(key).transfer(one, stranger, 20_000);
    await other.api.transfer(await other.api.wallet(30_000), two, 30_000);
    expect((await ask()).days).toMatchObject([{ currency: 'NGN', count: 3, amount_in: 530_000, amount_out: 20_000 }]);
  });

  it('rates purchases alone, with why the others failed, and says what is under way and in review', async () => {
    const owner = await newOwner(duka);
    const key = (await owner.post('/keys', { name: 'k', livemode: false })).body.secret;
    const wallet = await duka.api(key).wallet(5_000_000);
    const buy = (phone: string) =>
      duka.api(key).post('/v4/airtime/purchase', { wallet_id: wallet, phone, country: 'NG', amount: 10_000 });
    const ask = async () => (await owner.get('/overview?livemode=false')).body;
    // Money came in, and nothing was bought yet.
    expect(await ask()).toMatchObject({ success_rate: null, failures: [] });
    const bought = [await buy('08031234567'), await buy('08031234568'), await buy('+2348000000103')];
    const failed = bought.filter(({ body }) => body.status === 'failed');
    await buy('+2348000000111');
    const body = await ask();
    expect(failed).toHaveLength(1);
    expect(body.success_rate).toBeCloseTo(2 / 3);
    expect(body.failures).toEqual([{ code: failed[0]!.body.failure.code, count: 1 }]);
    expect(body.under_way).toMatchObject({ transactions_in_review: 0, payments_in_review: 0 });
    expect(body.under_way.pending + body.under_way.processing).toBe(1);
    expect(body.totals[0].held).toBeGreaterThan(0);
    const owned = [decodeId('acct', (await owner.get('/me')).body.account.id)];
    const mark = (value: boolean) =>
      duka.asOwner(
        `UPDATE transactions SET needs_review = ${value} WHERE account_id = $1 AND type = 'airtime_purchase'`,
        owned,
      );
    await mark(true);
    expect((await ask()).under_way.transactions_in_review).toBe(4);
    await mark(false);
  });

  it('counts what was reversed as it moved: out and in again with its fee, or in and out again', async () => {
    const owner = await newOwner(duka);
    const api = duka.api((await owner.post('/keys', { name: 'k', livemode: false })).body.secret);
    const wallet = await api.wallet(1_000_000);
    const moved = async () => {
      const [{ amount_in, amount_out, successful }] = (await owner.get('/overview?livemode=false')).body.days;
      return { in: amount_in, out: amount_out, successful };
    };
    const bank = { code: '058', account_number: '0000000100' };
    const { body: payout } = await api.post('/v4/payouts', { wallet_id: wallet, amount: 100_000, bank });
    expect(payout.fee).toBeGreaterThan(0);
    expect(await moved()).toEqual({ in: 1_000_000, out: 100_000, successful: 2 });
    await api.post(`/v4/sandbox/transactions/${payout.id}/settle`, { status: 'reversed' });
    const total = 100_000 + payout.fee;
    expect(await moved()).toEqual({ in: 1_000_000 + total, out: total, successful: 2 });
    expect((await owner.get('/overview')).body.sales).toMatchObject([{ type: 'payout', successful: 0, failed: 1 }]);
    const order = { amount: 200_000, currency: 'NGN', wallet_id: wallet };
    const { body: payment } = await api.post('/api/v1/payments', order);
    const complete = (status: string) => api.post(`/v4/sandbox/payments/${payment.id}/complete`, { status });
    const { body: paid } = await complete('successful');
    const net = paid.amount - paid.fee;
    expect(await moved()).toEqual({ in: 1_000_000 + total + net, out: total, successful: 3 });
    expect((await complete('reversed')).body.status).toBe('reversed');
    expect(await moved()).toEqual({ in: 1_000_000 + total + net, out: total + net, successful: 3 });
    expect(await api.balance(wallet)).toMatchObject({ ledger: 1_000_000 });
  });

  it('sets a period beside the one before, and says what was sold through whom', async () => {
    const owner = await newOwner(duka);
    const key = (await owner.post('/keys', { name: 'k', livemode: false })).body.secret;
    const { id } = (await owner.get('/me')).body.account;
    const ask = async (query = '') => (await owner.get(`/overview?livemode=false${query}`)).body;
    const wallet = await duka.api(key).wallet(5_000_000);
    const airtime = { wallet_id: wallet, phone: '08031234567', country: 'NG', amount: 10_000, allow_duplicate: true };
    const bought = [];
    for (const phone of ['08031234567', '08031234567', '+2348000000103'])
      bought.push((await duka.api(key).post('/v4/airtime/purchase', { ...airtime, phone })).body);
    const commission = bought
      .filter(({ status }) => status === 'successful')
      .reduce((sum, one) => sum + one.commission, 0);
    const seed = (daysAgo: number, count: number, amount: number) =>
      seedTransactions(duka, {
        type: 'airtime_purchase',
        currency: 'NGN',
        accountId: id,
        walletId: wallet,
        count,
        amount,
        daysAgo,
      });
    await seed(20, 3, 40_000);
    await seed(40, 2, 50_000);
    const month = await ask();
    expect(month.sums).toEqual([
      {
        currency: 'NGN',
        in_display: 'NGN 50,000.00',
        in_before_display: 'NGN 0.00',
        in_change: null,
        out_display: 'NGN 1,400.00',
        out_before_display: 'NGN 1,000.00',
        out_change: 0.4,
      },
    ]);
    expect([month.success_rate, month.success_rate_before]).toEqual([5 / 6, 1]);
    expect(month.sales).toEqual([
      expect.objectContaining({ network: null, successful: 3, failed: 0, amount_display: 'NGN 1,200.00' }),
      {
        type: 'airtime_purchase',
        network: 'mtn',
        currency: 'NGN',
        successful: 2,
        failed: 1,
        amount_display: 'NGN 200.00',
        commission_display: displayMoney({ amount: BigInt(commission), currency: 'NGN' }),
      },
    ]);
    expect(commission).toBeGreaterThan(0);
    const week = await ask('&period=7d');
    expect(week.sums).toMatchObject([{ out_display: 'NGN 200.00', out_before_display: 'NGN 0.00', out_change: null }]);
    expect(Date.parse(week.to) - Date.parse(week.from)).toBe(6 * 86_400_000);
    expect(Date.parse(month.to) - Date.parse(month.from)).toBe(29 * 86_400_000);
    expect((await owner.get('/overview?period=90d')).status).toBe(400);
    await removeTransactions(duka, id);
  });

  it('counts days as the clocks of the account do, or in UTC', async () => {
    const owner = await newOwner(duka);
    const key = (await owner.post('/keys', { name: 'k', livemode: false })).body.secret;
    const id = decodeId('acct', (await owner.get('/me')).body.account.id)!;
    // 25 hours apart: whatever the time is, their days differ.
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
      await duka.asOwner('UPDATE accounts SET time_zone = $2 WHERE id = $1', [id, zone]);
      const today = localTime(new Date(), zone).slice(0, 10);
      await duka.api(key).wallet(100);
      const { days, to } = (await owner.get('/overview')).body;
      expect([zone, to, days.at(-1).day]).toEqual([zone, today, today]);
      const utc = (await owner.get('/overview?utc=true')).body;
      expect([utc.to, utc.days.at(-1).day]).toEqual(Array(2).fill(new Date().toISOString().slice(0, 10)));
    }
  });

  it('says how long a wallet lasts at the pace of the last week, and how webhooks are', async () => {
    const owner = await newOwner(duka);
    const key = (await owner.post('/keys', { name: 'k', livemode: false })).body.secret;
    const { id } = (await owner.get('/me')).body.account;
    const [used, idle] = [await duka.api(key).wallet(600_000), await duka.api(key).wallet(100)];
    const seed = (count: number, daysAgo: number) =>
      seedTransactions(duka, {
        type: 'airtime_purchase',
        currency: 'NGN',
        accountId: id,
        walletId: used,
        count,
        amount: 10_000,
        daysAgo,
      });
    await seed(7, 3);
    await seed(70, 9);
    const { body } = await duka.api(key).post('/v4/webhooks', { url: 'https://1.1.1.1/hook', events: ['*'] });
    await duka.asOwner('UPDATE webhook_endpoints SET failing_since = now() WHERE id = $1', [decodeId('whk', body.id)]);
    const { wallets, webhooks } = (await owner.get('/overview')).body;
    const lasting = Object.fromEntries(wallets.map((wallet: any) => [wallet.id, wallet.lasts_days]));
    // 70,000 in a week are 10,000 a day.
    expect([lasting[used], lasting[idle]]).toEqual([60, null]);
    expect(webhooks).toMatchObject({ endpoints: 1, failing: 1, disabled: 0 });
    // Who disables one themselves knows of it.
    expect((await duka.api(key).post(`/v4/webhooks/${body.id}/disable`)).status).toBe(200);
    expect((await owner.get('/overview')).body.webhooks).toMatchObject({ endpoints: 1, failing: 0, disabled: 0 });
    await duka.asOwner(`UPDATE webhook_endpoints SET disabled_reason = 'failures' WHERE id = $1`, [
      decodeId('whk', body.id),
    ]);
    expect((await owner.get('/overview')).body.webhooks.disabled).toBe(1);
    await removeTransactions(duka, id);
  });

  it('opens on the currency that moved most where the money is equal', async () => {
    const owner = await newOwner(duka);
    const key = (await owner.post('/keys', { name: 'k', livemode: false })).body.secret;
    const [euros, dollars] = [await duka.api(key).wallet(1_000, 'EUR'), await duka.api(key).wallet(1_500, 'USD')];
    const stranger = await (await duka.account()).api.wallet(0, 'USD');
    await duka.api(key).transfer(dollars, stranger, 500);
    expect(euros).toMatch(/^wal_/);
    const order = (await owner.get('/overview?livemode=false')).body.totals;
    expect(order.map(({ currency }: { currency: string }) => currency).slice(0, 2)).toEqual(['USD', 'EUR']);
  });

  it('reads no table of transactions as a whole', async () => {
    const crowd = await duka.account('Crowd');
    const { id: theirs } = (await crowd.api.get('/v4/wallets')).body.data[0];
    const walletId = seeded.wallets[0]!;
    const shared = { type: 'airtime_purchase', currency: 'NGN', amount: 100 };
    await seedTransactions(duka, { ...shared, accountId: crowd.id, walletId: theirs, count: 40_000 });
    await seedTransactions(duka, { ...shared, accountId: account, walletId, count: 500 });
    await duka.asOwner('ANALYZE transactions');
    // A session that idles may keep for ten seconds what it read; it tells when it ends.
    const read = async () => {
      await duka.app.close();
      await until(async () => {
        const [row] = await duka.asOwner(
          `SELECT count(*)::integer AS sessions FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        );
        return row!.sessions === 0;
      });
      const [row] = await duka.asOwner(
        `SELECT seq_tup_read::integer AS rows FROM pg_stat_user_tables WHERE relname = 'transactions'`,
      );
      await duka.reopen();
      return row!.rows as number;
    };
    const before = await read();
    expect((await overview()).days).toMatchObject([{ currency: 'NGN', count: 500, amount_out: 50_000 }]);
    expect((await read()) - before).toBe(0);
    await removeTransactions(duka, crowd.id);
  });
});

describe('wallets are found', () => {
  it('by label, currency, state and id, in part too, and by nothing else', async () => {
    const [float, dollars] = [seeded.wallets[0]!, seeded.wallets[1]!];
    expect(await labels('q=float')).toEqual(['Float']);
    expect(await labels('q=DOLLARS')).toEqual(['Dollars 2', 'Dollars 1']);
    expect(await labels('q=usd')).toEqual(['Dollars 2', 'Dollars 1']);
    expect(await labels('currency=USD&status=active')).toEqual(['Dollars 2', 'Dollars 1']);
    expect(await labels('currency=USD&q=1')).toEqual(['Dollars 1']);
    // Of the last six, three are the account's: another wallet of it may have the same ones.
    for (const part of [float, float.slice(4), float.slice(-9), `…${float.slice(-9)}`])
      expect([part, await labels(`q=${encodeURIComponent(part)}`)]).toEqual([part, ['Float']]);
    expect(await labels(`q=${encodeURIComponent(`…${float.slice(-6)}`)}`)).toContain('Float');
    const beginning = await find(`q=${dollars.slice(0, 14)}&currency=USD`);
    expect(beginning.data.map(({ id }: { id: string }) => id)).toContain(dollars);
    for (const nothing of ['100%', '_', String.raw`\ `, 'wal_', 'nobody', "' OR 1=1 --"])
      expect([nothing, await labels(`q=${encodeURIComponent(nothing)}`)]).toEqual([nothing, []]);
    expect(await find('status=closed')).toEqual({ data: [], total: 0, next_cursor: null });
  });

  it('page by page, and the number says how many there are on all', async () => {
    const all: string[] = [];
    let cursor = '';
    do {
      const page = await find(`limit=100${cursor && `&cursor=${cursor}`}`);
      expect(page.total).toBe(SEEDED + 1);
      all.push(...page.data.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(all).toEqual([...[...seeded.wallets].reverse(), first]);
  });

  it('of one account in one mode', async () => {
    expect((await find('q=float', await newOwner(duka))).data).toEqual([]);
    expect((await ada.get('/wallets?livemode=true&q=float')).body.data).toEqual([]);
    for (const wrong of ['status=lost', 'currency=XYZ', 'cursor=x', 'limit=101'])
      expect((await ada.get(`/wallets?${wrong}`)).status).toBe(400);
  });
});
