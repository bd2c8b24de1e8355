import type { WebhookFault } from './webhook-endpoint.entity';
import type { Attempted } from './webhooks.types';

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

const DELAYED_MS = 60 * SECOND;
/** Events that overtake each other do so by seconds. */
const OUT_OF_ORDER_MS = 10 * SECOND;

/** How long a first attempt is held back on purpose: only test endpoints have faults. */
export function plannedDelayMs(faults: WebhookFault | null, random = Math.random()): number {
  if (faults === 'delayed') return DELAYED_MS;
  return faults === 'out_of_order' ? Math.round(OUT_OF_ORDER_MS * random) : 0;
}
