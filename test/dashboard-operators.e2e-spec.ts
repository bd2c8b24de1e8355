import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../src/providers/client';
import { decodeId } from '../src/core/http/ids';
import { Buyer } from './support/buyer';
import { type Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

let duka: Duka;
let operator: Browser;
beforeAll(async () => {
  duka = await Duka.start();
  operator = await newOwner(duka);
  await duka.setOperator(operator.email, true);
});
afterAll(() => duka.stop());

const ROUTES = [
  ['GET', '/operators/providers'],
  ['GET', '/operators/fees'],
  ['PUT', '/operators/fees'],
  ['PUT', '/operators/routes'],
  ['GET', '/operators/live/checklist'],
  ['GET', '/operators/live/providers'],
  ['GET', '/operators/live/differences'],
  ['POST', '/operators/live/differences/7b0e9a52-4a55-4d38-9f60-0d8f0e6a7c11'],
] as const;
const FEE = { product: 'airtime', tier: 'standard', currency: 'NGN', flat: 500, basis_points: 100, cap: 2_000 };

it('is closed to the owners of accounts, however surely they have signed in, and to the outside', async () => {
  const owner = await newOwner(duka);
  await owner.stepUp();
  for (const [method, path] of ROUTES) {
    const { status, body } = await owner.call(method, path, method === 'GET' ? undefined : FEE);
    expect([path, status, body.code]).toEqual([path, 403, 'insufficient_role']);
    const outside = await fetch(`${duka.url}/dashboard/api${path}`, { method });
    expect([path, outside.status]).toEqual([path, 401]);
  }
});

it('tells the page who is an operator and what each role may do', async () => {
  expect((await operator.get('/me')).body).toMatchObject({
    user: { operator: true },
    may: { test: null, live: null, dashboard: expect.arrayContaining(['keys:write', 'team:write']) },
  });
  await duka.setOperator(operator.email, false);
  expect((await operator.get('/operators/fees')).status).toBe(403);
  expect((await operator.get('/me')).body.user.operator).toBe(false);
  await duka.setOperator(operator.email, true);
});

describe('fees', () => {
  it('are changed after a fresh proof of identity only, and each change is written down', async () => {
    const signedIn = operator.another();
    await signedIn.logIn();
    expect((await signedIn.call('PUT', '/operators/fees', FEE)).body.code).toBe('step_up_required');
    expect((await signedIn.get('/operators/fees')).body.data).not.toContainEqual(FEE);
    await signedIn.stepUp();
    expect((await signedIn.call('PUT', '/operators/fees', FEE)).status).toBe(204);
    expect((await signedIn.call('PUT', '/operators/fees', { ...FEE, flat: 600, cap: null })).status).toBe(204);
    expect((await signedIn.get('/operators/fees')).body.data).toContainEqual({ ...FEE, flat: 600, cap: null });
    const { data } = (await signedIn.get('/audit-log')).body;
    expect(
      data
        .filter(({ target }: any) => target === 'airtime/standard/NGN')
        .map(({ action, detail }: any) => [action, detail]),
    ).toEqual([
      ['fee.set', { before: FEE, after: { ...FEE, flat: 600, cap: null } }],
      ['fee.set', { before: null, after: FEE }],
    ]);
  });

  it('are charged as they were set', async () => {
    const { api, id } = await duka.account();
    await duka.asOwner('UPDATE accounts SET tier = $1 WHERE id = $2', ['gold', decodeId('acct', id)]);
    await operator.stepUp();
    await operator.call('PUT', '/operators/fees', { ...FEE, tier: 'gold' });
    await api.credit((await api.get('/v4/wallets')).body.data[0].id, 1_000_000);
    const { body } = await api.post('/v4/airtime/purchase', { amount: 10_000, phone: '+2348031234567', dry_run: true });
    expect(body).toMatchObject({ amount: 10_000, fee: 600 });
  });

  it.each([
    ['flat', -1],
    ['flat', 1.5],
    ['basis_points', 10_001],
    ['basis_points', -1],
    ['cap', -1],
    ['product', 'gold'],
    ['currency', 'XYZ'],
    ['tier', ''],
  ])('with %s %s are refused', async (field, value) => {
    await operator.stepUp();
    const { status, body } = await operator.call('PUT', '/operators/fees', { ...FEE, [field]: value });
    expect([status, body.errors[0].param]).toEqual([400, `/${field}`]);
  });
});

describe('providers', () => {
  it('are shown with what they were asked and answered', async () => {
    const shop = await Buyer.of(duka);
    for (const phone of ['+2348031234567', '+2348031234568']) expect((await shop.airtime(phone)).status).toBe(201);
    await duka.get<Client>(Client).flush();
    const { routes, calls, minutes } = (await operator.get('/operators/providers')).body;
    expect(minutes).toBe(60);
    expect(routes).toContainEqual(
      expect.objectContaining({ product: 'airtime', livemode: false, provider: 'sandbox', enabled: true }),
    );
    const airtime = calls.find((one: any) => one.product === 'airtime' && one.provider === 'sandbox');
    expect(airtime).toMatchObject({
      livemode: false,
      unknown_rate: 0,
      outcomes: [expect.objectContaining({ call: 'purchase', outcome: 'delivered' })],
    });
    expect(airtime.calls).toBeGreaterThanOrEqual(2);
  });

  it('are asked no longer once their route is switched off, and again when it is back', async () => {
    const shop = await Buyer.of(duka);
    const route = { product: 'airtime', network: '*', livemode: false };
    const { routes } = (await operator.get('/operators/providers')).body;
    const all = routes.filter((one: any) => one.product === 'airtime' && one.network === '*' && !one.livemode);
    const switchAll = async (enabled: boolean) => {
      await operator.stepUp();
      for (const { provider } of all)
        expect((await operator.call('PUT', '/operators/routes', { ...route, provider, enabled })).status).toBe(204);
      // Each process remembers routes for a second.
      await sleep(1_100);
    };
    await switchAll(false);
    expect((await shop.airtime('+2348031234567')).body.code).toBe('provider_unavailable');
    await switchAll(true);
    expect((await shop.airtime('+2348031234567')).status).toBe(201);
    expect(
      (await operator.call('PUT', '/operators/routes', { ...route, provider: 'nobody', enabled: true })).status,
    ).toBe(404);
  });
});
