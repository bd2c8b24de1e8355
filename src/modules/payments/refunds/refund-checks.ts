import { type Check, inPieces } from '../../../core/database/checks';
import { referencesAreClaimedOnce } from '../../../core/idempotency/claims';

/** What must hold between refunds, their payments, their records and the books. */
export const REFUND_CHECKS: readonly Check[] = [
  {
    // What refunds gave back and are about to give back stands with the payment, and is no more than what arrived.
    name: 'refunds_stay_within_their_payment',
    violations: `
      SELECT coalesce(p.id, r.payment_id) AS payment_id, p.amount_received, p.refunds_made, p.refunds_running, r.made,
             r.running
        FROM payments p FULL JOIN (
          SELECT account_id, livemode, payment_id,
                 coalesce(sum(amount) FILTER (WHERE status = 'successful'), 0) AS made,
                 coalesce(sum(amount) FILTER (WHERE status IN ('pending', 'processing')), 0) AS running
            FROM refunds GROUP BY account_id, livemode, payment_id
        ) r ON r.account_id = p.account_id AND r.livemode = p.livemode AND r.payment_id = p.id
       WHERE (p.refunds_made, p.refunds_running) IS DISTINCT FROM
             (coalesce(r.made, 0)::bigint, coalesce(r.running, 0)::bigint)
          OR p.refunds_made + p.refunds_running > coalesce(p.amount_received, 0)`,
  },
  {
    name: 'refunds_debit_once_or_not_at_all',
    violations: inPieces(
      'ledger_entries',
      'transaction_id',
      (within) => `
      SELECT coalesce(r.transaction_id, t.id) AS transaction_id, r.id AS refund_id, r.status, t.status AS shown,
             e.available, e.held
        FROM (SELECT * FROM refunds WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}) r
        FULL JOIN (SELECT * FROM transactions WHERE type = 'payment_refund' AND ${within('id')}) t
          ON t.account_id = r.account_id AND t.livemode = r.livemode AND t.id = r.transaction_id
        LEFT JOIN (
          SELECT account_id, transaction_id, coalesce(sum(amount) FILTER (WHERE bucket = 'available'), 0) AS available,
                 coalesce(sum(amount) FILTER (WHERE bucket = 'held'), 0) AS held
            FROM ledger_entries WHERE transaction_id IS NOT NULL AND ${within('transaction_id')}
           GROUP BY account_id, transaction_id
        ) e ON e.account_id = r.account_id AND e.transaction_id = r.transaction_id
       WHERE (t.status, t.amount, t.fee, t.currency, t.wallet_id, t.needs_review, e.available, e.held)
             IS DISTINCT FROM (r.status, r.amount, r.fee, r.currency, r.wallet_id, r.review IS NOT NULL,
               CASE WHEN r.status IN ('failed', 'cancelled') THEN 0 ELSE -(r.amount + r.fee) END::numeric,
               CASE WHEN r.status IN ('pending', 'processing') THEN r.amount + r.fee ELSE 0 END::numeric)`,
    ),
  },
  {
    // What is not final is somebody's to look at, or marked for a person: nothing is forgotten.
    name: 'running_refunds_are_due',
    violations: `
      SELECT id AS refund_id, status FROM refunds
       WHERE status IN ('pending', 'processing') AND next_check_at IS NULL AND review IS NULL`,
  },
  {
    // A refund says the same of its second person as what that person wrote.
    name: 'refunds_say_who_approved_them',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT id AS transaction_id, r.refund_id, r.approval, a.decision
        FROM (SELECT account_id, livemode, transaction_id AS id, id AS refund_id, approval FROM refunds
               WHERE approval IS NOT NULL) r
        FULL JOIN (SELECT a.* FROM approvals a JOIN transactions t USING (account_id, livemode, id)
                    WHERE t.type = 'payment_refund') a USING (account_id, livemode, id)
       WHERE ${within('id')} AND (r.approval IS NULL OR a.account_id IS NULL OR a.decision IS DISTINCT FROM
             CASE WHEN r.approval IN ('approved', 'declined') THEN r.approval END)`,
    ),
  },
  referencesAreClaimedOnce('refund', 'refunds', 'rfd'),
  {
    name: 'refunds_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT r.id AS refund_id, r.status, v.events FROM refunds r
        LEFT JOIN (SELECT account_id, object_id, array_agg(type) AS events FROM events
                    WHERE object_type = 'rfd' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = r.account_id AND v.object_id = r.id
       WHERE ${within('r.id')} AND (
             cardinality(array_positions(coalesce(v.events, '{}'), 'refund.processing')) <> (r.attempts > 0)::integer
          OR cardinality(array_positions(coalesce(v.events, '{}'), 'refund.successful'))
              <> (r.status = 'successful')::integer
          OR cardinality(array_positions(coalesce(v.events, '{}'), 'refund.failed')) <> (r.status = 'failed')::integer
          OR cardinality(array_positions(coalesce(v.events, '{}'), 'refund.awaiting_approval'))
              <> (r.approval IS NOT NULL)::integer
          OR cardinality(array_positions(coalesce(v.events, '{}'), 'refund.cancelled'))
              <> (r.status = 'cancelled')::integer
          OR (r.review IS NOT NULL AND NOT 'refund.needs_review' = ANY (coalesce(v.events, '{}'))))`,
    ),
  },
];
