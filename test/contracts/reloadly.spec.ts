import type { ServerResponse } from 'node:http';
import type { Of } from '../../src/core/config/settings';
import { newId } from '../../src/core/http/ids';
import { RELOADLY, ReloadlyAirtime, ReloadlyData } from '../../src/extensions/reloadly/reloadly';
import type { AirtimeItem } from '../../src/modules/airtime/airtime.provider';
import type { Order } from '../../src/modules/purchases/purchases.provider';
import type { CallbackRequest } from '../../src/providers/answers';
import type { Exchange } from '../../src/providers/journal';
import { type Heard, Pretended, send } from '../pretended/pretended';
import { Company } from '../pretended/reloadly/company';
import { NONSENSE } from '../pretended/reloadly/nonsense';
import { outside } from './outside';
import { providerContract } from './provider-contract';
import type { Deed, Rig } from './rig';
import { orderOf, plansOf } from './topup-orders';

const never = new AbortController().signal;

const planOf = plansOf('reloadly.345.1gb');

const settingsOf = (company: Company, changes: object = {}) => ({
  clientId: company.clientId,
  clientSecret: company.clientSecret,
  webhookSecret: company.webhookSecret,
  audience: company.audience,
  topupsUrl: company.url,
  authUrl: company.url,
  async: false,
  operators: undefined,
  ...changes,
});

async function rigOf<Item extends object>(
  sell: (company: Company) => Rig<Item>['provider'],
  orderOf: (reference: string) => Order<Item>,
): Promise<Rig> {
  const company = await new Company().listen();
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
    booked: (reference) => ({ asked: company.askedFor(reference) }),
    partly: () => {
      const reference = newId();
      company.parts.set(reference, 100_000n);
      return { order: orderOf(reference), arrives: 100_000n };
    },
    later: {
      order: () => {
        const reference = newId();
        company.plan(reference, 'takes_its_time');
        return orderOf(reference);
      },
      end: (reference, how) => company.settle(reference, how === 'delivered' ? 'SUCCESSFUL' : 'FAILED'),
      endings: ['delivered', 'failed'],
    },
    expireTokens: () => company.expireTokens(),
    kindsOfNonsense: NONSENSE.length,
    callbacks: company.callbacks,
    close: () => company.stop(),
  };
  return rig as unknown as Rig;
}

providerContract('Reloadly of airtime', () =>
  rigOf((company) => new ReloadlyAirtime(settingsOf(company), outside()), orderOf),
);
providerContract('Reloadly of data', () =>
  rigOf((company) => new ReloadlyData(settingsOf(company), outside()), planOf),
);

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
let airtime: ReloadlyAirtime;
const seller = (changes: object = {}) => new ReloadlyAirtime(settingsOf(company, changes), outside());
const planned = (deed: Parameters<Company['plan']>[1], changes: Partial<Order<AirtimeItem>> = {}) => {
  const order = orderOf(newId(), changes);
  company.plan(order.reference, deed);
  return order;
};
const pathsSince = (count: number) => company.heard.slice(count).map(({ method, path }) => `${method} ${path}`);

beforeEach(async () => {
  company = await new Company().listen();
  airtime = seller();
});
afterEach(() => company.stop());

