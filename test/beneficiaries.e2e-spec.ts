import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { BeneficiaryKinds1763000000069 } from '../src/migrations/0069-beneficiary-kinds';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const BANK = { code: '058', account_number: '0123456789' };
const PHONE = '+2348031234567';
const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
const CARD = { biller_code: 'dstv', customer_identifier: '1212121212' };

/** What is sent of a kind. */
const of = {
  phone: (more: object = {}) => ({ kind: 'phone', bank: null, phone: { phone: PHONE, ...more } }),
  meter: (more: object = {}) => ({ kind: 'meter', bank: null, meter: { ...METER, ...more } }),
  smartcard: (more: object = {}) => ({ kind: 'smartcard', bank: null, smartcard: { ...CARD, ...more } }),
  wallet: (id: string) => ({ kind: 'wallet', bank: null, wallet: { wallet_id: id } }),
};

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
  [{ kind: 'phone' }, [400, 'validation_failed', '/phone']],
  [{ phone: { phone: PHONE } }, [400, 'validation_failed', '/phone']],
  [{ bank: null, phone: { phone: PHONE } }, [400, 'validation_failed', '/kind']],
  [{ bank: null }, [400, 'validation_failed', '/kind']],
  [{ kind: 'cow' }, [400, 'validation_failed', '/kind']],
  [of.phone({ phone: '12' }), [400, 'invalid_phone_number', '/phone/phone']],
  [of.phone({ phone: '08031234567' }), [400, 'invalid_phone_number', '/phone/phone']],
  [of.phone({ network: 'nobody' }), [400, 'validation_failed', '/phone/network']],
  [of.phone({ network: 'glo' }), [422, 'network_mismatch', '/phone/network']],
  [{ ...of.phone({}), account_name: 'Ada' }, [400, 'validation_failed', '/account_name']],
  [of.meter({ biller_code: 'nobody' }), [404, 'not_found', '/meter/biller_code']],
  [of.meter({ biller_code: 'dstv' }), [400, 'validation_failed', '/meter/biller_code']],
  [of.meter({ customer_identifier: 'x' }), [400, 'validation_failed', '/meter/customer_identifier']],
  [of.meter({ service_type: null }), [400, 'validation_failed', '/meter/service_type']],
  [of.meter({ item_code: 'nothing' }), [404, 'not_found', '/meter/item_code']],
  [of.meter({ customer_identifier: '5555555555555' }), [422, 'customer_not_found', '/meter/customer_identifier']],
  [of.meter({ customer_identifier: '4444444444444' }), [503, 'provider_unavailable', '/meter']],
  [{ ...of.meter({}), account_name: 'Nobody At All' }, [422, 'name_mismatch', '/account_name']],
  [of.wallet('wal_01kabcdefghjkmnpqrstvwxyz0'), [404, 'not_found', '/wallet/wallet_id']],
  [of.wallet('x'), [404, 'not_found', '/wallet/wallet_id']],
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

