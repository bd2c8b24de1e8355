import { isURL, ValidateBy } from 'class-validator';

/** A server of an address that names several. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** Scheme and login, hosts, and the rest. */
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$/;
/** What libpq calls the server that is wanted; no other is of use. */
const WRITABLE: readonly (string | null)[] = [null, 'read-write', 'primary'];
const PORT = 5_432;

/**
 * Takes `postgres://user:password@one:5432,two:5432/duka?target_session_attrs=read-write` apart, which no URL class
 * reads: the same with the first host only, and all hosts. Of one host: the address as it is, and none. Throws
 * `TypeError`.
 */
export function splitDatabaseUrl(address: string): { address: string; hosts: readonly DatabaseHost[] } {
  const [, login, list, rest] = SEVERAL.exec(address) ?? [];
  if (list === undefined) return { address, hosts: [] };
  const hosts = list.split(',');
  return { address: `${login}${hosts[0]}${rest}`, hosts: hosts.map(hostOf) };
}

/** The address with something in it changed, for all of its hosts. */
export function changeDatabaseUrl(address: string, change: (url: URL) => void): string {
  const [, login, list, rest] = SEVERAL.exec(address) ?? [];
  const url = new URL(list === undefined ? address : `${login}hosts${rest}`);
  change(url);
  return list === undefined
    ? url.href
    : url.href.replace(/^([a-z]+:\/\/(?:[^/]*@)?)hosts/, (_, before) => before + list);
}

/** Whether one can connect to it, as far as its form says. */
export function isDatabaseUrl(address: unknown): boolean {
  try {
    const { address: first, hosts } = splitDatabaseUrl(address as string);
    return (
      isURL(first, { require_tld: false, require_protocol: true, protocols: ['postgres', 'postgresql'] }) &&
      (hosts.length === 0 || WRITABLE.includes(new URL(first).searchParams.get('target_session_attrs')))
    );
  } catch {
    return false;
  }
}

export const IsDatabaseUrl = () =>
  ValidateBy(
    { name: 'isDatabaseUrl', validator: { validate: isDatabaseUrl } },
    {
      message: '$property must be postgres://user:password@host:5432/duka, or several hosts: …@one:5432,two:5432/duka',
    },
  );

function hostOf(text: string): DatabaseHost {
  const { hostname, port } = new URL(`postgres://${text}`);
  if (hostname === '') throw new TypeError('no host');
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || PORT) };
}
