import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  ParseError,
  parsePhoneNumberWithError,
} from 'libphonenumber-js/mobile';
import { InvalidPhoneNumber } from './airtime.errors';
import prefixes from './phone-prefixes.json';
import type { PhoneQuestion } from './phone.types';
import sandbox from './sandbox-phones.json';

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
