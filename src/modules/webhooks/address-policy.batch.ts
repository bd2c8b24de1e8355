import { BlockList, isIP } from 'node:net';

type Range = readonly [address: string, prefix: number];

/** Not reachable by everyone, or never the address of a receiver (IANA's special-purpose registries, and where clouds keep their secrets). */
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
 * All that is given out for the Internet. Outside of it lie `::`, `::1`, the forms that carry an IPv4 address (`::a.b.c.d`,
 * `::ffff:a.b.c.d`, `64:ff9b::`), 100::/64, 5f00::/16, unique local, link-local, site-local and multicast addresses.
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

/** Whether a webhook may be posted to this IP address. What is no plain address (a name, `fe80::1%eth0`) is not public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refusedV4.check(address, 'ipv4');
  if (family === 0 || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6');
}

/** Where a machine's own network answers, and clouds keep the credentials of their machines: no receiver, wherever private ones are allowed. */
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
