import { DataSource } from 'typeorm';
import { Duka } from './support/duka';
import type { Api } from './support/api';

const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
const PHONE = { biller_code: 'waec-result', customer_identifier: '08001234100' };

let duka: Duka;
let api: Api;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start();
  api = (await duka.account()).api;
  wallet = await api.wallet(100_000_000);
});
afterAll(() => duka.stop());

const pay = (fields: object, options?: object) => api.post('/v4/bills/pay', { wallet_id: wallet, ...fields }, options);
const validation = async (): Promise<string> => (await api.post('/v4/bills/validate', METER)).body.id;
const whole = async (id: string) => (await api.get(`/v4/transactions/${id}`)).body.details;

/** Every row of every table as PostgreSQL shows it, where one of the words stands in it, as text or as bytes. */
async function rowsWith(words: readonly string[]): Promise<string[]> {
  const dataSource = duka.get<DataSource>(DataSource);
  const tables: { name: string }[] =
    await dataSource.query(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND has_table_privilege(oid, 'SELECT')`);
  const patterns = words.flatMap((word) => [
    word,
    Buffer.from(word).toString('hex'),
    Buffer.from(word).toString('base64').replace(/=+$/, ''),
  ]);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows: unknown[] = await dataSource.query(`SELECT 1 FROM ${name} t WHERE t::text LIKE ANY ($1)`, [
        patterns.map((pattern) => `%${pattern}%`),
      ]);
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

describe('a meter token', () => {
  it('is shown whole by the transaction itself and the answer to its payment, and masked everywhere else', async () => {
    const order = { ...METER, amount: 1_000_011, validation_id: await validation(), reference: 'token-1' };
    const { body } = await pay(order, { key: 'token-1' });
    const { tokens } = await whole(body.id);
    expect(tokens.map(({ kind, units }: Record<string, string>) => [kind, units])).toEqual([
      ['credit', '44.4 kWh'],
      ['bonus', '2.2 kWh'],
      ['key_change_1', null],
      ['key_change_2', null],
    ]);
    const values: string[] = tokens.map(({ value }: { value: string }) => value);
    expect(values.every((value) => /^\d{20}$/.test(value))).toBe(true);
    expect(new Set(values).size).toBe(4);
    expect((await whole('token-1')).tokens).toEqual(tokens);

    const masked = tokens.map(({ value, ...rest }: { value: string }) => ({
      ...rest,
      value: `${'*'.repeat(16)}${value.slice(-4)}`,
    }));
    for (const paid of [body, (await pay(order, { key: 'token-1' })).body, (await pay(order)).body])
      expect(paid.details.tokens).toEqual(tokens);
    const { body: events } = await api.get('/v4/events');
    const elsewhere = [
      (await api.get('/v4/transactions')).body.data,
      (await api.get('/api/v1/transactions?reference=token-1')).body.data,
      (await api.get('/v4/transactions?format=csv')).body,
      (await api.get(`/v4/transactions/${body.id}/timeline`)).body,
      events,
      (await api.get(`/v4/events/${events.data[0].id}`)).body,
      (await api.get('/v4/references/token-1')).body,
      (await api.get('/v4/idempotency/token-1')).body,
      (await api.get(`/v4/wallets/${wallet}/entries`)).body,
      (await api.get(`/v4/wallets/${wallet}/entries?format=csv`)).body,
    ];
    for (const answer of elsewhere) for (const value of values) expect(JSON.stringify(answer)).not.toContain(value);
    for (const index of [0, 1]) expect(elsewhere[index][0].details.tokens).toEqual(masked);
    expect(JSON.stringify(events)).toContain(masked[0].value);
    for (const index of [6, 7]) expect(elsewhere[index].resource.details.tokens).toEqual(masked);
  });

  it('lies in no table as text', async () => {
    const { body } = await pay({ ...METER, amount: 600_000, validation_id: await validation() });
    const {
      tokens: [{ value }],
    } = await whole(body.id);
    expect(await rowsWith([value])).toEqual([]);
    // The search finds what there is: the receipt is no secret, and part of the record.
    const tables = (await rowsWith([body.details.receipt_number])).map((name) => name.replace(/_\d{4}_\d\d$/, ''));
    expect(tables).toEqual(['transactions']);
  });

  it('is the same when the provider was asked again', async () => {
    const order = { ...METER, amount: 700_000, validation_id: await validation() };
    const { status, body } = await pay(order, { headers: { 'x-sandbox-scenario': 'outcome=timeout; then=delivered' } });
    expect([status, body.status, body.details.tokens]).toEqual([202, 'processing', []]);
    const { body: ended } = await api.post(`/v4/transactions/${body.id}/requery`);
    expect([ended.status, ended.details.tokens[0].value]).toEqual([
      'successful',
      expect.stringMatching(/^\*{16}\d{4}$/),
    ]);
    const { tokens } = await whole(body.id);
    expect(tokens[0].value).toMatch(/^\d{20}$/);
    expect(ended.details.tokens[0].value.slice(-4)).toBe(tokens[0].value.slice(-4));
    expect(await rowsWith([tokens[0].value])).toEqual([]);
  });

  it('is shown to its own account only', async () => {
    const { body } = await pay({ ...METER, amount: 800_000, validation_id: await validation(), reference: 'token-2' });
    const { api: other } = await duka.account();
    for (const name of [body.id, 'token-2']) expect((await other.get(`/v4/transactions/${name}`)).status).toBe(404);
  });
});

describe('PINs', () => {
  it('come one for each piece, whole in the answer to their payment', async () => {
    const { body } = await pay({ ...PHONE, quantity: 3, amount: 1_170_000 });
    expect(body).toMatchObject({
      status: 'successful',
      amount: 1_170_000,
      details: { item_code: 'waec-result-pin', quantity: 3, tokens: [] },
    });
    const { pins } = await whole(body.id);
    expect(pins).toHaveLength(3);
    expect(new Set(pins.map(({ pin }: { pin: string }) => pin)).size).toBe(3);
    expect(
      pins.every(({ serial, pin }: Record<string, string>) => /^SN\d{9}$/.test(serial!) && /^\d{12}$/.test(pin!)),
    ).toBe(true);
    expect(body.details.pins).toEqual(pins);
    expect(await rowsWith(pins.map(({ pin }: { pin: string }) => pin))).toEqual([]);
  });

  it.each([11, 100])('are not sold %i at once', async (quantity) => {
    const { status, body } = await pay({ ...PHONE, quantity });
    expect([status, body.code, body.param]).toEqual([400, 'validation_failed', '/quantity']);
  });

  it('of a JAMB profile need its validation', async () => {
    const profile = { biller_code: 'jamb', customer_identifier: '0123456789' };
    expect((await pay({ ...profile, item_code: 'jamb-utme' })).body.param).toBe('/validation_id');
    const {
      body: { id },
    } = await api.post('/v4/bills/validate', profile);
    const { body } = await pay({ ...profile, item_code: 'jamb-utme', validation_id: id });
    expect(body).toMatchObject({ status: 'successful', amount: 720_000, details: { customer_name: 'Tunde Bakare' } });
    expect((await whole(body.id)).pins).toHaveLength(1);
  });
});
