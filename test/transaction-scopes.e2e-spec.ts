import { decodeId } from '../src/core/http/ids';
import type { ScopeName } from '../src/vocabulary/scopes';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

/** Each of them alone opens the route. */
const MAY = ['purchases:write', 'payouts:write', 'payments:write'] as const satisfies readonly ScopeName[];
type May = (typeof MAY)[number];
const WAITS = { amount: 10_000, on_insufficient_funds: 'queue', deliver_by: '2099-01-01T00:00:00Z' };

let duka: Duka;
let api: Api;
let of: Readonly<Record<May, Api>>;

beforeAll(async () => {
  duka = await Duka.start();
  const account = await duka.account();
  ({ api } = account);
  const limited = async (scope: ScopeName) => duka.api(await duka.key({ accountId: account.id, scopes: [scope] }));
  of = {
    'purchases:write': await limited('purchases:write'),
    'payouts:write': await limited('payouts:write'),
    'payments:write': await limited('payments:write'),
  };
  await duka.asOwner(
    `INSERT INTO refund_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000)`,
    [decodeId('acct', account.id)],
  );
});
afterAll(() => duka.stop());

const others = (scope: May): May[] => MAY.filter((one) => one !== scope);

function expectNothingTold({ status, body }: Answer, scope: ScopeName): void {
  const detail = `This key or role lacks the scope ${scope}.`;
  expect([status, body]).toMatchObject([
    403,
    { code: 'insufficient_scope', detail, resource_id: null, provider: null },
  ]);
}

async function waitingRefund(): Promise<string> {
  const { body: made } = await api.post('/api/v1/payments', { amount: 500_000, currency: 'NGN' });
  await api.post(`/v4/sandbox/payments/${made.id}/complete`, { status: 'successful' });
  return (await api.post(`/api/v1/payments/${made.id}/refunds`, { amount: 200_000 })).body.transaction_id;
}

async function ordered(path: string, order: object, money = 0): Promise<string> {
  const { status, body } = await api.post(path, { wallet_id: await api.wallet(money), ...order });
  expect(status).toBe(202);
  return body.id;
}

const bank = (account_number: string) => ({ bank: { code: '058', account_number } });

it.each<[string, May, () => Promise<string>]>([
  ['a purchase', 'purchases:write', () => ordered('/v4/airtime/purchase', { phone: '08031234567', ...WAITS })],
  ['a payout', 'payouts:write', () => ordered('/v4/payouts', { ...bank('0123456789'), ...WAITS })],
  ['a refund', 'payments:write', waitingRefund],
])('%s is cancelled with the scope %s alone, and with no other', async (_, scope, make) => {
  const id = await make();
  const key = `cancel-${id}`;
  const cancel = (by: May) => of[by].post(`/v4/transactions/${id}/cancel`, undefined, { key });
  for (const other of others(scope)) expectNothingTold(await cancel(other), scope);
  expect((await api.get(`/v4/transactions/${id}`)).body.status).toBe('pending');
  expect(await cancel(scope)).toMatchObject({ status: 200, body: { id, status: 'cancelled' } });
  // Nor is what was answered before answered to them.
  for (const other of others(scope)) expectNothingTold(await cancel(other), scope);
});

it.each<[string, May, May, () => Promise<string>]>([
  [
    'a purchase',
    'purchases:write',
    'payouts:write',
    () => ordered('/v4/airtime/purchase', { phone: '+2348000000203', amount: 10_000 }, 50_000),
  ],
  [
    'a payout',
    'payouts:write',
    'purchases:write',
    () => ordered('/v4/payouts', { ...bank('0000000217'), amount: 10_000 }, 50_000),
  ],
])('%s is asked about with the scope %s alone, and not with %s', async (_, scope, other, make) => {
  const id = await make();
  const requery = (by: May) => of[by].post(`/v4/transactions/${id}/requery`);
  expectNothingTold(await requery(other), scope);
  expect(await requery(scope)).toMatchObject({ status: 200, body: { id, status: 'processing' } });
});

it('of what is neither bought, paid out nor refunded they tell nothing', async () => {
  const [from_wallet, to_wallet] = [await api.wallet(1_000), await api.wallet()];
  const { body: moved } = await api.post('/v4/wallets/transfer', { from_wallet, to_wallet, amount: 1_000 });
  const [sent] = (await api.get(`/v4/transactions?wallet_id=${from_wallet}&type=transfer_out`)).body.data;
  expect([moved.status, sent.type]).toEqual(['successful', 'transfer_out']);
  for (const by of MAY) expectNothingTold(await of[by].post(`/v4/transactions/${sent.id}/cancel`), 'wallets:write');
  for (const by of ['purchases:write', 'payouts:write'] as const)
    expectNothingTold(await of[by].post(`/v4/transactions/${sent.id}/requery`), 'wallets:write');
});
