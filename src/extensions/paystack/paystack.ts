import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Of, secret, Settings, text, url } from '../../core/config/settings';
import { displayMoney, isCurrency } from '../../core/money/money';
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

// What the two products share. Read on 2026-11-25:
// https://paystack.com/docs/api/, https://paystack.com/docs/payments/, https://paystack.com/docs/transfers/,
// https://github.com/PaystackOSS/openapi (9678dea), https://github.com/PaystackOSS/doc-code-snippets (94af513).
// Where they differ the snippets count, which are the newer and stand on the pages of the documentation.

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const PAYSTACK = Settings.of('paystack', {
  url: url({ default: 'https://api.paystack.co/', about: 'Address of Paystack.' }),
  secretKey: secret({ about: 'Secret key of the live mode (sk_live_…). Paystack signs its callbacks with it, too.' }),
  email: text({
    optional: true,
    about: 'E-mail address that Paystack is given of payers who gave none: it takes no payment without one.',
  }),
});

export const paystackOf = ({ url, secretKey }: Of<typeof PAYSTACK>, http: ProviderHttp): Outside =>
  http.to({ name: 'paystack', url, headers: { authorization: `Bearer ${secretKey}` } });

export const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

/** Every answer of Paystack is one. `data` is not read where `isDone` is false. */
export interface Envelope {
  readonly http: number;
  readonly isDone: boolean;
  readonly message: string;
  /** `validation_error`, `processor_error`, `api_error`; '' where there is none. */
  readonly type: string;
  /** '' where there is none: older errors have a message only. */
  readonly code: string;
  readonly data: unknown;
  readonly meta: Given;
}

/** Null: Paystack does not talk so. A success is a 200 or a 201. */
export function envelopeOf({ status, body }: CompanyAnswer): Envelope | null {
  if (!isObject(body) || typeof body.status !== 'boolean') return null;
  const { message, type, code, data, meta } = body;
  if (body.status && status !== 200 && status !== 201) return null;
  return {
    http: status,
    isDone: body.status,
    message: textOf(message),
    type: textOf(type),
    code: textOf(code),
    data,
    meta: fieldsOf(meta),
  };
}

/** An object that is about `reference`; null: none, or another's. */
export function dataAbout(envelope: Envelope | null, reference: string): Given | null {
  if (!envelope?.isDone || !isObject(envelope.data)) return null;
  return envelope.data.reference === reference ? envelope.data : null;
}

/** That Paystack itself says it has no such thing: a 404 alone proves nothing, a proxy makes one too. */
export function saysNotFound(envelope: Envelope | null, code: string, words: string): boolean {
  if (envelope === null || envelope.isDone || (envelope.http !== 404 && envelope.http !== 400)) return false;
  return envelope.code === code || wordsOf(envelope) === words;
}

/** Its message, as tables here have it. */
export const wordsOf = ({ message }: Envelope): string => message.toLowerCase().replace(/[.!\s]+$/, '');

/** Subunits: a whole number, or its digits as text. Null for anything else. */
export function subunits(value: unknown): bigint | null {
  const digits = digitsOf(value);
  return digits !== null && digits.length <= AMOUNT_DIGITS_MAX ? BigInt(digits) : null;
}

/** Paystack's ids are whole numbers; some lists and callbacks write them as text. */
export function idOf(value: unknown): string | null {
  const digits = digitsOf(value);
  return digits !== null && !digits.startsWith('0') ? digits : null;
}

const AMOUNT_DIGITS_MAX = 15;

function digitsOf(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  return /^\d{1,20}$/.test(String(value)) ? String(value) : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A callback that Paystack signed; null: it did not. */
interface Event {
  /** `charge.success`. */
  readonly name: string;
  readonly data: Given;
}

/** Signed with HMAC-SHA512 of the secret key over the bytes. */
export function eventOf({ body, headers }: CallbackRequest, secretKey: string): Event | null {
  const given = headers['x-paystack-signature'] ?? '';
  const own = createHmac('sha512', secretKey).update(body).digest();
  if (!/^[0-9a-f]{128}$/.test(given) || !timingSafeEqual(Buffer.from(given, 'hex'), own)) return null;
  const { event, data } = fieldsOf(JSON.parse(body.toString()));
  return { name: textOf(event), data: fieldsOf(data) };
}

/** `charge.dispute.create` → `charge_dispute_create`. */
export const wordOf = (event: string): string => event.replaceAll(/[^a-z0-9]/g, '_');

/** Whether key and address are right: the balances are asked for, which moves nothing. */
export async function checkOf(paystack: Outside, secretKey: string, signal: AbortSignal): Promise<CheckResult> {
  try {
    return checkedOf(await paystack.ask({ path: 'balance', signal }), secretKey);
  } catch (error) {
    return { isFine: false, says: error instanceof ProviderOutage ? NOBODY_THERE : NO_ANSWER };
  }
}

const NOBODY_THERE =
  'Nobody takes connections at the address: look at PAYSTACK_URL, or at the way out of this machine.';
const NO_ANSWER = 'Paystack did not answer in time.';

/** What the answer to a question for the balances tells the operator. */
export function checkedOf(answer: CompanyAnswer, secretKey: string): CheckResult {
  const envelope = envelopeOf(answer);
  if (envelope === null || answer.status === 404)
    return {
      isFine: false,
      says: `What answers there (HTTP ${answer.status}) does not talk as Paystack does: look at PAYSTACK_URL.`,
    };
  if (answer.status === 401)
    return { isFine: false, says: 'Paystack does not take the key: look at PAYSTACK_SECRET_KEY.' };
  const shown = balancesOf(envelope)?.map(([currency, amount]) =>
    isCurrency(currency) ? displayMoney({ amount, currency }) : currency,
  );
  if (shown === undefined)
    return {
      isFine: false,
      says: `Paystack refuses to tell the balance (HTTP ${answer.status}): is this machine's address let in?`,
    };
  if (secretKey.startsWith('sk_test_'))
    return {
      isFine: false,
      says: 'Paystack takes the key, which is one of its test mode: no real money moves with it.',
    };
  return { isFine: true, says: `Paystack takes the key. Balance: ${shown.join(', ') || 'none'}.` };
}

/** Currency and subunits of each balance; null: not told. */
export function balancesOf(envelope: Envelope | null): readonly (readonly [string, bigint])[] | null {
  if (!envelope?.isDone || !Array.isArray(envelope.data)) return null;
  const balances: (readonly [string, bigint])[] = [];
  for (const one of envelope.data) {
    const { currency, balance } = fieldsOf(one);
    const amount = subunits(balance);
    if (!isText(currency) || amount === null) return null;
    balances.push([currency, amount]);
  }
  return balances;
}
