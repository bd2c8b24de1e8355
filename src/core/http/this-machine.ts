import type { FastifyRequest } from 'fastify';
import { HOP_HEADER } from '../cells/hop';
import type { Env } from '../config/env';
import { isLoopback } from '../text/ip-address';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Whoever came through a proxy or another cell may be anybody, also when that runs here. */
export const isOfThisMachine = ({ raw: { socket, headers } }: Pick<FastifyRequest, 'raw'>): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  headers['x-forwarded-for'] === undefined &&
  headers[HOP_HEADER] === undefined &&
  headers.forwarded === undefined;

/** What proxies add of themselves. */
const OF_PROXIES = ['via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Likewise, and the browser calls the machine by a name that is always its own: another site may have had its name lead
 * here.
 */
export const isMeantForThisMachine = (request: Pick<FastifyRequest, 'raw'>): boolean =>
  isOfThisMachine(request) &&
  OF_PROXIES.every((name) => request.raw.headers[name] === undefined) &&
  isLoopback((request.raw.headers.host ?? '').replace(/:\d+$/, ''));

/** Whether others than programs of this machine reach the service, as far as its settings say. */
export const isReachedByOthers = ({ HOST, PUBLIC_URL }: Env): boolean =>
  !isLoopback(HOST) || (PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname));
