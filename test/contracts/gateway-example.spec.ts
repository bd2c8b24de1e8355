import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConfigModule } from '../../src/core/config/config.module';
import { Env } from '../../src/core/config/env';
import { moduleOf } from '../../src/core/extension/teams';
import { newId } from '../../src/core/http/ids';
import { PaylinkGateway } from '../../src/extensions/example/paylink-gateway';
import { ProviderHttp } from '../../src/providers/http';
import { OFFERS } from '../../src/providers/registry';
import { type GatewayOrder, type RefundOrder, TakesPayments } from '../../src/modules/payments/gateway';
import { gatewayContract } from './gateway-contract';
import type { GatewayDeed, GatewayRig } from './gateway-rules';
import { outside } from './outside';
import { GATEWAY_NONSENSE, PaylinkServer } from './paylink-server';

const SECRET = 'callback-secret';

const orderOf = (reference: string): GatewayOrder => ({
  reference,
  accountId: newId(),
  livemode: true,
  paymentId: newId(),
  amount: 100_025n,
  currency: 'NGN',
  description: null,
  customer: null,
  options: {},
  returnUrl: 'https://duka.example.com/checkout/t/return',
  expiresAt: new Date(Date.now() + 3_600_000),
});
const refundOf = (payment: GatewayOrder): RefundOrder => ({
  reference: `rfd/${newId()}`,
  payment,
  paymentReference: 'pl_0',
  amount: 1_000n,
  currency: 'NGN',
  reason: null,
});
const settingsOf = (url: string) => ({ url, key: 'secret', callbackSecret: SECRET });

async function rig(): Promise<GatewayRig> {
  const server = await new PaylinkServer().listen();
  let orders = 0;
  return {
    gateway: new PaylinkGateway(settingsOf(`${server.url}v1/`), outside()),
    order: (deed: GatewayDeed) => {
      const reference = `ref/${newId()}`;
      server.plan(reference, deed, deed === 'talks_nonsense' ? orders++ : 0);
      return orderOf(reference);
    },
    refund: refundOf,
    callback: ({ reference }) => server.callback(reference, SECRET),
    otherCallback: () => server.callback(undefined, SECRET),
    booked: (reference) => ({ asked: server.standing(reference)!.amount, kept: 0n }),
    opened: (reference) => server.opened.get(reference) ?? 0,
    kindsOfNonsense: GATEWAY_NONSENSE.length,
    close: () => server.stop(),
  };
}

gatewayContract('of the guide, over HTTP', rig);

describe('the example gateway', () => {
  // #region of the example
  it('is a gateway by its methods: what lacks one does not compile', () => {
    // @ts-expect-error It cannot be asked what became of an order.
    @TakesPayments({ name: 'half', label: 'Half', mode: 'live' })
    class Half {
      start = (order: GatewayOrder) => Promise.resolve({ outcome: 'unknown', code: order.reference } as const);
      verify = () => ({ outcome: 'forged' }) as const;
    }
    expect(Reflect.hasOwnMetadata(OFFERS, Half)).toBe(true);
  });
  // #endregion

  it('is registered once there are settings, and not before', async () => {
    @Module({ providers: [PaylinkGateway, { provide: ProviderHttp, useValue: outside() }] })
    class Registered {}
    const found = async () => {
      const imports = [ConfigModule.register(new Env()), moduleOf({ name: 'test', module: Registered })];
      return (await Test.createTestingModule({ imports }).compile()).get(PaylinkGateway, { strict: false });
    };
    expect(await found()).toBeNull();
    const given = { PAYLINK_URL: 'http://127.0.0.1:1/', PAYLINK_KEY: 'secret', PAYLINK_CALLBACK_SECRET: SECRET };
    Object.assign(process.env, given);
    expect(await found()).toBeInstanceOf(PaylinkGateway);
    for (const name of Object.keys(given)) delete process.env[name];
  });
});
