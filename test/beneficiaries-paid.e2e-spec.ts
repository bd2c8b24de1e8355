import { randomUUID } from 'node:crypto';
import type { Api } from './support/api';
import { carriedOut, ended, itemsOf } from './support/batches';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const BANK = { code: '058', account_number: '0123456789' };
const PHONE = '+2348031234567';
const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111' };

let duka: Duka;
let api: Api;
let wallet: string;
/** Of another account. */
let payee: string;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true });
  payee = await (await duka.account()).api.wallet();
});
beforeEach(async () => {
  ({ api } = await duka.account());
  wallet = (await api.get('/v4/wallets')).body.data[0].id;
  await api.credit(wallet, 100_000_000);
});
afterAll(() => duka.stop());

const ADDED: Record<string, () => object> = {
  bank_account: () => ({ bank: BANK }),
  phone: () => ({ kind: 'phone', phone: { phone: PHONE } }),
  meter: () => ({ kind: 'meter', meter: { ...METER, service_type: 'prepaid' } }),
  smartcard: () => ({
    kind: 'smartcard',
    smartcard: { biller_code: 'dstv', customer_identifier: '1212121212', service_type: 'renew' },
  }),
  wallet: () => ({ kind: 'wallet', wallet: { wallet_id: payee } }),
};

