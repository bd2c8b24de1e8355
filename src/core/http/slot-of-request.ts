import type { FastifyRequest } from 'fastify';
import { decodeId, slotOf } from './ids';

const BEARER = /^Bearer +sk_(?:live|test)_([0-9a-f]{3})/i;
/** For people: ids and keys in its addresses are the account's own. */
const PUBLIC_API = /^\/dashboard\/api\/(?:test|live)\//;
const SESSION = /(?:^|; ?)(?:__Host-)?session=([0-9a-f]{3})[\w-]{40}(?:;|$)/;

/** Of a link: `/cards/reveal/<token>`, an invitation, a form that is opened with one. */
const TOKEN = /\/([0-9a-f]{3})[\w-]{40}(?:[/?]|$)/;
/** `/checkout/<token>`: account, payment, mode and seal, in base64url; of the account the last six bytes are here. */
const CHECKOUT = /^\/checkout\/([\w-]{76})(?:[/?]|$)/;
/** `/checkout/logos/acct_…/…` */
const LOGO = /^\/checkout\/logos\/(\w+)(?:[/?]|$)/;
/** `/reports/download/<account,…>.<seal>` */
const DOWNLOAD = /^\/reports\/download\/([\w-]+)\.[\w-]+/;

/** `GET http://host/path`, as a proxy is asked, names the same as `GET /path`. */
const HOST = /^https?:\/\/[^/?]*/i;

/** Path and query of a request, as its client wrote them. */
export const pathOf = ({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): string => originalUrl.replace(HOST, '');

/**
 * The slot of the account that a request is about, as far as the request says it before anything is looked up: by its
 * key, by what its address names, or by its session. Null: it is about no account.
 */
export function slotOfRequest(request: Pick<FastifyRequest, 'headers' | 'originalUrl'>): string | null {
  const { authorization, cookie } = request.headers;
  const path = pathOf(request);
  // `OPTIONS *` is about no address.
  if (!path.startsWith('/')) return null;
  if (authorization !== undefined) return BEARER.exec(authorization)?.[1] ?? null;
  const ofSession = () =>
    // Pages are the same everywhere; their data is not.
    cookie !== undefined && path.startsWith('/dashboard/api/') ? SESSION.exec(cookie)?.[1] : undefined;
  return (PUBLIC_API.test(path) ? undefined : slotOfPath(path)) ?? ofSession() ?? null;
}

function slotOfPath(path: string): string | undefined {
  const checkout = CHECKOUT.exec(path)?.[1];
  if (checkout !== undefined) return Buffer.from(checkout, 'base64url').toString('hex', 14, 16).slice(1);
  const download = DOWNLOAD.exec(path)?.[1];
  if (download !== undefined)
    return /^\["[\w-]{33}([0-9a-f]{3})"/.exec(Buffer.from(download, 'base64url').toString())?.[1];
  const account = decodeId('acct', LOGO.exec(path)?.[1] ?? '');
  return TOKEN.exec(path)?.[1] ?? (account === null ? undefined : slotOf(account));
}
