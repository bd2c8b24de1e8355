import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { encodeId } from '../../../src/core/http/ids';
import type { Orders } from './orders';

const GIVE_UP_MS = 180_000;
/** Who is asked too often is left to a person. */
const ROUND_MS = 4_000;

const NOW = `date_trunc('milliseconds', now())`;
/** Whoever asked since then may still be waiting. */
const WAITING = `now() - interval '31 seconds'`;
const OPEN = `
  SELECT id, status FROM transactions JOIN purchases USING (account_id, livemode, id)
   WHERE livemode AND status IN ('pending', 'processing')`;
/** No clock of live mode can be moved: as if an order had been sent before. */
const AGE = `
  UPDATE purchase_attempts SET started_at = started_at - interval '10 minutes'
   WHERE livemode AND started_at BETWEEN now() - interval '10 minutes' AND ${WAITING}`;
/** Days later. */
const HURRY = `UPDATE purchases SET next_check_at = ${NOW} WHERE livemode AND next_check_at IS NOT NULL`;
/** Longer than whoever looks has it for himself. */
const DUE = `SELECT count(*)::int AS due FROM purchases WHERE livemode AND next_check_at < now() + interval '70 seconds'`;
/** What companies are asked about by no request, and payers who never came. */
const OPEN_ELSEWHERE = `
  SELECT 'payment ' || id || ', which is ' || status || ',' AS what FROM payments
   WHERE livemode AND status IN ('pending', 'processing')
  UNION ALL SELECT 'refund ' || id || ', which is ' || status || ',' FROM refunds
   WHERE livemode AND status IN ('pending', 'processing')
  UNION ALL SELECT 'card ' || id || ', which is ' || status || ',' FROM cards
   WHERE livemode AND status = 'pending'`;
const HURRY_ELSEWHERE = [
  `UPDATE refunds SET asked_at = asked_at - interval '10 minutes'
    WHERE livemode AND asked_at BETWEEN now() - interval '10 minutes' AND ${WAITING}`,
  `UPDATE payments SET next_check_at = ${NOW}, expires_at = ${NOW}
    WHERE livemode AND status IN ('pending', 'processing')`,
  // Until then in its own time: all questions would be used up before the gateway may be asked to refund it again.
  `UPDATE refunds SET next_check_at = ${NOW}
    WHERE livemode AND status IN ('pending', 'processing') AND (asked_at IS NULL OR asked_at < ${WAITING})`,
  `UPDATE cards SET next_check_at = ${NOW} WHERE livemode AND status = 'pending'`,
];

/** Has companies asked about payments, refunds and cards until all have ended; returns what has not. */
export async function settleElsewhere(db: Pool): Promise<string[]> {
  for (const deadline = performance.now() + GIVE_UP_MS; ; await sleep(ROUND_MS)) {
    const { rows } = await db.query<{ what: string }>(OPEN_ELSEWHERE);
    if (rows.length === 0 || performance.now() > deadline) return rows.map(({ what }) => what);
    for (const hurry of HURRY_ELSEWHERE) await db.query(hurry);
  }
}

/** Asks about all that is open until nothing is; returns what is all the same. */
export async function settle(db: Pool, orders: Orders): Promise<string[]> {
  for (const deadline = performance.now() + GIVE_UP_MS; ; await sleep(ROUND_MS)) {
    const { rows } = await db.query<{ id: string; status: string }>(OPEN);
    if (rows.length === 0 || performance.now() > deadline)
      return rows.map(({ id, status }) => `${encodeId('txn', id)}, which is ${status},`);
    await db.query(AGE);
    await orders.ask(rows.map(({ id }) => encodeId('txn', id)));
  }
}

/** Whatever is to be looked at once more in days is looked at now. */
export async function lookAgain(db: Pool): Promise<string[]> {
  await db.query(HURRY);
  for (const deadline = performance.now() + GIVE_UP_MS; ; await sleep(ROUND_MS)) {
    const due = (await db.query<{ due: number }>(DUE)).rows[0]!.due;
    if (due === 0) return [];
    if (performance.now() > deadline) return [`a look at ${due} purchases`];
  }
}