async function added(kind: string, by = api): Promise<string> {
  const { status, body } = await by.post('/v4/beneficiaries', ADDED[kind]!());
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

/** An order of each product: its route, what it asks for beside the recipient, and the recipient as fields. */
interface Order {
  readonly kind: string;
  readonly path: string;
  readonly body: () => object;
  readonly recipient: () => Promise<object>;
  /** The field that is asked for where nobody is named. */
  readonly field: string;
  /** Of batches. */
  readonly row: string;
}

const validated = async () => ({
  ...METER,
  validation_id: (await api.post('/v4/bills/validate', { ...METER, service_type: 'prepaid' })).body.id,
});

const ORDERS: Record<string, Order> = {
  airtime: {
    kind: 'phone',
    path: '/v4/airtime/purchase',
    body: () => ({ amount: 10_000 }),
    recipient: async () => ({ phone: PHONE }),
    field: 'phone',
    row: 'airtime',
  },
  data: {
    kind: 'phone',
    path: '/v4/data/purchase',
    body: () => ({ plan_code: 'mtn-sme-1gb-1m' }),
    recipient: async () => ({ phone: PHONE }),
    field: 'phone',
    row: 'data',
  },
  meter: {
    kind: 'meter',
    path: '/v4/bills/pay',
    body: () => ({ amount: 500_000 }),
    recipient: validated,
    field: 'biller_code',
    row: 'bill',
  },
  transfer: {
    kind: 'wallet',
    path: '/v4/wallets/transfer',
    body: () => ({ amount: 500, from_wallet: wallet }),
    recipient: async () => ({ to_wallet: payee }),
    field: 'to_wallet',
    row: 'transfer',
  },
  payout: {
    kind: 'bank_account',
    path: '/v4/payouts',
    body: () => ({ amount: 10_000 }),
    recipient: async () => ({ bank: BANK }),
    field: 'bank',
    row: 'payout',
  },
};
const names = Object.keys(ORDERS);

const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
const usedAt = async (id: string) => (await api.get(`/v4/beneficiaries/${id}`)).body.last_used_at;
const order = ({ path, body }: Order, more: object, key?: string) => api.post(path, { ...body(), ...more }, { key });
const spent = async () => 100_000_000 - (await api.balance(wallet)).ledger;
/** What the account sees of an order: a transfer answers with something else. */
const debitOf = async ({ body }: Answer) =>
  body.object === 'transfer' ? (await api.get(`/v4/transactions/${body.transactions.debit}`)).body : body;

describe.each(names)('an order of %s', (name) => {
  const product = ORDERS[name]!;

  it('is paid to a beneficiary as to who it is, which says when', async () => {
    const id = await added(product.kind);
    const answer = await order(product, { beneficiary_id: id });
    expect([answer.status, answer.body.status]).toEqual([201, 'successful']);
    const debit = await debitOf(answer);
    expect(debit.details.beneficiary_id).toBe(id);
    expect(await usedAt(id)).not.toBeNull();
    const twin = await debitOf(await order(product, { ...(await product.recipient()), allow_duplicate: true }));
    expect(twin.details).not.toHaveProperty('beneficiary_id');
    for (const field of ['recipient', 'counterparty', 'amount', 'total', 'type'])
      expect([field, debit[field]]).toEqual([field, twin[field]]);
  });

  it('is tried without a trace', async () => {
    const id = await added(product.kind);
    const kept = () => duka.asOwner('SELECT count(*) FROM bill_validations');
    const before = await kept();
    const { status, body } = await order(product, { beneficiary_id: id, dry_run: true });
    expect([status, body.id]).toEqual([200, null]);
    expect([await usedAt(id), await spent(), await kept()]).toEqual([null, 0, before]);
  });

  it('names a recipient or a beneficiary: one of them', async () => {
    const id = await added(product.kind);
    const recipient = await product.recipient();
    expect(refusal(await order(product, {}))).toEqual([400, 'validation_failed', `/${product.field}`]);
    expect(refusal(await order(product, { beneficiary_id: null }))).toEqual([
      400,
      'validation_failed',
      `/${product.field}`,
    ]);
    expect(refusal(await order(product, { beneficiary_id: id, ...recipient }))).toEqual([
      400,
      'validation_failed',
      `/${product.field}`,
    ]);
    expect(await spent()).toBe(0);
  });

  it('goes to its own kind, to beneficiaries of the account that are not deleted', async () => {
    const param = '/beneficiary_id';
    for (const kind of Object.keys(ADDED)) {
      if (kind === product.kind || (name === 'meter' && kind === 'smartcard')) continue;
      expect([kind, refusal(await order(product, { beneficiary_id: await added(kind) }))]).toEqual([
        kind,
        [422, 'beneficiary_kind_mismatch', param],
      ]);
    }
    const theirs = await added(product.kind, (await duka.account()).api);
    const gone = await added(product.kind);
    await api.call('DELETE', `/v4/beneficiaries/${gone}`);
    for (const id of [theirs, gone, 'x', 'ben_01kabcdefghjkmnpqrstvwxyz0'])
      expect([id, refusal(await order(product, { beneficiary_id: id }))]).toEqual([id, [404, 'not_found', param]]);
    expect(await spent()).toBe(0);
  });

  it('is carried out once for a key or a reference, also when its beneficiary was deleted since', async () => {
    const id = await added(product.kind);
    const ask = (key: string) => order(product, { beneficiary_id: id, reference: `once-${name}` }, key);
    const key = randomUUID();
    const all = await Promise.all([ask(key), ask(key), ask(key)]);
    await api.call('DELETE', `/v4/beneficiaries/${id}`);
    all.push(await ask(key), await order(product, { beneficiary_id: id, reference: `once-${name}` }));
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect(all.map(({ status }) => status < 300)).toEqual(all.map(() => true));
    expect(all.at(-1)!.headers.get('idempotent-replayed')).toBe('true');
    const { total } = await debitOf(all[0]!);
    expect(await spent()).toBe(total);
  });

  it('looks like one that was sent to the number itself', async () => {
    const id = await added(product.kind);
    const first = await order(product, await product.recipient());
    const second = await order(product, { beneficiary_id: id });
    expect([second.status, second.body.code, second.body.resource_id]).toEqual([
      409,
      'likely_duplicate',
      first.body.id,
    ]);
    expect(await usedAt(id)).toBeNull();
  });

  it('is a row of a batch, as JSON and as CSV', async () => {
    const id = await added(product.kind);
    const row = { ...product.body(), beneficiary_id: id };
    const wrong = await added(product.kind === 'phone' ? 'wallet' : 'phone');
    const batch = await carriedOut(api, {
      kind: product.row,
      skip_invalid: true,
      items: [
        { ...row, reference: `row-${name}-0` },
        { ...row, beneficiary_id: wrong, reference: `row-${name}-1` },
        { ...row, ...(await product.recipient()), reference: `row-${name}-2` },
      ],
    });
    const items = await itemsOf(api, batch.id);
    expect(items.map(({ status, failure }) => [status, failure?.code, failure?.param])).toEqual([
      ['successful', undefined, undefined],
      ['invalid', 'beneficiary_kind_mismatch', '/items/1/beneficiary_id'],
      ['invalid', 'validation_failed', `/items/2/${product.field}`],
    ]);
    expect(await usedAt(id)).not.toBeNull();
    const cells = { ...row, reference: `row-${name}-3` };
    const csv = `${Object.keys(cells).join()}\n${Object.values(cells).join()}\n`;
    const { body } = await api.post(`/v4/batches?kind=${product.row}`, csv, {
      headers: { 'content-type': 'text/csv' },
      key: randomUUID(),
    });
    expect((await ended(api, body.id)).counts).toMatchObject({ successful: 1 });
  });
});

describe('a bill', () => {
  it('of a smartcard renews the package that the card has', async () => {
    const { status, body } = await api.post('/v4/bills/pay', { beneficiary_id: await added('smartcard') });
    expect([status, body.status, body.details]).toMatchObject([
      201,
      'successful',
      { biller_code: 'dstv', item_code: 'dstv-compact', customer_name: 'Ngozi Bello', service_type: 'renew' },
    ]);
  });

  it('says of itself what is bought, before its beneficiary does', async () => {
    const id = await added('smartcard');
    const { body } = await api.post('/v4/bills/pay', {
      beneficiary_id: id,
      service_type: 'change',
      item_code: 'dstv-padi',
    });
    expect(body.details).toMatchObject({ item_code: 'dstv-padi', service_type: 'change', beneficiary_id: id });
  });

  it('takes a validation of the customer, and of nobody else', async () => {
    const id = await added('meter');
    const { validation_id } = await validated();
    const pay = (more: object) => api.post('/v4/bills/pay', { amount: 500_000, beneficiary_id: id, ...more });
    expect((await pay({ validation_id })).status).toBe(201);
    const { body: other } = await api.post('/v4/bills/validate', {
      ...METER,
      customer_identifier: '2222222222222',
      service_type: 'prepaid',
    });
    expect(refusal(await pay({ validation_id: other.id, amount: 400_000 }))).toEqual([
      422,
      'validation_mismatch',
      '/customer_identifier',
    ]);
  });

  it('is not paid while the biller cannot be asked who it is', async () => {
    const id = await added('meter');
    // Nobody answers for this customer.
    const down = `jsonb_set(details, '{customer_identifier}', '"4444444444444"')`;
    await duka.asOwner(`UPDATE beneficiaries SET details = ${down} WHERE kind = 'meter'`);
    const { status, body } = await api.post('/v4/bills/pay', { amount: 500_000, beneficiary_id: id });
    expect([status, body.code]).toEqual([503, 'provider_unavailable']);
    expect([await spent(), await usedAt(id)]).toEqual([0, null]);
  });

  it('of a meter that has come to be somebody else’s is not paid', async () => {
    const id = await added('meter');
    await duka.asOwner(`UPDATE beneficiaries SET verified_name = 'Somebody Else' WHERE kind = 'meter'`);
    for (const more of [{}, { validation_id: (await validated()).validation_id }])
      expect(refusal(await api.post('/v4/bills/pay', { amount: 500_000, beneficiary_id: id, ...more }))).toEqual([
        422,
        'name_mismatch',
        '/beneficiary_id',
      ]);
    expect(await spent()).toBe(0);
  });
});

describe('a phone', () => {
  it('is sold to by the network of the order, where that says one', async () => {
    const { body: unknown } = await api.post('/v4/beneficiaries', {
      kind: 'phone',
      phone: { phone: '+2347029123456' },
    });
    const buy = (more: object) =>
      api.post('/v4/airtime/purchase', { amount: 10_000, beneficiary_id: unknown.id, ...more });
    expect(refusal(await buy({}))).toEqual([422, 'network_not_detected', '/network']);
    expect((await buy({ network: 'mtn' })).body.details).toMatchObject({ network: 'mtn', network_source: 'given' });
  });

  it('of another network than the plan is not sold it', async () => {
    const { body: glo } = await api.post('/v4/beneficiaries', { kind: 'phone', phone: { phone: '+2348051234567' } });
    expect(glo.details.network).toBe('glo');
    const plan = { plan_code: 'mtn-sme-1gb-1m', beneficiary_id: glo.id };
    expect(refusal(await api.post('/v4/data/purchase', plan))).toEqual([422, 'network_mismatch', '/beneficiary_id']);
  });

  it('comes without a country', async () => {
    const id = await added('phone');
    const answer = await api.post('/v4/airtime/purchase', { amount: 10_000, beneficiary_id: id, country: 'NG' });
    expect(refusal(answer)).toEqual([400, 'validation_failed', '/country']);
  });
});

describe('a transfer', () => {
  it('tells only who pays of the beneficiary', async () => {
    const mine = await api.wallet();
    const { body: beneficiary } = await api.post('/v4/beneficiaries', { kind: 'wallet', wallet: { wallet_id: mine } });
    const { body } = await order(ORDERS.transfer!, { beneficiary_id: beneficiary.id, narration: 'Rent' });
    const [debit, credit] = await Promise.all(
      [body.transactions.debit, body.transactions.credit].map(
        async (id) => (await api.get(`/v4/transactions/${id}`)).body,
      ),
    );
    expect(debit.details).toMatchObject({ narration: 'Rent', beneficiary_id: beneficiary.id });
    expect(credit.details).not.toHaveProperty('beneficiary_id');
  });

  it('is refused in the words of the field that was sent', async () => {
    const mine = await api.wallet();
    const add = async (id: string) =>
      (await api.post('/v4/beneficiaries', { kind: 'wallet', wallet: { wallet_id: id } })).body.id;
    const [toMine, toItself] = [await add(mine), await add(wallet)];
    await api.post(`/v4/wallets/${mine}/close`);
    const send = (id: string) => order(ORDERS.transfer!, { beneficiary_id: id });
    expect(refusal(await send(toMine))).toEqual([409, 'wallet_closed', '/beneficiary_id']);
    expect(refusal(await send(toItself))).toEqual([422, 'same_wallet', '/beneficiary_id']);
  });

  it('is one of many that take place together, or none', async () => {
    const id = await added('wallet');
    const row = (reference: string, more: object = {}) => ({
      from_wallet: wallet,
      beneficiary_id: id,
      amount: 10,
      reference,
      ...more,
    });
    const together = (items: object[], key: string) =>
      api.post('/v4/batches', { kind: 'transfer', on_error: 'all_or_nothing', items }, { key });
    const wrong = await added('phone');
    const none = await together([row('t-0'), row('t-1', { beneficiary_id: wrong })], 'none');
    expect(refusal(none)).toEqual([422, 'beneficiary_kind_mismatch', '/items/1/beneficiary_id']);
    expect([await spent(), await usedAt(id)]).toEqual([0, null]);
    const all = await together([row('t-0'), row('t-1', { beneficiary_id: null, to_wallet: payee })], 'all');
    expect([all.status, all.body.counts.successful, await spent()]).toEqual([201, 2, 20]);
    expect(await usedAt(id)).not.toBeNull();
    await api.call('DELETE', `/v4/beneficiaries/${id}`);
    const again = await together([row('t-0'), row('t-1', { beneficiary_id: null, to_wallet: payee })], 'all');
    expect([again.body.id, await spent()]).toEqual([all.body.id, 20]);
  });
});
