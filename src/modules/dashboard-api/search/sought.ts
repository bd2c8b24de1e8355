import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { bitsOfIdPart, decodeId, HIGHEST_ID, LOWEST_ID } from '../../../core/http/ids';
import { AMOUNT_MAX, CURRENCIES, type Currency, fromMajor } from '../../../core/money/money';
import { ID_PREFIXES, type IdPrefix } from '../../../vocabulary/id-prefixes';

/** What a text that somebody typed may mean. */
export interface Sought {
  /** Of the only kind of things that have such ids; null: of any. */
  readonly prefix: IdPrefix | null;
  /** It names one thing and nothing else. */
  readonly isWholeId: boolean;
  /** First and last id that begin so; of what begins no id, two that nothing lies between. */
  readonly ids: readonly [string, string];
  /** What a column may be, as typed and as a telephone number. */
  readonly texts: readonly [string, string | null];
  /** Parts of texts in small letters: as typed, and only its digits. */
  readonly parts: readonly [string | null, string | null];
  /** Pattern of the bits of ids. */
  readonly bits: string | null;
  readonly amounts: readonly { readonly currency: Currency; readonly amount: bigint }[];
}

/** Where a number without a country is looked for. */
const COUNTRY = 'NG';
const SUFFIX_LENGTH = 26;
/** A shorter part of a text is in half of everything. */
const PART_MIN = 3;
const ID_PART_MIN = 4;
/** Without its prefix, the beginning of an id is a time: less of it is a day or more. */
const BARE_BEGIN_MIN = 8;
/** A part so long is hardly anywhere else but where it stands in a whole number of characters. */
const MIDDLE_MIN = 7;

const NOWHERE = [HIGHEST_ID, LOWEST_ID] as const;

export function soughtOf(typed: string): Sought {
  const [, word, rest] = /^([a-z]{3,4})_([0-9a-z]*)$/i.exec(typed) ?? [];
  const prefix = (ID_PREFIXES as readonly string[]).includes(word?.toLowerCase() ?? '')
    ? (word!.toLowerCase() as IdPrefix)
    : null;
  // What lists show of an id begins with dots.
  const part = (prefix === null ? typed.replace(/^…/, '') : rest!).toLowerCase();
  const phone = parsePhoneNumberFromString(typed, COUNTRY)?.number ?? null;
  const text = typed.toLowerCase();
  const digits = typed.replaceAll(/^0|[\s()+-]/g, '');
  return {
    prefix,
    isWholeId: prefix !== null && decodeId(prefix, `${prefix}_${part}`) !== null,
    ids: part.length < (prefix === null ? BARE_BEGIN_MIN : ID_PART_MIN) ? NOWHERE : idsThatBegin(part),
    texts: [typed, phone],
    parts: [
      prefix === null && text.length >= PART_MIN ? text : null,
      /^\d+$/.test(digits) && digits.length >= PART_MIN && digits !== text ? digits : null,
    ],
    bits: bitsPattern(part),
    amounts: amountsOf(typed),
  };
}

function idsThatBegin(part: string): readonly [string, string] {
  const [first, last] = ['0', 'z'].map((filler) => decodeId('txn', `txn_${part.padEnd(SUFFIX_LENGTH, filler)}`));
  return part.length > SUFFIX_LENGTH || !first || !last ? NOWHERE : [first, last];
}

/** Of how an id ends, or of a longer part of it; null: none. */
function bitsPattern(part: string): string | null {
  if (part.length < ID_PART_MIN || part.length >= SUFFIX_LENGTH) return null;
  const bits = bitsOfIdPart(part);
  return bits && (part.length < MIDDLE_MIN ? `%${bits}` : `%${bits}%`);
}

/** The amount that a text may mean, by currency: `1,250.50`, `NGN 500`. */
function amountsOf(text: string): { currency: Currency; amount: bigint }[] {
  const [, word, digits] = /^(?:([A-Za-z]{3})\s*)?(\d[\d,\s]*(?:\.\d*)?)$/.exec(text) ?? [];
  if (digits === undefined) return [];
  const major = digits.replaceAll(/[,\s]|\.$/g, '');
  return CURRENCIES.filter((currency) => word === undefined || currency === word.toUpperCase()).flatMap((currency) => {
    const amount = fromMajor(major, currency);
    return amount === null || amount > AMOUNT_MAX ? [] : [{ currency, amount }];
  });
}