describe('an order through Reloadly', () => {
  it('sends what Reloadly needs to know, and a token that it got once', async () => {
    const order = planned('delivers');
    await airtime.purchase(order, never);
    await airtime.purchase(planned('delivers'), never);
    expect(pathsSince(0).slice(0, 3)).toEqual([
      'POST /oauth/token',
      'GET /operators/auto-detect/phone/%2B2348031234567/countries/NG',
      'POST /topups',
    ]);
    expect(company.heard[0]!.body).toEqual({
      client_id: company.clientId,
      client_secret: company.clientSecret,
      grant_type: 'client_credentials',
      audience: 'https://topups.reloadly.com',
    });
    expect(company.heard[2]!.body).toEqual({
      operatorId: '341',
      amount: '1050.00',
      useLocalAmount: true,
      customIdentifier: order.reference,
      recipientPhone: { countryCode: 'NG', number: '+2348031234567' },
    });
    expect(company.heard[2]!.headers.accept).toBe('application/com.reloadly.topups-v1+json');
    expect(company.tokens).toBe(1);
  });

  it('tells the cost in the currency of the float, where the order has another', async () => {
    const before = company.float;
    const result = await airtime.purchase(planned('delivers'), never);
    expect(result).toMatchObject({ outcome: 'delivered', deliveredAmount: 105_000n });
    expect(result).toMatchObject({ cost: 70n, costCurrency: 'USD' });
    // 1,050 NGN at 1,500 for a dollar.
    expect(before - company.float).toBe(70_000n);
  });

  it('tells what the float went down by where it has the currency of the order', async () => {
    company.currency = 'NGN';
    const asked = 5_050_00n;
    const before = company.float;
    const result = await airtime.purchase(planned('delivers', { amount: asked }), never);
    expect(result).toMatchObject({ outcome: 'delivered', deliveredAmount: asked, cost: asked });
    expect(before - company.float).toBe(5_050n * 100_000n);
  });

  it('sells for dollars where the operator takes none of its own currency, with the discount', async () => {
    const item = { phone: '+50937123456', network: 'digicel', country: 'HT' };
    const order = planned('delivers', { amount: 1_001n, currency: 'USD', item });
    const before = company.float;
    // 10.01 USD less 3 %: 9.7097, rounded up.
    expect(await airtime.purchase(order, never)).toMatchObject({ deliveredAmount: 1_001n, cost: 971n });
    expect(before - company.float).toBe(970_970n);
    expect(company.heard.at(-1)!.body).toMatchObject({ operatorId: '173', amount: '10.01', useLocalAmount: false });
  });

  it('sends no order in a currency that neither the recipient nor our account has', async () => {
    const result = await airtime.purchase(planned('delivers', { currency: 'GHS' }), never);
    expect(result).toMatchObject({ outcome: 'not_delivered', code: 'currency_not_sold', retryElsewhere: true });
    expect(pathsSince(0)).not.toContain('POST /topups');
  });

  it('sends no order to an operator of another network, nor to one that is off', async () => {
    const ported = { phone: '+2348031234567', network: 'airtel', country: 'NG' };
    const off = { phone: '+2348051234567', network: 'glo', country: 'NG' };
    const nobodys = { phone: '+2340001234567', network: 'glo', country: 'NG' };
    const codes = [];
    for (const item of [ported, off, nobodys]) codes.push(await airtime.purchase(planned('delivers', { item }), never));
    expect(codes).toEqual([
      expect.objectContaining({ outcome: 'not_delivered', code: 'operator_not_found' }),
      expect.objectContaining({ outcome: 'not_delivered', code: 'operator_unavailable' }),
      expect.objectContaining({ outcome: 'not_delivered', code: 'operator_not_found' }),
    ]);
    expect(pathsSince(0)).not.toContain('POST /topups');
  });

  it('takes the operator that is set for a network, and asks for it once', async () => {
    const set = seller({ operators: ['NG/airtel=342'] });
    const item = { phone: '+2348031234567', network: 'airtel', country: 'NG' };
    for (let i = 0; i < 2; i++) await set.purchase(planned('delivers', { item }), never);
    expect(pathsSince(0)).toEqual(['POST /oauth/token', 'GET /operators/342', 'POST /topups', 'POST /topups']);
    expect(() => seller({ operators: ['mtn'] })).toThrow('RELOADLY_OPERATORS: "mtn"');
  });

  it('sells nothing with an empty float, and says that it is ours', async () => {
    company.float = 10_000n;
    expect(await airtime.purchase(planned('delivers'), never)).toMatchObject({
      outcome: 'not_delivered',
      code: 'provider_float_empty',
      retryElsewhere: true,
    });
    expect(company.float).toBe(10_000n);
  });

  it('keeps the PIN of an operator that sells PINs, and detects none', async () => {
    const item = { phone: '+27821234567', network: 'mtn', country: 'ZA' };
    const order = { amount: 5_000n, currency: 'ZAR', item } as const;
    expect(await airtime.purchase(planned('delivers', order), never)).toMatchObject({ code: 'operator_not_found' });
    expect(await seller({ operators: ['ZA/mtn=369'] }).purchase(planned('delivers', order), never)).toMatchObject({
      outcome: 'delivered',
      secrets: { pin: '773709733097662', serial: '558111' },
    });
  });

  it('sells data by the operator of the plan, for the price of the plan', async () => {
    const data = new ReloadlyData(settingsOf(company, { operators: ['mtn-1gb=345', 'airtime=341'] }), outside());
    for (const plan_code of ['reloadly.345.1gb', 'mtn-1gb']) {
      const order = planOf(newId(), { plan_code });
      expect(await data.purchase(order, never)).toMatchObject({ outcome: 'delivered', deliveredAmount: 105_000n });
      expect(company.heard.at(-1)!.body).toMatchObject({ operatorId: '345', amount: '1050.00', useLocalAmount: true });
      expect(data.canSell(order)).toBe(true);
    }
    const foreign = planOf(newId(), { plan_code: 'somebody-elses' });
    expect(data.canSell(foreign)).toMatchObject({ outcome: 'refused', param: '/plan_code' });
    const wrong = [foreign, planOf(newId(), { plan_code: 'airtime' }), planOf(newId(), { plan_code: 'reloadly.9.x' })];
    const answers = await Promise.all(wrong.map((order) => data.purchase(order, never)));
    expect(answers.map((answer) => ('code' in answer ? answer.code : answer.outcome))).toEqual([
      'plan_not_found',
      'plan_not_found',
      'operator_not_read',
    ]);
    const noAmount = { ...planOf(newId()), amount: 105_100n };
    expect(await data.purchase(noAmount, never)).toMatchObject({ outcome: 'not_delivered', code: 'invalid_amount' });
  });
});

