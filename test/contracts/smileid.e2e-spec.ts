import { DataSource } from 'typeorm';
import { decodeId } from '../../src/core/http/ids';
import { CustomerVerificationRun } from '../../src/modules/cards/customers/customer-verification';
import { Floats } from '../../src/providers/floats';
import { Journal } from '../../src/providers/journal';
import { Company } from '../pretended/smileid/company';
import type { Api } from '../support/api';
import { cardholder } from '../support/cardholder';
import { Duka } from '../support/duka';

const company = new Company();
let duka: Duka;
let account: string;
let live: Api;

beforeAll(async () => {
  await company.listen();
  Object.assign(process.env, company.settings);
  duka = await Duka.start();
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position)
     VALUES ('identity', 'nin', true, 'smileid', 1), ('identity', 'bvn', true, 'smileid', 1)`,
  );
  account = (await duka.account()).id;
  live = duka.api(await duka.key({ accountId: account, livemode: true }));
});
afterAll(async () => {
  await duka.stop();
  await company.stop();
});

const register = async (number: string, type = 'nin'): Promise<string> =>
  (await live.post('/v4/customers', { ...cardholder(), identity: { type, number } })).body.id;
const verify = (id: string) => live.post(`/v4/customers/${id}/verify`, {}, { headers: { prefer: 'wait=5' } });
const shown = async (id: string) => (await live.get(`/v4/customers/${id}`)).body;
/** As if its time had come: no clock of live mode can be moved. */
const look = (id: string) =>
  duka
    .get<CustomerVerificationRun>(CustomerVerificationRun)
    ['look']({ accountId: decodeId('acct', account)!, livemode: true, id: decodeId('cus', id)! });
const typesOf = async (id: string): Promise<string[]> =>
  (await live.all('/v4/events?limit=100')).filter(({ data }) => data.object.id === id).map(({ type }) => type);

it.each(['nin', 'bvn'])('a cardholder is verified by a %s', async (type) => {
  const id = await register('22345678900', type);
  const { status, body } = await verify(id);
  expect([status, body.kyc_status, body.kyc_tier]).toEqual([200, 'verified', 1]);
  expect(await typesOf(id)).toEqual(['customer.verified']);
});

it.each([
  ['32345678901', 'identity_not_found'],
  ['32345678902', 'invalid_identity_number'],
  ['32345678904', 'identity_mismatch'],
])('a cardholder with the number %s is rejected: %s', async (number, code) => {
  company.people.set('32345678904', { firstName: 'Bola', lastName: 'Ade', birth: '1971-01-02' });
  const id = await register(number);
  const { status, body } = await verify(id);
  expect([status, body.kyc_status]).toEqual([200, 'rejected']);
  expect(body.kyc_failure).toMatchObject({ code, recovery: 'caller_must_fix' });
  expect(await typesOf(id)).toEqual(['customer.rejected']);
});

it('whoever corrects what is wrong may try again', async () => {
  company.people.set('42345678900', { firstName: 'Ada', lastName: 'Obi', birth: '1990-04-12' });
  const id = await register('42345678900');
  expect((await verify(id)).body.kyc_failure.code).toBe('identity_mismatch');
  await live.patch(`/v4/customers/${id}`, { date_of_birth: '1990-04-12' });
  expect((await verify(id)).body).toMatchObject({ kyc_status: 'verified', kyc_failure: null });
});

it('a document that Smile ID is not asked about has no provider', async () => {
  const id = await register('A01234567', 'passport');
  expect((await verify(id)).body.code).toBe('provider_unavailable');
});

it('a cardholder is pending while the authority is away, and verified once it is back', async () => {
  company.isAuthorityAway = true;
  const id = await register('52345678900');
  const { status, body } = await verify(id);
  expect([status, body.kyc_status]).toEqual([202, 'pending']);
  await look(id);
  expect((await shown(id)).kyc_status).toBe('pending');
  company.isAuthorityAway = false;
  await look(id);
  expect((await shown(id)).kyc_status).toBe('verified');
});

it('a cardholder is pending while the company is away, and is verified once when it is back', async () => {
  const before = company.jobs.size;
  const port = Number(new URL(company.url).port);
  await company.stop();
  const id = await register('62345678900');
  const { status, body } = await verify(id);
  expect([status, body.kyc_status]).toEqual([202, 'pending']);
  await look(id);
  expect((await shown(id)).kyc_status).toBe('pending');
  await company.listen(port);
  await look(id);
  await look(id);
  expect((await shown(id)).kyc_status).toBe('verified');
  expect([company.jobs.size - before, await typesOf(id)]).toEqual([1, ['customer.verified']]);
});

it('a verification whose answer was lost is found, and not made again', async () => {
  const before = company.jobs.size;
  company.breaks = () => ({ status: 502, isDone: true });
  const id = await register('72345678900');
  expect((await verify(id)).body.kyc_status).toBe('pending');
  company.breaks = () => null;
  await look(id);
  expect((await shown(id)).kyc_status).toBe('verified');
  expect(company.jobs.size - before).toBe(1);
});

it('keeps of who somebody is nothing in the journal, and shows nothing in events', async () => {
  const id = await register('82345678900');
  await verify(id);
  await duka.get<Journal>(Journal).flush();
  const kept = await duka.get<Journal>(Journal).about(decodeId('acct', account)!, decodeId('cus', id)!);
  expect(kept).toMatchObject([{ company: 'smileid', call: 'verify', path: '/v2/verify', status: 200 }]);
  expect(JSON.stringify(kept)).not.toMatch(/82345678900|\bAda\b|\bObi\b|1990-04-21|pretended-smile-key/);
  expect(JSON.parse(kept[0]!.answer!)).toMatchObject({ ResultCode: '1020', Actions: { Names: 'Exact Match' } });
  const rows = await duka.asOwner(`SELECT box FROM provider_exchanges WHERE company = 'smileid'`);
  expect(rows.map(({ box }) => (box as Buffer).toString('latin1')).join()).not.toContain('ResultCode');
  const events = await duka.asOwner(`SELECT * FROM events`);
  expect(JSON.stringify(events)).not.toMatch(/[2-8]23456789\d\d/);
});

it('the settings are right, and an operator is told when they are not', async () => {
  const floats = duka.get<Floats>(Floats);
  expect(await floats.check('smileid')).toEqual({ isFine: true, says: 'Smile ID takes our signature.' });
  company.apiKey = 'changed at the portal';
  expect(await floats.check('smileid')).toMatchObject({ isFine: false });
});
