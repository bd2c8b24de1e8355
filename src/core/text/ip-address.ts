import { isIP } from 'node:net';

/** What stands for a client where addresses are counted: one person has a whole /64 of IPv6 addresses. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !address.includes(':')) return address ?? 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return groupsOf(address.split('%', 1)[0]!)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head, tail] = address.split('::') as [string, string?];
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros: string[] = Array(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...(tail === undefined ? [] : zeros), ...last].map((group) => Number.parseInt(group, 16));
}

const BITS = /^(?:0|[1-9]\d{0,2})$/;
const V4_BITS = 32;
const V6_BITS = 128;

export interface AddressRange {
  readonly network: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** An address or a CIDR range, as it is spelled and not as it might be meant: null for everything else. */
export function parseRange(text: string): AddressRange | null {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  const max = version === 4 ? V4_BITS : V6_BITS;
  // A zone is a place on one machine, and an IPv4 address within IPv6 has a spelling of its own.
  if (version === 0 || more.length > 0 || /[%]|:.*\./.test(address)) return null;
  if (bits !== undefined && !(BITS.test(bits) && Number(bits) <= max)) return null;
  return {
    ...networkOfRange(address, version, bits === undefined ? max : Number(bits)),
    family: version === 4 ? 'ipv4' : 'ipv6',
  };
}

/** `203.0.113.0/24`; an address alone has no bits. */
export const rangeText = ({ network, bits, family }: AddressRange): string =>
  bits === (family === 'ipv4' ? V4_BITS : V6_BITS) ? network : `${network}/${bits}`;

function networkOfRange(address: string, version: number, bits: number): { network: string; bits: number } {
  const [size, groups] = version === 4 ? [8n, address.split('.').map(Number)] : [16n, groupsOf(address)];
  const width = version === 4 ? V4_BITS : V6_BITS;
  const value = groups.reduce((sum, group) => (sum << size) | BigInt(group), 0n);
  const kept = (value >> BigInt(width - bits)) << BigInt(width - bits);
  const parts = groups.map((_, at) => Number((kept >> (size * BigInt(groups.length - 1 - at))) & ((1n << size) - 1n)));
  if (version === 4) return { network: parts.join('.'), bits };
  // The parser of addresses knows the short form.
  return {
    network: new URL(`http://[${parts.map((part) => part.toString(16)).join(':')}]`).hostname.slice(1, -1),
    bits,
  };
}

/** Whether a host, as a URL or a setting has it, is the machine itself. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
