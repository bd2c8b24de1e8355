import type { DemoApi } from './demo-api';
import type { Draw } from './demo-draw';

export interface DemoShop {
  readonly api: DemoApi;
  readonly draw: Draw;
  /** Wallets in naira with money. */
  readonly tills: readonly string[];
  readonly dollars: string;
  /** Nobody ever put money into it. */
  readonly empty: string;
  readonly cards: readonly string[];
  readonly virtualAccount: string;
}

/** Something that people do, how often, and how many transactions it makes. */
export interface Deed {
  readonly share: number;
  readonly rows: number;
  readonly does: (shop: DemoShop) => Promise<unknown>;
}

/** The last two digits of a sandbox number, and how often it is one of those: of the others nothing is told. */
const ENDS = [
  { share: 940, tail: null },
  { share: 15, tail: '102' },
  { share: 12, tail: '103' },
  { share: 10, tail: '104' },
  { share: 6, tail: '105' },
  { share: 10, tail: '106' },
  { share: 5, tail: '111' },
  { share: 2, tail: '109' },
];

function phone(draw: Draw): string {
  const { tail } = draw.shared(ENDS);
  return tail === null
    ? `+234${draw.of(['803', '806', '813', '802', '805', '809'])}${draw.digits(7)}`
    : `+234800${draw.digits(4)}${tail}`;
}

const paidBy = ({ draw, tills }: DemoShop): { wallet_id: string; reference?: string } => ({
  wallet_id: draw.of(tills),
  ...(draw.part() < 0.5 && { reference: `order-${draw.digits(12)}` }),
});

const PLANS = ['mtn-sme-1gb-1m', 'mtn-cg-1gb-1m', 'mtn-direct-1gb-1w', 'mtn-broadband-25gb-1m'];
const BILLS = [
  { biller_code: 'bet9ja', customer_identifier: '1212121212' },
  { biller_code: 'waec-result', customer_identifier: '08001234100' },
];
const BANKS = ['058', '044', '011'];

/** What one request does. The time may go on while many of them are under way. */
export const QUICK: readonly Deed[] = [
  { share: 300, rows: 2, does: transfer },
  { share: 380, rows: 1, does: airtime },
  { share: 110, rows: 1, does: data },
  { share: 45, rows: 1, does: bill },
  { share: 55, rows: 1, does: payout },
  { share: 12, rows: 1, does: ({ api, draw, tills }) => credit(api, draw.of(tills), draw.between(1, 900) * 100_000) },
  { share: 12, rows: 0, does: mistake },
];

/** What takes several requests, of which the later must find the earlier as they were a moment ago. */
export const SLOW: readonly Deed[] = [
  { share: 40, rows: 1, does: payment },
  { share: 14, rows: 2, does: refundedPayment },
  { share: 12, rows: 2, does: conversion },
  { share: 8, rows: 1, does: cardMoney },
  { share: 16, rows: 0, does: cardTransaction },
  { share: 4, rows: 1, does: meter },
  { share: 4, rows: 1, does: settled },
  { share: 4, rows: 1, does: bankDeposit },
];

function transfer({ api, draw, tills }: DemoShop): Promise<unknown> {
  const from = draw.between(0, tills.length - 1);
  const to = (from + draw.between(1, tills.length - 1)) % tills.length;
  const money = { amount: draw.between(1, 50_000) * 100, currency: 'NGN' };
  return api.post('/v4/wallets/transfer', { from_wallet: tills[from], to_wallet: tills[to], ...money });
}

// A number that was sold to lately, or that was ported, is refused: that stands in the request log, as with others.
function airtime(shop: DemoShop): Promise<unknown> {
  const { api, draw } = shop;
  return api.tried('/v4/airtime/purchase', {
    ...paidBy(shop),
    phone: phone(draw),
    amount: draw.between(1, 100) * 5_000,
  });
}

