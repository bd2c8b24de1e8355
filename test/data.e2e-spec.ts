import { DataSource } from 'typeorm';
import seeded from '../src/migrations/seeds/data-plans.json';
import { PLAN_TYPES } from '../src/modules/data/data-plan';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

let duka: Duka;
let api: Api;

beforeAll(async () => {
  duka = await Duka.start();
  api = (await duka.account()).api;
});
afterAll(() => duka.stop());

/** As an operator edits the table. */
const edit = (set: string, planCode: string) =>
  duka.get<DataSource>(DataSource).query(`UPDATE data_plans SET ${set} WHERE plan_code = $1`, [planCode]);
const codes = ({ body }: Answer): string[] => body.data.map(({ plan_code }: { plan_code: string }) => plan_code);
const plans = async (query: string): Promise<Answer> => api.get(`/v4/data/plans?limit=100&${query}`);
const seededCodes = (matches: (plan: (typeof seeded)[number]) => boolean) =>
  seeded
    .filter(matches)
    .map(({ plan_code }) => plan_code)
    .sort();

describe('the catalogue', () => {
  it('shows what a plan is, what it costs and whether it can be delivered', async () => {
    const { status, body } = await plans('q=mtn-sme-1gb-1m');
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'list',
      data: [expect.anything()],
      has_more: false,
      next_cursor: null,
      catalogue_version: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(body.data[0]).toEqual({
      object: 'data_plan',
      plan_code: 'mtn-sme-1gb-1m',
      network: 'mtn',
      country: 'NG',
      name: 'MTN SME 1 GB, 1 month',
      type: 'sme',
      data_bytes: 1024 ** 3,
      validity: { quantity: 1, unit: 'month' },
      price: 59_000,
      price_display: 'NGN 590.00',
      currency: 'NGN',
      commission_bps: 150,
      available: true,
      updated_at: expect.any(String),
    });
  });

  it('starts with at least eight plans of each Nigerian network, of every type', async () => {
    for (const network of ['mtn', 'airtel', 'glo', 't2']) {
      const { data } = (await plans(`network=${network}&country=NG`)).body;
      expect(data.length).toBeGreaterThanOrEqual(8);
      expect(new Set(data.map(({ type }: { type: string }) => type))).toEqual(new Set(PLAN_TYPES));
    }
    for (const country of ['GH', 'KE', 'ZA'])
      expect(codes(await plans(`country=${country}`)).length).toBeGreaterThan(0);
  });

  it.each([
    ['network=glo', seededCodes(({ network }) => network === 'glo')],
    ['network=mtn', seededCodes(({ network }) => network === 'mtn')],
    ['network=mtn&country=GH', seededCodes(({ network, country }) => network === 'mtn' && country === 'GH')],
    ['network=9mobile', seededCodes(({ network }) => network === 't2')],
    ['network=etisalat&country=NG', seededCodes(({ network }) => network === 't2')],
    ['network=etisalat&country=KE', []],
    ['network=nobody', []],
    ['country=KE', seededCodes(({ country }) => country === 'KE')],
    ['type=social', seededCodes(({ type }) => type === 'social')],
    [
      'type=sme&network=airtel&country=NG',
      seededCodes(({ type, network, country }) => type === 'sme' && network === 'airtel' && country === 'NG'),
    ],
    ['q=WhatsApp', seededCodes(({ name }) => name.includes('WhatsApp'))],
    ['q=sme%20mtn', seededCodes(({ name }) => name.startsWith('MTN SME'))],
    ['q=-10gb-', seededCodes(({ plan_code }) => plan_code.includes('-10gb-'))],
    ['q=%25', []],
    ['q=nothing%20like%20it', []],
  ])('narrowed to %s', async (query, expected) => {
    expect(codes(await plans(query))).toEqual(expected);
  });

  it.each([
    'type=weekly',
    'country=ng',
    'country=Nigeria',
    'network=',
    'q=',
    'colour=red',
    'limit=0',
    'cursor=nonsense',
  ])('refuses %s', async (query) => {
    expect((await api.get(`/v4/data/plans?${query}`)).status).toBe(400);
  });

  it('is paged by code, without a plan twice or left out', async () => {
    const all = await api.all('/v4/data/plans?limit=7');
    expect(all.map(({ plan_code }) => plan_code)).toEqual(seededCodes(() => true));
    const glo = await api.all('/v4/data/plans?limit=5&network=glo');
    expect(glo.map(({ plan_code }) => plan_code)).toEqual(seededCodes(({ network }) => network === 'glo'));
  });

  it('gives cursors for its own filters only', async () => {
    const { next_cursor } = (await api.get('/v4/data/plans?limit=5&network=mtn')).body;
    const misused = await api.get(`/v4/data/plans?limit=5&network=glo&cursor=${next_cursor}`);
    expect([misused.status, misused.body.code]).toEqual([400, 'invalid_cursor']);
  });

  it('is for keys that may read purchases', async () => {
    const { id } = await duka.account();
    const without = duka.api(await duka.key({ accountId: id, scopes: ['purchases:write'] }));
    expect((await without.get('/v4/data/plans')).body.code).toBe('insufficient_scope');
    expect(
      (await duka.api(await duka.key({ accountId: id, scopes: ['purchases:read'] })).get('/v4/data/plans')).status,
    ).toBe(200);
  });

  it('says in live mode that nobody delivers', async () => {
    const live = duka.api(await duka.key({ accountId: (await duka.account()).id, livemode: true }));
    const { data } = (await live.get('/v4/data/plans?limit=5')).body;
    expect(data.map(({ available }: { available: boolean }) => available)).toEqual([false, false, false, false, false]);
  });
});

