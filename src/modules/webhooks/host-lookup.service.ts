import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Asks DNS itself, not the system: a hosts file names local machines only, and the system's calls share a few threads,
 * which one name server that never answers would take from everybody.
 */
@Injectable()
export class HostLookup {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** Every address of a name, at least one. Throws when it has none. */
  async resolve(name: string): Promise<LookupAddress[]> {
    const [v4, v6] = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    if (found.length === 0) throw v4.status === 'rejected' ? v4.reason : new Error(`${name} has no address`);
    return found;
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
