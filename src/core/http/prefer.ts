/** How long an answer is held back for a final result when the caller does not say. */
export const WAIT_SECONDS_DEFAULT = 10;
const WAIT_SECONDS_MAX = 30;

/**
 * Seconds that the caller is ready to wait for a final answer: `Prefer: wait=N` (RFC 7240), at most 30; null when it
 * does not say. A preference that cannot be read is ignored, as the RFC asks.
 */
export function preferredWait(prefer: string | string[] | undefined): number | null {
  const wait = /(?:^|[,;]\s*)wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(String(prefer ?? ''))?.[1];
  return wait === undefined ? null : Math.min(Number(wait), WAIT_SECONDS_MAX);
}
