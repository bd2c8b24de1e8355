/** Where the person behind a cardholder is named besides `customers`. Statements of the owner of the database: a running process may change no event. */

/** Account, mode, cardholder. */
export const SELECT_CARDS = `
  SELECT id, status, request_id AS "requestId", name_on_card <> $4 AS "isNamed" FROM cards
   WHERE account_id = $1 AND livemode = $2 AND customer_id = $3 ORDER BY id`;

/** Account, mode, cards. */
export const SELECT_EVENTS = `
  SELECT id FROM events
   WHERE account_id = $1 AND livemode = $2 AND object_type = 'crd' AND object_id = ANY ($3::uuid[]) AND NOT coalesce(snapshot, '{"anonymized": true}') ? 'anonymized'`;

/** What receivers answered to events about the cards, and issuers said of them: either may say a name again. Account, mode, cards. */
export const SELECT_ATTEMPTS = `
  SELECT a.id FROM events e
    JOIN webhook_deliveries d ON d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id
    JOIN webhook_attempts a ON a.account_id = d.account_id AND a.livemode = d.livemode AND a.delivery_id = d.id
   WHERE e.account_id = $1 AND e.livemode = $2 AND e.object_type = 'crd' AND e.object_id = ANY ($3::uuid[]) AND a.response_body IS NOT NULL`;
export const SELECT_CALLS = `
  SELECT id FROM issuer_calls WHERE account_id = $1 AND livemode = $2 AND card_id = ANY ($3::uuid[]) AND message IS NOT NULL`;

/** Account, mode, requests, what the address or the body has in lower case, what stands there once it is emptied. */
export const SELECT_REQUESTS = `
  SELECT id, request_body AS body FROM request_log
   WHERE account_id = $1 AND livemode = $2 AND request_body <> $5
     AND (id = ANY ($3::uuid[]) OR EXISTS (SELECT 1 FROM unnest($4::text[]) AS word WHERE strpos(path, word) > 0 OR strpos(lower(request_body), word) > 0))`;

/** Account, mode, ids, what takes its place. */
export const EMPTY_CUSTOMER = `
  UPDATE customers SET first_name = $4, last_name = $4, email = '', phone = '', date_of_birth = '0001-01-01', address = $5, identity_number = $6, identity_masked = '',
         metadata = '{}', anonymized_at = coalesce(anonymized_at, now()), updated_at = now(), version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND id = $3`;
export const EMPTY_CARDS = `
  UPDATE cards SET name_on_card = $4, billing_address = $5, label = NULL, metadata = '{}', updated_at = now(), version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])`;
export const EMPTY_EVENTS = `UPDATE events SET snapshot = snapshot || $4::jsonb WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])`;
export const EMPTY_ATTEMPTS = `UPDATE webhook_attempts SET response_body = NULL WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])`;
export const EMPTY_CALLS = `UPDATE issuer_calls SET message = NULL WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])`;
export const EMPTY_REQUESTS = `UPDATE request_log SET request_body = $4 WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])`;
