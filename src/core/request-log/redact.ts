import { passesLuhn } from '../text/luhn';
import SECRET_FIELDS from './secret-fields.json';

const BYTES_MAX = 4_096;
const REDACTED = '[redacted]';
const secretFields = new Set(SECRET_FIELDS);

/** Keys of ours and of webhooks, and numbers of cards wherever they stand. */
const API_KEY = /\b(sk_(?:live|test|platform)_|whsec_)[A-Za-z0-9+/=]{8,}/g;
const CARD_NUMBER = /(?<!\d)[3-6]\d{12,18}(?!\d)/g;

/** What may be kept of a body or a query: JSON without secrets, cut after 4096 characters; null when it is empty. */
export function redactedJson(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || Object.keys(content).length === 0) return null;
  return JSON.stringify(content, redact).slice(0, BYTES_MAX).toWellFormed();
}

function redact(name: string, value: unknown): unknown {
  if (secretFields.has(name.toLowerCase()) && value !== null) return REDACTED;
  return typeof value === 'string' ? redactText(value) : value;
}

/** Keys, and numbers that could be those of cards, are cut out of a text. */
export const redactText = (text: string): string =>
  text.replace(API_KEY, `$1${REDACTED}`).replace(CARD_NUMBER, (digits) => (passesLuhn(digits) ? REDACTED : digits));
