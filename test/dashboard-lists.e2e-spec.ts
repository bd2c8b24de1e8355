import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

const OK = '08031234567';

let duka: Duka;
let ada: Browser;
let secret: string;
let naira: string;

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  secret = (await ada.post('/keys', { name: 'k', livemode: false })).body.secret;
  const api = duka.api(secret);
  const other = await api.wallet();
  const francs = [await api.wallet(1_000, 'XOF'), await api.wallet(0, 'XOF')] as const;
  naira = await api.wallet(500_000);
  await api.transfer(naira, other, 125_050, { reference: '-order-1' });
  await api.transfer(...francs, 700);
  await api.post('/v4/airtime/purchase', { phone: OK, country: 'NG', amount: 10_000, wallet_id: naira });
});
afterAll(() => duka.stop());

const totals = async (query = '', browser = ada) =>
  (await browser.get(`/transactions/totals?livemode=false${query}`)).body;

/** As if people must look at it. */
const mark = (id: string, needsReview: boolean) =>
  duka
    .get<DataSource>(DataSource)
    .query('UPDATE transactions SET needs_review = $2 WHERE id = $1', [decodeId('txn', id), needsReview]);

/** Lines of the file of a view, without the mark in front and the line of titles. */
async function file(query = ''): Promise<Record<string, string>[]> {
  const { body, headers } = await ada.get(`/transactions/export?livemode=false${query}`);
  expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"');
  const [titles, ...lines] = (body as string).replace('\ufeff', '').trim().split('\n');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(titles!.split(',').map((title, at) => [title, cells[at]!]));
  });
}

describe('what transactions add up to', () => {
  it('is by currency, of those that the filters let through', async () => {
    expect(await totals()).toMatchObject({
      count: 7,
      capped: false,
      data: [
        { currency: 'NGN', count: 4, in_display: 'NGN 6,250.50', out_display: 'NGN 1,350.50' },
        { currency: 'XOF', count: 3, in_display: 'XOF 1,700', out_display: 'XOF 700', fees_display: 'XOF 0' },
      ],
    });
    expect(await totals('&type=transfer_out,transfer_in&currency=NGN')).toMatchObject({
      count: 2,
      data: [{ currency: 'NGN', in_display: 'NGN 1,250.50', out_display: 'NGN 1,250.50' }],
    });
    expect((await totals('&amount_gte=125050&amount_lte=125050')).count).toBe(2);
    expect((await totals(`&wallet_id=${naira}&direction=credit`)).count).toBe(1);
    expect((await totals('&created_lt=2020-01-01')).data).toEqual([]);
  });

  it('is of the own account in the mode, and wrong filters are refused', async () => {
    expect((await totals('', await newOwner(duka))).count).toBe(0);
    expect((await ada.get('/transactions/totals?livemode=true')).body.count).toBe(0);
    expect((await ada.get('/transactions/totals?type=nothing')).status).toBe(400);
    expect((await ada.get('/transactions/export?created_gte=x')).status).toBe(400);
  });

  it('goes by the times that the account is shown, of its clock', async () => {
    const bo = await newOwner(duka);
    const { secret: key } = (await bo.post('/keys', { name: 'k', livemode: false })).body;
    await duka.api(key).post('/v4/sandbox/clock/advance', { seconds: 10 * 86_400 });
    await duka.api(key).wallet(1_000);
    const later = new Date(Date.now() + 9 * 86_400_000).toISOString();
    expect((await totals(`&created_gte=${later}`, bo)).count).toBe(1);
    expect((await totals(`&created_lt=${later}`, bo)).count).toBe(0);
  });
});

describe('the file of a view', () => {
  it('has decimals, local times, and only what the filters let through', async () => {
    const [sent, ...more] = await file('&currency=NGN&direction=debit&type=transfer_out');
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      type: 'transfer_out',
      amount: '1250.50',
      fee: '0.00',
      balance_before: '5000.00',
      balance_after: '3749.50',
      currency: 'NGN',
      needs_review: 'false',
      // No formula for a spreadsheet.
      reference: "'-order-1",
    });
    const { created_at: at } = (await duka.api(secret).get(`/v4/transactions/${sent!.id}`)).body;
    // In Lagos it is an hour later.
    const there = new Date(Date.parse(at) + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(sent!.created_at).toBe(there);
    expect((await file('&currency=XOF')).map(({ amount }) => amount)).toEqual(['700', '700', '1000']);
  });

  it('has what people must look at', async () => {
    const [bought] = await file('&type=airtime_purchase');
    await mark(bought!.id!, true);
    expect(await file('&needs_review=true')).toMatchObject([{ id: bought!.id, needs_review: 'true' }]);
    expect((await totals('&needs_review=true')).count).toBe(1);
    await mark(bought!.id!, false);
  });
});

describe('the search', () => {
  const found = async (q: string, browser = ada) =>
    (await browser.get(`/search?mode=test&type=transaction&q=${encodeURIComponent(q)}`)).body.data.flatMap(
      ({ data }: any) => data.map(({ id }: { id: string }) => id),
    );

  it('finds amounts in the units that people write, and parts of what they have in hand', async () => {
    const { data } = (await duka.api(secret).get('/v4/transactions?currency=NGN&limit=100')).body;
    const [bought] = data.filter(({ type }: any) => type === 'airtime_purchase');
    const sent = data.filter(({ amount }: any) => amount === 125_050).map(({ id }: any) => id);
    expect(await found('1,250.50')).toEqual(sent);
    expect(await found('NGN 1250.5')).toEqual(sent);
    expect(await found('XOF 1250.5')).toEqual([]);
    const francs = await found('XOF 700');
    expect(francs).toHaveLength(2);
    // Without the currency it may be a part of something else, too: of what a provider calls it, say.
    expect(await found('700')).toEqual(expect.arrayContaining(francs));
    expect(await found('der-1')).toEqual([data.find(({ reference }: any) => reference === '-order-1').id]);
    for (const part of [bought.id.slice(-9), bought.id.slice(4).slice(-20), bought.id.slice(0, 29), '8031234'])
      expect([part, await found(part)]).toEqual([part, [bought.id]]);
    for (const part of ['1,250.50', bought.id.slice(-9), '8031234', '%', 'a'])
      expect([part, await found(part, await newOwner(duka))]).toEqual([part, []]);
    expect(await found('%')).toEqual([]);
  });
});
