import type { Pool } from 'pg';
import { decodeId, encodeId } from '../../../src/core/http/ids';
import type { Findings } from '../cards/findings';
import { count } from '../cards/wire';
import type { Desk } from './desks';
import { keyOf, type Orders } from './orders';

interface Attempt {
  readonly id: string;
  readonly provider: string;
  readonly outcome: string;
}

interface Row {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  readonly total: string;
  readonly needs_review: boolean;
  readonly moved: string;
  /** In order. */
  readonly attempts: readonly Attempt[];
}

/** `moved`: what left the wallet for it, and came back by its reversal. */
const ROWS = `
  SELECT t.id, p.idempotency_key AS key, t.status, p.total, t.needs_review,
         (SELECT coalesce(-sum(e.amount), 0) FROM ledger_entries e
           WHERE e.account_id = p.account_id AND e.transaction_id IN (t.id, t.reversed_by)) AS moved,
         (SELECT coalesce(json_agg(json_build_object('id', a.id, 'provider', a.provider, 'outcome', a.outcome) ORDER BY a.number), '[]')
            FROM purchase_attempts a WHERE a.account_id = p.account_id AND a.purchase_id = p.id) AS attempts
    FROM purchases p JOIN transactions t USING (account_id, livemode, id) WHERE p.livemode`;
const WALLET = `SELECT available, held FROM ledger_accounts WHERE account_id = $1 AND id = $2`;
const PLATFORM = `
  SELECT coalesce(-sum(e.amount), 0) AS sum FROM ledger_entries e
    JOIN ledger_accounts a ON a.account_id = e.account_id AND a.id = e.ledger_account_id
   WHERE a.name = $1 AND a.currency = $2 AND a.livemode`;

export interface Sides {
  readonly db: Pool;
  readonly desks: readonly Desk[];
  readonly orders: Orders;
  readonly count: number;
  readonly account: string;
  readonly wallet: string;
  readonly funds: bigint;
}

/** Compares what clients were told, what the database has, and what the companies did. Returns how orders ended. */
export async function reckonOrders(sides: Sides, findings: Findings): Promise<Map<string, number>> {
  const { db, orders } = sides;
  const { rows } = await db.query<Row>(ROWS);
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const ends = new Map<string, number>();
  for (let index = 0; index < sides.count; index++) {
    const made = byKey.get(keyOf(index)) ?? [];
    byKey.delete(keyOf(index));
    const told = orders.told.get(index);
    if (told !== undefined && decodeId('txn', told) !== made[0]?.id) findings.add('lost', `${keyOf(index)}: ${told}`);
    if (made.length > 1) findings.add('twice', `${keyOf(index)}: ${made.length} purchases`);
  }
  for (const key of byKey.keys()) findings.add('unasked', key);
  reckonDeliveries(rows, sides.desks, findings);
  for (const row of rows) {
    count(ends, row.status);
    if (row.status === 'successful' && row.attempts.length > 1) count(ends, 'successful at a company asked later');
    const total = row.status === 'successful' ? row.total : '0';
    findings.compare('wallets', encodeId('txn', row.id), { told: total, found: row.moved });
    if (row.needs_review) findings.add('transactions', `${encodeId('txn', row.id)} needs a person`);
  }
  await reckonMoney(sides, rows, findings);
  return ends;
}

/** One delivery at all companies together where the money stayed, by whom the last attempt says; else none. */
function reckonDeliveries(rows: readonly Row[], desks: readonly Desk[], findings: Findings): void {
  const sales = desks.flatMap(({ name, sales: all }) => all.map((sale) => ({ ...sale, by: name })));
  const byReference = Map.groupBy(sales, ({ reference }) => reference);
  for (const { id, status, attempts } of rows) {
    const own = attempts.flatMap((attempt) => byReference.get(attempt.id) ?? []);
    for (const attempt of attempts) byReference.delete(attempt.id);
    const delivered = own.flatMap(({ deliveries, by, reference }) =>
      Array.from({ length: deliveries }, () => `${by} ${reference}`),
    );
    const last = attempts.at(-1);
    findings.compare('deliveries', `${encodeId('txn', id)} is ${status}, ${JSON.stringify(attempts)}`, {
      told: status === 'successful' ? [`${last?.provider} ${last?.id}`] : [],
      found: delivered,
    });
  }
  for (const [reference, [sale]] of byReference) findings.add('unasked', `${reference} at ${sale!.by}`);
}

async function reckonMoney(
  { db, desks, account, wallet, funds }: Sides,
  rows: readonly Row[],
  findings: Findings,
): Promise<void> {
  const spent = rows
    .filter(({ status }) => status === 'successful')
    .reduce((sum, { total }) => sum + BigInt(total), 0n);
  const [told, has] = [[`${funds - spent}`, '0'], await balanceOf(db, account, wallet)];
  findings.compare('wallets', 'available and held', { told, found: has });
  for (const { name, balance } of desks) {
    const inBooks = await platformSum(db, `provider_float:${name}`, 'NGN');
    findings.compare('floats', name, { told: `${balance}`, found: inBooks });
  }
}

/** Available and held. */
export async function balanceOf(db: Pool, account: string, wallet: string): Promise<string[] | undefined> {
  const { rows } = await db.query<{ available: string; held: string }>(WALLET, [account, decodeId('wal', wallet)]);
  return rows.map(({ available, held }) => [available, held])[0];
}

/** What others owe us by the books. */
export async function platformSum(db: Pool, name: string, currency: string): Promise<string> {
  return (await db.query<{ sum: string }>(PLATFORM, [name, currency])).rows[0]!.sum;
}
