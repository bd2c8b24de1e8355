import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Duka } from './support/duka';
import { FaultyWire } from './support/faulty-wire';
import { until } from './support/recurring-probe';

const GUIDE = readFileSync('docs/mcp.md', 'utf8');
const [, BUILD] = /^```sh run\n(.*?)^```$/ms.exec(GUIDE)!;
const { command, args } = JSON.parse(/^```json\n(.*?)^```$/ms.exec(GUIDE)![1]!).mcpServers.duka;
const AIRTIME = { phone: '+2348031234567', amount: 50_000 };

let duka: Duka;
let folder: string;
const opened: Client[] = [];

const run = (program: string, ...all: string[]) => promisify(execFile)(program, all, { cwd: folder });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duka-mcp-'));
  symlinkSync(process.cwd(), join(folder, 'duka'));
  await run('bash', '-euo', 'pipefail', '-c', BUILD!);
  duka = await Duka.start({ WORKER_IN_API: true });
});
afterAll(async () => {
  for (const client of opened) await client.close();
  await duka?.stop();
  rmSync(folder, { recursive: true });
});

interface Agent {
  readonly client: Client;
  readonly errors: string[];
  /** What a tool answers; with `failed` where it is an error. */
  readonly call: (name: string, given: object) => Promise<any>;
}

/** The server, started as the guide says, and somebody who speaks with it. */
async function agent(env: Record<string, string>, ...flags: string[]): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const own = { PATH: process.env.PATH!, ...env };
  const transport = new StdioClientTransport({
    command,
    args: [...args, ...flags],
    cwd: folder,
    env: own,
    stderr: 'pipe',
  });
  const errors: string[] = [];
  transport.stderr!.on('data', (chunk) => errors.push(String(chunk)));
  opened.push(client);
  await client.connect(transport);
  const call = async (name: string, given: any) => {
    const answer: any = await client.callTool({ name, arguments: given });
    expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent);
    return answer.isError ? { failed: answer.structuredContent } : answer.structuredContent;
  };
  return { client, errors, call };
}

async function funded(wire?: FaultyWire) {
  const { api, key } = await duka.account();
  const wallet = (await api.get('/v4/wallets')).body.data[0].id;
  await api.credit(wallet, 1_000_000);
  const own = await agent({ DUKA_KEY: key, DUKA_URL: wire?.url ?? duka.url });
  const available = async () => (await api.balance(wallet)).available;
  return { ...own, api, key, wallet, available };
}

it('lists what reads and what moves money, every one of which the guide names', async () => {
  const { client, key } = await funded();
  const { tools } = await client.listTools();
  const named = new Set([...GUIDE.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!));
  expect(tools.filter(({ name }) => !named.has(name))).toEqual([]);
  const money = tools.filter(({ annotations }) => !annotations!.readOnlyHint).map(({ name }) => name);
  expect(money.sort()).toEqual(
    'buy_airtime buy_data convert create_payout create_refund fund_card pay_bill transfer_between_wallets withdraw_from_card'.split(
      ' ',
    ),
  );
  for (const { name, inputSchema } of tools)
    expect([name, 'confirmation_token' in inputSchema.properties!]).toEqual([name, money.includes(name)]);
  expect(JSON.stringify(tools)).not.toMatch(/\$ref|dry_run/);
  expect(client.getInstructions()).toContain('minor units');
  expect(JSON.stringify([tools, client.getInstructions()])).not.toContain(key);
});

it('reads: one thing, a page of a list, and what happened to a transaction', async () => {
  const { call, api, wallet, key } = await funded();
  const { id } = (await api.post('/v4/airtime/purchase', AIRTIME)).body;
  const answers = {
    wallet: await call('get_wallet', { id: wallet }),
    list: await call('list_transactions', { type: 'airtime_purchase', limit: 1 }),
    timeline: await call('get_transaction_timeline', { id }),
    phone: await call('look_up_phone', { phone: AIRTIME.phone }),
    account: await call('get_account', {}),
  };
  expect(answers).toMatchObject({
    wallet: { id: wallet, currency: 'NGN' },
    list: { data: [{ id, amount: 50_000 }], has_more: false },
    timeline: { data: expect.arrayContaining([expect.objectContaining({ kind: 'transaction.created' })]) },
    phone: { network: 'mtn' },
    account: { object: 'account', mode: 'test' },
  });
  expect(JSON.stringify(answers)).not.toContain(key);
});

it('tells what the service refuses, and what it cannot ask it', async () => {
  const { call, available } = await funded();
  const failures = {
    missing: await call('get_wallet', { id: 'wal_01kabcdefghjkmnpqrstvwxyz0' }),
    without: await call('get_wallet', {}),
    empty: await call('get_wallet', { id: '' }),
    unknown: await call('buy_airtime', { ...AIRTIME, dry_run: false }),
    tool: await call('reveal_card', { id: 'crd_1' }),
    short: await call('buy_airtime', { ...AIRTIME, amount: 2_000_000 }),
  };
  expect(failures).toMatchObject({
    missing: { failed: { code: 'not_found', status: 404, retryable: false } },
    without: { failed: { code: 'missing_argument' } },
    empty: { failed: { code: 'invalid_argument' } },
    unknown: { failed: { code: 'unknown_argument' } },
    tool: { failed: { code: 'unknown_tool' } },
    short: { failed: { code: 'insufficient_funds', recovery: 'account_must_act' } },
  });
  expect(JSON.stringify(failures)).not.toContain('confirmation_token');
  expect(await available()).toBe(1_000_000);
});

