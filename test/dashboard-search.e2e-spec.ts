import { RequestLog } from '../src/core/request-log/request-log';
import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { KINDS } from '../src/modules/dashboard-api/search/kinds';
import { acquire, type Belongings } from './support/belongings';
import { Browser, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

const PHONE = '08031234567';
const LABEL = 'Ìbàdàn market stall number seven, the one behind the post office, run by Bọ̀lá & co'.slice(0, 80);

let duka: Duka;
let ada: Browser;
let accountId: string;
let secret: string;
let own: Belongings;
let shop: string;
let bought: { id: string };

interface Hit {
  id: string;
  [field: string]: unknown;
}

const look = async (q: string, { mode = 'test', browser = ada } = {}) =>
  (await browser.get(`/search?mode=${mode}&q=${encodeURIComponent(q)}`)).body;
const groups = async (q: string, where: { mode?: string; browser?: Browser } = {}): Promise<Record<string, Hit[]>> =>
  Object.fromEntries((await look(q, where)).data.map(({ type, data }: { type: string; data: Hit[] }) => [type, data]));
const ids = async (q: string, where: { mode?: string; browser?: Browser } = {}): Promise<string[]> =>
  Object.values(await groups(q, where)).flatMap((hits) => hits.map(({ id }) => id));

const query = (statement: string, values: unknown[] = []) => duka.get<DataSource>(DataSource).query(statement, values);

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  accountId = (await ada.get('/me')).body.account.id;
  secret = (await ada.post('/keys', { name: 'Tills of Lagos', livemode: false })).body.secret;
  const api = duka.api(secret);
  own = await acquire(duka, api);
  shop = (await api.post('/v4/wallets', { currency: 'NGN', label: LABEL })).body.id;
  await api.credit(shop, 999_999_999_999);
  const order = { phone: PHONE, country: 'NG', amount: 150_000, wallet_id: shop, reference: 'INV-00-77' };
  bought = (await api.post('/v4/airtime/purchase', order)).body;
  await api.get('/v4/wallets/wal_unknown');
  await duka.get<RequestLog>(RequestLog).flush();
});
afterAll(() => duka.stop());

