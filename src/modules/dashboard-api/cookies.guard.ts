import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from './tokens.batch';

const LIFETIME_SECONDS = 12 * 3_600;
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Browsers keep no `Secure` cookie from plain HTTP: without TLS there is only the developer's own machine. */
const isLocal = ({ protocol, host }: FastifyRequest): boolean => protocol === 'http' && LOCAL.test(host);

const nameOf = (request: FastifyRequest): string => (isLocal(request) ? 'session' : '__Host-session');

/** The token of the session cookie; null without one that could be ours. */
export function readSessionCookie(request: FastifyRequest): string | null {
  const start = `${nameOf(request)}=`;
  const values = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim()).filter((pair) => pair.startsWith(start));
  return values.map((pair) => pair.slice(start.length)).find(isToken) ?? null;
}

/** Hands the token to the browser, or takes it away. */
export function writeSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  const life = token === null ? 0 : LIFETIME_SECONDS;
  const secure = isLocal(request) ? '' : ' Secure;';
  reply.header('set-cookie', `${nameOf(request)}=${token ?? ''}; Path=/; Max-Age=${life};${secure} HttpOnly; SameSite=Lax`);
}
