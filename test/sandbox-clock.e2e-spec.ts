import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { AHEAD_MAX_MS, Clock, ClockTooFar, Rewinds } from '../src/core/clock/clock';
import { Env } from '../src/core/config/env';
import { clientConfig, dataSourceOptions } from '../src/core/database/options';
import { Pipeline } from '../src/core/database/pipeline';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { newId } from '../src/core/http/ids';
import { IdempotencyKeyReused } from '../src/core/idempotency/claims';
import { Idempotency } from '../src/core/idempotency/idempotency';
import { createTestDatabase, type TestDatabase } from './support/database';
import { until } from './support/recurring-probe';

const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
const HOUR_MS = 3_600_000;
const PROJECT = join(__dirname, '..');

let database: TestDatabase;
let dataSource: DataSource;
let reads: Pipeline;
let clock: Clock;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = Object.assign(new Env(), { DATABASE_URL: database.url });
  dataSource = await new DataSource(dataSourceOptions(env)).initialize();
  reads = new Pipeline(clientConfig(env));
  clock = newClock();
});

afterAll(async () => {
  await reads.end();
  await dataSource.destroy();
  await database.drop();
});

function newClock(): Clock {
  const unitOfWork = new UnitOfWork(dataSource);
  return new Clock(dataSource, unitOfWork, new Rewinds(), new Idempotency(unitOfWork, reads, dataSource));
}

const testOf = (accountId: string) => ({ accountId, livemode: false });

async function expectNow(accountId: string, aheadMs: number, livemode = false): Promise<void> {
  const before = Date.now() + aheadMs;
  const now = (await clock.now({ accountId, livemode })).getTime();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now() + aheadMs);
}

it('is the real time until a test moves it, and in live mode always', async () => {
  const [mine, other] = [newId(), newId()];
  await expectNow(mine, 0);
  expect(await clock.advance(mine, HOUR_MS, NO_CLAIM)).toBe(true);
  expect(await clock.advance(mine, 1, NO_CLAIM)).toBe(true);
  await expectNow(mine, HOUR_MS + 1);
  await expectNow(mine, 0, true);
  await expectNow(other, 0);
});

it('adds up what is asked for at the same time', async () => {
  const mine = newId();
  await Promise.all(Array.from({ length: 20 }, () => clock.advance(mine, 1_000, NO_CLAIM)));
  expect(await clock.offsetMs(testOf(mine))).toBe(20_000);
});

it('moves once for a request that is repeated', async () => {
  const mine = newId();
  const [once, other] = [
    { key: 'k-1', fingerprint: randomBytes(32) },
    { key: 'k-2', fingerprint: randomBytes(32) },
  ];
  const moved = await Promise.all([1, 2, 3].map(() => clock.advance(mine, 1_000, once)));
  expect(moved.filter(Boolean)).toHaveLength(1);
  await expect(clock.advance(mine, 2_000, { ...other, key: 'k-1' })).rejects.toThrow(IdempotencyKeyReused);
  expect(await clock.offsetMs(testOf(mine))).toBe(1_000);
  expect(await clock.advance(mine, 1_000, other)).toBe(true);
  expect(await clock.offsetMs(testOf(mine))).toBe(2_000);
  expect(await clock.advance(mine, 1_000, once)).toBe(false);
  await clock.reset(mine);
  expect(await clock.advance(mine, 1_000, other)).toBe(false);
  expect(await clock.offsetMs(testOf(mine))).toBe(0);
});

it('goes a hundred years ahead at most', async () => {
  const mine = newId();
  await clock.advance(mine, AHEAD_MAX_MS - 1, NO_CLAIM);
  await expect(clock.advance(mine, 2, NO_CLAIM)).rejects.toThrow(ClockTooFar);
  await expect(clock.advance(mine, 2, { ...NO_CLAIM, key: 'k' })).rejects.toThrow(ClockTooFar);
  expect(await clock.offsetMs(testOf(mine))).toBe(AHEAD_MAX_MS - 1);
  expect(await clock.advance(mine, 1, NO_CLAIM)).toBe(true);
});

it('reads its row once for all who ask at once, and not for a second after', async () => {
  const mine = testOf(newId());
  const query = jest.spyOn(dataSource, 'query');
  await Promise.all(Array.from({ length: 50 }, () => clock.now(mine)));
  await clock.now(mine);
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
});

it('asks again after a failure', async () => {
  const mine = testOf(newId());
  const query = jest.spyOn(dataSource, 'query').mockRejectedValueOnce(new Error('away'));
  await expect(clock.now(mine)).rejects.toThrow('away');
  query.mockRestore();
  await expect(clock.offsetMs(mine)).resolves.toBe(0);
});

it('is moved for every process, after a moment', async () => {
  const mine = newId();
  const twin = newClock();
  expect(await twin.offsetMs(testOf(mine))).toBe(0);
  await clock.advance(mine, HOUR_MS, NO_CLAIM);
  await until(async () => (await twin.offsetMs(testOf(mine))) > 0, 30);
  expect(await twin.offsetMs(testOf(mine))).toBe(HOUR_MS);
});

it('is moved at once for whoever asks what all processes agree on', async () => {
  const mine = newId();
  const twin = newClock();
  expect(await twin.offsetMs(testOf(mine))).toBe(0);
  await clock.advance(mine, HOUR_MS, NO_CLAIM);
  const before = Date.now();
  expect((await twin.agreedNow(testOf(mine))).getTime()).toBeGreaterThanOrEqual(before + HOUR_MS);
  expect(await twin.offsetMs(testOf(mine))).toBe(HOUR_MS);
});

it('is asked so by all that plays the other side', () => {
  const sources = globSync('src/modules/**/sandbox*/**/*.ts', { cwd: PROJECT }).concat(
    globSync('src/modules/**/sandbox*.ts', { cwd: PROJECT }),
  );
  const asking = (call: string) => sources.filter((file) => readFileSync(join(PROJECT, file), 'utf8').includes(call));
  expect(asking('clock.agreedNow(').length).toBeGreaterThan(5);
  expect(asking('clock.now(')).toEqual([]);
});
