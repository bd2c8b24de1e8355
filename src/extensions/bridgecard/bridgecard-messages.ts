import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import type { IssuerMessage } from '../../modules/cards/issuer-messages';
import type { Merchant } from '../../modules/cards/card-transaction.entity';
import { type CallbackRequest, isObject, isReference, isText } from '../../providers/answers';
import { parseJson } from '../../providers/http';
import { centsOf, isId, ISSUER, referenceOf, type Told } from './bridgecard';

// https://docs.bridgecard.co/reference/api-reference/webhook-events, read on 2026-11-25: `x-webhook-signature` is the
// webhook secret, encrypted with the secret key by AES-Everywhere (https://github.com/mervick/aes-everywhere: OpenSSL's
// salted form, a key by MD5). It says nothing of the body: whoever saw one header could send any. So a webhook is only
// a hint, and what it tells of is asked for.

/** A webhook as far as it is believed: what to ask about. */
export interface Hint {
  readonly event: 'card_debit_event.successful' | 'card_reversal_event.successful';
  /** Bridgecard's id of the card. */
  readonly card: string;
  readonly reference: string;
}

export type Verified =
  | { readonly outcome: 'genuine'; readonly hint: Hint }
  | { readonly outcome: 'other' }
  | { readonly outcome: 'forged' };

interface Secrets {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

export function verified({ body, headers }: CallbackRequest, { secretKey, webhookSecret }: Secrets): Verified {
  const said = decrypted(headers['x-webhook-signature'] ?? '', secretKey);
  const own = Buffer.from(webhookSecret);
  const isGenuine = said !== null && said.length === own.length && timingSafeEqual(said, own);
  if (!isGenuine) return { outcome: 'forged' };
  const hint = hintOf(parseJson(body.toString()));
  return hint === null ? { outcome: 'other' } : { outcome: 'genuine', hint };
}

const SALTED = Buffer.from('Salted__');
const BLOCK = 16;
const KEY_BYTES = 32;

/** Null: not made with this password. */
export function decrypted(text: string, password: string): Buffer | null {
  if (!/^[A-Za-z0-9+/]{1,1000}={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  const sealed = bytes.subarray(BLOCK);
  if (!bytes.subarray(0, SALTED.length).equals(SALTED) || sealed.length === 0 || sealed.length % BLOCK > 0) return null;
  const salted = Buffer.concat([Buffer.from(password), bytes.subarray(SALTED.length, BLOCK)]);
  let made = Buffer.alloc(0);
  for (let last = made; made.length < KEY_BYTES + BLOCK; made = Buffer.concat([made, last]))
    last = createHash('md5').update(last).update(salted).digest();
  const decipher = createDecipheriv('aes-256-cbc', made.subarray(0, KEY_BYTES), made.subarray(KEY_BYTES, 48));
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    return null;
  }
}

function hintOf(told: unknown): Hint | null {
  if (!isObject(told) || !isObject(told.data)) return null;
  const { event } = told;
  if (event !== 'card_debit_event.successful' && event !== 'card_reversal_event.successful') return null;
  const { card_id: card, transaction_reference: reference } = told.data;
  return isId(card) && isReference(reference) ? { event, card, reference } : null;
}

const REVERSAL = /^(.+)_REVERSAL$/;

/** What was paid, or came back; null: a transaction of another kind, or not understood. */
export function messageOf({ event, card: id, reference }: Hint, card: Told, transaction: Told): IssuerMessage | null {
  const cardId = referenceOf(card);
  const amount = centsOf(transaction.amount);
  const isDebit = event === 'card_debit_event.successful';
  const names = referencesOf(transaction);
  const [own = ''] = names;
  // Examples of transactions leave their card out: it was asked for with them.
  const isOfCard = transaction.card_id === undefined || transaction.card_id === id;
  if (cardId === null || card.card_id !== id || !isOfCard || !names.includes(reference)) return null;
  if (transaction.card_transaction_type !== (isDebit ? 'DEBIT' : 'CREDIT') || transaction.currency !== 'USD')
    return null;
  // What this service itself takes off the card is no payment.
  if (amount === null || amount === 0n || own.startsWith(cardId)) return null;
  const [paid] = names.flatMap((name) => REVERSAL.exec(name)?.[1] ?? []);
  if (!isDebit && paid === undefined) return null;
  return {
    issuer: ISSUER,
    id: own,
    cardId,
    kind: isDebit ? 'clearing' : 'refund',
    amount,
    merchant: isDebit ? merchantOf(transaction) : null,
    authorization: isDebit ? own : paid!,
    declineReason: null,
  };
}

/** What they call ours, and theirs: a webhook may name either, and what is told twice is the same by the first. */
const referencesOf = ({
  client_transaction_reference: ours,
  bridgecard_transaction_reference: theirs,
}: Told): string[] => [ours, theirs].filter(isReference);

/** Null: of a kind that ISO 18245 does not have. Their country is not told: ISO 3166-1 leaves ZZ for that. */
function merchantOf({ description, merchant_category_code: code, enriched_data: enriched }: Told): Merchant | null {
  const more = isObject(enriched) ? enriched : {};
  const mcc = [code, more.merchant_code].find((one) => typeof one === 'string' && /^\d{4}$/.test(one));
  const name = [more.merchant_name, description].find(isText) ?? 'Unknown';
  return mcc === undefined ? null : { name: name.slice(0, 100), mcc: mcc as string, country: 'ZZ' };
}