describe('what became of an order at Reloadly', () => {
  it('is called back about what was placed without waiting', async () => {
    const duka = await new Ear().listen();
    company.callbackUrl = duka.url;
    const provider = seller({ async: true });
    const order = planned('takes_its_time');
    await provider.purchase(order, never);
    company.settle(order.reference, 'REFUNDED');
    const { path, text, headers } = await duka.next;
    expect(path).toBe('/callbacks/purchases/reloadly');
    const callback = { body: Buffer.from(text), headers: headers as CallbackRequest['headers'] };
    expect(provider.verify(callback)).toEqual({ outcome: 'genuine', reference: order.reference, says: 'refunded' });
    await duka.stop();
  });

  it('believes no refusal of an order that was sold before', async () => {
    const order = planned('delivers');
    const sold = await airtime.purchase(order, never);
    company.minMsBetween = 120_000;
    expect(await airtime.purchase(order, never)).toEqual(sold);
    company.plan(order.reference, 'refuses');
    expect(await airtime.purchase(order, never)).toEqual(sold);
    const other = planned('delivers');
    expect(await airtime.purchase(other, never)).toMatchObject({ code: 'recently_recharged', retryElsewhere: true });
    expect([company.sales.get(order.reference), company.sales.get(other.reference)]).toEqual([1, undefined]);
  });

  it('knows nothing where the reference is used, and the report does not tell of it', async () => {
    const order = planned('delivers');
    await airtime.purchase(order, never);
    company.plan(order.reference, 'locks_us_out');
    expect(await airtime.purchase(order, never)).toEqual({ outcome: 'unknown', code: 'unreadable_answer' });
    company.plan(order.reference, 'reports_late');
    expect(await airtime.purchase(order, never)).toEqual({ outcome: 'unknown', code: 'reference_already_used' });
  });

  it('leaves to a person what was sold twice under one reference', async () => {
    const order = planned('sells_twice');
    await airtime.purchase(order, never);
    expect(await airtime.find(order, never)).toEqual({ outcome: 'unknown', code: 'sold_more_than_once' });
  });

  it.each(['fails', 'refunds'] as const)('says that it did not deliver when the operator %s', async (deed) => {
    const order = planned(deed);
    const refusal = { outcome: 'not_delivered', code: 'topup_failed', retryElsewhere: true };
    expect(await airtime.purchase(order, never)).toMatchObject(refusal);
    expect(await airtime.find(order, never)).toMatchObject({ ...refusal, about: 'order' });
  });

  it.each([
    ['SUCCESSFUL', { outcome: 'delivered', deliveredAmount: 105_000n }],
    ['FAILED', { outcome: 'not_delivered', about: 'order', code: 'topup_failed' }],
    ['REFUNDED', { outcome: 'not_delivered', about: 'order', code: 'topup_failed' }],
  ] as const)('waits for a top-up that is under way until it is %s', async (status, found) => {
    for (const async of [false, true]) {
      const provider = seller({ async });
      const order = planned('takes_its_time');
      const providerReference = (await provider.purchase(order, never)) as { providerReference?: string };
      expect(providerReference).toEqual({ outcome: 'accepted', providerReference: company.idOf(order.reference) });
      const asked = { ...order, ...providerReference } as Order<AirtimeItem>;
      expect((await provider.find(asked, never)).outcome).toBe('accepted');
      expect((await provider.find(order, never)).outcome).toBe('accepted');
      company.settle(order.reference, status);
      expect(await provider.find(asked, never)).toMatchObject(found);
      expect(await provider.find(order, never)).toMatchObject(found);
    }
  });

  it('finds by the report what was placed without waiting, and never answered', async () => {
    const provider = seller({ async: true });
    const order = planned('stays_silent');
    const stop = new AbortController();
    const buying = provider.purchase(order, stop.signal).catch((error: unknown) => error);
    await company.begun(order.reference);
    stop.abort(new Error('took too long'));
    await buying;
    expect(await provider.find(order, never)).toMatchObject({
      outcome: 'accepted',
      providerReference: company.idOf(order.reference),
    });
  });

  it('refuses without waiting, too', async () => {
    const order = planned('refuses');
    expect(await seller({ async: true }).purchase(order, never)).toMatchObject({ code: 'invalid_recipient' });
  });

  it('concludes nothing from a transaction that they do not know any more', async () => {
    const order = orderOf(newId(), { providerReference: '99' });
    expect(await airtime.find(order, never)).toEqual({ outcome: 'unknown', code: 'unreadable_answer' });
  });
});

