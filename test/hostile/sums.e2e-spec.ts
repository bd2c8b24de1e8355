import { DataSource } from 'typeorm';
import { decodeId, encodeId } from '../../src/core/http/ids';
import { PLATFORM_ACCOUNT_ID } from '../../src/modules/ledger/posting';
import { DepositsService } from '../../src/modules/wallets/deposits.service';
import { WalletsService } from '../../src/modules/wallets/wallets.service';
import type { Api } from '../support/api';
import { newOwner } from '../support/dashboard';
import { Duka } from '../support/duka';

const MAX = Number.MAX_SAFE_INTEGER;
const CREDIT_MAX = 10 ** 12;

let duka: Duka;
beforeAll(async () => (duka = await Duka.start()));
afterAll(() => duka.stop());

const credit = (api: Api, wallet: string, amount: number) =>
  api.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount });
const query = (text: string, params: unknown[]) => duka.get<DataSource>(DataSource).query(text, params);
const platformAccounts = () =>
  query('SELECT id, name, available FROM ledger_accounts WHERE account_id = $1', [PLATFORM_ACCOUNT_ID]);

/** Test money by the back door: more than anybody is given. */
async function fill(accountId: string, walletId: string, amount: number): Promise<void> {
  const wallet = await duka
    .get<WalletsService>(WalletsService)
    .require({ accountId: decodeId('acct', accountId)!, livemode: false }, decodeId('wal', walletId));
  await duka
    .get<DepositsService>(DepositsService)
    .deposit(
      { wallet, amount: BigInt(amount), source: 'sandbox_source', reference: null, metadata: {} },
      { key: null, fingerprint: Buffer.alloc(32) },
      { requestId: null, idempotencyKey: null } as never,
    );
}

describe('test money', () => {
  it('comes in bounded portions', async () => {
    const { api } = await duka.account();
    const wallet = await api.wallet();
    expect((await credit(api, wallet, CREDIT_MAX)).status).toBe(201);
    for (const amount of [CREDIT_MAX + 1, MAX])
      expect(await credit(api, wallet, amount)).toMatchObject({
        status: 400,
        body: { code: 'amount_out_of_range', param: '/amount' },
      });
  });

  it('is bounded by account and currency, and a reset gives the room back', async () => {
    const { id, api } = await duka.account();
    const wallet = await api.wallet();
    await fill(id, wallet, 10 ** 15 - 5);
    expect(await credit(api, wallet, 6)).toMatchObject({ status: 402, body: { code: 'limit_exceeded' } });
    expect((await credit(api, wallet, 5)).status).toBe(201);
    expect((await credit(api, wallet, 1)).status).toBe(402);
    expect((await credit(api, await api.wallet(0, 'USD'), 1)).status).toBe(201);
    await api.post('/v4/sandbox/reset');
    expect((await credit(api, wallet, CREDIT_MAX)).status).toBe(201);
  });

  it('of one account comes from a source of its own: nobody else is left without', async () => {
    const [greedy, other] = [await duka.account(), await duka.account()];
    const before = (await platformAccounts()).length;
    const wallet = await greedy.api.wallet(0, 'ZAR');
    await fill(greedy.id, wallet, MAX);
    const sources: { id: string; available: string }[] = await query(
      `SELECT id, available FROM ledger_accounts WHERE account_id = $1 AND name LIKE 'sandbox_source%' AND currency = 'ZAR'`,
      [PLATFORM_ACCOUNT_ID],
    );
    // As low as a balance can be in the tables.
    await query('UPDATE ledger_accounts SET available = -9223372036854775807 WHERE id = ANY ($1)', [
      sources.map(({ id }) => id),
    ]);
    try {
      expect((await credit(other.api, await other.api.wallet(0, 'ZAR'), 5)).status).toBe(201);
      expect((await platformAccounts()).length).toBe(before + 2);
      expect(await credit(greedy.api, wallet, 1)).toMatchObject({ status: 402, body: { code: 'limit_exceeded' } });
      const refusal = await fill(greedy.id, await greedy.api.wallet(0, 'ZAR'), 1).catch(
        (error: { details: object }) => error.details,
      );
      expect(refusal).toMatchObject({ code: 'limit_exceeded', param: null });
      for (const { id } of await platformAccounts())
        for (const spelled of [id, encodeId('wal', id)]) expect(JSON.stringify(refusal)).not.toContain(spelled);
    } finally {
      for (const { id, available } of sources)
        await query('UPDATE ledger_accounts SET available = $2 WHERE id = $1', [id, available]);
    }
  });
});

it('sums beyond what a JSON number holds are said in words, and everything else stays', async () => {
  const ada = await newOwner(duka);
  const secret = (await ada.post('/keys', { name: 'k', livemode: false })).body.secret;
  const mine = await duka.api(secret).wallet();
  const [one, two] = [await duka.account(), await duka.account()];
  for (const { id, api } of [one, two]) {
    const theirs = await api.wallet();
    await fill(id, theirs, MAX);
    expect((await api.transfer(theirs, mine, MAX)).status).toBe(201);
    // Room for the next.
    expect((await duka.api(secret).transfer(mine, await api.wallet(), MAX)).status).toBe(201);
  }
  const { status, body } = await ada.get('/overview?livemode=false');
  expect(status).toBe(200);
  expect(body.days).toMatchObject([
    {
      currency: 'NGN',
      amount_in: null,
      amount_in_display: 'NGN 180,143,985,094,819.82',
      amount_out: null,
      amount_out_display: 'NGN 180,143,985,094,819.82',
    },
  ]);
  await duka.api(secret).credit(await duka.api(secret).wallet(0, 'USD'), 123);
  expect((await ada.get('/overview?livemode=false')).body.days).toContainEqual(
    expect.objectContaining({ currency: 'USD', amount_in: 123, amount_in_display: 'USD 1.23', amount_out: 0 }),
  );
});

it('a balance that a JSON number could not say exactly is refused', async () => {
  const { id, api } = await duka.account();
  const [full, other] = [await api.wallet(), await api.wallet(10)];
  await fill(id, full, MAX);
  expect(await api.transfer(other, full, 1)).toMatchObject({ status: 402, body: { code: 'limit_exceeded' } });
  expect(await api.balance(full)).toMatchObject({ available: MAX });
});

it('a test payment is bounded like a test credit', async () => {
  const { api } = await duka.account();
  const pay = (amount: number) => api.post('/api/v1/payments', { amount, currency: 'NGN' });
  expect((await pay(CREDIT_MAX)).status).toBe(201);
  expect(await pay(CREDIT_MAX + 1)).toMatchObject({
    status: 400,
    body: { code: 'amount_out_of_range', param: '/amount' },
  });
});
