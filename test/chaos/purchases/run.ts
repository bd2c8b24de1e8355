import { randomInt } from 'node:crypto';
import { runProcess } from '../../../src/core/process/lifetime';
import { conclude } from '../command-line';
import { AccountTime } from './account-time';
import { Clients } from './clients';
import { Plan } from './deeds';
import { Fleet } from './fleet';
import { Operator } from './operator';
import { amountOf, PAYOUT_FEE } from './orders';
import { Pace } from './pace';
import { Reckoning } from './reckoning';
import { Report } from './report';
import { Strikes } from './strikes';

/** The whole run, and `--short` for CI. `paceMs`: how long the orders take to come in; `rounds`: kills of APIs in each moment. */
const SIZES = {
  long: { orders: 2_000, paceMs: 80_000, rounds: 2 },
  short: { orders: 120, paceMs: 9_000, rounds: 1 },
} as const;

// `npm run test:chaos:purchases`: whatever the operator answers and whoever dies, each order is paid and sold once, or not at all.
runProcess(async (lifetime) => {
  const size = SIZES[process.argv.includes('--short') ? 'short' : 'long'];
  const seed = seedOf(process.argv);
  console.log(`${size.orders} purchases; --seed ${seed} has the operator misbehave alike`);
  const plan = new Plan(size.orders, seed);
  const operator = await Operator.start(lifetime, plan);
  const fleet = await Fleet.start(lifetime, operator);
  const funds = await fund(fleet, size.orders);
  const pace = new Pace(size.orders, size.paceMs);
  const clients = new Clients(fleet, size.orders, pace);
  const time = new AccountTime(fleet, operator);
  const strikes = new Strikes({ fleet, clients, time }, size.rounds);
  time.start();
  const killing = strikes.run(size.orders).finally(() => (pace.areKillsOver = true));
  await Promise.all([clients.run(), killing]);
  const open = await time.finish();
  await clients.remind();
  const balance = await balanceOf(fleet);
  operator.hangUp();
  const collapses = await fleet.stop();
  const books = await Reckoning.of(fleet, clients, operator.book, size.orders);
  const report = new Report({ plan, operator, clients, strikes, time, books });
  report.print();
  const wrong = [
    ...collapses,
    ...strikes.wrong,
    ...report.wrong,
    ...wrongBalance(books, funds, balance),
    ...(open > 0 ? [`${open} purchases did not end`] : []),
  ];
  await conclude(lifetime, wrong, 'Every purchase was paid and sold once, or not at all.', ` (--seed ${seed})`);
});

function seedOf(argv: readonly string[]): number {
  const position = argv.indexOf('--seed');
  return position < 0 ? randomInt(1_000_000) : Number(argv[position + 1]);
}

async function fund(fleet: Fleet, orders: number): Promise<{ wallet: string; amount: number }> {
  const wallet = (await walletOf(fleet)).id;
  const amount = (amountOf(orders) + PAYOUT_FEE) * orders;
  const response = await fleet.request(fleet.apis[0]!, `/v4/sandbox/wallets/${wallet}/credit`, { body: { amount } });
  if (!response.ok) throw new Error(`no money came: ${response.status} ${await response.text()}`);
  return { wallet, amount };
}

interface Wallet {
  readonly id: string;
  readonly balance: { readonly available: number; readonly held: number };
}

async function walletOf({ apis, key }: Fleet): Promise<Wallet> {
  const response = await fetch(`${apis[0]!.url}/v4/wallets`, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { data: Wallet[] }).data[0]!;
}

const balanceOf = async (fleet: Fleet): Promise<Wallet['balance']> => (await walletOf(fleet)).balance;

/** What the account sees is what is left after the successful purchases. */
function wrongBalance(
  { rows }: Reckoning,
  { amount }: { amount: number },
  { available, held }: Wallet['balance'],
): string[] {
  const spent = rows.filter(({ status }) => status === 'successful').reduce((sum, { total }) => sum + Number(total), 0);
  return available === amount - spent && held === 0
    ? []
    : [`the wallet shows ${available} and ${held} held; ${amount - spent} are left`];
}
