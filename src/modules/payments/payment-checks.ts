import { type Check, inPieces } from '../../core/database/checks';
import { referencesAreClaimedOnce } from '../../core/idempotency/claims';
import { REFUND_CHECKS } from './refunds/refund-checks';

/** Of `payments p`: what the credited wallet got, in which currency. */
const NET = `CASE WHEN p.resolution IS DISTINCT FROM 'accept_received' THEN p.amount - p.fee
                  WHEN p.currency_received = p.currency THEN p.amount_received - p.fee ELSE p.amount_received END`;
const CURRENCY = `CASE WHEN p.resolution = 'accept_received' THEN p.currency_received ELSE p.currency END`;
const WALLET = `coalesce(p.credit_wallet_id, p.wallet_id)`;

/** What must hold between payments, their records and the books. */
export const PAYMENT_CHECKS: readonly Check[] = [
  {
    name: 'payments_credit_once_or_not_at_all',
    violations: inPieces(
      'ledger_entries',
      'transaction_id',
      (within) => `
      SELECT p.id AS payment_id, t.payment_id AS told, p.status, p.amount, p.fee,
             t.credits, t.amount AS credited, e.sum AS moved
        FROM (SELECT * FROM payments WHERE ${within('coalesce(transaction_id, id)')}) p
        FULL JOIN (
          SELECT account_id, livemode, details->>'payment_id' AS payment, min(id::text)::uuid AS id,
                 count(*) AS credits, sum(amount) AS amount, min(details->>'payment_id') AS payment_id,
                 min(wallet_id::text)::uuid AS wallet_id, min(status) AS status, min(currency) AS currency
            FROM transactions WHERE type = 'payment' GROUP BY account_id, livemode, details->>'payment_id'
          HAVING ${within('min(id::text)::uuid')}
        ) t ON t.account_id = p.account_id AND t.livemode = p.livemode AND t.id = p.transaction_id
        LEFT JOIN (SELECT account_id, transaction_id, ledger_account_id, sum(amount) AS sum FROM ledger_entries
                    WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}
                    GROUP BY account_id, transaction_id, ledger_account_id) e
          ON e.account_id = p.account_id AND e.transaction_id = p.transaction_id AND e.ledger_account_id = ${WALLET}
       WHERE CASE WHEN p.status IN ('successful', 'reversed')
               THEN (t.credits, t.amount, e.sum, t.wallet_id, t.currency, t.status) IS DISTINCT FROM
                    (1::bigint, (${NET})::numeric, (${NET})::numeric, ${WALLET}, ${CURRENCY}, p.status)
               ELSE p.id IS NULL OR t.credits IS NOT NULL OR p.transaction_id IS NOT NULL END`,
    ),
  },
  {
    // Part by part: what the payment says was taken for a reversal is what its transaction took. All of it went back,
    // or it is not reversed.
    name: 'reversed_payments_are_taken_back',
    violations: `
      SELECT p.id AS payment_id, p.status, p.amount_refunded, h.parts, h.refunded, h.taken, r.reversals, r.amount
        FROM payments p
        CROSS JOIN LATERAL (
          SELECT count(one->>'transactionId') AS parts, coalesce(sum((one->>'amount')::bigint), 0) AS refunded,
                 coalesce(sum((one->>'taken')::bigint), 0) AS taken,
                 coalesce(sum((one->>'amount')::bigint) FILTER (WHERE one->>'taken' IS NOT NULL), 0) AS booked
            FROM jsonb_array_elements(p.reversals) AS one
        ) h
        LEFT JOIN (SELECT account_id, livemode, reverses, count(*) AS reversals, sum(amount) AS amount FROM transactions
                    WHERE type = 'reversal' AND reverses IS NOT NULL GROUP BY account_id, livemode, reverses) r
          ON r.account_id = p.account_id AND r.livemode = p.livemode AND r.reverses = p.transaction_id
       WHERE (p.amount_refunded, h.parts, h.taken) IS DISTINCT FROM
             (h.refunded + p.refunds_made, coalesce(r.reversals, 0), coalesce(r.amount, 0))
          OR (p.status = 'reversed' AND (h.taken, h.booked) IS DISTINCT FROM
                                        ((${NET})::numeric, p.amount_received::numeric))
          OR (p.status = 'successful' AND h.booked >= p.amount_received)`,
  },
  {
    // What is not final is somebody's to look at, or marked for a person: nothing is forgotten.
    name: 'open_payments_are_due',
    violations: `
      SELECT id AS payment_id, status FROM payments
       WHERE status IN ('pending', 'processing') AND next_check_at IS NULL AND review IS NULL`,
  },
  referencesAreClaimedOnce('payment', 'payments', 'pay'),
  {
    name: 'payments_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT p.id AS payment_id, p.status, v.events FROM payments p
        LEFT JOIN (SELECT account_id, object_id, array_agg(type) AS events FROM events
                    WHERE object_type = 'pay' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = p.account_id AND v.object_id = p.id
       WHERE ${within('p.id')} AND ((p.status NOT IN ('pending', 'processing')
            AND cardinality(array_positions(coalesce(v.events, '{}'), 'payment.' || p.status)) <> 1)
          OR cardinality(array_positions(coalesce(v.events, '{}'), 'payment.successful'))
              <> (p.status IN ('successful', 'reversed'))::integer
          OR (p.review IS NOT NULL AND NOT 'payment.needs_review' = ANY (coalesce(v.events, '{}'))))`,
    ),
  },
  ...REFUND_CHECKS,
];
