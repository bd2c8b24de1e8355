import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { verifyBooks } from '../../src/cli/books';
import { Env } from '../../src/core/config/env';
import type { Check, CheckOptions, CheckResult } from '../../src/core/database/checks';
import { dataSourceOptions } from '../../src/core/database/options';
import { decodeId } from '../../src/core/http/ids';
import { PLATFORM_ACCOUNT_ID } from '../../src/modules/ledger/posting';
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

/** All invariants of the ledger hold. */
export async function expectBooksToBalance(url: string, options: CheckOptions = {}): Promise<void> {
  expect(await brokenChecks(url, [], options)).toEqual([]);
}

const TABLES_OF_ACCOUNTS = `
  SELECT c.oid::regclass::text AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
    JOIN pg_attribute i ON i.attrelid = c.oid AND i.attname = 'id' AND i.atttypid = 'uuid'::regtype
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
     -- A request has its id before it is known who asks.
     AND c.relname NOT IN ('request_log', 'request_exchanges')`;

/** Each id of what belongs to an account is in the account's slot. */
export async function expectIdsInSlots(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(TABLES_OF_ACCOUNTS);
    const counts = tables.map(
      ({ name }) => `SELECT '${name}' AS name FROM ${name}
          WHERE account_id <> '${PLATFORM_ACCOUNT_ID}' AND right(id::text, 3) <> right(account_id::text, 3)`,
    );
    const { rows } = await client.query<{ name: string; count: number }>(
      `SELECT name, count(*)::integer AS count FROM (${counts.join(' UNION ALL ')}) t GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([]);
  } finally {
    await client.end();
  }
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