describe('one search over everything', () => {
  it('finds each kind by its id, by how it begins, and by a part of it', async () => {
    const keyId = (await ada.get('/keys?livemode=false')).body.data[0].id;
    const [{ id: request }] = (await ada.get('/request-log?livemode=false')).body.data;
    const { txn, pay, rfd, trf, cnv, dep, wal, vac, cus, crd, ctx, ben, bat, whk, evt, dlv } = own;
    const known = { txn, pay, rfd, trf, cnv, dep, wal, vac, cus, crd, ctx, ben, bat, whk, evt, dlv };
    const all = { ...known, req: request, key: keyId } as Record<string, string>;
    expect(Object.keys(all).sort()).toEqual(KINDS.map(({ prefix }) => prefix).sort());
    for (const id of Object.values(all)) {
      expect([id, await ids(id)]).toEqual([id, [id]]);
      expect([id, await ids(id.toUpperCase())]).toEqual([id, [id]]);
      for (const part of [id.slice(0, 24), id.slice(-10), `…${id.slice(-6)}`, id.slice(4, 28), id.slice(12, 28)])
        expect([part, await ids(part)]).toEqual([part, expect.arrayContaining([id])]);
    }
  });

  it('says what it is, what it costs, how it stands, and where it leads', async () => {
    expect(await look(bought.id)).toEqual({
      data: [
        {
          type: 'transaction',
          has_more: false,
          data: [
            {
              id: bought.id,
              stands_with: null,
              title: 'airtime purchase',
              subtitle: '+2348031234567 · INV-00-77',
              amount: 150_000,
              currency: 'NGN',
              status: 'successful',
              created_at: expect.any(String),
              mode: 'test',
            },
          ],
        },
      ],
      looked_through: [],
      complete: true,
    });
    expect((await groups(own.rfd)).refund![0]!.stands_with).toBe(own.pay);
    expect((await groups(own.trf)).transfer![0]!.stands_with).toBe(own.txn);
    expect((await groups(shop)).wallet![0]).toMatchObject({ title: LABEL, status: 'active', currency: 'NGN' });
    expect((await groups(own.crd)).card![0]!.subtitle).toMatch(/•••• \d{4} · USD$/);
  });

  it('finds by a number with and without its country, an amount, a label, a reference, and parts of them', async () => {
    for (const q of [PHONE, '+234 803 123 4567', '8031234', '0803 123', 'INV-00-77', 'inv-00', '1,500.00', 'NGN 1500'])
      expect([q, (await groups(q)).transaction?.map(({ id }) => id)]).toEqual([q, expect.arrayContaining([bought.id])]);
    for (const q of [LABEL, 'ÌBÀDÀN MARKET', 'post office']) expect([q, await ids(q)]).toEqual([q, [shop]]);
    for (const q of [PHONE, '2348031', 'ada@example', 'ada ob'])
      expect([q, (await groups(q)).customer?.map(({ id }) => id)]).toEqual([q, expect.arrayContaining([own.cus])]);
    expect((await groups('XOF 1500')).transaction).toBeUndefined();
    for (const q of ['%', '_', "' OR 1=1 --", '\0', 'zzzz', 'txn_', '  x  '])
      expect([q, await ids(q)]).toEqual([q, []]);
  });

  it('finds by what providers call it, the last four of a card or a key, and what beneficiaries are called', async () => {
    const [{ reference }] = await query('SELECT provider_reference AS reference FROM transactions WHERE id = $1', [
      decodeId('txn', bought.id),
    ]);
    expect(reference).toEqual(expect.any(String));
    expect(await ids(reference)).toEqual([bought.id]);
    expect(await ids(reference.slice(2, -2))).toContain(bought.id);
    const { last4 } = (await duka.api(secret).get(`/v4/cards/${own.crd}`)).body;
    expect((await groups(last4)).card?.map(({ id }) => id)).toContain(own.crd);
    const key = await groups(secret.slice(-4));
    expect(key.api_key).toMatchObject([{ title: 'Tills of Lagos', status: 'active' }]);
    expect((await groups('tills OF')).api_key).toHaveLength(1);
    const { label } = (await duka.api(secret).get(`/v4/beneficiaries/${own.ben}`)).body;
    expect((await groups(label.slice(1).toUpperCase())).beneficiary?.map(({ id }) => id)).toContain(own.ben);
    expect((await groups('wal_unknown')).request).toBeUndefined();
    expect((await groups('wallets/wal_unknown')).request).toMatchObject([{ status: '404', subtitle: 'not_found' }]);
  });

  it('never finds what is as good as cash by its value', async () => {
    const api = duka.api(secret);
    const meter = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111' };
    const validation = await api.post('/v4/bills/validate', { ...meter, service_type: 'prepaid' });
    const order = { ...meter, amount: 200_000, validation_id: validation.body.id, wallet_id: shop };
    const { body: bill } = await api.post('/v4/bills/pay', order);
    expect((await groups(meter.customer_identifier)).transaction?.map(({ id }) => id)).toEqual([bill.id]);
    const token: string = bill.details.tokens[0].value;
    expect(token).toMatch(/^\d{20}$/);
    for (const q of [token, token.slice(0, 9), token.slice(-8)]) expect([q, await ids(q)]).toEqual([q, []]);
  });

  it('shows at most five of a kind and says that there are others', async () => {
    for (let i = 0; i < 6; i++) await duka.api(secret).post('/v4/wallets', { currency: 'NGN', label: `Kiosk ${i}` });
    const { data } = await look('kiosk');
    expect(data).toMatchObject([{ type: 'wallet', has_more: true }]);
    expect(data[0].data.map(({ title }: Hit) => title)).toEqual([5, 4, 3, 2, 1].map((i) => `Kiosk ${i}`));
  });

  it('shows more of one kind alone', async () => {
    const of = async (type: string) => (await ada.get(`/search?mode=test&q=kiosk&type=${type}`)).body.data;
    expect(await of('wallet')).toMatchObject([{ type: 'wallet', has_more: false, data: { length: 6 } }]);
    expect(await of('customer')).toEqual([]);
    expect((await ada.get('/search?mode=test&q=kiosk&type=gold')).status).toBe(400);
  });
});

describe('whose it is', () => {
  it('is only what the account has, in the mode; a whole id of the other mode is found there', async () => {
    const stranger = await newOwner(duka);
    await duka.enableLive(accountId);
    for (const q of [...new Set(Object.values(own)), PHONE, LABEL, '1,500.00', 'INV-00-77', bought.id.slice(0, 24)])
      expect([q, await ids(q, { browser: stranger })]).toEqual([q, []]);
    for (const q of [PHONE, LABEL, '1,500.00', 'INV-00-77', bought.id.slice(0, 24)])
      expect([q, await ids(q, { mode: 'live' })]).toEqual([q, []]);
    expect((await groups(bought.id, { mode: 'live' })).transaction).toMatchObject([{ id: bought.id, mode: 'test' }]);
    expect(await ids(bought.id, { mode: 'live', browser: stranger })).toEqual([]);
  });

  it('is what the role may read', async () => {
    const [support, finance] = [await newMember(duka, ada, 'support'), await newMember(duka, ada, 'finance')];
    for (const browser of [support, finance]) {
      expect((await groups('tills of', { browser })).api_key).toBeUndefined();
      expect(await ids(bought.id, { browser })).toEqual([bought.id]);
    }
    const [{ id }] = (await ada.get('/request-log?livemode=false')).body.data;
    expect([await ids(id, { browser: support }), await ids(id, { browser: finance })]).toEqual([[id], []]);
  });
});
