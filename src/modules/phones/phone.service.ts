import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  ParseError,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/mobile';
import { LRUCache } from 'lru-cache';
import type { Repository } from 'typeorm';
import { DomainError, refusedAt } from '../../core/errors/domain-error';
import type { Viewer } from '../../core/resources/resources';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import type { BeneficiaryDetails } from '../beneficiaries/beneficiary.entity';
import { Network } from './network.entity';
import prefixes from './phone-prefixes.json';
import sandbox from './sandbox-phones.json';

/** What to do when the number's range says another network than the caller. */
export const MISMATCH_RULES = ['reject', 'use_given', 'use_detected'] as const;
export type MismatchRule = (typeof MISMATCH_RULES)[number];

/** A phone number and what the caller says about it. Null and absent mean the same. */
export interface PhoneQuestion {
  /** E.164, or local form with `country`. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | null;
  /** Whose local form it may be without `country`. */
  readonly home?: string | null;
  /** Slug or alias of a network. */
  readonly network?: string | null;
  /** `reject` when absent. */
  readonly on_network_mismatch?: MismatchRule | null;
  /** Sandbox numbers exist in test mode only. */
  readonly livemode: boolean;
}

export type NetworkSource = 'given' | 'prefix';

/** Where a purchase goes. */
export interface ResolvedPhone {
  /** E.164. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Slug, never an alias. */
  readonly network: string;
  readonly networkSource: NetworkSource;
}

/** What is known about a number without a purchase. All null when it is not valid. */
export interface PhoneFacts {
  readonly valid: boolean;
  readonly phone: string | null;
  readonly country: string | null;
  readonly network: string | null;
  /** `prefix`: by its range, and it may have been ported since; `porting`: it is known to have been ported. */
  readonly source: 'prefix' | 'porting' | null;
  readonly confidence: 'high' | 'medium' | null;
}

const INVALID: PhoneFacts = { valid: false, phone: null, country: null, network: null, source: null, confidence: null };

/** What others may know of a network. */
export type NetworkRecord = Readonly<Network>;

type KeptPhone = BeneficiaryDetails['phone'];

/** An operator's edit of the table is seen after this long. */
const CACHE_MS = 1_000;

/** Knows the mobile networks, reads phone numbers and tells their networks. */
@Injectable()
export class PhoneService implements OnModuleInit {
  private readonly networks: LRUCache<'all', NetworkRecord[]>;

  constructor(
    @InjectRepository(Network) networks: Repository<Network>,
    private readonly beneficiaries: BeneficiariesService,
  ) {
    this.networks = new LRUCache({
      max: 1,
      ttl: CACHE_MS,
      fetchMethod: () => networks.find({ order: { country: 'ASC', slug: 'ASC' } }),
    });
  }

  onModuleInit(): void {
    this.beneficiaries.include({
      kind: 'phone',
      check: (caller, details) => refusedAt('/phone', () => this.checkKept(caller, details)),
    });
  }

  /** By country and slug; all of them without a country. */
  async listNetworks(country: string | null): Promise<NetworkRecord[]> {
    const networks = this.networks.get('all') ?? (await this.networks.forceFetch('all'));
    return country === null ? networks : networks.filter((network) => network.country === country);
  }

  /** By slug or alias; null when the country has no such network. */
  async findNetwork(country: string, name: string): Promise<NetworkRecord | null> {
    const networks = await this.listNetworks(country);
    return networks.find(({ slug }) => slug === name) ?? networks.find(({ aliases }) => aliases.includes(name)) ?? null;
  }

