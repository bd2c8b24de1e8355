import type { Command } from 'commander';
import { print, type Session, sessionOf } from './command.js';
import { Refused, Usage } from './refusals.js';

type Duka = Session['duka'];
type Order = Parameters<Duka['airtime']['purchase']>[0];
type Completion = Parameters<Duka['sandbox']['completePayment']>[1]['status'];

const NAIRA = 250_000;
const DOLLARS = 5_000;
const FUNDS = 10_000_000;
/** Any number that no scenario is about is delivered to. */
const PHONE = '+2348031234567';
/** `+234 800 NNNN XYZ`: X is the delay, YZ the outcome. */
const [REFUSED, UNDER_WAY, SHORT] = ['+2348000000102', '+2348000000111', '+2348000000114'];
const HOLDER = {
  first_name: 'Ada',
  last_name: 'Obi',
  email: 'ada@example.com',
  phone: PHONE,
  date_of_birth: '1990-04-21',
  address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' },
  identity: { type: 'passport' as const, number: 'A01234567' },
};
const SHOP = { name: 'Corner Shop', mcc: '5411', country: 'NG' };

/** What a step leaves. */
interface Made {
  readonly id: string;
}

/** The oldest wallet that pays, made where there is none, with money in it. */
async function wallet(duka: Duka, currency: 'NGN' | 'USD' = 'NGN'): Promise<string> {
  const { data } = await duka.wallets.list({ currency, status: 'active', limit: 100 }).page();
  const found = data.at(-1) ?? (await duka.wallets.create({ currency }));
  if (found.balance.available < FUNDS / 2) await duka.sandbox.creditWallet(found.id, { amount: FUNDS });
  return found.id;
}

const newWallet = (duka: Duka): Promise<Made> => duka.wallets.create({ currency: 'NGN', label: 'duka trigger' });

async function buy(duka: Duka, phone: string, more: Partial<Order> = {}, wait = 1): Promise<Made> {
  const wallet_id = await wallet(duka);
  const bought = await duka.airtime.purchase(
    { wallet_id, phone, amount: NAIRA / 10, allow_duplicate: true, ...more },
    { wait },
  );
  return { id: bought.id! };
}

/** Half of a data plan came: what was delivered is for a person to say. */
async function buyShort(duka: Duka): Promise<Made> {
  const [plan] = (await duka.data.listPlans({ network: 'mtn', country: 'NG', limit: 1 }).page()).data;
  if (plan === undefined) throw new Refused('nothing_to_trigger', 'The service sells no data plans of MTN Nigeria.');
  const order = { wallet_id: await wallet(duka), phone: SHORT, plan_code: plan.plan_code, allow_duplicate: true };
  return { id: (await duka.data.purchase(order, { wait: 1 })).id! };
}

async function settle(duka: Duka, status: 'successful' | 'failed' | 'reversed'): Promise<Made> {
  const { id } = await buy(duka, status === 'reversed' ? PHONE : UNDER_WAY);
  return duka.sandbox.settleTransaction(id, { status });
}

async function cancelPurchase(duka: Duka): Promise<Made> {
  const { id: wallet_id } = await newWallet(duka);
  const deliver_by = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const { id } = await buy(duka, PHONE, { wallet_id, on_insufficient_funds: 'queue', deliver_by }, 0);
  return duka.transactions.cancel(id);
}

async function pay(duka: Duka, status: Completion): Promise<Made> {
  const { id } = (await duka.payments.create({ amount: NAIRA, currency: 'NGN', description: 'duka trigger' })) as Made;
  await duka.sandbox.completePayment(id, { status });
  return { id };
}

async function cancelPayment(duka: Duka): Promise<Made> {
  const { id } = (await duka.payments.create({ amount: NAIRA, currency: 'NGN' })) as Made;
  return duka.payments.cancel(id);
}

async function refund(duka: Duka): Promise<Made> {
  const { id } = await pay(duka, 'successful');
  return (await duka.payments.createRefund(id, { amount: NAIRA / 2 }, { wait: 5 })) as Made;
}

async function transfer(duka: Duka): Promise<Made> {
  const [from_wallet, { id: to_wallet }] = [await wallet(duka), await newWallet(duka)];
  return (await duka.wallets.transfer({ from_wallet, to_wallet, amount: NAIRA / 10, allow_duplicate: true })) as Made;
}

async function deposit(duka: Duka): Promise<Made> {
  const order = { wallet_id: await wallet(duka), kind: 'permanent' as const };
  const { id } = (await duka.virtualAccounts.create(order, { wait: 5 })) as Made;
  await duka.sandbox.depositIntoVirtualAccount(id, { amount: NAIRA });
  return { id };
}

async function card(duka: Duka): Promise<Made> {
  const order = {
    customer: HOLDER,
    currency: 'USD' as const,
    amount: DOLLARS,
    funding_wallet_id: await wallet(duka, 'USD'),
  };
  return (await duka.cards.issue({ ...order, allow_duplicate: true }, { wait: 5 })) as Made;
}

