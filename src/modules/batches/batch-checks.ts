import { type Check, inPieces } from '../../core/database/checks';

/** By what a row's claim is known: as `claimOfRow` says. */
const FINGERPRINT = `sha256(convert_to(i.batch_id || '/' || i.number, 'UTF8'))`;

/** What must hold between batches and what their rows made. */
export const BATCH_CHECKS: readonly Check[] = [
  {
    name: 'batch_rows_made_what_their_claim_says',
    violations: inPieces(
      'batch_items',
      'batch_id',
      (within) => `
      SELECT i.batch_id, i.number, i.status, i.resource_id, c.resource_id AS claimed
        FROM batch_items i LEFT JOIN claims c ON c.account_id = i.account_id AND c.livemode = i.livemode
          AND c.kind = 'reference' AND c.value = i.reference AND c.fingerprint = ${FINGERPRINT}
       WHERE ${within('i.batch_id')} AND (i.resource, i.resource_id) IS DISTINCT FROM (c.resource, c.resource_id)
         AND NOT (i.status = 'processing' AND i.resource_id IS NULL)`,
    ),
  },
  {
    name: 'batches_count_their_rows',
    violations: inPieces(
      'batch_items',
      'batch_id',
      (within) => `
      SELECT b.id AS batch_id, b.counts, i.counts AS rows FROM batches b
        LEFT JOIN (SELECT account_id, livemode, batch_id, jsonb_object_agg(status, rows) AS counts
                     FROM (SELECT account_id, livemode, batch_id, status, count(*) AS rows FROM batch_items
                            WHERE ${within('batch_id')} GROUP BY account_id, livemode, batch_id, status) s
                    GROUP BY account_id, livemode, batch_id) i
          ON i.account_id = b.account_id AND i.livemode = b.livemode AND i.batch_id = b.id
       WHERE ${within('b.id')} AND (i.counts IS NULL OR EXISTS (
         SELECT 1 FROM jsonb_each(b.counts) AS c WHERE c.value <> coalesce(i.counts -> c.key, '0')))`,
    ),
  },
  {
    name: 'batches_that_ended_have_no_row_left',
    violations: inPieces(
      'batch_items',
      'batch_id',
      (within) => `
      SELECT b.id AS batch_id, b.status, b.counts FROM batches b
       WHERE ${within('b.id')} AND NOT b.dry_run AND (
         (b.status IN ('completed', 'failed', 'cancelled')
           AND (b.counts -> 'pending' <> '0' OR b.counts -> 'valid' <> '0'))
         OR (b.counts -> 'processing' <> '0' AND b.next_check_at IS NULL))`,
    ),
  },
];