it('is of any kind: kept, found, listed, changed and deleted', async () => {
  const { api: others } = await duka.account();
  const theirs = await others.wallet();
  const kinds: [sent: object, kept: object, number: string][] = [
    [
      of.phone({ phone: '08031234567', country: 'NG' }),
      { kind: 'phone', label: PHONE, details: { phone: PHONE, country: 'NG', network: 'mtn' }, verified_name: null },
      '80312345',
    ],
    [
      of.meter(),
      { kind: 'meter', label: 'Adaeze Okafor', details: { ...METER, item_code: null }, verified_name: 'Adaeze Okafor' },
      '11111111111',
    ],
    [
      { ...of.smartcard({ item_code: 'dstv-compact' }), account_name: 'BELLO Ngozi' },
      {
        kind: 'smartcard',
        label: 'Ngozi Bello',
        details: { ...CARD, item_code: 'dstv-compact', service_type: null },
        verified_name: 'Ngozi Bello',
      },
      '1212121',
    ],
    [
      of.wallet(theirs),
      { kind: 'wallet', label: theirs, details: { wallet_id: theirs }, verified_name: null },
      theirs.slice(4),
    ],
    [{}, { kind: 'bank_account', details: { bank_code: '058', account_number: '0123456789' } }, '012345678'],
  ];
  const all = [];
  for (const [sent, kept] of kinds) {
    const { status, body } = await add(sent);
    expect([status, body]).toMatchObject([201, kept]);
    all.unshift(body);
  }
  expect(await api.all('/v4/beneficiaries?limit=2')).toEqual(all);
  for (const [sent, { kind }, number] of kinds as [object, { kind: string }, string][]) {
    const [one] = all.filter((each) => each.kind === kind);
    expect(await api.all(`/v4/beneficiaries?kind=${kind}`)).toEqual([one]);
    expect([sent, (await api.all(`/v4/beneficiaries?q=${number}`)).map(({ id }) => id)]).toEqual([sent, [one.id]]);
    if (kind === 'phone') expect(await api.all(`/v4/beneficiaries?q=${PHONE}`)).toEqual([one]);
    const { body: changed } = await api.patch(`/v4/beneficiaries/${one.id}`, { label: `My ${kind}` });
    expect(changed).toEqual({ ...one, label: `My ${kind}`, version: 2 });
    expect((await api.call('DELETE', `/v4/beneficiaries/${one.id}`)).body.deleted_at).not.toBeNull();
  }
  expect(await api.all('/v4/beneficiaries')).toEqual([]);
});

it('of a phone whose network nobody knows is kept all the same', async () => {
  const { body } = await add(of.phone({ phone: '+2347029123456' }));
  expect(body.details ?? body).toMatchObject({ network: null });
});

it('tells of a wallet no more than a transfer does: closed, or not there in this mode', async () => {
  const { api: others, id } = await duka.account();
  const closed = await others.wallet();
  await others.post(`/v4/wallets/${closed}/close`);
  expect(refusal(await add(of.wallet(closed)))).toEqual([409, 'wallet_closed', '/wallet/wallet_id']);
  const live = duka.api(await duka.key({ accountId: id, livemode: true }));
  const [{ id: liveWallet }] = (await live.get('/v4/wallets')).body.data;
  const { body } = await add(of.wallet(liveWallet));
  const { body: unknown } = await add(of.wallet('wal_01kabcdefghjkmnpqrstvwxyz0'));
  expect({ ...body, request_id: null }).toEqual({ ...unknown, request_id: null });
});

it('is made and read with scopes of its own', async () => {
  const { id } = await duka.account();
  const limited = async (scope: 'beneficiaries:read' | 'beneficiaries:write' | 'payouts:write') =>
    duka.api(await duka.key({ accountId: id, scopes: [scope] }));
  const [reader, writer, payer] = [
    await limited('beneficiaries:read'),
    await limited('beneficiaries:write'),
    await limited('payouts:write'),
  ];
  expect((await writer.post('/v4/beneficiaries', { bank: BANK })).status).toBe(201);
  expect((await payer.post('/v4/beneficiaries', { bank: BANK })).body.code).toBe('insufficient_scope');
  expect((await writer.get('/v4/beneficiaries')).body.code).toBe('insufficient_scope');
  expect((await reader.get('/v4/beneficiaries')).body.data).toHaveLength(1);
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

it('of before there were kinds is a bank account', async () => {
  const { body: beneficiary } = await add({ label: 'Old' });
  const migration = new BeneficiaryKinds1763000000069();
  const db = { query: (statement: string) => duka.asOwner(statement) } as unknown as QueryRunner;
  await migration.down(db);
  await migration.up(db);
  expect(await api.all('/v4/beneficiaries?q=01234')).toEqual([beneficiary]);
  expect((await pay({ beneficiary_id: beneficiary.id })).status).toBe(201);
  expect((await add(of.phone())).status).toBe(201);
});
