import { DataSource } from 'typeorm';
import { verifyBooks } from '../../src/cli/verify-books';
import { Env } from '../../src/core/config/env';
import type { Check, CheckResult } from '../../src/core/database/checks';
import { dataSourceOptions } from '../../src/core/database/options';

/** What `verify:ledger` finds wrong in a database: the checks that fail. */
export async function brokenChecks(url: string, more: readonly Check[] = []): Promise<CheckResult[]> {
  const env = Object.assign(new Env(), { DATABASE_URL: url, DATABASE_POOL_SIZE: 1 });
  const dataSource = await new DataSource(dataSourceOptions(env, 'owner')).initialize();
  try {
    return (await verifyBooks(dataSource, more)).filter(({ ok }) => !ok);
  } finally {
    await dataSource.destroy();
  }
}

/** For the end of every test file: all invariants of the ledger hold. */
export async function expectBooksToBalance(url: string): Promise<void> {
  expect(await brokenChecks(url)).toEqual([]);
}
