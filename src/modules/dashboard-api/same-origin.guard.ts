import type { FastifyRequest } from 'fastify';
import { CrossSiteRequest } from './dashboard.errors';

const READS = new Set(['GET', 'HEAD']);

/**
 * Throws `CrossSiteRequest` for what another site made a browser send. Browsers say where a request comes from; one that
 * changes something and does not say so is refused. `ownOrigin`: where the dashboard is published.
 */
export function requireSameOrigin({ method, headers, protocol, host }: FastifyRequest, ownOrigin: string): void {
  const { 'sec-fetch-site': site, origin } = headers;
  if (READS.has(method)) {
    if (site === undefined || site === 'same-origin' || site === 'none') return;
  } else if (
    site === 'same-origin' ||
    (site === undefined && (origin === ownOrigin || origin === `${protocol}://${host}`))
  )
    return;
  throw new CrossSiteRequest();
}