function data(shop: DemoShop): Promise<unknown> {
  const { api, draw } = shop;
  const tail = draw.shared(ENDS).tail ?? '100';
  const phoneNumber = `+234800${draw.digits(4)}${tail}`;
  const order = { phone: phoneNumber, plan_code: draw.of(PLANS), allow_duplicate: true };
  return api.tried('/v4/data/purchase', { ...paidBy(shop), ...order });
}

function bill(shop: DemoShop): Promise<unknown> {
  const { api, draw } = shop;
  const wanted = draw.of(BILLS);
  const amount = wanted.biller_code === 'bet9ja' ? { amount: draw.between(5, 500) * 10_000 } : {};
  return api.tried('/v4/bills/pay', { ...paidBy(shop), ...wanted, ...amount, allow_duplicate: true });
}

function payout(shop: DemoShop): Promise<unknown> {
  const { api, draw } = shop;
  const account = draw.part() < 0.04 ? `0000000${draw.of(['102', '104', '106', '111'])}` : `01234${draw.digits(5)}`;
  const bank = { code: draw.of(BANKS), account_number: account };
  return api.tried('/v4/payouts', { ...paidBy(shop), amount: draw.between(10, 90_000) * 1_000, bank });
}

export const credit = (api: DemoApi, wallet: string, amount: number): Promise<unknown> =>
  api.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount });

/** What programs get wrong. */
function mistake(shop: DemoShop): Promise<unknown> {
  const { api, draw, empty, tills } = shop;
  const wrong: (readonly [string, object])[] = [
    ['/v4/airtime/purchase', { phone: '12', amount: 10_000, wallet_id: tills[0] }],
    ['/v4/airtime/purchase', { phone: phone(draw), amount: 10_000, wallet_id: empty }],
    ['/v4/data/purchase', { phone: phone(draw), plan_code: 'mtn-1-tb', wallet_id: tills[0] }],
    ['/v4/wallets/transfer', { from_wallet: empty, to_wallet: tills[0], amount: 500, currency: 'NGN' }],
    ['/v4/payouts', { amount: -1, bank: { code: '058', account_number: '0123456789' } }],
  ];
  return api.tried(...draw.of(wrong));
}

/** How payers do, and how often. */
const PAID = [
  { share: 70, as: 'successful' },
  { share: 10, as: 'failed' },
  { share: 8, as: 'reversed' },
  { share: 6, as: 'processing' },
];

const asked = ({ api, draw, tills }: DemoShop): Promise<{ readonly id: string }> =>
  api.post('/api/v1/payments', {
    amount: draw.between(10, 5_000) * 10_000,
    currency: 'NGN',
    wallet_id: tills[0],
    description: `Order ${draw.digits(6)}`,
  });

async function payment(shop: DemoShop): Promise<void> {
  const { id } = await asked(shop);
  await shop.api.post(`/v4/sandbox/payments/${id}/complete`, { status: shop.draw.shared(PAID).as });
}

/** Paid too little or too much: a person must decide. */
export async function doubtfulPayment(shop: DemoShop): Promise<void> {
  const { id } = await asked(shop);
  await shop.api.post(`/v4/sandbox/payments/${id}/complete`, { status: shop.draw.of(['underpaid', 'overpaid']) });
}

/** Half of a data plan cannot be sold: a person must decide. */
export const doubtfulPurchase = (shop: DemoShop): Promise<unknown> =>
  shop.api.post('/v4/data/purchase', {
    ...paidBy(shop),
    phone: `+234800${shop.draw.digits(4)}114`,
    plan_code: PLANS[0],
    allow_duplicate: true,
  });

const REFUNDS = [10_000, 25_000, 10_902, 10_901, 10_903];

async function refundedPayment(shop: DemoShop): Promise<void> {
  const { id } = await asked(shop);
  await shop.api.post(`/v4/sandbox/payments/${id}/complete`, { status: 'successful' });
  await shop.api.post(`/api/v1/payments/${id}/refunds`, { amount: shop.draw.of(REFUNDS) });
}