/** What is done with a card that is issued for it. */
async function withCard(duka: Duka, act: (id: string) => Promise<Made>): Promise<Made> {
  return act((await card(duka)).id);
}

const authorize = (duka: Duka, id: string): Promise<Made> =>
  duka.sandbox.simulateCardTransaction(id, {
    kind: 'authorization',
    amount: DOLLARS / 10,
    merchant: SHOP,
  }) as Promise<Made>;

async function afterAuthorization(duka: Duka, kind: 'clearing' | 'void'): Promise<Made> {
  const { id } = await card(duka);
  const { id: card_transaction_id } = await authorize(duka, id);
  return (await duka.sandbox.simulateCardTransaction(id, { kind, card_transaction_id })) as Made;
}

async function dispute(duka: Duka): Promise<Made> {
  const { id } = await afterAuthorization(duka, 'clearing');
  const order = { reason: 'not_received' as const, evidence: { text: 'It never came.' } };
  return (await duka.cardTransactions.createDispute(id, order, { wait: 5 })) as Made;
}

async function ofWallet(duka: Duka, act: (id: string) => Promise<Made>): Promise<Made> {
  return act((await newWallet(duka)).id);
}

/** By the event: what causes it. */
const CAUSES = new Map<string, (duka: Duka) => Promise<Made>>(
  Object.entries({
    'transaction.processing': (duka) => buy(duka, UNDER_WAY),
    'transaction.successful': (duka) => buy(duka, PHONE),
    'transaction.failed': (duka) => buy(duka, REFUSED),
    'transaction.reversed': (duka) => settle(duka, 'reversed'),
    'transaction.cancelled': cancelPurchase,
    'transaction.needs_review': buyShort,
    'transfer.successful': transfer,
    'payment.successful': (duka) => pay(duka, 'successful'),
    'payment.failed': (duka) => pay(duka, 'failed'),
    'payment.cancelled': cancelPayment,
    'payment.needs_review': (duka) => pay(duka, 'underpaid'),
    'refund.successful': refund,
    'deposit.received': deposit,
    'card.issued': card,
    'card.funded': (duka) => withCard(duka, async (id) => (await duka.cards.fund(id, { amount: DOLLARS })) as Made),
    'card.frozen': (duka) => withCard(duka, (id) => duka.cards.freeze(id)),
    'card.unfrozen': (duka) => withCard(duka, async (id) => (await duka.cards.freeze(id), duka.cards.unfreeze(id))),
    'card.terminated': (duka) => withCard(duka, (id) => duka.cards.terminate(id)),
    'card.transaction.authorized': (duka) => withCard(duka, (id) => authorize(duka, id)),
    'card.transaction.declined': (duka) =>
      withCard(
        duka,
        (id) =>
          duka.sandbox.simulateCardTransaction(id, {
            kind: 'decline',
            amount: DOLLARS / 10,
            merchant: SHOP,
          }) as Promise<Made>,
      ),
    'card.transaction.settled': (duka) => afterAuthorization(duka, 'clearing'),
    'card.transaction.voided': (duka) => afterAuthorization(duka, 'void'),
    'dispute.opened': dispute,
    'wallet.created': newWallet,
    'wallet.updated': (duka) => ofWallet(duka, (id) => duka.wallets.update(id, { label: 'duka trigger, changed' })),
    'wallet.credited': (duka) =>
      ofWallet(duka, async (id) => (await duka.sandbox.creditWallet(id, { amount: NAIRA }), { id })),
    'wallet.frozen': (duka) => ofWallet(duka, (id) => duka.wallets.freeze(id, { direction: 'debit' })),
    'wallet.unfrozen': (duka) =>
      ofWallet(duka, async (id) => (await duka.wallets.freeze(id, { direction: 'debit' }), duka.wallets.unfreeze(id))),
    'wallet.closed': (duka) => ofWallet(duka, (id) => duka.wallets.close(id)),
  } satisfies Record<string, (duka: Duka) => Promise<Made>>),
);

const TYPES = [...CAUSES.keys()];

async function trigger(types: readonly string[], session: Session): Promise<void> {
  if (types.length === 0) return print(session, { object: 'list', data: TYPES }, () => TYPES.join('\n'));
  const unknown = types.find((type) => !CAUSES.has(type));
  if (unknown !== undefined)
    throw new Usage(`${unknown} is nothing that can be triggered. duka trigger lists what can.`);
  if (session.access.isLive)
    throw new Refused('key_mode_mismatch', 'Events are triggered with test keys only: this one is live.');
  for (const type of types) {
    const { id } = await CAUSES.get(type)!(session.duka);
    print(session, { object: 'triggered', type, id }, () => `${type.padEnd(28)}  ${id}`);
  }
}

export function addTrigger(program: Command): void {
  const command = program
    .command('trigger')
    .description(
      'Make real events happen in the sandbox, by doing what causes them. Without a type: what can be triggered.',
    )
    .argument('[types...]', 'such as transaction.failed');
  command.action((types: string[]) => trigger(types, sessionOf(command)));
}
