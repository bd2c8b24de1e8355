import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConfigModule } from '../../src/core/config/config.module';
import { Env } from '../../src/core/config/env';
import { moduleOf } from '../../src/core/extension/teams';
import { newId } from '../../src/core/http/ids';
import { ExampleAirtime, REFUSALS, resultOf } from '../../src/extensions/example/example-airtime';
import { ProviderHttp } from '../../src/providers/http';
import { OFFERS } from '../../src/providers/registry';
import { type AirtimeItem, SellsAirtime } from '../../src/modules/airtime/airtime.provider';
import { type Order, ProviderOutage } from '../../src/modules/purchases/purchases.provider';
import { NONSENSE } from './nonsense';
import { outside } from './outside';
import { providerContract } from './provider-contract';
import type { Deed, Rig } from './rig';
import { TopupServer } from './topup-server';

const orderOf = (reference: string): Order<AirtimeItem> => ({
  reference,
  accountId: newId(),
  livemode: true,
  purchaseId: newId(),
  amount: 105_025n,
  currency: 'NGN',
  item: { phone: '+2348031234567', network: 'mtn', country: 'NG' },
  options: {},
  providerReference: null,
  scenario: null,
});

const settingsOf = (baseUrl: string) => ({ url: baseUrl, key: 'secret', countries: ['NG'] });
/** Ours do not look like this; an address must bear it all the same. */
const REFERENCE = 'order/1?../2';
/** Minor units that arrive of an order of 105,025. */
const PART = 100_000n;
const never = new AbortController().signal;

async function rig(): Promise<Rig<AirtimeItem>> {
  const server = await TopupServer.start();
  let orders = 0;
  const order = (deed: Deed) => {
    const reference = `ref/${newId()}`;
    server.plan(reference, deed, orders++);
    return orderOf(reference);
  };
  return {
    provider: new ExampleAirtime(settingsOf(server.baseUrl), outside()),
    order,
    begun: (reference) => server.begun(reference),
    sales: (reference) => server.sales.get(reference) ?? 0,
    partly: () => ({ order: server.deliverPart(order('delivers'), PART), arrives: PART }),
    booked: (reference) => server.booked(reference),
    kindsOfNonsense: NONSENSE.length,
    callbacks: server.callbacks,
    close: () => server.stop(),
  };
}

providerContract('of the guide, over HTTP', rig as () => Promise<Rig>);

describe('the example provider', () => {
  let server: TopupServer;
  let provider: ExampleAirtime;

  beforeAll(async () => {
    server = await TopupServer.start();
    provider = new ExampleAirtime(settingsOf(server.baseUrl), outside());
  });
  afterAll(() => server.stop());

  it('sends what the service needs to know', async () => {
    server.plan(REFERENCE, 'delivers');
    const result = await provider.purchase(orderOf(REFERENCE), never);
    expect(result).toMatchObject({
      outcome: 'delivered',
      deliveredAmount: 105_025n,
      details: { operator_reference: 'MP-1' },
    });
    await provider.find(orderOf(REFERENCE), never);
    expect(server.requests.map(({ line, body }) => [line, body])).toEqual([
      [
        'POST /v1/topups',
        {
          reference: REFERENCE,
          msisdn: '+2348031234567',
          network: 'mtn',
          country: 'NG',
          amount: '105025',
          currency: 'NGN',
        },
      ],
      ['GET /v1/topups/order%2F1%3F..%2F2', null],
    ]);
    for (const { headers } of server.requests) expect(headers.authorization).toBe('Bearer secret');
  });

  it('knows its float and where it sells', async () => {
    expect(await provider.balance('NGN', never)).toBe(server.float);
    const inCountry = (country: string) =>
      provider.canSell({ ...orderOf('x'), item: { ...orderOf('x').item, country } });
    expect(['NG', 'GH'].map(inCountry)).toEqual([
      true,
      expect.objectContaining({ outcome: 'refused', param: '/phone' }),
    ]);
  });

  it('tells an outage from an answer that is missing', async () => {
    const gone = await TopupServer.start();
    const away = new ExampleAirtime(settingsOf(gone.baseUrl), outside());
    await gone.stop();
    await expect(away.purchase(orderOf('nobody-there'), never)).rejects.toBeInstanceOf(ProviderOutage);
    server.plan('torn', 'talks_nonsense', NONSENSE.length - 4);
    await expect(provider.purchase(orderOf('torn'), never)).rejects.not.toBeInstanceOf(ProviderOutage);
  });

  it.each(Object.entries(REFUSALS))('understands the refusal %s', (reason, refusal) => {
    expect(resultOf({ status: 200, body: { reference: 'r', status: 'refused', reason } }, 'r')).toEqual({
      outcome: 'not_delivered',
      ...refusal,
    });
  });

  it('waits for what is under way', () => {
    expect(resultOf({ status: 200, body: { reference: 'r', status: 'pending' } }, 'r')).toEqual({
      outcome: 'accepted',
    });
  });

  // #region of the example
  it('is a provider by its methods: what lacks one does not compile', () => {
    // @ts-expect-error It cannot be asked what became of an order.
    @SellsAirtime({ name: 'half', mode: 'live' })
    class Half {
      purchase = (order: Order<AirtimeItem>) => Promise.resolve({ outcome: 'unknown', code: order.reference } as const);
    }
    // @ts-expect-error It answers with a fourth value.
    @SellsAirtime({ name: 'vague', mode: 'live' })
    class Vague extends Half {
      find = () => Promise.resolve({ outcome: 'perhaps' } as const);
    }
    expect([Half, Vague].map((type) => Reflect.hasOwnMetadata(OFFERS, type))).toEqual([true, true]);
  });
  // #endregion

  it('is registered once there are settings, and not before', async () => {
    @Module({ providers: [ExampleAirtime, { provide: ProviderHttp, useValue: outside() }] })
    class Registered {}
    const found = async () => {
      const imports = [ConfigModule.register(new Env()), moduleOf({ name: 'test', module: Registered })];
      return (await Test.createTestingModule({ imports }).compile()).get(ExampleAirtime, { strict: false });
    };
    expect(await found()).toBeNull();
    Object.assign(process.env, { TOPUP_URL: server.baseUrl, TOPUP_KEY: 'secret' });
    const provider = await found();
    expect(provider).toBeInstanceOf(ExampleAirtime);
    expect(await provider.balance('NGN', never)).toBe(server.float);
    expect(Reflect.getOwnMetadata(OFFERS, ExampleAirtime)).toEqual([
      { product: 'airtime', name: 'example', mode: 'live' },
    ]);
    delete process.env.TOPUP_KEY;
    await expect(found()).rejects.toThrow('TOPUP_KEY must be set, as TOPUP_URL is');
    delete process.env.TOPUP_URL;
  });
});
