import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { ProvidedRates } from '../../src/modules/conversions/provided-rates';
import { Floats } from '../../src/providers/floats';
import { Journal } from '../../src/providers/journal';
import { Company } from '../pretended/openexchangerates/company';
import type { Api } from '../support/api';
import { CommandLine } from '../support/command-line';
import { Duka } from '../support/duka';

const HOUR = 3_600;
const company = new Company();
let duka: Duka;
let live: Api;
let set: (from: string, to: string, rate: string) => Promise<void>;

beforeAll(async () => {
  await company.listen();
  // Every question is one for the company.
  Object.assign(process.env, company.settings, { OPENEXCHANGERATES_EVERY_MINUTES: '0' });
  duka = await Duka.start();
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position)
     VALUES ('rates', '*', true, 'openexchangerates', 1)`,
  );
  live = duka.api(await duka.key({ accountId: (await duka.account()).id, livemode: true }));
  const line = CommandLine.on(duka.env.DATABASE_URL!);
  const person = await line.person('rates@example.com', true);
  const bounds = ['--spread', '100', '--max-age', String(2 * HOUR), '--max-move', '500'];
  set = async (from, to, rate) => {
    const words = ['rate:set', '--from', from, '--to', to, '--rate', rate, ...bounds, ...person];
    expect(await line.duka(...words)).toMatchObject({ status: 0 });
    // Only what is younger than that is news.
    await duka.asOwner(`UPDATE fx_rates SET set_at = set_at - interval '1 day'`);
  };
});
afterAll(async () => {
  await duka.stop();
  await company.stop();
});

const fetch = () => duka.get<ProvidedRates>(ProvidedRates).fetch();
const now = () => Math.floor(Date.now() / 1_000);
const history = (base: string, quote: string) =>
  duka.asOwner(
    `SELECT person, trim_scale(rate)::text AS rate, by_provider, extract(epoch FROM set_at)::integer AS at
       FROM fx_rates WHERE livemode AND base = $1 AND quote = $2 ORDER BY id DESC`,
    [base, quote],
  );

it('is asked for nothing before an operator lets providers say rates', async () => {
  await fetch();
  expect(company.heard).toEqual([]);
});

it('a live quote is made of what it says, to the last digit, from when it says it', async () => {
  await set('USD', 'NGN', '1540');
  company.rates.NGN = '1550.123456';
  company.timestamp = now() - 60;
  await fetch();
  const [newest] = await history('USD', 'NGN');
  expect(newest).toEqual({
    person: 'openexchangerates',
    rate: '1550.123456',
    by_provider: true,
    at: company.timestamp,
  });
  const [usd, ngn] = [await live.wallet(0, 'USD'), await live.wallet(0, 'NGN')];
  await duka.fund(usd, 10_000n);
  const { status, body: quote } = await live.post('/v4/quotes', {
    from_currency: 'USD',
    to_currency: 'NGN',
    amount: 10_000,
  });
  expect([status, quote.rate]).toEqual([201, '1534.62222144']);
  const order = { quote_id: quote.id, from_wallet: usd, to_wallet: ngn };
  expect((await live.post('/v4/conversions', order, { key: randomUUID() })).status).toBe(201);
  expect((await live.balance(ngn)).available).toBe(15_346_222);
});

it('a rate between two other currencies is that of both', async () => {
  await set('GHS', 'KES', '8.3');
  company.timestamp = now() - 60;
  await fetch();
  // 129.25 / 15.433
  expect((await history('GHS', 'KES'))[0]).toMatchObject({ rate: '8.374910905203136136', by_provider: true });
});

it('what it says beyond the bounds changes nothing', async () => {
  await set('USD', 'NGN', '1540');
  company.rates.NGN = '1700';
  company.timestamp = now() - 60;
  await fetch();
  expect((await history('USD', 'NGN'))[0]).toMatchObject({ rate: '1540', by_provider: false });
});

it('an old rate is not quoted, however often it is said', async () => {
  await set('USD', 'NGN', '1540');
  company.rates.NGN = '1550';
  company.timestamp = now() - 3 * HOUR;
  await fetch();
  expect((await history('USD', 'NGN'))[0]).toMatchObject({ rate: '1550', at: company.timestamp });
  const old = await live.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 10_000 });
  expect([old.status, old.body.code]).toEqual([503, 'rate_unavailable']);
  company.timestamp = now();
  await fetch();
  const young = await live.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 10_000 });
  expect([young.status, young.body.rate]).toEqual([201, '1534.5']);
});

it('while it is away, talks nonsense or is restricted what was said last counts', async () => {
  const before = await history('USD', 'NGN');
  for (const mood of ['away', 'nonsense', 'restricted'] as const) {
    company.mood = mood;
    await fetch();
  }
  expect(await history('USD', 'NGN')).toEqual(before);
});

it('shows the App ID to nobody', async () => {
  const floats = duka.get<Floats>(Floats);
  company.mood = null;
  expect(await floats.check('openexchangerates')).toMatchObject({ isFine: true });
  await duka.get<Journal>(Journal).flush();
  const kept = await duka.get<Journal>(Journal).latest('openexchangerates', 50);
  expect(kept.map(({ path }) => path)).toContain('/usage.json');
  // The answer about our use of it repeats it.
  expect(JSON.stringify(kept)).not.toContain(company.appId);
});