describe('a kept copy of the catalogue', () => {
  const ask = (path: string, tag: string, as = api) => as.get(path, { headers: { 'if-none-match': tag } });
  const PATH = '/v4/data/plans?limit=100&network=airtel&country=NG';

  it('is confirmed as long as it is what would be answered', async () => {
    const { headers } = await api.get(PATH);
    const etag = headers.get('etag')!;
    expect([etag, headers.get('cache-control')]).toEqual([expect.stringMatching(/^"[0-9a-f]+"$/), 'private, no-cache']);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, body, headers: confirmed } = await ask(PATH, tag);
      expect([tag, status, body, confirmed.get('etag'), confirmed.get('content-length')]).toEqual([
        tag,
        304,
        '',
        etag,
        null,
      ]);
    }
    for (const tag of ['"other"', etag.slice(1, -1), '']) expect((await ask(PATH, tag)).status).toBe(200);
  });

  it('is not confirmed to another question, account or mode', async () => {
    const etag = (await api.get('/v4/data/plans?limit=5')).headers.get('etag')!;
    const other = await duka.account();
    const live = duka.api(await duka.key({ accountId: other.id, livemode: true }));
    expect((await ask('/v4/data/plans?limit=5', etag)).status).toBe(304);
    expect((await ask('/v4/data/plans?limit=6', etag)).status).toBe(200);
    expect((await ask('/v4/data/plans?limit=5&type=direct', etag)).status).toBe(200);
    for (const stranger of [other.api, live])
      expect((await ask('/v4/data/plans?limit=5', etag, stranger)).status).toBe(200);
  });

  it.each([
    ['a price', 'price = price + 100'],
    ['a name, without touching updated_at', "name = name || ' (new)'"],
    ['its place among the plans on sale', 'active = false'],
  ])('ends when an operator changes %s', async (_, set) => {
    const code = seededCodes(({ network, country }) => network === 'airtel' && country === 'NG').at(-1)!;
    const before = await api.get(PATH);
    const etag = before.headers.get('etag')!;
    await edit(set, code);
    await until(async () => (await ask(PATH, etag)).status === 200);
    const after = await api.get(PATH);
    expect(after.body.catalogue_version).not.toBe(before.body.catalogue_version);
    expect(codes(after).includes(code)).toBe(!set.includes('active'));
  });
});
