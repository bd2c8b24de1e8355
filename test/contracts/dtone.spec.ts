import type { ServerResponse } from 'node:http';
import { Env } from '../../src/core/config/env';
import type { Of } from '../../src/core/config/settings';
import { newId } from '../../src/core/http/ids';
import { DTONE, DtoneAirtime, DtoneData } from '../../src/extensions/dtone/dtone';
import type { AirtimeItem } from '../../src/modules/airtime/airtime.provider';
import { type Order, type Provider, ProviderOutage } from '../../src/modules/purchases/purchases.provider';
import { callbackOf } from '../../src/providers/answers';
import type { Exchange } from '../../src/providers/journal';
import { Company } from '../pretended/dtone/company';
import { NONSENSE } from '../pretended/dtone/nonsense';
import { type Heard, Pretended, send } from '../pretended/pretended';
import { outside } from './outside';
import { providerContract } from './provider-contract';
import type { Deed, Ending, Rig } from './rig';
import { orderOf, plansOf } from './topup-orders';

const never = new AbortController().signal;

const planOf = plansOf('dtone.20004.1gb');

/** To a number of their sandbox. */
const callTo = (phone: string) => ({ item: { phone, network: 'mtn', country: 'NG' } });

const settingsOf = (company: Company, changes: object = {}) => ({
  key: company.key,
  secret: company.secret,
  url: `${company.url}v1/`,
  sync: false,
  callbackSecret: company.callbackSecret,
  ids: undefined,
  ...changes,
});
/** Nobody listens there. */
const env = Object.assign(new Env(), { PUBLIC_URL: 'http://127.0.0.1:9/' });

/** Asks what became of an order as soon as it was accepted: what a callback has Duka do. */
const asking = <Item extends object>(provider: Provider<Item>): Provider<Item> => ({
  purchase: async (order, signal) => {
    const placed = await provider.purchase(order, signal);
    if (placed.outcome !== 'accepted' || placed.providerReference === undefined) return placed;
    const found = await provider.find({ ...order, providerReference: placed.providerReference }, signal);
    return found.outcome === 'not_known' || found.outcome === 'reversed'
      ? { outcome: 'unknown', code: found.outcome }
      : found;
  },
  find: (order, signal) => provider.find(order, signal),
});

/** Whose operators answer at once. */
const quick = (): Promise<Company> => Object.assign(new Company(), { operatorMs: 0 }).listen();

const ENDED: Readonly<Record<Ending, string>> = { delivered: 'COMPLETED', failed: 'DECLINED', reversed: 'REVERSED' };

async function rigOf<Item extends object>(
  sell: (company: Company) => Provider<Item>,
  orderOf: (reference: string) => Order<Item>,
): Promise<Rig> {
  const company = await quick();
  let orders = 0;
  const rig: Rig<Item> = {
    provider: sell(company),
    order: (deed: Deed) => {
      const reference = newId();
      company.plan(reference, deed, orders++);
      return orderOf(reference);
    },
    begun: (reference) => company.begun(reference),
    sales: (reference) => company.sales.get(reference) ?? 0,
    later: {
      order: () => {
        const reference = newId();
        company.plan(reference, 'takes_its_time');
        return orderOf(reference);
      },
      end: (reference, how) => company.settle(reference, ENDED[how]),
      endings: ['delivered', 'failed', 'reversed'],
    },
    kindsOfNonsense: NONSENSE.length,
    close: () => company.stop(),
  };
  return rig as unknown as Rig;
}

const airtimeOf = (company: Company, changes: object = {}) =>
  new DtoneAirtime(settingsOf(company, changes), env, outside());
const dataOf = (company: Company, changes: object = {}) => new DtoneData(settingsOf(company, changes), env, outside());

providerContract('DT One of airtime, which waits', () =>
  rigOf((company) => airtimeOf(company, { sync: true }), orderOf),
);
providerContract('DT One of airtime', () => rigOf((company) => asking(airtimeOf(company)), orderOf));
providerContract('DT One of data', () => rigOf((company) => asking(dataOf(company)), planOf));

/** Where Duka would be. */
class Ear extends Pretended {
  readonly settings = {};
  private readonly first = Promise.withResolvers<Heard>();
  readonly next = this.first.promise;

  protected answer(heard: Heard, response: ServerResponse): void {
    this.first.resolve(heard);
    send(response, 200, { received: true });
  }
}

