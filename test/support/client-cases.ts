import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, Message, Tried } from './client-runner';
import type { Duka } from './duka';
import { FaultyWire } from './faulty-wire';
import { Receiver } from './receiver';
import { until } from './recurring-probe';
import { shuffledWithRepeats } from './shuffled';

const TABLE = JSON.parse(readFileSync('clients/cases.json', 'utf8'));
const CALLS: [string, any][] = TABLE.calls.map((one: any) => [one.name, one]);
const WEBHOOKS: [string, any][] = TABLE.webhooks.cases.map((one: any) => [one.name, one]);

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

const UNTYPED = Symbol();

/** Goes through clients/cases.json with a client of some language. */
class ClientCases {
  constructor(
    private readonly duka: Duka,
    private readonly client: Tried,
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
      const settings = { api_key: key, base_url: wire.url, ...one.client };
      for (const step of one.steps) {
        const told = await this.step(settings, filled(step, names), one.untyped);
        if (told === UNTYPED) return;
        names[step.as] = told;
      }
      this.expectSent(one, wire);
    } finally {
      await wire.close();
    }
    if (one.writes_nothing) expect(await this.duka.totals()).toEqual(before);
    for (const [id, available] of Object.entries(filled(one.available ?? {}, names)))
      expect(await api.balance(id)).toMatchObject({ available });
  }

  private async step(client: Call['client'], step: any, isUntyped?: boolean): Promise<any> {
    const { path = [], body = null, query = null, options = {}, answers, items, ids_differ, page, fails } = step;
    const { resource, name, ...operation } = this.operations.find(({ id }) => id === step.call);
    const sends = operation.body ? [body] : operation.query.length > 0 ? [query] : [];
    const told = await this.client.call({
      client,
      resource: resource.join('_'),
      name: name.join('_'),
      arguments: [...path, ...sends],
      options,
      take: page ? 'page' : items === undefined ? 'answer' : 'items',
    });
    if (isUntyped && 'failed' in told && told.failed.kind === 'untyped') return UNTYPED;
    if (fails) return expect(told).toMatchObject({ failed: { kind: 'api', ...fails } });
    if ('failed' in told) throw new Error(`it failed: ${JSON.stringify(told.failed)}`);
    const { got } = told;
    if (items === undefined) expect(got).toMatchObject(page ?? answers ?? {});
    else expect(got).toHaveLength(items);
    if (ids_differ) expect(new Set(got.map(({ id }: any) => id)).size).toBe(items);
    return got;
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

/** A message of the table, as it arrives, and the secrets that its receiver knows. */
export function messageOf({ at, signed_by, known, changed, before = '', tolerance_seconds }: any): Message {
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
  return { body: changed ?? body, headers, secrets: known.map((name: string) => secrets[name]), tolerance_seconds };
}

/** What every client is held to, whatever its language, as tests of their own. */
export function expectClient(client: () => Tried, duka: () => Duka): void {
  let operations: any[];

  beforeAll(async () => {
    const { operationsOf } = await import(join(process.cwd(), 'clients/operations.mjs'));
    operations = operationsOf(JSON.parse(readFileSync('docs/api/openapi.json', 'utf8')));
  });

  it.each(CALLS)('a call: %s', (_, one) => new ClientCases(duka(), client(), operations).run(one));

  it.each(WEBHOOKS)('a webhook: %s', async (_, one) => {
    const message = messageOf(one);
    const told = one.reason ? { failed: { reason: one.reason } } : { got: JSON.parse(message.body) };
    expect(await client().verify(message)).toMatchObject(told);
  });

  it('a webhook that the service delivers, with either secret while one replaces the other', async () => {
    const account = await duka().account();
    const receiver = await Receiver.of(duka(), account, { events: ['wallet.created'] });
    try {
      await account.api.wallet();
      await until(() => receiver.received.length === 1);
      const rotated = await account.api.post(`/v4/webhooks/${receiver.publicId}/rotate-secret`, {});
      await account.api.wallet();
      await until(() => receiver.received.length === 2);
      const [first, second] = receiver.received;
      const verify = ({ text, headers }: any, ...secrets: string[]) =>
        client().verify({ body: text, headers, secrets });
      expect(await verify(first, receiver.secret)).toMatchObject({
        got: { type: 'wallet.created', id: first!.body.id },
      });
      expect(await verify(first, rotated.body.secret)).toMatchObject({ failed: { reason: 'wrong_signature' } });
      for (const secret of [receiver.secret, rotated.body.secret])
        expect(await verify(second, secret)).toMatchObject({ got: { id: second!.body.id } });
    } finally {
      await receiver.close();
    }
  });

  it('events that are shuffled and repeated give the state that the service has', async () => {
    const { api } = await duka().account();
    await api.credit((await api.get('/v4/wallets')).body.data[0].id, 1_000_000);
    const headers = { prefer: 'wait=0', 'x-sandbox-scenario': 'outcome=timeout; then=delivered; delay=1m' };
    for (let i = 0; i < 8; i++)
      await api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: 10_000 + i }, { headers });
    await api.post('/v4/sandbox/clock/advance', { seconds: 120 });
    const states = () => api.all('/v4/transactions?type=airtime_purchase');
    await until(async () => (await states()).every(({ status }) => status === 'successful'));
    const events = await api.all('/v4/events?type=transaction.*');
    expect(events.length).toBeGreaterThan(2 * 8);

    const sequence = shuffledWithRepeats(events.length, 10_000);
    const told: any = await client().order(events, sequence);
    const copies = new Map<string, any>();
    const expected = sequence.map((at) => {
      const { object } = events[at].data;
      const isNewer = object.version > (copies.get(object.id)?.version ?? 0);
      if (isNewer) copies.set(object.id, object);
      return [isNewer, isNewer];
    });
    expect(told.got).toEqual(expected);
    for (const { id, status, version } of await states()) expect(copies.get(id)).toMatchObject({ status, version });
  });
}
