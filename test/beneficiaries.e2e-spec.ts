import { randomUUID } from 'node:crypto';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const BANK = { code: '058', account_number: '0123456789' };

let duka: Duka;
let api: Api;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  ({ api } = await duka.account());
  wallet = await api.wallet(10_000_000);
});
afterAll(() => duka.stop());

const add = (more: object = {}, options?: object): Promise<Answer> =>
  api.post('/v4/beneficiaries', { bank: BANK, ...more }, options);
const pay = (more: object): Promise<Answer> =>
  api.post('/v4/payouts', { wallet_id: wallet, amount: 100_000, allow_duplicate: true, ...more });
const refusal = ({ status, body }: Answer) => [status, body.code, body.param];

it('is kept with the name that the bank says, once for a key', async () => {
  const key = randomUUID();
  const { status, body } = await add({ label: 'Landlord', metadata: { team: 'rent' } }, { key });
  expect([status, body]).toMatchObject([
    201,
    {
      object: 'beneficiary',
      kind: 'bank_account',
      label: 'Landlord',
      details: { bank_code: '058', account_number: '0123456789' },
      verified_name: expect.stringMatching(/^[A-Z]+ [A-Z]+$/),
      metadata: { team: 'rent' },
      last_used_at: null,
      deleted_at: null,
      version: 1,
    },
  ]);
  expect((await add({ label: 'Landlord', metadata: { team: 'rent' } }, { key })).body).toEqual(body);
  expect(await api.all('/v4/beneficiaries')).toEqual([body]);
  expect((await add()).body.label).toBe(body.verified_name);
});

it.each([
  [{ account_name: 'Nobody At All' }, [422, 'name_mismatch', '/account_name']],
  [{ bank: { ...BANK, account_number: '0000000999' } }, [422, 'account_not_found', '/bank/account_number']],
  [{ bank: { ...BANK, code: 'nobody' } }, [404, 'not_found', '/bank/code']],
  [{ kind: 'phone' }, [400, 'validation_failed', '/kind']],
])('with %j it is refused with %j, and not kept', async (more, expected) => {
  expect(refusal(await add(more))).toEqual(expected);
  expect(await api.all('/v4/beneficiaries')).toEqual([]);
});

it('is searched by label, name and number, and changed', async () => {
  const [one, two] = [
    (await add({ label: 'Rent' })).body,
    (await add({ label: 'Fuel', bank: { code: '044', account_number: '9876543210' } })).body,
  ];
  const found = async (q: string) =>
    (await api.all(`/v4/beneficiaries?q=${encodeURIComponent(q)}`)).map(({ id }) => id);
  expect(await found('ren')).toEqual([one.id]);
  expect(await found('98765')).toEqual([two.id]);
  expect(await found(one.verified_name.toLowerCase())).toContain(one.id);
  expect(await found('%')).toEqual([]);
  const { body } = await api.patch(`/v4/beneficiaries/${one.id}`, { label: 'House' });
  expect(body).toEqual({ ...one, label: 'House', version: 2 });
});

it('is paid by its id, and says when', async () => {
  const { body: beneficiary } = await add();
  const { status, body } = await pay({ beneficiary_id: beneficiary.id });
  expect([status, body.details]).toMatchObject([
    201,
    { beneficiary_id: beneficiary.id, account_number_masked: '******6789', account_name: beneficiary.verified_name },
  ]);
  expect((await api.get(`/v4/beneficiaries/${beneficiary.id}`)).body.last_used_at).not.toBeNull();
});

it('is paid, or a bank account is: one of them', async () => {
  const { body: beneficiary } = await add();
  expect(refusal(await pay({}))).toEqual([400, 'validation_failed', '/bank']);
  expect(refusal(await pay({ bank: BANK, beneficiary_id: beneficiary.id }))).toEqual([
    400,
    'validation_failed',
    '/bank',
  ]);
});

it('whose account has come to be somebody else’s is paid no more', async () => {
  const { body: beneficiary } = await add();
  await duka.asOwner(`UPDATE beneficiaries SET verified_name = 'SOMEBODY ELSE'`);
  expect(refusal(await pay({ beneficiary_id: beneficiary.id }))).toEqual([422, 'name_mismatch', '/account_name']);
});

it('that was deleted is paid and listed no more, and nobody else’s ever is', async () => {
  const { body: beneficiary } = await add();
  const { body } = await api.call('DELETE', `/v4/beneficiaries/${beneficiary.id}`);
  expect(body).toEqual({ ...beneficiary, deleted_at: expect.any(String), version: 2 });
  expect(await api.all('/v4/beneficiaries')).toEqual([]);
  expect(refusal(await pay({ beneficiary_id: beneficiary.id }))).toEqual([404, 'not_found', '/beneficiary_id']);
  expect((await api.patch(`/v4/beneficiaries/${beneficiary.id}`, { label: 'x' })).status).toBe(404);
  const other = (await duka.account()).api;
  const { body: theirs } = await other.post('/v4/beneficiaries', { bank: BANK });
  expect(refusal(await pay({ beneficiary_id: theirs.id }))).toEqual([404, 'not_found', '/beneficiary_id']);
});
