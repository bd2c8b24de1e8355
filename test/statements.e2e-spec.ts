import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import { DepositsService } from '../src/modules/wallets/deposits.service';
import { WalletsService } from '../src/modules/wallets/wallets.service';
import { CommandLine } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { setRate } from './support/rates';

const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
const NO_ORIGIN = { requestId: null, idempotencyKey: null };
const RUNNING = '+2348000001111';
const HALF = '+2348000000014';

let duka: Duka;
let shop: TestAccount;
let wallet: string;

/** Every kind of movement that a wallet knows, some of them not over yet. */
async function liveThrough(): Promise<void> {
  const { api } = shop;
  const [other, dollars] = [await api.wallet(500_000), await api.wallet(100_000, 'USD')];
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '1500' });
  const buy = (phone: string, amount = 10_000) =>
    api.post('/v4/airtime/purchase', { phone, amount, wallet_id: wallet, allow_duplicate: true });
  const settle = (id: string, status: string) => api.post(`/v4/sandbox/transactions/${id}/settle`, { status });
  for (let round = 0; round < 6; round++) {
    await api.transfer(wallet, other, 1_000 + round, { narration: `=rent ${round}` });
    await Promise.all([api.transfer(other, wallet, 70 + round), api.transfer(wallet, other, 7)]);
    const running = await buy(RUNNING);
    const delivered = await buy('+2348031234567', 20_000);
    await buy(HALF, 30_000);
    await settle(running.body.id, round % 2 === 0 ? 'successful' : 'failed');
    await settle(delivered.body.id, 'reversed');
    const { body: quote } = await api.post('/v4/quotes', {
      from_currency: 'USD',
      to_currency: 'NGN',
      amount: 100 + round,
    });
    await api.post('/v4/conversions', { quote_id: quote.id, from_wallet: dollars, to_wallet: wallet });
    const { body: back } = await api.post('/v4/quotes', {
      from_currency: 'NGN',
      to_currency: 'USD',
      amount: 90_000 + round,
    });
    await api.post('/v4/conversions', { quote_id: back.id, from_wallet: wallet, to_wallet: dollars });
    await buy(RUNNING, 5_000);
  }
}

beforeAll(async () => {
  duka = await Duka.start();
  shop = await duka.account('Ọlá & Sons');
  wallet = await shop.api.wallet(2_000_000);
  await liveThrough();
});
afterAll(() => duka.stop());

const statementOf = async (query: Record<string, string> = {}): Promise<any> => {
  const { status, body } = await shop.api.get(
    `/v4/wallets/${wallet}/statement?${new URLSearchParams(query).toString()}`,
  );
  expect(status).toBe(200);
  return body;
};