let company: Company;
let airtime: DtoneAirtime;
const planned = (deed: Parameters<Company['plan']>[1], changes: Partial<Order<AirtimeItem>> = {}) => {
  const order = orderOf(newId(), changes);
  company.plan(order.reference, deed);
  return order;
};
const paths = () => company.heard.map(({ method, path }) => `${method} ${path}`);
const sale = () => company.heard.find(({ path }) => path.endsWith('sync/transactions'))!;

beforeEach(async () => {
  company = await quick();
  airtime = airtimeOf(company);
});
afterEach(() => company.stop());

describe('an order through DT One', () => {
  it('sends what DT One needs to know, and asks once what an operator sells', async () => {
    const order = planned('delivers');
    const providerReference = '2237512891';
    expect(await airtime.purchase(order, never)).toEqual({ outcome: 'accepted', providerReference });
    await airtime.purchase(planned('delivers'), never);
    expect(paths()).toEqual([
      'POST /v1/lookup/mobile-number',
      'GET /v1/products',
      'POST /v1/async/transactions',
      'POST /v1/lookup/mobile-number',
      'POST /v1/async/transactions',
    ]);
    expect(company.heard[0]!.body).toEqual({ mobile_number: '+2348031234567', page: 1, per_page: 100 });
    expect(Object.fromEntries(company.heard[1]!.query)).toEqual({
      operator_id: '1301',
      service_id: '1',
      subservice_id: '11',
      page: '1',
      per_page: '100',
    });
    expect(company.heard[2]!.body).toEqual({
      external_id: order.reference,
      product_id: 20_001,
      calculation_mode: 'DESTINATION_AMOUNT',
      destination: { unit_type: 'CURRENCY', unit: 'NGN', amount: 1_050 },
      auto_confirm: true,
      credit_party_identifier: { mobile_number: '+2348031234567' },
      callback_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/callbacks\/purchases\/dtone\?sign=[0-9a-f]{64}$/),
    });
    expect(await airtime.find({ ...order, providerReference }, never)).toMatchObject({
      outcome: 'delivered',
      deliveredAmount: 105_000n,
    });
    expect(company.heard.at(-1)!.path).toBe('/v1/transactions/2237512891');
  });

  it('waits for the operator where it is set to, and gives no address then', async () => {
    const result = await airtimeOf(company, { sync: true }).purchase(planned('delivers'), never);
    expect(result).toMatchObject({ outcome: 'delivered', deliveredAmount: 105_000n });
    expect(sale().path).toBe('/v1/sync/transactions');
    expect(sale().body).not.toHaveProperty('callback_url');
  });

  it('gives no address where there is nothing to sign it with', async () => {
    await airtimeOf(company, { callbackSecret: undefined }).purchase(planned('delivers'), never);
    expect(sale().body).not.toHaveProperty('callback_url');
  });

  it('takes the product of a fixed value, and then nothing is said but that it arrived', async () => {
    const order = planned('delivers', { amount: 100_000n });
    await airtime.purchase(order, never);
    expect(sale().body).toMatchObject({ product_id: 20_002 });
    expect(sale().body).not.toHaveProperty('destination');
    const found = await airtime.find(order, never);
    expect(found).toMatchObject({ outcome: 'delivered', providerReference: company.idOf(order.reference) });
    expect(found).not.toHaveProperty('deliveredAmount');
  });

  it('reads all pages of what an operator sells', async () => {
    company.perPageMax = 1;
    await airtime.purchase(planned('delivers', { amount: 100_000n }), never);
    const pages = company.heard.filter(({ path }) => path === '/v1/products').map(({ query }) => query.get('page'));
    expect(pages).toEqual(['1', '2', '3', '4']);
    expect(sale().body).toMatchObject({ product_id: 20_002 });
  });

  it('sells in dollars where the operator takes none of its own currency, and tells the cost', async () => {
    const item = { phone: '+50937123456', network: 'digicel', country: 'HT' };
    const order = planned('delivers', { amount: 1_001n, currency: 'USD', item });
    const before = company.float;
    await airtime.purchase(order, never);
    const source = { unit_type: 'CURRENCY', unit: 'USD', amount: 10.01 };
    expect(sale().body).toMatchObject({ product_id: 20_041, calculation_mode: 'SOURCE_AMOUNT', source });
    // 10.01 USD less 3 %: 9.7097, rounded up.
    const found = await airtime.find(order, never);
    expect(found).toMatchObject({ deliveredAmount: 1_001n, cost: 971n });
    expect(found).not.toHaveProperty('costCurrency');
    expect(before - company.float).toBe(970_970n);
  });

  it('tells the cost in the currency of the float, where the order has another', async () => {
    const [before, order] = [company.float, planned('delivers')];
    await airtime.purchase(order, never);
    expect(await airtime.find(order, never)).toMatchObject({ cost: 68n, costCurrency: 'USD' });
    // 1,050 NGN at 1,500 for a dollar, less 3 %.
    expect(before - company.float).toBe(67_900n);
  });

  it('asks nobody to top up what it cannot name, or what is not sold', async () => {
    const to = (phone: string, network: string, country: string) => ({ item: { phone, network, country } });
    const cases: [Partial<Order<AirtimeItem>>, string][] = [
      [to('+2348021234567', 'mtn', 'NG'), 'operator_not_found'],
      [to('+27821234567', 'mtn', 'ZA'), 'operator_not_found'],
      // Both operators of that name are taken for the one.
      [{ ...to('+254771234567', 'telkom', 'KE'), currency: 'KES', amount: 5_000n }, 'operator_not_found'],
      [to('+2348051234567', 'glo', 'NG'), 'invalid_amount'],
      [{ ...to('+2348021234567', 'airtel', 'NG'), amount: 16_000n }, 'invalid_amount'],
      [{ amount: 5_000_100n }, 'invalid_amount'],
      // The one product of this amount wants to know who sends.
      [{ amount: 4_900n }, 'invalid_amount'],
      [{ amount: 5_000n, currency: 'KES' }, 'invalid_amount'],
    ];
    for (const [changes, code] of cases)
      expect(await airtime.purchase(planned('delivers', changes), never)).toMatchObject({
        outcome: 'not_delivered',
        code,
        retryElsewhere: true,
      });
    expect(paths()).not.toContain('POST /v1/async/transactions');
  });

  it('takes the operator that is set for a network', async () => {
    const set = airtimeOf(company, { ids: ['KE/telkom=1304', 'NG/mtn=1302'] });
    const item = { phone: '+254771234567', network: 'telkom', country: 'KE' };
    const order = planned('delivers', { amount: 5_000n, currency: 'KES', item });
    expect(await set.purchase(order, never)).toMatchObject({ outcome: 'accepted' });
    expect(paths()).not.toContain('POST /v1/lookup/mobile-number');
    expect(sale().body).toMatchObject({ product_id: 20_031 });
    expect(() => airtimeOf(company, { ids: ['mtn'] })).toThrow('DTONE_IDS: "mtn"');
  });

  it('sells nothing with an empty float, and says that it is ours', async () => {
    company.available = 10_000n;
    expect(await airtime.purchase(planned('delivers'), never)).toMatchObject({
      outcome: 'not_delivered',
      code: 'provider_float_empty',
      retryElsewhere: true,
    });
    expect(company.float).toBe(10_000n);
  });

  it('sells data by the product of the plan', async () => {
    const data = dataOf(company, { ids: ['mtn-1gb=20004', 'airtime=20001', 'value=20002'] });
    for (const plan_code of ['dtone.20004.1gb', 'mtn-1gb']) {
      const order = planOf(newId(), { plan_code });
      expect(await data.purchase(order, never)).toMatchObject({ outcome: 'accepted' });
      expect(sale().body).toMatchObject({ product_id: 20_004 });
      expect(await data.find(order, never)).toMatchObject({ outcome: 'delivered' });
      expect(data.canSell(order)).toBe(true);
    }
    const foreign = planOf(newId(), { plan_code: 'somebody-elses' });
    expect(data.canSell(foreign)).toMatchObject({ outcome: 'refused', param: '/plan_code' });
    const codes: string[] = [];
    for (const plan_code of ['somebody-elses', 'airtime', 'value', 'dtone.9.x']) {
      const answer = await data.purchase(planOf(newId(), { plan_code }), never);
      codes.push('code' in answer ? answer.code : answer.outcome);
    }
    expect(codes).toEqual(['plan_not_found', 'plan_not_found', 'plan_not_found', 'product_not_sold']);
  });

  it.each([
    ['+2348031234101', { outcome: 'delivered', secrets: { pin: '773709733097662', serial: '558111' } }],
    ['+2348031234102', { outcome: 'not_delivered', about: 'order', code: 'invalid_recipient' }],
    ['+2348031234205', { outcome: 'not_delivered', about: 'order', code: 'recently_recharged', retryElsewhere: false }],
    ['+2348031234307', { outcome: 'not_delivered', about: 'order', code: 'topup_failed' }],
  ])('ends as the last digits of %s say in the sandbox', async (phone, meant) => {
    Object.assign(company.sandboxMs, { 1: 0, 2: 0, 3: 0 });
    const order = orderOf(newId(), callTo(phone));
    expect(await airtime.purchase(order, never)).toMatchObject({ outcome: 'accepted' });
    expect(await airtime.find(order, never)).toMatchObject(meant);
  });
});

