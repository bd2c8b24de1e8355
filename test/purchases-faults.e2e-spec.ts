import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { SandboxAirtime, SandboxBackupAirtime } from '../src/modules/airtime/providers/sandbox/sandbox.provider';
import type { FindResult, NotDelivered, ProviderResult } from '../src/modules/purchases/purchases.provider';
import { Requeries } from '../src/providers/requeries';
import { Duka, type TestAccount } from './support/duka';

const REFUSED: NotDelivered & { about: 'order' } = {
  outcome: 'not_delivered',
  about: 'order',
  code: 'operator_unavailable',
  message: 'Not today.',
  recovery: 'retry_later',
  retryElsewhere: true,
};
const SOLD: ProviderResult = { outcome: 'delivered', providerReference: 'R-1' };
const PENDING: ProviderResult = { outcome: 'unknown', code: 'processing' };

let duka: Duka;
let account: TestAccount;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true });
});
afterAll(() => duka.stop());

beforeEach(async () => {
  account = await duka.account();
  const [wallet] = (await account.api.get('/v4/wallets')).body.data;
  await account.api.credit(wallet.id, 100_000);
});
afterEach(() => jest.restoreAllMocks());

const first = () => duka.get<SandboxAirtime>(SandboxAirtime);
const second = () => duka.get<SandboxBackupAirtime>(SandboxBackupAirtime);
/** Answered when the call of the provider has ended. */
const buy = async () =>
  (await account.api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: 10_000 })).body;
const requery = (id: string) => account.api.post(`/v4/transactions/${id}/requery`);
const get = async (id: string) => (await account.api.get(`/v4/transactions/${id}`)).body;

/** An answer that is kept back: `asked` resolves when somebody waits for it. */
function keptBack<T>() {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<T>()];
  return {
    asked: asked.promise,
    give: answer.resolve,
    wait: () => {
      asked.resolve();
      return answer.promise;
    },
  };
}

describe('while two ask about one attempt', () => {
  test('a refusal that both hear sends the order to the next provider once', async () => {
    jest.spyOn(first(), 'purchase').mockResolvedValue(PENDING);
    const both = keptBack<FindResult>();
    let waiting = 0;
    jest.spyOn(first(), 'find').mockImplementation(() => {
      if (++waiting === 2) both.give(REFUSED);
      return both.wait();
    });
    const sale = jest.spyOn(second(), 'purchase').mockResolvedValue(SOLD);
    const { id } = await buy();
    const answers = await Promise.all([requery(id), requery(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(sale).toHaveBeenCalledTimes(1);
    expect(await get(id)).toMatchObject({
      status: 'successful',
      provider: { name: 'sandbox_backup', reference: 'R-1', attempts: 2 },
    });
  });

  test('what says nothing and comes late does not undo the step to the next provider', async () => {
    jest.spyOn(first(), 'purchase').mockResolvedValue(PENDING);
    const [late, sale] = [keptBack<FindResult>(), keptBack<ProviderResult>()];
    jest.spyOn(first(), 'find').mockImplementationOnce(late.wait).mockResolvedValueOnce(REFUSED);
    jest.spyOn(second(), 'purchase').mockImplementation(sale.wait);
    const { id } = await buy();
    const slow = requery(id);
    await late.asked;
    const quick = requery(id);
    await sale.asked;
    late.give({ outcome: 'not_known' });
    await slow;
    expect((await get(id)).provider).toMatchObject({ name: 'sandbox_backup', attempts: 2 });
    sale.give(SOLD);
    await quick;
    expect(await get(id)).toMatchObject({ status: 'successful', provider: { name: 'sandbox_backup', attempts: 2 } });
  });

  test('the time-out of a call does not undo what a requery found out meanwhile', async () => {
    const [call, sale] = [keptBack<ProviderResult>(), keptBack<ProviderResult>()];
    jest.spyOn(first(), 'purchase').mockImplementation(call.wait);
    jest.spyOn(first(), 'find').mockResolvedValue(REFUSED);
    jest.spyOn(second(), 'purchase').mockImplementation(sale.wait);
    const bought = buy();
    await call.asked;
    const [{ id }] = (await account.api.get('/v4/transactions?type=airtime_purchase')).body.data;
    const asked = requery(id);
    await sale.asked;
    call.give(PENDING);
    await bought;
    expect((await get(id)).provider).toMatchObject({ name: 'sandbox_backup', attempts: 2 });
    sale.give(SOLD);
    await asked;
    expect(await get(id)).toMatchObject({ status: 'successful', provider: { name: 'sandbox_backup', attempts: 2 } });
  });
});

test('a requery that fails before it began is made again', async () => {
  jest.spyOn(first(), 'purchase').mockResolvedValue(PENDING);
  jest.spyOn(first(), 'find').mockResolvedValue(SOLD);
  const { id } = await buy();
  const lease = jest.spyOn(duka.get<any>(Requeries), 'lease').mockRejectedValueOnce(new Error('the database is away'));
  await duka
    .get<DataSource>(DataSource)
    .query(`UPDATE purchases SET next_check_at = date_trunc('milliseconds', now()) WHERE account_id = $1`, [
      decodeId('acct', account.id),
    ]);
  while ((await get(id)).status === 'processing') await duka.get<Requeries>(Requeries).sweep();
  expect((await get(id)).status).toBe('successful');
  expect(lease.mock.calls.length).toBeGreaterThan(1);
});
