import { createHash, timingSafeEqual } from 'node:crypto';
import { type Of, secret, Settings, text, url } from '../../core/config/settings';
import { type Currency, decimalsOf, decimalText, displayMoney, fromMajor, isCurrency } from '../../core/money/money';
import {
  type CallbackRequest,
  fieldsOf,
  type Given,
  isObject,
  isText,
  type UnknownOutcome,
} from '../../providers/answers';
import { ProviderOutage } from '../../providers/breakers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { CheckResult } from '../../providers/registry';

// Version 3 of its API. Read on 2026-11-25:
// https://developer.flutterwave.com/docs/collections-inflow/flutterwave-standard,
// https://developer.flutterwave.com/docs/payment-operations/refunds, …/payment-operations/chargebacks, …/docs/errors,
// https://developer.flutterwave.com/v3.0.0/reference/get-all-refunds, …/transaction-refund,
// https://flutterwaveinc.mintlify.app/api-reference/ (its OpenAPI file as pages),
// https://github.com/Flutterwave/Node-v3 (537f9f4), https://github.com/Flutterwave/Woocommerce (29c8d30).
// Not version 4: it has keys of idempotency, but asks for a customer and a payment method at the API and has no page
// for payers in what could be read; and the pages that Flutterwave last changed (September 2026) are of version 3.

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const FLUTTERWAVE = Settings.of('flutterwave', {
  url: url({ default: 'https://api.flutterwave.com/v3/', about: 'Address of Flutterwave, with the version.' }),
  secretKey: secret({ about: 'Secret key of the live mode (FLWSECK-…-X).' }),
  secretHash: secret({
    optional: true,
    about: 'Secret hash of the webhooks at Flutterwave (verif-hash). Without one no callback is believed.',
  }),
  email: text({
    optional: true,
    about: 'E-mail address that Flutterwave is given of payers who gave none: it takes no payment without one.',
  }),
});

export const flutterwaveOf = ({ url, secretKey }: Of<typeof FLUTTERWAVE>, http: ProviderHttp): Outside =>
  http.to({ name: 'flutterwave', url, headers: { authorization: `Bearer ${secretKey}` } });

export const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

/** Every answer of Flutterwave is one. `data` is not read where `isDone` is false. */
export interface Envelope {
  readonly http: number;
  readonly isDone: boolean;
  /** In lower case, without what ends it: errors have no codes. */
  readonly words: string;
  readonly data: unknown;
  readonly meta: Given;
}

/** Null: Flutterwave does not talk so. A success is a 200 or a 201. */
export function envelopeOf({ status, body }: CompanyAnswer): Envelope | null {
  if (!isObject(body) || (body.status !== 'success' && body.status !== 'error')) return null;
  const isDone = body.status === 'success';
  if (isDone !== (status === 200 || status === 201)) return null;
  const { message, data, meta } = body;
  const words = isText(message) ? message.toLowerCase().replace(/[.!\s]+$/, '') : '';
  return { http: status, isDone, words, data, meta: fieldsOf(meta) };
}

/** A refusal for what was asked, in Flutterwave's own words: a 404 alone proves nothing, a proxy makes one too. */
export const isRefusal = (envelope: Envelope | null): envelope is Envelope =>
  envelope !== null && !envelope.isDone && (envelope.http === 400 || envelope.http === 404);

/** Flutterwave's ids are whole numbers; some lists write them as text. */
export function idOf(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  return /^[1-9]\d{0,19}$/.test(String(value)) ? String(value) : null;
}

/** Minor units, more than none; null for anything else. */
export const minorOf = (value: unknown, currency: Currency): bigint | null => fromMajor(value, currency) || null;

/** Minor units of fees and of what is left without them, which have more decimals than the currency; the nearest. */
export function roundedMinor(value: unknown, currency: Currency): bigint | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,20}))?$/.exec(String(value)) ?? [];
  if (whole === undefined) return null;
  const digits = decimalsOf(currency) + 1;
  return (BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0')) + 5n) / 10n;
}

/** Major units as they are sent: `1050`, and `1050.50` where there is a part. */
export const majorOf = (amount: bigint, currency: Currency): string =>
  decimalText({ amount, currency }).replace(/\.0+$/, '');

/** Flutterwave signs nothing: the secret that the account has chosen travels along as it is. */
export function isGenuine({ headers }: CallbackRequest, secretHash: string | undefined): boolean {
  const given = headers['verif-hash'];
  return isText(given) && isText(secretHash) && timingSafeEqual(digestOf(given), digestOf(secretHash));
}

/** Digests are of one length, whatever was given. */
const digestOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Whether key and address are right: the balances are asked for, which moves nothing. */
export async function checkOf(flutterwave: Outside, secretKey: string, signal: AbortSignal): Promise<CheckResult> {
  try {
    return checkedOf(await flutterwave.ask({ path: 'balances', signal }), secretKey);
  } catch (error) {
    return { isFine: false, says: error instanceof ProviderOutage ? NOBODY_THERE : NO_ANSWER };
  }
}

const NOBODY_THERE =
  'Nobody takes connections at the address: look at FLUTTERWAVE_URL, or at the way out of this machine.';
const NO_ANSWER = 'Flutterwave did not answer in time.';

/** What the answer to a question for the balances tells the operator. */
export function checkedOf(answer: CompanyAnswer, secretKey: string): CheckResult {
  const envelope = envelopeOf(answer);
  if (envelope === null || answer.status === 404)
    return {
      isFine: false,
      says: `What answers there (HTTP ${answer.status}) is not Flutterwave: FLUTTERWAVE_URL ends in /v3/.`,
    };
  if (answer.status === 401)
    return { isFine: false, says: 'Flutterwave does not take the key: look at FLUTTERWAVE_SECRET_KEY.' };
  const shown = shownOf(envelope);
  if (shown === null)
    return {
      isFine: false,
      says: `Flutterwave refuses to tell the balance (HTTP ${answer.status}): is this machine's address let in?`,
    };
  if (secretKey.startsWith('FLWSECK_TEST'))
    return {
      isFine: false,
      says: 'Flutterwave takes the key, which is one of its test mode: no real money moves with it.',
    };
  return { isFine: true, says: `Flutterwave takes the key. Balance: ${shown.join(', ') || 'none'}.` };
}

/** What is available of each currency that there is something of, for people; null: not told. */
function shownOf({ isDone, data }: Envelope): readonly string[] | null {
  if (!isDone || !Array.isArray(data)) return null;
  const shown: string[] = [];
  for (const one of data) {
    const { currency, available_balance: balance } = fieldsOf(one);
    if (!isText(currency)) return null;
    // Others than ours may be listed, and one that is overdrawn.
    const amount = isCurrency(currency) ? roundedMinor(balance, currency) : null;
    if (amount !== null && amount > 0n) shown.push(displayMoney({ amount, currency: currency as Currency }));
  }
  return shown;
}
