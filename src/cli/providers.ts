import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { InvalidArgumentError } from 'commander';
import { NotFound } from '../core/errors/domain-error';
import { type Currency, decimalText, displayMoney, fromMajor } from '../core/money/money';
import type { Lifetime } from '../core/process/lifetime';
import {
  missingOf,
  networksOf,
  ProvidersService,
  type ProviderState,
} from '../modules/dashboard-api/providers.service';
import { type BookedFloat, FloatBookings, type StatementLine } from '../modules/purchases/float-bookings';
import { Floats } from '../providers/floats';
import { Journal } from '../providers/journal';
import { Registry } from '../providers/registry';
import { decodeId } from '../core/http/ids';
import { DukaCommand, type Report } from './commands';
import { asOperator, count, currency, minorUnits, minorUnitsOrNone, type Orderer, orderOf, reference } from './options';

interface FloatOptions extends Orderer {
  name: string;
  currency: Currency;
}

interface JournalOptions {
  transaction?: string;
  account?: string;
  company?: string;
  last: number;
}

export const providerCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('provider:list', lifetime)
    .description('list providers, gateways and issuers: settings, routes, calls of the last hour, and our money there')
    .does(async (session) => listed(await session.app())),

  named(new DukaCommand('provider:check', lifetime))
    .description('ask a live provider something harmless, and say what is wrong with its settings')
    .does<{ name: string }>(async (session, { name }) => {
      const app = await session.app();
      const known = app
        .get(Registry)
        .list()
        .filter((one) => one.name === name && one.mode === 'live');
      if (known.length === 0) throw new NotFound('provider', '/name');
      const missing = known.find(({ isRegistered }) => !isRegistered);
      const result = missing
        ? { isFine: false, says: `Its settings are missing: ${settingsOf(missing.settings).join(', ')}.` }
        : await app.get(Floats).check(name);
      await app.get(Journal).flush();
      return {
        text: `${name}: ${result.says}`,
        json: { provider: name, ok: result.isFine, says: result.says },
        failed: !result.isFine,
      };
    }),

  named(asOperator(new DukaCommand('provider:top-up', lifetime)))
    .description('book money that went from our bank to a live provider')
    .requiredOption('--currency <currency>', 'of our money there', currency)
    .requiredOption('--amount <minor>', 'in minor units (kobo, cents)', minorUnits)
    .option('--returned', 'it came back instead', false)
    .requiredOption('--reference <text>', 'names it: booked once, however often it is run', reference)
    .does<FloatOptions & { amount: bigint; returned: boolean; reference: string }>(async (session, options) => {
      const app = await session.app();
      const { name: provider, currency: of, reference: own, returned, amount, ...by } = options;
      requireLive(app.get(Registry), provider);
      const { name: person, reason } = await orderOf(app, by);
      const movement = { provider, currency: of, amount: returned ? -amount : amount, reference: own, person, reason };
      const isNew = await app.get(FloatBookings).move(movement);
      const inBooks = await app.get(FloatBookings).inBooks(provider, of);
      const json = { provider, currency: of, amount: movement.amount.toString(), reference: own, replayed: !isNew };
      const what = isNew ? 'Booked.' : 'It was booked before.';
      const text = `${what} By the books ${displayMoney({ amount: inBooks, currency: of })} are ours at ${provider}.`;
      return { text, json: { ...json, in_books: inBooks.toString() } };
    }),

  named(new DukaCommand('provider:floor', lifetime))
    .description('say below which balance a live provider is not asked to sell; 0: it always is')
    .requiredOption('--currency <currency>', 'of our money there', currency)
    .requiredOption('--floor <minor>', 'in minor units (kobo, cents)', minorUnitsOrNone)
    .does<FloatOptions & { floor: bigint }>(async (session, { name, currency: of, floor }) => {
      const app = await session.app();
      requireLive(app.get(Registry), name);
      await app.get(Floats).setFloor(name, of, floor === 0n ? null : floor);
      const text =
        floor === 0n
          ? `${name} is asked whatever our balance there is.`
          : `${name} does not sell while we have less than ${displayMoney({ amount: floor, currency: of })} there.`;
      return { text, json: { provider: name, currency: of, floor: floor === 0n ? null : floor.toString() } };
    }),

  new DukaCommand('provider:journal', lifetime)
    .description('show what was said to companies and what they answered, without secrets, for 90 days')
    .option('--transaction <id>', 'about this one (txn_…, pay_…, crd_…)')
    .option('--account <id>', 'whose it is (acct_…)')
    .option('--company <name>', 'with this company, the newest first')
    .option('--last <count>', 'so many of them', count(1, 999), 20)
    .does<JournalOptions>(async (session, options) => journal(await session.app(), options)),
];

