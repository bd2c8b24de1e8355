import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ProviderOutage } from '../src/providers/breakers';
import { SandboxAirtime, SandboxBackupAirtime } from '../src/modules/airtime/providers/sandbox/sandbox.provider';
import { IssuersService } from '../src/modules/cards/issuers/issuers.service';
import { SandboxIssuer } from '../src/modules/cards/sandbox/sandbox.provider';
import { SandboxCard } from '../src/modules/payments/sandbox/sandbox.provider';
import type { Order } from '../src/modules/purchases/purchases.provider';
import { Buyer } from './support/buyer';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';
import { Payer } from './support/payer';

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

it('issuers of one position share by weight', async () => {
  const owner = await CardOwner.of(duka, 100_000_000);
  const issuers = duka.get<IssuersService>(IssuersService);
  issuers.add({ name: 'light', mode: 'test' }, duka.get<SandboxIssuer>(SandboxIssuer));
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position, weight)
     VALUES ('cards', 'visa', false, 'sandbox', 1, 9), ('cards', 'visa', false, 'light', 1, 1)`,
  );
  const first = async () => (await issuers.inOrder('visa', { accountId: owner.accountId, livemode: false }))[0]!;
  while (!(await issuers.inOrder('visa', { accountId: owner.accountId, livemode: false })).includes('light'))
    await new Promise(setImmediate);
  const counts = { sandbox: 0, light: 0 } as Record<string, number>;
  await times(1_000, async () => {
    counts[await first()]!++;
  });
  expect(counts.light).toBeGreaterThan(40);
  expect(counts.light).toBeLessThan(200);
});
