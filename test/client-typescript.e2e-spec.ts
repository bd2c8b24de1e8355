import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS, ClientCases, messageOf, WEBHOOKS } from './support/client-cases';
import { ClientPackage } from './support/client-package';
import { Duka } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';
import { createEndpoint } from './support/webhooks';

let duka: Duka;
let installed: ClientPackage;
let client: any;
let cases: ClientCases;

beforeAll(async () => {
  installed = await ClientPackage.install();
  client = await installed.load();
  const { operationsOf } = await import(join(process.cwd(), 'clients/operations.mjs'));
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  cases = new ClientCases(duka, client, operationsOf(JSON.parse(readFileSync('docs/api/openapi.json', 'utf8'))));
}, 120_000);
afterAll(async () => {
  await duka?.stop();
  rmSync(installed.folder, { recursive: true });
});

describe('a call', () => {
  it.each(CALLS)('%s', (_, one) => cases.run(one));
});

describe('a webhook', () => {
  it.each(WEBHOOKS)('%s', async (_, one) => {
    const { reason, tolerance_seconds: toleranceSeconds } = one;
    const [body, headers, secrets] = messageOf(one);
    const forms = [headers, new Headers(headers), { ...headers, 'Webhook-Id': headers['webhook-id'] }];
    for (const [index, form] of forms.entries()) {
      const raw = index === 0 ? body : new TextEncoder().encode(body);
      const verified = client.verifyWebhook(raw, form, secrets.length > 1 ? secrets : secrets[0], { toleranceSeconds });
      if (reason) await expect(verified).rejects.toMatchObject({ name: 'WebhookVerificationError', reason });
      else await expect(verified).resolves.toEqual(JSON.parse(body));
    }
  });

  it('that the service delivers is verified, with either secret while one replaces the other', async () => {
    const account = await duka.account();
    const receiver = await Receiver.of(duka, account, { events: ['wallet.created'] });
    try {
      await account.api.wallet();
      await until(() => receiver.received.length === 1);
      const rotated = await account.api.post(`/v4/webhooks/${receiver.publicId}/rotate-secret`, {});
      await account.api.wallet();
      await until(() => receiver.received.length === 2);
      const [first, second] = receiver.received;
      const verify = ({ text, headers }: any, ...secrets: string[]) => client.verifyWebhook(text, headers, secrets);
      expect(await verify(first, receiver.secret)).toMatchObject({ type: 'wallet.created', id: first!.body.id });
      await expect(verify(first, rotated.body.secret)).rejects.toMatchObject({ reason: 'wrong_signature' });
      for (const secret of [receiver.secret, rotated.body.secret])
        expect(await verify(second, secret)).toMatchObject({ id: second!.body.id });
    } finally {
      await receiver.close();
    }
  });
});

it('events that are shuffled and repeated give the state that the service has', async () => {
  const { api, key } = await duka.account();
  const wallet = (await api.get('/v4/wallets')).body.data[0].id;
  await api.credit(wallet, 1_000_000);
  const sdk = new client.Duka({ apiKey: key, baseUrl: duka.url });
  const headers = { 'x-sandbox-scenario': 'outcome=timeout; then=delivered; delay=1m' };
  const bought: string[] = [];
  for (let i = 0; i < 8; i++) {
    const order = { phone: '+2348031234567', amount: 10_000 + i };
    bought.push((await sdk.airtime.purchase(order, { wait: 0, headers })).id);
  }
  await sdk.sandbox.advanceClock({ seconds: 120 });
  const states = () => Promise.all(bought.map((id) => sdk.transactions.get(id)));
  await until(async () => (await states()).every(({ status }: any) => status === 'successful'));
  const events: any[] = [];
  for await (const event of sdk.events.list({ type: 'transaction.*', limit: 5 })) events.push(event);
  expect(events.length).toBeGreaterThan(2 * bought.length);

  const order = new client.EventOrder();
  const copies = new Map<string, any>();
  let dropped = 0;
  for (let i = 0; i < 10_000; i++) {
    const event = i < events.length ? events[i] : events[Math.floor(Math.random() * events.length)];
    const { object } = event.data;
    const isNewer = client.isNewer(copies.get(object.id), event);
    expect(order.accept(event)).toBe(isNewer);
    expect(isNewer).toBe(object.version > (copies.get(object.id)?.version ?? 0));
    if (isNewer) copies.set(object.id, object);
    else dropped++;
  }
  expect(dropped).toBeGreaterThan(events.length);
  for (const state of await states()) {
    const { status, version } = state;
    expect(copies.get(state.id)).toMatchObject({ status, version });
  }
});

