import { randomUUID } from 'node:crypto';
import { decodeId } from '../src/core/http/ids';
import { BatchKinds } from '../src/modules/batches/batch-kinds';
import { BatchRun, Turn } from '../src/modules/batches/batch-run';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import { topUps } from './support/batches';
import { Duka, type TestAccount } from './support/duka';

/** Of a batch beside which others use the ledger. */
const FEW = 9;
const ROWS = 200;

let duka: Duka;
let twin: Duka;
let shop: TestAccount;
let wallet: string;

// No workers: what a process does is called by name.
beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
  shop = await duka.account();
  wallet = (await shop.api.get('/v4/wallets')).body.data[0].id;
  await shop.api.credit(wallet, 100_000_000);
});
afterAll(async () => {
  await twin.stop();
  await duka.stop();
});

/** Rows of a batch that were under way at once, at most. */
async function mostAtOnce(name: string): Promise<number> {
  const body = { kind: 'airtime', items: topUps(name, ROWS) };
  const { body: batch } = await shop.api.post('/v4/batches', body, { key: randomUUID() });
  const key = { accountId: decodeId('acct', shop.id)!, livemode: false, id: decodeId('bat', batch.id)! };
  const kinds = duka.get<BatchKinds>(BatchKinds);
  const real = kinds.carryOut.bind(kinds);
  let [underWay, most] = [0, 0];
  jest.spyOn(kinds, 'carryOut').mockImplementation(async (...args) => {
    most = Math.max(most, ++underWay);
    return real(...args).finally(() => underWay--);
  });
  let counts = { successful: 0 };
  for (let turns = 0; turns < 20 && counts.successful < ROWS; turns++) {
    await duka.get<BatchRun>(BatchRun).turn(key, new Turn(new Date()));
    ({ counts } = (await shop.api.get(`/v4/batches/${batch.id}`)).body);
  }
  jest.restoreAllMocks();
  expect(counts.successful).toBe(ROWS);
  return most;
}

const isShared = (process: Duka, { id }: TestAccount): Promise<boolean> =>
  process.get<LedgerService>(LedgerService).isUsedByOthers(decodeId('acct', id)!);

it('takes all the room while nobody else is there, in any process, and leaves it to whoever comes', async () => {
  expect(await isShared(duka, shop)).toBe(false);
  expect(await mostAtOnce('alone')).toBeGreaterThan(FEW);
  expect(await isShared(duka, shop)).toBe(false);
  const other = await duka.account();
  // Nobody posted here: the other process is seen in the database.
  expect(await isShared(twin, other)).toBe(true);
  const till = twin.api(other.key);
  const mine = (await till.get('/v4/wallets')).body.data[0].id;
  await till.credit(mine, 1_000_000);
  const order = { phone: '+2348031234567', network: 'mtn', amount: 10_000, wallet_id: mine };
  for (let i = 0; i < 5; i++)
    expect((await till.post('/v4/airtime/purchase', order, { key: randomUUID() })).status).toBe(201);
  expect(await isShared(duka, shop)).toBe(true);
  expect(await mostAtOnce('beside')).toBeLessThanOrEqual(FEW);
});
