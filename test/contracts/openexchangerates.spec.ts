import { readFileSync } from 'node:fs';
import { OpenExchangeRates, rateIn, tableOf } from '../../src/extensions/openexchangerates/openexchangerates';
import { asRateResult } from '../../src/modules/conversions/provided-rates';
import type { RateResult } from '../../src/modules/conversions/rates.provider';
import type { Pair } from '../../src/modules/conversions/rates.service';
import { parseJson } from '../../src/providers/http';
import { Company } from '../pretended/openexchangerates/company';
import { outside } from './outside';
import { ratesContract } from './rates-rules';

const never = new AbortController().signal;
const PAIR: Pair = { livemode: true, base: 'USD', quote: 'NGN' };
const pairOf = (base: Pair['base'], quote: Pair['quote']): Pair => ({ livemode: true, base, quote });

let company: Company;
const providerOf = (changes: object = {}) =>
  new OpenExchangeRates({ url: company.url, appId: company.appId, everyMinutes: 60, ...changes }, outside());
const rateOf = (result: RateResult) => (result.outcome === 'said' ? result.rate : result.code);

beforeEach(async () => {
  company = await new Company().listen();
});
afterEach(() => company.stop());

ratesContract('Open Exchange Rates', () => ({
  provider: providerOf(),
  pair: PAIR,
  talkNonsense: () => (company.mood = 'nonsense'),
}));
ratesContract('Open Exchange Rates between two others', () => ({ provider: providerOf(), pair: pairOf('GHS', 'KES') }));

describe('a rate of Open Exchange Rates', () => {
  it('is asked for with the App ID in no address, and with no parameter of a larger plan', async () => {
    await providerOf().mid(PAIR, never);
    const [{ method, path, query, headers }] = company.heard as [(typeof company.heard)[number]];
    expect([method, path, [...query]]).toEqual(['GET', '/latest.json', []]);
    expect(headers.authorization).toBe(`Token ${company.appId}`);
  });

  it.each([
    ['USD', 'NGN', '1550.25'],
    ['NGN', 'USD', '0.000645057248830833'],
    ['EUR', 'NGN', '1678.846266306549043645'],
    ['GHS', 'RWF', '84.883042830298710555'],
    ['XOF', 'XAF', '1'],
    ['UGX', 'NGN', '0.418408404388315386'],
  ] as const)('from %s to %s is %s, to the last place', async (base, quote, rate) => {
    expect(rateOf(await providerOf().mid(pairOf(base, quote), never))).toBe(rate);
  });

  it('is of the time that stands with it', async () => {
    company.timestamp = 1_715_774_400;
    const asOf = new Date('2024-05-15T12:00:00.000Z');
    expect(await providerOf().mid(PAIR, never)).toEqual({ outcome: 'said', rate: '1550.25', asOf });
  });

  it('of the future is none for the service', async () => {
    company.timestamp = Math.floor(Date.now() / 1_000) + 3_600;
    expect(asRateResult(await providerOf().mid(PAIR, never))).toMatchObject({ outcome: 'unknown' });
  });

  it('keeps each digit: no double has them', async () => {
    company.rates.NGN = '1234567890.123456789012345678';
    expect(rateOf(await providerOf().mid(PAIR, never))).toBe('1234567890.123456789012345678');
  });

  it.each(['0', '-1550.25', '1.5502e3', '"NaN"', 'null', '{}', '[1550.25]', '1550.2500000000000000001'])(
    'of %s is none',
    async (rate) => {
      company.rates.NGN = rate;
      expect(rateOf(await providerOf().mid(PAIR, never))).toBe('currency_not_told');
    },
  );

  it('of a currency that it does not have is none', async () => {
    delete company.rates.NGN;
    expect(rateOf(await providerOf().mid(PAIR, never))).toBe('currency_not_told');
    expect(rateOf(await providerOf().mid(pairOf('USD', 'LYD'), never))).toBe('currency_not_told');
  });

  it('that is worth nothing this way is none', async () => {
    company.rates = { USD: '999999999999', NGN: '0.000000000000000001' };
    expect(rateOf(await providerOf().mid(PAIR, never))).toBe('unparsable_answer');
  });
});

