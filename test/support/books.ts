import { DataSource } from 'typeorm';
import { verifyBooks } from '../../src/cli/books';
import { Env } from '../../src/core/config/env';
import type { Check, CheckOptions, CheckResult } from '../../src/core/database/checks';
import { dataSourceOptions } from '../../src/core/database/options';
import { decodeId } from '../../src/core/http/ids';
import type { Duka } from './duka';

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

/** What the postings of a transaction moved, account by account. */
export async function movedBy(duka: Duka, id: string): Promise<Record<string, number>> {
  const rows = await duka.asOwner(
    `SELECT split_part(a.name, ':', 1) || ' ' || a.currency || CASE e.bucket WHEN 'held' THEN ' held' ELSE '' END AS what,
            sum(e.amount)::integer AS sum
       FROM ledger_entries e JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
      WHERE e.posting_id IN (SELECT posting_id FROM ledger_entries WHERE transaction_id = $1) GROUP BY 1 ORDER BY 1`,
    [decodeId('txn', id)],
  );
  return Object.fromEntries(rows.map(({ what, sum }) => [what as string, sum as number]));
}
