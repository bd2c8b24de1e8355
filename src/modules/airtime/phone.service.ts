import { Injectable } from '@nestjs/common';
import { InvalidPhoneNumber, NetworkMismatch, NetworkNotDetected, UnknownNetwork } from './airtime.errors';
import { type NetworkRecord, NetworksService } from './networks.service';
import { type Carrier, carrierOf, parsePhone } from './phone-number.batch';
import type { PhoneFacts, PhoneQuestion, ResolvedPhone } from './phone.types';

const INVALID: PhoneFacts = { valid: false, phone: null, country: null, network: null, source: null, confidence: null };

/** Reads phone numbers and tells their networks. */
@Injectable()
export class PhoneService {
  constructor(private readonly networks: NetworksService) {}

  /** Number and network of a purchase. Throws `InvalidPhoneNumber`, `UnknownNetwork`, `NetworkNotDetected`, `NetworkMismatch`. */
  async resolve(asked: PhoneQuestion): Promise<ResolvedPhone> {
    const number = parsePhone(asked);
    const { phone, country } = number;
    const networks = await this.networks.list(country);
    const given = asked.network ? await this.requireNetwork(asked.network, country, networks) : null;
    const { byRange, actual } = this.known(carrierOf(number), networks);
    const claimed = given ?? byRange;
    if (claimed === null)
      throw new NetworkNotDetected(
        phone,
        networks.map(({ slug }) => slug),
      );
    const source = given === null ? 'prefix' : 'given';
    // A sandbox number is of whichever network the test says, unless it plays a ported one.
    const agrees = actual === null || actual === claimed || (number.isSandbox && actual === byRange);
    if (agrees || asked.on_network_mismatch === 'use_given')
      return { phone, country, network: claimed, networkSource: source };
    if (asked.on_network_mismatch === 'use_detected')
      return { phone, country, network: actual, networkSource: 'prefix' };
    throw new NetworkMismatch(phone, claimed, actual);
  }

  /** What is known about a number; one that cannot exist is an answer, not an error. */
  async lookUp(asked: Pick<PhoneQuestion, 'phone' | 'country' | 'livemode'>): Promise<PhoneFacts> {
    try {
      const number = parsePhone(asked);
      const { phone, country } = number;
      const { byRange, actual } = this.known(carrierOf(number), await this.networks.list(country));
      if (actual === null) return { ...INVALID, valid: true, phone, country };
      const evidence =
        actual === byRange
          ? ({ source: 'prefix', confidence: 'medium' } as const)
          : ({ source: 'porting', confidence: 'high' } as const);
      return { valid: true, phone, country, network: actual, ...evidence };
    } catch (error) {
      if (error instanceof InvalidPhoneNumber) return INVALID;
      throw error;
    }
  }

  private async requireNetwork(name: string, country: string, networks: readonly NetworkRecord[]): Promise<string> {
    const network = await this.networks.find(country, name);
    if (network === null)
      throw new UnknownNetwork(
        name,
        country,
        networks.map(({ slug }) => slug),
      );
    return network.slug;
  }

  /** Ranges of networks that an operator took out of the table count for nothing. */
  private known({ byRange, actual }: Carrier, networks: readonly NetworkRecord[]): Carrier {
    const keep = (network: string | null) => (networks.some(({ slug }) => slug === network) ? network : null);
    return { byRange: keep(byRange), actual: keep(actual) };
  }
}