export const reconciliationCommands = (lifetime: Lifetime): DukaCommand[] => [
  named(new DukaCommand('provider:reconcile', lifetime))
    .description("compare a provider's statement with the books, and open a difference for each that does not agree")
    .requiredOption('--file <csv>', 'with the columns reference and amount: what our money there went down by, decimal')
    .requiredOption('--currency <currency>', 'of the statement', currency)
    .requiredOption('--from <time>', 'of its first moment, such as 2030-01-31T00:00:00Z', time)
    .requiredOption('--to <time>', 'the moment after its last', time)
    .does<{ name: string; file: string; currency: Currency; from: Date; to: Date }>(async (session, options) => {
      const { name, currency: of, from, to } = options;
      const lines = linesOf(options.file, of);
      const app = await session.app();
      requireLive(app.get(Registry), name);
      const found = await app.get(FloatBookings).reconcile(name, of, { from, to, lines });
      const differences = found.differences.map((one) => ({ ...one, ours: `${one.ours}`, theirs: `${one.theirs}` }));
      const text = [
        ...found.differences.map((one) => differenceText(one)),
        `${found.agreed} agree, ${differences.length} do not.`,
      ].join('\n');
      return { text, json: { provider: name, agreed: found.agreed, differences }, failed: differences.length > 0 };
    }),

  new DukaCommand('provider:differences', lifetime)
    .description('list what statements and books say differently and nobody has explained')
    .option('--name <provider>', 'of this one')
    .does<{ name?: string }>(async (session, { name = null }: { name?: string | null }) => {
      const open = await (await session.app()).get(FloatBookings).listDifferences(name);
      const text = open.map((one) => `${one.id}  ${differenceText(one)}`).join('\n');
      const json = { differences: open.map((one) => ({ ...one, ours: `${one.ours}`, theirs: `${one.theirs}` })) };
      return { text: text || 'There is no difference.', json };
    }),

  asOperator(new DukaCommand('provider:explain', lifetime))
    .description('close a difference with the reason for it')
    .requiredOption('--difference <id>', 'as provider:differences shows it')
    .does<Orderer & { difference: string }>(async (session, { difference, ...by }) => {
      const app = await session.app();
      const { name: person, reason } = await orderOf(app, by);
      if (!(await app.get(FloatBookings).resolve(difference, person, reason)))
        throw new NotFound('difference', '/difference');
      return { text: 'Explained.', json: { id: difference, person, reason } };
    }),
];

const named = (command: DukaCommand): DukaCommand => command.requiredOption('--name <provider>', 'its name in routes');

function requireLive(registry: Registry, name: string): void {
  if (!registry.list().some((one) => one.name === name && one.mode === 'live')) throw new NotFound('provider', '/name');
}

const settingsOf = (settings: { readonly variables: readonly { readonly name: string }[] } | null): string[] =>
  settings?.variables.map(({ name }) => name) ?? [];

type App = Awaited<ReturnType<Parameters<Parameters<DukaCommand['does']>[0]>[0]['app']>>;

async function listed(app: App): Promise<Report> {
  const providers = await app.get(ProvidersService).list();
  return { text: providers.map(lineOf).join('\n'), json: { providers: providers.map(providerJson) } };
}

