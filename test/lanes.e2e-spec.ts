import { DataSource } from 'typeorm';
import { decodeId, laneOf } from '../src/core/http/ids';
import { LedgerAccountsService } from '../src/modules/ledger/accounts.service';
import { PLATFORM_ACCOUNT_ID } from '../src/modules/ledger/posting';
import { Duka, type TestAccount } from './support/duka';

const LANES = 4;
const PHONE = '+2348031234567';
const AMOUNT = 50_000;

let duka: Duka;
/** One of each lane. */
const shops: TestAccount[] = [];

beforeAll(async () => {
  duka = await Duka.start({ LANES });
  for (const lane of Array(LANES).keys()) {
    let shop = await duka.account();
    while (laneOf(decodeId('acct', shop.id)!, LANES) !== lane) shop = await duka.account();
    shops.push(shop);
  }
});
afterAll(() => duka.stop());

const buy = async ({ api }: TestAccount, amount = AMOUNT) => {
  const wallet_id = await api.wallet();
  await api.post(`/v4/sandbox/wallets/${wallet_id}/credit`, { amount: 10 * amount });
  const { body } = await api.post('/v4/airtime/purchase', { phone: PHONE, amount, wallet_id });
  expect(body.status).toBe('successful');
  return body;
};

/** The platform's ledger accounts that postings of an account touched, but for those that are its own. */
const touchedBy = async (shop: TestAccount): Promise<string[]> => {
  const rows: { id: string }[] = await duka.get<DataSource>(DataSource).query(
    `SELECT DISTINCT p.ledger_account_id AS id FROM ledger_entries e
       JOIN ledger_entries p ON p.posting_id = e.posting_id AND p.account_id = $2
       JOIN ledger_accounts a ON a.account_id = p.account_id AND a.id = p.ledger_account_id
      WHERE e.account_id = $1 AND a.name NOT LIKE '%' || $1::text`,
    [decodeId('acct', shop.id), PLATFORM_ACCOUNT_ID],
  );
  return rows.map(({ id }) => id);
};
const float = () =>
  duka.get<LedgerAccountsService>(LedgerAccountsService).platformBalance('provider_float:sandbox', 'NGN', false);

it('accounts of different lanes touch no row in common, and the platform has their sum', async () => {
  const before = await float();
  await Promise.all(shops.map((shop) => buy(shop)));
  const touched = await Promise.all(shops.map(touchedBy));
  for (const ids of touched) expect(ids.length).toBeGreaterThan(0);
  expect(new Set(touched.flat()).size).toBe(touched.flat().length);
  expect((await float()) - before).toBe(BigInt(LANES * AMOUNT));
});

it('two accounts of one lane share its rows', async () => {
  let other = await duka.account();
  while (laneOf(decodeId('acct', other.id)!, LANES) !== 0) other = await duka.account();
  await buy(other);
  expect(await touchedBy(other)).toEqual(expect.arrayContaining(await touchedBy(shops[0]!)));
});

it('a transfer between lanes moves money as any other', async () => {
  const [from, to] = [await shops[1]!.api.wallet(), await shops[2]!.api.wallet()];
  await shops[1]!.api.post(`/v4/sandbox/wallets/${from}/credit`, { amount: AMOUNT });
  const sent = await shops[1]!.api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount: AMOUNT });
  expect(sent.status).toBe(201);
  expect((await shops[2]!.api.get(`/v4/wallets/${to}`)).body.balance.available).toBe(AMOUNT);
});

it('another number of lanes, and back, leaves every sum as it was', async () => {
  const before = await float();
  const shop = shops[3]!;
  Object.assign(duka.env, { LANES: 1 });
  await duka.restart();
  const api = duka.api(shop.key);
  const wallet_id = await api.wallet();
  await api.post(`/v4/sandbox/wallets/${wallet_id}/credit`, { amount: 2 * AMOUNT });
  const bought = await api.post('/v4/airtime/purchase', { phone: PHONE, amount: AMOUNT + 100, wallet_id });
  expect(bought.body.status).toBe('successful');
  const between = await float();
  expect(between - before).toBe(BigInt(AMOUNT + 100));
  Object.assign(duka.env, { LANES });
  await duka.restart();
  expect(await float()).toBe(between);
});
