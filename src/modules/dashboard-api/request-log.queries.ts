/** Newest first, below `before`; a filter that is null lets everything pass. */
export const SELECT_REQUESTS = `
  SELECT r.id, r.method, r.path, r.route, r.status, r.handled_status, r.duration_ms, r.key_id, k.last4 AS key_last4, r.replayed, r.error_code, r.ip, r.user_agent, r.request_body
    FROM request_log r LEFT JOIN api_keys k ON k.account_id = r.account_id AND k.id = r.key_id
   WHERE r.account_id = $1 AND r.livemode = $2 AND r.id < $3 AND r.id >= $4
     AND ($5::integer IS NULL OR r.status BETWEEN $5 AND $6)
     AND ($7::text IS NULL OR r.method = $7)
     AND ($8::text IS NULL OR starts_with(r.path, $8))
     AND ($9::uuid IS NULL OR r.key_id = $9)
   ORDER BY r.id DESC LIMIT $10`;

/** Failures since `from` by what failed; of very many only the newest are counted. */
export const SELECT_ERRORS = `
  SELECT method, route, status, error_code, count(*)::integer AS count, max(id::text) AS last_id
    FROM (SELECT method, route, status, error_code, id FROM request_log
           WHERE account_id = $1 AND livemode = $2 AND status >= 400 AND id >= $3 ORDER BY id DESC LIMIT 50000) newest
   GROUP BY method, route, status, error_code ORDER BY count DESC, last_id DESC LIMIT 100`;

export interface RequestRow {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  /** 499: the client did not wait for the answer. */
  readonly status: number;
  /** What was answered when nobody waited for it; else null. */
  readonly handled_status: number | null;
  readonly duration_ms: number;
  readonly key_id: string | null;
  readonly key_last4: string | null;
  readonly replayed: boolean;
  readonly error_code: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_body: string | null;
}

export interface ErrorRow {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly error_code: string | null;
  readonly count: number;
  readonly last_id: string;
}