describe('an order', () => {
  it('moves nothing at first, and once however often it is confirmed', async () => {
    const { call, api, available } = await funded();
    const before = await duka.totals();
    const { would, confirmation_token, expires_at } = await call('buy_airtime', AIRTIME);
    expect(would).toMatchObject({ id: null, amount: 50_000, ledger: expect.any(Array) });
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(290_000);
    expect(await duka.totals()).toEqual(before);

    const confirmed = { amount: AIRTIME.amount, confirmation_token, phone: AIRTIME.phone };
    const bought = await Promise.all([call('buy_airtime', confirmed), call('buy_airtime', confirmed)]);
    bought.push(await call('buy_airtime', confirmed));
    expect(bought.at(-1)).toMatchObject({ status: 'successful', amount: 50_000 });
    expect(await available()).toBe(1_000_000 - would.total);
    expect(await api.all('/v4/transactions?type=airtime_purchase')).toHaveLength(1);
  });

  it('is carried out once when its answer is lost', async () => {
    const wire = await FaultyWire.to(() => duka.url, ['pass', 'cut', 'half']);
    try {
      const { call, available, api, wallet } = await funded(wire);
      const given = { from_wallet: wallet, to_wallet: await api.wallet(), amount: 1_500 };
      const { confirmation_token } = await call('transfer_between_wallets', given);
      const answer = await call('transfer_between_wallets', { ...given, confirmation_token });
      expect(answer).toMatchObject({ status: 'successful', amount: 1_500 });
      const keys = wire.requests.slice(1).map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size, String(keys[0]).slice(0, 4)]).toEqual([3, 1, 'mcp-']);
      expect(await available()).toBe(998_500);
    } finally {
      await wire.close();
    }
  });

  it('is refused when it is another one than was confirmed', async () => {
    const { call, available } = await funded();
    const { confirmation_token } = await call('buy_airtime', AIRTIME);
    const others = [
      ['buy_airtime', { ...AIRTIME, amount: 50_001 }],
      ['buy_airtime', { ...AIRTIME, phone: '+2348031234568' }],
      ['buy_airtime', { ...AIRTIME, reference: 'mine' }],
      ['buy_airtime', AIRTIME, `${confirmation_token.slice(0, -1)}${confirmation_token.endsWith('A') ? 'B' : 'A'}`],
      ['buy_airtime', AIRTIME, confirmation_token.replace(/^\d/, (digit: string) => String((Number(digit) % 9) + 1))],
      ['buy_airtime', AIRTIME, ''],
      ['buy_data', { phone: AIRTIME.phone, plan_code: 'mtn-sme-1gb-1m' }],
    ] as const;
    for (const [tool, given, token = confirmation_token] of others)
      expect([given, await call(tool, { ...given, confirmation_token: token })]).toMatchObject([
        given,
        { failed: { code: 'confirmation_refused' } },
      ]);
    // Nor is it of another process.
    const other = await funded();
    expect(await other.call('buy_airtime', { ...AIRTIME, confirmation_token })).toMatchObject({
      failed: { code: 'confirmation_refused' },
    });
    expect([await available(), await other.available()]).toEqual([1_000_000, 1_000_000]);
  });

  it('is refused when it was confirmed too late', async () => {
    const { api, key, available } = await funded();
    const { call } = await agent({ DUKA_KEY: key, DUKA_URL: duka.url, DUKA_CONFIRM_SECONDS: '1' });
    const { confirmation_token, expires_at } = await call('buy_airtime', AIRTIME);
    await until(() => Date.now() > Date.parse(expires_at));
    expect(await call('buy_airtime', { ...AIRTIME, confirmation_token })).toEqual({
      failed: { code: 'confirmation_refused', message: 'Nothing has moved: the confirmation_token is expired.' },
    });
    expect(await available()).toBe(1_000_000);
    expect(await api.all('/v4/transactions?type=airtime_purchase')).toEqual([]);
  });
});

describe('its start', () => {
  const LIVE = { DUKA_KEY: 'sk_live_0123456789', DUKA_URL: 'http://127.0.0.1:9' };

  it.each([
    ['without a key', { DUKA_URL: LIVE.DUKA_URL }, [], 'DUKA_KEY must be an API key'],
    ['with a live key', LIVE, [], '--allow-live'],
    ['without an address', { DUKA_KEY: 'sk_test_1' }, [], 'DUKA_URL must be where the service is'],
    ['with a flag that there is not', LIVE, ['--allow'], 'it knows one flag'],
  ])('is refused %s', async (_, env, flags, why) => {
    const own = { cwd: folder, env: { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv };
    const ended = await promisify(execFile)(command, [...args, ...flags], own).catch((error) => error);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain(why);
    expect(ended.stderr).not.toContain(LIVE.DUKA_KEY);
  });

  it('takes a live key where that is wanted', async () => {
    const { client, errors } = await agent(LIVE, '--allow-live');
    expect((await client.listTools()).tools.length).toBeGreaterThan(50);
    expect(errors).toEqual([]);
  });

  it('its tools are those of the OpenAPI document as it is', async () => {
    await run(process.execPath, 'duka/clients/mcp/generate.mjs', '--check');
  });
});
