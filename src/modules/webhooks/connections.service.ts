import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import { isLinkLocal, isPublicAddress } from './address-policy.batch';
import { HostLookup } from './host-lookup.service';

type Answer = Parameters<LookupFunction>[2];

/** A name leads to an address that is not public. */
export class AddressRefused extends Error {
  constructor() {
    super('the name has an address that is not public');
    this.name = new.target.name;
  }
}

const CONNECTIONS_PER_ORIGIN_MAX = 128;
const IDLE_MS = 4_000;
/** Whatever a receiver asks for with `Keep-Alive`. */
const IDLE_MAX_MS = 30_000;
/** A name is looked up again at least so often. */
const CONNECTION_AGE_MAX_MS = 60_000;

/** Open connections to receivers, kept for the next message. Those that may be private are never lent to a guarded one. */
@Injectable()
export class Connections implements OnApplicationShutdown {
  /** Name, connection and TLS together; less than an attempt may take. */
  connectTimeoutMs = 10_000;
  private guarded?: Agent;
  private open?: Agent;

  constructor(private readonly lookup: HostLookup) {}

  to({ allowPrivate }: { allowPrivate: boolean }): Agent {
    const timeout = this.connectTimeoutMs;
    if (allowPrivate) return (this.open ??= agentWith({ timeout, lookup: answerButLinkLocal }));
    return (this.guarded ??= agentWith({
      timeout,
      lookup: (hostname, { all = false }, answer) => void this.answerPublic(hostname, all, answer),
    }));
  }

  /** After the workers, which end in an earlier step. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.guarded?.destroy(), this.open?.destroy()]);
  }

  /** The only look-up of a connection: what is checked here is what the socket connects to. */
  private async answerPublic(hostname: string, all: boolean, answer: Answer): Promise<void> {
    const addresses = await this.lookup.resolve(hostname).catch((error: Error) => error);
    if (addresses instanceof Error) return answer(addresses, []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) return answer(new AddressRefused(), []);
    const [first] = addresses;
    return all ? answer(null, addresses) : answer(null, first!.address, first!.family);
  }
}

/** Names of the machine itself are allowed here, so it is the machine that is asked. */
const answerButLinkLocal: LookupFunction = (hostname, options, answer) =>
  lookup(hostname, options, (error, found, family) => {
    const addresses = typeof found === 'string' ? [{ address: found }] : (found ?? []);
    if (error === null && addresses.some(({ address }) => isLinkLocal(address))) answer(new AddressRefused(), []);
    else answer(error, found, family);
  });

function agentWith(connect: { timeout: number; lookup?: LookupFunction }): Agent {
  return new Agent({
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN_MAX,
    clientTtl: CONNECTION_AGE_MAX_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    // The sender's own limit spans all of an attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
