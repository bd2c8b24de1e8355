import type { DemoOptions } from './demo';
import type { DemoApi } from './demo-api';
import type { Draw } from './demo-draw';
import { credit, type DemoShop } from './demo-sales';

/** The most that the sandbox gives at once. */
const GIFT = 1_000_000_000_000;
/** Twelve digits before the point. */
const FULLEST_GIFTS = 13;
const TILLS = 24;
const CARDS = 5;
/** As long as a label may be here: a browser has to break or cut it. */
const LABEL_LENGTH = 80;

/** Wallets, cards and an account at a bank, and the money that is needed for a month. */
export async function furnish(api: DemoApi, draw: Draw, { wallets: count }: DemoOptions): Promise<DemoShop> {
  const first = (await api.get('/v4/wallets')).body.data[0]!.id;
  await credit(api, first, GIFT);
  const more = await together(Math.min(TILLS, count - 4), async (i) => {
    const till = await open(api, 'NGN', i % 6 === 0 ? longLabel(`Lagos Island branch ${i}`) : `Till ${i}`);
    await credit(api, till, GIFT / 20);
    return till;
  });
  const tills = [first, ...more];
  const fullest = await open(api, 'NGN', longLabel('Settlement float of all branches in the south-west'));
  await together(FULLEST_GIFTS, (i) => credit(api, fullest, i === 0 ? GIFT - 98_765_432_101 : GIFT));
  const dollars = await open(api, 'USD', 'Dollars');
  await credit(api, dollars, 50_000_000);
  const empty = await open(api, 'NGN', 'Never funded');
  await together(count - tills.length - 3, async (i) => {
    const wallet = await open(api, i % 40 === 0 ? 'EUR' : 'NGN', i % 10 === 0 ? longLabel(`Shop ${i}`) : `Shop ${i}`);
    if (i % 3 === 0) await credit(api, wallet, (i + 1) * 31_700);
  });
  const cards: string[] = [];
  for (let i = 0; i < CARDS; i++) cards.push(await issue(api, dollars, i));
  const { id: virtualAccount } = await api.post('/v4/virtual-accounts', { wallet_id: first, kind: 'permanent' });
  return { api, draw, tills, dollars, empty, cards, virtualAccount };
}

const together = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

const longLabel = (text: string): string =>
  `${text} `.padEnd(LABEL_LENGTH, 'of the wholesale and retail group ').trim();

async function open(api: DemoApi, currency: string, label: string): Promise<string> {
  return (await api.post('/v4/wallets', { currency, label })).id;
}

const HOLDERS = ['Ada Obi', 'Bola Ade', 'Chidi Eze', 'Dayo Musa', 'Efe Ojo'];

async function issue(api: DemoApi, wallet: string, i: number): Promise<string> {
  const [first, last] = HOLDERS[i]!.split(' ');
  const customer = {
    first_name: first,
    last_name: last,
    email: `${first!.toLowerCase()}@demo.example`,
    phone: `+23480312345${10 + i}`,
    date_of_birth: '1990-04-21',
    address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' },
    identity: { type: 'passport', number: `A0123456${i}` },
  };
  const order = { customer, currency: 'USD', amount: 400_000, funding_wallet_id: wallet, label: `Adverts ${i + 1}` };
  return (await api.post('/v4/cards/issue', order)).id;
}