function lineOf(provider: ProviderState): string {
  const { product, name, mode, isRegistered, calls, unknown, floats } = provider;
  const networks = networksOf(provider);
  const money = floats.map(floatText).join(', ');
  return [
    product.padEnd(16),
    name.padEnd(16),
    mode,
    isRegistered ? 'ready' : `without ${missingOf(provider).join(', ')}`,
    networks.length > 0 ? `for ${networks.join(', ')}` : 'no route',
    `${calls} calls, ${unknown} unknown`,
    ...(money ? [money] : []),
  ].join('  ');
}

const providerJson = ({ isRegistered, settings, routes, lastAnswerAt, floats, ...facts }: ProviderState) => ({
  ...facts,
  registered: isRegistered,
  settings: settings.map(({ name, isSet }) => ({ name, set: isSet })),
  networks: routes.map(({ network, position, weight, enabled }) => ({ network, position, weight, enabled })),
  last_answer_at: lastAnswerAt,
  floats: floats.map((float) => ({
    currency: float.currency,
    balance: float.balance?.toString() ?? null,
    told_at: float.at,
    in_books: float.inBooks.toString(),
    floor: float.floor?.toString() ?? null,
    low: float.isLow,
    shown: floatText(float),
  })),
});

function floatText({ currency: of, balance, isLow, inBooks }: BookedFloat): string {
  const show = (amount: bigint) => displayMoney({ amount, currency: of });
  return `${balance === null ? 'not told' : show(balance)} (books: ${show(inBooks)})${isLow ? ' LOW' : ''}`;
}

async function journal(app: App, { transaction, account, company, last }: JournalOptions): Promise<Report> {
  const [kept, id] = [app.get(Journal), transaction === undefined ? null : uuidOf(transaction)];
  if ((id === null) === (company === undefined)) throw new InvalidArgumentError('It takes --transaction or --company.');
  if (id !== null && account === undefined) throw new InvalidArgumentError('--transaction needs --account.');
  const exchanges = id === null ? await kept.latest(company!, last) : await kept.about(decodeId('acct', account!)!, id);
  const text = exchanges
    .map(({ at, method, path, status, fault, durationMs, request, answer, company: with_, call }) =>
      [
        `${at.toISOString()}  ${with_}  ${call ?? ''}  ${method} ${path}  ${status ?? fault}  ${durationMs} ms`,
        ...(request === null ? [] : [`  > ${request}`]),
        ...(answer === null ? [] : [`  < ${answer}`]),
      ].join('\n'),
    )
    .join('\n');
  return { text: text || 'There is nothing in the journal.', json: { exchanges } };
}

function uuidOf(text: string): string {
  const id = (['txn', 'pay', 'crd', 'ref'] as const).map((prefix) => decodeId(prefix as 'txn', text)).find(Boolean);
  if (!id) throw new InvalidArgumentError('--transaction takes an id such as txn_….');
  return id;
}

function time(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It takes a time such as 2030-01-31T00:00:00Z.');
  return at;
}

/** Throws `InvalidArgumentError` with the line that cannot be read. */
function linesOf(file: string, of: Currency): StatementLine[] {
  const rows: Record<string, string>[] = parse(readFileSync(file), { columns: true, bom: true, trim: true });
  return rows.map(({ reference: name, amount = '' }, index) => {
    const isBack = amount.startsWith('-');
    const minor = fromMajor(isBack ? amount.slice(1) : amount, of);
    if (!name || minor === null)
      throw new InvalidArgumentError(`Line ${index + 2} of ${file} is not a reference and an amount such as 1234.50.`);
    return { reference: name, amount: isBack ? -minor : minor };
  });
}

const differenceText = ({
  kind,
  reference: name,
  transaction,
  ours,
  theirs,
  currency: of,
}: {
  kind: string;
  reference: string;
  transaction: string | null;
  ours: bigint;
  theirs: bigint;
  currency: Currency;
}): string =>
  `${kind.padEnd(16)}  ${name}  books ${decimalText({ amount: ours, currency: of })}, ` +
  `statement ${decimalText({ amount: theirs, currency: of })}${transaction === null ? '' : `, ${transaction}`}`;
