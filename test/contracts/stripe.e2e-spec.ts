import { DataSource } from 'typeorm';
import { STRIPE_VERSION } from '../../src/extensions/stripe/stripe';
import { Company } from '../pretended/stripe/company';
import type { Api } from '../support/api';
import { cardholder } from '../support/cardholder';
import { Duka } from '../support/duka';
import { until } from '../support/recurring-probe';

const PAGES = 'https://duka.example';

let duka: Duka;
let company: Company;
let live: Api;
let card: any;
/** At Stripe. */
let theirs: string;

beforeAll(async () => {
  company = await new Company().listen();
  Object.assign(process.env, company.settings);
  duka = await Duka.start({ PUBLIC_URL: PAGES });
  company.callbackUrl = duka.url;
  const { id } = await duka.account();
  live = duka.api(await duka.key({ accountId: id, livemode: true }));
  const wallet = await live.wallet(0, 'USD');
  await duka.fund(wallet, 1_000_000n);
  const customer = (await live.post('/v4/customers', cardholder())).body.id;
  await duka.asOwner(
    `UPDATE customers SET kyc_status = 'verified', kyc_tier = 3, kyc_reference = id, kyc_provider = 'test',
            kyc_verified_at = now()`,
  );
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position)
       VALUES ('cards', '*', true, 'stripe', 1)`,
  );
  const order = { customer_id: customer, currency: 'USD', amount: 5_000, funding_wallet_id: wallet };
  card = (await live.post('/v4/cards/issue', order)).body;
  [theirs] = [...company.cards.keys()] as [string];
});
afterAll(async () => {
  await duka.stop();
  await company.stop();
});

const available = async (): Promise<[number, number]> => {
  const { balance } = (await live.get(`/v4/cards/${card.id}`)).body;
  return [balance.available, balance.held];
};
const statuses = async (): Promise<string[]> =>
  (await live.get(`/v4/cards/${card.id}/transactions`)).body.data.map((one: any) => `${one.type} ${one.status}`);

it('a card is issued by Stripe', () => {
  expect(card).toMatchObject({
    status: 'active',
    last4: company.cards.get(theirs)!.last4,
    exp_month: 8,
    exp_year: 2030,
  });
});

it('is used, captured and refunded', async () => {
  const authorization = (await company.network.authorize({ card: theirs, amount: '1250' }))!;
  expect(authorization).toMatchObject({ approved: true, amount: 1_250 });
  expect(await available()).toEqual([3_750, 1_250]);
  await company.network.increment(authorization, { increment_amount: '500' });
  expect(await available()).toEqual([3_250, 1_750]);
  await company.network.capture(authorization, { capture_amount: '1500' });
  expect(await available()).toEqual([3_500, 0]);
  const [transaction] = [...company.network.transactions.keys()];
  await company.network.refund(transaction!, { refund_amount: '500' });
  expect(await available()).toEqual([4_000, 0]);
  const declined = (await company.network.authorize({ card: theirs, amount: '4001' }))!;
  expect(declined).toMatchObject({ approved: false, status: 'closed' });
  const forced = (await company.network.forceCapture({ card: theirs, amount: '1000' }))!;
  expect(await available()).toEqual([3_000, 0]);
  expect(await statuses()).toEqual([
    'clearing settled',
    'authorization declined',
    'refund settled',
    'authorization voided',
    'authorization settled',
  ]);
  expect((await live.get(`/v4/cards/${card.id}/transactions`)).body.data[0].amount).toBe(-forced.amount);
});

it('is let go of as far as a merchant gives it up, beyond the first request, too', async () => {
  const before = await available();
  const authorization = (await company.network.authorize({ card: theirs, amount: '1000' }))!;
  await company.network.increment(authorization, { increment_amount: '500' });
  const reverse = `/v1/test_helpers/issuing/authorizations/${authorization.id}/reverse`;
  await company.network.play(reverse, { reverse_amount: '1200' });
  expect(await available()).toEqual([before[0] - 300, 300]);
  await company.network.play(reverse, {});
  expect(await available()).toEqual(before);
});

it('is let go of where Stripe declined an increment that was promised too late', async () => {
  const before = await available();
  const authorization = (await company.network.authorize({ card: theirs, amount: '1000' }))!;
  const { hear } = company;
  company.hear = async (callback) => {
    const answer = await hear(callback);
    if (callback.body.includes('issuing_authorization.request')) throw new Error('too late');
    return answer;
  };
  await company.network.increment(authorization, { increment_amount: '500' });
  company.hear = hear;
  expect(authorization.request_history).toMatchObject([{ approved: true }, { approved: false }]);
  expect(await available()).toEqual([before[0] - 1_000, 1_000]);
  await company.network.play(`/v1/test_helpers/issuing/authorizations/${authorization.id}/reverse`, {});
  expect(await available()).toEqual(before);
});

it('is held where Stripe approved an increment without an answer, and let go with the rest', async () => {
  const before = await available();
  const authorization = (await company.network.authorize({ card: theirs, amount: '1000' }))!;
  const { hear } = company;
  company.hear = (callback) =>
    callback.body.includes('issuing_authorization.request') ? Promise.reject(new Error('down')) : hear(callback);
  company.network.approvesUnanswered = true;
  await company.network.increment(authorization, { increment_amount: '500' });
  company.hear = hear;
  company.network.approvesUnanswered = false;
  expect([authorization.amount, await available()]).toEqual([1_500, [before[0] - 1_500, 1_500]]);
  // Told again with the next one, and held no second time.
  await company.network.increment(authorization, { increment_amount: '200' });
  expect(await available()).toEqual([before[0] - 1_700, 1_700]);
  await company.network.play(`/v1/test_helpers/issuing/authorizations/${authorization.id}/reverse`, {});
  expect(await available()).toEqual(before);
});

it('answers as Stripe wants it, and only whom Stripe has signed', async () => {
  const send = ({ body, headers }: ReturnType<Company['event']>) =>
    fetch(`${duka.url}/callbacks/cards/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': headers['stripe-signature']! },
      body: new Uint8Array(body),
    });
  const genuine = await send(company.event('plan.created', { id: 'p' }));
  expect([genuine.status, genuine.headers.get('stripe-version')]).toEqual([200, STRIPE_VERSION]);
  expect((await send(company.event('plan.created', { id: 'p' }, { secret: 'whsec_other' }))).status).toBe(401);
});

