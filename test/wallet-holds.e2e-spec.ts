import { decodeId } from '../src/core/http/ids';
import { CardOwner } from './support/cardholder';
import { Duka, type TestAccount } from './support/duka';

/** Nobody says what became of it until somebody settles it. */
const PROCESSING = '+2348000001111';
/** `HOLD_READS=100000 npm test -- test/wallet-holds` */
const READS = Number(process.env.HOLD_READS ?? 600);
const [READERS, WRITERS] = [4, 16];

let duka: Duka;
let account: TestAccount;

beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  account = await duka.account();
});
afterAll(() => duka.stop());

const holdsOf = async (id: string): Promise<any> => (await account.api.get(`/v4/wallets/${id}/holds`)).body;
const sum = ({ data }: { data: { amount: number }[] }): number => data.reduce((total, { amount }) => total + amount, 0);
const buy = (wallet: string, amount: number): Promise<any> =>
  account.api.post(
    '/v4/airtime/purchase',
    { phone: PROCESSING, amount, wallet_id: wallet, network: 'mtn', allow_duplicate: true },
    { headers: { prefer: 'wait=0' } },
  );

it('are those of what is under way, newest first, and add up to what is held', async () => {
  const wallet = await account.api.wallet(1_000_000);
  expect(await holdsOf(wallet)).toEqual({ object: 'list', held: 0, data: [], has_more: false });
  const [first, second] = [(await buy(wallet, 10_000)).body, (await buy(wallet, 20_000)).body];
  // What is refused holds nothing.
  expect((await buy(wallet, 2_000_000)).status).toBe(402);
  const holds = await holdsOf(wallet);
  expect(holds.data).toMatchObject([
    { object: 'hold', transaction_id: second.id, kind: 'airtime_purchase', amount: second.total, releases_at: null },
    { transaction_id: first.id, amount: first.total },
  ]);
  expect([holds.held, sum(holds)]).toEqual([first.total + second.total, first.total + second.total]);
  expect((await account.api.get(`/v4/wallets/${wallet}`)).body.balance.held).toBe(holds.held);
  await account.api.post(`/v4/sandbox/transactions/${first.id}/settle`, { status: 'successful' });
  expect((await holdsOf(wallet)).data).toMatchObject([{ transaction_id: second.id }]);
  const other = await duka.account();
  expect((await other.api.get(`/v4/wallets/${wallet}/holds`)).status).toBe(404);
});

it('say until when a second person may decide, and nothing once one has', async () => {
  await duka.asOwner(
    `INSERT INTO payout_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000)`,
    [decodeId('acct', account.id)],
  );
  await duka.asOwner(
    `INSERT INTO refund_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 20000)`,
    [decodeId('acct', account.id)],
  );
  const wallet = await account.api.wallet(1_000_000);
  const payment = (await account.api.post('/api/v1/payments', { amount: 100_000, currency: 'NGN', wallet_id: wallet }))
    .body;
  await account.api.post(`/v4/sandbox/payments/${payment.id}/complete`, { status: 'successful' });
  const bank = { code: '058', account_number: '0123456789' };
  const payout = await account.api.post('/v4/payouts', { wallet_id: wallet, amount: 200_000, bank });
  const refund = await account.api.post(`/api/v1/payments/${payment.id}/refunds`, { amount: 50_000 });
  expect([payout.status, refund.status]).toEqual([202, 202]);
  const { data } = await holdsOf(wallet);
  expect(data.map(({ kind }: any) => kind).toSorted()).toEqual(['payment_refund', 'payout']);
  const waits = data.map(({ since, releases_at: at }: any) =>
    Math.round((Date.parse(at) - Date.parse(since)) / 60_000),
  );
  expect(waits).toEqual([24 * 60, 24 * 60]);
});

it('name the card that is being made', async () => {
  const owner = await CardOwner.of(duka);
  const { body: card } = await owner.issue({ lastName: 'SLOW', headers: { prefer: 'wait=0' } });
  const { body: holds } = await owner.api.get(`/v4/wallets/${owner.wallet}/holds`);
  const [{ id, total }] = (await owner.api.get('/v4/transactions?type=card_issue')).body.data;
  expect([card.status, holds.held]).toEqual(['pending', total]);
  expect(holds.data).toMatchObject([{ transaction_id: id, kind: 'card_issue', amount: total }]);
});

it(
  'add up in every answer, whoever writes meanwhile',
  async () => {
    const wallet = await account.api.wallet(100_000_000);
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!isOver) {
        const { body } = await buy(wallet, 10_000);
        if (body.id === undefined) await account.api.credit(wallet, 100_000_000);
        else await account.api.post(`/v4/sandbox/transactions/${body.id}/settle`, { status: 'successful' });
      }
    });
    const wrong: unknown[] = [];
    let most = 0;
    const readers = Array.from({ length: READERS }, async () => {
      for (let i = 0; i < READS / READERS; i++) {
        const holds = await holdsOf(wallet);
        most = Math.max(most, holds.data.length);
        if (sum(holds) !== holds.held) wrong.push(holds);
      }
    });
    await Promise.all(readers);
    isOver = true;
    await Promise.all(writers);
    expect(wrong).toEqual([]);
    expect(most).toBeGreaterThan(1);
  },
  60_000 + READS * 20,
);
