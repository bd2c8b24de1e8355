import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ProviderOutage } from '../src/providers/breakers';
import { Registry } from '../src/providers/registry';
import { Routes } from '../src/providers/routes';
import { SandboxAirtime, SandboxBackupAirtime } from '../src/modules/airtime/providers/sandbox/sandbox.provider';
import { SandboxIssuer } from '../src/modules/cards/sandbox/sandbox.provider';
import { SandboxBankTransfer, SandboxCard } from '../src/modules/payments/sandbox/sandbox.provider';
import type { Order } from '../src/modules/purchases/purchases.provider';
import { Buyer } from './support/buyer';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { until } from './support/recurring-probe';

/** A breaker opens after so many outages, when nothing else happened. */
const OUTAGES = 5;
const MTN = '+2348031234567';
const AIRTEL = '+2348021234567';

let duka: Duka;
beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
afterEach(() => jest.restoreAllMocks());

const times = async (count: number, act: () => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await act();
};
const isDown = () => Promise.reject(new ProviderOutage('away'));

describe('a provider that is away for one network', () => {
  it('is left alone for that network, which the list says, and sells the others', async () => {
    const buyer = await Buyer.of(duka);
    for (const type of [SandboxAirtime, SandboxBackupAirtime]) {
      const provider = duka.get<{ purchase: (order: Order<{ network: string }>) => Promise<unknown> }>(type);
      const sell = provider.purchase.bind(provider);
      jest
        .spyOn(provider, 'purchase')
        .mockImplementation((order) => (order.item.network === 'mtn' ? isDown() : sell(order)));
    }
    let orders = 0;
    const buy = (phone: string) =>
      buyer.airtime(phone, undefined, { reference: `breaker-${++orders}`, allow_duplicate: true });
    await times(2 * OUTAGES, () => buy(MTN));
    expect((await buy(MTN)).body.code).toBe('provider_unavailable');
    expect((await buy(AIRTEL)).body).toMatchObject({ status: 'successful', provider: { name: 'sandbox' } });
    const { data } = (await buyer.api.get('/v4/airtime/networks?country=NG')).body;
    expect(
      Object.fromEntries(data.map(({ slug, available }: { slug: string; available: boolean }) => [slug, available])),
    ).toMatchObject({ mtn: false, airtel: true });
  });
});

describe('a provider that is asked whether it can sell', () => {
  const answers = (canSell: () => unknown) =>
    jest.spyOn(duka.get<{ canSell: () => unknown }>(SandboxAirtime), 'canSell').mockImplementation(canSell);

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never answers', () => new Promise(() => undefined)],
    ['answers nonsense', () => 'perhaps'],
  ])('and %s is left out, and the second one sells', async (_, canSell) => {
    const buyer = await Buyer.of(duka);
    answers(canSell);
    const { status, body } = await buyer.airtime(MTN);
    expect([status, body.provider?.name]).toEqual([201, 'sandbox_backup']);
  });
});

describe('what all who can be asked now never sell', () => {
  const refused = { outcome: 'refused', message: 'This plan is not sold.', param: '/phone' };
  const never = (type: typeof SandboxAirtime | typeof SandboxBackupAirtime) =>
    jest.spyOn(duka.get<{ canSell: () => unknown }>(type), 'canSell').mockReturnValue(refused);

  it('is unavailable while somebody else is away, and not sellable when nobody is', async () => {
    const buyer = await Buyer.of(duka);
    never(SandboxBackupAirtime);
    const down = jest.spyOn(duka.get<{ purchase: () => Promise<unknown> }>(SandboxAirtime), 'purchase');
    down.mockImplementation(isDown);
    let orders = 0;
    const buy = (one: Buyer) => one.airtime(MTN, undefined, { reference: `never-${++orders}`, allow_duplicate: true });
    await times(OUTAGES, () => buy(buyer));
    expect(await buy(buyer)).toMatchObject({ status: 503, body: { code: 'provider_unavailable', retryable: true } });
    // Of another account, whose first provider is there.
    const other = await Buyer.of(duka);
    never(SandboxAirtime);
    expect(await buy(other)).toMatchObject({ status: 422, body: { code: 'not_sellable', param: '/phone' } });
    await other.expectNothing();
  });
});

it('a card issuer that is away is left alone for its brand', async () => {
  const owner = await CardOwner.of(duka, 1_000_000);
  const down = jest.spyOn(duka.get<SandboxIssuer>(SandboxIssuer), 'issue').mockImplementation(isDown);
  await times(OUTAGES, () => owner.issue());
  const before = await duka.totals();
  expect((await owner.issue()).body.code).toBe('provider_unavailable');
  expect(await duka.totals()).toEqual(before);
  down.mockRestore();
  expect((await owner.issue({ brand: 'mastercard' })).body.status).toBe('active');
});

it('a gateway that is away is not offered for its currency', async () => {
  const payer = await Payer.of(duka);
  jest.spyOn(duka.get<SandboxCard>(SandboxCard), 'start').mockImplementation(isDown);
  await times(OUTAGES, async () => payer.visit(await payer.asked(), '/start', { gateway: 'sandbox_card' }));
  const { body } = await payer.create({ gateway: 'sandbox_card' });
  expect([body.code, body.param]).toEqual(['validation_failed', '/gateway']);
  expect((await payer.create({ gateway: 'sandbox_bank_transfer' })).status).toBe(201);
});

