import type { Pool } from 'pg';
import { brokenChecks } from '../../support/books';
import type { Findings, Kind } from './findings';

/** What does not stand still: `settle` waits for it. */
const OPEN = `
  SELECT 'card ' || c.id || ' ' || c.status AS what FROM cards c JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id
   WHERE c.status = 'pending' OR c.issuer_behind OR (c.status IN ('failed', 'terminated') AND a.status <> 'closed' AND a.held = 0)
  UNION ALL SELECT type || ' ' || id || ' ' || status FROM transactions WHERE status IN ('pending', 'processing')
  UNION ALL SELECT 'payment ' || id || ' ' || status FROM payments WHERE status IN ('pending', 'processing') AND review IS NULL
  UNION ALL SELECT 'deposit ' || id || ' ' || status FROM deposits WHERE status IN ('received', 'to_be_returned') AND review IS NULL
  UNION ALL SELECT 'batch ' || id || ' ' || status FROM batches WHERE completed_at IS NULL OR counts -> 'processing' <> '0'
  UNION ALL SELECT 'virtual account ' || id || ' ' || status FROM virtual_accounts WHERE status = 'pending'`;

const QUERIES: readonly (readonly [Kind, string])[] = [
  ['stuck', `SELECT 'card ' || id || ' ' || status AS what FROM cards WHERE status = 'pending'`],
  [
    'stuck',
    `SELECT type || ' ' || id || ' ' || status AS what FROM transactions WHERE status IN ('pending', 'processing') AND next_check_at IS NULL`,
  ],
  [
    'stuck',
    `SELECT 'payment ' || id AS what FROM payments WHERE status IN ('pending', 'processing') AND next_check_at IS NULL AND review IS NULL`,
  ],
  [
    'stuck',
    `SELECT 'deposit ' || id AS what FROM deposits WHERE status = 'received' AND next_check_at IS NULL AND review IS NULL`,
  ],
  // Money on a card that ended is on its way to a wallet.
  [
    'stuck',
    `
    SELECT 'card ' || c.id || ' has ' || a.available AS what FROM cards c JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id
     WHERE c.status IN ('failed', 'terminated') AND c.next_check_at IS NULL AND a.available + a.held > 0`,
  ],
  [
    'holds',
    `
    SELECT 'hold ' || h.id AS what FROM ledger_holds h LEFT JOIN card_transactions t ON t.account_id = h.account_id AND t.id = h.id
     WHERE h.amount - h.captured - h.released <> CASE WHEN t.status IN ('authorized', 'settled') THEN t.amount - (t.cleared - t.over) - t.released ELSE 0 END`,
  ],
  [
    'twice',
    `SELECT 'cards: ' || idempotency_key AS what FROM cards GROUP BY account_id, idempotency_key HAVING count(*) > 1`,
  ],
  [
    'twice',
    `SELECT 'card transactions: ' || idempotency_key AS what FROM card_transactions WHERE idempotency_key IS NOT NULL GROUP BY account_id, idempotency_key HAVING count(*) > 1`,
  ],
  [
    'twice',
    `SELECT 'deposits: ' || provider_reference AS what FROM deposits GROUP BY account_id, provider, provider_reference HAVING count(*) > 1`,
  ],
  [
    'twice',
    `SELECT 'payments: ' || idempotency_key AS what FROM payments GROUP BY account_id, idempotency_key HAVING count(*) > 1`,
  ],
  [
    'twice',
    `SELECT 'references: ' || reference AS what FROM (
       SELECT account_id, reference FROM transactions WHERE type IN ('airtime_purchase', 'payout')
       UNION ALL SELECT account_id, reference FROM transfers) made
      WHERE reference IS NOT NULL GROUP BY account_id, reference HAVING count(*) > 1`,
  ],
  [
    'twice',
    `SELECT 'reversals of ' || reverses AS what FROM transactions WHERE reverses IS NOT NULL GROUP BY account_id, reverses HAVING count(*) > 1`,
  ],
  [
    'events',
    `SELECT type || ' of ' || object_id || ': ' || count(*) AS what FROM events
      WHERE type IN ('transaction.successful', 'transaction.failed', 'transaction.reversed', 'deposit.received', 'deposit.returned', 'batch.completed')
      GROUP BY account_id, type, object_id HAVING count(*) > 1`,
  ],
];

export async function openThings(db: Pool): Promise<string[]> {
  return (await db.query<{ what: string }>(OPEN)).rows.map(({ what }) => what);
}

/** What no client sees: that nothing is forgotten, held or done twice, and that the books balance. */
export async function reckonBooks(db: Pool, databaseUrl: string, findings: Findings): Promise<void> {
  for (const [kind, query] of QUERIES) {
    for (const { what } of (await db.query<{ what: string }>(query)).rows) findings.add(kind, what);
  }
  for (const check of await brokenChecks(databaseUrl)) findings.add('books', JSON.stringify(check).slice(0, 500));
}
