import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConfigModule } from '../../src/core/config/config.module';
import { Env } from '../../src/core/config/env';
import { moduleOf } from '../../src/core/extension/teams';
import { requestIdOf } from '../../src/extensions/vtpass/request-id';
import { VtpassAirtime } from '../../src/extensions/vtpass/vtpass-airtime';
import { VtpassBills } from '../../src/extensions/vtpass/vtpass-bills';
import { VtpassData } from '../../src/extensions/vtpass/vtpass-data';
import type { AirtimeItem } from '../../src/modules/airtime/airtime.provider';
import type { DataItem } from '../../src/modules/data/data.provider';
import { callbackOf, type CallbackRequest } from '../../src/providers/answers';
import { ProviderHttp } from '../../src/providers/http';
import { type Order, type Provider, ProviderOutage } from '../../src/modules/purchases/purchases.provider';
import { Company } from '../pretended/vtpass/company';
import { NONSENSE } from '../pretended/vtpass/nonsense';
import { outside } from './outside';
import { providerContract } from './provider-contract';
import type { Deed, Rig } from './rig';
import { airtimeItem, billItem, dataItem, fixture, orderOf, pinItem } from './vtpass-orders';

const never = new AbortController().signal;

const settingsOf = ({ settings }: Company) => ({
  url: settings.VTPASS_URL!,
  apiKey: settings.VTPASS_API_KEY!,
  publicKey: settings.VTPASS_PUBLIC_KEY!,
  secretKey: settings.VTPASS_SECRET_KEY!,
  phone: settings.VTPASS_PHONE!,
  callbackSecret: settings.VTPASS_CALLBACK_SECRET!,
});

/** As it calls the address that it was given. */
const told = (company: Company, reference: string | null, secret: string): CallbackRequest => ({
  body: Buffer.from(JSON.stringify(company.callback(reference && requestIdOf(reference)))),
  headers: { 'content-type': 'application/json' },
  query: { secret },
});

async function rigOf<Item extends object>(
  Adapter: typeof VtpassAirtime | typeof VtpassData | typeof VtpassBills,
  make: () => Order<Item>,
): Promise<Rig> {
  const company = await new Company().listen();
  let orders = 0;
  return {
    provider: new Adapter(settingsOf(company), outside()) as Rig['provider'],
    order: (deed: Deed) => {
      const order = make();
      company.plan(requestIdOf(order.reference), deed, orders++);
      return order;
    },
    begun: (reference) => company.begun(requestIdOf(reference)),
    sales: (reference) => company.sales.get(requestIdOf(reference)) ?? 0,
    booked: (reference) => {
      const { amount, cost } = company.transactions.get(requestIdOf(reference))!;
      return { asked: amount, taken: cost };
    },
    later: {
      order: () => {
        const order = make();
        company.plan(requestIdOf(order.reference), 'pends');
        return order;
      },
      end: (reference, how) => company.resolve(requestIdOf(reference), how),
      endings: ['delivered', 'failed', 'reversed'],
    },
    callbacks: {
      own: (reference) => told(company, reference, settingsOf(company).callbackSecret),
      foreign: (reference) => told(company, reference, 'another'),
      isUnsigned: true,
    },
    kindsOfNonsense: NONSENSE.length,
    close: () => company.stop(),
  };
}

providerContract('of VTpass for airtime', () => rigOf(VtpassAirtime, () => orderOf(airtimeItem(), 105_050n)));
providerContract('of VTpass for data', () => rigOf(VtpassData, () => orderOf(dataItem(), 10_000n)));
providerContract('of VTpass for meters', () => rigOf(VtpassBills, () => orderOf(billItem(), 200_000n)));
providerContract('of VTpass for PINs', () => rigOf(VtpassBills, () => orderOf(pinItem({ quantity: 2 }), 180_000n)));