describe('a gateway whose breaker opens after it was offered', () => {
  it('is not shown, is not asked, and leaves the payer free to choose another', async () => {
    const payer = await Payer.of(duka);
    const offered = await payer.asked();
    const start = jest.spyOn(duka.get<SandboxCard>(SandboxCard), 'start').mockImplementation(isDown);
    await times(OUTAGES, async () => payer.visit(await payer.asked(), '/start', { gateway: 'sandbox_card' }));
    const page = await (await payer.visit(offered)).text();
    expect([page.includes('sandbox_card'), page.includes('sandbox_bank_transfer')]).toEqual([false, true]);
    expect(await (await payer.visit(offered, '/start', { gateway: 'sandbox_card' })).text()).toContain('not available');
    expect(start).toHaveBeenCalledTimes(OUTAGES);
    expect((await payer.visit(offered, '/start', { gateway: 'sandbox_bank_transfer' })).status).toBe(303);
    expect(await payer.get(offered.id)).toMatchObject({ status: 'pending', gateway: 'sandbox_bank_transfer' });
  });

  it('keeps a payment of which it may have an order: no other gateway is ever asked', async () => {
    const payer = await Payer.of(duka);
    const unsure = await payer.asked();
    const other = jest.spyOn(duka.get<SandboxBankTransfer>(SandboxBankTransfer), 'start');
    jest.spyOn(duka.get<SandboxCard>(SandboxCard), 'start').mockImplementation(isDown);
    await payer.visit(unsure, '/start', { gateway: 'sandbox_card' });
    await times(OUTAGES, async () => payer.visit(await payer.asked(), '/start', { gateway: 'sandbox_card' }));
    const again = await payer.visit(unsure, '/start', { gateway: 'sandbox_bank_transfer' });
    expect(await again.text()).toContain('could not reach');
    expect(other).not.toHaveBeenCalled();
    expect((await payer.get(unsure.id)).gateway).toBe('sandbox_card');
  });
});

describe('who has a position with others', () => {
  const setWeights = (product: string, network: string, weights: Record<string, number>) =>
    duka.get<DataSource>(DataSource).query(
      `INSERT INTO provider_routes (product, network, livemode, provider, position, weight)
       SELECT $1, $2, false, key, 1, value::integer FROM json_each_text($3)`,
      [product, network, JSON.stringify(weights)],
    );

  it.each([
    ['cards', 'mastercard', SandboxIssuer, 'sandbox'],
    ['payment', 'NGN', SandboxCard, 'sandbox_card'],
  ] as const)('of %s comes first by weight', async (product, network, type, heavy) => {
    const { accountId } = await CardOwner.of(duka, 100_000_000);
    const light = { product, name: 'light', label: 'Light', mode: 'test' } as const;
    duka.get<Registry>(Registry).add(light, duka.get<object>(type));
    await setWeights(product, network, { [heavy]: 9, light: 1 });
    const wanted = { product, network, accountId, livemode: false };
    const inOrder = async () => (await duka.get<Routes>(Routes).inOrder(wanted)).map(({ name }) => name);
    await until(async () => (await inOrder()).includes('light'), 30);
    let first = 0;
    await times(1_000, async () => {
      if ((await inOrder())[0] === 'light') first++;
    });
    expect(first).toBeGreaterThan(40);
    expect(first).toBeLessThan(200);
  });

  it('is who issues the card, and who is offered to the payer first', async () => {
    const owner = await CardOwner.of(duka, 100_000_000);
    const payer = await Payer.of(duka);
    const light = jest.spyOn(duka.get<SandboxIssuer>(SandboxIssuer), 'issue');
    const firsts = new Set<string>();
    for (let i = 0; i < 200 && firsts.size < 2; i++) {
      const page = await (await payer.visit(await payer.asked())).text();
      firsts.add(/name="gateway" value="(\w+)"/.exec(page)![1]!);
    }
    expect([...firsts].sort()).toEqual(['light', 'sandbox_card']);
    expect((await owner.issue({ brand: 'mastercard' })).body.status).toBe('active');
    expect(light).toHaveBeenCalledTimes(1);
  });
});

it('new cards are issued by the next issuer; those that the first may have made stay with it', async () => {
  const owner = await CardOwner.of(duka, 100_000_000);
  const next = Object.create(duka.get<SandboxIssuer>(SandboxIssuer)) as SandboxIssuer;
  const issuedByNext = jest.spyOn(next, 'issue');
  duka.get<Registry>(Registry).add({ product: 'cards', name: 'next', mode: 'test' }, next);
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position)
     VALUES ('cards', 'visa', false, 'sandbox', 1), ('cards', 'visa', false, 'next', 2)`,
  );
  const routes = duka.get<Routes>(Routes);
  const wanted = { product: 'cards', network: 'visa', accountId: owner.accountId, livemode: false } as const;
  await until(async () => (await routes.inOrder(wanted)).length >= 2, 30);
  jest.spyOn(duka.get<SandboxIssuer>(SandboxIssuer), 'issue').mockImplementation(isDown);
  const unsure: string[] = [];
  await times(OUTAGES, async () => unsure.push((await owner.issue()).body.id));
  expect(issuedByNext).not.toHaveBeenCalled();
  expect((await owner.issue()).body.status).toBe('active');
  expect(issuedByNext).toHaveBeenCalledTimes(1);
  // Asked again, also by the clock: not known there, ordered again there, and nowhere else.
  await owner.api.post('/v4/sandbox/clock/advance', { seconds: 600 });
  for (const id of unsure) expect((await owner.get(id)).status).toBe('pending');
  expect(issuedByNext).toHaveBeenCalledTimes(1);
});
