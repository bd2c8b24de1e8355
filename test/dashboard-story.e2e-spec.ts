import { decodeId } from '../src/core/http/ids';
import { RequestLog } from '../src/core/request-log/request-log';
import { Browser, newMember, newOwner } from './support/dashboard';
import type { Api } from './support/api';
import { cardholder } from './support/cardholder';
import { Duka, type TestAccount } from './support/duka';
import { Receiver } from './support/receiver';
import { HOOK_URL } from './support/webhooks';
import { until } from './support/recurring-probe';

const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };
/** Twenty digits that stand alone: in ids, some stand in a row by chance. */
const TOKEN = /(?<![\w-])\d{4}([ -]?)\d{4}(?:\1\d{4}){3}(?![\w-])/;

let duka: Duka;
let ada: Browser;
let api: Api;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  ada = await newOwner(duka);
  const { body } = await ada.post('/keys', { name: 'Till', livemode: false });
  api = duka.api(body.secret);
  wallet = await api.wallet(5_000_000);
});
afterAll(() => duka.stop());

const story = async (id: string, browser = ada, livemode = false) => {
  await duka.get<RequestLog>(RequestLog).flush();
  return browser.get(`/stories/${id}?livemode=${livemode}`);
};
const steps = async (id: string, browser = ada): Promise<any[]> => (await story(id, browser)).body.steps;
const kindsOf = (list: any[]): string[] => [...new Set(list.map(({ kind }) => kind))];
/** Of the same number again and again. */
const buy = (phone: string) =>
  api.post('/v4/airtime/purchase', { wallet_id: wallet, phone, amount: 10_000, allow_duplicate: true });

describe('the story of a purchase', () => {
  it('goes from the request to the deliveries, in order of time, with who acted and money as people read it', async () => {
    await api.post('/v4/webhooks', { url: HOOK_URL, events: ['transaction.*'] });
    const { body, headers } = await buy('+2348000000100');
    const request = headers.get('request-id')!;
    await until(async () => (await steps(body.id)).some(({ answer }) => answer !== null));
    const { body: told } = await story(body.id);
    const list: any[] = told.steps;
    expect(told).toMatchObject({ id: body.id, total: list.length, hidden: [] });
    expect(told.about).toContain(body.id);
    expect(kindsOf(list)).toEqual(
      expect.arrayContaining(['request', 'made', 'ledger', 'provider', 'ended', 'event', 'delivery']),
    );
    expect(list[0]).toMatchObject({
      kind: 'request',
      id: request,
      title: 'POST /v4/airtime/purchase',
      actor: { type: 'key', name: expect.stringContaining('Till …') },
      request: { request_body: { phone: '+2348000000100', amount: 10_000 } },
    });
    const times = list.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a.localeCompare(b)));
    const made = list.find(({ kind }) => kind === 'made');
    expect(made).toMatchObject({ id: body.id, title: 'Airtime purchase', current: true, actor: { type: 'key' } });
    expect(made.amounts).toContainEqual({
      name: 'amount',
      amount: 10_000,
      currency: 'NGN',
      amount_display: 'NGN 100.00',
    });
    const [held] = list.filter(({ kind }) => kind === 'ledger');
    expect(held).toMatchObject({ title: 'Money was held', amounts: [{ name: 'moved', amount: 9_750 }] });
    expect(held.lines.reduce((sum: number, line: any) => sum + line.amount, 0)).toBe(0);
    expect(list.find(({ kind }) => kind === 'provider').actor).toMatchObject({ type: 'provider', name: 'sandbox' });
    const delivery = list.find(({ answer }) => answer !== null);
    expect(delivery).toMatchObject({ status: 'failed', answer: { status: null, url: HOOK_URL } });
  });

  it('is the same from its request, its event and its delivery, each marked as what was asked for', async () => {
    const { body, headers } = await buy('+2348000000100');
    await until(async () => (await steps(body.id)).some(({ kind }) => kind === 'delivery'));
    const list = await steps(body.id);
    const ids = list.map(({ id }) => id);
    const [event, delivery] = ['event', 'delivery'].map((kind) => list.find((step) => step.kind === kind).id);
    for (const id of [headers.get('request-id')!, event, delivery]) {
      const other = await steps(id);
      expect(other.map((step) => step.id)).toEqual(expect.arrayContaining(ids.slice(0, 8)));
      expect(other.find((step) => step.id === id)).toMatchObject({ current: true });
      expect(other.filter(({ current, kind }) => current && kind !== 'delivery').length).toBeLessThan(2);
    }
  });

  it('tells of each provider that was asked, and of each attempt to deliver, whatever the test clock says', async () => {
    const bola = await newOwner(duka);
    const { body: key } = await bola.post('/keys', { name: 'Shop', livemode: false });
    const own = duka.api(key.secret);
    const { body: me } = await bola.get('/me');
    const account = { id: me.account.id, api: own } as TestAccount;
    const from = await own.wallet(50_000);
    const receiver = await Receiver.of(duka, account, { events: ['transaction.successful'] });
    receiver.reply = (_, count) =>
      count === 1 ? { status: 500, body: `{"token":"1234-5678-9012-3456-7890"}` } : { status: 200 };
    const order = { wallet_id: from, phone: '+2348000000105', amount: 10_000 };
    const { body: sold } = await own.post('/v4/airtime/purchase', order);
    await until(() => receiver.received.length === 1);
    await until(async () => (await receiver.deliveries())[0].attempts === 1);
    await receiver.pass(600);
    await until(() => receiver.received.length === 2);
    await until(async () => (await steps(sold.id, bola)).some(({ status }) => status === 'delivered'));
    // As on a busy machine: the clock was read a while before the attempt was written.
    const earlier = `UPDATE purchase_attempts SET started_at = started_at - interval '1 s' WHERE purchase_id = $1`;
    await duka.asOwner(earlier, [decodeId('txn', sold.id)]);
    const list = await steps(sold.id, bola);
    const said = list.filter(({ kind }) => kind === 'provider').map(({ title, facts }) => [title, facts[0].value]);
    expect(said).toEqual([
      ['sandbox was asked', '1'],
      ['sandbox answered: not delivered', '1'],
      ['sandbox backup was asked', '2'],
      ['sandbox backup answered: delivered', '2'],
    ]);
    const [failed, arrived] = list.filter(({ answer }) => answer !== null);
    expect(failed).toMatchObject({
      status: 'failed',
      answer: { status: 500 },
      links: expect.arrayContaining([receiver.publicId]),
    });
    expect(failed.answer.body).not.toMatch(TOKEN);
    expect(arrived).toMatchObject({ status: 'delivered', answer: { status: 200 } });
    const times = list.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a.localeCompare(b)));
    await receiver.close();
  });
});

