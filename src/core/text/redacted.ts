import { passesLuhn } from './luhn';

export const REDACTED = '[redacted]';

/** Keys of ours and of webhooks, and numbers of cards wherever they stand. */
const API_KEY = /\b(sk_(?:live|test|platform)_|whsec_)[A-Za-z0-9+/=]{8,}/g;
const CARD_NUMBER = /(?<!\d)[3-6]\d{12,18}(?!\d)/g;

/** Keys, and numbers that could be those of cards, are cut out of a text. */
export const redactText = (text: string): string =>
  text.replace(API_KEY, `$1${REDACTED}`).replace(CARD_NUMBER, (digits) => (passesLuhn(digits) ? REDACTED : digits));