describe('our account at Reloadly', () => {
  it('takes the settings that the pretended company prints, and needs all that have no default', async () => {
    const { values, faults } = RELOADLY.read(company.settings);
    expect(faults).toEqual([]);
    const set = new ReloadlyAirtime(values as Of<typeof RELOADLY>, outside());
    expect(await set.purchase(planned('delivers'), never)).toMatchObject({ outcome: 'delivered' });
    expect(RELOADLY.read({})).toEqual({ values: null, faults: [] });
    expect(RELOADLY.read({ RELOADLY_CLIENT_ID: 'x' }).faults).toEqual([
      'RELOADLY_CLIENT_SECRET must be set, as RELOADLY_CLIENT_ID is',
    ]);
  });

  it('takes the lifetime of a token as a number or as text, and no token without one', async () => {
    company.tokenSeconds = '5184000';
    expect(await airtime.balance('USD', never)).toBe(100_000_000n);
    for (const none of [null, 0, -1, 'soon']) {
      company.tokenSeconds = none;
      await expect(seller().balance('USD', never)).rejects.toThrow('Reloadly gave no token (200)');
    }
  });

  it('leaves no secret in the journal', async () => {
    const exchanges: Exchange[] = [];
    const provider = new ReloadlyAirtime(settingsOf(company), outside(exchanges));
    await provider.purchase(planned('delivers'), never);
    expect(exchanges.map(({ company, path }) => [company, path.split('/')[1]])).toEqual([
      ['reloadly_auth', 'oauth'],
      ['reloadly_topups', 'operators'],
      ['reloadly_topups', 'topups'],
    ]);
    const kept = JSON.stringify(exchanges);
    for (const secret of [company.clientSecret, 'eyJ.', company.webhookSecret]) expect(kept).not.toContain(secret);
  });

  it('gets another token when one is refused, and sells once', async () => {
    await airtime.balance('USD', never);
    company.expireTokens();
    const order = planned('delivers');
    expect((await airtime.purchase(order, never)).outcome).toBe('delivered');
    expect([company.tokens, company.sales.get(order.reference)]).toEqual([2, 1]);
  });

  it('knows its float, rounded down, in its own currency only', async () => {
    company.float = 99_381_999n;
    expect(await airtime.balance('USD', never)).toBe(99_381n);
    await expect(airtime.balance('NGN', never)).rejects.toThrow('the float is in USD');
  });

  it('can tell whether its settings are right', async () => {
    expect(await airtime.check(never)).toEqual({
      isFine: true,
      says: 'Reloadly lets us in. The float is USD 1,000,000.00.',
    });
    company.currency = 'CAD';
    expect(await airtime.check(never)).toEqual({ isFine: true, says: 'Reloadly lets us in. The float is in CAD.' });
    const wrong = async (changes: object) => {
      const { isFine, says } = await seller(changes).check(never);
      return isFine ? 'fine' : says;
    };
    expect(await wrong({ clientSecret: 'wrong' })).toMatch(/^Reloadly gave no token \(401 INVALID_CREDENTIALS\): are /);
    expect(await wrong({ audience: 'https://topups-sandbox.reloadly.com' })).toMatch(/INVALID_AUDIENCE/);
    expect(await wrong({ topupsUrl: `${company.url}elsewhere/` })).toBe(
      'What answers at RELOADLY_TOPUPS_URL is not Reloadly (404).',
    );
    const gone = await new Company().listen();
    const { url } = gone;
    await gone.stop();
    expect(await wrong({ authUrl: url })).toMatch(/^Nobody answers at /);
    const silent = await new Company().listen();
    expect(await wrong({ topupsUrl: silent.url })).toMatch(/^Reloadly does not take its own token: /);
    await silent.stop();
  });
});
