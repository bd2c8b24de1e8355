import { DataSource } from 'typeorm';
import { cardholder } from './support/cardholder';
import { Duka, type TestAccount } from './support/duka';

/** The birthday of somebody who is so many years old, but for some days, in UTC. */
function birthday(years: number, daysLess: number): string {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() + daysLess);
  day.setUTCFullYear(day.getUTCFullYear() - years);
  return day.toISOString().slice(0, 10);
}

let duka: Duka;
let account: TestAccount;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  account = await duka.account();
});

const create = (change: object = {}, key?: string) =>
  account.api.post('/v4/customers', { ...cardholder(), ...change }, { key });

it('is registered, and the number of the document is shown masked only', async () => {
  const { status, body } = await create({ metadata: { crm: '7' } });
  expect([status, body]).toEqual([
    201,
    {
      ...cardholder(),
      object: 'customer',
      id: expect.stringMatching(/^cus_/),
      identity: { type: 'passport', number: '****567' },
      metadata: { crm: '7' },
      kyc_status: 'unverified',
      kyc_tier: 0,
      kyc_failure: null,
      kyc_verified_at: null,
      needs_review: false,
      livemode: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      anonymized_at: null,
      version: 1,
    },
  ]);
  const [row] = await duka.app.get(DataSource).query('SELECT c::text AS all FROM customers c ORDER BY id DESC LIMIT 1');
  expect(row.all).not.toContain('A01234567');
});

it('is registered once for a key', async () => {
  const [first, again] = [await create({}, 'c-1'), await create({}, 'c-1')];
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.id]).toEqual([201, 'true', first.body.id]);
  expect((await create({ email: 'other@example.com' }, 'c-1')).body.code).toBe('idempotency_key_reused');
  expect((await account.api.get('/v4/customers')).body.data).toHaveLength(1);
});

it('is changed field by field, and listed', async () => {
  const {
    body: { id },
  } = await create();
  const { status, body } = await account.api.patch(`/v4/customers/${id}`, {
    last_name: 'Eze',
    identity: { type: 'bvn', number: '22212345678' },
  });
  expect([status, body.first_name, body.last_name, body.identity]).toEqual([
    200,
    'Ada',
    'Eze',
    { type: 'bvn', number: '****678' },
  ]);
  expect((await account.api.get(`/v4/customers/${id}`)).body).toEqual(body);
  await create();
  expect((await account.api.all('/v4/customers?limit=1')).map(({ last_name: name }) => name)).toEqual(['Obi', 'Eze']);
});

it.each([
  [{ email: 'ada' }, 'validation_failed', '/email'],
  [{ phone: '0803 123 4567' }, 'invalid_phone_number', '/phone'],
  [{ date_of_birth: '1990-02-30' }, 'validation_failed', '/date_of_birth'],
  [{ date_of_birth: '2999-01-01' }, 'validation_failed', '/date_of_birth'],
  [{ date_of_birth: birthday(18, 1) }, 'cardholder_too_young', '/date_of_birth'],
  [{ date_of_birth: birthday(0, -1) }, 'cardholder_too_young', '/date_of_birth'],
  [{ phone: '+23480312345678901' }, 'invalid_phone_number', '/phone'],
  [{ phone: '+2348031' }, 'invalid_phone_number', '/phone'],
  [{ phone: '+9990000000' }, 'invalid_phone_number', '/phone'],
  [{ address: { ...cardholder().address, country: 'XX' } }, 'validation_failed', '/address/country'],
  [{ address: { ...cardholder().address, country: 'ng' } }, 'validation_failed', '/address/country'],
  [{ identity: { type: 'nin', number: '1234567890' } }, 'invalid_identity_number', '/identity/number'],
  [{ identity: { type: 'bvn', number: '2221234567A' } }, 'invalid_identity_number', '/identity/number'],
  [{ identity: { type: 'ssn', number: '12-345-6789' } }, 'invalid_identity_number', '/identity/number'],
  [{ identity: { type: 'passport', number: 'A0123' } }, 'invalid_identity_number', '/identity/number'],
  [{ identity: { type: 'nin', number: '?' } }, 'validation_failed', '/identity/number'],
  [{ address: [] }, 'validation_failed', '/address'],
  [{ address: { ...cardholder().address, country: 'Nigeria' } }, 'validation_failed', '/address/country'],
  [{ identity: { type: { toString: 'x' }, number: 'ref-1' } }, 'validation_failed', '/identity/type'],
  [{ identity: { type: 'constructor', number: 'ref-1' } }, 'validation_failed', '/identity/type'],
  [{ identity: { type: 'library_card', number: 'A01234567' } }, 'validation_failed', '/identity/type'],
  [{ nickname: 'A' }, 'unknown_field', '/nickname'],
])('is refused with %j', async (change, code, param) => {
  const { status, body } = await create(change);
  expect([status, body.code, body.param]).toEqual([400, code, param]);
});

it.each([
  { date_of_birth: birthday(18, 0) },
  { phone: '+14155552671' },
  { address: { ...cardholder().address, country: 'GH' } },
  { identity: { type: 'nin', number: '12345678901' } },
  { identity: { type: 'ssn', number: '123-45-6789' } },
  { identity: { type: 'voters_card', number: '90F5 B12/33' } },
])('is taken with %j', async (change) => {
  expect((await create(change)).status).toBe(201);
});

it('is checked when it is changed, and with a card', async () => {
  const { body: known } = await create();
  const minor = { date_of_birth: birthday(18, 1) };
  const changed = await account.api.patch(`/v4/customers/${known.id}`, minor);
  expect([changed.status, changed.body.code, changed.body.param]).toEqual([
    400,
    'cardholder_too_young',
    '/date_of_birth',
  ]);
  expect((await account.api.get(`/v4/customers/${known.id}`)).body).toEqual(known);
  const issued = await account.api.post('/v4/cards/issue', {
    customer: { ...cardholder(), ...minor, identity: { type: 'bvn', number: '1' } },
    currency: 'USD',
    amount: 1,
    funding_wallet_id: await account.api.wallet(1_000, 'USD'),
  });
  expect([issued.status, issued.body.errors.map(({ param }: any) => param)]).toEqual([
    400,
    ['/customer/date_of_birth', '/customer/identity/number'],
  ]);
});

it('belongs to one account and one mode', async () => {
  const {
    body: { id },
  } = await create();
  const [stranger, live] = [await duka.account(), duka.api(await duka.key({ accountId: account.id, livemode: true }))];
  for (const api of [stranger.api, live]) {
    expect((await api.get(`/v4/customers/${id}`)).status).toBe(404);
    expect((await api.patch(`/v4/customers/${id}`, { last_name: 'X' })).status).toBe(404);
    expect((await api.get('/v4/customers')).body.data).toEqual([]);
  }
});