describe('the package', () => {
  const manifest = () =>
    JSON.parse(readFileSync(join(installed.folder, 'node_modules/@duka/client/package.json'), 'utf8'));
  const PROGRAMS = ['buy.ts', 'wait.ts', 'list.ts', 'receive.ts'];

  /** Of the guide, held to the types of the package and made into JavaScript. */
  async function compiled(): Promise<void> {
    for (const name of PROGRAMS) installed.write(name);
    // What must not compile.
    writeFileSync(
      join(installed.folder, 'wrong.ts'),
      `import { Duka, DukaError, type WebhookEvent } from '@duka/client';
       const duka = new Duka({ apiKey: '', baseUrl: '' });
       // @ts-expect-error amounts are numbers
       void duka.airtime.purchase({ phone: '', amount: '1' });
       // @ts-expect-error a dry run has no id
       export const id: string = (await duka.airtime.purchase({ phone: '', amount: 1 }, { dryRun: true })).id;
       // @ts-expect-error there is no such code
       DukaError.is(null, 'insufficient_fun');
       export const label = (event: WebhookEvent) => (event.type === 'wallet.credited' ? event.data.object.label : null);
       // @ts-expect-error a wallet has no phone
       export const phone = (event: WebhookEvent) => (event.type === 'wallet.credited' ? event.data.object.phone : null);`,
    );
    const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    const roots = ['--typeRoots', join(process.cwd(), 'node_modules/@types')];
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    await installed.run(process.execPath, [tsc, ...flags, ...roots, ...PROGRAMS, 'wrong.ts']);
  }

  /** This one, and the one that the machine has beside it. */
  async function nodes(): Promise<string[]> {
    const found = (await installed.run('bash', ['-c', 'which -a node || true'])).trim().split('\n');
    return [...new Set([process.execPath, ...found.filter((path) => !path.includes('node_modules'))])].filter(Boolean);
  }

  it('needs nothing, and has its types with it', async () => {
    expect(manifest().dependencies).toBeUndefined();
    const files = await installed.run('bash', ['-c', 'cd node_modules/@duka/client && find . -type f | sort']);
    expect(files).toContain('./dist/index.d.ts');
    expect(files).not.toMatch(/src|generate\.mjs|tsconfig/);
    expect(await installed.run('grep', ['-rhoE', "from '[^']*'", 'node_modules/@duka/client/dist'])).not.toMatch(
      /from '[^.]/,
    );
  });

  beforeAll(compiled);

  it('runs what its guide shows, on every Node there is', async () => {
    for (const node of await nodes()) {
      const account = await duka.account();
      await account.api.credit((await account.api.get('/v4/wallets')).body.data[0].id, 100_000);
      const env = { DUKA_KEY: account.key, DUKA_URL: duka.url };
      const run = (name: string) => installed.run(node, [name.replace('.ts', '.js')], env);
      expect(await run('buy.ts')).toBe('successful mtn\n');
      expect(await run('wait.ts')).toBe('null true\nsuccessful\n');
      const [spent, page] = (await run('list.ts')).split('\n');
      expect(Number(spent)).toBeGreaterThan(60_000);
      expect(page).toBe('1 false false');
    }
  });

  it('receives as its guide shows', async () => {
    const { api } = await duka.account();
    await api.credit((await api.get('/v4/wallets')).body.data[0].id, 100_000);
    const { id, secret } = await createEndpoint(api, { events: ['transaction.*'] });
    const [, old] = messageOf({ at: 0, signed_by: ['ours'], known: [] });
    const receiver = installed.start('receive.js', { PORT: '0', WEBHOOK_SECRET: secret });
    try {
      const url = `http://127.0.0.1:${(await receiver.next()).split(' ').at(-1)}/`;
      expect((await fetch(url, { method: 'POST', headers: old, body: '{}' })).status).toBe(400);
      await api.patch(`/v4/webhooks/${id}`, { url });
      await api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: 10_000 });
      expect(await receiver.next()).toBe('transaction.successful 10000');
    } finally {
      receiver.stop();
    }
  });

  it('is made from the OpenAPI document as it is', async () => {
    await installed.run(process.execPath, [join(process.cwd(), 'clients/typescript/generate.mjs'), '--check']);
  });
});