describe('what is linked', () => {
  it('is told together: a payment, its credit, its refund and the refund of that', async () => {
    const { body: asked } = await api.post('/api/v1/payments', { amount: 150_000, currency: 'NGN' });
    await api.post(`/v4/sandbox/payments/${asked.id}/complete`, { status: 'successful' });
    await until(async () => (await api.get(`/api/v1/payments/${asked.id}`)).body.transaction_id !== null);
    const { body: refund } = await api.post(`/api/v1/payments/${asked.id}/refunds`, { amount: 40_000 });
    const { body: payment } = await api.get(`/api/v1/payments/${asked.id}`);
    const all = [asked.id, payment.transaction_id, refund.id];
    for (const id of all) {
      const { body } = await story(id);
      expect([id, body.about]).toEqual([id, expect.arrayContaining(all)]);
      const made = body.steps.filter(({ kind }: any) => kind === 'made').map((step: any) => step.id);
      expect(made).toEqual(expect.arrayContaining(all));
    }
    const titles = (await steps(asked.id)).map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(['Payment asked for', 'Payment', 'Refund asked for']));
    // Said once, though both the payment and its credit know it.
    const said = (await steps(asked.id)).filter(({ kind }) => kind === 'provider').map(({ id }) => id);
    expect(new Set(said).size).toBe(said.length);
  });

  it('is told together: both sides of a transfer between own wallets', async () => {
    const other = await api.wallet();
    const { body: transfer } = await api.transfer(wallet, other, 125_050);
    const { debit, credit } = transfer.transactions;
    for (const id of [transfer.id, debit, credit])
      expect((await story(id)).body.about).toEqual(expect.arrayContaining([transfer.id, debit, credit]));
    const lines = (await steps(debit)).flatMap((step) => step.lines);
    expect(lines.map(({ amount }) => amount)).toEqual(expect.arrayContaining([-125_050, 125_050]));
  });

  it('is told of what a card paid for: decision, what the network did, the lines of the card', async () => {
    const usd = await api.wallet(100_000, 'USD');
    const { body: card } = await api.post('/v4/cards/issue', {
      customer: cardholder(),
      currency: 'USD',
      amount: 5_000,
      funding_wallet_id: usd,
    });
    const merchant = { name: 'Corner Shop', mcc: '5411', country: 'NG' };
    const pay = { kind: 'authorization', amount: 500, merchant };
    const { body: used } = await api.post(`/v4/sandbox/cards/${card.id}/simulate`, pay);
    const clear = { kind: 'clearing', card_transaction_id: used.id, amount: 500 };
    expect((await api.post(`/v4/sandbox/cards/${card.id}/simulate`, clear)).status).toBeLessThan(300);
    const list = await steps(used.id);
    expect(list.find(({ id }) => id === used.id)).toMatchObject({ title: 'Card authorization', current: true });
    expect(list.find(({ kind }) => kind === 'card')).toMatchObject({
      title: 'The merchant got its money',
      amounts: [{ amount_display: 'USD 5.00' }],
    });
    const moved = list.filter(({ kind }) => kind === 'ledger');
    expect(moved.map(({ title }) => title)).toEqual(['Money was held', 'What was held was paid out']);
    expect(moved[0].lines[0]).toMatchObject({ card_id: card.id, wallet_id: null });
    const { about } = (await story(card.id)).body;
    expect(about).toEqual([card.id]);
  });
});

