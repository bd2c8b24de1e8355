// What must be done in a fresh sandbox before each recorded call, so that an example runs as it stands: whoever reads it
// brings a key and a wallet, and everything else is made by calls that the example shows first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const API = join(import.meta.dirname, '..', 'docs', 'api');
const read = (file) => JSON.parse(readFileSync(join(API, file), 'utf8'));

export const openapi = read('openapi.json');
const recorded = withOtherIds(read('examples.json'));

const ID = /\b[a-z]{3,4}_01kabcdefghjkmnpqrstvwx\w{3}\b/g;
/** The wallet that the recorded calls opened first: the reader has one of their own. */
export const READERS_WALLET = recorded.find(({ operation }) => operation === 'create_wallet').answer.id;

/** What an operation needs beside the ids that it names: a state that another call brings about. */
const STATES = new Map(
  Object.entries({
    check_reference: ['buy_airtime'],
    resume_batch: ['pause_batch'],
    unfreeze_wallet: ['freeze_wallet'],
    unfreeze_card: ['freeze_card'],
    enable_webhook_endpoint: ['disable_webhook_endpoint'],
    list_webhook_deliveries: ['test_webhook_endpoint'],
    get_authorization_endpoint: ['put_authorization_endpoint'],
    delete_authorization_endpoint: ['put_authorization_endpoint'],
    create_refund: ['complete_sandbox_payment'],
    create_report_link: ['advance_sandbox_clock'],
    trigger_sandbox_event: ['buy_airtime'],
    list_events: ['credit_sandbox_wallet'],
    list_request_logs: ['transfer_between_wallets'],
  }),
);
/** Fields that name who pays. */
const PAYERS = ['wallet_id', 'from_wallet', 'funding_wallet_id'];

export const operations = new Map(
  Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { method: method.toUpperCase(), path, operation },
    ]),
  ),
);

/** An event that happened a moment ago may not be in the list yet; one that was ordered is there with its answer. */
function withOtherIds(calls) {
  const { id } = calls.find(({ operation }) => operation === 'trigger_sandbox_event').answer;
  return calls.map((call) => (call.operation === 'get_event' ? { ...call, path: { id } } : call));
}

function indexOf(operation) {
  const index = recorded.findIndex((call) => call.operation === operation && call.title === undefined);
  if (index === -1) throw new Error(`no example of ${operation} was recorded: npm run openapi:record`);
  return index;
}

const idsIn = ({ path, query, body }) => [...new Set(JSON.stringify([path, query, body]).match(ID) ?? [])];

/** Of the call whose answer tells an id first, and where in that answer it stands. */
function madeBy(id) {
  const index = recorded.findIndex(({ answer }) => (JSON.stringify(answer) ?? '').includes(id));
  const keys = whereIn(recorded[index].answer, id);
  const prefix = id.slice(0, id.indexOf('_'));
  // As `grep -o` sees it: its how manieth id of that kind.
  const nth =
    JSON.stringify(recorded[index].answer)
      .match(new RegExp(`"${prefix}_\\w+`, 'g'))
      .indexOf(`"${id}`) + 1;
  return { index, keys, prefix, nth };
}

function whereIn(value, id) {
  if (value === id) return [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const rest = whereIn(part, id);
    if (rest !== null) return [Array.isArray(value) ? Number(key) : key, ...rest];
  }
  return null;
}

function collect(index, needed) {
  if (needed.has(index)) return;
  const call = recorded[index];
  for (const id of idsIn(call)) if (id !== READERS_WALLET) collect(madeBy(id).index, needed);
  for (const operation of STATES.get(call.operation) ?? []) collect(indexOf(operation), needed);
  for (const payer of payersOf(call)) {
    const credit = recorded.findIndex(
      ({ operation, path }) => operation === 'credit_sandbox_wallet' && path.id === payer,
    );
    if (credit !== -1) collect(credit, needed);
  }
  needed.add(index);
}

function payersOf({ operation, body }) {
  // Cards take from a wallet as well as give to it; whoever is paid needs no money of their own.
  if (['create_payment', 'create_virtual_account', 'withdraw_from_card'].includes(operation)) return [];
  return [body ?? {}, ...(body?.items ?? [])].flatMap((part) => PAYERS.map((name) => part[name]).filter(Boolean));
}

const NAMES = {
  wal: 'wallet',
  trf: 'transfer',
  txn: 'transaction',
  qte: 'quote',
  cnv: 'conversion',
  whk: 'endpoint',
  val: 'validation',
  ben: 'beneficiary',
  bat: 'batch',
  cus: 'customer',
  crd: 'card',
  ctx: 'card_transaction',
  dsp: 'dispute',
  pay: 'payment',
  vac: 'account',
  dep: 'deposit',
  rfd: 'refund',
  dlv: 'delivery',
  evt: 'event',
  rpt: 'report',
  req: 'request',
};

/**
 * The calls of an operation's example in their order, the operation's own last. `keeps`: which ids of an answer later
 * calls use, as variables; `names`: the variable that stands for each id.
 */
export function exampleOf(operationId) {
  const needed = new Set();
  collect(indexOf(operationId), needed);
  const indexes = [...needed].sort((one, other) => one - other);
  const names = new Map([[READERS_WALLET, 'wallet']]);
  const keeps = new Map(indexes.map((index) => [index, []]));
  for (const id of indexes.flatMap((index) => idsIn(recorded[index]))) {
    if (names.has(id)) continue;
    const { index, keys, prefix, nth } = madeBy(id);
    const taken = [...names.values()].filter((name) => name.replace(/_\d+$/, '') === NAMES[prefix]).length;
    const name = taken === 0 ? NAMES[prefix] : `${NAMES[prefix]}_${taken + 1}`;
    names.set(id, name);
    keeps.get(index).push({ name, keys, prefix, nth });
  }
  const paths = JSON.stringify(indexes.map((index) => recorded[index].path));
  const calls = indexes.map((index) => callOf(recorded[index], { keeps: keeps.get(index), paths }));
  return { calls, names, usesWallet: indexes.some((index) => idsIn(recorded[index]).includes(READERS_WALLET)) };
}

function callOf(call, { keeps, paths }) {
  const { method, path, operation } = operations.get(call.operation);
  const query = Object.entries(call.query).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  );
  const target = path.replace(/\{(\w+)\}/g, (_, name) => call.path[name]);
  return {
    title: call.title ?? operation.summary,
    method,
    path: query.length > 0 ? `${target}?${query.join('&')}` : target,
    headers: call.headers,
    body: withoutReference(call.body, paths),
    answer: call.answer,
    keeps,
  };
}

/** A reference is for ever: with it, an example would run once. It stays where a later call asks by it. */
function withoutReference(body, paths) {
  if (!body?.reference || paths.includes(`"${body.reference}"`)) return body;
  const { reference: _, ...rest } = body;
  return rest;
}
