/** What stands for a client where addresses are counted: one person has a whole /64 of IPv6 addresses. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !address.includes(':')) return address ?? 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head, tail] = address.toLowerCase().split('%', 1)[0]!.split('::') as [string, string?];
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros: string[] = Array(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...(tail === undefined ? [] : zeros), ...last].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}