describe('who sees what', () => {
  it('follows the role: no ledger for support, no requests for finance', async () => {
    const { body, headers } = await buy('+2348000000100');
    const request = headers.get('request-id')!;
    for (const [role, hidden] of [
      ['developer', ['reveal']],
      ['finance', ['request']],
      ['support', ['ledger', 'reveal']],
    ] as const) {
      const member = await newMember(duka, ada, role);
      const { body: told } = await story(body.id, member);
      expect([role, told.hidden]).toEqual([role, hidden]);
      for (const kind of hidden) expect(kindsOf(told.steps)).not.toContain(kind);
      const asked = await story(request, member);
      expect([role, asked.status]).toEqual([role, role === 'finance' ? 403 : 200]);
      const names = told.steps.flatMap(({ actor }: any) => (actor?.type === 'key' ? [actor.name] : []));
      expect([role, names.some((name: string) => name.includes('Till'))]).toEqual([role, role === 'developer']);
    }
  });

  it('is of one account in one mode', async () => {
    const { body, headers } = await buy('+2348000000100');
    const event = (await steps(body.id)).find(({ kind }) => kind === 'event').id;
    const stranger = await newOwner(duka);
    for (const id of [body.id, headers.get('request-id')!, event, wallet]) {
      const seen = [await story(id), await story(id, ada, true), await story(id, stranger)];
      expect([id, seen.map(({ status }) => status)]).toEqual([id, [200, 404, 404]]);
      expect((await stranger.get(`/receipts/${id}`)).status).toBe(404);
    }
    for (const id of [
      '',
      'x',
      'txn_x',
      'aud_01kabcdefghjkmnpqrstvwxyz0',
      'txn_01kabcdefghjkmnpqrstvwxyz0',
      '__proto___x',
    ])
      expect([id, (await story(encodeURIComponent(id))).status]).toEqual([id, 404]);
  });

  it('has no meter token; that somebody looked at one is told to whoever reads the audit log', async () => {
    const { body: validation } = await api.post('/v4/bills/validate', METER);
    const order = { ...METER, amount: 500_000, wallet_id: wallet, validation_id: validation.id };
    const { body: bought } = await api.post('/v4/bills/pay', order);
    expect(JSON.stringify((await story(bought.id)).body)).not.toMatch(TOKEN);
    await ada.stepUp();
    const revealed = await ada.post(`/transactions/${bought.id}/reveal?livemode=false`);
    expect(JSON.stringify(revealed.body)).toMatch(TOKEN);
    const list = await steps(bought.id);
    expect(list.find(({ kind }) => kind === 'reveal')).toMatchObject({ actor: { type: 'person', name: ada.email } });
    expect(JSON.stringify(list)).not.toMatch(TOKEN);
    const { body: receipt } = await ada.get(`/receipts/${bought.id}`);
    expect(receipt.has_secrets).toBe(true);
    expect(JSON.stringify(receipt)).not.toMatch(TOKEN);
  });
});

describe('a receipt', () => {
  it('says what, to whom, how much, when, by which id', async () => {
    const { body } = await buy('+2348000000100');
    const { body: receipt } = await ada.get(`/receipts/${body.id}?livemode=false`);
    expect(receipt).toMatchObject({ id: body.id, account: 'Shop', livemode: false, has_secrets: false });
    const lines = Object.fromEntries(receipt.lines.map(({ name, value }: any) => [name, value]));
    expect(lines).toMatchObject({
      Recipient: '+2348000000100',
      Amount: 'NGN 100.00',
      State: body.status,
      Time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]/),
      'Time in UTC': expect.stringMatching(/ UTC$/),
      Id: body.id,
    });
    expect((await ada.get(`/receipts/${wallet}`)).status).toBe(404);
  });

  it('is a PDF of the same, named by the id', async () => {
    const { body } = await buy('+2348000000100');
    const response = await fetch(`${duka.url}/dashboard/api/receipts/${body.id}/pdf`, {
      headers: { cookie: `session=${ada.token}`, 'sec-fetch-site': 'same-origin' },
    });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toContain(`${body.id}.pdf`);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });
});
