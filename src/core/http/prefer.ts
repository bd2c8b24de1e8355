const WAIT_SECONDS_DEFAULT = 10;
const WAIT_SECONDS_MAX = 30;

/**
 * Seconds that the caller is ready to wait for a final answer: `Prefer: wait=N` (RFC 7240), at most 30, else 10.
 * A preference that cannot be read is ignored, as the RFC asks.
 */
export function waitSeconds(prefer: string | string[] | undefined): number {
  const wait = /(?:^|[,;]\s*)wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(String(prefer ?? ''))?.[1];
  return wait === undefined ? WAIT_SECONDS_DEFAULT : Math.min(Number(wait), WAIT_SECONDS_MAX);
}