describe('what became of an order at DT One', () => {
  it('is told to the address that was given for it, and found then', async () => {
    const duka = await new Ear().listen();
    company.callbackUrl = duka.url;
    const order = planned('takes_its_time');
    await airtime.purchase(order, never);
    await company.settle(order.reference, 'DECLINED-BARRED-CREDIT-PARTY');
    const { path, query, text } = await duka.next;
    expect(path).toBe('/callbacks/purchases/dtone');
    const told = callbackOf(Buffer.from(text), { raw: { rawHeaders: [], url: `${path}?${query.toString()}` } });
    expect(airtime.verify(told)).toEqual({ outcome: 'genuine', reference: order.reference, says: 'declined' });
    const other = Buffer.from(text.replace(order.reference, newId()));
    expect(airtime.verify({ ...told, body: other })).toEqual({ outcome: 'forged' });
    expect(await airtime.find(order, never)).toMatchObject({ code: 'recipient_barred', about: 'order' });
    await duka.stop();
  });

  it('believes no refusal of an order that was sold before', async () => {
    const order = planned('delivers');
    await airtime.purchase(order, never);
    const sold = await airtime.find(order, never);
    for (const refusal of [1_007_001, 1_005_003, 1_006_001, 1_003_002, 1_000_429] as const) {
      company.plan(order.reference, 'refuses');
      company.refusal = refusal;
      expect(await airtime.purchase(order, never)).toEqual(sold);
    }
    expect(company.sales.get(order.reference)).toBe(1);
  });

  it('knows nothing where the reference is used, and the list does not tell of it', async () => {
    const order = planned('delivers');
    await airtime.purchase(order, never);
    company.plan(order.reference, 'locks_us_out');
    expect(await airtime.purchase(order, never)).toEqual({ outcome: 'unknown', code: 'unreadable_answer' });
    company.plan(order.reference, 'lists_late');
    expect(await airtime.purchase(order, never)).toEqual({ outcome: 'unknown', code: 'reference_already_used' });
  });

  it('leaves to a person what was sold twice under one reference', async () => {
    const order = planned('sells_twice');
    await airtime.purchase(order, never);
    expect(await airtime.find(order, never)).toEqual({ outcome: 'unknown', code: 'sold_more_than_once' });
  });

  it.each([
    ['declines', 'DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE', 'operator_unavailable'],
    ['rejects', '', 'provider_float_empty'],
  ] as const)('says why it did not deliver when it %s, and holds nothing', async (deed, reason, code) => {
    const before = company.available;
    company.reason = reason;
    const order = planned(deed);
    expect(await airtime.purchase(order, never)).toMatchObject({ outcome: 'not_delivered', code });
    expect(await airtime.find(order, never)).toMatchObject({ outcome: 'not_delivered', about: 'order', code });
    expect([company.available, company.holding]).toEqual([before, 0n]);
  });

  it.each([
    ['COMPLETED', { outcome: 'delivered', deliveredAmount: 105_000n }],
    ['DECLINED', { outcome: 'not_delivered', about: 'order', code: 'topup_failed' }],
  ] as const)('waits for a transaction that is under way until it is %s', async (status, found) => {
    for (const sync of [false, true]) {
      const provider = airtimeOf(company, { sync });
      const order = planned('takes_its_time');
      const told = await provider.purchase(order, never);
      expect(told).toEqual({ outcome: 'accepted', providerReference: company.idOf(order.reference) });
      const asked = { ...order, providerReference: company.idOf(order.reference) };
      for (const one of [order, asked]) expect((await provider.find(one, never)).outcome).toBe('accepted');
      await company.settle(order.reference, status);
      for (const one of [order, asked]) expect(await provider.find(one, never)).toMatchObject(found);
    }
  });

  it('finds that it was taken back, and has Duka look again until then', async () => {
    const [before, order] = [company.available, planned('delivers')];
    await airtime.purchase(order, never);
    expect(await airtime.find(order, never)).toMatchObject({ outcome: 'delivered', recheckAfterMs: 172_800_000 });
    await company.settle(order.reference, 'REVERSED');
    expect(await airtime.find(order, never)).toMatchObject({ outcome: 'reversed', code: 'reversed_by_provider' });
    expect(await airtime.purchase(order, never)).toEqual({ outcome: 'unknown', code: 'reversed_by_provider' });
    expect(company.available).toBe(before);
  });

  it('knows no reference that was never asked for, said in either way', async () => {
    for (const saysNotFound of [false, true]) {
      company.saysNotFound = saysNotFound;
      expect(await airtime.find(orderOf(newId()), never)).toEqual({ outcome: 'not_known' });
      const refused = planned('refuses');
      expect(await airtime.purchase(refused, never)).toMatchObject({ code: 'invalid_recipient' });
    }
  });

  it('concludes nothing from a transaction that they do not know any more', async () => {
    const order = orderOf(newId(), { providerReference: '99' });
    expect(await airtime.find(order, never)).toEqual({ outcome: 'unknown', code: 'unreadable_answer' });
  });
});

