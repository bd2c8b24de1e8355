import type { Client } from 'pg';
import { decodeId } from '../src/core/http/ids';
import { call } from './bank';
import type { Partner } from './service';

/** Evenly apart, the newest now. Only the lists read them, so they have no entries in the ledger. */
const INSERT = `
  INSERT INTO transactions (account_id, livemode, id, wallet_id, type, direction, status, amount, currency, recipient, details,
                            balance_before, balance_after, updated_at, completed_at)
  SELECT $1, false, uuidv7(make_interval(secs => (i - $3) * $5 / 1000.0)), $2, $4, CASE $4 WHEN 'deposit' THEN 'credit' ELSE 'debit' END, 'successful', 100, 'NGN',
         CASE $4 WHEN 'deposit' THEN NULL ELSE '+234803' || lpad(i::text, 7, '0') END, CASE $4 WHEN 'deposit' THEN NULL ELSE '{"network": "mtn", "network_source": "prefix"}'::jsonb END,
         i * 100, i * 100 + 100, now(), now()
  FROM generate_series(1::bigint, $3::bigint) AS i`;

export type HistoryType = 'deposit' | 'airtime_purchase';

/** How deep in the list pages are asked for: 0 is its beginning. */
const DEPTHS = [0, 0.1, 0.5, 0.9];

/** Gives an account as many transactions, and returns the pages of 20 to ask for, from all over its list. */
export async function writeHistory(
  client: Client,
  port: number,
  partner: Partner,
  { type, count, spacingMs = 1 }: { type: HistoryType; count: number; spacingMs?: number },
): Promise<string[]> {
  const begun = Date.now();
  await client.query(INSERT, [
    decodeId('acct', partner.accountId),
    decodeId('wal', partner.wallet),
    count,
    type,
    spacingMs,
  ]);
  await client.query('VACUUM ANALYZE transactions');
  const paths: string[] = [];
  for (const depth of DEPTHS) {
    const before = new Date(begun - depth * count * spacingMs).toISOString();
    const path = `/v4/transactions?limit=20${type === 'deposit' ? '' : `&type=${type}`}${depth > 0 ? `&created_lt=${before}` : ''}`;
    const { next_cursor: cursor } = await call<{ next_cursor: string | null }>(port, partner.key, path);
    if (cursor === null) throw new Error(`${path} has no second page`);
    paths.push(path, `${path}&cursor=${encodeURIComponent(cursor)}`);
  }
  return paths;
}
