import { createHmac, timingSafeEqual } from 'node:crypto';
import { list, type Of, secret, Settings, text, url } from '../../core/config/settings';
import { type CallbackRequest, fieldsOf, type Given, isObject, isText } from '../../providers/answers';
import { type CompanyAnswer, type Outside, parseJson, ProviderHttp } from '../../providers/http';
import { ProviderOutage } from '../../providers/breakers';
import type { CheckResult } from '../../providers/registry';
import type { Token } from '../../providers/sessions';

// Monnify, as documented at https://developers.monnify.com (api, docs/error-codes, docs/webhooks/event-types,
// docs/disbursements/single-transfers, docs/collections/customer-reserved-account, docs/collections/manage-payments),
// read on 2026-11-25. Where the pages differ from what Monnify's own client library found at the sandbox
// (https://github.com/Monnify/monnify-dotnet-lib, docs/COMPATIBILITY.md, July 2026), the library is followed: the
// signature of webhooks is HMAC-SHA512 over the bytes, and amounts are numbers or text. The older
// https://teamapt.atlassian.net/wiki/spaces/MON counts only where the newer pages are silent.

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const MONNIFY = Settings.of('monnify', {
  url: url({
    default: 'https://api.monnify.com/',
    about: 'Address of Monnify; its sandbox is https://sandbox.monnify.com/.',
  }),
  apiKey: text({ about: 'API key of the dashboard (MK_PROD_…).' }),
  secretKey: secret({ about: 'Secret key of the dashboard. Monnify signs its webhooks with it, too.' }),
  sourceAccount: text({ about: 'Number of the Monnify wallet that payouts are paid from.' }),
  contractCode: text({ about: 'Contract under which accounts are reserved.' }),
  emailDomain: text({
    about: 'Monnify wants an e-mail address for each reserved account: it gets one of this domain. Never changes.',
  }),
  banks: list({
    default: '50515',
    about: 'Codes of the banks that may have reserved accounts; the first one that does counts.',
  }),
  bvn: secret({
    optional: true,
    about: 'Bank Verification Number that accounts are reserved with, where Monnify asks for one.',
  }),
});

export type MonnifySettings = Of<typeof MONNIFY>;

export const CURRENCY = 'NGN';

/** A token was refused or not given: nothing was asked for. */
class SignInRefused extends Error {}

/** The way to Monnify. A token lasts an hour. */
export function monnifyOf({ url, apiKey, secretKey }: MonnifySettings, http: ProviderHttp): Outside {
  const basic = Buffer.from(`${apiKey}:${secretKey}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const login = { method: 'POST', path: 'api/v1/auth/login', headers, isSignIn: true } as const;
  const signIn = async (signal: AbortSignal): Promise<Token> => tokenOf(await monnify.ask({ ...login, signal }));
  const monnify = http.to({ name: 'monnify', url, signIn });
  return monnify;
}

function tokenOf(answer: CompanyAnswer): Token {
  const said = saidBy(answer);
  if (said.kind === 'no' || answer.status === 401) throw new SignInRefused('the keys are refused');
  const { accessToken, expiresIn } = said.kind === 'yes' ? said.body : {};
  if (!isText(accessToken) || typeof expiresIn !== 'number') throw new Error('the log-in could not be read');
  return { token: accessToken, expiresInMs: expiresIn * 1_000 };
}

/** What an answer says as a whole. A refusal has a code and a sentence; whatever is not Monnify's is nonsense. */
type Said =
  | { readonly kind: 'yes'; readonly body: Given }
  | { readonly kind: 'no'; readonly status: number; readonly code: string; readonly message: string }
  | { readonly kind: 'nonsense' };

/** The envelope: `{requestSuccessful, responseMessage, responseCode, responseBody}`. */
export function saidBy({ status, body }: CompanyAnswer): Said {
  const { requestSuccessful, responseCode: code, responseMessage: message, responseBody } = fieldsOf(body);
  if (requestSuccessful === true && status === 200 && code === '0' && isObject(responseBody))
    return { kind: 'yes', body: responseBody };
  if (requestSuccessful !== false || status >= 500 || !isText(code) || !isText(message)) return { kind: 'nonsense' };
  return { kind: 'no', status, code, message };
}

/** `Supplied reference already exists!` → `supplied reference already exists`: as tables here have sentences. */
export const plain = (sentence: unknown): string =>
  isText(sentence)
    ? sentence
        .toLowerCase()
        .replace(/[\s.!]+$/, '')
        .trim()
    : '';

/** What a webhook tells of. */
interface Event {
  readonly type: string;
  readonly data: Given;
}

/** Null: Monnify did not sign it. The signature is HMAC-SHA512 over the bytes, in hexadecimal digits. */
export function eventOf({ body, headers }: CallbackRequest, secretKey: string): Event | null {
  const given = headers['monnify-signature'] ?? '';
  const own = createHmac('sha512', secretKey).update(body).digest();
  if (!/^[0-9a-f]{128}$/i.test(given) || !timingSafeEqual(Buffer.from(given, 'hex'), own)) return null;
  const { eventType, eventData } = fieldsOf(parseJson(body.toString()));
  return { type: isText(eventType) ? eventType : '', data: fieldsOf(eventData) };
}

/** A look at the settings, made of the answer to a question that does nothing. */
export async function checked(
  ask: () => Promise<CompanyAnswer>,
  fine: (said: Said) => string | null,
): Promise<CheckResult> {
  try {
    const said = saidBy(await ask());
    const says = fine(said);
    if (says !== null) return { isFine: true, says };
    if (said.kind === 'no') return bad(`Monnify lets the keys in, and answers: ${said.code} ${said.message}`);
    return bad('Whoever answers at MONNIFY_URL does not answer as Monnify does.');
  } catch (error) {
    if (error instanceof SignInRefused) return bad('Monnify refuses MONNIFY_API_KEY or MONNIFY_SECRET_KEY.');
    if (error instanceof ProviderOutage) return bad('Nobody accepts connections at MONNIFY_URL.');
    return bad('MONNIFY_URL gives no answer that could be read.');
  }
}

const bad = (says: string): CheckResult => ({ isFine: false, says });
