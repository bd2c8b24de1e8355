import { passesLuhn } from './luhn';
import { REDACTED, redactText } from './redacted';

/** Words of names of fields: `mainToken` and `customer_token` are tokens. */
const SECRET_WORDS = wordsOf('password passwd passcode secret token tokens pin pins otp cvv cvc pan key');
/** As good as cash, or enough to charge a card or to sign with, or whose they are. */
const SECRET_NAMES = wordsOf(`
  purchased_code authorization_code exp signature
  bvn nin vnin id_number idnumber id_no secondary_id_number date_of_birth dob birthdate
`);

/** Meter tokens: five times four digits. */
export const METER_TOKEN = /(?<!\d)\d{4}(?:[ -]?\d{4}){4}(?!\d)/g;
/** A BVN and a NIN have eleven digits, and no zero in front as a phone has. The end of a uuid may be as long. */
const DOCUMENT_NUMBER = /(?<![\d+.]|[0-9a-f]{4}-)[1-9]\d{10}(?!\d)/gi;
/** The number of a card as people write it. */
const SPACED_CARD = /(?<!\d)[3-6](?:[ -]?\d){12,}(?!\d)/g;
const CARD_DIGITS = [13, 14, 15, 16, 17, 18, 19];
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
const SIGNED_TOKEN = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
const SAID_CODE = /\b(pin|otp|cvv|cvc)\b([^\w\n]{1,3}|\s+is\s+)\d{3,8}\b/gi;
const SAID_PASSWORD = /\b(password|passcode)(\s*[:=]\s*|\s+is\s+)\S+/gi;
/** What none of the above can be in. */
const SUSPECT = /\d{4}|bearer|basic|eyJ|\b(?:pin|otp|cvv|cvc)\b|passw|passcode|whsec_|sk_/i;

export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

export const snakeOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Whether what stands in a field of this name is a secret, however the name is spelled. */
export function isSecretName(name: string): boolean {
  const snake = snakeOf(name);
  return SECRET_NAMES.has(snake) || snake.split(/[^a-z0-9]+/).some((word) => SECRET_WORDS.has(word));
}

/** Numbers of phones, meters and accounts may be as long as those of documents. */
export type Numbers = 'any' | 'of recipients';

/**
 * A text that somebody sent or was sent, without what is as good as cash or says who somebody is: keys, cards, meter
 * tokens, passwords, PINs, numbers of documents.
 */
export function scrubText(text: string, numbers: Numbers = 'any'): string {
  if (!SUSPECT.test(text)) return text;
  const scrubbed = redactText(text)
    .replace(BEARER, `$1 ${REDACTED}`)
    .replace(SIGNED_TOKEN, REDACTED)
    .replace(SAID_PASSWORD, `$1$2${REDACTED}`)
    .replace(SAID_CODE, `$1$2${REDACTED}`)
    .replace(METER_TOKEN, REDACTED)
    .replace(SPACED_CARD, hiddenCard);
  return numbers === 'any' ? scrubbed.replace(DOCUMENT_NUMBER, REDACTED) : scrubbed;
}

/** What follows the number, such as the month, may look like more of it. Without a gap it was judged already. */
function hiddenCard(written: string): string {
  const digits = written.replaceAll(/\D/g, '');
  if (digits === written) return written;
  const isCard = CARD_DIGITS.some((length) => length <= digits.length && passesLuhn(digits.slice(0, length)));
  return isCard ? REDACTED : written;
}
