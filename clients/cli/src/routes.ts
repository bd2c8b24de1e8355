import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { confirm, print, readInput, type Session, sessionOf, wholeNumber } from './command.js';
import { Usage } from './refusals.js';
import { camel, type Field, type Operation, OPERATIONS } from './table.js';

const WAIT_MAX = 30;
const MINOR = 'In minor units: 150000 is NGN 1,500.00.';

function minorUnits(text: string): number {
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new InvalidArgumentError('It takes a whole number of minor units (kobo, cents).');
  return Number(text);
}

function truth(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It takes true or false.');
  return text === 'true';
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It takes JSON.');
  }
}

function pair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It takes name=value.');
  return { ...before, [name]: value! };
}

type Parse = (text: string, before: unknown) => unknown;

const KINDS: Readonly<
  Record<Field['kind'], { readonly takes: string; readonly parse?: (text: string, before: never) => unknown }>
> = {
  text: { takes: '<text>' },
  integer: { takes: '<number>', parse: wholeNumber(0, Number.MAX_SAFE_INTEGER) },
  boolean: { takes: '[true|false]', parse: truth },
  list: { takes: '<a,b>', parse: (text) => text.split(',').map((part) => part.trim()) },
  pairs: { takes: '<name=value>', parse: pair },
  json: { takes: '<json>', parse: json },
};

const flagOf = ({ name }: Field): string => `--${name.replaceAll('_', '-')}`;

function optionOf(field: Field): Option {
  const { takes, parse } = KINDS[field.kind];
  const about = [field.required && 'Needed.', field.description, field.isAmount && MINOR].filter(Boolean).join(' ');
  const option = new Option(`${flagOf(field)} ${field.isAmount ? '<minor units>' : takes}`, about);
  if (field.isAmount) return option.argParser(minorUnits);
  return field.choices ? option.choices(field.choices) : parse ? option.argParser<unknown>(parse as Parse) : option;
}

type Values = Readonly<Record<string, unknown>>;

/** What was typed of some fields, by their names. */
const given = (fields: readonly Field[], typed: Values): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .map((field) => [field.name, typed[optionOf(field).attributeName()]])
      .filter(([, value]) => value !== undefined),
  ) as Record<string, unknown>;

function requireAll(fields: readonly Field[], have: Values): void {
  const missing = fields.filter(({ name, required }) => required && have[name] === undefined);
  if (missing.length > 0) throw new Usage(`Missing: ${missing.map(flagOf).join(', ')}. See --help.`);
}

/** `-d` as it stands, from a file (`@name`) or from stdin (`@-`). */
async function dataOf(text: string | undefined): Promise<Values> {
  if (text === undefined) return {};
  const content = text === '@-' ? await readInput() : text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  } catch {
    // Said below.
  }
  throw new Usage('-d takes a JSON object, @file or @-.');
}

async function bodyOf({ body, isBodyNeeded }: Operation, typed: Values): Promise<Values | undefined> {
  if (body === null) return undefined;
  const content = { ...(await dataOf(typed.data as string | undefined)), ...given(body, typed) };
  requireAll(body, content);
  return isBodyNeeded || Object.keys(content).length > 0 ? content : undefined;
}

const optionsOf = ({ dryRun, wait, idempotencyKey, scenario }: Values): object => ({
  ...(dryRun === true && { dryRun }),
  ...(wait !== undefined && { wait }),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
  ...(scenario !== undefined && { headers: { 'x-sandbox-scenario': scenario } }),
});

type Method = (...args: unknown[]) => Promise<unknown> & { page?: () => Promise<unknown> };

/** The client's method of an operation. */
function call(
  { duka }: Pick<Session, 'duka'>,
  { resource, name }: Operation,
  args: readonly unknown[],
): Promise<unknown> {
  const group = duka[camel(resource) as keyof typeof duka] as unknown as Record<string, Method>;
  const made = group[camel(name)]!(...args);
  return made.page ? made.page() : made;
}

async function run(operation: Operation, command: Command, path: readonly string[]): Promise<void> {
  const typed = command.opts<Values>();
  const query = given(operation.query, typed);
  requireAll(operation.query, query);
  const body = await bodyOf(operation, typed);
  const session = sessionOf(command);
  if (session.access.isLive && operation.method !== 'GET' && typed.dryRun !== true)
    await confirm(`This is live, with real money: ${operation.summary}.`, session);
  const sent = [...path, ...(operation.body ? [body] : []), ...(operation.takesQuery ? [query] : []), optionsOf(typed)];
  print(session, await call(session, operation, sent));
}

function addOperation(group: Command, operation: Operation): void {
  const { name, summary, method, path, query, body, canRunDry, canWait, canSteer } = operation;
  const command = group.command(name.join('-')).summary(summary).description(`${summary}.\n\n${method} ${path}`);
  for (const parameter of operation.pathParameters) command.argument(`<${parameter}>`);
  const fields = [...query, ...(body ?? [])].toSorted((one, other) => Number(other.required) - Number(one.required));
  for (const field of fields) command.addOption(optionOf(field));
  if (body) command.option('-d, --data <json>', 'the body, or what no option says of it: JSON, @file or @- (stdin)');
  if (canRunDry) command.option('--dry-run', 'check everything and say what would happen; nothing is written');
  if (canWait)
    command.option('--wait <seconds>', `wait for a final result, 0 to ${WAIT_MAX}`, wholeNumber(0, WAIT_MAX));
  if (canSteer) command.option('--scenario <text>', 'X-Sandbox-Scenario: what the sandbox does, with a test key');
  if (method !== 'GET') command.option('--idempotency-key <text>', 'your own; the same when you run it again');
  command.action((...all) => run(operation, command, all.slice(0, operation.pathParameters.length) as string[]));
}

/** Every route of the service: `duka wallets list`. */
export function addRoutes(program: Command): void {
  for (const [resource, operations] of Map.groupBy(OPERATIONS, (one) => one.resource.join('-'))) {
    const methods = operations.map(({ name }) => name.join('-')).join(', ');
    const group = program.command(resource).summary(methods).helpGroup('Routes:');
    for (const operation of operations) addOperation(group, operation);
  }
}
