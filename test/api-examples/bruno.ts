import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error it has no types
import { bruToEnvJsonV2, bruToJsonV2, collectionBruToJson } from '@usebruno/lang';

/** What became of a request of the collection: null, or why it failed. */
export interface Ran {
  readonly name: string;
  readonly failure: string | null;
}

interface Pair {
  readonly name: string;
  readonly value: string;
  readonly enabled: boolean;
}

const pairs = (all: Pair[] = []): Pair[] => all.filter(({ enabled }) => enabled);

/**
 * Runs a Bruno collection from first to last, as far as it goes: files are read by Bruno's own parser, requests are sent
 * with their variables, and what a block `vars:post-response` takes of an answer is there for later ones.
 */
export async function runBruno(folder: string, given: Record<string, string>): Promise<Ran[]> {
  const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
  const { headers, auth } = collectionBruToJson(read('collection.bru'));
  const { variables } = bruToEnvJsonV2(read('environments', 'sandbox.bru'));
  const names = new Map<string, string>(variables.map(({ name, value }: Pair) => [name, value]));
  for (const [name, value] of Object.entries(given)) {
    if (!names.has(name)) throw new Error(`the environment has no ${name}`);
    names.set(name, value);
  }
  const requests = readdirSync(folder)
    .filter((file) => /^\d+-.*\.bru$/.test(file))
    .map((file) => bruToJsonV2(read(file)))
    .sort((one, other) => Number(one.meta.seq) - Number(other.meta.seq));
  const ran: Ran[] = [];
  for (const request of requests) ran.push(await runOne({ ...request, shared: { headers, auth } }, names));
  return ran;
}

async function runOne(
  { meta, http, headers, body, vars, assertions, shared }: any,
  names: Map<string, string>,
): Promise<Ran> {
  const filled = (text: string): string =>
    text.replace(/\{\{([^}]+)\}\}/g, (_, name: string) => {
      if (name === '$guid') return randomUUID();
      if (!names.has(name)) throw new Error(`${meta.name} uses ${name}, which nothing has made`);
      return names.get(name)!;
    });
  const own = [...pairs(shared.headers), ...pairs(headers)].map(({ name, value }) => [name, filled(value)]);
  if (http.auth === 'inherit') own.push(['authorization', `Bearer ${filled(shared.auth.bearer.token)}`]);
  const json = http.body === 'json' ? filled(body.json) : undefined;
  if (json !== undefined) own.push(['content-type', 'application/json']);
  const init = { method: http.method.toUpperCase(), headers: own as [string, string][], body: json };
  const answer = await fetch(filled(http.url), init);
  const text = await answer.text();
  const res = { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  for (const { name, value } of pairs(assertions)) {
    const [operator, expected] = value.split(' ');
    if (operator !== 'eq' || String(valueOf(name, res)) !== expected)
      return { name: meta.name, failure: `${name} is ${valueOf(name, res)}: ${text}` };
  }
  for (const { name, value } of pairs(vars?.res)) names.set(name, String(valueOf(value, res)));
  return { name: meta.name, failure: pairs(assertions).length > 0 ? null : 'it expects nothing' };
}

/** `res.body["data"][0]["id"]` */
const valueOf = (expression: string, res: object): any =>
  [...expression.matchAll(/\.(\w+)|\[("[^"]*"|\d+)\]/g)].reduce(
    (at: any, [, word, json]) => at?.[word ?? JSON.parse(json!)],
    res,
  );
