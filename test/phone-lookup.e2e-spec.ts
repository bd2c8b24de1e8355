import { type PhoneQuestion, PhoneService } from '../src/modules/phones/phone.service';
import type { Api } from './support/api';
import { Duka } from './support/duka';

/** Test numbers: the first answers as it is told, the second was ported from MTN to Airtel. */
const [PLAIN, PORTED] = ['+2348001234100', '+2348001234113'];
const MTN = '+2348031234567';
/** A mobile number of no known range. */
const NOBODYS = '+2347029123456';

describe('phone numbers and their networks', () => {
  let duka: Duka;
  let api: Api;
  let live: Api;
  let phones: PhoneService;

  beforeAll(async () => {
    duka = await Duka.start();
    const account = await duka.account();
    api = account.api;
    live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
    phones = duka.get(PhoneService);
  });
  afterAll(() => duka.stop());

  const lookUp = async (query: Record<string, string>, by = api) =>
    (await by.get(`/v4/phone/lookup?${new URLSearchParams(query).toString()}`)).body;

  it('are looked up', async () => {
    const known = { object: 'phone_lookup', valid: true, source: 'prefix', confidence: 'medium' };
    expect(await lookUp({ phone: '0803 123 4567', country: 'NG' })).toEqual({
      ...known,
      phone: MTN,
      country: 'NG',
      network: 'mtn',
    });
    expect(await lookUp({ phone: '+233201234567' })).toEqual({
      ...known,
      phone: '+233201234567',
      country: 'GH',
      network: 'telecel',
    });
    expect(await lookUp({ phone: PLAIN })).toEqual({ ...known, phone: PLAIN, country: 'NG', network: 'mtn' });
    expect(await lookUp({ phone: PORTED })).toEqual({
      ...known,
      phone: PORTED,
      country: 'NG',
      network: 'airtel',
      source: 'porting',
      confidence: 'high',
    });
    expect(await lookUp({ phone: NOBODYS })).toEqual({
      ...known,
      phone: NOBODYS,
      country: 'NG',
      network: null,
      source: null,
      confidence: null,
    });
    expect(await lookUp({ phone: '+12025550123' })).toMatchObject({ valid: true, country: 'US', network: null });
  });

  it('are looked up with an unescaped +, too', async () => {
    const { body } = await api.get(`/v4/phone/lookup?phone=${MTN}`);
    expect(body).toMatchObject({ valid: true, phone: MTN, network: 'mtn' });
  });

  it('that cannot exist are an answer', async () => {
    const nothing = {
      object: 'phone_lookup',
      valid: false,
      phone: null,
      country: null,
      network: null,
      source: null,
      confidence: null,
    };
    expect(await lookUp({ phone: '08031234567' })).toEqual(nothing);
    expect(await lookUp({ phone: 'hello' })).toEqual(nothing);
    expect(await lookUp({ phone: MTN, country: 'KE' })).toEqual(nothing);
    expect(await lookUp({ phone: PLAIN }, live)).toEqual(nothing);
  });

  it('that are not even asked for properly are an error', async () => {
    const answers = await Promise.all(
      [
        '',
        '?phone=',
        `?phone=${'1'.repeat(33)}`,
        '?phone=1&country=Nigeria',
        '?phone=1&country=ng',
        '?phone=1&colour=red',
      ].map((query) => api.get(`/v4/phone/lookup${query}`)),
    );
    expect(answers.map(({ status, body }) => [status, body.code, body.param])).toEqual([
      [400, 'validation_failed', '/phone'],
      [400, 'invalid_phone_number', '/phone'],
      [400, 'invalid_phone_number', '/phone'],
      [400, 'validation_failed', '/country'],
      [400, 'validation_failed', '/country'],
      [400, 'unknown_field', '/colour'],
    ]);
    expect(
      (
        await duka
          .api(await duka.key({ accountId: (await duka.account()).id, scopes: ['wallets:read'] }))
          .get('/v4/phone/lookup?phone=1')
      ).status,
    ).toBe(403);
  });

  type Case = [what: string, asked: Omit<PhoneQuestion, 'livemode'>, network: string, source: 'given' | 'prefix'];
  it.each<Case>([
    ['its range', { phone: MTN }, 'mtn', 'prefix'],
    ['the caller, who agrees with the range', { phone: MTN, network: 'mtn' }, 'mtn', 'given'],
    ['the caller, where nothing is known', { phone: NOBODYS, network: 'glo' }, 'glo', 'given'],
    ['the caller, by rule', { phone: MTN, network: 'glo', on_network_mismatch: 'use_given' }, 'glo', 'given'],
    ['its range, by rule', { phone: MTN, network: 'glo', on_network_mismatch: 'use_detected' }, 'mtn', 'prefix'],
    ['an alias', { phone: '+2348091234567', network: '9mobile' }, 't2', 'given'],
    ['another alias', { phone: '+2348091234567', network: 'etisalat' }, 't2', 'given'],
    ['the range of a test number', { phone: PLAIN }, 'mtn', 'prefix'],
    ['whatever the caller says of a test number', { phone: PLAIN, network: 'glo' }, 'glo', 'given'],
    ['the caller, who knows that it was ported', { phone: PORTED, network: 'airtel' }, 'airtel', 'given'],
    [
      'the caller, of a ported number, by rule',
      { phone: PORTED, network: 'mtn', on_network_mismatch: 'use_given' },
      'mtn',
      'given',
    ],
    [
      'the network that a number was ported to, by rule',
      { phone: PORTED, on_network_mismatch: 'use_detected' },
      'airtel',
      'prefix',
    ],
    ['the same slug of another country', { phone: '+233241234567', network: 'mtn' }, 'mtn', 'given'],
    ['nobody but nulls', { phone: MTN, country: null, network: null, on_network_mismatch: null }, 'mtn', 'prefix'],
  ])('resolve to the network of %s', async (_, asked, network, networkSource) => {
    expect(await phones.resolve({ ...asked, livemode: false })).toMatchObject({
      phone: asked.phone,
      network,
      networkSource,
    });
  });

  type Refusal = [what: string, asked: Omit<PhoneQuestion, 'livemode'>, code: string, detail: RegExp];
  it.each<Refusal>([
    ['a number of another network', { phone: MTN, network: 'glo' }, 'network_mismatch', /\bglo\b.*\bmtn\b/],
    [
      'a number of another network, by rule',
      { phone: MTN, network: 'glo', on_network_mismatch: 'reject' },
      'network_mismatch',
      /\bglo\b.*\bmtn\b/,
    ],
    ['a ported number', { phone: PORTED }, 'network_mismatch', /\bmtn\b.*\bairtel\b/],
    [
      'a ported number and its old network',
      { phone: PORTED, network: 'mtn' },
      'network_mismatch',
      /\bmtn\b.*\bairtel\b/,
    ],
    [
      'a ported number and a third network',
      { phone: PORTED, network: 'glo' },
      'network_mismatch',
      /\bglo\b.*\bairtel\b/,
    ],
    ['a number of no known range', { phone: NOBODYS }, 'network_not_detected', /send one of airtel, glo, mtn, t2/],
    [
      'a number of a country without networks',
      { phone: '+12025550123' },
      'network_not_detected',
      /No network of the country/,
    ],
    [
      'a network of another country',
      { phone: MTN, network: 'safaricom' },
      'validation_failed',
      /safaricom is not a network of NG/,
    ],
    ['no number', { phone: 'hello' }, 'invalid_phone_number', /E\.164/],
  ])('refuse %s', async (_, asked, code, detail) => {
    await expect(phones.resolve({ ...asked, livemode: false })).rejects.toMatchObject({
      details: { code, detail: expect.stringMatching(detail) },
    });
  });

  it('refuse test numbers in live mode', async () => {
    await expect(phones.resolve({ phone: PLAIN, livemode: true })).rejects.toMatchObject({
      details: { code: 'invalid_phone_number' },
    });
  });
});
