import networks from '../../migrations/seeds/networks.json';
import { carrierOf, parsePhone, Ranges } from './phone.service';
import prefixes from './phone-prefixes.json';
import sandbox from './sandbox-phones.json';

const rows = Object.entries(prefixes).flatMap(([country, of]) =>
  Object.entries(of).flatMap(([network, local]) => local.map((prefix) => ({ country, network, prefix }))),
);
const slugs = networks.map(({ country, slug }) => `${country} ${slug}`);

const LENGTH_OF_A_LOCAL_NUMBER: Record<string, number> = { NG: 11, GH: 10, KE: 10, ZA: 10 };

const live = (phone: string, country?: string) => parsePhone({ phone, country, livemode: true });
const test = (phone: string, country?: string) => parsePhone({ phone, country, livemode: false });

describe('the file of prefixes', () => {
  it.each(rows)(
    '$prefix of $country is a range of mobile numbers, and $network is in the list of networks',
    ({ country, network, prefix }) => {
      const number = live(prefix.padEnd(LENGTH_OF_A_LOCAL_NUMBER[country]!, '2'), country);
      expect(number.country).toBe(country);
      expect(carrierOf(number)).toEqual({ byRange: network, actual: network });
      expect(slugs).toContain(`${country} ${network}`);
    },
  );

  it('gives each prefix once', () => {
    const all = rows.map(({ country, prefix }) => `${country} ${prefix}`);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('the network of a number', () => {
  it('is that of its longest prefix', () => {
    const ranges = new Ranges({ NG: { mtn: ['0702'], glo: ['07025', '070'] } });
    expect(['+2347025', '+2347024', '+2347031', '+2348031', '+254702'].map((phone) => ranges.networkOf(phone))).toEqual(
      ['glo', 'mtn', 'glo', null, null],
    );
    const among = (digits: string) => carrierOf(live(digits, 'NG')).byRange;
    expect(['07024123456', '07025123456', '07026123456', '07027123456'].map(among)).toEqual([null, 'mtn', 'mtn', null]);
  });

  it('is not that of the same digits elsewhere', () => {
    expect(carrierOf(live('+254703123456')).byRange).toBe('safaricom');
    expect(carrierOf(live('+2347031234567')).byRange).toBe('mtn');
    expect(carrierOf(live('+12025550123'))).toEqual({ byRange: null, actual: null });
  });
});

describe('a phone number', () => {
  it.each([
    ['+2348031234567', undefined],
    ['08031234567', 'NG'],
    ['0803 123 4567', 'NG'],
    ['(0803) 123-4567', 'NG'],
    ['+234 803.123.4567', 'NG'],
    ['2348031234567', 'NG'],
    ['8031234567', 'NG'],
    ['+234(0)8031234567', undefined],
  ])('is read from %s (%s)', (phone, country) => {
    expect(live(phone, country)).toEqual({ phone: '+2348031234567', country: 'NG', isSandbox: false });
  });

  it.each([
    ['local, without a country', '08031234567', undefined],
    ['of an unknown country', '08031234567', 'ZZ'],
    ['of another country', '+2348031234567', 'GH'],
    ['too short', '0803123456', 'NG'],
    ['too long', '080312345678', 'NG'],
    ['of no range', '+2340031234567', undefined],
    ['a fixed line', '+23412701234', undefined],
    ['text', 'call me', 'NG'],
    ['empty', '', 'NG'],
    ['letters for digits', '0803FLOWERS', 'NG'],
    ['with an extension', '+2348031234567 ext 5', undefined],
    ['an address', 'tel:+2348031234567', undefined],
    ['two numbers', '08031234567 08031234568', 'NG'],
    ['a prototype property', '__proto__', 'NG'],
    ['digits of another script', '+٢٣٤٨٠٣١٢٣٤٥٦٧', undefined],
    ['a plus alone', '+', 'NG'],
    ['a toll-free number', '+2548001234567', undefined],
  ])('is refused: %s', (_, phone, country) => {
    expect(() => live(phone, country)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ code: 'invalid_phone_number', param: '/phone' }) }),
    );
  });
});

describe('a test number', () => {
  it.each(['+2348001234100', '08001234100', '0800 1234 100'])('%s exists in test mode only', (phone) => {
    expect(test(phone, 'NG')).toEqual({ phone: '+2348001234100', country: 'NG', isSandbox: true });
    expect(() => live(phone, 'NG')).toThrow('test mode only');
  });

  it('has seven digits behind 0800', () => {
    for (const phone of ['+234800123410', '+23480012341000']) expect(() => test(phone)).toThrow('no mobile number');
  });

  it("is of the file's network, and YZ = 13 was ported", () => {
    expect(carrierOf(test('+2348001234100'))).toEqual({ byRange: sandbox.network, actual: 'mtn' });
    expect(carrierOf(test('+2348001234113'))).toEqual({ byRange: 'mtn', actual: 'airtel' });
    expect(carrierOf(test('+2348001213100'))).toEqual({ byRange: 'mtn', actual: 'mtn' });
  });
});
