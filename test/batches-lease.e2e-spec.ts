import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { Key } from '../src/core/http/caller';
import { decodeId } from '../src/core/http/ids';
import { BatchKinds } from '../src/modules/batches/batch-kinds';
import { BatchRun } from '../src/modules/batches/batch-run';
import { BatchStore } from '../src/modules/batches/batch-store';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import { Requeries } from '../src/providers/requeries';
import type { Api } from './support/api';
import { itemsOf, timesOf, topUps } from './support/batches';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

/** A third of it is more than a busy machine holds everything up for. */
const LEASE_MS = 3_000;
/** Of rows beside which others use the ledger: three carriers with three each. */
const AT_ONCE = 9;

let duka: Duka;
/** A second process on the same database. */
let twin: Duka;
let api: Api;
let wallet: string;
let accountId: string;

// No workers: what each process does is called by name.
beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
});
afterAll(async () => {
  await twin.stop();
  await duka.stop();
});

beforeEach(async () => {
  const account = await duka.account();
  api = account.api;
  accountId = decodeId('acct', account.id)!;
  wallet = (await api.get('/v4/wallets')).body.data[0].id;
  await api.credit(wallet, 100_000_000);
  for (const process of [duka, twin]) {
    process.get<BatchRun>(BatchRun).leaseMs = LEASE_MS;
    jest.spyOn(process.get<LedgerService>(LedgerService), 'isUsedByOthers').mockResolvedValue(true);
  }
});
afterEach(() => jest.restoreAllMocks());

const nextLook = async ({ id }: Key): Promise<Date | null> => {
  const [row] = await duka.get<DataSource>(DataSource).query('SELECT next_check_at FROM batches WHERE id = $1', [id]);
  return row.next_check_at;
};

/** What a worker does that is told that a batch is due; false: it is not. */
async function lookWhenDue(process: Duka, key: Key): Promise<boolean> {
  const at = await nextLook(key);
  if (at === null || at.getTime() > Date.now()) return false;
  const data = { table: 'batches', ...key, at: at.getTime() };
  await process.get<Requeries>(Requeries).process({ data } as Parameters<Requeries['process']>[0]);
  return true;
}

/** A batch that is validated and due, and not begun. */
async function placed(items: object[]): Promise<{ id: string; key: Key }> {
  const { body } = await api.post('/v4/batches', { kind: 'airtime', items }, { key: randomUUID() });
  const key = { accountId, livemode: false, id: decodeId('bat', body.id)! };
  // The look that has validated all rows begins none.
  await until(async () => {
    const isStill = (await api.get(`/v4/batches/${body.id}`)).body.status === 'validating';
    if (isStill) await lookWhenDue(duka, key);
    return !isStill;
  }, 30);
  return { id: body.id, key };
}

/** The rows of a process wait for a company that is slow, until the gate is opened. */
function slow(process: Duka): { calls: jest.SpyInstance; open: () => void } {
  const kinds = process.get<BatchKinds>(BatchKinds);
  const real = BatchKinds.prototype.carryOut.bind(kinds);
  const gate = Promise.withResolvers<void>();
  const calls = jest.spyOn(kinds, 'carryOut').mockImplementation(async (...args) => {
    await gate.promise;
    return real(...args);
  });
  return { calls, open: gate.resolve };
}

/** Begins a look, and leaves it under way. */
async function begun(process: Duka, key: Key, rows: number) {
  const company = slow(process);
  await until(async () => (await nextLook(key))!.getTime() <= Date.now());
  const looked = lookWhenDue(process, key);
  await until(() => company.calls.mock.calls.length === rows);
  return { ...company, looked: () => looked };
}

async function untilEnded(process: Duka, { id, key }: { id: string; key: Key }): Promise<any> {
  let body: any;
  await until(async () => {
    await lookWhenDue(process, key);
    ({ body } = await api.get(`/v4/batches/${id}`));
    return body.completed_at !== null && body.counts.processing === 0;
  }, 30);
  return body;
}

const triesOf = async ({ id }: Key): Promise<number[]> => {
  const rows = await duka.asOwner('SELECT DISTINCT tries FROM batch_items WHERE batch_id = $1', [id]);
  return rows.map(({ tries }) => tries as number);
};