it('is shown on a page with frames of Stripe', async () => {
  const { body } = await live.post(`/v4/cards/${card.id}/reveal`, {});
  const here = (address: string) => address.replace(PAGES, duka.url);
  const link = await fetch(here(body.url), { redirect: 'manual' });
  expect(link.status).toBe(303);
  const address = here(link.headers.get('location')!);
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain('https://js.stripe.com');
  const text = await page.text();
  expect(text).toContain(`data-card="${theirs}"`);
  const [, exchange] = /data-exchange="([^"]+)"/.exec(text)!;
  const headers = { 'content-type': 'application/json' };
  const key = await fetch(new URL(exchange!, address), { method: 'POST', headers, body: '{"nonce":"ephkn_1"}' });
  expect(await key.json()).toEqual({ ephemeral_key_secret: `ek_test_${theirs}` });
});

it('is disputed, and won', async () => {
  const { data } = (await live.get(`/v4/cards/${card.id}/transactions`)).body;
  const paid = data.find((one: any) => one.type === 'clearing');
  const evidence = { text: 'Not me.' };
  const opened = await live.post(`/v4/card-transactions/${paid.id}/disputes`, { reason: 'fraudulent', evidence });
  expect([opened.status, opened.body.status]).toEqual([201, 'under_review']);
  const [dispute] = [...company.disputes.values()];
  dispute!.status = 'won';
  expect(await company.hear(company.event('issuing_dispute.closed', dispute!))).toMatchObject({ status: 200 });
  expect((await live.get(`/v4/disputes/${opened.body.id}`)).body.status).toBe('won');
  expect(await available()).toEqual([4_000, 0]);
});

it('is frozen there, too', async () => {
  await live.post(`/v4/cards/${card.id}/freeze`, {});
  await until(async () => company.cards.get(theirs)!.status === 'inactive');
});

it('is declined by Stripe alone, which tells of it', async () => {
  const before = await statuses();
  const declined = (await company.network.authorize({ card: theirs, amount: '100' }))!;
  expect(declined).toMatchObject({ approved: false, request_history: [{ reason: 'card_inactive' }] });
  expect(await statuses()).toEqual(['authorization declined', ...before]);
});
