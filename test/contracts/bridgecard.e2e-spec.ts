import { DataSource } from 'typeorm';
import { ExtensionRegistry } from '../../src/core/extension/extension-registry';
import { Filter } from '../../src/core/extension/decorators';
import type { GatewayChoice } from '../../src/core/extension/points';
import { Company, type Json } from '../pretended/bridgecard/company';
import type { Api } from '../support/api';
import { expectBooksToBalance } from '../support/books';
import { cardholder } from '../support/cardholder';
import { Duka } from '../support/duka';
import { until } from '../support/recurring-probe';

const PAGES = 'https://duka.example';

/** What Bridgecard wants and Duka does not know. */
class Pictures {
  @Filter('svc_payment_gateway', { id: 'test.pictures', operations: ['card_issue'] })
  choose(choices: readonly GatewayChoice[]): readonly GatewayChoice[] {
    const options = { id_image: 'https://pictures.example/id.jpg', bvn: '22222222222' };
    return choices.map((choice) => ({ ...choice, options }));
  }
}

let duka: Duka;
let company: Company;
let live: Api;
let wallet: string;
let customer: string;
let card: any;
/** At Bridgecard. */
let theirs: Json;

const order = (more: object = {}) =>
  live.post('/v4/cards/issue', {
    customer_id: customer,
    currency: 'USD',
    amount: 5_000,
    brand: 'mastercard',
    funding_wallet_id: wallet,
    ...more,
  });

beforeAll(async () => {
  company = await new Company().listen();
  Object.assign(process.env, company.settings);
  duka = await Duka.start({ PUBLIC_URL: PAGES, WORKER_IN_API: true });
  duka.get<ExtensionRegistry>(ExtensionRegistry).add(new Pictures());
  company.callbackUrl = duka.url;
  const { id } = await duka.account();
  live = duka.api(await duka.key({ accountId: id, livemode: true }));
  wallet = await live.wallet(0, 'USD');
  await duka.fund(wallet, 1_000_000n);
  customer = (await live.post('/v4/customers', cardholder())).body.id;
  await duka.asOwner(
    `UPDATE customers SET kyc_status = 'verified', kyc_tier = 3, kyc_reference = id, kyc_provider = 'test',
            kyc_verified_at = now()`,
  );
  await duka.get<DataSource>(DataSource).query(
    `INSERT INTO provider_routes (product, network, livemode, provider, position)
       VALUES ('cards', '*', true, 'bridgecard', 1)`,
  );
  card = (await order()).body;
  [theirs] = [...company.cards.values()] as [Json];
});
afterAll(async () => {
  await duka.stop();
  await company.stop();
});

const available = async (): Promise<number> => (await live.get(`/v4/cards/${card.id}`)).body.balance.available;

it('a card is issued with its load, and nobody here knows when it expires', async () => {
  expect(card).toMatchObject({ status: 'active', last4: theirs.last_4, exp_month: null, exp_year: null });
  expect([await available(), theirs.available_balance]).toEqual([5_000, '5000']);
});

it('refuses other brands, and gives the money back', async () => {
  const before = (await live.balance(wallet)).available;
  const { body } = await order({ brand: 'visa' });
  expect(body).toMatchObject({ status: 'failed', status_reason: 'brand_not_issued' });
  expect(await live.balance(wallet)).toMatchObject({ available: before, held: 0 });
});

it('is loaded there as well', async () => {
  expect((await live.post(`/v4/cards/${card.id}/fund`, { amount: 2_000 })).status).toBe(201);
  await until(async () => theirs.available_balance === '7000');
  expect(await available()).toBe(7_000);
  // Among them, that nobody waits for the end of a card that is not known.
  await expectBooksToBalance(duka.env.DATABASE_URL!);
});

it('is not loaded beyond what it may hold, and nothing is withdrawn', async () => {
  const vetoed = async (action: string, amount: number) => {
    const { status, body } = await live.post(`/v4/cards/${card.id}/${action}`, { amount });
    return [status, JSON.stringify(body)] as const;
  };
  const [funded, why] = await vetoed('fund', 499_000);
  expect(why).toContain('card_balance_too_high');
  const [withdrawn, because] = await vetoed('withdraw', 100);
  expect(because).toContain('withdrawal_not_supported');
  expect([funded, withdrawn]).toEqual([422, 422]);
  expect(await available()).toBe(7_000);
});

it('is paid with, and paid back to, as Bridgecard says when it is asked', async () => {
  const paid = (await company.pay(theirs, 1_250n))!;
  expect(await available()).toBe(5_750);
  await company.tell('card_debit_event.successful', { ...paid, amount: '9' });
  expect(await available()).toBe(5_750);
  await company.reverse(paid, 250n);
  expect([await available(), theirs.available_balance]).toEqual([6_000, '6000']);
  const { data } = (await live.get(`/v4/cards/${card.id}/transactions`)).body;
  expect(data.map((one: any) => `${one.type} ${one.status}`)).toEqual(['refund settled', 'clearing settled']);
  const forged = company.event('card_debit_event.successful', { card_id: theirs.card_id }, 'sk_live_other');
  expect(await company.hear(forged)).toBe(401);
});

it('is shown on a page that has the card behind the #', async () => {
  const { body } = await live.post(`/v4/cards/${card.id}/reveal`, {});
  const here = (address: string) => address.replace(PAGES, duka.url);
  const link = await fetch(here(body.url), { redirect: 'manual' });
  expect(link.status).toBe(303);
  const address = new URL(here(link.headers.get('location')!));
  const page = await fetch(address);
  expect(page.headers.get('content-security-policy')).toContain(`connect-src ${new URL(company.url).origin}`);
  const [, relay] = /data-relay="([^"]+)"/.exec(await page.text())!;
  // As the script of the page does.
  const shown: any = await (await fetch(`${relay}?token=${address.hash.slice(1)}`)).json();
  expect(shown.data.card_number).toBe(`000000000000${card.last4}`);
});

it('is frozen and terminated there, and gives back what it has', async () => {
  await live.post(`/v4/cards/${card.id}/freeze`, {});
  await until(async () => theirs.is_active === false);
  const before = (await live.balance(wallet)).available;
  await live.post(`/v4/cards/${card.id}/terminate`, {});
  expect((await live.balance(wallet)).available).toBe(before + 6_000);
  await until(async () => theirs.is_deleted === true);
  expect([await available(), company.wallet]).toEqual([0, 1_000_000n - 1_000n]);
});
