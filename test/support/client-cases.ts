import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Duka } from './duka';
import { FaultyWire } from './faulty-wire';

const TABLE = JSON.parse(readFileSync('clients/cases.json', 'utf8'));
export const CALLS: [string, any][] = TABLE.calls.map((one: any) => [one.name, one]);
export const WEBHOOKS: [string, any][] = TABLE.webhooks.cases.map((one: any) => [one.name, one]);

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const camelKeys = (fields: object): any =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]));

/** `$first.id` → what it stands for. */
function filled(value: any, names: Record<string, any>): any {
  if (typeof value === 'string' && value.startsWith('$'))
    return value
      .slice(1)
      .split('.')
      .reduce((at, field) => at[field], names);
  if (Array.isArray(value)) return value.map((one) => filled(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [filled(key, names), filled(one, names)]));
}

/** Goes through clients/cases.json with the TypeScript client. */
export class ClientCases {
  constructor(
    private readonly duka: Duka,
    /** The package. */
    private readonly client: any,
    /** Of clients/operations.mjs. */
    private readonly operations: any[],
  ) {}

  async run(one: any): Promise<void> {
    const { api, key } = await this.duka.account();
    const wallet = (await api.get('/v4/wallets')).body.data[0].id as string;
    await api.credit(wallet, 1_000_000);
    const names: any = { key, wallet, other: await api.wallet(), dollars: await api.wallet(0, 'USD') };
    const before = await this.duka.totals();
    const wire = await FaultyWire.to(() => this.duka.url, one.wire);
    try {
      const sdk = new this.client.Duka({ apiKey: key, baseUrl: wire.url, ...camelKeys(one.client ?? {}) });
      for (const step of one.steps) names[step.as] = await this.step(sdk, step, names);
      this.expectSent(one, wire);
    } finally {
      await wire.close();
    }
    if (one.writes_nothing) expect(await this.duka.totals()).toEqual(before);
    for (const [id, available] of Object.entries(filled(one.available ?? {}, names)))
      expect(await api.balance(id)).toMatchObject({ available });
  }

  private async step(sdk: any, step: any, names: any): Promise<any> {
    const {
      path = [],
      body,
      query,
      options: given = {},
      answers,
      items,
      ids_differ,
      page,
      fails,
    } = filled(step, names);
    const { resource, name, ...operation } = this.operations.find(({ id }) => id === step.call);
    const { abortAfterMs, ...options } = camelKeys(given);
    if (abortAfterMs) options.signal = AbortSignal.timeout(abortAfterMs);
    const sends = operation.body ? [body] : operation.query.length > 0 ? [query] : [];
    const call = () => sdk[camel(resource.join('_'))][camel(name.join('_'))](...path, ...sends, options);
    if (fails)
      return this.expectFailure(
        await Promise.resolve()
          .then(call)
          .then(unexpected, (error) => error),
        fails,
      );
    if (page) {
      const first = await call().page();
      expect(first).toMatchObject(page);
      return first;
    }
    if (items !== undefined) {
      const rows: any[] = [];
      for await (const row of call()) rows.push(row);
      expect(rows).toHaveLength(items);
      if (ids_differ) expect(new Set(rows.map(({ id }) => id)).size).toBe(items);
      return rows;
    }
    const answer = await call();
    expect(answer).toMatchObject(answers ?? {});
    return answer;
  }

  private expectFailure(error: any, { kind = 'api', ...fields }: any): void {
    const { DukaConnectionError, DukaError, DukaTimeoutError } = this.client;
    const kinds = [
      error instanceof DukaError && 'api',
      error instanceof DukaTimeoutError && 'timeout',
      error instanceof DukaConnectionError && !(error instanceof DukaTimeoutError) && 'connection',
      // The reason of the caller's signal.
      error.name === 'TimeoutError' && 'aborted',
    ];
    expect(kinds.filter(Boolean)).toEqual([kind]);
    expect(error).toMatchObject(camelKeys(fields));
  }

  private expectSent(one: any, { requests }: FaultyWire): void {
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    if (one.requests !== undefined) expect(requests).toHaveLength(one.requests);
    if (one.same_key) expect([new Set(keys).size, typeof keys[0]]).toEqual([1, 'string']);
    if (one.different_keys) expect(new Set(keys).size).toBe(keys.length);
    if (one.no_keys) expect(keys.filter(Boolean)).toEqual([]);
    if (one.sends) expect(requests[0]!.headers).toMatchObject(one.sends);
    if (one.last_path) expect(requests.at(-1)!.path).toBe(one.last_path);
    if (one.pause_ms_min) expect(requests[1]!.atMs - requests[0]!.atMs).toBeGreaterThanOrEqual(one.pause_ms_min - 5);
  }
}

function unexpected(value: unknown): never {
  throw new Error(`it did not fail: ${JSON.stringify(value)}`);
}

/** A message of the table, as it arrives, and the secrets that its receiver knows. */
export function messageOf({
  at,
  signed_by,
  known,
  changed,
  before = '',
}: any): [string, Record<string, string>, string[]] {
  const { secrets, body } = TABLE.webhooks;
  const timestamp = String(Math.floor(Date.now() / 1000) + at);
  const signatures = signed_by.map((name: string) => {
    const key = Buffer.from(secrets[name].slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')}`;
  });
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': before + signatures.join(' '),
  };
  return [changed ?? body, headers, known.map((name: string) => secrets[name])];
}
