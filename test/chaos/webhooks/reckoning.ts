import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Load } from '../load';
import { reckon } from '../reckoning';
import type { Service } from '../service';
import type { Receiver } from './receiver';

/** A figure, and what must be of it. */
export interface Verdict {
  readonly what: string;
  readonly found: string;
  readonly isRight: boolean;
}

interface Sources {
  readonly service: Service;
  readonly db: Pool;
  readonly load: Load;
  readonly receiver: Receiver;
  readonly opening: ReadonlyMap<string, number>;
  readonly backlogMaxMs: number;
}

const POLL_MS = 100;
const DUPLICATES_MAX = 0.02;

/** Events that the relay has not read, and deliveries that wait for an attempt. */
const BACKLOG = `
  SELECT (SELECT count(*) FROM events WHERE type = 'transfer.successful' AND xact >= (SELECT xact FROM relay_position WHERE name = 'webhooks'))
       + (SELECT count(*) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL) AS backlog`;

const STATES = `SELECT status, count(*)::int AS count FROM webhook_deliveries GROUP BY status`;

const UNTOLD = `
  SELECT count(*)::int AS count FROM webhook_deliveries d
   WHERE status = 'delivered' AND NOT EXISTS (SELECT FROM webhook_attempts a WHERE a.account_id = d.account_id AND a.livemode = d.livemode AND a.delivery_id = d.id AND a.code = 'ok')`;

/** Resolves when nothing waits any more with the time since `since`; with Infinity when it takes three times as long as it may. */
export async function untilNothingWaits(db: Pool, since: number, maxMs: number): Promise<number> {
  for (; ; await sleep(POLL_MS)) {
    const { rows } = await db.query<{ backlog: string }>(BACKLOG);
    const ms = performance.now() - since;
    if (rows[0]!.backlog === '0') return ms;
    if (ms > 3 * maxMs) return Infinity;
  }
}

/** Compares what clients were told, what the receiver got and what PostgreSQL has. */
export async function verdictsOf(
  { service, db, load, receiver, opening, backlogMaxMs }: Sources,
  backlogMs: number,
): Promise<Verdict[]> {
  const ids = [...load.accepted.values()].map(({ id }) => id);
  const lost = ids.filter((id) => !receiver.eventsOf.has(id)).length;
  const arrivals = [...receiver.arrivals.values()].reduce((sum, count) => sum + count, 0);
  const repeats = arrivals - receiver.arrivals.size;
  const share = repeats / ids.length;
  const renamed = [...receiver.eventsOf.values()].filter(({ size }) => size > 1).length;
  const states = (await db.query<{ status: string; count: number }>(STATES)).rows;
  const [untold] = (await db.query<{ count: number }>(UNTOLD)).rows;
  const unasked = [...receiver.eventsOf.keys()].length - (ids.length - lost);
  const books = Object.entries(await reckon(service, load, opening)).filter(
    ([, found]) => found !== 0 && JSON.stringify(found) !== '[]',
  );
  const none = (what: string, count: number): Verdict => ({ what, found: String(count), isRight: count === 0 });
  return [
    none('lost', lost),
    none('events of nothing that clients were told of', unasked),
    {
      what: 'came again (at most 2 %)',
      found: `${repeats} = ${(share * 100).toFixed(2)} %`,
      isRight: share <= DUPLICATES_MAX,
    },
    none('came under another webhook-id', renamed),
    {
      what: `until nothing waited, after the last fault (at most ${backlogMaxMs / 1_000} s)`,
      found: `${(backlogMs / 1_000).toFixed(1)} s`,
      isRight: backlogMs <= backlogMaxMs,
    },
    {
      what: 'deliveries',
      found: states.map(({ status, count }) => `${count} ${status}`).join(', '),
      isRight: states.every(({ status }) => status === 'delivered'),
    },
    none('delivered without the attempt that did it', untold!.count),
    {
      what: 'wrong messages',
      found: [...receiver.faults].map(([what, count]) => `${count} × ${what}`).join(', ') || '0',
      isRight: receiver.faults.size === 0,
    },
    {
      what: 'the books',
      found: books.length === 0 ? 'right' : JSON.stringify(books).slice(0, 500),
      isRight: books.length === 0,
    },
  ];
}