describe('over HTTP', () => {
  let company: Company;
  let airtime: VtpassAirtime;
  let data: VtpassData;
  let bills: VtpassBills;

  beforeEach(async () => {
    company = await new Company().listen();
    const [settings, http] = [settingsOf(company), outside()];
    airtime = new VtpassAirtime(settings, http);
    data = new VtpassData(settings, http);
    bills = new VtpassBills(settings, http);
  });
  afterEach(() => company.stop());

  const bodies = () => company.heard.map(({ method, path, body }) => [`${method} ${path}`, body]);

  it('sells airtime with the key for it, in naira, to the number as it is dialled', async () => {
    const order = orderOf({ phone: '+2348031234567', network: 't2', country: 'NG' }, 105_050n);
    const before = company.balance;
    expect(await airtime.purchase(order, never)).toMatchObject({
      outcome: 'delivered',
      deliveredAmount: 105_050n,
      cost: 100_848n,
    });
    expect(company.balance).toBe(before - 100_848n);
    expect(await airtime.balance('NGN', never)).toBe(company.balance);
    const request_id = requestIdOf(order.reference);
    expect(bodies()).toEqual([
      ['POST /api/pay', { request_id, serviceID: 'etisalat', amount: '1050.50', phone: '08031234567' }],
      ['GET /api/balance', null],
    ]);
    const [bought, read] = company.heard.map(({ headers }) => headers);
    expect(bought).toMatchObject({ 'api-key': 'pretended-api-key', 'secret-key': 'SK_pretended' });
    expect(bought).not.toHaveProperty('public-key');
    expect(read).toMatchObject({ 'api-key': 'pretended-api-key', 'public-key': 'PK_pretended' });
    expect(read).not.toHaveProperty('secret-key');
  });

  it('has a float in naira', async () => {
    await expect(airtime.balance('USD', never)).rejects.toThrow('the float could not be read');
  });

  it('sells plans by their own codes', async () => {
    const order = orderOf({ ...dataItem(), phone: '+2348031234568' }, 10_000n);
    expect(await data.purchase(order, never)).toMatchObject({ outcome: 'delivered', cost: 9_600n });
    expect(company.heard[0]!.body).toEqual({
      request_id: requestIdOf(order.reference),
      serviceID: 'mtn-data',
      billersCode: '08031234568',
      variation_code: 'mtn-10mb-100',
      amount: '100',
      phone: '08031234568',
    });
    const sold = (changes: Partial<DataItem>) => data.canSell({ ...order, item: { ...order.item, ...changes } });
    expect([
      sold({}),
      sold({ plan_code: 'mtn-direct-1gb-1d' }),
      sold({ network: 'glo' }),
      sold({ country: 'GH' }),
    ]).toEqual([true, false, false, false]);
    const { plans, left } = await data.plans('mtn-data', never);
    expect([plans.length, left]).toEqual([3, []]);
    company.account = ['021', 'ACCOUNT LOCKED'];
    await expect(data.plans('mtn' as never, never)).rejects.toThrow('the plans of mtn could not be read');
  });

  it('reads a catalogue of more than a megabyte, and none without end', async () => {
    company.plansMore = 6_000;
    const { plans } = await data.plans('mtn-data', never);
    expect(plans.length).toBe(6_003);
    company.plansMore = 50_000;
    await expect(data.plans('mtn-data', never)).rejects.toThrow('more than');
  });

  it.each([
    [{}, { serviceID: 'ikeja-electric', variation_code: 'prepaid', amount: '2000', phone: '08031234567' }],
    [
      { biller: 'dstv', category: 'tv', itemCode: 'dstv-compact', serviceType: 'change' },
      {
        serviceID: 'dstv',
        variation_code: 'dstv79',
        subscription_type: 'change',
        quantity: '1',
        amount: '2000',
        phone: '08031234567',
      },
    ],
    [
      { biller: 'dstv', category: 'tv', itemCode: 'dstv-compact', serviceType: 'change', quantity: 3 },
      { serviceID: 'dstv', variation_code: 'dstv79', subscription_type: 'change', quantity: '3', phone: '08031234567' },
    ],
    [
      { biller: 'gotv', category: 'tv', itemCode: null, serviceType: 'renew' },
      { serviceID: 'gotv', subscription_type: 'renew', amount: '2000', phone: '08031234567' },
    ],
    [
      { biller: 'startimes', category: 'tv', itemCode: 'startimes-nova', serviceType: 'change' },
      { serviceID: 'startimes', variation_code: 'nova', amount: '2000', phone: '08031234567' },
    ],
    [
      { biller: 'jamb', category: 'education', itemCode: 'jamb-utme-mock', serviceType: null },
      { serviceID: 'jamb', variation_code: 'utme-mock', amount: '2000', phone: '08031234567' },
    ],
  ])('pays a bill: %j', async (changes, fields) => {
    const order = orderOf(billItem({ ...changes, customer: '1212121212' }), 200_000n);
    expect(bills.canSell(order)).toBe(true);
    expect(await bills.purchase(order, never)).toMatchObject({ outcome: 'delivered' });
    expect(company.heard[0]!.body).toEqual({
      request_id: requestIdOf(order.reference),
      billersCode: '1212121212',
      ...fields,
    });
  });

  it('sends a phone that a filter has set, and PINs to the customer', async () => {
    await bills.purchase({ ...orderOf(billItem(), 200_000n), options: { phone: '+2348099999999' } }, never);
    await bills.purchase(orderOf(pinItem({ customer: '+2348088888888', quantity: 2 }), 180_000n), never);
    expect(company.heard.map(({ body }) => body!.phone)).toEqual(['08099999999', '08088888888']);
    expect(company.heard[1]!.body).toMatchObject({ serviceID: 'waec', variation_code: 'waecdirect', quantity: '2' });
  });

  it.each([
    [{ biller: 'bet9ja' }, '/biller_code'],
    [{ serviceType: null }, '/item_code'],
    [{ biller: 'startimes', itemCode: null, serviceType: 'renew' }, '/item_code'],
    [{ biller: 'dstv', itemCode: null, serviceType: 'renew', quantity: 2 }, '/quantity'],
    [{ quantity: 2 }, '/quantity'],
  ])('never sells %j', (changes, param) => {
    expect(bills.canSell(orderOf(billItem(changes), 200_000n))).toMatchObject({ outcome: 'refused', param });
  });

  it('sells in Nigeria only', () => {
    const order = orderOf(airtimeItem(), 10_000n);
    expect(airtime.canSell(order)).toBe(true);
    expect(airtime.canSell({ ...order, item: { ...order.item, country: 'GH' } })).toMatchObject({
      outcome: 'refused',
      param: '/phone',
    });
    expect(bills.canSell({ ...orderOf(billItem(), 10_000n), currency: 'USD' })).toBe(false);
  });

  it('asks billers who their customers are', async () => {
    const query = {
      billerCode: 'ikeja-electric',
      category: 'electricity',
      itemCode: null,
      customer: '1111111111111',
      serviceType: 'prepaid',
      livemode: true,
    };
    expect(await bills.validate(query, never)).toMatchObject({
      outcome: 'found',
      customerName: 'TESTMETER1',
      minAmount: 50_000n,
    });
    expect(await bills.validate({ ...query, customer: '0000000000000' }, never)).toEqual({ outcome: 'not_found' });
    expect(await bills.validate({ ...query, customer: '300000000000' }, never)).toEqual({ outcome: 'unavailable' });
    const jamb = { ...query, billerCode: 'jamb', category: 'education', itemCode: 'jamb-utme', serviceType: null };
    await bills.validate(jamb, never);
    expect(await bills.validate({ ...jamb, billerCode: 'waec-result' }, never)).toEqual({ outcome: 'unavailable' });
    expect(await bills.validate({ ...jamb, billerCode: 'bet9ja' }, never)).toEqual({ outcome: 'unavailable' });
    expect(company.heard.map(({ body }) => body!.type)).toEqual(['prepaid', 'prepaid', 'prepaid', 'utme-no-mock']);
  });

  it('waits for what is under way, and hears how it ended', async () => {
    const order = orderOf(airtimeItem(), 10_000n);
    const requestId = requestIdOf(order.reference);
    company.plan(requestId, 'pends');
    expect(await airtime.purchase(order, never)).toMatchObject({
      outcome: 'accepted',
      providerReference: expect.any(String),
    });
    expect(await airtime.find(order, never)).toMatchObject({ outcome: 'accepted' });
    await company.resolve(requestId, 'delivered');
    expect(await airtime.find(order, never)).toMatchObject({ outcome: 'delivered', cost: 9_650n });
    await company.resolve(requestId, 'reversed');
    expect(await airtime.find(order, never)).toMatchObject({ outcome: 'reversed' });
    expect(await airtime.purchase(order, never)).toMatchObject({
      outcome: 'not_delivered',
      code: 'reversed_by_provider',
    });
    expect(company.balance).toBe(100_000_000n);
  });

  it('asks what became of an earlier order before it takes a word about one for a refusal', async () => {
    const item = airtimeItem();
    const [first, twin] = [orderOf(item, 10_000n), orderOf(item, 10_000n)];
    await airtime.purchase(first, never);
    expect(await airtime.purchase(twin, never)).toMatchObject({ outcome: 'not_delivered', code: 'likely_duplicate' });
    const yesterday = orderOf(airtimeItem(), 10_000n, '019aba0f-f5d8-7c3a-9b1e-0123456789ab');
    expect(await airtime.purchase(yesterday, never)).toMatchObject({
      outcome: 'not_delivered',
      code: 'request_out_of_date',
    });
    const sold = company.transactions.get(requestIdOf(first.reference))!;
    company.transactions.set(requestIdOf(yesterday.reference), {
      ...sold,
      requestId: requestIdOf(yesterday.reference),
    });
    expect(await airtime.purchase(yesterday, never)).toMatchObject({ outcome: 'delivered' });
    const paths = company.heard.map(({ path }) => path.slice(5));
    expect(paths).toEqual(['pay', 'pay', 'requery', 'pay', 'requery', 'pay', 'requery']);
  });

  it.each([
    ['201000000000', 'accepted'],
    ['500000000000', 'unknown'],
  ])('is answered as by the sandbox for its number %s', async (customer, outcome) => {
    const order = orderOf(billItem({ customer }), 200_000n);
    expect(await bills.purchase(order, never)).toMatchObject({ outcome });
  });

  it('refuses for want of money, and sells elsewhere', async () => {
    company.balance = 100n;
    const result = await airtime.purchase(orderOf(airtimeItem(), 10_000n), never);
    expect(result).toMatchObject({ outcome: 'not_delivered', code: 'provider_float_empty', retryElsewhere: true });
  });

  it('says whether its settings are right', async () => {
    const check = (changes: object, Adapter = VtpassAirtime) =>
      new Adapter({ ...settingsOf(company), ...changes }, outside()).check(never);
    expect(await check({})).toEqual({ isFine: true, says: 'VTpass accepts the keys. The float is NGN 1,000,000.00.' });
    expect(await check({ publicKey: 'PK_x' })).toMatchObject({
      isFine: false,
      says: expect.stringContaining('VTPASS_PUBLIC_KEY'),
    });
    expect(await check({ secretKey: 'SK_x' })).toMatchObject({
      isFine: false,
      says: expect.stringContaining('VTPASS_SECRET_KEY'),
    });
    expect(await check({ url: company.url })).toMatchObject({
      isFine: false,
      says: expect.stringContaining('VTPASS_URL'),
    });
    company.account = ['027', 'IP NOT WHITELISTED, CONTACT SUPPORT'];
    expect(await check({})).toMatchObject({ isFine: false, says: expect.stringContaining('address of this server') });
    expect(company.transactions.size).toBe(0);
  });

  it('is registered for all three products once there are settings, and not before', async () => {
    @Module({ providers: [VtpassAirtime, VtpassData, VtpassBills, { provide: ProviderHttp, useValue: outside() }] })
    class Registered {}
    const found = async () => {
      const imports = [ConfigModule.register(new Env()), moduleOf({ name: 'test', module: Registered })];
      const module = await Test.createTestingModule({ imports }).compile();
      return [VtpassAirtime, VtpassData, VtpassBills].map((type) =>
        module.get<Provider | null>(type, { strict: false }),
      );
    };
    expect(await found()).toEqual([null, null, null]);
    Object.assign(process.env, company.settings);
    try {
      for (const provider of await found()) expect(await provider!.check!(never)).toMatchObject({ isFine: true });
      delete process.env.VTPASS_CALLBACK_SECRET;
      expect((await found())[0]!.verify!({ body: Buffer.from('{}'), headers: {} })).toEqual({ outcome: 'forged' });
      delete process.env.VTPASS_SECRET_KEY;
      await expect(found()).rejects.toThrow('VTPASS_SECRET_KEY must be set, as VTPASS_URL is');
    } finally {
      for (const name of Object.keys(company.settings)) delete process.env[name];
    }
  });

  it('tells an outage from an answer that is missing', async () => {
    const gone = await new Company().listen();
    const away = new VtpassAirtime(settingsOf(gone), outside());
    await gone.stop();
    await expect(away.purchase(orderOf(airtimeItem(), 10_000n), never)).rejects.toBeInstanceOf(ProviderOutage);
  });
});

