import { type Check, firstKept, inPieces } from '../../core/database/checks';
import { PRODUCTS, SOLD_PRODUCTS } from '../../vocabulary/products';

/** The type of each product's transactions. */
const SOLD = SOLD_PRODUCTS.map((product) => [product, PRODUCTS[product].transactions[0]] as const);
const TYPES = SOLD.map(([, type]) => `'${type}'`).join(', ');
const TYPE_OF = SOLD.map(([product, type]) => `WHEN '${product}' THEN '${type}'`).join(' ');

/** The first purchase whose attempts are all kept still. */
const KEPT = firstKept('purchase_attempts');

/** What must hold between purchases, their records, their attempts and the books. */
export const PURCHASE_CHECKS: readonly Check[] = [
  {
    name: 'purchases_debit_once_or_not_at_all',
    violations: inPieces(
      'ledger_entries',
      'transaction_id',
      (within) => `
      SELECT p.id AS transaction_id, t.status, p.total, e.available, e.held, r.amount AS reversed
        FROM purchases p JOIN transactions t USING (account_id, livemode, id)
        LEFT JOIN (
          SELECT account_id, transaction_id, coalesce(sum(amount) FILTER (WHERE bucket = 'available'), 0) AS available,
                 coalesce(sum(amount) FILTER (WHERE bucket = 'held'), 0) AS held
            FROM ledger_entries WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}
           GROUP BY account_id, transaction_id
        ) e ON e.account_id = p.account_id AND e.transaction_id = p.id
        LEFT JOIN transactions r ON r.account_id = t.account_id AND r.livemode = t.livemode
         AND r.id = t.reversed_by AND r.reverses = t.id AND r.type = 'reversal'
       WHERE ${within('p.id')} AND ((coalesce(e.available, 0), coalesce(e.held, 0)) IS DISTINCT FROM CASE
               WHEN t.status IN ('successful', 'reversed') THEN (-p.total::numeric, 0::numeric)
               WHEN t.status = 'processing' OR (t.status = 'pending' AND NOT p.queued)
                 THEN (-p.total::numeric, p.total::numeric)
               ELSE (0::numeric, 0::numeric) END
          OR (t.status = 'reversed') <> (r.id IS NOT NULL)
          OR r.amount <> p.total
          OR p.total <> t.amount + t.fee - t.commission)`,
    ),
  },
  {
    name: 'purchases_have_records',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT coalesce(p.id, t.id) AS transaction_id, t.type
        FROM (SELECT * FROM purchases WHERE ${within('id')}) p
        FULL JOIN (
          SELECT * FROM transactions
           WHERE type IN (${TYPES}) AND ${within('id')}
        ) t USING (account_id, livemode, id)
       WHERE t.type IS DISTINCT FROM CASE p.product ${TYPE_OF} END`,
    ),
  },
  {
    name: 'purchases_show_their_review',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT p.id AS transaction_id, t.needs_review, p.review
        FROM purchases p JOIN transactions t USING (account_id, livemode, id)
       WHERE ${within('p.id')} AND t.needs_review <> (p.review IS NOT NULL)`,
    ),
  },
  {
    // What is not final is somebody's to look at: nothing is forgotten.
    name: 'running_purchases_are_due',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT p.id AS transaction_id, t.status, p.queued, p.next_check_at
        FROM purchases p JOIN transactions t USING (account_id, livemode, id)
       WHERE ${within('p.id')} AND ((t.status IN ('pending', 'processing') AND p.next_check_at IS NULL)
          OR (p.queued AND t.status <> 'pending'))`,
    ),
  },
  {
    name: 'purchases_have_their_attempts',
    violations: inPieces(
      'purchase_attempts',
      'purchase_id',
      (within) => `
      SELECT p.id AS transaction_id, t.status, p.attempts, a.attempts AS stored, a.last_outcome
        FROM purchases p JOIN transactions t USING (account_id, livemode, id)
        LEFT JOIN (
          SELECT account_id, purchase_id, count(*) AS attempts, count(DISTINCT number) AS numbers,
                 (array_agg(outcome ORDER BY number DESC))[1] AS last_outcome,
                 count(*) FILTER (WHERE outcome = 'delivered') AS deliveries
            FROM purchase_attempts WHERE ${within('purchase_id')} GROUP BY account_id, purchase_id
        ) a ON a.account_id = p.account_id AND a.purchase_id = p.id
       WHERE ${within('p.id')} AND p.id >= ${KEPT}
         AND (coalesce(a.attempts, 0) <> p.attempts OR a.numbers <> a.attempts
          OR a.deliveries > 1 OR t.provider_attempts <> p.attempts
          OR (t.status IN ('successful', 'reversed') AND a.last_outcome IS DISTINCT FROM 'delivered')
          OR (t.status = 'failed' AND a.last_outcome IS DISTINCT FROM 'not_delivered'))`,
    ),
  },
  {
    name: 'purchases_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT p.id AS transaction_id, t.status, v.events
        FROM purchases p JOIN transactions t USING (account_id, livemode, id)
        LEFT JOIN (SELECT account_id, object_id, array_agg(type) AS events FROM events
                    WHERE object_type = 'txn' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = p.account_id AND v.object_id = p.id
       WHERE ${within('p.id')}
         AND cardinality(array_positions(coalesce(v.events, '{}'), 'transaction.' || t.status)) IS DISTINCT FROM
             CASE t.status WHEN 'pending' THEN 0 ELSE 1 END`,
    ),
  },
];
