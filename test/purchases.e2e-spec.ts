import { SweeperService } from '../src/modules/purchases/sweeper.service';
import { Duka, type TestAccount } from './support/duka';

let duka: Duka;
let account: TestAccount;
let wallet: string;

const PRICE = 10_000;
/** MTN's commission is 2.5 %, and airtime has no fee. */
const TOTAL = 9_750;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

beforeEach(async () => {
  account = await duka.account();
  wallet = (await account.api.get('/v4/wallets')).body.data[0].id;
  await account.api.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount: 100_000 });
});

const buy = (body: object = {}, headers: Record<string, string> = {}) =>
  account.api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: PRICE, ...body }, headers);
const balance = async () => (await account.api.get(`/v4/wallets/${wallet}`)).body.balance;

test('airtime is sold: one debit of amount less commission', async () => {
  const { status, body } = await buy({ reference: 'a-1', metadata: { order: '7' } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: 'transaction', type: 'airtime_purchase', status: 'successful', amount: PRICE, fee: 0, commission: 250, total: TOTAL, recipient: '+2348031234567',
    balance_before: 100_000, balance_after: 100_000 - TOTAL, provider: { name: 'sandbox', attempts: 1 }, failure: null, metadata: { order: '7' },
  });
  expect(await balance()).toEqual({ available: 100_000 - TOTAL, held: 0, ledger: 100_000 - TOTAL });
});
