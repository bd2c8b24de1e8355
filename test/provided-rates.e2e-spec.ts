import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ProvidedRates } from '../src/modules/conversions/provided-rates';
import { SandboxRates } from '../src/modules/conversions/sandbox/sandbox.provider';
import { CommandLine } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';

let duka: Duka;
let account: TestAccount;
let line: CommandLine;

beforeAll(async () => {
  duka = await Duka.start();
  account = await duka.account();
  line = CommandLine.on(duka.env.DATABASE_URL!);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => duka.stop());

const fetch = () => duka.get<ProvidedRates>(ProvidedRates).fetch();
const set = async (rate: string, ...more: string[]) =>
  (await line.duka('rate:set', '--test', '--from', 'USD', '--to', 'NGN', '--rate', rate, ...more)).status;
const quoted = async () => (await account.api.get('/v4/rates?from=USD&to=NGN')).body.data[0]?.rate;
const says = (answer: unknown) =>
  jest.spyOn(duka.get<SandboxRates>(SandboxRates), 'mid').mockResolvedValue(answer as never);
const saidNow = (rate: string) => says({ outcome: 'said', rate, asOf: new Date() });
/** Of the pair, newest first. */
const history = () =>
  duka.asOwner(
    `SELECT person, trim_scale(rate)::text AS rate, by_provider FROM fx_rates
      WHERE NOT livemode AND base = 'USD' AND quote = 'NGN' ORDER BY id DESC`,
  );

it('nobody is asked where no operator lets providers say rates', async () => {
  const asked = saidNow('1560');
  expect(await set('1550', '--spread', '50')).toBe(0);
  await fetch();
  expect([asked.mock.calls.length, await quoted()]).toEqual([0, '1542.25']);
  expect(await set('1550', '--max-move', '300')).not.toBe(0);
});

it('what a provider says within the bounds counts, with the spread and the age that the operator set', async () => {
  expect(await set('1550', '--spread', '100', '--max-age', '600', '--max-move', '300')).toBe(0);
  await fetch();
  const { data } = (await account.api.get('/v4/rates?from=USD&to=NGN')).body;
  expect(data).toMatchObject([{ rate: '1544.4' }]);
  expect(Date.parse(data[0].valid_until) - Date.parse(data[0].set_at)).toBe(600_000);
  const known = await history();
  const [newest, before] = known;
  expect([newest, before]).toMatchObject([
    { person: 'sandbox', rate: '1560', by_provider: true },
    { rate: '1550', by_provider: false },
  ]);
  const listed = (await line.duka('rate:list', '--test')).json.rates;
  expect(listed.find((each: any) => each.from === 'USD' && each.to === 'NGN')).toMatchObject({ person: 'sandbox' });
  // Once more the same moment is no news.
  says({ outcome: 'said', rate: '1561', asOf: new Date(Date.parse(data[0].set_at)) });
  await fetch();
  expect(await history()).toHaveLength(known.length);
  expect(await quoted()).toBe('1544.4');
});

it('what it says beyond them changes nothing, step by step neither', async () => {
  expect(await set('1550', '--max-age', '600', '--max-move', '300')).toBe(0);
  for (const rate of ['1596.6', '1503.4', '0.0001', '999999999999']) {
    saidNow(rate);
    await fetch();
    expect(await quoted()).toBe('1550');
  }
  saidNow('1596.5');
  await fetch();
  saidNow('1640');
  await fetch();
  expect(await quoted()).toBe('1596.5');
});

it.each([
  { outcome: 'unknown', code: 'timeout' },
  { outcome: 'said', rate: 'NaN', asOf: new Date() },
  { outcome: 'said', rate: '1551', asOf: new Date(Date.now() + 3_600_000) },
])('%j changes nothing', async (answer) => {
  expect(await set('1550', '--max-age', '600', '--max-move', '300')).toBe(0);
  says(answer);
  await fetch();
  expect(await quoted()).toBe('1550');
});

it('is not quoted when nobody said one lately, and what the operator says counts at once', async () => {
  expect(await set('1550', '--max-age', '60', '--max-move', '300')).toBe(0);
  await duka.asOwner(`UPDATE fx_rates SET set_at = set_at - interval '5 minutes' WHERE base = 'USD' AND quote = 'NGN'`);
  says({ outcome: 'said', rate: '1551', asOf: new Date(Date.now() - 90_000) });
  await fetch();
  const refused = await account.api.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 100 });
  expect([refused.status, refused.body.code]).toEqual([503, 'rate_unavailable']);
  expect(await set('1400')).toBe(0);
  await fetch();
  expect(await quoted()).toBe('1400');
});

it('a process of the service cannot go round the bounds', async () => {
  const service = duka.get<DataSource>(DataSource);
  const add = async (worth: string, asOf = 'now()', base = 'USD', quote = 'NGN') => {
    const words = `SELECT add_provided_rate(false, $1, $2, $3::numeric, 'mallory', ${asOf}) AS done`;
    return (await service.query(words, [base, quote, worth]))[0].done;
  };
  expect(await set('1550', '--max-age', '600', '--max-move', '100')).toBe(0);
  const tried = [await add('1600'), await add('NaN'), await add('-1550'), await add('0'), await add('Infinity')];
  expect(new Set(tried)).toEqual(new Set(['too_far']));
  expect(await add('0.000645', 'now()', 'NGN', 'USD')).toBe('not_wanted');
  expect(await add('0.92', 'now()', 'USD', 'EUR')).toBe('not_wanted');
  expect(await add('1551', `now() - interval '1 minute'`)).toBe('not_newer');
  expect(await add('1551', `now() + interval '1 year'`)).toBe('added');
  // What comes after it is newer all the same.
  expect(await set('1550')).toBe(0);
  expect(await quoted()).toBe('1550');
  await expect(service.query(`UPDATE fx_rates SET rate = 1`)).rejects.toThrow('permission denied');
});
