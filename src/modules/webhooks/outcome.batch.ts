import { retryDelayMs } from './schedule.batch';
import type { Attempted, DeliveryStatus } from './webhooks.types';

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

/** `attempts`: made so far, with this one. */
export function outcomeOf(attempted: Attempted, attempts: number, now: Date): Outcome {
  if (attempted.code === 'ok') return { status: 'delivered', nextAttemptAt: null };
  if (refusalOf(attempted) !== null) return { status: 'disabled', nextAttemptAt: null };
  if (attempted.control === 'abort-message') return { status: 'aborted', nextAttemptAt: null };
  const delayMs = retryDelayMs(attempts, attempted);
  if (delayMs === null) return { status: 'exhausted', nextAttemptAt: null };
  return { status: 'retrying', nextAttemptAt: new Date(now.getTime() + delayMs) };
}
