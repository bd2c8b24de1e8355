import type { DeliveryStatus } from './webhook-delivery.entity';
import type { Attempted } from './webhook-sender.service';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** Waits before each attempt, from the one before: about 75 hours in all. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Share of a wait that chance may add, so that a receiver that comes back is not told everything at once. */
const JITTER = 0.2;
const RETRY_AFTER_MAX_MS = 10 * HOUR;
/** A receiver that is overwhelmed is left alone for a while. */
const REST_MS = 60 * SECOND;

/** The wait before the next attempt when so many were made; null when that was the last. */
export function retryDelayMs(
  attemptsMade: number,
  { code, retryAfterSeconds }: Attempted,
  random = Math.random(),
): number | null {
  const planned = ATTEMPT_DELAYS_MS[attemptsMade];
  if (planned === undefined) return null;
  const asked = Math.min((retryAfterSeconds ?? 0) * SECOND, RETRY_AFTER_MAX_MS);
  const rest = code === 'timeout' || code === 'rate_limited' ? REST_MS : 0;
  return Math.round(Math.max(planned * (1 + JITTER * random), asked, rest));
}

/** What an attempt makes of its delivery. */
export interface Outcome {
  readonly status: DeliveryStatus;
  /** By the clock of the account; null when it is over. */
  readonly nextAttemptAt: Date | null;
}

/** Why no more is sent to an endpoint; null: more is. */
export const refusalOf = ({ code, control }: Attempted): 'gone' | 'receiver_asked' | null => {
  if (code === 'gone') return 'gone';
  return control === 'disable' ? 'receiver_asked' : null;
};

/**
 * `attempts`: made so far, with this one. `isHeard`: what the answer says of the endpoint counts; else its refusal is a
 * failure like others.
 */
export function outcomeOf(attempted: Attempted, attempts: number, now: Date, isHeard: boolean): Outcome {
  if (attempted.code === 'ok') return { status: 'delivered', nextAttemptAt: null };
  if (isHeard && refusalOf(attempted) !== null) return { status: 'disabled', nextAttemptAt: null };
  if (attempted.control === 'abort-message') return { status: 'aborted', nextAttemptAt: null };
  const delayMs = retryDelayMs(attempts, attempted);
  if (delayMs === null) return { status: 'exhausted', nextAttemptAt: null };
  return { status: 'retrying', nextAttemptAt: new Date(now.getTime() + delayMs) };
}