describe('the plan', () => {
  it('is spared: one answer serves all pairs for as long as was set', async () => {
    const provider = providerOf();
    await provider.mid(PAIR, never);
    company.rates.NGN = '1600';
    expect(rateOf(await provider.mid(PAIR, never))).toBe('1550.25');
    await provider.mid(pairOf('EUR', 'GHS'), never);
    expect(company.requests).toBe(1);
  });

  it('is asked anew after that', async () => {
    const provider = providerOf({ everyMinutes: 0 });
    await provider.mid(PAIR, never);
    company.rates.NGN = '1600';
    expect(rateOf(await provider.mid(PAIR, never))).toBe('1600');
    expect(company.requests).toBe(2);
  });

  it('that is used up says no rate, and not the one of before', async () => {
    const provider = providerOf({ everyMinutes: 0 });
    await provider.mid(PAIR, never);
    company.quota = 1;
    expect(await provider.mid(PAIR, never)).toEqual({ outcome: 'unknown', code: 'access_restricted' });
  });

  it('does not keep what is no answer', async () => {
    const provider = providerOf();
    company.mood = 'nonsense';
    expect((await provider.mid(PAIR, never)).outcome).toBe('unknown');
    company.mood = null;
    expect((await provider.mid(PAIR, never)).outcome).toBe('said');
  });

  it('says nothing when it breaks, or is away', async () => {
    company.breaks = () => ({ status: 503, isDone: false });
    expect(await providerOf().mid(PAIR, never)).toEqual({ outcome: 'unknown', code: 'unreadable_answer' });
    company.breaks = () => null;
    company.mood = 'away';
    await expect(providerOf().mid(PAIR, never)).rejects.toThrow('other side closed');
    await company.stop();
    await expect(providerOf().mid(PAIR, never)).rejects.toThrow('accepts no connections');
  });
});

const told = (name: string) =>
  parseJson(readFileSync(`test/pretended/openexchangerates/fixtures/${name}.json`, 'utf8')) as any;

describe('what was published of it', () => {
  it('is a table, whatever its base', () => {
    const latest = tableOf({ status: 200, body: told('latest') });
    expect(latest).toEqual({ asOf: new Date(1_715_774_400_000), rates: { EUR: '0.923402', PEN: '3.719933' } });
    const euro = tableOf({ status: 200, body: told('base-euro') });
    expect(euro).toEqual({
      asOf: new Date(1_424_127_600_000),
      rates: { AED: '4.626447', AFN: '61.002415', ALL: '137.92617' },
    });
    // The base itself is not among the rates of the example: nothing is made up for it.
    if ('outcome' in latest) throw new Error('no table');
    expect(rateIn(latest, pairOf('USD', 'EUR'))).toEqual({ outcome: 'unknown', code: 'currency_not_told' });
  });

  it('is an error by its word', () => {
    expect(tableOf({ status: 401, body: told('invalid-app-id') })).toEqual({
      outcome: 'unknown',
      code: 'invalid_app_id',
    });
  });

  it.each([null, '', [], { timestamp: '1715774400', rates: {} }, { timestamp: 0, rates: {} }, { timestamp: 9e15 }])(
    '%j is no table',
    (body) => {
      expect(tableOf({ status: 200, body })).toEqual({ outcome: 'unknown', code: 'unparsable_answer' });
    },
  );

  it.each([{ timestamp: 1 }, { timestamp: 1, rates: null }, { timestamp: 1, rates: 'USD' }])(
    '%j knows no rate',
    (body) => {
      const table = tableOf({ status: 200, body });
      if ('outcome' in table) throw new Error('no table');
      expect(rateIn(table, PAIR)).toEqual({ outcome: 'unknown', code: 'currency_not_told' });
    },
  );
});

describe('a look at the settings', () => {
  const check = (changes: object = {}) => providerOf(changes).check(AbortSignal.timeout(2_000));

  it('finds them right, and does not count', async () => {
    company.requests = 54;
    const says = 'Open Exchange Rates knows us: 946 requests are left this month. Rates change hourly.';
    expect(await check()).toEqual({ isFine: true, says });
    company.quota = -1;
    expect((await check()).says).toContain('requests are unlimited');
    expect(company.requests).toBe(54);
  });

  it('finds the App ID wrong, and does not show it', async () => {
    const { isFine, says } = await check({ appId: 'fedcba9876543210' });
    expect([isFine, says]).toEqual([false, expect.stringContaining('OPENEXCHANGERATES_APP_ID')]);
    expect(says).not.toContain('fedcba');
  });

  it('finds the account restricted, or the plan used up', async () => {
    company.quota = 0;
    expect(await check()).toMatchObject({ isFine: false, says: expect.stringContaining('used up') });
    company.mood = 'restricted';
    expect(await check()).toMatchObject({ isFine: false, says: expect.stringContaining('has restricted the account') });
    company.mood = 'barred';
    const says = 'Open Exchange Rates refuses us: access_restricted (HTTP 403).';
    expect(await check()).toEqual({ isFine: false, says });
  });

  it('finds somebody else at the address, or nobody', async () => {
    expect(await check({ url: `${company.url}elsewhere/` })).toMatchObject({
      isFine: false,
      says: 'There is nothing at the address: OPENEXCHANGERATES_URL ends with /api/.',
    });
    company.breaks = () => ({ status: 502, isDone: false });
    expect(await check()).toMatchObject({ isFine: false, says: expect.stringContaining('is not Open Exchange Rates') });
    await company.stop();
    expect(await check()).toMatchObject({ isFine: false, says: expect.stringContaining('OPENEXCHANGERATES_URL') });
  });
});
