import { type Check, inPieces } from '../../core/database/checks';

/** What must hold between payouts and refunds and those who approved them. */
export const APPROVAL_CHECKS: readonly Check[] = [
  {
    name: 'what_needs_a_second_person_went_out_by_one',
    violations: inPieces(
      'transactions',
      'id',
      (within) => `
      SELECT a.id AS transaction_id, t.status, t.provider_attempts, a.decision
        FROM approvals a LEFT JOIN transactions t USING (account_id, livemode, id)
       WHERE ${within('a.id')} AND (t.type IS NULL OR t.type NOT IN ('payout', 'payment_refund')
          OR (t.provider_attempts > 0) <> (a.decision IS NOT DISTINCT FROM 'approved')
          OR (a.decision = 'declined' AND t.status <> 'cancelled'))`,
    ),
  },
];
