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