  /**
   * Number and network of a purchase. Throws `InvalidPhoneNumber`, `UnknownNetwork`, `NetworkNotDetected`,
   * `NetworkMismatch`.
   */
  async resolve(asked: PhoneQuestion): Promise<ResolvedPhone> {
    const number = parsePhone(asked);
    const { phone, country } = number;
    const networks = await this.listNetworks(country);
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
      const { byRange, actual } = this.known(carrierOf(number), await this.listNetworks(country));
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

  /** Of a beneficiary: as `resolve`, but a network that nobody knows may be said by each order. */
  private async checkKept({ livemode }: Viewer, { phone: written, country: asked, network: given }: KeptPhone) {
    const { phone, country } = parsePhone({ phone: written, country: asked, livemode });
    const { network } =
      given === null ? await this.lookUp({ phone, livemode }) : await this.resolve({ phone, network: given, livemode });
    return { details: { phone, country, network }, number: phone, verifiedName: null };
  }

  private async requireNetwork(name: string, country: string, networks: readonly NetworkRecord[]): Promise<string> {
    const network = await this.findNetwork(country, name);
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

export interface PhoneNumber {
  /** E.164. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly isSandbox: boolean;
}

/** Slugs of networks; null when not known. */
export interface Carrier {
  /** Whose range the number is from. */
  readonly byRange: string | null;
  /** Whose it is now, as far as is known. */
  readonly actual: string | null;
}

// What people write between digits. The parser reads more (extensions, tel: addresses, letters of other scripts).
const WRITTEN = /^\+?[0-9][0-9 ().-]{3,30}$|^\([0-9 ().-]{4,30}$/;
const SANDBOX = new RegExp(sandbox.pattern);
const PORTED = sandbox.ported.map(({ pattern, network }) => ({ pattern: new RegExp(pattern), network }));

/** A mobile number as E.164. Throws `InvalidPhoneNumber`. */
export function parsePhone({
  phone: written,
  country: asked,
  home,
  livemode,
}: Pick<PhoneQuestion, 'phone' | 'country' | 'home' | 'livemode'>): PhoneNumber {
  const number = WRITTEN.test(written) ? read(written, asked ?? home ?? null) : null;
  const isSandbox = number !== null && SANDBOX.test(number.number);
  if (isSandbox && livemode)
    throw new InvalidPhoneNumber(`${number.number} is a test number: it exists in test mode only.`);
  if (!number || !(isSandbox || number.isValid()))
    throw new InvalidPhoneNumber('This is no mobile number: send it in E.164 form, or in local form with `country`.');
  const country = isSandbox ? sandbox.country : number.country;
  if (country === undefined) throw new InvalidPhoneNumber(`The country of ${number.number} is not known.`);
  if (asked && country !== asked)
    throw new InvalidPhoneNumber(`${number.number} is a number of ${country}, not of ${asked}.`);
  return { phone: number.number, country, isSandbox };
}

/** In local form, else as E.164 whose `+` was left out. */
function read(written: string, country: string | null) {
  const number = parse(written, country);
  if (written.startsWith('+') || (number !== null && (number.isValid() || SANDBOX.test(number.number)))) return number;
  return parse(`+${written}`, null) ?? number;
}

function parse(written: string, country: string | null) {
  try {
    const defaultCountry = country !== null && isSupportedCountry(country) ? country : undefined;
    return parsePhoneNumberWithError(written, { defaultCountry, extract: false });
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** Local prefixes by country and network, as people write them: `{"NG": {"mtn": ["0703"]}}`. */
type PrefixFile = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Networks by the first digits of an E.164 number. */
export class Ranges {
  private readonly networks: ReadonlyMap<string, string>;
  private readonly lengthMax: number;

  constructor(file: PrefixFile) {
    const international = (country: string, prefix: string) =>
      `+${getCountryCallingCode(country as CountryCode)}${prefix.replace(/^0/, '')}`;
    const entries = Object.entries(file).flatMap(([country, networks]) =>
      Object.entries(networks).flatMap(([network, prefixes]) =>
        prefixes.map((prefix) => [international(country, prefix), network] as const),
      ),
    );
    this.networks = new Map<string, string>(entries);
    this.lengthMax = Math.max(...entries.map(([prefix]) => prefix.length));
  }

  /** The longest prefix decides; null when there is none. */
  networkOf(phone: string): string | null {
    for (let length = this.lengthMax; length > 1; length--) {
      const network = this.networks.get(phone.slice(0, length));
      if (network !== undefined) return network;
    }
    return null;
  }
}

const ranges = new Ranges(prefixes);

/** Whose number it is. */
export function carrierOf({ phone, isSandbox }: PhoneNumber): Carrier {
  if (isSandbox)
    return {
      byRange: sandbox.network,
      actual: PORTED.find(({ pattern }) => pattern.test(phone))?.network ?? sandbox.network,
    };
  const network = ranges.networkOf(phone);
  return { byRange: network, actual: network };
}

class InvalidPhoneNumber extends DomainError {
  constructor(detail: string) {
    super({ code: 'invalid_phone_number', kind: 'malformed', title: 'Invalid phone number', detail, param: '/phone' });
  }
}

class UnknownNetwork extends DomainError {
  constructor(network: string, country: string, known: readonly string[]) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Unknown network',
      detail:
        `${network} is not a network of ${country}; ` +
        `there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ') || 'none'}.`,
      param: '/network',
    });
  }
}

class NetworkNotDetected extends DomainError {
  constructor(phone: string, known: readonly string[]) {
    super({
      code: 'network_not_detected',
      kind: 'unprocessable',
      title: 'Network not detected',
      detail:
        known.length === 0
          ? `No network of the country of ${phone} is known.`
          : `The network of ${phone} is not known: send one of ${known.join(', ')}.`,
      param: '/network',
    });
  }
}

class NetworkMismatch extends DomainError {
  constructor(phone: string, expected: string, detected: string) {
    super({
      code: 'network_mismatch',
      kind: 'unprocessable',
      title: 'Network mismatch',
      detail: `${phone} was taken for ${expected} and seems to belong to ${detected}.`,
      param: '/network',
    });
  }
}
