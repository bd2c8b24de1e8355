import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { FieldRefused } from '../../../core/errors/domain-error';
import { Env } from '../../../core/config/env';

/** Webhooks are not sent to such a URL. Says nothing of what was found behind it. */
class InvalidEndpointUrl extends FieldRefused {
  constructor(detail: string) {
    super('/url', detail);
  }
}

type Range = readonly [address: string, prefix: number];

/**
 * Not reachable by everyone, or never the address of a receiver (IANA's special-purpose registries, and where clouds
 * keep their secrets).
 */
const REFUSED_V4: readonly Range[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // the host of a virtual machine in Azure, though it looks public
  ['169.254.0.0', 16], // link-local, metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/**
 * All that is given out for the Internet. Outside of it lie `::`, `::1`, the forms that carry an IPv4 address
 * (`::a.b.c.d`, `::ffff:a.b.c.d`, `64:ff9b::`), 100::/64, 5f00::/16, unique local, link-local, site-local and multicast
 * addresses.
 */
const GLOBAL_V6: readonly Range[] = [['2000::', 3]];

const REFUSED_V6: readonly Range[] = [
  ['2001::', 23], // protocol assignments, Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: carries an IPv4 address
  ['3fff::', 20], // documentation
];

const refusedV4 = listOf(REFUSED_V4, 'ipv4');
const globalV6 = listOf(GLOBAL_V6, 'ipv6');
const refusedV6 = listOf(REFUSED_V6, 'ipv6');

/** Whether a webhook may be posted to this address. What is no plain one (a name, `fe80::1%eth0`) is not public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refusedV4.check(address, 'ipv4');
  if (family === 0 || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6');
}

/**
 * Where a machine's own network answers, and clouds keep the credentials of their machines: no receiver, wherever
 * private ones are allowed.
 */
const LINK_V4: readonly Range[] = [
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
];
const LINK_V6: readonly Range[] = [
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
];

const linkV4 = listOf(LINK_V4, 'ipv4');
const linkV6 = listOf(LINK_V6, 'ipv6');

/** Also in the forms that carry an IPv4 address. */
export function isLinkLocal(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  const family = isIP(plain);
  // A BlockList holds `::ffff:a.b.c.d` against its IPv4 ranges itself.
  return family === 4
    ? linkV4.check(plain, 'ipv4')
    : family === 6 && (linkV6.check(plain, 'ipv6') || linkV4.check(plain, 'ipv6'));
}

function listOf(ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family);
  return list;
}

/** What of a destination is allowed. */
interface UrlRules {
  readonly livemode: boolean;
  /** Local receivers too. */
  readonly allowPrivate: boolean;
}

/** A URL that may be posted to, or why not. The addresses behind a name are another question. */
export type CheckedUrl =
  | (Pick<UrlRules, 'allowPrivate'> & {
      readonly url: URL;
      readonly host: string;
      readonly isAddress: boolean;
      readonly fault: null;
    })
  | { readonly fault: 'url_refused' | 'address_refused'; readonly detail: string };

const LENGTH_MAX = 2_048;
/** Names that no public server answers to (RFC 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`). */
const LOCAL_NAMES = ['localhost', 'local', 'internal', 'home.arpa', 'onion', 'alt', 'invalid'];
const LIVE_PORTS: readonly (readonly [first: number, last: number])[] = [
  [443, 443],
  [80, 80],
  [8_000, 9_999],
];

const NOT_PUBLIC = 'The host must be reachable at public addresses only.';

function checkedUrl(text: string, { livemode, allowPrivate }: UrlRules): CheckedUrl {
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
  return { url, host, isAddress, allowPrivate, fault: null };
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

/** Of one question to DNS. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** A name leads to an address that is not public. */
export class AddressRefused extends Error {
  constructor() {
    super('the name has an address that is not public');
    this.name = new.target.name;
  }
}

/**
 * Where webhooks may be posted to: which URLs an endpoint may have, and which addresses are behind a name. Names may
 * change their addresses: the sender asks again when it connects.
 */
@Injectable()
export class UrlPolicy {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  constructor(private readonly env: Env) {}

  /** Throws `InvalidEndpointUrl`. A name without addresses is refused with the same words as one with private ones. */
  async check(url: string, livemode: boolean): Promise<void> {
    const checked = this.read(url, livemode);
    if (checked.fault !== null) throw new InvalidEndpointUrl(checked.detail);
    if (checked.isAddress || checked.allowPrivate) return;
    const addresses = await this.publicAddressesOf(checked.host).catch(() => []);
    if (addresses.length === 0) throw new InvalidEndpointUrl(NOT_PUBLIC);
  }

  /** Asks nobody. Receivers that are not public are allowed in test mode, where the operator says so. */
  read(url: string, livemode: boolean): CheckedUrl {
    return checkedUrl(url, { livemode, allowPrivate: this.env.WEBHOOK_ALLOW_PRIVATE_NETWORKS && !livemode });
  }

  /** Every address of a name. Throws `AddressRefused` when one of them is not public, and when it has none. */
  async publicAddressesOf(name: string): Promise<LookupAddress[]> {
    const addresses = await this.resolve(name);
    if (!addresses.every(({ address }) => isPublicAddress(address))) throw new AddressRefused();
    return addresses;
  }

  /**
   * Asks DNS itself, not the system: a hosts file names local machines only, and the system's calls share a few
   * threads, which one name server that never answers would take from everybody. Throws when the name has no address.
   */
  protected async resolve(name: string): Promise<LookupAddress[]> {
    const [v4, v6] = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    if (found.length === 0) throw v4.status === 'rejected' ? v4.reason : new Error(`${name} has no address`);
    return found;
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