const file = async (query: Record<string, string>): Promise<Buffer> => {
  const response = await fetch(`${duka.url}/v4/wallets/${wallet}/statement?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${shop.key}` },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

/** Rows by the names of their columns, as a spreadsheet reads them. */
function csvOf(bytes: Buffer): Record<string, string>[] {
  const [names, ...rows] = bytes
    .subarray(3)
    .toString()
    .trim()
    .split('\n')
    .map((line) =>
      [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
      ),
    );
  return rows.map((row) => Object.fromEntries(names!.map((name, i) => [name, row[i]!])));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** As the documentation says that it is computed. */
const hashOf = ({ wallet_id, currency, from, to, opening, data, closing }: any): string =>
  createHash('sha256')
    .update(
      [
        [wallet_id, currency, from, to, opening],
        ...data.map((line: any) => [line.transaction_id, line.at, line.in, line.out, line.balance]),
        [closing],
      ]
        .map((values) => `${values.join('|')}\n`)
        .join(''),
    )
    .digest('hex');

/** Each line continues the one before, from the opening to the closing balance, and the hash is that of the lines. */
function expectCoherent(statement: any): void {
  let balance = statement.opening;
  for (const line of statement.data) {
    balance += line.in - line.out;
    expect([line.balance, line.in === 0 || line.out === 0, line.in + line.out > 0]).toEqual([balance, true, true]);
  }
  expect(statement.closing).toBe(balance);
  expect(statement.total_in).toBe(sum(statement.data.map((line: any) => line.in)));
  expect(statement.total_out).toBe(sum(statement.data.map((line: any) => line.out)));
  expect(statement.hash).toBe(hashOf(statement));
}

it('has a line for each transaction that moved money, and none for money that was held, or let go', async () => {
  const statement = await statementOf();
  expectCoherent(statement);
  expect(statement).toMatchObject({ object: 'statement', wallet_id: wallet, currency: 'NGN', opening: 0 });
  expect(statement.closing).toBe((await shop.api.balance(wallet)).ledger);
  const moved = (await shop.api.all(`/v4/transactions?wallet_id=${wallet}&limit=100`)).filter(({ status }) =>
    ['successful', 'reversed'].includes(status),
  );
  expect(moved.length).toBeGreaterThan(50);
  const amounts = (rows: any[], amountOf: (row: any) => number) =>
    rows.map((row) => `${row.transaction_id ?? row.id} ${amountOf(row)}`).sort();
  expect(amounts(statement.data, (line) => line.in - line.out)).toEqual(
    amounts(moved, ({ direction, total }) => (direction === 'credit' ? total : -total)),
  );
  expect(new Set(statement.data.map(({ type }: any) => type))).toEqual(
    new Set([
      'deposit',
      'transfer_out',
      'transfer_in',
      'airtime_purchase',
      'reversal',
      'conversion_in',
      'conversion_out',
    ]),
  );
});

it('opening and lines make the closing of whatever period is asked for', async () => {
  const whole = await statementOf();
  const times: number[] = whole.data.map(({ at }: any) => Date.parse(at));
  const [first, last] = [times[0]! - 5, times.at(-1)! + 5];
  const moment = () => first + Math.floor(Math.random() * (last - first));
  for (let i = 0; i < 220; i++) {
    // Half of the bounds are the very moments of lines, which is where off-by-ones live.
    const bound = () => (Math.random() < 0.5 ? moment() : times[Math.floor(Math.random() * times.length)]!);
    const [from, to] = [bound(), bound()].sort((a, b) => a - b) as [number, number];
    const part = await statementOf({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
    expectCoherent(part);
    expect(part.data).toEqual(whole.data.filter((_: unknown, at: number) => times[at]! >= from && times[at]! < to));
    expect(part.opening).toBe(whole.data.filter((_: unknown, at: number) => times[at]! < from).at(-1)?.balance ?? 0);
  }
});

it('says the same as CSV, in decimals, for the clocks of the account', async () => {
  const statement = await statementOf({ to: new Date().toISOString() });
  const query = { from: statement.from, to: statement.to, format: 'csv' };
  const bytes = await file(query);
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const rows = csvOf(bytes);
  const lines = rows.slice(1, -2);
  expect(lines).toHaveLength(statement.data.length);
  const minor = (text: string) => BigInt(text.replace('.', '') || 0);
  for (const [name, total] of [
    ['in', statement.total_in],
    ['out', statement.total_out],
  ] as const)
    expect(lines.reduce((all, row) => all + minor(row[name]!), 0n)).toBe(BigInt(total));
  expect(lines.map((row) => minor(row.balance!))).toEqual(statement.data.map(({ balance }: any) => BigInt(balance)));
  expect(rows.at(0)).toMatchObject({ description: 'Opening balance', balance: '0.00', currency: 'NGN' });
  expect(rows.at(-2)).toMatchObject({ description: 'Closing balance', in: '', out: '' });
  expect(minor(rows.at(-2)!.balance!)).toBe(BigInt(statement.closing));
  expect(rows.at(-1)).toMatchObject({ description: 'Control hash (SHA-256)', reference: statement.hash });
  const at = new Date(Date.parse(statement.data[0].at) + 3_600_000).toISOString();
  expect(lines[0]!.time).toBe(at.slice(0, 19).replace('T', ' '));
});

it('has balances below zero, where there is credit, as numbers', async () => {
  const owing = await shop.api.wallet(100);
  const line = CommandLine.on(duka.env.DATABASE_URL!);
  await line.duka('wallet:credit-limit', '--wallet', owing, '--limit', '5000');
  expect((await shop.api.transfer(owing, wallet, 1_300)).status).toBe(201);
  const { body } = await shop.api.get(`/v4/wallets/${owing}/statement`);
  expectCoherent(body);
  expect(body.closing).toBe(-1_200);
  const { body: text } = await shop.api.get(`/v4/wallets/${owing}/statement?format=csv`);
  expect(text).toMatch(/,,13\.00,-12\.00,NGN,txn_/);
});

it('is the same bytes twice, in each format', async () => {
  const to = new Date().toISOString();
  const once: Record<string, Buffer> = {};
  for (const format of ['json', 'csv', 'pdf']) once[format] = await file({ to, format });
  await shop.api.credit(wallet, 5_000);
  for (const format of ['json', 'csv', 'pdf']) expect((await file({ to, format })).equals(once[format]!)).toBe(true);
  expect(once.pdf!.subarray(0, 5).toString()).toBe('%PDF-');
  expect(once.pdf!.subarray(-6).toString()).toContain('%%EOF');
  expect((await statementOf({ from: to })).data).toMatchObject([{ type: 'deposit', in: 5_000 }]);
});

it('takes days of the account, the last one included', async () => {
  // Days begin at 23:00 UTC in Lagos.
  expect(await statementOf({ from: '2026-01-01', to: '2026-01-02' })).toMatchObject({
    time_zone: 'Africa/Lagos',
    from: '2025-12-31T23:00:00.000Z',
    to: '2026-01-02T23:00:00.000Z',
    opening: 0,
    closing: 0,
    data: [],
  });
});

it('follows a test clock that was moved, as everything else does', async () => {
  const other = await duka.account();
  const own = await other.api.wallet(1_000);
  await other.api.post('/v4/sandbox/clock/advance', { seconds: 30 * 86_400 });
  await other.api.credit(own, 500);
  const [late] = await other.api.all(`/v4/transactions?wallet_id=${own}`);
  const { body } = await other.api.get(`/v4/wallets/${own}/statement?from=${late.created_at.slice(0, 10)}T00:00:00Z`);
  expect(body).toMatchObject({ opening: 1_000, closing: 1_500, data: [{ transaction_id: late.id, in: 500 }] });
  expect(Math.abs(Date.parse(body.data[0].at) - Date.parse(late.created_at))).toBeLessThan(5_000);
  expectCoherent(body);
});

it.each([
  ['from=2026-02-30', '/from'],
  ['from=2026-01-02&to=2026-01-01', '/to'],
  ['to=tomorrow', '/to'],
  ['format=xls', '/format'],
])('refuses ?%s', async (query, param) => {
  const { status, body } = await shop.api.get(`/v4/wallets/${wallet}/statement?${query}`);
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.errors.map((error: any) => error.param)).toContain(param);
});

it('is for keys that may see transactions, of the account and mode of the wallet', async () => {
  const path = `/v4/wallets/${wallet}/statement`;
  const ask = async (wanted: object) =>
    (await duka.api(await duka.key({ accountId: shop.id, ...wanted })).get(path)).status;
  expect(await ask({ scopes: ['wallets:read'] })).toBe(403);
  expect(await ask({ scopes: ['transactions:read'] })).toBe(200);
  expect(await ask({ livemode: true })).toBe(404);
  expect((await (await duka.account()).api.get(path)).status).toBe(404);
});

it('a long statement is read in pieces, and what comes meanwhile is not in it', async () => {
  const other = await duka.account();
  const own = await other.api.wallet();
  await addDeposits(own, 5_000);
  const asked: number[] = [];
  const dataSource = duka.app.get(DataSource);
  const query = dataSource.query.bind(dataSource);
  const spy = jest.spyOn(dataSource, 'query').mockImplementation(async (...args: any[]) => {
    const rows: any = await (query as any)(...args);
    if (/ledger_entries/.test(args[0])) asked.push(rows.length);
    return rows;
  });
  const response = await fetch(`${duka.url}/v4/wallets/${own}/statement`, {
    headers: { authorization: `Bearer ${other.key}` },
  });
  const body: any = await response.json();
  spy.mockRestore();
  expect(body.data).toHaveLength(5_000);
  expectCoherent(body);
  expect(asked).toEqual([0, 1, ...Array.from({ length: 10 }, () => 500)]);
});

async function addDeposits(walletId: string, count: number): Promise<void> {
  const deposits = duka.get<DepositsService>(DepositsService);
  const owned = await duka.get<WalletsService>(WalletsService).findAny(decodeId('wal', walletId)!);
  for (let done = 0; done < count; done += 500) {
    const some = Array.from({ length: 500 }, (_, i) => ({
      wallet: owned!,
      amount: BigInt(1 + done + i),
      source: 'sandbox_source' as const,
      reference: null,
      metadata: {},
    }));
    await Promise.all(some.map((deposit) => deposits.deposit(deposit, NO_CLAIM, NO_ORIGIN)));
  }
}