async function conversion({ api, draw, tills, dollars }: DemoShop): Promise<void> {
  const wanted = { from_currency: 'NGN', to_currency: 'USD', amount: draw.between(10, 900) * 100_000 };
  const { id } = await api.post('/v4/quotes', wanted);
  await api.post('/v4/conversions', { quote_id: id, from_wallet: tills[0], to_wallet: dollars });
}

function cardMoney(shop: DemoShop): Promise<unknown> {
  return shop.draw.part() < 0.8 ? fund(shop) : withdraw(shop);
}

const fund = ({ api, draw, cards }: DemoShop): Promise<unknown> =>
  api.tried(`/v4/cards/${draw.of(cards)}/fund`, { amount: draw.between(20, 90) * 100 });

const withdraw = ({ api, draw, cards }: DemoShop): Promise<unknown> =>
  api.tried(`/v4/cards/${draw.of(cards)}/withdraw`, { amount: 100 });

const MERCHANTS = [
  { name: 'Corner Shop', mcc: '5411', country: 'NG' },
  { name: 'Cloud Hosting', mcc: '7372', country: 'US' },
  { name: 'Lagos Rides', mcc: '4121', country: 'NG' },
];

async function cardTransaction({ api, draw, cards }: DemoShop): Promise<void> {
  const path = `/v4/sandbox/cards/${draw.of(cards)}/simulate`;
  const order = { amount: draw.between(100, 900), merchant: draw.of(MERCHANTS) };
  const { status, body } = await api.tried(path, { kind: draw.part() < 0.9 ? 'authorization' : 'decline', ...order });
  if (status >= 300 || body.status !== 'authorized' || draw.part() < 0.2) return;
  await api.tried(path, { kind: draw.part() < 0.9 ? 'clearing' : 'void', card_transaction_id: body.id });
}

async function meter(shop: DemoShop): Promise<void> {
  const customer = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111' };
  const { id } = await shop.api.post('/v4/bills/validate', { ...customer, service_type: 'prepaid' });
  const order = { ...customer, amount: shop.draw.between(50, 900) * 10_000, validation_id: id };
  await shop.api.post('/v4/bills/pay', { ...paidBy(shop), ...order, allow_duplicate: true });
}

const SETTLED = [['failed'], ['successful'], ['successful', 'reversed']];

/** Bought, and decided by somebody: delivered, refused or taken back. */
function settled(shop: DemoShop): Promise<void> {
  return settle(shop, shop.draw.of(SETTLED));
}

async function settle(shop: DemoShop, statuses: readonly string[]): Promise<void> {
  const { api, draw } = shop;
  const order = { ...paidBy(shop), phone: `+234800${draw.digits(4)}111`, amount: 20_000, allow_duplicate: true };
  const { id } = await api.post('/v4/airtime/purchase', order);
  for (const status of statuses) await api.tried(`/v4/sandbox/transactions/${id}/settle`, { status });
}

function bankDeposit({ api, draw, virtualAccount }: DemoShop): Promise<unknown> {
  return api.post(`/v4/sandbox/virtual-accounts/${virtualAccount}/deposit`, { amount: draw.between(10, 900) * 10_000 });
}

/** What a small account would miss where chance alone decides. */
export const SURE: readonly Deed['does'][] = [
  refundedPayment,
  conversion,
  bankDeposit,
  fund,
  withdraw,
  ...SETTLED.map((statuses) => (shop: DemoShop) => settle(shop, statuses)),
];

/** Waits for money until it is delivered or nobody wants it any more. */
export async function waiting({ api, draw, empty }: DemoShop, deliverBy: Date, cancel: boolean): Promise<void> {
  const order = { amount: 20_000, wallet_id: empty, phone: `+234803${draw.digits(7)}` };
  const later = { on_insufficient_funds: 'queue', deliver_by: deliverBy.toISOString() };
  const { id } = await api.post('/v4/airtime/purchase', { ...order, ...later });
  if (cancel) await api.post(`/v4/transactions/${id}/cancel`);
}
