import { randomUUID } from 'node:crypto';
import type { Key } from '../src/core/http/caller';
import { decodeId } from '../src/core/http/ids';
import { BatchKinds } from '../src/modules/batches/batch-kinds';
import { BatchRun, Turn } from '../src/modules/batches/batch-run';
import { BatchStore } from '../src/modules/batches/batch-store';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import type { Api } from './support/api';
import { itemsOf, timesOf, topUps } from './support/batches';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

let duka: Duka;
/** A second process on the same database. */
let twin: Duka;
let api: Api;
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
  await api.credit((await api.get('/v4/wallets')).body.data[0].id, 100_000_000);
});

async function place(rows: number, name: string, more: object = {}) {
  const body = { kind: 'airtime', items: topUps(name, rows), ...more };
  const { body: batch } = await api.post('/v4/batches', body, { key: randomUUID() });
  return { id: batch.id as string, key: { accountId, livemode: false, id: decodeId('bat', batch.id)! } };
}

/** A turn of a process, whoever else has one: as when a lease ran out. */
const turn = (process: Duka, key: Key): Promise<Date | null> =>
  process.get<BatchRun>(BatchRun).turn(key, new Turn(new Date()));

async function untilEnded(key: Key, id: string, by: readonly Duka[]): Promise<any> {
  for (let turns = 0; turns < 50; turns++) {
    await Promise.all(by.map((process) => turn(process, key)));
    const { body } = await api.get(`/v4/batches/${id}`);
    if (body.completed_at !== null && body.counts.processing === 0) return body;
  }
  throw new Error('it did not end');
}

const once = (name: string, rows: number) => Object.fromEntries(topUps(name, rows).map((row) => [row.reference, 1]));

it('two processes at once carry each row out once', async () => {
  const { id, key } = await place(400, 'two');
  while ((await api.get(`/v4/batches/${id}`)).body.status === 'validating') await turn(duka, key);
  // A few rows at a time: whoever is first does not take all of them.
  for (const process of [duka, twin])
    jest.spyOn(process.get<LedgerService>(LedgerService), 'isUsedByOthers').mockResolvedValue(true);
  const [first, second] = [duka, twin].map((process) => process.get<BatchKinds>(BatchKinds));
  const real = [first!, second!].map((kinds) => kinds.carryOut.bind(kinds));
  const gate = Promise.withResolvers<void>();
  const calls = [
    jest.spyOn(first!, 'carryOut').mockImplementation(async (...args) => {
      await gate.promise;
      return real[0]!(...args);
    }),
    jest.spyOn(second!, 'carryOut').mockImplementation((...args) => {
      gate.resolve();
      return real[1]!(...args);
    }),
  ];
  const before = turn(duka, key);
  await until(() => calls[0]!.mock.calls.length > 0);
  const batch = await untilEnded(key, id, [twin]);
  await before;
  // Both took part, or this proves nothing.
  for (const each of calls) expect(each.mock.calls.length).toBeGreaterThan(0);
  jest.restoreAllMocks();
  expect(batch).toMatchObject({ status: 'completed', counts: { successful: 400 } });
  expect(await timesOf(api, 'airtime_purchase')).toEqual(once('two', 400));
});

it.each([
  ['before its rows are done', 'carryOut', 0],
  ['while half of its rows are done', 'carryOut', 8],
  ['when its rows are done and nobody was told', 'change', 0],
])('a process that dies %s leaves each row to the next one, once', async (when, method, after) => {
  const name = `dead${after}${method}`;
  const { id, key } = await place(40, name);
  await turn(duka, key); // validates
  const dead = new Promise<never>(() => undefined);
  let calls = 0;
  if (method === 'carryOut') {
    const kinds = duka.get<BatchKinds>(BatchKinds);
    const real = kinds.carryOut.bind(kinds);
    jest.spyOn(kinds, 'carryOut').mockImplementation((...args) => (calls++ < after ? real(...args) : dead));
  } else {
    const store = duka.get<BatchStore>(BatchStore);
    const real = store.change.bind(store);
    // The first notes what is due; the second would write what became of the rows.
    jest.spyOn(store, 'change').mockImplementation((...args) => (calls++ < 1 ? real(...args) : dead));
  }
  void turn(duka, key);
  let begun: any[] = [];
  while (begun.length === 0) begun = await itemsOf(api, id, '&status=processing');
  // What the dead one has paid, if anything, is paid before the other looks.
  const paid = when.startsWith('before') ? 0 : method === 'change' ? 40 : after;
  while (Object.keys(await timesOf(api, 'airtime_purchase')).length < paid);
  jest.restoreAllMocks();
  const batch = await untilEnded(key, id, [twin]);
  expect(batch).toMatchObject({ status: 'completed', counts: { successful: 40 } });
  expect(await timesOf(api, 'airtime_purchase')).toEqual(once(name, 40));
});

it('what was begun is finished after the batch was cancelled, and nothing else', async () => {
  const { id, key } = await place(100, 'gone');
  await turn(duka, key);
  // All would be begun at once if nobody else was there.
  jest.spyOn(duka.get<LedgerService>(LedgerService), 'isUsedByOthers').mockResolvedValue(true);
  jest.spyOn(duka.get<BatchKinds>(BatchKinds), 'carryOut').mockReturnValue(new Promise<never>(() => undefined));
  void turn(duka, key);
  while ((await itemsOf(api, id, '&status=processing')).length === 0);
  await api.post(`/v4/batches/${id}/cancel`);
  const begun: any[] = await itemsOf(api, id, '&status=processing');
  expect(begun.length).toBeLessThan(100);
  jest.restoreAllMocks();
  const batch = await untilEnded(key, id, [twin]);
  expect(batch).toMatchObject({
    status: 'cancelled',
    counts: { successful: begun.length, cancelled: 100 - begun.length },
  });
  expect(await timesOf(api, 'airtime_purchase')).toEqual(
    Object.fromEntries(begun.map(({ reference }) => [reference, 1])),
  );
});

it('what nobody can say is done again by the same claim, and is no failure', async () => {
  const { id, key } = await place(3, 'lost');
  await turn(duka, key);
  const kinds = duka.get<BatchKinds>(BatchKinds);
  const real = kinds.carryOut.bind(kinds);
  jest.spyOn(kinds, 'carryOut').mockImplementation(async (...args) => {
    await real(...args);
    throw new Error('the answer was lost');
  });
  for (let tries = 0; tries < 12; tries++) await turn(duka, key);
  expect((await api.get(`/v4/batches/${id}`)).body.counts).toMatchObject({ processing: 3, failed: 0 });
  jest.restoreAllMocks();
  expect(await untilEnded(key, id, [duka])).toMatchObject({ status: 'completed', counts: { successful: 3 } });
  expect(await timesOf(api, 'airtime_purchase')).toEqual(once('lost', 3));
});