describe('callbacks of VTpass', () => {
  let company: Company;
  let airtime: VtpassAirtime;
  let order: Order<AirtimeItem>;

  beforeEach(async () => {
    // Of the day on which it is sent: VTpass takes no other.
    order = orderOf(airtimeItem(), 10_000n);
    company = await new Company().listen();
    airtime = new VtpassAirtime(settingsOf(company), outside());
  });
  afterEach(() => company.stop());

  const callback = (body: unknown, secret?: string) => ({
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    headers: {},
    ...(secret !== undefined && { query: { secret } }),
  });
  const own = (body: unknown) => callback(body, 'pretended-callback-secret');

  it('are genuine by the secret of their address, and name the order', async () => {
    await airtime.purchase(order, never);
    const told = company.callback(requestIdOf(order.reference));
    expect(airtime.verify(own(told))).toEqual({ outcome: 'genuine', reference: order.reference, says: 'delivered' });
    for (const secret of [undefined, '', 'another', 'pretended-callback-secret '])
      expect(airtime.verify(callback(told, secret))).toEqual({ outcome: 'forged' });
    const without = new VtpassAirtime({ ...settingsOf(company), callbackSecret: undefined }, outside());
    expect(without.verify(callback(told, ''))).toEqual({ outcome: 'forged' });
    expect(without.verify(own(told))).toEqual({ outcome: 'forged' });
  });

  it('come up to five times, to the address that VTpass was given', async () => {
    const heard: { url: string; body: Buffer }[] = [];
    const duka = createServer((request, response) => {
      void buffer(request).then((body) => {
        heard.push({ url: request.url!, body });
        response.end(JSON.stringify({ received: true }));
      });
    }).listen(0, '127.0.0.1');
    await once(duka, 'listening');
    company.callbackUrl = `http://127.0.0.1:${(duka.address() as AddressInfo).port}/`;
    const pending = orderOf(airtimeItem(), 10_000n);
    const { reference } = pending;
    company.plan(requestIdOf(reference), 'pends');
    await airtime.purchase(pending, never);
    await company.resolve(requestIdOf(reference), 'reversed');
    duka.close();
    const told = heard.map(({ url, body }) => airtime.verify(callbackOf(body, { raw: { rawHeaders: [], url } })));
    expect(told).toEqual(Array(5).fill({ outcome: 'genuine', reference, says: 'reversed' }));
  });

  it('carry the query of the address that was called', async () => {
    const body = Buffer.from(
      JSON.stringify({ type: 'transaction-update', data: { requestId: requestIdOf(order.reference) } }),
    );
    const called = (url?: string) =>
      airtime.verify(callbackOf(body, { raw: { rawHeaders: [], ...(url !== undefined && { url }) } })).outcome;
    const address = '/callbacks/purchases/vtpass';
    expect(called(`${address}?secret=pretended-callback-secret`)).toBe('genuine');
    expect(called(`${address}?x=1&secret=pretended%2Dcallback%2Dsecret`)).toBe('genuine');
    const twice = `${address}?secret=pretended-callback-secret&secret=pretended-callback-secret`;
    expect([undefined, address, `${address}?secret`, `${address}?__proto__=1`, twice].map(called)).toEqual(
      Array(5).fill('forged'),
    );
  });

  it('may be about nothing of ours', () => {
    const others = [
      company.callback(null),
      fixture('callback-delivered'),
      fixture('callback-reversed'),
      null,
      [],
      { type: 'transaction-update' },
    ];
    for (const other of others) expect(airtime.verify(own(other))).toEqual({ outcome: 'other' });
    expect(() => airtime.verify(own('no JSON'))).toThrow('JSON');
  });
});
