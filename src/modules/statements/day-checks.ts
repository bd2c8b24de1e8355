import { type Check, inPieces } from '../../core/database/checks';
import { dayHash, NO_DAY_HASH } from './wallet-day';

/** What must hold of closed days, and between them and the books. */
export const DAY_CHECKS: readonly Check[] = [
  {
    name: 'days_are_chained',
    violations: inPieces(
      'wallet_days',
      'wallet_id',
      (within) => `
      SELECT wallet_id, date, expected_date, opening, expected_opening FROM (
        SELECT d.*, lag(date) OVER w + 1 AS expected_date, lag(closing, 1, 0::bigint) OVER w AS expected_opening,
               lag(hash, 1, ${NO_DAY_HASH}) OVER w AS expected_hash,
               lag(through_seq, 1, 0::bigint) OVER w AS seq_before, lag(ends_at) OVER w AS began_at
          FROM wallet_days d WHERE ${within('wallet_id')}
        WINDOW w AS (PARTITION BY account_id, livemode, wallet_id ORDER BY date)
      ) d
       WHERE date <> expected_date OR opening <> expected_opening OR previous_hash <> expected_hash
          OR through_seq < seq_before OR ends_at < began_at OR hash <> ${dayHash('d')}`,
    ),
  },
  {
    name: 'days_close_as_the_books_stood',
    violations: inPieces(
      'wallet_days',
      'wallet_id',
      (within) => `
      SELECT d.wallet_id, d.date, d.closing, e.available_after + e.held_after AS balance
        FROM (SELECT * FROM wallet_days WHERE ${within('wallet_id')}) d
        LEFT JOIN (SELECT * FROM ledger_entries WHERE ${within('ledger_account_id')}) e
          ON e.account_id = d.account_id AND e.ledger_account_id = d.wallet_id AND e.seq = d.through_seq
       WHERE (d.closing, d.through_at)
             IS DISTINCT FROM (coalesce(e.available_after + e.held_after, 0), e.created_at)
          OR e.created_at >= d.ends_at`,
    ),
  },
  {
    name: 'days_are_announced',
    violations: inPieces(
      'events',
      'object_id',
      (within) => `
      SELECT d.wallet_id, d.date, v.events FROM wallet_days d
        LEFT JOIN (SELECT account_id, object_id, count(*) AS events FROM events
                    WHERE type = 'day.closed' AND NOT is_sample AND ${within('object_id')}
                    GROUP BY account_id, object_id) v
          ON v.account_id = d.account_id AND v.object_id = d.id
       WHERE ${within('d.id')} AND v.events IS DISTINCT FROM 1`,
    ),
  },
];
