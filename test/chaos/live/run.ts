import { runProcess } from '../../../src/core/process/lifetime';
import { reckonBooks } from '../cards/book-reckoning';
import { Findings } from '../cards/findings';
import { conclude } from '../command-line';
import { reckonCards } from './card-reckoning';
import type { Desk } from './desks';
import { dumpOf, formsOf } from '../../support/secrets-kept';
import type { Market } from './market';
import { reckonPayments } from './payment-reckoning';
import { Play } from './play';
import { reckonOrders } from './reckoning';
import { SIZE } from './sizes';
import { openStage, type Stage } from './stage';
import { reckonStatements } from './statements';

const ERRORS_SHOWN = 10;

type Ends = ReadonlyMap<string, number>;

/** What was found. */
interface Reckoned {
  readonly findings: Findings;
  readonly ends: Readonly<Record<'orders' | 'payments' | 'cards', Ends>>;
  readonly differences: number;
}

// `npm run test:chaos:live`: whatever companies answer and whoever dies, each live order is paid and delivered once,
// each payment credited once, each card use settled once, and our money at each company is what the books say.
runProcess(async (lifetime) => {
  lifetime.graceSeconds = 60;
  const stage = await openStage(lifetime);
  const play = new Play(stage);
  const waiting = await play.run();
  const collapses = await stage.fleet.stop();
  const reckoned = await reckon(stage, play);
  const { logs } = stage.fleet.service;
  print(linesOf(stage, play, reckoned), logs.length);
  const faults = [...stage.wire.faults, ...play.callbacks.wrong].map(([what, times]) => `${times} × ${what}`);
  const wrong = [
    ...collapses,
    ...faults,
    ...reckoned.findings.wrong,
    ...waiting.map((what) => `${what} did not end`),
    ...unprovenBy(stage.market),
    ...(logs.length === 0 ? ['nothing was logged: this proves nothing of secrets'] : []),
  ];
  if (faults.length + waiting.length > 0) wrong.push(...logs.split('\n').filter(isError).slice(0, ERRORS_SHOWN));
  await conclude(lifetime, wrong, 'Everything was paid, delivered, credited and settled once, or not at all.');
});

async function reckon(stage: Stage, play: Play): Promise<Reckoned> {
  const { db, market, openings, purses, client } = stage;
  const { desks, gateways, stripe } = market;
  const { service } = stage.fleet;
  const { orders, payments, cards, events } = play;
  const findings = new Findings();
  const sides = { db, account: client.account };
  const ends = {
    orders: await reckonOrders({ ...sides, ...purses.orders, desks, orders, count: SIZE.orders }, findings),
    payments: await reckonPayments(
      { ...sides, ...purses.payments, gateways, payments, count: SIZE.payments },
      findings,
    ),
    cards: await reckonCards(
      { ...sides, ...purses.cards, stripe, events, cards, count: SIZE.cards, opening: openings.get('stripe')! },
      findings,
    ),
  };
  await reckonBooks(db, service.databaseUrl, findings);
  const differences = await reckonStatements({ service, desks, gateways, stripe, openings }, SIZE.planted, findings);
  const secrets = secretsOf(market, service.env.SECRETS_KEY!, client.key);
  for (const secret of secrets)
    if (service.logs.includes(secret)) findings.add('secrets', `${secret.slice(0, 4)}… in a log`);
  const dump = await dumpOf(async (statement) => (await db.query<Record<string, unknown>>(statement)).rows);
  for (const secret of secrets)
    if (formsOf(secret).some((form) => dump.some((table) => table.includes(form))))
      findings.add('secrets', `${secret.slice(0, 4)}… in the database`);
  return { findings, ends, differences };
}

/** Not that PostgreSQL was away. */
const isError = (line: string): boolean => line.startsWith('{"level":"error"') && !line.includes('service_unavailable');

const deliveriesOf = ({ sales }: Desk): number => sales.reduce((sum, { deliveries }) => sum + deliveries, 0);

/** Companies with which nothing happened. */
function unprovenBy({ desks, gateways, stripe }: Market): string[] {
  const idle = [
    ...desks.filter((desk) => deliveriesOf(desk) === 0).map(({ name }) => `${name} sold nothing`),
    ...gateways.filter(({ balance }) => balance === 0n).map(({ name }) => `nobody paid at ${name}`),
    ...gateways.filter(({ returned }) => returned.length === 0).map(({ name }) => `${name} gave nothing back`),
    ...(stripe.network.transactions.size === 0 ? ['no card was used'] : []),
  ];
  return idle.map((what) => `${what}: this proves nothing`);
}

/** What nobody may read. */
function secretsOf({ companies }: Market, secretsKey: string, key: string): string[] {
  const settings = companies.flatMap((company) => Object.entries(company.settings));
  const isSecret = (name: string): boolean => /KEY|SECRET/.test(name) && !name.includes('PUBLISHABLE');
  return [secretsKey, key, ...settings.flatMap(([name, value]) => (isSecret(name) ? [value] : []))];
}

type Lines = readonly (readonly [name: string, value: string | number])[];

const within = (counts: Ends): Lines => Array.from(counts, ([what, times]) => [`  ${what}`, times] as const);

function linesOf({ market, wire }: Stage, play: Play, { ends, differences }: Reckoned): Lines {
  const { desks, gateways, stripe } = market;
  const { orders, payments, cards, mischief, failures, callbacks, events, strikes } = play;
  return [
    ['orders', orders.begun],
    ...within(ends.orders),
    ['what companies did with them', ''],
    ...within(mischief.done),
    ...desks.map((desk) => [`delivered by ${desk.name}`, deliveriesOf(desk)] as const),
    ['payments', payments.begun],
    ...within(ends.payments),
    ['what became of them at gateways', ''],
    ...within(payments.done),
    ...gateways.map(({ name, returned }) => [`refunds made by ${name}`, returned.length] as const),
    ['cards', cards.begun],
    ...within(ends.cards),
    ['their authorizations', ''],
    ...within(cards.done),
    ['questions and events of Stripe', stripe.authorizations.size],
    ...within(events.done),
    ['requests to companies that failed', ''],
    ...within(failures.done),
    ['callbacks sent again', callbacks.repeated],
    ['callbacks of others', callbacks.forged],
    ['kills', strikes.done.length],
    ['requests sent again', wire.resent],
    ['requests that had taken effect before', wire.replayed],
    ...desks.map(({ name, balance }) => [`naira at ${name}, as in the books`, Number(balance) / 100] as const),
    ...gateways.map(
      ({ name, balance }) => [`naira collected by ${name}, as in the books`, Number(balance) / 100] as const,
    ),
    ['differences planted in statements, and found', differences],
  ];
}

function print(lines: Lines, logged: number): void {
  for (const [name, value] of [...lines, ['characters of logs without a secret', logged] as const])
    console.log(`${name.padEnd(58)}${String(value).padStart(10)}`);
}
