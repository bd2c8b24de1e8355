import { DataSource } from 'typeorm';
import { verifyBooks } from '../../src/cli/books';
import { Env } from '../../src/core/config/env';
import type { Check, CheckOptions, CheckResult } from '../../src/core/database/checks';
import { dataSourceOptions } from '../../src/core/database/options';

/** What `verify:ledger` finds wrong in a database: the checks that fail. */
export async function brokenChecks(
  url: string,
  more: readonly Check[] = [],
  options: CheckOptions = {},
): Promise<CheckResult[]> {
  const env = Object.assign(new Env(), { DATABASE_URL: url, DATABASE_POOL_SIZE: 1 });
  const dataSource = await new DataSource(dataSourceOptions(env, 'owner')).initialize();
  try {
    return (await verifyBooks(dataSource, more, options)).filter(({ ok }) => !ok);
  } finally {
    await dataSource.destroy();
  }
}

/** As large tables are walked: here, by a few rows. */
export const IN_PIECES: CheckOptions = { pieceBytes: 4_096 };

/** For the end of every test file: all invariants of the ledger hold. */
export async function expectBooksToBalance(url: string, options: CheckOptions = {}): Promise<void> {
  expect(await brokenChecks(url, [], options)).toEqual([]);
}
