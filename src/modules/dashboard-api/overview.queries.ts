/**
 * Transactions by day and currency. `$4` are the first ids of the days, oldest first: an id carries its time, so the
 * day is found without a column. Amounts are of what succeeded.
 */
export const SELECT_DAYS = `
  SELECT width_bucket(id, $4::uuid[]) - 1 AS day, currency, count(*)::integer AS count,
         count(*) FILTER (WHERE status = 'successful')::integer AS successful,
         count(*) FILTER (WHERE status IN ('failed', 'reversed', 'cancelled'))::integer AS unsuccessful,
         coalesce(sum(amount) FILTER (WHERE status = 'successful' AND direction = 'credit'), 0)::text AS amount_in,
         coalesce(sum(amount) FILTER (WHERE status = 'successful' AND direction = 'debit'), 0)::text AS amount_out
    FROM transactions
   WHERE account_id = $1 AND livemode = $2 AND id >= ($4::uuid[])[1] AND id < $3
   GROUP BY 1, currency ORDER BY 1, currency`;

export const SELECT_STEPS = `
  SELECT EXISTS (SELECT 1 FROM api_keys WHERE account_id = $1 AND livemode = $2 AND revoked_at IS NULL) AS has_key,
         EXISTS (SELECT 1 FROM transfers WHERE account_id = $1 AND livemode = $2) AS has_transfer,
         EXISTS (SELECT 1 FROM webhook_endpoints WHERE account_id = $1 AND livemode = $2 AND deleted_at IS NULL) AS has_webhook,
         EXISTS (SELECT 1 FROM webhook_deliveries WHERE account_id = $1 AND livemode = $2 AND status = 'delivered') AS has_delivery`;

export interface DayRow {
  readonly day: number;
  readonly currency: string;
  readonly count: number;
  readonly successful: number;
  readonly unsuccessful: number;
  readonly amount_in: string;
  readonly amount_out: string;
}

export interface Steps {
  readonly has_key: boolean;
  readonly has_transfer: boolean;
  readonly has_webhook: boolean;
  readonly has_delivery: boolean;
}
