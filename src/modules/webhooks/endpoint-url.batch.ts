import { isIP } from 'node:net';
import { isLinkLocal, isPublicAddress } from './address-policy.batch';

/** What of a destination is allowed. */
export interface UrlRules {
  readonly livemode: boolean;
  /** Local receivers too. */
  readonly allowPrivate: boolean;
}

/** A URL that may be posted to, or why not. The addresses behind a name are another question. */
export type CheckedUrl =
  | { readonly url: URL; readonly host: string; readonly isAddress: boolean; readonly fault: null }
  | { readonly fault: 'url_refused' | 'address_refused'; readonly detail: string };

const LENGTH_MAX = 2_048;
/** Names that no public server answers to (RFC 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`). */
const LOCAL_NAMES = ['localhost', 'local', 'internal', 'home.arpa', 'onion', 'alt', 'invalid'];
const LIVE_PORTS: readonly (readonly [first: number, last: number])[] = [
  [443, 443],
  [80, 80],
  [8_000, 9_999],
];

export const NOT_PUBLIC = 'The host must be reachable at public addresses only.';

export function checkUrl(text: string, { livemode, allowPrivate }: UrlRules): CheckedUrl {
  const url = text.length <= LENGTH_MAX ? URL.parse(text) : null;
  if (url === null) return refused('It takes a URL such as https://example.com/webhooks.');
  const isHttps = url.protocol === 'https:';
  if (!isHttps && (livemode || url.protocol !== 'http:'))
    return refused(
      livemode ? 'In live mode the URL must begin with https://.' : 'The URL must begin with https:// or http://.',
    );
  if (url.username !== '' || url.password !== '') return refused('The URL must not carry a user or a password.');
  if (livemode && !isLivePort(url.port))
    return refused('In live mode the port must be 443, 80 or one of 8000 to 9999.');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIP(host) !== 0;
  const isLocal = isAddress ? !isPublicAddress(host) : isLocalName(host);
  if ((isLocal && (livemode || !allowPrivate)) || isLinkLocal(host))
    return { fault: 'address_refused', detail: NOT_PUBLIC };
  return { url, host, isAddress, fault: null };
}

const refused = (detail: string): CheckedUrl => ({ fault: 'url_refused', detail });

function isLivePort(port: string): boolean {
  return port === '' || LIVE_PORTS.some(([first, last]) => Number(port) >= first && Number(port) <= last);
}

/** Also a name of one label: only a search domain or a hosts file knows it. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return !name.includes('.') || LOCAL_NAMES.some((local) => name.endsWith(`.${local}`));
}
