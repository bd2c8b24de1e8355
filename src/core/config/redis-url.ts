import { isURL, ValidateBy } from 'class-validator';

interface Node {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** Redis behind several addresses, encrypted or not. */
export type RedisGroup = { readonly isEncrypted: boolean; readonly nodes: readonly Node[] } & Login &
  (
    | { readonly kind: 'cluster' }
    | { readonly kind: 'sentinel'; readonly master: string; readonly db: number; readonly sentinels: Login }
  );

const PORTS = { sentinel: 26_379, cluster: 6_379 } as const;

/** Scheme, `user:password`, nodes, path and query. */
const GROUP = /^redis(s?)\+(sentinel|cluster):\/\/(?:([^/?#]*)@)?([^/?#@]+)(\/[^?#]*)?(?:\?([^#]*))?$/;
/** The master's name, and a database. */
const MASTER = /^\/([^/]+)(?:\/(\d{1,4}))?\/?$/;

/** `redis+sentinel://` and `redis+cluster://`, which no URL class reads; null: another address, or a wrong one. */
export function redisGroupOf(url: string): RedisGroup | null {
  const [, s, kind, login = '', nodes, path = '/', query = ''] = GROUP.exec(url) ?? [];
  try {
    const group = {
      isEncrypted: s === 's',
      nodes: nodes!.split(',').map((node) => nodeOf(node, PORTS[kind as keyof typeof PORTS])),
      ...loginOf(login),
    };
    if (kind === 'cluster') return path === '/' && query === '' ? { kind, ...group } : null;
    const [, master, db = '0'] = MASTER.exec(path)!;
    const {
      sentinelUsername: username,
      sentinelPassword: password,
      ...others
    } = Object.fromEntries(new URLSearchParams(query));
    if (Object.keys(others).length > 0) return null;
    const of = { master: decodeURIComponent(master!), db: Number(db), sentinels: { username, password } };
    return { kind: 'sentinel', ...group, ...of };
  } catch {
    return null;
  }
}

/** Whether one can connect to it, as far as its form says. */
const isRedisUrl = (url: unknown): boolean =>
  typeof url === 'string' &&
  (isURL(url, { require_tld: false, require_protocol: true, protocols: ['redis', 'rediss'] }) ||
    redisGroupOf(url) !== null);

export const IsRedisUrl = (message: string) =>
  ValidateBy({ name: 'isRedisUrl', validator: { validate: isRedisUrl } }, { message });

export const isRedisCluster = (url: string): boolean => redisGroupOf(url)?.kind === 'cluster';

function nodeOf(text: string, defaultPort: number): Node {
  const { hostname, port } = new URL(`redis://${text}`);
  if (hostname === '') throw new TypeError('no host');
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) };
}

function loginOf(text: string): Login {
  const at = text.indexOf(':');
  const [username, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { username: decodeURIComponent(username) || undefined, password: decodeURIComponent(password) || undefined };
}