const once = (rows: { reference: string }[]) => Object.fromEntries(rows.map(({ reference }) => [reference, 1]));

/** As when the process that has it was stopped, or cut off, for longer than its lease. */
const loseLease = ({ id }: Key) =>
  duka.asOwner(
    `UPDATE batches SET next_check_at = date_trunc('milliseconds', now()) - interval '1 second' WHERE id = $1`,
    [id],
  );

it('no other process carries out the rows of one whose chunk takes longer than its lease', async () => {
  const rows = topUps('long', 40);
  const batch = await placed(rows);
  const { key } = batch;
  const first = await begun(duka, key, 6);
  const other = jest.spyOn(twin.get<BatchKinds>(BatchKinds), 'carryOut');
  const leases = [(await nextLook(key))!.getTime()];
  await until(async () => {
    expect(await lookWhenDue(twin, key)).toBe(false);
    const at = (await nextLook(key))!.getTime();
    if (at !== leases.at(-1)) leases.push(at);
    return Date.now() > leases[0]! + LEASE_MS / 3;
  }, 30);
  expect(leases.length).toBeGreaterThan(2);
  expect(other).not.toHaveBeenCalled();
  first.open();
  await first.looked();
  expect(await untilEnded(twin, batch)).toMatchObject({ status: 'completed', counts: { successful: 40 } });
  expect(await timesOf(api, 'airtime_purchase')).toEqual(once(rows));
  // Nobody began one again.
  expect(await triesOf(key)).toEqual([1]);
});

it('whoever lost a batch begins no other row of it, and leaves its lease to who has it now', async () => {
  const rows = topUps('lost', 100);
  const batch = await placed(rows);
  const { key } = batch;
  twin.get<BatchRun>(BatchRun).leaseMs = 60_000;
  const first = await begun(duka, key, AT_ONCE);
  await loseLease(key);
  const second = await begun(twin, key, 3);
  const theirs = await nextLook(key);
  // It is not told, but finds out when it would renew its lease.
  const beats = jest.spyOn(duka.get<BatchStore>(BatchStore), 'change');
  await until(() => beats.mock.results.length > 0);
  await beats.mock.results[0]!.value;
  first.open();
  await first.looked();
  expect(first.calls).toHaveBeenCalledTimes(AT_ONCE);
  expect(await nextLook(key)).toEqual(theirs);
  second.open();
  await second.looked();
  expect(await untilEnded(twin, batch)).toMatchObject({ status: 'completed', counts: { successful: 100 } });
  expect(await timesOf(api, 'airtime_purchase')).toEqual(once(rows));
});

it('a row that was paid says so, also where another process was refused it meanwhile', async () => {
  const [row, later] = topUps('paid', 2);
  const rows = [row!, { ...later!, phone: '+2348000001111' }];
  const batch = await placed(rows);
  const { id, key } = batch;
  const first = await begun(duka, key, 2);
  await loseLease(key);
  const elsewhere = await api.wallet();
  const { available } = await api.balance(wallet);
  await api.transfer(wallet, elsewhere, available);
  await lookWhenDue(twin, key);
  await until(async () => (await api.get(`/v4/batches/${id}`)).body.status === 'completed');
  expect((await itemsOf(api, id)).map(({ status, failure }) => [status, failure.code])).toEqual([
    ['failed', 'insufficient_funds'],
    ['failed', 'insufficient_funds'],
  ]);
  await api.transfer(elsewhere, wallet, available);
  first.open();
  await first.looked();
  const [paid, running] = await itemsOf(api, id);
  expect(paid).toMatchObject({ status: 'successful', resource_id: expect.stringMatching(/^txn_/), failure: null });
  expect(running).toMatchObject({ status: 'processing', failure: null });
  const half = (await api.get(`/v4/batches/${id}`)).body;
  expect(half).toMatchObject({ counts: { successful: 1, processing: 1, failed: 0 }, totals: { amount: 20_000 } });
  await api.post(`/v4/sandbox/transactions/${running.resource_id}/settle`, { status: 'successful' });
  expect(await untilEnded(twin, batch)).toMatchObject({
    status: 'completed',
    counts: { successful: 2, failed: 0 },
    totals: { amount: 20_000 },
  });
  expect(await timesOf(api, 'airtime_purchase')).toEqual(once(rows));
});