describe('our account at DT One', () => {
  it('takes the settings that the pretended company prints, and needs all that have no default', async () => {
    const { values, faults } = DTONE.read(company.settings);
    expect(faults).toEqual([]);
    const set = new DtoneAirtime(values as Of<typeof DTONE>, env, outside());
    expect(await set.purchase(planned('delivers'), never)).toMatchObject({ outcome: 'accepted' });
    expect(DTONE.read({})).toEqual({ values: null, faults: [] });
    expect(DTONE.read({ DTONE_KEY: 'x' }).faults).toEqual(['DTONE_SECRET must be set, as DTONE_KEY is']);
  });

  it('leaves no secret in the journal', async () => {
    const exchanges: Exchange[] = [];
    const provider = new DtoneAirtime(settingsOf(company), env, outside(exchanges));
    const order = planned('delivers');
    await provider.purchase(order, never);
    await provider.find(order, never);
    expect(exchanges).toHaveLength(4);
    const kept = JSON.stringify(exchanges);
    for (const secret of [company.secret, company.callbackSecret, 'Basic ']) expect(kept).not.toContain(secret);
  });

  it('knows its float in each of its currencies, without what is held, rounded down', async () => {
    company.available = 99_381_999n;
    company.otherBalances.push({ unit_type: 'CURRENCY', unit: 'EUR', available: 12, holding: 0, credit_limit: 0 });
    expect(await airtime.balance('USD', never)).toBe(99_381n);
    expect(await airtime.balance('EUR', never)).toBe(1_200n);
    await expect(airtime.balance('NGN', never)).rejects.toThrow('the float is in USD, EUR');
    company.secret = 'another';
    await expect(airtime.balance('USD', never)).rejects.toThrow('the float could not be read');
  });

  it('can tell whether its settings are right', async () => {
    expect(await airtime.check(never)).toEqual({
      isFine: true,
      says: 'DT One lets us in. The float is USD 1,000,000.00.',
    });
    company.otherBalances.push({ unit_type: 'CURRENCY', unit: 'SGD', available: 12, holding: 0, credit_limit: 0 });
    expect((await airtime.check(never)).says).toBe('DT One lets us in. The float is USD 1,000,000.00, SGD.');
    const wrong = async (changes: object) => {
      const { isFine, says } = await airtimeOf(company, changes).check(never);
      return isFine ? 'fine' : says;
    };
    const unknown = 'DT One does not know us: are DTONE_KEY, DTONE_SECRET and DTONE_URL of one environment?';
    for (const changes of [{ key: 'wrong' }, { secret: 'wrong' }]) expect(await wrong(changes)).toBe(unknown);
    expect(await wrong({ url: company.url })).toBe(
      'What answers at DTONE_URL is not DT One (404): it must end in /v1/.',
    );
    expect(await wrong({ url: `${company.url}v1/elsewhere/` })).toBe('DT One does not tell the float (404).');
    const gone = await new Company().listen();
    const { url } = gone;
    await gone.stop();
    expect(await wrong({ url })).toBe('Nobody accepts connections at DTONE_URL.');
    const down = airtimeOf(company, { url }).purchase(planned('delivers'), never);
    await expect(down).rejects.toThrow(ProviderOutage);
  });
});
